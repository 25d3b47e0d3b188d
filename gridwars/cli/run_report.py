"""What a run came to, for people and for programs: a row for every episode, means over those that count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import SEED_OPTION
from gridwars.benchmarks.presentation import Block, Section, Table
from gridwars.canonical import Json
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.tracking import describe_spend, render_cost, was_paid
from gridwars.harness.plan import RunPlan
from gridwars.harness.run import EpisodeReport, Status
from gridwars.log.events import Judged
from gridwars.log.spending import Account, Key
from gridwars.policies.policy import INTERRUPTED
from gridwars.policies.seats import name_seat


def find_exit_code(reports: Sequence[EpisodeReport]) -> ExitCode:
    """What the process says of these episodes together."""
    statuses = {report.status for report in reports}
    if Status.STOPPED in statuses:
        interrupted = any(report.message == INTERRUPTED for report in reports)
        return ExitCode.INTERRUPTED if interrupted else ExitCode.STOPPED
    if Status.FAILED in statuses:
        return ExitCode.FILE
    return ExitCode.VOID if Status.VOID in statuses else ExitCode.OK


def render_run(plan: RunPlan, reports: Sequence[EpisodeReport], players: Iterable[Block]) -> list[Block]:
    """The episodes, how the players did in them, and what is wrong with any."""
    blocks: list[Block] = [_render_episodes(plan, reports), *players]
    notes = [f"episode {report.number}: {report.message}" for report in reports if report.message]
    noun = plan.benchmark.make_view().batch_noun
    notes += [
        f"episode {report.number} is void: {void}"
        for report in reports
        for void in describe_voids(report.voids, noun, report.errors)
    ]
    if notes:
        blocks.append(Section("notes", tuple(notes)))
    account = add_up(reports)
    if was_paid(account):
        blocks.append(Section("cost", (describe_spend(account),)))
    return blocks


def describe_voids(voids: Sequence[Judged], noun: str, errors: Mapping[Key, str] | None = None) -> list[str]:
    """What makes an episode void, a line for each seat and reason, with the last call's error.

    Args:
        noun: what the game calls a batch.
    """
    batches: dict[tuple[int, str], list[int]] = {}
    last: dict[tuple[int, str], str] = {}
    for void in voids:
        kind = (void.seat, void.reason)
        batches.setdefault(kind, []).append(void.part)
        last[kind] = (errors or {}).get(void.key, last.get(kind, ""))
    return [
        f"seat {name_seat(seat)}, {_name_batches(noun, each)}: {reason}"
        + (f"; the last error: {error}" if (error := last[seat, reason]) else "")
        for (seat, reason), each in batches.items()
    ]


def _name_batches(noun: str, numbers: Sequence[int]) -> str:
    """Such as `turn 4`, or `turns 1, 3-8`."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    plural = "" if len(spans) == len(spans[0]) == 1 else "s"
    return f"{noun}{plural} {', '.join('-'.join(map(str, span)) for span in spans)}"


def list_voids(voids: Sequence[Judged], errors: Mapping[Key, str]) -> list[Json]:
    """The same for programs."""
    return [
        {
            "seat": void.seat,
            "part": void.part,
            "attempt": void.attempt,
            "outcome": void.outcome.value,
            "reason": void.reason,
            "last_error": errors.get(void.key),
        }
        for void in voids
    ]


def add_up(reports: Sequence[EpisodeReport]) -> Account:
    total = Account()
    for report in reports:
        total = total.plus(report.account)
    return total


def describe_report(plan: RunPlan | None, report: EpisodeReport) -> dict[str, object]:
    """One episode for programs."""
    described: dict[str, object] = {
        "episode": report.number,
        "log": str(report.path),
        "head": report.head,
        "status": report.status.value,
        "message": report.message,
        "void": list_voids(report.voids, report.errors),
        "cost": describe_account(report.account),
        "results": None if report.results is None else msgspec.to_builtins(report.results),
        "scores": None if report.results is None else [float(Fraction(s)) for s in report.results.scores],
    }
    if plan is not None:
        described[SEED_OPTION] = _get_seed(plan, report.number)
    return described


def describe_account(account: Account) -> dict[str, Json]:
    """What calls cost, for programs; `microdollars` is null where any call's cost is not known."""
    return {
        "calls": account.spend.calls,
        "tokens": account.spend.tokens,
        "microdollars": account.microdollars,
        "known_microdollars": account.spend.microdollars,
        "unpriced_calls": account.unpriced_calls,
        "perhaps_paid_calls": account.lost_calls,
    }


def _render_episodes(plan: RunPlan, reports: Sequence[EpisodeReport]) -> Table:
    letters = [name_seat(seat) for seat in range(len(plan.seats))]
    return Table(
        f"{len(reports)} episodes",
        ("episode", "seed", "status", "void", "first", *letters, "cost", "log"),
        tuple(
            (
                str(report.number),
                str(_get_seed(plan, report.number)),
                report.status.value,
                str(len(report.voids)) if report.voids else "",
                name_seat(report.results.ranking[0]) if report.results and report.results.ranking else "",
                *_render_scores(report, len(letters)),
                render_cost(report.account),
                report.path.name,
            )
            for report in reports
        ),
    )


def _render_scores(report: EpisodeReport, seat_count: int) -> list[str]:
    if report.results is None:
        return [""] * seat_count
    return [_render_decimal(Fraction(score)) for score in report.results.scores]


def _render_decimal(value: Fraction) -> str:
    hundredths = round(value * 100)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def _get_seed(plan: RunPlan, number: int) -> int:
    seed = msgspec.to_builtins(plan.configure(number))[SEED_OPTION]
    assert isinstance(seed, int), "every benchmark's seed is a whole number"
    return seed
