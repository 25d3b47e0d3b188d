"""Who takes part in a comparison: scripted players under names that are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gridwars.benchmarks.contract import Benchmark, Player
from gridwars.policies.builtin import BuiltinPolicy
from gridwars.policies.checks import Warned
from gridwars.policies.file import FilePolicy
from gridwars.policies.policy import Policy, PolicyError
from gridwars.policies.registry import make_policies
from gridwars.policies.search import SearchPolicy


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player, what it is called in tables, and what its author should look at, "" for nothing."""

    name: str
    player: Player
    warning: str = ""

    def find_warning(self) -> str:
        return self.warning


def make_contestants(texts: Sequence[str], benchmark: Benchmark) -> tuple[Contestant, ...]:
    """What an operator's texts name, in their order; the second of a name gets a number.

    Args:
        texts: built-ins, files, or whatever else can fill a seat and is scripted.

    Raises:
        PolicyError: for a text that cannot be filled, and for a policy that must be asked.
    """
    policies = make_policies(texts, list(texts), benchmark)
    seen: Counter[str] = Counter()
    contestants = []
    for text, policy in zip(texts, policies, strict=True):
        name = policy.record.policy
        seen[name] += 1
        number = f"#{seen[name]}" if seen[name] > 1 else ""
        warning = policy.find_warning() if isinstance(policy, Warned) else ""
        contestants.append(Contestant(f"{name}{number}", _find_player(text, policy, benchmark), warning))
    return tuple(contestants)


def _find_player(text: str, policy: Policy, benchmark: Benchmark) -> Player:
    match policy:
        case BuiltinPolicy():
            name = policy.record.policy
            return Player(benchmark.baselines[name], benchmark.baseline_notes[name].source)
        case FilePolicy():
            script = policy.record.parameters["text"]
            assert isinstance(script, str), "a file's record holds its text"
            return Player(lambda observation: script, script)
        case SearchPolicy():
            return Player(policy.decide)
        case _:
            raise PolicyError(f'"{text}" cannot take part: only built-ins, files and searches play unasked')
