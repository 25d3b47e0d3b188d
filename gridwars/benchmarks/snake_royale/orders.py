"""What a seat submits for a turn: direction, alternative, shout and notes (Snake Royale spec section 10)."""

from __future__ import annotations

from enum import StrEnum

from gridwars.benchmarks.contract import Decision, Outcome
from gridwars.benchmarks.snake_royale.rules import NOTES_LENGTH, SAY_LENGTH, Direction

REASON_LENGTH = 200


class FallbackCause(StrEnum):
    """Why a seat played the fallback, in the reference's words."""

    NONE = ""
    """It did not."""
    TIMEOUT = "timeout"
    PARSE_ERROR = "parse_error"
    TRANSPORT_ERROR = "transport_error"
    THROTTLED = "throttled"
    NO_CREDENTIALS = "no_credentials"
    BUDGET_GUARD = "budget_guard"

    @classmethod
    def of(cls, outcome: Outcome) -> FallbackCause:
        """That of a request which ended so."""
        return _CAUSES.get(outcome, cls.PARSE_ERROR)


_CAUSES = {
    Outcome.VOID: FallbackCause.TRANSPORT_ERROR,
    Outcome.THROTTLED: FallbackCause.THROTTLED,
    Outcome.LATE: FallbackCause.TIMEOUT,
    Outcome.BUDGET: FallbackCause.BUDGET_GUARD,
    Outcome.WITHHELD: FallbackCause.TRANSPORT_ERROR,
}


class Order(Decision, frozen=True, kw_only=True):
    """A seat's decision for a turn.

    Attributes:
        direction: as submitted, legal or not.
        alternative: taken where the direction is the own neck.
        say: what its bubble shows.
        notes: for the seat alone, in its next turn.
        repaired: whether the reply gave no direction, so that one was found for it.
        cause, reason: of a fallback; else "".
    """

    direction: Direction
    alternative: Direction | None = None
    say: str = ""
    notes: str = ""
    repaired: bool = False
    cause: FallbackCause = FallbackCause.NONE
    reason: str = ""


def cap_say(text: str) -> str:
    """What of a shout fits a bubble: plain characters of the first 24."""
    kept = (character for character in text[:SAY_LENGTH] if " " <= character <= "~" and character not in "{}")
    return "".join(kept).strip()


def cap_notes(text: str) -> str:
    """Notes on one line; a cut may leave a blank at the end."""
    return text.replace("\n", " ").replace("\r", " ").strip(_WHITE_SPACE)[:NOTES_LENGTH]


def fits_notes(text: str) -> bool:
    """Whether notes are such as `cap_notes` leaves."""
    return len(text) <= NOTES_LENGTH and not set(text) & set("\n\r") and text == text.lstrip(_WHITE_SPACE)


def cap_reason(text: str) -> str:
    return text.strip()[:REASON_LENGTH]


_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's, which are not quite those that Python strips."""
