"""`gridwars --help` answers at once, because it imports next to nothing."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile

HELP = [sys.executable, "-c", "from gridwars.cli.main import run; run(['--help'])"]
HEAVY = {
    "lark",
    "rich",
    "asyncio",
    "openai",
    "anthropic",
    "jinja2",
    "pygments",
    "tenacity",
    "gridwars.harness",
}


def test_help_imports_no_heavy_module() -> None:
    program = HELP[-1] + "; import sys; print('modules:', *sys.modules, file=sys.stderr)"
    done = subprocess.run([*HELP[:-1], program], capture_output=True, text=True, check=True)
    modules = set(done.stderr.partition("modules:")[2].split())
    assert "click" in modules
    assert modules & HEAVY == set()


def test_who_plays_one_game_does_not_wait_for_another() -> None:
    program = (
        "from gridwars.cli.main import run; run(['play', '--rounds', '1', '--ticks', '20', '--out', '{}'])"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = program.format(f"{folder}/log.jsonl") + "; import sys; print('modules:', *sys.modules)"
        done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    modules = set(done.stdout.partition("modules:")[2].split())
    assert "gridwars.benchmarks.grid_wars.benchmark" in modules
    assert not [name for name in modules if name.startswith("gridwars.benchmarks.snake_royale.")]


def test_help_takes_less_than_300_milliseconds_of_processor_time() -> None:
    """Processor time, since the wall clock also measures whatever else this machine does."""
    assert statistics.median(_measure_seconds() for _ in range(5)) < 0.3


def _measure_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(HELP, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
