"""`gridwars audit`: one line for each log, then how many came to what."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import click
import msgspec

from gridwars.audit import AuditReport, AuditStatus, audit_many, audit_runs, find_worst
from gridwars.audit.published import check_signatures, hold_against, read_published
from gridwars.canonical import Json
from gridwars.cli.console import examples, json_option, make_plain, print_json, show_progress
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode

_COLOURS = {AuditStatus.INTACT: "green", AuditStatus.RESULT_DIFFERS: "red", AuditStatus.CHAIN_BROKEN: "red"}


@click.command(
    epilog=examples(
        "gridwars audit runs/",
        "gridwars audit --json a.jsonl b.jsonl.gz replay.json",
        "gridwars audit runs/duel --signer signers",
    )
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="one per core",
    help="How many logs are checked at once.",
)
@click.option(
    "--head",
    "published",
    metavar="FILE|DIGEST",
    help="A head that was published: of one log, its digest or head file; of a run, its run.heads.",
)
@click.option(
    "--signer",
    "signers",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Heads must be signed by one of these: a file of allowed signers (name, then public SSH key).",
)
@engine_option
@json_option
def command(
    paths: tuple[Path, ...], processes: int, published: str | None, signers: Path | None, as_json: bool
) -> ExitCode:
    """Check logs: derive everything again and name the first difference.

    PATH is a log, a reference replay, or a folder that is searched for logs to any depth. The chain of
    lines is verified, every prompt is rendered again, every reply read, every decision played, and every
    number compared. The folder of a run must hold each of its episodes once. The exit code is that of the
    worst log: a result that differs, a broken chain, an unreadable file, another version.

    What no log tells by itself: that a provider, a person or a program really gave a reply that stands
    there, with the script that follows from it, and what was used and when; and whether the whole log was
    written anew, chain, head file and all. Only a head that was kept elsewhere, or signed, excludes the
    latter: --head and --signer check those.
    """
    heads = read_published(published) if published is not None else None
    reports = []
    with show_progress("Auditing") as progress:
        for report in audit_many(paths, processes=processes, progress=progress):
            reports.append(report)
            if not as_json and heads is None and signers is None:
                progress.say(_render_line(report))
    if heads is not None or signers is not None:
        if heads is not None:
            reports = hold_against(reports, paths, heads)
        if signers is not None:
            reports = check_signatures(reports, paths, signers)
        if not as_json:
            for report in reports:
                click.echo(_render_line(report))
    runs = audit_runs(paths, reports)
    worst = find_worst(report.status for report in (*reports, *runs))
    counts = Counter(report.status for report in reports)
    if as_json:
        print_json(
            {
                "status": _name(worst),
                "counts": {_name(status): counts[status] for status in AuditStatus},
                "logs": [_describe(report) for report in reports],
                "runs": [_describe_run(run) for run in runs],
            }
        )
    elif len(reports) > 1:
        parts = (f"{counts[status]} {_say(status)}" for status in AuditStatus if counts[status])
        click.echo(f"{len(reports)} logs: {', '.join(parts)}")
    if not as_json:
        for run in runs:
            click.echo(_render_line(run, "run "))
    return ExitCode(worst)


def _render_line(report: AuditReport, noun: str = "") -> str:
    state = click.style(_say(report.status), fg=_COLOURS.get(report.status, "yellow"))
    events = sum(report.event_counts.values())
    details = [report.message] if report.message else [f"{events} events"] if events else []
    return make_plain(f"{noun}{report.path}: ") + state + make_plain("; ".join(["", *details, *report.notes]))


def _describe(report: AuditReport) -> Json:
    return {
        "path": str(report.path),
        "status": _name(report.status),
        "message": report.message,
        "benchmark": report.benchmark,
        "finding": msgspec.to_builtins(report.finding),
        "finding_kind": report.finding_kind,
        "chain_break": msgspec.to_builtins(report.chain_break),
        "event_counts": dict(report.event_counts),
        "ended": report.ended,
        "notes": list(report.notes),
    }


def _describe_run(run: AuditReport) -> Json:
    return {
        "path": str(run.path),
        "status": _name(run.status),
        "message": run.message,
        "ended": run.ended,
        "notes": list(run.notes),
    }


def _name(status: AuditStatus) -> str:
    return status.name.lower()


def _say(status: AuditStatus) -> str:
    return _name(status).replace("_", " ")
