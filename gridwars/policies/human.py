"""Seats played by a person: with single keys where the benchmark has a keyboard, else in an editor.

`$VISUAL`, or else `$EDITOR`, is started with a file of what the seat sees and its last script. What does not
compile is opened again with the error in its place; an empty file, or an editor that ends with an error,
gives the round up. What is likely a mistake is shown in the same way, once: saved again, it is played.
Several such seats take turns, since there is one terminal; other seats go on meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path

from gridwars.benchmarks.contract import Benchmark, Keyboard, Outcome, Rejection, Reply, Request, Worksheet
from gridwars.log.events import Message, SeatRecord
from gridwars.policies import keyboard
from gridwars.policies.key_prompt import KeyPrompt
from gridwars.policies.making import Making, require_no_parameters
from gridwars.policies.policy import Answer, Asking, Phase, PlayStopped, PolicyError, Progress

KIND = "human"
VARIABLES = ("VISUAL", "EDITOR")

_terminals: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = weakref.WeakKeyDictionary()


class HumanPolicy:
    """A person at this terminal."""

    scripted = False

    def __init__(self, record: SeatRecord, benchmark: Benchmark) -> None:
        self.record = record
        self._benchmark = benchmark
        self._keyboard = _find_keyboard(benchmark)
        self._drafts: dict[int, str] = {}
        self._told = ""
        """What the person was last told to look at, and may leave as it is."""

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        asking.watch(Progress(request.seat, request.attempt, Phase.WAITING, "for the terminal"))
        terminal = _terminals.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        async with terminal:
            if reason := asking.find_stop_reason():
                raise PlayStopped(reason)
            asking.watch(Progress(request.seat, request.attempt, Phase.EDITING))
            try:
                return await self._ask(request, asking)
            except PlayStopped:
                asking.watch(Progress(request.seat, request.attempt, Phase.WAITING, "for the others to stop"))
                raise

    async def _ask(self, request: Request, asking: Asking) -> Answer:
        problem = "" if request.rejection is None else _describe(request.rejection)
        if self._keyboard is not None:
            prompt = KeyPrompt(self._keyboard, request, asking, self.record.policy, problem)
            while (reply := await prompt.ask()) is None:
                try:
                    _find_editor()
                    break
                except PolicyError as error:
                    prompt.problem = str(error)
            if reply is not None:
                return Answer(Reply(reply))
        with tempfile.TemporaryDirectory(prefix="gridwars-") as folder:
            return await self._edit_until_read(request, problem, Path(folder))

    async def _edit_until_read(self, request: Request, problem: str, folder: Path) -> Answer:
        while True:
            sheet = self._benchmark.render_worksheet(
                request.observation, problem, self._drafts.get(request.part, "")
            )
            file = folder / f"{self.record.alias}-{request.part}{sheet.suffix}"
            text = await _edit(file, sheet)
            if text is None or not text.strip():
                failure = "the player gave this one up"
                return Answer(Reply(None, failure=failure, outcome=Outcome.REFUSED))
            self._drafts[request.part] = text
            reply = self._benchmark.read_worksheet(text)
            if isinstance(reply, Rejection):
                problem = _describe(reply)
                continue
            found = self._benchmark.review_script(reply)
            if found in ("", self._told):
                return Answer(Reply(reply))
            self._told = found
            problem = f"{found}\nThis can be played: save it again as it is, or change it."


def make_human(text: str, making: Making) -> HumanPolicy:
    """The policy for `human:`, or `human:NAME` for results that name the player.

    Raises:
        PolicyError: where neither a terminal for keys nor an editor is to be found.
    """
    require_no_parameters(f"{KIND}:{text}", making)
    return restore_human(SeatRecord(text or KIND, KIND, making.alias), making.benchmark)


def restore_human(record: SeatRecord, benchmark: Benchmark) -> HumanPolicy:
    """
    Raises:
        PolicyError: as `make_human`.
    """
    if _find_keyboard(benchmark) is None:
        _find_editor()
    elif lack := keyboard.find_lack():
        raise PolicyError(
            f'seat "{record.policy}": a person plays {benchmark.title} with keys, but there is {lack}; '
            f"start it in a terminal and redirect neither, or seat somebody else, such as command:PROGRAM"
        )
    return HumanPolicy(record, benchmark)


def _find_keyboard(benchmark: Benchmark) -> Keyboard | None:
    return benchmark.keyboard if keyboard.IS_SUPPORTED else None


def _describe(rejection: Rejection) -> str:
    return "\n".join(part for part in (rejection.reason, rejection.further) if part)


def _find_editor() -> list[str]:
    """The command line of the person's editor.

    Raises:
        PolicyError: where there is none.
    """
    chosen = next((value for name in VARIABLES if (value := os.environ.get(name, "").strip())), "")
    arguments = shlex.split(chosen or ("notepad" if sys.platform == "win32" else "vi"))
    if shutil.which(arguments[0]) is None:
        raise PolicyError(f'seat "{KIND}": no editor "{arguments[0]}"; set $VISUAL or $EDITOR to one')
    return arguments


async def _edit(file: Path, sheet: Worksheet) -> str | None:
    """What the person left in the file; None where the editor says that it was given up."""
    file.write_text(sheet.text, encoding="utf-8")
    with _kept_terminal():
        editor = await asyncio.create_subprocess_exec(*_find_editor(), str(file))
        try:
            code = await editor.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                editor.kill()
            await editor.wait()
            raise
    if code != 0 or not file.exists():
        return None
    return file.read_text(encoding="utf-8", errors="replace")


@contextlib.contextmanager
def _kept_terminal() -> Iterator[None]:
    """Puts the terminal's settings back, which an editor that was killed leaves as it had them."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        yield
        return
    import termios

    settings = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, settings)
