"""Audits the folder of a run as a run: every episode of its settings once, on its seed, and nothing else.

What the settings say is held against the logs, and the logs against each other, so that a folder whose
`run.toml` is gone is audited all the same. At the end of a run, an episode that was not begun cannot be told
from one whose log was removed: which are missing is said.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from gridwars.audit.report import AuditReport, AuditStatus
from gridwars.benchmarks.contract import SEED_OPTION

SETTINGS_NAME = "run.toml"

_LOG_NAME = re.compile(r"episode-(\d{4,})(?:-rerun-(\d+))?\.jsonl(?:\.gz)?")
_MOST_SETTINGS_BYTES = 2**20


def audit_runs(paths: Iterable[Path], reports: Iterable[AuditReport]) -> list[AuditReport]:
    """A report on each folder below the paths that holds a run.

    Args:
        reports: on all logs below the paths.
    """
    folders = [path.absolute() for path in paths if path.is_dir()]
    by_folder: defaultdict[Path, list[AuditReport]] = defaultdict(list)
    for report in reports:
        if any(report.path.absolute().is_relative_to(folder) for folder in folders):
            by_folder[report.path.parent].append(report)
    return [run for folder, found in by_folder.items() if (run := _audit_folder(folder, found)) is not None]


def _audit_folder(folder: Path, reports: Sequence[AuditReport]) -> AuditReport | None:
    settings = _read_settings(folder)
    counts = Counter(
        (report.run.digest, report.run.episode_count) for report in reports if report.run is not None
    )
    if not counts or (not settings and counts.most_common(1)[0][0][1] == 1):
        return None
    recorded = settings.get("run")
    digest = recorded.get("digest") if isinstance(recorded, dict) else None
    run = _Run(
        str(digest) if digest is not None else counts.most_common(1)[0][0][0],
        settings.get("episodes", counts.most_common(1)[0][0][1]),
        settings.get(SEED_OPTION),
        reports,
    )
    problems = list(run.find_problems())
    notes = [] if settings else [f"no {SETTINGS_NAME}: what was played is known from the logs alone"]
    notes += run.list_notes()
    status = AuditStatus.RESULT_DIFFERS if problems else AuditStatus.INTACT
    return AuditReport(folder, status, "; ".join(problems), notes=tuple(notes), ended=not run.is_unfinished)


class _Run:
    """What a folder is to hold, and the reports on what it holds."""

    def __init__(
        self, digest: str, episode_count: object, seed: object, reports: Sequence[AuditReport]
    ) -> None:
        self._digest = digest
        self._episode_count = episode_count if isinstance(episode_count, int) else 0
        self._seed = seed
        self._reports = reports
        self._tries: defaultdict[int, dict[int, AuditReport]] = defaultdict(dict)
        self._strangers: list[AuditReport] = []
        for report in reports:
            name = _LOG_NAME.fullmatch(report.path.name)
            if name is None:
                self._strangers.append(report)
            else:
                self._tries[int(name[1])][int(name[2] or 0)] = report
        self._last = max(self._tries, default=0)

    @property
    def is_unfinished(self) -> bool:
        finals = [max(tries.items())[1] for tries in self._tries.values()]
        return self._last < self._episode_count or not all(report.ended for report in finals)

    def find_problems(self) -> Iterator[str]:
        """Everything that is not as it must be, in words."""
        yield from self._find_copies()
        for report in self._strangers:
            yield f"{report.path.name} is by its name none of the run's logs"
        missing = [number for number in range(1, self._last) if number not in self._tries]
        if missing:
            yield f"{_name_episodes(missing)} missing, though later ones are there"
        if self._last > self._episode_count:
            yield f"episode {self._last} is there, but the run has {self._episode_count}"
        for number, tries in sorted(self._tries.items()):
            for report in tries.values():
                yield from self._find_mixture(number, report)
            yield from _find_needless_tries(number, tries)

    def list_notes(self) -> list[str]:
        """What is missing without being wrong."""
        notes = []
        if self._last < self._episode_count:
            missing = range(self._last + 1, self._episode_count + 1)
            notes.append(f"unfinished: {_name_episodes(missing)} not begun, or removed")
        open_ones = [
            number for number, tries in sorted(self._tries.items()) if not max(tries.items())[1].ended
        ]
        if open_ones:
            notes.append(f"unfinished: {_name_episodes(open_ones)} not at the end")
        return notes

    def _find_copies(self) -> Iterator[str]:
        seen: dict[str, AuditReport] = {}
        for report in self._reports:
            if report.head and report.head in seen:
                yield f"{report.path.name} is a copy of {seen[report.head].path.name}"
            seen.setdefault(report.head, report)

    def _find_mixture(self, number: int, report: AuditReport) -> Iterator[str]:
        """What keeps a log from being this episode of this run."""
        name = report.path.name
        if not report.head:  # of no readable log, which its own report says
            return
        if report.run is None or report.run.digest != self._digest:
            yield f"{name} is of another run"
        elif report.run.episode_number != number:
            yield f"{name} holds episode {report.run.episode_number}"
        elif report.run.episode_count != self._episode_count:
            yield f"{name} is of a run of {report.run.episode_count} episodes, not {self._episode_count}"
        elif isinstance(self._seed, int) and report.seed != self._seed + number - 1:
            yield f"{name} is on seed {report.seed}, not {self._seed + number - 1}"


def _find_needless_tries(number: int, tries: Mapping[int, AuditReport]) -> Iterator[str]:
    """An episode is played again where it was void, and its logs are all kept."""
    for index in range(max(tries)):
        if index not in tries:
            what = f"rerun {index}" if index else "the first log"
            yield f"{what} of episode {number} is missing, though it was played again"
        elif tries[index].head and not (tries[index].ended and tries[index].is_void):
            yield f"episode {number} was played again, but {tries[index].path.name} is not void"


def _name_episodes(numbers: Sequence[int]) -> str:
    """Such as `episodes 2, 5 to 7 are`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    texts = [" to ".join(map(str, span)) for span in spans]
    return f"episode{'s' * (len(numbers) > 1)} {', '.join(texts)} {'are' if len(numbers) > 1 else 'is'}"


def _read_settings(folder: Path) -> dict[str, object]:
    """The settings that the run was begun with; none where there are none that can be read."""
    path = folder / SETTINGS_NAME
    with contextlib.suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size <= _MOST_SETTINGS_BYTES:
            return tomllib.loads(path.read_text(encoding="utf-8"))
    return {}
