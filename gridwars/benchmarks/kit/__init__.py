"""Checks any game against the contract: `python -m gridwars.benchmarks.kit MODULE:CLASS`, or from a test.

A check is a function that yields findings in plain words; `CHECKS` holds all by what a game does that
passes, and `run_check` tells a pass from a failure and from what the game lacks.
"""

from gridwars.benchmarks.kit.checks import CHECKS, SLOW_CHECKS
from gridwars.benchmarks.kit.trial import Trial, Verdict, VerdictKind, run_check

__all__ = ["CHECKS", "SLOW_CHECKS", "Trial", "Verdict", "VerdictKind", "run_check"]
