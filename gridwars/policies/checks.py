"""What can be found out about a seat before a run: its key, its model, its parameters, a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class Verdict(StrEnum):
    OK = "ok"
    FAILED = "failed"
    """The run would not work, or its first call would fail."""
    UNKNOWN = "unknown"
    """It was not to be tried, or the answer said nothing."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        subject: `key`, `model`, `parameters`, `call`, `price` or `cache`.
        detail: what was found and, where it failed, what would be right; never a secret.
    """

    subject: str
    verdict: Verdict
    detail: str


@runtime_checkable
class Checked(Protocol):
    """A policy that can be tried before the run. What the world says is a verdict, never an exception."""

    async def check(self, *, look_up: bool, call: bool) -> Sequence[Check]:
        """Finds out what can be found out.

        Args:
            look_up: may ask the provider which models it has, which costs nothing.
            call: may make one call of a few tokens, which is paid for.
        """
        ...


@runtime_checkable
class Warned(Protocol):
    """A policy that may have something to tell before a run that keeps nothing from being played."""

    def find_warning(self) -> str:
        """What it is; "" where there is nothing."""
        ...


def list_warnings(policies: Iterable[object]) -> tuple[str, ...]:
    """What seats have to tell, each thing once."""
    warnings = [policy.find_warning() for policy in policies if isinstance(policy, Warned)]
    return tuple(warning for warning in dict.fromkeys(warnings) if warning)
