"""Checks of what people and models are shown: worksheets, keys, prompts, tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from gridwars.benchmarks.contract import Recording, Rejection, View
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.kit.trial import Lacks, Trial, open_first
from gridwars.benchmarks.presentation import Picture, Section, Table
from gridwars.canonical import encode_canonical

RESERVED_KEYS = frozenset("?eqt")
"""Keys with a meaning in every game, of `Keyboard.list_strokes`."""

_MOST_COLUMNS = 79
_MOST_COMPACT_LINES = 20


def check_worksheets(trial: Trial) -> Iterator[str]:
    benchmark = trial.benchmark
    for observation in benchmark.sample_observations():
        first = benchmark.render_worksheet(observation, "", "")
        second = benchmark.render_worksheet(observation, "a strange problem", first.text)
        if "a strange problem" in first.text or "a strange problem" not in second.text:
            yield "a worksheet does not say what is wrong, or says it where nothing is"
        if not isinstance(benchmark.read_worksheet(first.text), str | Rejection):
            yield "read_worksheet gives neither a reply nor a rejection"
        if benchmark.read_worksheet(first.text) != benchmark.read_worksheet(second.text):
            yield "an untouched draft does not come back"


def check_keys(trial: Trial) -> Iterator[str]:
    benchmark, keyboard = trial.benchmark, trial.benchmark.keyboard
    if keyboard is None:
        raise Lacks("the game has no keyboard")
    batch = open_first(benchmark.start(benchmark.configure({})))
    lines = list(keyboard.help)
    for observation in (*benchmark.sample_observations(), batch.requests[0].observation):
        strokes = keyboard.list_strokes(observation, "")
        keys = [key for stroke in strokes for key in stroke.keys]
        if not keys or len(keys) != len(set(keys)):
            yield f"there is no key, or one with two meanings: {keys}"
        if taken := RESERVED_KEYS & set(keys):
            yield f"a key has a meaning in every game: {', '.join(sorted(taken))}"
        yield from (f"{key!r} is not in lower case" for key in keys if len(key) == 1 and key != key.lower())
        for stroke in strokes:
            if problem := benchmark.check_script(stroke.reply):
                yield f"the reply of {stroke.keys} cannot be taken: {problem}"
        full, compact = keyboard.draw(observation, False), keyboard.draw(observation, True)
        if not 0 < len(compact) <= len(full):
            yield f"in few lines a picture has {len(compact)} lines, otherwise {len(full)}"
        lines += ["".join(span.text for span in spans) for spans in full]
    for line in lines:
        if len(line) > _MOST_COLUMNS or "\n" in line:
            yield f"a line is too long, or more than one: {line!r}"


def check_prompts(trial: Trial) -> Iterator[str]:
    benchmark = trial.benchmark
    encode_canonical(dict(benchmark.prompt_facts()))
    samples = benchmark.sample_observations()
    if list(samples) != list(benchmark.sample_observations()):
        yield "sample_observations gives others each time"
    first = open_first(benchmark.start(benchmark.configure({}))).requests[0].observation
    if not samples:
        yield "there is no sample of an observation"
    for sample in samples:
        encode_canonical(msgspec.to_builtins(sample))
        encode_canonical(dict(benchmark.tell_moment(sample)))
        if type(sample) is not type(first):
            yield f"a sample is a {type(sample).__name__}, a real observation a {type(first).__name__}"


def check_tables(trial: Trial) -> Iterator[str]:
    view, config, events = _make_view(trial), trial.configure(), trial.play()
    names = trial.benchmark.default_seats
    for count in range(len(events) + 1):
        cut = Recording(config, names, events[:count])
        if not view.render_summary(cut):
            yield f"there is no summary of the first {count} events"
        view.tell_result(cut)
        for part in range(1, view.count_parts(cut) + 1):
            if not view.render_part(cut, part):
                yield f"nothing is shown of {view.part_noun} {part} in the first {count} events"
    recording = Recording(config, names, events)
    if not view.tell_result(recording):
        yield "nobody is told who won"
    for block in view.render_summary(recording):
        if not isinstance(block, Table | Section):
            yield f"a summary holds a {type(block).__name__}"
        elif isinstance(block, Table) and any(len(row) != len(block.columns) for row in block.rows):
            yield f"a row of the table {block.title!r} has not as many cells as there are columns"


def check_counting(trial: Trial) -> Iterator[str]:
    view, config, events = _make_view(trial), trial.configure(), trial.play()
    for noun in (view.part_noun, view.batch_noun, view.moment_noun):
        if not noun.isidentifier():
            yield f"{noun!r} cannot be an option's name"
    parts = view.count_parts(Recording(config, trial.benchmark.default_seats, events))
    if parts != (ended := sum(map(view.ends_part, events))):
        yield f"there are {parts} {view.part_noun}s, and {ended} events end one"
    batches = sum(bool(opened.sealed) for opened in Following(trial.start(), events))
    if batches != (ended := sum(map(view.ends_batch, events))):
        yield f"there are {batches} {view.batch_noun}s to decide, and {ended} events end one"


def check_pictures(trial: Trial) -> Iterator[str]:
    view, config, events = _make_view(trial), trial.configure(), trial.play()
    recording = Recording(config, trial.benchmark.default_seats, events)
    for compact in (False, True):
        pictures = list(view.iterate_pictures(recording, 1, compact=compact))
        moments = [picture.moment for picture in pictures]
        if moments[:1] != [-1] or moments != sorted(set(moments)) or len(moments) < 2:
            yield f"the {view.moment_noun}s of the pictures do not go from -1 upwards: {moments[:9]}"
        if len({len(picture.lines) for picture in pictures}) > 1:
            yield "pictures of one part have different heights"
        if not any(picture.happenings for picture in pictures):
            yield "no picture says what happened"
        if compact and any(len(picture.lines) > _MOST_COMPACT_LINES for picture in pictures):
            yield f"a compact picture has more than {_MOST_COMPACT_LINES} lines"


def check_growing_pictures(trial: Trial) -> Iterator[str]:
    view, config, events = _make_view(trial), trial.configure(), trial.play()
    recording = Recording(config, trial.benchmark.default_seats, events)
    for compact in (False, True):
        paint = view.start_pictures(config, compact=compact)
        parts: list[list[Picture]] = [[]]
        for event in events:
            parts[-1] += paint(event)
            if view.ends_part(event):
                parts.append([])
        if parts.pop():
            yield "there are pictures behind the last part"
        for part, pictures in enumerate(parts, start=1):
            if pictures != list(view.iterate_pictures(recording, part, compact=compact)):
                yield f"drawn as play goes on {view.part_noun} {part} has other pictures than afterwards"


def _make_view(trial: Trial) -> View:
    return trial.benchmark.make_view()
