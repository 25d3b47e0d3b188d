"""A person is asked for one key: sees the moment, what each key would do, and how much time is left."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gridwars.benchmarks.contract import Key, Keyboard, Request
from gridwars.benchmarks.presentation import Span
from gridwars.policies.keyboard import CTRL_C, HANG_UP, Terminal, lend_terminal
from gridwars.policies.policy import INTERRUPTED, Asking, PlayStopped

HELP, EDITOR, STOP, LINE = "?", "e", "q", "t"

_SECONDS_BETWEEN_LOOKS = 0.25
"""At the clock, and at whether play is to stop."""
_SECONDS_OF_HASTE = 10

_Line = tuple[Span, ...]


class KeyPrompt:
    """One question.

    Attributes:
        problem: what was wrong before; "" for nothing.
    """

    def __init__(
        self, keyboard: Keyboard, request: Request, asking: Asking, name: str, problem: str = ""
    ) -> None:
        """
        Args:
            name: the player's.
        """
        self._keyboard = keyboard
        self._observation = request.observation
        self._asking = asking
        self._name = name
        self.problem = problem
        self._shows_help = False
        self._hint = f"{HELP} help"
        self._line = ""
        self._draft: str | None = None

    async def ask(self) -> str | None:
        """The reply that the person's key stands for; None where they would rather have an editor.

        Raises:
            PlayStopped: where the person, or somebody else, stops play, and where the terminal is closed.
        """
        with lend_terminal() as terminal:
            while True:
                self._show(terminal)
                key = await terminal.read_key(_SECONDS_BETWEEN_LOOKS)
                if reason := self._asking.find_stop_reason():
                    raise PlayStopped(reason)
                if key == HANG_UP:
                    raise PlayStopped("the terminal was closed")
                if key == CTRL_C or (key == STOP and self._draft is None):
                    raise PlayStopped(INTERRUPTED)
                if key is None:
                    continue
                if self._draft is not None:
                    self._draft = self._type(self._draft, key)
                elif key == EDITOR:
                    return None
                elif (reply := self._find_reply(key)) is not None:
                    return reply

    def _find_reply(self, key: str) -> str | None:
        """The reply of a key that gives one; else what the key does is done."""
        self.problem, self._hint = "", f"{HELP} help"
        for stroke in self._keyboard.list_strokes(self._observation, self._line):
            if key in stroke.keys or key.lower() in stroke.keys:
                return stroke.reply
        if key == LINE and self._keyboard.line_noun:
            self._draft = self._line
        elif key == HELP:
            self._shows_help = not self._shows_help
        elif key == Key.ESCAPE:
            self._shows_help = False
        else:
            self._hint = f"{key if key.isprintable() else 'that key'} does nothing here"
            self._shows_help = True
        return None

    def _type(self, draft: str, key: str) -> str | None:
        """The draft of a line after one more key; None once it is kept or dropped."""
        match key:
            case Key.ENTER:
                self._line = draft.strip()
                return None
            case Key.ESCAPE:
                return None
            case Key.BACKSPACE:
                return draft[:-1]
        character = " " if key == Key.SPACE else key
        is_character = len(character) == 1 and character.isprintable() and character not in set(Key)
        return (draft + character)[: self._keyboard.line_length] if is_character else draft

    def _show(self, terminal: Terminal) -> None:
        below = [*self._list_choices(), *self._list_notes()]
        above = self._keyboard.draw(self._observation, False)
        if len(above) + len(below) >= terminal.find_height():
            above = self._keyboard.draw(self._observation, True)
        terminal.show([*above, *below])

    def _list_choices(self) -> Iterator[_Line]:
        strokes = self._keyboard.list_strokes(self._observation, self._line)
        names = [" ".join(stroke.keys) for stroke in strokes]
        width = max(map(len, names))
        for name, stroke in zip(names, strokes, strict=True):
            yield (Span(f"{name:<{width}}", "bold"), Span(f"  {stroke.description}"))

    def _list_notes(self) -> Iterator[_Line]:
        noun = self._keyboard.line_noun
        if self._shows_help:
            yield from ((Span(line, "dim"),) for line in self._keyboard.help)
            line = f"{LINE} {noun} something, " if noun else ""
            yield (Span(f"{line}{EDITOR} editor, {STOP} stop (resumable), {Key.ESCAPE} hide this", "dim"),)
        yield from ((Span(line, "bold yellow"),) for line in self.problem.split("\n") if line)
        if self._draft is not None:
            yield (
                Span(f"{noun}: {self._draft}_", "bold"),
                Span(f"   {Key.ENTER} keeps it, {Key.ESCAPE} does not"),
            )
        elif self._line:
            yield (Span(f'you {noun} "{self._line}"', "bold"),)
        yield self._render_status()

    def _render_status(self) -> _Line:
        left = self._asking.deadline - self._asking.clock.monotonic()
        if math.isinf(left):
            return (Span(f"{self._name}   {self._hint}"),)
        minutes, seconds = divmod(max(0, math.ceil(left)), 60)
        style = "bold red" if left < _SECONDS_OF_HASTE else "bold"
        return (Span(f"{minutes}:{seconds:02} left", style), Span(f"   {self._name}   {self._hint}"))
