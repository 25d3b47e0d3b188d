"""Seats played by a benchmark's own baselines."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from gridwars.benchmarks.contract import Baseline, Benchmark, Reply, Request
from gridwars.log.events import Message, SeatRecord
from gridwars.policies.making import Making, require_no_parameters
from gridwars.policies.policy import Answer, Asking, PolicyError


class BuiltinPolicy:
    """A baseline of the benchmark, by name."""

    scripted = True

    def __init__(self, name: str, alias: str, baseline: Baseline) -> None:
        self.record = SeatRecord(policy=name, kind="builtin", alias=alias)
        self._baseline = baseline

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        return Answer(self.answer_at_once(request))

    def answer_at_once(self, request: Request) -> Reply:
        return Reply(text=self._baseline(request.observation), scripted=True)


def make_builtin(text: str, making: Making) -> BuiltinPolicy:
    """The policy for a baseline's name.

    Raises:
        PolicyError: for a name that the benchmark does not have, and for any parameter.
    """
    require_no_parameters(text, making)
    benchmark = making.benchmark
    if text not in benchmark.baselines:
        close = difflib.get_close_matches(text, benchmark.baselines, n=1)
        known = ", ".join(benchmark.baselines)
        hint = f'did you mean "{close[0]}"?' if close else f"there is: {known}, or a file's path"
        raise PolicyError(f'{benchmark.title} has no built-in player "{text}"; {hint}')
    return BuiltinPolicy(text, making.alias, benchmark.baselines[text])


def restore_builtin(record: SeatRecord, benchmark: Benchmark) -> BuiltinPolicy:
    return make_builtin(record.policy, Making(record.alias, benchmark))
