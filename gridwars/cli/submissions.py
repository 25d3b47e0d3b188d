"""What one seat submitted in one part, what it was taken from, and how it differs from the time before.

All of it is foreign text: what could command a terminal is shown as escapes; --json has every character.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import click

from gridwars.benchmarks.contract import Decision, Origin
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import make_plain, make_plain_lines, print_json
from gridwars.cli.recordings import LoggedEpisode, find_seat
from gridwars.log.events import Answered, Called, Judged
from gridwars.policies.seats import name_seat


class Wanted(StrEnum):
    """What is to be shown of a seat, as its option is called."""

    SCRIPT = "script"
    REPLY = "reply"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class _Submissions:
    """All of one seat.

    Attributes:
        noun: of what the game asks once in: `round`, `turn`.
        texts: by part what was submitted, as a file would hold it.
        judgements: of its replies, in order.
    """

    episode: LoggedEpisode
    seat: int
    noun: str
    decisions: Mapping[int, Decision]
    texts: Mapping[int, str]
    judgements: Sequence[Judged]

    @property
    def who(self) -> str:
        record = self.episode.start.seats[self.seat]
        strategy = f", {record.strategy}" if record.strategy else ""
        return f"seat {name_seat(self.seat)} ({record.alias}; {record.policy}{strategy})"


def show_submission(
    wanted: Wanted, name: str, episode: LoggedEpisode, numbers: Mapping[str, int], as_json: bool
) -> None:
    """Prints what is wanted: the bare text to stdout, so that it can be kept, and of whom to stderr.

    Args:
        name: the seat's letter, or its name in the game.
        numbers: of the part that was named, by what the game calls it; none: the last.
    """
    own = _collect(episode, find_seat(name, episode.start.seats))
    part = _choose_part(own, wanted, numbers)
    described = {
        "log": str(episode.log.path),
        "seat": name_seat(own.seat),
        "alias": episode.start.seats[own.seat].alias,
        "policy": episode.start.seats[own.seat].policy,
        "strategy": episode.start.seats[own.seat].strategy,
        own.noun: part,
    }
    match wanted:
        case Wanted.SCRIPT:
            described |= _show_script(own, part, as_json)
        case Wanted.REPLY:
            described |= _show_reply(own, part, as_json)
        case Wanted.DIFF:
            described |= _show_diff(own, part, as_json)
    if as_json:
        print_json(described)


def _collect(episode: LoggedEpisode, seat: int) -> _Submissions:
    benchmark, recording = get_benchmark(episode.start.benchmark), episode.recording
    decisions = {
        opened.batch.part: decision
        for opened in Following(benchmark.start(recording.config), recording.events)
        for _, decision in opened.sealed
        if decision.seat == seat
    }
    texts = {part: benchmark.render_reply(decision, scripted=True) for part, decision in decisions.items()}
    judgements = [event for event in episode.log.events if isinstance(event, Judged) and event.seat == seat]
    return _Submissions(episode, seat, benchmark.make_view().batch_noun, decisions, texts, judgements)


def _choose_part(own: _Submissions, wanted: Wanted, numbers: Mapping[str, int]) -> int:
    odd = [noun for noun in numbers if noun != own.noun]
    if odd and own.noun not in numbers:
        raise click.UsageError(f"--{wanted} goes with --{own.noun} NUMBER, not with --{odd[0]}")
    parts, verb = sorted(own.texts), "submitted something"
    if wanted is Wanted.REPLY:
        parts, verb = sorted({event.part for event in own.judgements}), "answered"
    if not parts:
        hint = f"; see what it played with --{Wanted.SCRIPT} {name_seat(own.seat)}" if own.texts else ""
        raise click.UsageError(f"{own.who} never {verb}{hint}")
    part = numbers.get(own.noun, parts[-1])
    if part not in parts:
        raise click.UsageError(f"--{own.noun} {part}: {own.who} {verb} in {own.noun}s {_name_spans(parts)}")
    return part


def _name_spans(parts: Sequence[int]) -> str:
    """Such as `1-5`: a seat submits in every part until it is out."""
    return f"{parts[0]}-{parts[-1]}" if len(parts) > 1 else str(parts[0])


def _tell(own: _Submissions, part: int) -> None:
    decision = own.decisions.get(part)
    told = [
        f"{own.noun} {part}, {own.who}: {'not sealed yet' if decision is None else decision.origin.value}"
    ]
    if decision is not None and decision.repairs:
        told.append(f"put right: {', '.join(decision.repairs)}")
    if decision is not None and decision.origin is Origin.FALLBACK:
        told += [event.reason for event in own.judgements if event.part == part][-1:]
    click.echo(make_plain("; ".join(told)), err=True)


def _show_script(own: _Submissions, part: int, as_json: bool) -> dict[str, object]:
    decision = own.decisions[part]
    if not as_json:
        _tell(own, part)
        click.echo(make_plain_lines(own.texts[part]))
    return {"origin": decision.origin.value, "repairs": list(decision.repairs), "script": own.texts[part]}


def _show_reply(own: _Submissions, part: int, as_json: bool) -> dict[str, object]:
    attempts = _list_attempts(own, part)
    if not as_json:
        _tell(own, part)
        for attempt in attempts:
            said = [f"attempt {attempt['attempt']}: {attempt['outcome']}", attempt["reason"]]
            click.secho(f"--- {make_plain('; '.join(str(each) for each in said if each))}", bold=True)
            text = attempt["text"]
            click.echo(make_plain_lines(str(text)) if text is not None else "(no text)")
    return {"attempts": attempts}


def _list_attempts(own: _Submissions, part: int) -> list[dict[str, object]]:
    attempts: dict[int, dict[str, object]] = {}
    for event in own.episode.log.events:
        if not isinstance(event, Answered | Judged | Called) or (event.part, event.seat) != (part, own.seat):
            continue
        attempt = attempts.setdefault(
            event.attempt, {"attempt": event.attempt, "outcome": "", "reason": "", "text": None, "calls": 0}
        )
        match event:
            case Answered():
                attempt |= {"outcome": event.outcome.value, "reason": event.failure, "text": event.text}
                attempt["seconds"] = event.latency_milliseconds / 1000
            case Judged():
                attempt |= {"outcome": event.outcome.value, "repairs": list(event.repairs)}
                attempt["reason"] = event.reason or ", ".join(event.repairs)
            case Called():
                attempt["calls"] = event.call_number
                attempt["served_model"] = event.served_model
                attempt["tokens"] = dict(event.tokens)
                attempt["microdollars"] = event.cost_microdollars
    return [attempts[number] for number in sorted(attempts)]


def _show_diff(own: _Submissions, part: int, as_json: bool) -> dict[str, object]:
    before = max((each for each in own.texts if each < part), default=None)
    old = [] if before is None else own.texts[before].split("\n")
    lines = list(
        difflib.unified_diff(
            old,
            own.texts[part].split("\n"),
            "nothing" if before is None else f"{own.noun} {before}",
            f"{own.noun} {part}",
            lineterm="",
        )
    )
    if not as_json:
        _tell(own, part)
        if not lines:
            click.echo(f"the same as in {own.noun} {before}", err=True)
        for line in lines:
            click.secho(make_plain(line), fg=_COLOURS.get(line[:1]))
    return {"before": before, "diff": lines}


_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
