"""`gridwars conformance`: runs golden vectors and names the first difference of every case that has one."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from gridwars.benchmarks.registry import get_vector_runners
from gridwars.canonical import Json
from gridwars.cli.console import examples, json_option, make_plain, print_json, show_progress
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.vectors import CaseResult, Runner, VectorError, find_vector_files, read_lines, run_file


@dataclass(slots=True)
class FileReport:
    """What running one file came to.

    Attributes:
        mismatches: the cases that differ.
        error: why the rest of the file could not be run; "" where all was.
    """

    path: Path
    case_count: int = 0
    mismatches: list[CaseResult] = field(default_factory=list)
    error: str = ""


@click.command(
    epilog=examples(
        "gridwars conformance tests/golden/gridwars",
        "gridwars conformance --json battles.jsonl.gz vm.jsonl.gz",
        "gridwars conformance --benchmark snake-board tests/golden/snake_boardgame",
    )
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--benchmark",
    "name",
    metavar="NAME",
    default="grid-wars",
    show_default=True,
    help="Of which game; snake-arena and snake-board too, whose rules stand and which nobody can play yet.",
)
@engine_option
@json_option
def command(paths: tuple[Path, ...], name: str, as_json: bool) -> ExitCode:
    """Run golden vectors and name the first difference of each case.

    PATH is a vector file, plain or .gz, or a folder that is searched for them to any depth. A file's kind
    is known by the name it begins with. A path without any case is an error, as is a file that can't be read.
    """
    runners = get_vector_runners(name)
    files = [file for path in paths for file in find_vector_files(path, runners)]
    reports = []
    done = itertools.count(1)
    with show_progress("Running vectors") as progress:
        total = sum(map(_count_lines, files))
        for file in files:
            report = _run(file, runners, lambda: progress(next(done), total))
            reports.append(report)
            if not as_json:
                for line in _render(report):
                    progress.say(line)
    mismatch_count = sum(len(report.mismatches) for report in reports)
    case_count = sum(report.case_count for report in reports)
    if as_json:
        print_json(
            {
                "benchmark": name,
                "cases": case_count,
                "mismatches": mismatch_count,
                "files": [_describe(report) for report in reports],
            }
        )
    else:
        click.echo(f"{case_count} cases, {mismatch_count} mismatches")
    if any(report.error for report in reports):
        return ExitCode.FILE
    return ExitCode.FAILED if mismatch_count else ExitCode.OK


def _count_lines(file: Path) -> int:
    """For the progress bar alone; what keeps a file from being read is said when it is run."""
    with contextlib.suppress(VectorError):
        return sum(1 for _ in read_lines(file))
    return 0


def _run(file: Path, runners: Mapping[str, Runner], tell: Callable[[], None]) -> FileReport:
    report = FileReport(file)
    try:
        for result in run_file(file, runners):
            report.case_count += 1
            tell()
            if result.difference is not None:
                report.mismatches.append(result)
    except VectorError as error:
        report.error = str(error)
    if not report.case_count and not report.error:
        report.error = f"{file}: the file holds no case"
    return report


def _render(report: FileReport) -> Iterator[str]:
    yield make_plain(f"{report.path}: {report.case_count} cases, {len(report.mismatches)} mismatches")
    for result in report.mismatches:
        difference = result.difference
        assert difference is not None, "only cases that differ are kept"
        place = f" {difference.path}" if difference.path else ""
        yield make_plain(f"  {result.case_id}:{place} expected {difference.expected}, got {difference.got}")
    if report.error:
        yield click.style(make_plain(f"  {report.error}"), fg="red")


def _describe(report: FileReport) -> Json:
    mismatches: list[Json] = [
        {
            "case": result.case_id,
            "path": result.difference.path,
            "expected": result.difference.expected,
            "got": result.difference.got,
        }
        for result in report.mismatches
        if result.difference is not None
    ]
    return {
        "path": str(report.path),
        "cases": report.case_count,
        "mismatches": mismatches,
        "error": report.error,
    }
