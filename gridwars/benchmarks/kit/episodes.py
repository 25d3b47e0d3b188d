"""Checks of episodes: the same every time, well ordered, ended in words, repeated from what they seal."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from gridwars.benchmarks.contract import Bout, ConfigurationError, Decision, Option, Player, Reply
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.kit.playing import answer_with_baselines, decide, play
from gridwars.benchmarks.kit.trial import Lacks, Trial, open_first
from gridwars.canonical import Json, encode_canonical

_OTHER_SEEDS = range(1000, 1050)


def check_seats(trial: Trial) -> Iterator[str]:
    benchmark = trial.benchmark
    if not benchmark.baselines:
        yield "there is no baseline"
    for name in set(benchmark.default_seats) - set(benchmark.baselines):
        yield f"default_seats names {name!r}, which is no baseline"
    if list(benchmark.baseline_notes) != list(benchmark.baselines):
        yield "baseline_notes and baselines do not name the same, in the same order"
    aliases = benchmark.start(benchmark.configure({})).aliases
    if len(set(aliases)) != len(aliases):
        yield f"two seats have the same alias: {', '.join(aliases)}"
    if len(aliases) not in benchmark.seat_counts:
        yield f"an episode has {len(aliases)} seats, which is not in seat_counts"


def check_options(trial: Trial) -> Iterator[str]:
    benchmark = trial.benchmark
    if not any(option.name == "seed" for option in benchmark.options):
        yield "there is no option seed"
    for option in benchmark.options:
        default: Json = msgspec.to_builtins(option.default)
        benchmark.configure({option.name: default})
        if type(option.default) is int and None in (option.minimum, option.maximum):
            yield f"the option {option.name} has no least or no greatest value"
            continue
        for value in _list_wrong_values(option):
            yield from _expect_refusal(trial, option.name, value)
    yield from _expect_refusal(trial, "no_such_option", 1)
    config = trial.configure(seed=77)
    logged = msgspec.to_builtins(config)
    encode_canonical(logged)
    if benchmark.configure(json.loads(json.dumps(logged))) != config:
        yield "a configuration does not come back from what a log holds of it"


def _expect_refusal(trial: Trial, name: str, value: Json) -> Iterator[str]:
    try:
        trial.benchmark.configure({name: value})
    except ConfigurationError as error:
        if name not in str(error):
            yield f"the error about {name}={value!r} does not name it: {error}"
    else:
        yield f"configure takes {name}={value!r}"


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


def check_determinism(trial: Trial) -> Iterator[str]:
    benchmark = trial.benchmark
    events = trial.play()
    if events != trial.play():
        yield "the same seed and decisions give other events"
    other = benchmark.start(trial.configure(seed=99))
    if events == play(other, answer_with_baselines(benchmark)):
        yield "another seed gives the same events"
    for event in events:
        encode_canonical(msgspec.to_builtins(event))
        if msgspec.json.decode(msgspec.json.encode(event), type=type(event)) != event:
            yield f"an event does not come back from JSON: {type(event).__name__}"
        if not isinstance(event, benchmark.event_types):
            yield f"event_types lacks {type(event).__name__}"


def check_starts(trial: Trial) -> Iterator[str]:
    benchmark, config = trial.benchmark, trial.configure()
    notes = benchmark.baseline_notes
    seated = tuple(Player(benchmark.baselines[name], notes[name].source) for name in benchmark.default_seats)
    starts = benchmark.list_starts(config, seated)
    if starts is None:
        raise Lacks("the game lists no starts for the usual baselines")
    if len(set(starts.seeds)) != len(starts.seeds):
        yield "a seed is listed twice"
    known = list(benchmark.play_bouts(starts.config, [Bout(seed, seated) for seed in starts.seeds]))
    for seed in _OTHER_SEEDS:
        (results,) = benchmark.play_bouts(starts.config, [Bout(seed, seated)])
        if results not in known:
            yield f"seed {seed} brings what none of the listed starts does"


def check_opening(trial: Trial) -> Iterator[str]:
    episode = trial.start()
    batch = open_first(episode)
    if episode.open() != batch:
        yield "a second open gives another batch"
    if episode.results().reason:
        yield "a new episode already has a reason for its end"
    for request in batch.requests:
        decide(episode, request, answer_with_baselines(trial.benchmark))
        decide(episode, request, lambda _: Reply("no answer"))
    if episode.open() != batch:
        yield "what is open depends on what seats submit at the same time"


def check_repetition(trial: Trial) -> Iterator[str]:
    """From what its events seal an episode is played again: what resuming a log relies on."""
    events = trial.play()
    episode = trial.start()
    following = Following(episode, events)
    while (opened := following.open()) is not None:
        if opened.decisions is None:
            yield f"the decisions of batch {opened.batch.part} cannot be read back from what was sealed"
            return
        for derived, recorded in following.compare(episode.advance(opened.decisions)):
            if list(derived) != list(recorded):
                yield f"played again from its own decisions, batch {opened.batch.part} has other events"
                return


def check_early_end(trial: Trial) -> Iterator[str]:
    episode = trial.start()
    events = play(episode, answer_with_baselines(trial.benchmark), stop_after=1)
    if episode.open() is not None:
        yield "it goes on"
    if episode.results().reason != "deadline":
        yield f'the reason is {episode.results().reason!r}, not "deadline"'
    if not isinstance(events[-1], trial.benchmark.event_types[-1]):
        yield "its last event is not the last of event_types"


def check_results(trial: Trial) -> Iterator[str]:
    episode = trial.start()
    seats = list(range(len(episode.aliases)))
    batch_count = 0
    while (batch := episode.open()) is not None:
        batch_count += 1
        if batch.part != batch_count:
            yield f"batch {batch_count} has the number {batch.part}"
        answer = answer_with_baselines(trial.benchmark)
        for _ in episode.advance([decide(episode, request, answer) for request in batch.requests]):
            pass
    results = episode.results()
    if sorted(results.ranking) != seats:
        yield f"the ranking is {results.ranking}, not every seat once"
    if len(results.scores) != len(seats):
        yield f"there are {len(results.scores)} scores of {len(seats)} seats"
    if not results.reason:
        yield "they do not say why it ended"
    most = trial.benchmark.count_most_batches(trial.configure())
    if batch_count > most:
        yield f"there were {batch_count} batches, more than count_most_batches says: {most}"


def check_secrets(trial: Trial) -> Iterator[str]:
    if not trial.hidden:
        raise Lacks("no field of a decision is named as hidden")
    episode = trial.start()
    answer = answer_with_baselines(trial.benchmark)
    seen_own = False
    while (batch := episode.open()) is not None:
        decisions: list[Decision] = []
        for request in batch.requests:
            text = msgspec.json.encode(request.observation).decode()
            for seat in range(len(episode.aliases)):
                if f"secret{seat}" in text and seat != request.seat:
                    yield f"in batch {batch.part} seat {request.seat} sees what seat {seat} hides"
                seen_own |= f"secret{seat}" in text
            secrets = dict.fromkeys(trial.hidden, f"secret{request.seat}")
            decisions.append(msgspec.structs.replace(decide(episode, request, answer), **secrets))
        for _ in episode.advance(decisions):
            pass
    if not seen_own:
        yield "no seat ever sees its own hidden texts, so that nothing was tried"
