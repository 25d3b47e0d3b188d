"""The PettingZoo environment: its own tests, and that it is the benchmark's game."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pytest

pytest.importorskip("pettingzoo", reason="needs the extra `pettingzoo`")

from pettingzoo.test import parallel_api_test, parallel_seed_test

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.parallel_env import SnakeRoyaleEnv
from gridwars.benchmarks.snake_royale.rules import ALIASES, DIRECTIONS, Module, configure
from tests.gridwars.benchmarks.snake_royale.games import order_text, take_turn

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")


@pytest.mark.parametrize("module", Module)
def test_pettingzoos_own_tests_pass(module: Module) -> None:
    parallel_api_test(SnakeRoyaleEnv(module=module.value), num_cycles=200)
    parallel_seed_test(lambda: SnakeRoyaleEnv(module=module.value), num_cycles=20)


@pytest.mark.parametrize("module", Module)
def test_a_game_is_that_of_the_benchmark_and_its_rewards_are_the_scores(module: Module) -> None:
    for seed in range(5):
        chance = random.Random(seed)
        env = SnakeRoyaleEnv(module=module.value)
        episode = SnakeRoyaleEpisode(configure({"module": module.value, "seed": seed}))
        observations, _ = env.reset(seed=seed)
        totals = dict.fromkeys(ALIASES, 0.0)
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = [code for code in range(4) if observations[agent]["action_mask"][code]]
                actions[agent] = chance.choice(legal or [0])
            texts: dict[int, str | None] = {
                ALIASES.index(agent): order_text(DIRECTIONS[code]) for agent, code in actions.items()
            }
            take_turn(episode, texts)
            observations, rewards, dead, out_of_time, _ = env.step(actions)
            for agent, reward in rewards.items():
                totals[agent] += reward
                assert bool(reward) <= (dead[agent] or out_of_time[agent])
        assert episode.open() is None
        scores = episode.results().scores
        for agent, score in zip(ALIASES, scores, strict=True):
            top, _, bottom = score.partition("/")
            assert totals[agent] == pytest.approx(int(top) / int(bottom or 1))
        assert sum(totals.values()) == pytest.approx(0)


def test_games_without_a_seed_differ_and_a_board_can_be_read() -> None:
    env = SnakeRoyaleEnv(render_mode="ansi")
    env.reset()
    first = env.render()
    env.step(dict.fromkeys(ALIASES, 0))
    env.reset()
    second = env.render()
    assert first is not None
    assert second is not None
    assert first != second
    assert [first.count(letter) for letter in "ABCD*"] == [1, 1, 1, 1, 3]


def test_a_wrong_option_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="board_w"):
        SnakeRoyaleEnv(board_w=3)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"action": 4}, "the action is 4; it must be an integer from 0 to 3"),
        ({"action": -1}, "the action is -1; it must be"),
        ({"action": "up"}, "the action is 'up'; it must be"),
        ({"action": 0.5}, "the action is 0.5; it must be"),
        ({"missing": True}, "no action for"),
        ({"stranger": True}, "'nobody' is no agent; there is"),
    ],
)
def test_an_illegal_action_is_named_and_nothing_is_played(change: dict[str, object], problem: str) -> None:
    env = SnakeRoyaleEnv(module="geese")
    env.reset(seed=1)
    actions: dict[str, object] = dict.fromkeys(env.agents, 0)
    first = env.agents[0]
    if "action" in change:
        actions[first] = change["action"]
    elif "missing" in change:
        del actions[first]
    else:
        actions["nobody"] = 0
    before = env._episode.state.turn
    with pytest.raises(ValueError, match=re.escape(problem)):
        env.step(actions)  # type: ignore[arg-type]  # what a mistaken caller gives
    assert env._episode.state.turn == before
    assert len(env.agents) == 4


def test_a_step_after_the_end_says_so() -> None:
    with pytest.raises(ValueError, match="reset"):
        SnakeRoyaleEnv().step({})


@pytest.mark.parametrize(
    ("module", "program", "extra"),
    [
        ("pettingzoo", "import gridwars.benchmarks.snake_royale.parallel_env", "pettingzoo"),
        ("pandas", "import gridwars; gridwars.to_pandas([])", "tables"),
        ("polars", "import gridwars; gridwars.to_polars([])", "tables"),
    ],
)
def test_a_missing_extra_names_the_line_that_installs_it(module: str, program: str, extra: str) -> None:
    hidden = f"import sys; sys.modules['{module}'] = None; {program}"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert f"{module} is not installed; " in last
    assert f"pip install '.[{extra}]'" in last
