"""Tables with several seats for multi-agent play: PettingZoo's AEC and parallel APIs.

An episode is a round at the table machine. Every agent has a box, places a bet and then makes its decisions; rewards
come when the round is settled.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from . import _given
from ._keys import TableOptions
from ._seats import ACTIONS, Seats, table_of
from .errors import NotUnderstood
from .gym import Actions, observation_space, render_mode_of
from .table import Table

PASS = ACTIONS.index("pass")


class TableEnvOptions(TableOptions, total=False):
    """Options of both interfaces.

    Examples:
        >>> options: TableEnvOptions = {"table": "nj-switch", "seats": 2}
        >>> len(env(**options).possible_agents)
        2
    """

    table: str | Table
    seats: int
    stakes: Sequence[int]
    side_wagers: Sequence[str]
    count: str | None
    fresh_shoes: bool
    suits: bool
    render_mode: str | None


OWN = TableEnvOptions.__annotations__.keys() - TableOptions.__annotations__.keys()


class _Boxes:
    """The common part of both interfaces."""

    def __init__(self, options: TableEnvOptions) -> None:
        own: dict[str, Any] = {key: value for key, value in options.items() if key in OWN}
        keys: dict[str, Any] = {key: value for key, value in options.items() if key not in OWN}
        get = own.get
        self.render_mode = render_mode_of(get("render_mode"))
        table, suits = table_of(get("table", "nj-blackjack"), keys), get("suits", False)
        wagers = get("stakes", (1,)), get("side_wagers", ())
        self.seats = Seats(table, get("seats", 3), *wagers, get("count"), get("fresh_shoes", False), suits)
        self.possible_agents = [f"box_{box}" for box in range(1, self.seats.boxes + 1)]
        self._chance = np.random.default_rng(0)
        actions = self.seats.actions
        self._masks = {agent: np.zeros(actions, dtype=np.int8) for agent in self.possible_agents}
        self._actions = {agent: Actions(actions, mask) for agent, mask in self._masks.items()}
        seen = {"observation": observation_space(suits), "action_mask": spaces.Box(0, 1, (actions,), dtype=np.int8)}
        self._space = spaces.Dict(seen)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of observations, the same for every agent."""
        return self._space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the action space of an agent; `sample` returns a legal action."""
        return self._actions[agent]

    def __copy__(self) -> Any:
        # the upcoming cards are copied too: otherwise a copy would play the original's round
        return copy.deepcopy(self)

    def _begin(self, seed: int | None, options: object) -> None:
        _given.optional(_given.mapping, "options", options)
        if seed is not None:
            self._chance = np.random.default_rng(_given.whole("seed", seed, 0, 2**64))
        self.seats.shuffle(int(self._chance.integers(2**63)))
        self.seats.begin()

    @staticmethod
    def _box(agent: str) -> int:
        return int(agent.removeprefix("box_"))

    def _asked(self) -> list[int]:
        """Returns all boxes while bets are placed, then one at a time."""
        if self.seats.wagering:
            return list(self.seats.wagering)
        return [] if self.seats.turn is None else [self.seats.turn]

    def _mask(self, agent: str) -> NDArray[np.int8]:
        return self.seats.mask(self._box(agent))

    def _look(self) -> None:
        """Updates the masks, so that the next sample is legal."""
        for agent, mask in self._masks.items():
            mask[:] = self._mask(agent)

    def _seen(self, agent: str) -> dict[str, NDArray[Any]]:
        return {"observation": self.seats.observe(self._box(agent)), "action_mask": self._mask(agent)}

    def _act(self, box: int, action: object) -> None:
        self.seats.act(box, _given.whole(f"the action of box_{box}", action, -(2**31), 2**31))

    def render(self) -> str | None:
        """Returns the cards on the table in the mode `"ansi"`."""
        return self.seats.shown() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing; there is nothing to close."""


class TableAEC(_Boxes, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A table whose agents act one at a time, when they must. Actions that are not allowed raise `Refused`.

    Args:
        **options: The table, the number of seats, stakes and side bets, and keys of the table file.

    Examples:
        >>> table = cc.pettingzoo.TableAEC(seats=2)
        >>> table.reset(seed=1)
        >>> table.agent_selection
        'box_1'
    """

    metadata = {"name": "cutcard_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, **options: Unpack[TableEnvOptions]) -> None:
        AECEnv.__init__(self)
        _Boxes.__init__(self, options)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Returns an agent's observation and action mask."""
        return self._seen(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a round from a new shoe."""
        self._begin(seed, options)
        self._look()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Takes the action of the current agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._act(self._box(agent), action)
        self._look()
        if self.seats.over:
            for other in self.agents:
                self.rewards[other] = self.seats.reward(self._box(other))
                self.terminations[other] = True
            self._accumulate_rewards()
            self._deads_step_first()
            return
        self.agent_selection = f"box_{self.seats.turn}"
        self._accumulate_rewards()


class TableParallel(_Boxes, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A table whose agents act simultaneously; an agent without a decision can only pass.

    Args:
        **options: The table, the number of seats, stakes and side bets, and keys of the table file.

    Examples:
        >>> table = cc.pettingzoo.TableParallel(seats=2)
        >>> observations, infos = table.reset(seed=1)
        >>> sorted(observations)
        ['box_1', 'box_2']
    """

    metadata = {"name": "cutcard_parallel_v0", "render_modes": ["ansi"]}

    def __init__(self, **options: Unpack[TableEnvOptions]) -> None:
        _Boxes.__init__(self, options)

    def _mask(self, agent: str) -> NDArray[np.int8]:
        mask = super()._mask(agent)
        if self._box(agent) not in self._asked():
            mask[:] = 0
            mask[PASS] = 1
        return mask

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a round from a new shoe."""
        self._begin(seed, options)
        self._look()
        self.agents = list(self.possible_agents)
        return {agent: self._seen(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Takes the actions of all agents; only those of agents with a decision count."""
        for box in self._asked():
            if f"box_{box}" not in _given.mapping("actions", actions):
                raise NotUnderstood(f"actions: box_{box} must act but has no action")
            self._act(box, actions[f"box_{box}"])
        self._look()
        over = self.seats.over
        agents = self.agents
        rewards = {agent: self.seats.reward(self._box(agent)) if over else 0.0 for agent in agents}
        seen = {agent: self._seen(agent) for agent in agents}
        ended = dict.fromkeys(agents, over)
        if over:
            self.agents = []
        return seen, rewards, ended, dict.fromkeys(agents, False), {agent: {} for agent in agents}


def env(**options: Unpack[TableEnvOptions]) -> TableAEC:
    """Creates a table whose agents act one at a time.

    Args:
        **options: Those of :class:`TableAEC`.

    Returns:
        The environment.

    Examples:
        >>> cc.pettingzoo.env(table="nj-switch", seats=2).possible_agents
        ['box_1', 'box_2']
    """
    return TableAEC(**options)


def parallel_env(**options: Unpack[TableEnvOptions]) -> TableParallel:
    """Creates a table whose agents act simultaneously.

    Args:
        **options: Those of :class:`TableParallel`.

    Returns:
        The environment.

    Examples:
        >>> cc.pettingzoo.parallel_env(seats=2).possible_agents
        ['box_1', 'box_2']
    """
    return TableParallel(**options)
