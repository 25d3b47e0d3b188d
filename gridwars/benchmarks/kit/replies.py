"""Checks of how replies are read: whatever comes is taken or rejected in words, and soon."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import msgspec

from gridwars.benchmarks.contract import Decision, Origin, Outcome, Rejection, Reply
from gridwars.benchmarks.kit.playing import Answerer, answer_with_baselines, decide
from gridwars.benchmarks.kit.trial import Trial, number, open_first

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
"""What no game can take."""

_HUGE = "1" * 5000
HOSTILE_REPLIES = (
    *(f'{{"{key}": {value}}}' for key in ("dir", "alt", "script", "say", "notes", "banner", "steps", "bot")
      for value in (_HUGE, f"-{_HUGE}", f"[{_HUGE}]", "1e999", "-1e-999", "NaN", "null", "{}", '"\\ud800"')),
    '{"dir": 0}' + _HUGE,
    '{"script": ["' + "x" * 100_000 + '"]}',
    "[" * 100_000,
    '{"a":' * 50_000,
    '{"script": "' + "\\\\" * 50_000,
    "\x00\ufeff\u202e" * 1000,
    '{"' + "k" * 100_000 + '": 1}',
    "```" * 10_000,
    "<think>" * 10_000,
)  # fmt: skip
"""What a game may take or not, but must read soon and without an error."""

_MOST_SECONDS = 0.1
"""Of processor time, for one of them on average, whole and one character short."""


def always(reply: Reply) -> Answerer:
    return lambda request: reply


def check_bad_replies(trial: Trial) -> Iterator[str]:
    config = trial.configure()
    episode = trial.start()
    request = open_first(episode).requests[0]
    for name, reply in BAD_REPLIES.items():
        if reply.text is not None:
            reading = episode.read(request, reply)
            if not isinstance(reading, Rejection):
                yield f"{name} is taken"
            elif not reading.reason:
                yield f"{name} is rejected without a reason"
        if decide(episode, request, always(reply)).origin is not Origin.FALLBACK:
            yield f"after {name} the decision's origin is no fallback"
        events = trial.play(always(reply))
        for finding in trial.benchmark.audit(config, number(events)):
            yield f"an audit of an episode of {name} finds: {finding}"
        if not any(getattr(event, "origin", None) is Origin.FALLBACK for event in events):
            yield f"no event says that the fallback was played after {name}"


def check_hostile_replies(trial: Trial) -> Iterator[str]:
    episode = trial.start()
    request = open_first(episode).requests[0]
    started = time.process_time()
    for text in HOSTILE_REPLIES:
        for cut in (text, text[:-1]):
            if not isinstance(episode.read(request, Reply(cut)), Rejection | Decision):
                yield f"read gives neither a decision nor a rejection for {cut[:40]!r}"
    seconds = time.process_time() - started
    if seconds > _MOST_SECONDS * len(HOSTILE_REPLIES):
        yield f"reading takes {seconds / len(HOSTILE_REPLIES):.2f} s a reply; {_MOST_SECONDS} s are bearable"


def check_written_replies(trial: Trial) -> Iterator[str]:
    benchmark = trial.benchmark
    episode = trial.start()
    for request in open_first(episode).requests:
        decision = decide(episode, request, answer_with_baselines(benchmark))
        for scripted in (True, False):
            reply = Reply(benchmark.render_reply(decision, scripted=scripted), scripted=scripted)
            again = episode.read(request, reply)
            kind = "a scripted reply" if scripted else "a reply"
            if isinstance(again, Rejection):
                yield f"a decision written as {kind} is rejected: {again.reason}"
            elif msgspec.structs.replace(again, origin=decision.origin, repairs=()) != decision:
                yield f"a decision written as {kind} is read as another"


def check_origins(trial: Trial) -> Iterator[str]:
    episode = trial.start()
    request = open_first(episode).requests[0]
    decision = decide(episode, request, answer_with_baselines(trial.benchmark))
    reply = Reply(trial.benchmark.render_reply(decision, scripted=False))
    for attempt, origin in ((1, Origin.LLM), (2, Origin.RETRY)):
        reading = episode.read(msgspec.structs.replace(request, attempt=attempt), reply)
        found = "a rejection" if isinstance(reading, Rejection) else reading.origin.value
        if found != origin.value:
            yield f"attempt {attempt} has the origin {found}, not {origin.value}"
