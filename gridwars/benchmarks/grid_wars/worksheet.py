"""A person's view of a seat as one file for an editor: the script to change, and below it what the seat sees.

Every line of ours begins with `#|`, which GWL takes for a comment; all other lines are the script. It comes
first, so that its lines have the numbers that errors name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from gridwars.benchmarks.contract import Rejection, Worksheet
from gridwars.benchmarks.grid_wars.observation import Diagnostics, GridWarsObservation
from gridwars.benchmarks.grid_wars.submission import (
    Submission,
    find_problem,
    list_further_problems,
    split_script,
    tidy_script,
)

SUFFIX = ".gwl"

_MARK = "#|"
_FURTHER_PROBLEMS = 4
_PLACE = re.compile(r"(\d+):\d+: ")
_FIELD = re.compile(r"#\|[ ]*(notes|banner):(.*)")


def render_reply(submission: Submission, *, scripted: bool) -> str:
    """The reply that reads as a submission: its bare script, or all of it as JSON."""
    if scripted:
        return "\n".join(submission.script)
    return _render_answer(submission.script, submission.notes, submission.banner)


def render_worksheet(observation: GridWarsObservation, problem: str, draft: str) -> Worksheet:
    """See `Benchmark.render_worksheet`."""
    notes, banner, script = observation.notes, "", observation.script
    if draft:
        notes, banner, script = _split_worksheet(draft)
    below = [
        f"notes: {_join(notes)}",
        f"banner: {_join(banner)}",
        "",
        "Lines that begin like this one are not part of your script. You see your notes again next round,",
        "the audience sees the banner. Change what you like, save, and leave the editor.",
        "To play no script of yours this round, leave an empty file.",
        "",
        *_describe_moment(observation),
    ]
    lines = [*_insert_problem(script, problem), "", *_mark(below), ""]
    return Worksheet("\n".join(lines), SUFFIX)


def read_worksheet(text: str) -> str | Rejection:
    """See `Benchmark.read_worksheet`."""
    notes, banner, lines = _split_worksheet(text)
    script = tidy_script(lines)
    problem = find_problem(script)
    if problem is not None:
        return Rejection(problem, further=list_further_problems(script, _FURTHER_PROBLEMS))
    return _render_answer(script, notes, banner)


def _render_answer(script: Iterable[str], notes: str, banner: str) -> str:
    return json.dumps({"script": list(script), "notes": notes, "banner": banner}, ensure_ascii=False)


def _split_worksheet(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Notes, banner and script."""
    fields = {"notes": "", "banner": ""}
    script = []
    for line in split_script(text):
        if not line.startswith(_MARK):
            script.append(line)
        elif match := _FIELD.match(line):
            fields[match[1]] = match[2].strip()
    return fields["notes"], fields["banner"], tuple(script)


def _describe_moment(seen: GridWarsObservation) -> Iterator[str]:
    yield f"Round {seen.round} of {seen.rounds}."
    yield f"You are {seen.alias}, warrior {seen.warrior_id}, {seen.colour}."
    yield f"A battle lasts up to {seen.ticks} ticks; a bomb costs {seen.bomb_cost} energy."
    if seen.diagnostics is None:
        yield "Nothing has been played yet; the script is the one that everybody begins with."
        return
    yield ""
    width = max(len(row.alias) for row in seen.table)
    for row in seen.table:
        you = "  (you)" if row.warrior_id == seen.warrior_id else ""
        yield (
            f"{row.warrior_id} {row.alias:<{width}}  score {row.score:>7}  won {row.rounds_won}  "
            f"tiles {row.tiles:>4}  kills {row.kills}  deaths {row.deaths}{you}"
        )
    yield ""
    yield from _describe_round(seen.diagnostics)
    yield ""
    yield from seen.board


def _describe_round(diagnostics: Diagnostics) -> Iterator[str]:
    if diagnostics.fallback:
        yield "Last round your own script was not played; what follows is about the one that was. The reason:"
        yield from (f"  {line}" for line in diagnostics.reason.split("\n"))
    elif diagnostics.reason:
        yield "Last round your script was cut before it was played:"
        yield from (f"  {line}" for line in diagnostics.reason.split("\n"))
    fate = f"died of {diagnostics.death_cause}" if diagnostics.death_cause else "alive"
    yield f"Last round: {fate} after {diagnostics.ticks_lived} ticks."
    if diagnostics.fault_line:
        yield f"Fault in line {diagnostics.fault_line}: {diagnostics.fault_text}"
    yield (
        f"Tiles {diagnostics.tiles}, at most {diagnostics.peak_tiles}; kills {diagnostics.kills}, "
        f"self-kills {diagnostics.self_kills}; stalls {diagnostics.stalls}, blocked {diagnostics.blocked}, "
        f"illegal {diagnostics.illegal}, refused {diagnostics.refused}."
    )
    yield f"Tiles over time: {' '.join(map(str, diagnostics.curve))}"


def _insert_problem(script: Sequence[str], problem: str) -> list[str]:
    """The script with the problem below the line that it names, or above all where it names none."""
    if not problem:
        return list(script)
    place = _PLACE.match(problem)
    count = min(int(place[1]), len(script)) if place else 0
    return [*script[:count], *_mark(f"!! {line}" for line in problem.split("\n")), *script[count:]]


def _mark(lines: Iterable[str]) -> list[str]:
    return [f"{_MARK} {line}".rstrip() for line in lines]


def _join(text: str) -> str:
    return " ".join(text.split())
