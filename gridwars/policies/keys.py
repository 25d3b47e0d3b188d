"""Takes keys from the environment, and takes them out of everything that a server says.

Servers quote the key they refuse, whole, shortened or masked; a proxy may reflect every header it was
sent. Nothing of that may reach a log, an error or a terminal. What a model answered is another matter: it is
a program, so it is taken as it is or not at all, and a placeholder such as `EMPTY`, which stands in honest
programs too, is nobody's secret.
"""

from __future__ import annotations

import os
import re
from typing import TypeVar

from gridwars.policies.policy import PolicyError

HIDDEN = "[key]"
_PART_LENGTH = 8
"""Code points of a key that give it away when they stand together."""
_SECRET_LENGTH = 16
"""Code points of the shortest key that is looked for in replies; providers' keys have 32 and more."""
_END_LENGTH = 4
"""Code points of a key's end that servers show so that its owner may know it."""
_DETAIL_LENGTH = 300

_KEY_SHAPED = re.compile(
    r"""(?ix)
    \b(?:sk|pk|rk|xai|gsk|hf|pplx|nvapi|r8|api[-_]?key)[-_][\w*.-]{6,}   # the usual prefixes, also masked
    | \bAIza[\w-]{10,}
    | \bbearer\s+[\w.~+/=*-]{6,}
    | \b(?:authorization|x-api-key|api[-_]key)["']?\s*[:=]\s*["']?[\w.~+/=*-]{6,}
    """
)

Value = TypeVar("Value")


class Key:
    """A provider's key: its value is asked for where it is sent, and shown by nothing.

    Attributes:
        variable: the environment variable that it came from; "" for a server that asks for none.
    """

    def __init__(self, variable: str, value: str) -> None:
        self.variable = variable
        self._value = value

    def __repr__(self) -> str:
        return f"Key({self.variable!r})"

    def reveal(self) -> str:
        return self._value

    @property
    def is_secret(self) -> bool:
        """Whether it is long enough to be told from what a program, a model or a server says anyway."""
        return len(self._value) >= _SECRET_LENGTH

    @property
    def warning(self) -> str:
        """What its owner should know of it; "" where there is nothing."""
        if not self._value or self.is_secret:
            return ""
        return (
            f"the key in {self.variable} has fewer than {_SECRET_LENGTH} characters, so it is taken for a "
            "placeholder: replies that hold it are logged as they are"
        )

    def is_in(self, text: str) -> bool:
        """Whether a reply gives the key away."""
        return self.is_secret and self._value in text

    def hide_in_words(self, text: str) -> str:
        """A server's words about an error, in one line of bounded length: any part of the key and anything
        that looks like another one is hidden."""
        text = self._hide_ends(self._hide_parts(text[: 20 * _DETAIL_LENGTH]))
        text = _KEY_SHAPED.sub(HIDDEN, text)
        text = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
        return text if len(text) <= _DETAIL_LENGTH else text[: _DETAIL_LENGTH - 1] + "…"

    def hide_in(self, value: Value) -> Value:
        """Anything else a server sent but a reply (an id, a record): only the whole key is hidden."""
        if not self.is_secret:
            return value
        hidden: object = value
        match value:
            case str():
                hidden = value.replace(self._value, HIDDEN)
            case dict():
                hidden = {self.hide_in(key): self.hide_in(inner) for key, inner in value.items()}
            case list():
                hidden = [self.hide_in(inner) for inner in value]
            case _:
                pass
        return hidden  # type: ignore[return-value]  # of the same shape as it was

    def _hide_parts(self, text: str) -> str:
        if len(self._value) < _END_LENGTH:
            return text
        # Of a short key half is as telling, and it may have been broken in the middle.
        length = max(_END_LENGTH, min(_PART_LENGTH, len(self._value) // 2))
        parts = {self._value[start : start + length] for start in range(len(self._value) - length + 1)}
        pieces: list[str] = []
        clean_from = index = 0
        while index <= len(text) - length:
            if text[index : index + length] not in parts:
                index += 1
                continue
            pieces += text[clean_from:index], HIDDEN
            while index <= len(text) - length and text[index : index + length] in parts:
                index += 1
            index = clean_from = index + length - 1
        return "".join(pieces) + text[clean_from:]

    def _hide_ends(self, text: str) -> str:
        """Hides what is left of a shortened key: its end as a word, its beginning before a mask."""
        if not self.is_secret:
            return text
        ends = "|".join(re.escape(self._value[-n:]) for n in range(_PART_LENGTH, _END_LENGTH - 1, -1))
        starts = "|".join(re.escape(self._value[:n]) for n in range(_PART_LENGTH, _END_LENGTH - 1, -1))
        text = re.sub(rf"(?<![A-Za-z0-9])(?:{ends})(?![A-Za-z0-9])", HIDDEN, text)
        return re.sub(rf"(?:{starts})(?=\s*(?:…|\.\.|\*\*))", HIDDEN, text)


def read_key(variable: str) -> Key:
    """The key that an environment variable holds; one without a value where no variable is named.

    Raises:
        PolicyError: names the variable that holds none, or something that cannot be sent.
    """
    if not variable:
        return Key("", "")
    value = os.environ.get(variable, "").strip()
    if not value:
        raise PolicyError(f"no key: the environment variable {variable} is not set")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise PolicyError(f"the key in {variable} holds blanks or characters that no header can carry")
    return Key(variable, value)
