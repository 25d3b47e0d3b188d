"""A person plays with single keys at a pseudo-terminal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from types import SimpleNamespace

import pytest

from gridwars.benchmarks.contract import Key, Rejection, Request
from gridwars.benchmarks.presentation import Span
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.rules import configure
from gridwars.log.events import SeatRecord
from gridwars.policies import keyboard
from gridwars.policies.human import HumanPolicy, make_human
from gridwars.policies.keyboard import split_keys
from gridwars.policies.making import Making
from gridwars.policies.policy import Answer, Phase, PlayStopped, PolicyError
from gridwars.policies.registry import make_policies, restore_policies
from tests.gridwars.policies.lent import Lent

if sys.platform == "win32":
    pytest.skip("needs a terminal as POSIX has it", allow_module_level=True)

from tests.gridwars.terminal import Person

SNAKES = SnakeRoyale()
PROMPT = "? help"
Steps = Sequence[tuple[str, str]]
"""What is waited for on the screen, and what is typed then."""


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Has what the policy takes for stdin and stderr before them."""
    person = Person()
    stdin = os.fdopen(os.dup(person.follower), "r")
    stderr = os.fdopen(os.dup(person.follower), "w", encoding="utf-8")
    # Pytest puts its own streams into `sys` again when the test begins.
    monkeypatch.setattr(keyboard, "sys", SimpleNamespace(stdin=stdin, stderr=stderr))
    yield person
    stdin.close()
    with contextlib.suppress(OSError):  # of a terminal that is gone
        stderr.close()
    person.close()


def ask(seat: int = 0, rejection: Rejection | None = None) -> Request:
    """The first turn, in which every snake may go anywhere."""
    batch = SNAKES.start(configure({})).open()
    assert batch is not None
    return Request(1, seat, 1, batch.requests[seat].observation, rejection)


def make(name: str = "") -> HumanPolicy:
    return make_human(name, Making("COG-alpha", SNAKES))


async def converse(
    person: Person, steps: Steps, lent: Lent | None = None, rejection: Rejection | None = None
) -> Answer:
    task = asyncio.create_task(make().answer(ask(rejection=rejection), (), lent or Lent()))
    for text, keys in steps:
        await asyncio.to_thread(person.wait_for, text)
        person.type(keys)
    return await task


def reply(person: Person, *steps: tuple[str, str]) -> dict[str, str]:
    """What the conversation says in the end; the terminal is as it was."""
    before = person.settings
    answer = asyncio.run(converse(person, steps))
    assert person.settings == before
    assert answer.reply.text is not None
    said: dict[str, str] = json.loads(answer.reply.text)
    return said


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("w", ["w"]),
        ("\x1b[A\x1bOB", [Key.UP, Key.DOWN]),
        ("\x1b[1;5C\x1b[D", [Key.RIGHT, Key.LEFT]),
        ("\x1bw", [Key.ESCAPE, "w"]),
        ("\x1b\x1b[A", [Key.ESCAPE, Key.UP]),
        ("\r \x7f", [Key.ENTER, Key.SPACE, Key.BACKSPACE]),
        ("\x1b[15~w", ["\x1b[15~", "w"]),
        ("é", ["é"]),
    ],
)
def test_what_a_terminal_sends_is_split_into_keys(sent: str, keys: list[str]) -> None:
    assert split_keys(sent, is_whole=False) == (keys, "")
    assert split_keys(sent, is_whole=True) == (keys, "")


@pytest.mark.parametrize("begun", ["\x1b", "\x1b[", "\x1bO", "\x1b[1;5"])
def test_the_beginning_of_a_sequence_is_waited_for_and_then_typed_keys(begun: str) -> None:
    assert split_keys("w" + begun, is_whole=False) == (["w"], begun)
    assert split_keys(begun, is_whole=True) == ([Key.ESCAPE, *begun[1:]], "")


@pytest.mark.parametrize(
    ("keys", "direction"),
    [("w", "up"), ("L", "right"), ("\x1b[B", "down"), ("\x1bOD", "left"), ("\r", "left"), (" ", "left")],
)
def test_one_key_is_the_reply(keys: str, direction: str, person: Person) -> None:
    assert reply(person, (PROMPT, keys)) == {"dir": direction}


def test_the_screen_shows_what_the_keys_would_do_and_is_wiped_afterwards(person: Person) -> None:
    assert reply(person, (PROMPT, "w")) == {"dir": "up"}
    assert "turn 1 of 50: you are A COG-alpha" in person.screen
    assert "↑ w k" in person.screen
    assert "up    to (12, 1)" in person.screen
    os.write(person.follower, b"behind")
    person.wait_for("behind")
    wiped = re.search(rb"\r\x1b\[([0-9]+)A\x1b\[J[^\n]*behind$", person.received)
    assert wiped is not None
    assert int(wiped[1]) == person.received.count(b"\n")


@pytest.mark.parametrize("keys", ["\x1bw", "\x1b\x1b[A"])
def test_a_bare_escape_swallows_no_key(keys: str, person: Person) -> None:
    assert reply(person, (PROMPT, keys)) == {"dir": "up"}


def test_a_bare_escape_is_known_without_a_further_key(person: Person) -> None:
    assert reply(person, (PROMPT, "x"), ("x does nothing here", "\x1b"), (PROMPT, "w")) == {"dir": "up"}


def test_a_sequence_that_comes_in_pieces_is_one_key(person: Person) -> None:
    async def play() -> Answer:
        with keyboard.lend_terminal() as terminal:
            for piece in ("\x1b", "[", "A"):
                person.type(piece)
                await asyncio.sleep(0)
            assert await terminal.read_key(60) == Key.UP
        return await converse(person, [(PROMPT, "w")])

    asyncio.run(play())


def test_a_wrong_key_shows_the_help_and_is_asked_for_again(person: Person) -> None:
    said = reply(person, (PROMPT, "x"), ("x does nothing here", "\x1b[15~"), ("that key does nothing", "d"))
    assert said == {"dir": "right"}
    assert "A capital is a head" in person.screen


def test_a_line_is_said_with_the_direction(person: Person) -> None:
    steps = [(PROMPT, "t"), ("say: _", "he1"), ("say: he1_", "\x7fq"), ("say: heq_", "\r"), ('"heq"', "w")]
    assert reply(person, *steps) == {"dir": "up", "say": "heq"}


def test_a_line_is_cut_to_its_length_and_an_escape_drops_it(person: Person) -> None:
    full = "x" * 24
    assert reply(person, (PROMPT, "t"), ("say: _", full + "y\r"), (f'"{full}"', "w"))["say"] == full
    assert reply(person, (PROMPT, "t"), ("say: _", "no"), ("say: no_", "\x1b"), (PROMPT, "w")) == {
        "dir": "up"
    }


def test_what_was_typed_before_the_turn_is_dropped(person: Person) -> None:
    person.type("d")
    person.wait_for("d")  # the terminal has it: this is its echo
    assert reply(person, (PROMPT, "w")) == {"dir": "up"}


def test_the_problem_of_a_reply_that_was_not_taken_is_shown(person: Person) -> None:
    asyncio.run(converse(person, [(PROMPT, "w")], rejection=Rejection("no such way", "and more")))
    assert "no such way" in person.screen
    assert "and more" in person.screen


def test_the_time_that_is_left_is_counted_down(person: Person) -> None:
    lent = Lent()
    lent.deadline = lent.clock.monotonic() + 62.5
    asyncio.run(converse(person, [("1:03 left", ""), ("1:02 left", "w")], lent))


@pytest.mark.parametrize("keys", ["q", "\x03"])
def test_a_person_stops_play(keys: str, person: Person) -> None:
    before, lent = person.settings, Lent()
    with pytest.raises(PlayStopped, match="interrupted"):
        asyncio.run(converse(person, [(PROMPT, keys)], lent))
    assert person.settings == before
    assert [progress.phase for progress in lent.progress] == [Phase.WAITING, Phase.EDITING, Phase.WAITING]


def test_a_wish_to_stop_from_elsewhere_gives_the_terminal_back(person: Person) -> None:
    class Stopped(Lent):
        reason = ""

        def find_stop_reason(self) -> str:
            return self.reason

    async def play() -> None:
        lent = Stopped()
        task = asyncio.create_task(converse(person, [], lent))
        await asyncio.to_thread(person.wait_for, PROMPT)
        lent.reason = "the budget is spent"
        with pytest.raises(PlayStopped, match="the budget is spent"):
            await task
        with pytest.raises(PlayStopped, match="the budget is spent"):
            await converse(person, [], lent)

    before = person.settings
    asyncio.run(play())
    assert person.settings == before


def test_the_deadline_gives_the_terminal_back(person: Person) -> None:
    async def expire() -> None:
        task = asyncio.create_task(converse(person, []))
        await asyncio.to_thread(person.wait_for, PROMPT)
        assert person.settings != before
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    before = person.settings
    asyncio.run(expire())
    assert person.settings == before


def test_a_closed_terminal_stops_play(person: Person) -> None:
    async def hang_up() -> None:
        task = asyncio.create_task(converse(person, []))
        await asyncio.to_thread(person.wait_for, PROMPT)
        person.leave()
        with pytest.raises(PlayStopped, match="the terminal was closed"):
            await task

    asyncio.run(hang_up())


def test_two_people_are_asked_one_after_the_other_while_others_go_on(person: Person) -> None:
    async def play() -> list[Answer]:
        tasks = [
            asyncio.create_task(make(name).answer(ask(seat), (), Lent()))
            for seat, name in enumerate(["Ann", "Bob"])
        ]
        before = await asyncio.to_thread(person.wait_for, f"Ann   {PROMPT}")
        assert "COG-beta" in before
        assert "you are B" not in before
        person.type("w")
        after = await asyncio.to_thread(person.wait_for, f"Bob   {PROMPT}")
        assert "you are B" in after
        person.type("d")
        return await asyncio.gather(*tasks)

    answers = asyncio.run(play())
    assert [answer.reply.text for answer in answers] == ['{"dir": "up"}', '{"dir": "right"}']


def test_the_editor_is_a_key_away(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = "import sys; p = sys.argv[1]; t = open(p).read(); open(p, 'w').write('dir: down\\nnotes: n\\n')"
    monkeypatch.setenv("VISUAL", f'{sys.executable} -c "{edit}"')
    assert reply(person, (PROMPT, "e")) == {"dir": "down", "notes": "n"}


def test_without_an_editor_the_keys_stay(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor-here")
    assert reply(person, (PROMPT, "e"), ("no-such-editor-here", "w")) == {"dir": "up"}


def test_a_seat_is_named_and_restored(person: Person) -> None:
    made = make_policies(["human:Grace"], ["COG-alpha"], SNAKES)
    assert [policy.record for policy in made] == [SeatRecord("Grace", "human", "COG-alpha")]
    assert restore_policies([made[0].record], SNAKES)[0].record == made[0].record


@pytest.mark.parametrize("instead", [StringIO(), None], ids=["redirected", "closed"])
@pytest.mark.parametrize("stream", ["stdin", "stderr"])
def test_who_has_no_terminal_is_told_so_at_the_start(
    stream: str, instead: StringIO | None, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"gridwars.policies.keyboard.sys.{stream}", instead)
    with pytest.raises(PolicyError, match=f"there is no terminal on {stream}; start it in a terminal"):
        make()
    with pytest.raises(PolicyError, match=f"no terminal on {stream}"):
        restore_policies([SeatRecord("human", "human", "COG-alpha")], SNAKES)


def test_text_of_others_cannot_command_the_terminal(person: Person) -> None:
    async def show() -> None:
        with keyboard.lend_terminal() as terminal:
            terminal.show([[Span("a\x1b[2Jb\x07c\u202e", "bold red on bright_black")]])

    asyncio.run(show())
    assert "a\ufffd[2Jb\ufffdc\ufffd" in person.wait_for("c\ufffd")
    assert b"\x1b[1;31;100ma" in person.received
