"""`gridwars prompt` from the outside."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gridwars
from gridwars.benchmarks.contract import Event, Rejection, Request
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.clock import SystemClock
from gridwars.log.events import Asked, Message, SeatRecord, Start, Text
from gridwars.log.writer import LogWriter
from gridwars.prompting import list_strategies, make_prompter

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]

CONFIG = GridWarsConfig()
ALIASES = GridWars().start(CONFIG).aliases
BELL = "ring\x07\u202e"


@pytest.fixture(scope="module")
def sent() -> dict[tuple[int, int, int], tuple[Message, ...]]:
    """Prompts of two seats: asked once, and asked and repaired in both of two rounds."""
    batch = GridWars().start(CONFIG).open()
    assert batch is not None
    prompter = make_prompter(GridWars(), "lab")

    def render(seat: int, part: int, attempt: int) -> tuple[Message, ...]:
        rejection = Rejection("7:12: wrong", reply=f'{{"script": "{BELL}"}}') if attempt == 2 else None
        return prompter.render(Request(part, seat, attempt, batch.requests[seat].observation, rejection))

    keys = [(1, 0, 1), (1, 1, 1), (1, 1, 2), (2, 1, 1)]
    return {(part, seat, attempt): render(seat, part, attempt) for part, seat, attempt in keys}


@pytest.fixture
def log(sent: dict[tuple[int, int, int], tuple[Message, ...]], tmp_path: Path) -> Path:
    """An unfinished log that asked the two seats, one of them twice because it was resumed."""
    path = tmp_path / "duel.jsonl"
    start = Start(
        protocol=gridwars.LOG_PROTOCOL,
        benchmark="grid-wars",
        rules_version=GridWars.rules_version,
        dialogue_version=GridWars.dialogue_version,
        software_version=gridwars.__version__,
        config=msgspec.to_builtins(CONFIG),
        seats=tuple(SeatRecord(f"model-{alias}", "builtin", alias) for alias in ALIASES),
    )
    events: list[Event] = [start]
    system = sent[1, 0, 1][0].text
    digest = hashlib.sha256(system.encode()).hexdigest()
    events.append(Text(digest=digest, text=system))
    events.append(Asked(1, 0, 1, (Message("user", "an older version"),)))
    events.append(Asked(1, 3, 1))
    for key, prompt in sent.items():
        events.append(Asked(*key, prompt=(Message("system", digest=digest), *prompt[1:])))
    with LogWriter.create(path, clock=SystemClock()) as writer:
        writer.append(events)
    return path


@pytest.mark.parametrize("seat", ["b", "B", ALIASES[1], ALIASES[1].lower()])
def test_log_gives_exactly_what_was_sent(
    seat: str, log: Path, sent: dict[tuple[int, int, int], tuple[Message, ...]], run_json: RunJson
) -> None:
    for (part, index, attempt), prompt in sent.items():
        if index != 1:
            continue
        code, document = run_json(
            ["prompt", seat, "--log", log, "--round", str(part), "--attempt", str(attempt), "--json"]
        )
        assert code is ExitCode.OK
        assert [(m["role"], m["text"]) for m in document["messages"]] == [(m.role, m.text) for m in prompt]
        assert (document["seat"], document["alias"]) == ("b", ALIASES[1])
        assert (document["part"], document["attempt"]) == (part, attempt)


def test_only_round_need_not_be_named_and_the_last_question_counts(
    log: Path, sent: dict[tuple[int, int, int], tuple[Message, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prompt", "a", "--log", str(log)]) is ExitCode.OK
    text = capsys.readouterr().out
    assert sent[1, 0, 1][0].text in text
    assert sent[1, 0, 1][1].text in text
    assert "an older version" not in text


def test_text_of_a_model_cannot_command_the_terminal(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prompt", "b", "--log", str(log), "--round", "1", "--attempt", "2"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert "ring\\x07\\u202e" in text
    assert "\x07" not in text


def test_damaged_log_is_read_as_far_as_it_can_be_trusted(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_bytes(log.read_bytes().replace(b'"part":2', b'"part":3'))
    assert run(["prompt", "a", "--log", str(log)]) is ExitCode.CHAIN_BROKEN
    captured = capsys.readouterr()
    assert "--- system: " in captured.out
    assert "was changed" in captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["b"], ["rounds 1, 2", "--round"]),
        (["b", "--round", "3"], ["--round 3", "rounds 1, 2"]),
        (["b", "--round", "2", "--attempt", "2"], ["--attempt 2", "asked once in round 2"]),
        (["c"], ["seat c", "was sent no prompt"]),
        (["d"], ["seat d", "was sent no prompt"]),
        (["z"], ['no seat "z"', f"b ({ALIASES[1]})"]),
        ([], ["which SEAT"]),
        (["b", "--preview", "lab"], ["one of --log"]),
        (["b", "--attempt", "3"], ["--attempt"]),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(
    arguments: list[str], said: list[str], log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prompt", *arguments, "--log", str(log)]) is ExitCode.USAGE
    message = " ".join(capsys.readouterr().err.split())
    assert all(part in message for part in said), message


def test_preview_shows_the_prompt_of_a_played_round_with_sizes(run_json: RunJson) -> None:
    code, document = run_json(["prompt", "--preview", "patch", "--json"])
    assert code is ExitCode.OK
    system, question = document["messages"]
    assert (system["role"], question["role"]) == ("system", "user")
    assert "# Strategy\n\nTreat your current script" in question["text"]
    assert "## How round 1 went for you" in question["text"]
    assert system["characters"] == len(system["text"])
    assert system["estimated_tokens"] > 4096
    shared = document["shared_prefix"]
    assert system["bytes"] < shared["bytes"] < system["bytes"] + question["bytes"]
    assert document["strategy"]["name"] == "patch"


def test_preview_shows_the_repair(run_json: RunJson) -> None:
    _, document = run_json(["prompt", "--preview", "null", "--round", "1", "--attempt", "2", "--json"])
    assert [message["role"] for message in document["messages"]] == ["system", "user", "assistant", "user"]
    assert "the reply holds no JSON object" in document["messages"][3]["text"]


def test_preview_in_text_ends_with_the_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prompt", "--preview", "null", "--round", "1"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert "--- system: " in text
    assert "All seats begin alike, in every round, for " in text.splitlines()[-1]


def test_preview_of_a_broken_strategy_names_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.md"
    file.write_text('+++\nname = "mine"\nversion = 1\nnotes = ""\n+++\n{{ sen }}', encoding="utf-8")
    assert run(["prompt", "--preview", str(file)]) is ExitCode.USAGE
    assert f'{file}:6: nothing is called "sen" here; did you mean "seen"?' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--preview", "null", "--round", "9"], "ends with round 5"),
        (["--preview", "nul"], 'did you mean "null"?'),
        (["a", "--preview", "null"], "a SEAT goes with --log"),
        (["--list", "--preview", "null"], "one of --log"),
        ([], "one of --log"),
    ],
)
def test_wrong_use_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prompt", *arguments]) is ExitCode.USAGE
    assert said in " ".join(capsys.readouterr().err.split())


def test_list_has_every_strategy(run_json: RunJson, capsys: pytest.CaptureFixture[str]) -> None:
    names = [strategy.name for strategy in list_strategies()]
    code, document = run_json(["prompt", "--list", "--json"])
    assert code is ExitCode.OK
    assert [each["name"] for each in document] == names != []
    assert run(["prompt", "--list"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert all(name in text for name in names)
