"""Tables with several seats, for agents that sit together: PettingZoo's AEC and parallel interfaces.

An episode is a round at the table machine. Every agent has a box, places a wager in its turn and is then asked whatever
the rules ask of it; rewards come when the round is settled.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from .gym import ACTIONS, Seats, _table, observation_space
from .table import Table

PASS = ACTIONS.index("pass")


def _seats(
    table: str | Table,
    seats: int,
    stakes: Sequence[int],
    side_wagers: Sequence[str],
    count: str | None,
    fresh_shoes: bool,
    options: dict[str, Any],
) -> Seats:
    return Seats(_table(table, options), seats, stakes, side_wagers, count, fresh_shoes)


class _Boxes:
    """What both interfaces share."""

    seats: Seats
    possible_agents: list[str]

    def _prepare(self, seats: Seats) -> None:
        self.seats = seats
        self.possible_agents = [f"box_{box}" for box in range(1, seats.boxes + 1)]
        self._chance = np.random.default_rng(0)
        self._space = spaces.Dict(
            {
                "observation": observation_space(),
                "action_mask": spaces.Box(0, 1, (seats.actions,), dtype=np.int8),
            }
        )

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.seats.shuffle(int(self._chance.integers(2**63)))
        self.seats.begin()

    @staticmethod
    def _box(agent: str) -> int:
        return int(agent.removeprefix("box_"))

    def _seen(self, agent: str) -> dict[str, NDArray[Any]]:
        box = self._box(agent)
        return {"observation": self.seats.observe(box), "action_mask": self.seats.mask(box)}


class TableAEC(AECEnv[str, Any, Any], _Boxes):  # type: ignore[misc]
    """A table whose agents act one after the other, whoever is asked."""

    metadata = {"name": "cutcard_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        table: str | Table = "nj-blackjack",
        *,
        seats: int = 3,
        stakes: Sequence[int] = (1,),
        side_wagers: Sequence[str] = (),
        count: str | None = None,
        fresh_shoes: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._prepare(_seats(table, seats, stakes, side_wagers, count, fresh_shoes, options))

    @functools.lru_cache(maxsize=None)
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._space

    @functools.lru_cache(maxsize=None)
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(self.seats.actions)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        return self._seen(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.seats.act(self._box(agent), int(action))
        if self.seats.over:
            for other in self.agents:
                self.rewards[other] = self.seats.reward(self._box(other))
                self.terminations[other] = True
            self._accumulate_rewards()
            self._deads_step_first()
            return
        self.agent_selection = f"box_{self.seats.turn}"
        self._accumulate_rewards()

    def render(self) -> str:
        dealer, hands = self.seats.live.cards()
        return "\n".join([f"dealer {dealer}", *(f"box {box} hand {hand}: {cards}" for box, hand, cards in hands)])

    def close(self) -> None:
        pass


class TableParallel(ParallelEnv[str, Any, Any], _Boxes):  # type: ignore[misc]
    """The same where all agents act at once: whoever is not asked may only pass."""

    metadata = {"name": "cutcard_parallel_v0", "render_modes": ["ansi"]}

    def __init__(
        self,
        table: str | Table = "nj-blackjack",
        *,
        seats: int = 3,
        stakes: Sequence[int] = (1,),
        side_wagers: Sequence[str] = (),
        count: str | None = None,
        fresh_shoes: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self._prepare(_seats(table, seats, stakes, side_wagers, count, fresh_shoes, options))

    @functools.lru_cache(maxsize=None)
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._space

    @functools.lru_cache(maxsize=None)
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(self.seats.actions)

    def _asked(self) -> list[int]:
        """All of them while wagers are placed, then one at a time."""
        if self.seats.wagering:
            return list(self.seats.wagering)
        return [] if self.seats.turn is None else [self.seats.turn]

    def _view(self, agent: str) -> dict[str, NDArray[Any]]:
        seen = self._seen(agent)
        if self._box(agent) not in self._asked():
            seen["action_mask"][:] = 0
            seen["action_mask"][PASS] = 1
        return seen

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        self.agents = list(self.possible_agents)
        return {agent: self._view(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        for box in self._asked():
            self.seats.act(box, int(actions[f"box_{box}"]))
        over = self.seats.over
        agents = self.agents
        rewards = {agent: self.seats.reward(self._box(agent)) if over else 0.0 for agent in agents}
        seen = {agent: self._view(agent) for agent in agents}
        ended = dict.fromkeys(agents, over)
        if over:
            self.agents = []
        return seen, rewards, ended, dict.fromkeys(agents, False), {agent: {} for agent in agents}

    def render(self) -> str:
        dealer, hands = self.seats.live.cards()
        return "\n".join([f"dealer {dealer}", *(f"box {box} hand {hand}: {cards}" for box, hand, cards in hands)])

    def close(self) -> None:
        pass


def env(**options: Any) -> TableAEC:
    return TableAEC(**options)


def parallel_env(**options: Any) -> TableParallel:
    return TableParallel(**options)
