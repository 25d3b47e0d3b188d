"""Checks of a game's audit: quiet about what was played, and loud about whatever was changed."""

from __future__ import annotations

from collections.abc import Iterator

from gridwars.benchmarks.kit.playing import answer_with_baselines, list_changes, play_marked
from gridwars.benchmarks.kit.trial import Trial, number


def check_quiet_audit(trial: Trial) -> Iterator[str]:
    config = trial.configure()
    for stop_after in (None, 1):
        events = number(trial.play(stop_after=stop_after))
        for count in range(len(events) + 1):
            for finding in trial.benchmark.audit(config, events[:count]):
                yield f"of {count} events as they were played: {finding}"


def check_loud_audit(trial: Trial) -> Iterator[str]:
    config = trial.configure()
    marked = play_marked(trial.start(), answer_with_baselines(trial.benchmark))
    events = [event for _, event in marked]
    changed_count = 0
    for index, (is_seal, event) in enumerate(marked):
        # What a seat submitted is where derivation starts from; where it stands is derived as well.
        for path, changed in [] if is_seal else list_changes(event):
            forged = [*events[:index], changed, *events[index + 1 :]]
            finding = next(trial.benchmark.audit(config, number(forged)), None)
            if finding is None:
                yield f"a changed {path} of event {index}, {type(event).__name__}, is not found"
            elif finding.sequence > index + 2:
                yield f"a changed {path} of event {index} is found only at event {finding.sequence - 2}"
            changed_count += 1
    if not changed_count:
        yield "no event holds anything that is derived"


def check_order_audit(trial: Trial) -> Iterator[str]:
    config = trial.configure()
    events = trial.play()
    for index in range(len(events) - 1):
        forgeries = {
            "missing": [*events[:index], *events[index + 1 :]],
            "doubled": [*events[: index + 1], *events[index:]],
            "behind the next": [*events[:index], events[index + 1], events[index], *events[index + 2 :]],
        }
        for what, forged in forgeries.items():
            if forged != events and next(trial.benchmark.audit(config, number(forged)), None) is None:
                yield f"event {index}, {type(events[index]).__name__}, is {what}, and that is not found"
    if next(trial.benchmark.audit(config, number([*events, events[-1]])), None) is None:
        yield "an event behind the end is not found"
