"""The kit itself: it passes a sound game, and names what is wrong with one that is not."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from gridwars.benchmarks.contract import BaselineNote, Keyboard, Rejection, Starts, Worksheet
from gridwars.benchmarks.kit import CHECKS, Trial, VerdictKind, run_check
from tests.gridwars.pebbles import PEBBLES, run_python


def load_pebbles() -> ModuleType:
    """The example, anew, so that it can be spoilt."""
    spec = importlib.util.spec_from_file_location("spoilt_pebbles", PEBBLES / "pebbles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where the types of its fields are looked up
    spec.loader.exec_module(module)
    return module


def replace(owner: str, name: str, value: object) -> Callable[[ModuleType], None]:
    """Spoils one member of one of the example's classes."""
    return lambda module: setattr(getattr(module, owner), name, value)


def change_results(**changes: object) -> Callable[[ModuleType], None]:
    def spoil(module: ModuleType) -> None:
        sound = module.Game.results
        module.Game.results = lambda game: msgspec.structs.replace(sound(game), **changes)

    return spoil


def forget_the_attempt(module: ModuleType) -> None:
    sound = module.Game.read
    module.Game.read = lambda game, request, reply: sound(
        game, msgspec.structs.replace(request, attempt=1), reply
    )


def draw_one_picture_more(module: ModuleType) -> None:
    sound = module.PebblesView.iterate_pictures

    def iterate(view: object, recording: object, part: int, *, compact: bool = False) -> list[object]:
        pictures = list(sound(view, recording, part, compact=compact))
        return [*pictures, pictures[-1]]

    module.PebblesView.iterate_pictures = iterate


SPOILT: list[tuple[str, Callable[[ModuleType], None], str]] = [
    ("seats have baselines and names of their own", replace("Game", "aliases", ("A", "A")), "the same alias"),
    (
        "seats have baselines and names of their own",
        replace("Pebbles", "baseline_notes", {"wise": BaselineNote("")}),
        "do not name the same",
    ),
    (
        "options keep to their ranges and come back from a log",
        replace("Pebbles", "configure", lambda game, options: load_pebbles().Config()),
        "configure takes seed=-1",
    ),
    (
        "the same seed and decisions give the same events",
        lambda module: setattr(module.Config, "heap", property(lambda config: config.least)),
        "another seed gives the same events",
    ),
    (
        "an episode repeats from the decisions it sealed",
        replace("Game", "decision_of", lambda game, event: None),
        "the decisions of batch 1 cannot be read back",
    ),
    (
        "starts hold whatever a seed can bring",
        replace("Pebbles", "list_starts", lambda game, config, players: Starts(config, (0, 0))),
        "a seed is listed twice",
    ),
    (
        "starts hold whatever a seed can bring",
        replace("Pebbles", "list_starts", lambda game, config, players: Starts(config, ())),
        "seed 1000 brings what none of the listed starts does",
    ),
    ("an early end closes the episode", change_results(reason="over"), 'not "deadline"'),
    ("results rank every seat and say why it ended", change_results(ranking=(0, 0)), "not every seat once"),
    (
        "results rank every seat and say why it ended",
        replace("Pebbles", "count_most_batches", lambda game, config: 1),
        "more than count_most_batches says: 1",
    ),
    (
        "an audit finds every changed field",
        replace("Pebbles", "audit", lambda game, config, events: iter(())),
        "a changed turn of event 1, Left, is not found",
    ),
    (
        "an audit finds what is missing, doubled or out of place",
        replace("Pebbles", "audit", lambda game, config, events: iter(())),
        "event 0, Taken, is missing, and that is not found",
    ),
    (
        "bad replies are rejected in words",
        replace("Game", "read", lambda game, request, reply: Rejection("")),
        "empty text is rejected without a reason",
    ),
    (
        "hostile replies are read soon",
        replace("Game", "read", lambda game, request, reply: json.loads(reply.text)),
        "raises ValueError at decoder.py:",
    ),
    (
        "a decision survives being written as a reply",
        replace("Pebbles", "render_reply", lambda game, decision, scripted: "none"),
        "a decision written as a scripted reply is rejected",
    ),
    (
        "a repaired reply says that it is one",
        forget_the_attempt,
        "attempt 2 has the origin llm, not retry",
    ),
    (
        "worksheets say the problem and keep the draft",
        replace("Pebbles", "render_worksheet", lambda game, seen, problem, draft: Worksheet("1", ".txt")),
        "does not say what is wrong",
    ),
    (
        "every key has one meaning",
        replace("Pebbles", "keyboard", Keyboard(lambda seen, line: [], lambda seen, compact: [])),
        "there is no key",
    ),
    (
        "what prompts are made of is plain and repeatable",
        replace("Pebbles", "sample_observations", lambda game: ()),
        "no sample",
    ),
    (
        "tables are drawn of every cut of an episode",
        replace("PebblesView", "tell_result", lambda view, recording: ()),
        "nobody is told who won",
    ),
    (
        "parts and batches are counted as they end",
        replace("PebblesView", "ends_batch", lambda view, event: False),
        "and 0 events end one",
    ),
    (
        "pictures go from before the first moment to the last",
        lambda module: setattr(module, "_draw", lambda turn, heap, told: module.Picture("", 0, (), (told,))),
        "do not go from -1 upwards",
    ),
    (
        "pictures can be drawn as play goes on",
        draw_one_picture_more,
        "has other pictures than afterwards",
    ),
]


def test_the_example_passes_and_what_it_lacks_is_skipped_by_name() -> None:
    trial = Trial(load_pebbles().Pebbles(), {})
    verdicts = {name: run_check(check, trial) for name, check in CHECKS.items()}
    others = {name: verdict for name, verdict in verdicts.items() if verdict.kind is not VerdictKind.PASSED}
    assert others == {
        "hidden texts reach no other seat": (
            VerdictKind.SKIPPED,
            ("no field of a decision is named as hidden",),
        ),
        "every key has one meaning": (VerdictKind.SKIPPED, ("the game has no keyboard",)),
    }


@pytest.mark.parametrize(("check", "spoil", "words"), SPOILT)
def test_what_is_wrong_with_a_game_is_found_by_its_check(
    check: str, spoil: Callable[[ModuleType], None], words: str
) -> None:
    module = load_pebbles()
    spoil(module)
    verdict = run_check(CHECKS[check], Trial(module.Pebbles(), {}))
    assert verdict.kind is VerdictKind.FAILED
    assert words in " | ".join(verdict.details)


def run_kit(*arguments: str, folder: Path = PEBBLES) -> tuple[int, str, str]:
    done = run_python("-m", "gridwars.benchmarks.kit", *arguments, packages=(folder,))
    return done.returncode, done.stdout, done.stderr


def test_the_command_says_of_each_check_what_it_came_to() -> None:
    code, said, _ = run_kit("pebbles:Pebbles", "--option", "least=4")
    assert code == 0
    assert all(name in said for name in CHECKS)
    assert "skipped  every key has one meaning\n         the game has no keyboard\n" in said


def test_the_command_fails_where_a_check_does_and_says_so_to_programs_too(tmp_path: Path) -> None:
    source = (PEBBLES / "pebbles.py").read_text()
    (tmp_path / "spoilt.py").write_text(source.replace('("Flint", "Slate")', '("Flint", "Flint")'))
    code, said, _ = run_kit("spoilt:Pebbles", "--json", folder=tmp_path)
    assert code == 1
    failed = [each for each in json.loads(said)["checks"] if each["verdict"] == "failed"]
    assert failed == [
        {
            "check": "seats have baselines and names of their own",
            "verdict": "failed",
            "details": ["two seats have the same alias: Flint, Flint"],
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pebbles",), "is no MODULE:CLASS"),
        (("no_such_module:Game",), "cannot be loaded: ModuleNotFoundError"),
        (("pebbles:Config",), "is no benchmark, it lacks name"),
        (("pebbles:Pebbles", "--option", "least=0"), "least: 0 is not an integer of 1..60"),
    ],
)
def test_what_cannot_be_checked_is_a_clear_error(arguments: tuple[str, ...], words: str) -> None:
    code, _, said = run_kit(*arguments)
    assert code == 2
    assert words in said
    assert "Traceback" not in said
