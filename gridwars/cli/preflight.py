"""`gridwars preflight`: looks at a run before it costs anything."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from gridwars.canonical import Json
from gridwars.cli.console import examples, json_option, make_plain_lines, open_console, print_json
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.run_settings import RunCommand, RunSettings, run_options

if TYPE_CHECKING:
    from gridwars.benchmarks.presentation import Block
    from gridwars.harness.plan import RunPlan
    from gridwars.harness.preflight import SeatPreflight
    from gridwars.log.metering import Spend


@click.command(
    cls=RunCommand,
    epilog=examples(
        "gridwars preflight --config run.toml",
        "gridwars preflight --seat a=anthropic:MODEL --strategy plan --episodes 20 --offline",
        "gridwars preflight --config run.toml --call --json",
    ),
)
@run_options
@click.option("--offline", is_flag=True, help="Ask no provider which models it has.")
@click.option("--call", is_flag=True, help="Make one call of a few tokens for each model; it is paid for.")
@json_option
def command(settings: RunSettings, offline: bool, call: bool, as_json: bool) -> ExitCode:
    """Check a run's keys, models, parameters and prices, and estimate what it takes.

    Takes the options of `gridwars play`. The estimate is a range: at the least every answer is short and
    taken at once, at the most every one is as long as it may be and has to be repaired.
    """
    from gridwars.harness.preflight import check_run, find_lacks
    from gridwars.policies.checks import Verdict
    from gridwars.policies.policy import PolicyError

    try:
        plan = settings.make_plan()
    except PolicyError:
        problems = settings.find_seat_problems()
        if not problems:
            raise
        return _tell_problems(problems, as_json)
    seats = asyncio.run(check_run(plan, look_up=not offline, call=call))
    lacks = find_lacks(plan, seats)
    notes = [*_compare_with_budget(plan, seats), *lacks]
    if as_json:
        print_json(_describe(plan, seats, notes))
    else:
        from gridwars.cli.drawing import print_blocks

        print_blocks(open_console(), _render(plan, seats, notes))
    failed = any(check.verdict is Verdict.FAILED for seat in seats for check in seat.checks)
    failed = failed or bool(lacks)
    return ExitCode.FAILED if failed else ExitCode.OK


def _tell_problems(problems: Mapping[int, str], as_json: bool) -> ExitCode:
    """The seats that cannot be filled; nothing more can be said of such a run."""
    from gridwars.policies.seats import name_seat

    named = {name_seat(seat): problem for seat, problem in problems.items()}
    if as_json:
        print_json({"problems": named})
    else:
        for letter, problem in named.items():
            click.echo(f"gridwars: seat {letter}: {make_plain_lines(problem)}", err=True)
    return ExitCode.FAILED


def _render(plan: RunPlan, seats: Sequence[SeatPreflight], notes: Sequence[str]) -> list[Block]:
    from gridwars.benchmarks.presentation import Section, Table
    from gridwars.policies.seats import name_seat

    checks = tuple(
        (name_seat(number), seat.record.policy, check.subject, check.verdict.value, check.detail)
        for number, seat in enumerate(seats)
        for check in seat.checks
    )
    estimates = tuple(
        (
            name_seat(number),
            seat.record.policy,
            seat.record.strategy,
            f"{seat.prompt_bytes:,}",
            f"{seat.least.calls:,} to {seat.most.calls:,}",
            f"{seat.least.tokens:,} to {seat.most.tokens:,}",
            _render_cost([seat]),
        )
        for number, seat in enumerate(seats)
        if seat.record.metering is not None
    )
    least, most = _add_up(seats)
    total = [_describe_size(plan)]
    if estimates:
        total.append(f"{least.tokens:,} to {most.tokens:,} tokens; cost {_render_cost(seats)}")
    total += notes
    blocks: list[Block] = []
    if checks:
        blocks.append(Table("checks", ("seat", "who", "what", "verdict", "found"), checks))
    if estimates:
        columns = ("seat", "who", "strategy", "bytes of the first prompt", "calls", "tokens", "cost")
        blocks.append(Table("estimate for the whole run", columns, estimates))
    return [*blocks, Section("run", tuple(total))]


def _describe_size(plan: RunPlan) -> str:
    count, batches = plan.episode_count, plan.benchmark.count_most_batches(plan.config)
    noun = plan.benchmark.make_view().batch_noun
    size = f"at most {batches:,} {noun}{'s' if batches != 1 else ''}"
    return f"1 episode of {size}" if count == 1 else f"{count:,} episodes of {size} each"


def _compare_with_budget(plan: RunPlan, seats: Sequence[SeatPreflight]) -> list[str]:
    """What the run's own budget is to the estimate, unit by unit."""
    from gridwars.harness.budget import render_dollars

    least, most = _add_up(seats)
    allowance = plan.limits.budget.run
    units = (
        ("", allowance.microdollars, least.microdollars, most.microdollars, render_dollars),
        (" tokens", allowance.tokens, least.tokens, most.tokens, "{:,}".format),
        (" calls", allowance.calls, least.calls, most.calls, "{:,}".format),
    )
    notes = []
    for unit, allowed, low, high, render in units:
        if allowed is None:
            continue
        fits = "is enough in any case" if high <= allowed else "may not be enough"
        notes.append(
            f"the run's budget of {render(allowed)}{unit} {'is too small' if low > allowed else fits}"
        )
    return notes


def _add_up(seats: Sequence[SeatPreflight]) -> tuple[Spend, Spend]:
    from gridwars.log.metering import Spend

    least = most = Spend()
    for seat in seats:
        least, most = least.plus(seat.least), most.plus(seat.most)
    return least, most


def _render_cost(seats: Sequence[SeatPreflight]) -> str:
    """What seats will cost together, and whose cost is not known."""
    from gridwars.harness.budget import render_dollars
    from gridwars.policies.seats import name_seat

    least, most = _add_up([seat for seat in seats if seat.is_priced])
    unknown = [name_seat(number) for number, seat in enumerate(seats) if not seat.is_priced]
    if not most.calls and unknown:
        return "not known"
    known = f"{render_dollars(least.microdollars)} to {render_dollars(most.microdollars)}"
    return f"{known}, and that of seat {', '.join(unknown)} is not known" if unknown else known


def _describe_spend(spend: Spend, seats: Sequence[SeatPreflight]) -> dict[str, Json]:
    """For programs: dollars are null where those of any of the seats are not known."""
    is_priced = all(seat.is_priced for seat in seats)
    return {**spend._asdict(), "microdollars": spend.microdollars if is_priced else None}


def _describe(plan: RunPlan, seats: Sequence[SeatPreflight], notes: Sequence[str]) -> dict[str, Json]:
    from gridwars.policies.seats import name_seat

    least, most = _add_up(seats)
    return {
        "digest": plan.digest,
        "episodes": plan.episode_count,
        "least": _describe_spend(least, seats),
        "most": _describe_spend(most, seats),
        "notes": list(notes),
        "seats": [
            {
                "seat": name_seat(number),
                "policy": seat.record.policy,
                "strategy": seat.record.strategy,
                "prompt_bytes": seat.prompt_bytes,
                "is_priced": seat.is_priced,
                "least": _describe_spend(seat.least, [seat]),
                "most": _describe_spend(seat.most, [seat]),
                "checks": [
                    {"subject": check.subject, "verdict": check.verdict.value, "detail": check.detail}
                    for check in seat.checks
                ],
            }
            for number, seat in enumerate(seats)
        ],
    }
