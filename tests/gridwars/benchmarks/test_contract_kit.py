"""The same questions to every registered benchmark: what the harness, the audit and the viewer rely on."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import (
    Benchmark,
    Bout,
    ConfigurationError,
    Decision,
    Event,
    Option,
    Origin,
    Outcome,
    Player,
    Recording,
    Rejection,
    Reply,
    Request,
)
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.presentation import Picture, Section, Table
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.canonical import Json, encode_canonical
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import resume_episode
from gridwars.log.reader import read_log
from gridwars.policies.key_prompt import EDITOR, HELP, LINE, STOP
from tests.gridwars.benchmarks.contract_play import (
    Answerer,
    answer_with_baselines,
    decide,
    list_changes,
    play,
    play_marked,
)
from tests.gridwars.playing import play_seats

SHORT: Mapping[str, dict[str, Json]] = {
    "grid-wars": {"rounds": 2, "ticks": 20},
    "snake-royale": {"max_turns": 6},
}
"""Options that make an episode short."""


HIDDEN_TEXTS: Mapping[str, tuple[str, ...]] = {
    "grid-wars": ("notes", "banner", "reason"),
    "snake-royale": ("notes", "reason"),
}
"""Fields of a decision that no other seat may ever see."""

BAD_REPLIES: Mapping[str, Reply] = {
    "empty text": Reply(""),
    "blanks": Reply(" \n\t "),
    "prose": Reply("I would rather think about it for a while."),
    "broken JSON": Reply('{"a": [1, 2'),
    "another object": Reply("[1, 2, 3]"),
    "a number": Reply("7" * 5000),
    "brackets": Reply("[{" * 20_000),
    "quotes": Reply('"\\' * 20_000),
    "a thought without end": Reply("<think>" + "up " * 1000),
    "lone surrogates": Reply("\ud800\udfff\ud800"),
    "control characters": Reply("\x00\x01\x1b[2J\ufeff"),
    "cut short": Reply("Well,", outcome=Outcome.TRUNCATED),
    "refused": Reply(None, failure="the model refused", outcome=Outcome.REFUSED),
    "no text": Reply(None, failure="an empty answer", outcome=Outcome.EMPTY),
    "no answer": Reply(None, failure="no reply before the batch's deadline", outcome=Outcome.LATE),
    "turned away": Reply(None, failure="no answer in 6 calls (rate limit)", outcome=Outcome.THROTTLED),
    "nothing to ask with": Reply(None, failure="the budget leaves no call", outcome=Outcome.BUDGET),
    "a failure without words": Reply(None, outcome=Outcome.VOID),
}

each_benchmark = pytest.mark.parametrize("benchmark", [BENCHMARKS[name] for name in SHORT], ids=list(SHORT))


def make_config(benchmark: Benchmark, **options: Json) -> msgspec.Struct:
    return benchmark.configure(SHORT[benchmark.name] | options)


def play_short(
    benchmark: Benchmark, answer: Answerer | None = None, stop_after: int | None = None
) -> list[Event]:
    episode = benchmark.start(make_config(benchmark))
    return play(episode, answer or answer_with_baselines(benchmark), stop_after)


def always(reply: Reply) -> Answerer:
    return lambda request: reply


def number(events: Sequence[Event]) -> list[tuple[int, Event]]:
    return list(enumerate(events, start=2))


def record(benchmark: Benchmark, path: Path) -> None:
    config = make_config(benchmark)
    play_seats(path, benchmark, config, benchmark.default_seats)


def test_every_registered_benchmark_is_asked() -> None:
    assert BENCHMARKS
    assert set(SHORT) == set(HIDDEN_TEXTS) == set(BENCHMARKS)


@each_benchmark
def test_a_benchmark_goes_by_its_registered_name_and_seats_its_defaults(benchmark: Benchmark) -> None:
    assert BENCHMARKS[benchmark.name] is benchmark
    assert benchmark.baselines
    assert set(benchmark.default_seats) <= set(benchmark.baselines)
    assert list(benchmark.baseline_notes) == list(benchmark.baselines)
    aliases = benchmark.start(benchmark.configure({})).aliases
    assert len(set(aliases)) == len(aliases)
    assert len(aliases) in benchmark.seat_counts


@each_benchmark
def test_options_keep_to_their_ranges_and_a_configuration_comes_back_from_its_log(
    benchmark: Benchmark,
) -> None:
    assert benchmark.options
    for option in benchmark.options:
        default: Json = msgspec.to_builtins(option.default)
        benchmark.configure({option.name: default})
        for value in _list_wrong_values(option):
            with pytest.raises(ConfigurationError, match=option.name):
                benchmark.configure({option.name: value})
    with pytest.raises(ConfigurationError, match="no_such_option"):
        benchmark.configure({"no_such_option": 1})
    config = make_config(benchmark, seed=77)
    logged = msgspec.to_builtins(config)
    encode_canonical(logged)
    assert benchmark.configure(json.loads(json.dumps(logged))) == config


def _list_wrong_values(option: Option) -> list[Json]:
    match option.default:
        case bool():
            return [1, "true", None]
        case int():
            assert option.minimum is not None
            assert option.maximum is not None
            return [option.minimum - 1, option.maximum + 1, True, "1", None]
        case str():
            return ["no such choice", 1, None] if option.choices else [1]
        case tuple():
            return ["no list", [1], None]
        case None:
            return [True, "1"]


@each_benchmark
def test_the_same_seed_and_decisions_give_the_same_events_and_another_seed_gives_others(
    benchmark: Benchmark,
) -> None:
    events = play_short(benchmark)
    assert events == play_short(benchmark)
    other = play(benchmark.start(make_config(benchmark, seed=99)), answer_with_baselines(benchmark))
    assert events != other
    for event in events:
        encode_canonical(msgspec.to_builtins(event))
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
    assert all(isinstance(event, benchmark.event_types) for event in events)


@each_benchmark
def test_starts_hold_whatever_a_seed_can_bring(benchmark: Benchmark) -> None:
    notes = benchmark.baseline_notes
    players = [Player(benchmark.baselines[name], notes[name].source) for name in benchmark.default_seats]
    starts = benchmark.list_starts(make_config(benchmark), players)
    if starts is None:
        return
    assert len(set(starts.seeds)) == len(starts.seeds)
    seated = tuple(players)
    known = list(benchmark.play_bouts(starts.config, [Bout(seed, seated) for seed in starts.seeds]))
    drawn = list(benchmark.play_bouts(starts.config, [Bout(seed, seated) for seed in range(1000, 1050)]))
    assert all(results in known for results in drawn)
    assert benchmark.list_starts(make_config(benchmark), [*players, Player(players[0].decide)]) is None


@each_benchmark
def test_opening_a_batch_changes_nothing(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    assert episode.open() == episode.open()
    assert not episode.results().reason


@each_benchmark
def test_a_log_cut_after_any_line_resumes_to_the_same_results(benchmark: Benchmark, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    record(benchmark, whole)
    events = read_log(whole).require_sound().events
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) > 5
    for count in range(1, len(lines)):
        cut = tmp_path / f"cut-{count}.jsonl"
        cut.write_bytes(b"".join(lines[:count]))
        asyncio.run(resume_episode(cut, clock=SystemClock(), observe=lambda event, known: None))
        assert read_log(cut).require_sound().events == events
        assert audit_log(cut).status is AuditStatus.INTACT


@each_benchmark
def test_an_audit_finds_nothing_in_what_was_played_wherever_it_is_cut(benchmark: Benchmark) -> None:
    config = make_config(benchmark)
    for stop_after in (None, 1):
        events = number(play_short(benchmark, stop_after=stop_after))
        for count in range(len(events) + 1):
            assert list(benchmark.audit(config, events[:count])) == []


@pytest.mark.slow
@each_benchmark
def test_an_audit_finds_every_changed_field_of_what_was_derived(benchmark: Benchmark) -> None:
    config = make_config(benchmark)
    marked = play_marked(benchmark.start(config), answer_with_baselines(benchmark))
    events = [event for _, event in marked]
    changed_count = 0
    for index, (is_seal, event) in enumerate(marked):
        # What a seat submitted is where derivation starts from; where it stands is derived as well.
        for path, changed in [] if is_seal else list_changes(event):
            forged = [*events[:index], changed, *events[index + 1 :]]
            finding = next(benchmark.audit(config, number(forged)), None)
            assert finding is not None, f"event {index} ({type(event).__name__}): {path}"
            assert finding.sequence <= index + 2
            changed_count += 1
    assert changed_count > 50


@each_benchmark
def test_an_audit_finds_events_that_are_missing_doubled_or_out_of_place(benchmark: Benchmark) -> None:
    config = make_config(benchmark)
    events = play_short(benchmark)
    for index in range(len(events) - 1):
        for forged in (
            [*events[:index], *events[index + 1 :]],
            [*events[: index + 1], *events[index:]],
            [*events[:index], events[index + 1], events[index], *events[index + 2 :]],
        ):
            assert next(benchmark.audit(config, number(forged)), None) is not None, index
    assert next(benchmark.audit(config, number([*events, events[-1]])), None) is not None


@each_benchmark
def test_every_bad_reply_is_rejected_in_words_and_the_fallback_plays(benchmark: Benchmark) -> None:
    config = make_config(benchmark)
    episode = benchmark.start(config)
    batch = episode.open()
    assert batch is not None
    for name, reply in BAD_REPLIES.items():
        if reply.text is not None:
            reading = episode.read(batch.requests[0], reply)
            assert isinstance(reading, Rejection), name
            assert reading.reason, name
        decision = decide(episode, batch.requests[0], always(reply))
        assert decision.origin is Origin.FALLBACK, name
    for name, reply in BAD_REPLIES.items():
        events = play_short(benchmark, always(reply))
        assert list(benchmark.audit(config, number(events))) == [], name
        assert next(event for event in events if getattr(event, "origin", None) is Origin.FALLBACK), name


@each_benchmark
def test_a_seats_hidden_texts_reach_no_other_seat(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    answer = answer_with_baselines(benchmark)
    seen_own = False
    while (batch := episode.open()) is not None:
        decisions = []
        for request in batch.requests:
            text = msgspec.json.encode(request.observation).decode()
            for seat in range(len(episode.aliases)):
                assert f"secret{seat}" not in text or seat == request.seat
                seen_own |= f"secret{seat}" in text
            decision = decide(episode, request, answer)
            secrets = dict.fromkeys(HIDDEN_TEXTS[benchmark.name], f"secret{request.seat}")
            decisions.append(msgspec.structs.replace(decision, **secrets))
        for _ in episode.advance(decisions):
            pass
    assert seen_own


@each_benchmark
def test_no_observation_depends_on_what_other_seats_submit_at_the_same_time(benchmark: Benchmark) -> None:
    """What is open is shown to all before anybody has decided, whatever order they are asked in."""
    episode = benchmark.start(make_config(benchmark))
    batch = episode.open()
    assert batch is not None
    for request in batch.requests:
        decide(episode, request, answer_with_baselines(benchmark))
        decide(episode, request, lambda _: BAD_REPLIES["prose"])
    assert episode.open() == batch


@each_benchmark
def test_a_decision_survives_being_written_as_a_reply(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    batch = episode.open()
    assert batch is not None
    for request in batch.requests:
        decision = decide(episode, request, answer_with_baselines(benchmark))
        for scripted in (True, False):
            reply = Reply(benchmark.render_reply(decision, scripted=scripted), scripted=scripted)
            again = episode.read(request, reply)
            assert not isinstance(again, Rejection)
            assert msgspec.structs.replace(again, origin=decision.origin, repairs=()) == decision


@each_benchmark
def test_a_worksheet_shows_the_problem_and_an_untouched_draft_comes_back(benchmark: Benchmark) -> None:
    for observation in benchmark.sample_observations():
        first = benchmark.render_worksheet(observation, "", "")
        second = benchmark.render_worksheet(observation, "a strange problem", first.text)
        assert "a strange problem" not in first.text
        assert "a strange problem" in second.text
        assert isinstance(benchmark.read_worksheet(first.text), str | Rejection)
        assert benchmark.read_worksheet(first.text) == benchmark.read_worksheet(second.text)


@each_benchmark
def test_every_key_has_one_meaning_and_its_reply_is_taken_as_it_stands(benchmark: Benchmark) -> None:
    keyboard = benchmark.keyboard
    if keyboard is None:
        return
    kept_free = {HELP, EDITOR, STOP, LINE}
    batch = benchmark.start(benchmark.configure({})).open()
    assert batch is not None
    for observation in (*benchmark.sample_observations(), batch.requests[0].observation):
        strokes = keyboard.list_strokes(observation, "")
        keys = [key for stroke in strokes for key in stroke.keys]
        assert keys
        assert len(keys) == len(set(keys))
        assert not kept_free & set(keys)
        assert all(key == key.lower() for key in keys if len(key) == 1)
        assert all(benchmark.check_script(stroke.reply) is None for stroke in strokes)
        full, compact = keyboard.draw(observation, False), keyboard.draw(observation, True)
        assert 0 < len(compact) <= len(full)
    for line in (*keyboard.help, *("".join(span.text for span in spans) for spans in full)):
        assert len(line) < 80
        assert "\n" not in line


@each_benchmark
def test_what_prompts_are_made_of_is_plain_and_the_same_every_time(benchmark: Benchmark) -> None:
    encode_canonical(dict(benchmark.prompt_facts()))
    samples = benchmark.sample_observations()
    assert samples
    assert list(samples) == list(benchmark.sample_observations())
    for sample in samples:
        encode_canonical(msgspec.to_builtins(sample))
        assert type(sample) is type(samples[0])
    batch = benchmark.start(benchmark.configure({})).open()
    assert batch is not None
    assert type(batch.requests[0].observation) is type(samples[0])


@each_benchmark
def test_a_view_renders_every_cut_of_an_episode(benchmark: Benchmark) -> None:
    config = make_config(benchmark)
    view = benchmark.make_view()
    events = play_short(benchmark)
    names = benchmark.default_seats
    for count in range(len(events) + 1):
        recording = Recording(config, names, events[:count])
        assert view.render_summary(recording)
        view.tell_result(recording)
        for part in range(1, view.count_parts(recording) + 1):
            assert view.render_part(recording, part)
    recording = Recording(config, names, events)
    assert view.tell_result(recording)
    assert view.count_parts(recording) == sum(map(view.ends_part, events))
    asked = {opened.batch.part for opened in Following(benchmark.start(config), events) if opened.sealed}
    assert len(asked) == sum(map(view.ends_batch, events))
    assert all(noun.isidentifier() for noun in (view.part_noun, view.batch_noun, view.moment_noun))
    for block in view.render_summary(recording):
        assert isinstance(block, Table | Section)
        if isinstance(block, Table):
            assert {len(row) for row in block.rows} == {len(block.columns)}


@each_benchmark
@pytest.mark.parametrize("compact", [False, True])
def test_pictures_go_from_before_the_first_moment_to_the_last_in_one_size(
    benchmark: Benchmark, compact: bool
) -> None:
    view = benchmark.make_view()
    recording = Recording(make_config(benchmark), benchmark.default_seats, play_short(benchmark))
    pictures = list(view.iterate_pictures(recording, 1, compact=compact))
    assert len(pictures) > 5
    moments = [picture.moment for picture in pictures]
    assert moments[0] == -1
    assert moments == sorted(set(moments))
    assert len({len(picture.lines) for picture in pictures}) == 1
    assert any(picture.happenings for picture in pictures)
    if compact:
        assert len(pictures[0].lines) <= 20


@each_benchmark
@pytest.mark.parametrize("compact", [False, True])
def test_pictures_can_be_drawn_as_play_goes_on_each_once(benchmark: Benchmark, compact: bool) -> None:
    view = benchmark.make_view()
    events = play_short(benchmark)
    config = make_config(benchmark)
    paint = view.start_pictures(config, compact=compact)
    parts: list[list[Picture]] = [[]]
    for event in events:
        parts[-1] += paint(event)
        if view.ends_part(event):
            parts.append([])
    assert parts.pop() == []
    recording = Recording(config, benchmark.default_seats, events)
    assert len(parts) == view.count_parts(recording) > 0
    for part, pictures in enumerate(parts, start=1):
        assert pictures == list(view.iterate_pictures(recording, part, compact=compact)) != []


@each_benchmark
def test_an_early_end_closes_the_episode(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    events = play(episode, answer_with_baselines(benchmark), stop_after=1)
    assert episode.open() is None
    assert episode.results().reason == "deadline"
    assert isinstance(events[-1], benchmark.event_types[-1])


@each_benchmark
def test_results_rank_every_seat_once_and_say_why_it_ended(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    seats = range(len(episode.aliases))
    play(episode, answer_with_baselines(benchmark))
    results = episode.results()
    assert sorted(results.ranking) == list(seats)
    assert len(results.scores) == len(seats)
    assert results.reason
    assert benchmark.count_most_batches(make_config(benchmark)) >= 1


def make_request(request: Request, attempt: int) -> Request:
    return msgspec.structs.replace(request, attempt=attempt)


@each_benchmark
def test_a_repaired_reply_says_that_it_is_one(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    batch = episode.open()
    assert batch is not None
    first = decide(episode, batch.requests[0], answer_with_baselines(benchmark))
    reply = Reply(benchmark.render_reply(first, scripted=False))
    origins = []
    for attempt in (1, 2):
        reading = episode.read(make_request(batch.requests[0], attempt), reply)
        assert not isinstance(reading, Rejection)
        origins.append(reading.origin)
    assert origins == [Origin.LLM, Origin.RETRY]


HUGE = "1" * 5000
HOSTILE_REPLIES = (
    *(f'{{"{key}": {value}}}' for key in ("dir", "alt", "script", "say", "notes", "banner", "steps", "bot")
      for value in (HUGE, f"-{HUGE}", f"[{HUGE}]", "1e999", "-1e-999", "NaN", "null", "{}", '"\\ud800"')),
    '{"dir": 0}' + HUGE,
    '{"script": ["' + "x" * 100_000 + '"]}',
    "[" * 100_000,
    '{"a":' * 50_000,
    '{"script": "' + "\\\\" * 50_000,
    "\x00\ufeff\u202e" * 1000,
    '{"' + "k" * 100_000 + '": 1}',
    "```" * 10_000,
    "<think>" * 10_000,
)  # fmt: skip


@each_benchmark
def test_no_reply_makes_reading_raise_or_take_long(benchmark: Benchmark) -> None:
    episode = benchmark.start(make_config(benchmark))
    batch = episode.open()
    assert batch is not None
    started = time.process_time()
    for text in HOSTILE_REPLIES:
        for cut in (text, text[:-1]):
            reading = episode.read(batch.requests[0], Reply(cut))
            assert isinstance(reading, Rejection | Decision)
    assert time.process_time() - started < 0.1 * len(HOSTILE_REPLIES)
