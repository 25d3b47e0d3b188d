"""Snake Royale for reinforcement learning: a PettingZoo `ParallelEnv` over the benchmark's own episode.

Needs the extra `pettingzoo`; nothing else imports this module. Agents are the seats' aliases, actions the
directions in wire order. A seat's reward is 0 until it dies or the game ends and then its score, which is
settled by then: who dies later survives longer. So rewards of a game sum to 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

try:
    import numpy
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import ParallelEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error.name} is not installed; the environment needs: pip install '.[pettingzoo]'", name=error.name
    ) from error

from gridwars.benchmarks.contract import Origin
from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    DIRECTIONS,
    EndRule,
    compute_places,
    configure,
)
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.view import draw_plain_board
from gridwars.canonical import Json

Observation = dict[str, NDArray[Any]]  # Any: element types differ by key, see `observation_space`

PLANES = ("own head", "own body", "heads", "bodies", "tails that move on", "food")
"""What the planes of an observation's board show, each 1 where it is so."""

_LONGEST = 31 * 21
_HEALTHIEST = 200


class SnakeRoyaleEnv(ParallelEnv[str, Observation, int]):
    """One game after another.

    An observation is a dictionary of `board` (planes, rows, columns), `action_mask` (1 for legal
    directions), `lengths` and `healths` (the own first, then the others by seat) and `turns_left`.
    """

    metadata: ClassVar[dict[str, Any]] = {  # Any: as PettingZoo has it
        "name": "snake_royale_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def __init__(self, render_mode: str | None = None, **options: Json) -> None:
        """Sets the game up.

        Args:
            options: as the benchmark's configuration has them: module, board_w, max_turns and so on.

        Raises:
            ConfigurationError: names the option, the value and the range.
        """
        self.render_mode = render_mode
        self.possible_agents = list(ALIASES)
        self.agents: list[str] = []
        self._options = dict(options)
        self._config = configure(self._options)
        self._episode = SnakeRoyaleEpisode(self._config)
        shape = (len(PLANES), self._config.board_h, self._config.board_w)
        counts = (len(ALIASES),)
        space = spaces.Dict(
            {
                "board": spaces.Box(0, 1, shape, numpy.int8),
                "action_mask": spaces.Box(0, 1, (len(DIRECTIONS),), numpy.int8),
                "lengths": spaces.Box(0, _LONGEST, counts, numpy.int32),
                "healths": spaces.Box(0, _HEALTHIEST, counts, numpy.int32),
                "turns_left": spaces.Box(0, self._config.max_turns, (1,), numpy.int32),
            }
        )
        self.observation_spaces = dict.fromkeys(ALIASES, space)
        self.action_spaces = {alias: spaces.Discrete(len(DIRECTIONS)) for alias in ALIASES}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new game; without a seed on the one after the last."""
        if seed is None:
            seed = self._config.seed + bool(self._episode.state.turn)
        self._config = configure(self._options | {"seed": seed})
        self._episode = SnakeRoyaleEpisode(self._config)
        self.agents = list(ALIASES)
        return self._observe_all(self.agents), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """One turn; an action of every living agent.

        Raises:
            ValueError: for an agent without an action, an action that is none of the space, and a stranger;
                nothing has been played then.
        """
        state = self._episode.state
        moving = self.agents
        self._require_actions(actions)
        orders = [
            Order(
                seat=ALIASES.index(agent), origin=Origin.SCRIPTED, direction=DIRECTIONS[int(actions[agent])]
            )
            for agent in moving
        ]
        for _ in self._episode.advance(orders):
            pass
        scores = compute_place_points(
            compute_places(
                [(snake.survived_turns, snake.final_length, snake.food_eaten) for snake in state.snakes]
            )
        )
        end_rule = state.end_rule
        alive = {ALIASES[snake.seat] for snake in state.living}
        dead = {agent: agent not in alive for agent in moving}
        out_of_time = {agent: end_rule is EndRule.FULL_TIME and agent in alive for agent in moving}
        over = {agent: dead[agent] or end_rule is EndRule.LAST_STANDING for agent in moving}
        rewards = {
            agent: scores[ALIASES.index(agent)] / 1000 if over[agent] or out_of_time[agent] else 0.0
            for agent in moving
        }
        self.agents = [] if end_rule else [agent for agent in moving if agent in alive]
        return self._observe_all(moving), rewards, over, out_of_time, {agent: {} for agent in moving}

    def _require_actions(self, actions: Mapping[str, int]) -> None:
        if not self.agents:
            raise ValueError("the game is over; reset() begins another")
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"no action for {agent}; every living agent needs one: {self.agents}")
            action = actions[agent]
            if not self.action_spaces[agent].contains(action):
                raise ValueError(
                    f"{agent}: the action is {action!r}; it must be an integer from 0 to "
                    f"{len(DIRECTIONS) - 1}, for {', '.join(DIRECTIONS)}"
                )
        for agent in actions:
            if agent not in self.possible_agents:
                raise ValueError(f"{agent!r} is no agent; there is: {', '.join(self.possible_agents)}")

    def render(self) -> str | None:
        """The board as text, where the mode is `ansi`."""
        return draw_plain_board(self._episode.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _observe_all(self, agents: list[str]) -> dict[str, Observation]:
        sight = Sight(self._episode.state)
        return {agent: self._observe(sight, ALIASES.index(agent)) for agent in agents}

    def _observe(self, sight: Sight, seat: int) -> Observation:
        state = sight.state
        board, switches = state.board, state.switches
        planes = numpy.zeros((len(PLANES), switches.board_h, switches.board_w), numpy.int8)

        def mark(plane: int, cell: int) -> None:
            x, y = board.coordinates[cell]
            planes[plane, y, x] = 1

        for snake in sight.living:
            is_own = snake.seat == seat
            mark(0 if is_own else 2, snake.body[0])
            for cell in snake.body[1:]:
                mark(1 if is_own else 3, cell)
            if not sight.will_occupy(snake.body[-1]):
                mark(4, snake.body[-1])
        for cell in state.food:
            mark(5, cell)
        own = state.snakes[seat]
        order = [own, *(snake for snake in state.snakes if snake is not own)]
        legal = [own.alive and sight.is_legal(own, code) for code in range(len(DIRECTIONS))]
        return {
            "board": planes,
            "action_mask": numpy.array(legal, numpy.int8),
            "lengths": numpy.array([len(snake.body) for snake in order], numpy.int32),
            "healths": numpy.array([snake.health if snake.alive else 0 for snake in order], numpy.int32),
            "turns_left": numpy.array([switches.max_turns - state.turn], numpy.int32),
        }
