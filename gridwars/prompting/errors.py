"""Whose mistake it was: the author's of a template or a strategy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PromptError(ValueError):
    """A template or strategy that cannot be used; the message names file, line where known, and remedy."""

    @classmethod
    def at(cls, file: str, line: int, problem: str) -> PromptError:
        return cls(f"{file}:{line}: {problem}")


def suggest(text: str, known: Iterable[str]) -> str:
    """What may have been meant, or all there is."""
    names = sorted(known)
    close = difflib.get_close_matches(text, names, n=1)
    return f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(names)}"
