"""What the language server knows, without its protocol: places, declarations, meanings and answers."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import gwl
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.language_server import LIBRARIES, command
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.templates import name_templates, render_chapter
from gwl import syntax
from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.lsp.answers import ItemKind, find_declaration, find_hover, list_completions, list_findings
from gwl.lsp.document import MAX_LENGTH, Document, Place, Position, count_utf16_units
from gwl.lsp.meanings import Meaning, read_meanings
from gwl.lsp.names import NameKind, Names
from gwl.parser import parse_source
from gwl.scopes import Scopes
from gwl.tokens import ACTIONS
from gwl.walk import walk_expressions, walk_statements

TEXTS = st.text(st.sampled_from("ab \t\r\n#(=\0\ufeff\u2028\ud800\U0001f600é")) | st.text(max_size=60)
SCRIPT = """\
var steps = 0
proc turn(dx, dy) =
  var count = abs(dx)
  for k in 0 ..< 8:
    var steps = k

    count = count + steps
  return count + steps

while true:
  discard turn(1, 0)
  wait()
"""


@pytest.fixture(scope="module")
def meanings() -> dict[str, Meaning]:
    grid_wars = get_benchmark("grid-wars")
    system, _, _ = name_templates(grid_wars)
    return dict(read_meanings(render_chapter(grid_wars, prompts_path(), system)))


@given(TEXTS)
def test_document_has_the_lines_of_the_compiler(text: str) -> None:
    assert Document(text).lines == gwl.split_source(text.removeprefix("\ufeff"))


@given(TEXTS)
def test_every_place_comes_back_from_the_editor(text: str) -> None:
    document = Document(text)
    for number, line in enumerate(document.lines, 1):
        for column in range(1, len(line) + 2):
            place = Place(number, column)
            assert document.to_place(document.to_position(place)) == place


@given(TEXTS, st.integers(0, 8), st.integers(0, 8))
def test_every_position_has_a_place_in_the_text(text: str, line: int, character: int) -> None:
    document = Document(text)
    place = document.to_place(Position(line, character))
    assert 1 <= place.line <= len(document.lines) + 1
    assert document.to_position(place) <= document.end


@given(TEXTS)
def test_units_are_those_of_utf_16(text: str) -> None:
    assert count_utf16_units(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_mark_at_the_beginning_moves_the_first_line_alone() -> None:
    document = Document("\ufeffa\r\nb\rc")
    assert document.lines == ["a", "b\rc"]
    assert document.to_position(Place(1, 1)) == (0, 1)
    assert document.to_position(Place(2, 1)) == (1, 0)
    assert document.to_position(Place(2, 3)) == (2, 0)


def test_longer_text_is_only_called_too_long() -> None:
    document = Document("x\n" * MAX_LENGTH)
    (found,) = list_findings(document)
    assert found.diagnostic.code == "source-too-long"
    assert str(2 * MAX_LENGTH) in found.diagnostic.message
    assert document.lines == []


def test_names_find_what_the_compiler_finds_in_every_warrior() -> None:
    warriors = load_warriors()
    assert warriors
    for warrior in warriors.values():
        lines = gwl.split_source(warrior.source)
        tree, names = parse_source(lines), Names(lines)
        declared = [each.name for each in names.declarations if each.kind is NameKind.GLOBAL]
        assert list(dict.fromkeys(declared)) == Scopes(tree.statements).global_names
        for statement in walk_statements(tree.statements):
            for part in walk_expressions(statement):
                if isinstance(part, syntax.Name) and part.name not in {*CONSTANTS, *CALLED_WHEN_READ}:
                    assert names.resolve(part.name, part.line, is_proc=False) is not None, part.name
                if isinstance(part, syntax.Call) and part.name not in BUILTINS:
                    assert names.resolve(part.name, part.line, is_proc=True) is not None, part.name


@pytest.mark.parametrize(
    ("line", "name", "kind", "declared_at"),
    [
        (7, "steps", NameKind.LOCAL, 5),
        (8, "steps", NameKind.GLOBAL, 1),
        (8, "count", NameKind.LOCAL, 3),
        (7, "k", NameKind.LOOP, 4),
        (8, "dx", NameKind.PARAMETER, 2),
        (6, "k", NameKind.LOOP, 4),
    ],
)
def test_name_means_the_innermost_that_reaches_its_line(
    line: int, name: str, kind: NameKind, declared_at: int
) -> None:
    found = Names(SCRIPT.splitlines()).resolve(name, line, is_proc=False)
    assert found is not None
    assert (found.kind, found.token.line) == (kind, declared_at)


@pytest.mark.parametrize(("line", "name"), [(8, "k"), (11, "dx"), (11, "count"), (2, "turn")])
def test_name_that_does_not_reach_a_line_means_nothing(line: int, name: str) -> None:
    assert Names(SCRIPT.splitlines()).resolve(name, line, is_proc=False) is None


def test_statement_half_typed_hides_nothing_below_it() -> None:
    names = Names(["move(", "var a = 1", "proc p(x,", "    y", "  if a == (", "  var b = 2", "proc q("])
    assert [each.name for each in names.declarations] == ["a", "p", "x", "y", "b", "q"]


def test_reference_says_something_of_every_name(meanings: dict[str, Meaning]) -> None:
    assert set(meanings) == {*BUILTINS, *CONSTANTS, *ACTIONS}
    assert all(meaning.text for meaning in meanings.values())
    for name in BUILTINS.keys() - CALLED_WHEN_READ.keys():
        arguments = meanings[name].signature.removeprefix(f"{name}(").removesuffix(")")
        assert len(arguments.split(", ") if arguments else []) == BUILTINS[name].arity


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        (1, 5, "*global variable*, line 1"),
        (2, 7, "proc turn(dx, dy)"),
        (3, 15, "*builtin*"),
        (3, 19, "*parameter of turn*, line 2"),
        (7, 22, "*local variable of turn*, line 5"),
        (11, 14, "*proc*, line 2"),
        (12, 4, "*action, ends the tick*"),
    ],
)
def test_hover_says_what_a_word_is(line: int, column: int, said: str, meanings: dict[str, Meaning]) -> None:
    found = find_hover(Document(SCRIPT), Place(line, column), meanings)
    assert found is not None
    assert said in found.text


def test_hover_says_nothing_of_what_is_no_name(meanings: dict[str, Meaning]) -> None:
    document = Document("var a = 1  # abs(a)\nb = c\n")
    places = [(1, 1), (1, 9), (1, 14), (2, 1), (2, 5), (3, 1), (99, 1)]
    assert [find_hover(document, Place(*place), meanings) for place in places] == [None] * len(places)


def test_definition_of_a_call_is_its_proc() -> None:
    found = find_declaration(Document(SCRIPT), Place(11, 12))
    assert found is not None
    assert (found.name, found.first_line, found.last_line) == ("turn", 2, 9)
    assert find_declaration(Document(SCRIPT), Place(3, 15)) is None


def test_completion_offers_what_can_stand_there(meanings: dict[str, Meaning]) -> None:
    inside = {item.label: item for item in list_completions(Document(SCRIPT), Place(6, 1), meanings)}
    assert {"dx", "dy", "count", "k", "steps", "turn", "check", "EMPTY", "while", "place"} <= set(inside)
    assert inside["turn"].detail == "proc turn(dx, dy)  (proc)"
    assert inside["dx"].kind is ItemKind.VARIABLE
    assert inside["check"].text.startswith("the cell that far from you")
    outside = {item.label for item in list_completions(Document(SCRIPT), Place(11, 16), meanings)}
    assert {"steps", "turn", "check"} <= outside
    assert outside.isdisjoint({"dx", "count", "k", "place"})


@pytest.mark.parametrize("line", ["# com", "var ", "var ne", "proc ", "for i", "wait()  # x"])
def test_completion_offers_nothing_in_comments_and_for_new_names(
    line: str, meanings: dict[str, Meaning]
) -> None:
    assert list_completions(Document(line), Place(1, len(line) + 1), meanings) == []


def test_verb_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in LIBRARIES]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "gwl.lsp.server", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Missing(), *sys.meta_path])
    ended = CliRunner().invoke(command, [])
    assert ended.exit_code == 2
    assert "pip install 'gridwars[lsp]', in a checkout: pip install '.[lsp]'" in ended.output


class _Missing(MetaPathFinder):
    """Finds none of the extra's libraries, as where it was not installed."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name.partition(".")[0] in LIBRARIES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@given(TEXTS, st.integers(1, 5), st.integers(1, 9))
def test_nothing_fails_whatever_the_text(text: str, line: int, column: int) -> None:
    document, place = Document(text), Document(text).to_place(Position(line, column))
    for found in list_findings(document):
        start = document.to_position(Place(found.diagnostic.line, found.diagnostic.column))
        assert start <= document.to_position(found.end) <= document.end
    find_hover(document, place, {})
    list_completions(document, place, {})
    find_declaration(document, place)
