"""A real `gwl lsp` process and an editor's session with it, over standard input and output."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gwl.limits import MAX_SOURCE_LENGTH
from tests.gwl.lsp_client import REPLY_SECONDS, URI, LanguageClient

pytestmark = pytest.mark.slow
pytest.importorskip("pygls", reason="the language server is an extra: pip install '.[lsp]'")

SCRIPT = """\
var steps = 0

proc free(dx, dy) =
  var seen = check(dx, dy)
  return seen >= EMPTY

while true:
  place()
  if free(1, 0):
    move(1, 0)
  steps = steps + 1
"""

ODD_TEXTS = (
    "",
    "\0" * 5000,
    "\ud800 = \udfff\n",
    "\ufeffwait()\r\nwait()\r\n",
    "wait()\rwait()\r",
    "\n" * 30_000,
    "(" * 30_000,
    "var a = " + "-" * 90 + "1\n",
    "\u202e\u2028\x85 var\n",
    "x" * 1_000_000,
)


@pytest.fixture
def client() -> Iterator[LanguageClient]:
    with LanguageClient() as client:
        yield client


def test_an_editors_session(client: LanguageClient) -> None:
    assert client.open(SCRIPT) == []

    (unknown,) = client.change(SCRIPT.replace("free(1, 0)", "fre(1, 0)"))
    assert (unknown["severity"], unknown["code"], unknown["source"]) == (2, "unknown-proc", "gwl")
    assert unknown["range"] == make_range(8, 5, 8, 8)
    assert 'did you mean "free"?' in unknown["message"]

    (wrong,) = client.change(SCRIPT.replace("steps + 1", "steps ++ 1"))
    assert (wrong["severity"], wrong["code"]) == (1, "bad-expression")

    assert client.change(SCRIPT) == []
    assert "built" in client.ask("hover", 3, 14)["contents"]["value"]
    assert "*local variable of free*" in client.ask("hover", 4, 10)["contents"]["value"]
    assert client.ask("definition", 8, 6) == {"uri": URI, "range": make_range(2, 5, 2, 9)}
    labels = {item["label"] for item in client.ask("completion", 4, 9)}
    assert {"dx", "dy", "seen", "steps", "free", "check", "EMPTY", "while"} <= labels
    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert [symbol["name"] for symbol in symbols] == ["steps", "free"]

    client.change(SCRIPT.replace("steps + 1", "steps+1"))
    (edit,) = client.format()
    assert edit == {"range": make_range(0, 0, 11, 0), "newText": SCRIPT}
    client.change(SCRIPT)
    assert client.format() == []

    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.wait_for_diagnostics() == []
    assert client.leave() == 0


@pytest.mark.parametrize(("encoding", "units"), [(None, 2), ("utf-8", 4), ("utf-32", 1)])
def test_columns_count_the_units_that_were_agreed_on(encoding: str | None, units: int) -> None:
    general = {} if encoding is None else {"positionEncodings": [encoding]}
    with LanguageClient(general=general) as client:
        assert client.server["capabilities"]["positionEncoding"] == (encoding or "utf-16")
        (found,) = client.open("var steps = 0\n\U0001f600 steps\n")
        assert found["range"] == make_range(1, 0, 1, units)
        hover = client.ask("hover", 1, units + 2)
        assert hover["range"] == make_range(1, units + 1, 1, units + 6)
        assert client.ask("hover", 1, 0) is None


def test_any_text_is_answered_by_one_server(client: LanguageClient) -> None:
    for text in ODD_TEXTS:
        client.open(text)
        for method in ("hover", "completion", "definition"):
            for line, character in ((0, 0), (0, 3), (1, 0), (0, 2**31 - 1), (2**31 - 1, 0)):
                client.ask(method, line, character)
        client.format()
        client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        assert client.change(SCRIPT) == []
    assert client.leave() == 0


def test_a_hundred_megabytes_are_refused_and_nothing_hangs(client: LanguageClient) -> None:
    for character in ("x", "\n", "\U0001f600"):
        (found,) = client.open(character * (100_000_000 // len(character.encode())))
        assert found["code"] == "source-too-long"
        assert f"at most {MAX_SOURCE_LENGTH} are allowed" in found["message"]
        assert client.format() is None
        assert client.ask("hover", 0, 5) is None
        assert client.change(SCRIPT) == []


def test_every_builtin_warrior_is_without_findings_and_formatted(client: LanguageClient) -> None:
    warriors = load_warriors()
    assert warriors
    for warrior in warriors.values():
        assert client.open(f"{warrior.source.rstrip()}\n") == []
        assert client.format() == []


def test_ends_with_its_editor(client: LanguageClient) -> None:
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(REPLY_SECONDS) == 0


def make_range(line: int, character: int, end_line: int, end_character: int) -> dict[str, object]:
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }
