"""What a seat submits, held to the limits of Grid Wars spec section 4, and whether it compiles.

Everything that reaches a log passes through here, wherever it came from, so what is recorded is what was
played and no cut ever splits a code point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from gridwars.benchmarks.contract import Decision
from gridwars.benchmarks.grid_wars.programs import compile_script, find_errors
from gridwars.canonical import replace_lone_surrogates
from gwl.errors import ErrorCode, Problem, WarningCode
from gwl.lexical import find_limit_problems
from gwl.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_SOURCE_LENGTH
from gwl.program import Program

NOTES_LENGTH = 600
BANNER_LENGTH = 80
REASON_LENGTH = 300

CUT = "cut: "
"""Begins the repairs that say what was cut off a script."""

_NEVER_IN_A_LINE = re.compile("[\t\n\ud800-\udfff]")


class Submission(Decision, frozen=True):
    """A seat's decision for a round.

    Attributes:
        script: the lines that are compiled and played; none only in an imported replay, for a script that
            did not compile.
        notes: for the seat alone, in its next rounds.
        banner: for the audience.
        reason: why a fallback was played, or why the script did not compile; else "".
    """

    script: tuple[str, ...]
    notes: str = ""
    banner: str = ""
    reason: str = ""


def split_script(text: str) -> tuple[str, ...]:
    """The lines of a source text, whatever ends them; a byte-order mark before it is dropped."""
    text = replace_lone_surrogates(text).lstrip("\ufeff")
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def tidy_script(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines with blanks for tabs, no trailing white space and no blank lines at the end."""
    plain = [line.replace("\t", "  ").rstrip() for line in lines]
    while plain and not plain[-1]:
        plain.pop()
    return tuple(plain)


def cap_script(lines: Iterable[str]) -> tuple[str, ...]:
    """The tidy lines that are kept: whole ones up to the limits.

    A line that is too long is cut; from the first line that does not fit in all, none is kept.
    """
    kept: list[str] = []
    length = 0
    for line in tidy_script(lines)[:MAX_LINES]:
        line = line[:MAX_LINE_LENGTH]
        length += len(line) + 1
        if length > MAX_SOURCE_LENGTH:
            break
        kept.append(line)
    return tuple(kept)


def list_cuts(lines: Iterable[str]) -> tuple[str, ...]:
    """What `cap_script` cuts off, as repairs in the compiler's words; the first of each kind of limit."""
    found: dict[ErrorCode | WarningCode, list[Problem]] = {}
    for problem in find_limit_problems(tidy_script(lines)):
        found.setdefault(problem.code, []).append(problem)
    return tuple(_describe_cut(problems) for problems in found.values())


def find_cuts(repairs: Iterable[str]) -> tuple[str, ...]:
    """What was cut, of all that was put right."""
    return tuple(repair.removeprefix(CUT) for repair in repairs if repair.startswith(CUT))


def _describe_cut(problems: Sequence[Problem]) -> str:
    first = problems[0]
    more = f" (and {len(problems) - 1} more such lines)" if len(problems) > 1 else ""
    return f"{CUT}{first.line}:{first.column}: {first.code}: {first.message}{more}"


def fits_limits(script: Sequence[str]) -> bool:
    """Whether the lines are within the limits; capped ones are, though a cut may leave a blank at an end."""
    return (
        len(script) <= MAX_LINES
        and max(map(len, script), default=0) <= MAX_LINE_LENGTH
        and sum(map(len, script)) + len(script) <= MAX_SOURCE_LENGTH
        and not _NEVER_IN_A_LINE.search("".join(script))
    )


def cap_notes(text: str) -> str:
    return _cap_text(text, NOTES_LENGTH)


def cap_banner(text: str) -> str:
    return _cap_text(text.replace("\n", " "), BANNER_LENGTH)


def cap_reason(text: str) -> str:
    return _cap_text(text, REASON_LENGTH)


def admit(submission: Submission) -> Submission:
    """The submission as it is recorded: within the limits, and without a script that does not compile."""
    return admit_recorded(msgspec.structs.replace(submission, script=cap_script(submission.script)))


def admit_recorded(submission: Submission) -> Submission:
    """What `admit` would have made of it, for one that it should have seen already.

    Capping is not repeated where all fits: a cut at a blank leaves one that a second capping would take.
    """
    script = submission.script if fits_limits(submission.script) else cap_script(submission.script)
    problem = find_problem(script)
    return msgspec.structs.replace(
        submission,
        script=script if problem is None else (),
        notes=cap_notes(submission.notes),
        banner=cap_banner(submission.banner),
        reason=cap_reason(submission.reason if problem is None else problem),
    )


def find_problem(script: tuple[str, ...]) -> str | None:
    """Why a script cannot be played, for its author; None where it can."""
    if not script:
        return "the script is empty; it must have at least one line"
    errors = find_errors(script)
    return errors[0].render() if errors else None


def list_further_problems(script: tuple[str, ...], limit: int) -> str:
    """What is wrong besides what `find_problem` says: at most `limit` errors, and how many more there are."""
    errors = find_errors(script) if script else ()
    problems = [diagnostic.render() for diagnostic in errors[1:]]
    rest = len(problems) - limit
    more = [f"and {rest} more {'error' if rest == 1 else 'errors'}"] if rest > 0 else []
    return "\n".join(problems[:limit] + more)


def compile_or_none(script: tuple[str, ...]) -> Program | None:
    """The program of a script, None where it does not compile: its warrior stands halted."""
    return None if not script or find_errors(script) else compile_script(script)


def _cap_text(text: str, length: int) -> str:
    """The text trimmed, and where it is longer than `length` cut to that with `…` as its last."""
    trimmed = replace_lone_surrogates(text).strip()
    return trimmed if len(trimmed) <= length else f"{trimmed[: length - 1]}…"
