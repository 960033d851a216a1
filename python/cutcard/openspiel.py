"""An OpenSpiel game: a chance node for every card; states can be cloned and serialized.

Importing this module registers the game `python_cutcard` with OpenSpiel, a round of any table from a full shoe, such as
`pyspiel.load_game("python_cutcard(table=nj-switch)")`: every card that is dealt is a chance node with the exact
probabilities of the cards that are left, and every question of the rules is a decision of the player who is asked.
Wagers are the table's minimum, and returns are in initial bets.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from . import _given, _native
from ._seats import ACTIONS, FEATURES
from .errors import NotUnderstood
from .table import Table

__all__ = ["CARDS", "CutcardGame", "CutcardState", "GAME_TYPE"]

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
"""The cards, in the order of the outcomes of a chance node."""

GAME_TYPE = pyspiel.GameType(
    short_name="python_cutcard",
    long_name="Cutcard: a round of regulated blackjack",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=7,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"table": "nj-blackjack", "players": 1},
)


class CutcardGame(pyspiel.Game):  # type: ignore[misc]
    """A round at a table; `pyspiel.load_game("python_cutcard(table=nj-blackjack,players=2)")` makes one.

    Args:
        params: `table`, the name of a preset or the path of a table file, and `players`, one box each.

    Examples:
        >>> import pyspiel
        >>> game = pyspiel.load_game("python_cutcard(table=nj-switch)")
        >>> game.new_initial_state().is_chance_node()
        True
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"table": "nj-blackjack", "players": 1, **(params or {})}
        self.table = Table(given["table"])
        told = self.table.to_dict()
        self.players = _given.whole("players", given["players"], 1, told["positions"])
        hands = told["split_hands"] * self.players * 2
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=len(CARDS),
            num_players=self.players,
            # every hand may be doubled, and the first wager be raised twice; nothing pays more than ten times
            min_utility=-8.0 * told["split_hands"],
            max_utility=20.0 * told["split_hands"],
            max_game_length=24 * hands,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> CutcardState:
        """Returns the start of a round, before the first card.

        Returns:
            The state.

        Examples:
            >>> pyspiel.load_game("python_cutcard").new_initial_state().is_chance_node()
            True
        """
        return CutcardState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns an upper bound on the cards of a round.

        Returns:
            The bound.

        Examples:
            >>> pyspiel.load_game("python_cutcard").max_chance_nodes_in_history() > 52
            True
        """
        return 24 * (2 * self.players * int(self.table.to_dict()["split_hands"]) + 1)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Returns an observer.

        Args:
            iig_obs_type: The observation type, in OpenSpiel's format.
            params: Not used.

        Returns:
            An observer whose tensor has the numbers named by `cutcard.gym.FEATURES`.

        Examples:
            >>> len(pyspiel.load_game("python_cutcard").make_py_observer().tensor)
            20
        """
        if params:
            raise NotUnderstood(f"params: {_given.shown(params)} are not accepted by this observer; give no params")
        return _Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class _Machine:
    """The table machine and its history: copied directly, and pickled as the list of moves."""

    def __init__(self, table: Table, boxes: int, moves: Sequence[tuple[int | None, list[str]]] = ()) -> None:
        self.table, self.boxes = table, boxes
        self.live = _native.Live(table._table, 0)
        self.moves: list[tuple[int | None, list[str]]] = []
        for answer, cards in moves:
            self.play(answer, cards)

    def __deepcopy__(self, memo: object) -> _Machine:
        other = object.__new__(_Machine)
        other.__dict__.update(self.__dict__)
        other.live, other.moves = copy.deepcopy(self.live), list(self.moves)
        return other

    def __reduce__(self) -> tuple[type[_Machine], tuple[object, ...]]:
        return _Machine, (self.table, self.boxes, self.moves)

    def play(self, answer: int | None, cards: list[str]) -> list[dict[str, Any]]:
        """Places the bets or answers, with these upcoming cards; returns the cards dealt."""
        if cards:
            self.live.arrange(" ".join(cards))
        if answer is None:
            minimum = str(self.table.to_dict()["minimum"])
            told = self.live.wager([(box, [minimum], []) for box in range(1, self.boxes + 1)])
        else:
            told = self.live.decide(ACTIONS[answer])
        self.moves.append((answer, list(cards)))
        return [event for event in json.loads(told) if event["event"] == "dealt"]

    def returns(self) -> list[float]:
        """Returns the result of every box, in initial bets."""
        unit = 100 * float(self.table.to_dict()["minimum"]) * self.live.required
        return [self.live.net(box) / unit for box in range(1, self.boxes + 1)]


class CutcardState(pyspiel.State):  # type: ignore[misc]
    """The state of a round: a card is due, a player must act, or the round is over.

    The table machine deals automatically until a player must act. So the state keeps the cards since the last decision
    and replays the machine from there; if it needs another card, that card is the chance node.

    Args:
        game: The game.

    Examples:
        >>> state = pyspiel.load_game("python_cutcard").new_initial_state()
        >>> cards, chances = zip(*state.chance_outcomes())
        >>> len(cards), f"{sum(chances):.6f}"
        (52, '1.000000')
    """

    def __init__(self, game: CutcardGame) -> None:
        super().__init__(game)
        self._at_last = _Machine(game.table, game.players)
        """The table at the last decision."""
        self._answer: int | None = None
        """The answer to the last decision; None for the bets."""
        self._dealt: list[str] = []
        """The cards dealt since the last decision."""
        decks = int(game.table.to_dict()["decks"])
        self._left = [decks] * len(CARDS)
        if game.table.to_dict()["game"] in ("double-attack", "triple-attack"):
            self._left = [0 if card[0] == "T" else decks for card in CARDS]
        self._log: list[str] = []
        """What everybody saw until the last decision."""
        self._news: list[str] = []
        """What everybody has seen since the last decision."""
        self._advance()

    def _advance(self) -> None:
        """Replays from the last decision with the cards since then; the next card after them is a chance node."""
        machine = copy.deepcopy(self._at_last)
        dealt = machine.play(self._answer, self._dealt)
        self._waits = len(dealt) > len(self._dealt)
        shown = zip(dealt, self._dealt)
        self._news = [f"{_place(event['to'])}:{card if 'card' in event else '?'}" for event, card in shown]
        if not self._waits:
            self._at_last, self._dealt = machine, []
            self._log, self._news = [*self._log, *self._news], []

    def current_player(self) -> int:
        """Returns the player to act, chance if a card is due, or terminal.

        Returns:
            The player from 0, or one of OpenSpiel's ids.

        Examples:
            >>> pyspiel.load_game("python_cutcard").new_initial_state().current_player() == pyspiel.PlayerId.CHANCE
            True
        """
        if self._waits:
            return int(pyspiel.PlayerId.CHANCE)
        box = self._at_last.live.turn()
        return int(pyspiel.PlayerId.TERMINAL) if box is None else box - 1

    def is_terminal(self) -> bool:
        """Returns whether the round is over.

        Returns:
            Whether it is.

        Examples:
            >>> pyspiel.load_game("python_cutcard").new_initial_state().is_terminal()
            False
        """
        return not self._waits and self._at_last.live.turn() is None

    def _legal_actions(self, player: int) -> list[int]:
        mask = self._at_last.live.observe(player + 1)[1]
        return [action for action, allowed in enumerate(mask) if allowed]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the remaining cards with their probabilities.

        Returns:
            Numbers of `CARDS`, and their probabilities.

        Examples:
            >>> len(pyspiel.load_game("python_cutcard").new_initial_state().chance_outcomes())
            52
        """
        total = sum(self._left)
        return [(card, left / total) for card, left in enumerate(self._left) if left]

    def _apply_action(self, action: int) -> None:
        if self._waits:
            self._left[action] -= 1
            self._dealt.append(CARDS[action])
        else:
            self._log.append(f"box{self._at_last.live.turn()}:{ACTIONS[action]}")
            self._answer = action
        self._advance()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"Deal {CARDS[action]}" if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def returns(self) -> list[float]:
        """Returns the result of the round for every player, in initial bets; zeros before the end.

        Returns:
            A number for every player.

        Examples:
            >>> pyspiel.load_game("python_cutcard").new_initial_state().returns()
            [0.0]
        """
        if not self.is_terminal():
            return [0.0] * self._at_last.boxes
        return self._at_last.returns()

    def seen(self) -> str:
        """Returns everything that the players have seen in the round, in order.

        Returns:
            Cards and actions, in words.

        Examples:
            >>> state = pyspiel.load_game("python_cutcard").new_initial_state()
            >>> state.apply_action(CARDS.index("As"))
            >>> state.seen()
            '1.1:As'
        """
        return " ".join([*self._log, *self._news])

    def features(self, player: int) -> list[int]:
        """Returns a box's observation at the last decision, as numbers named by `cutcard.gym.FEATURES`.

        Args:
            player: The player, from 0.

        Returns:
            The numbers.

        Examples:
            >>> len(pyspiel.load_game("python_cutcard").new_initial_state().features(0))
            20
        """
        return self._at_last.live.observe(_given.whole("player", player, 0, self._at_last.boxes - 1) + 1)[0]

    def __str__(self) -> str:
        return self.seen()


def _place(to: Any) -> str:
    return str(to) if isinstance(to, str) else f"{to['box']}.{to['hand']}"


class _Observer:
    """A player's observation in OpenSpiel's format."""

    def __init__(self, kind: Any) -> None:
        self._recalls = bool(kind.perfect_recall)
        self.tensor = np.zeros(len(FEATURES), dtype=np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: CutcardState, player: int) -> None:
        """Writes a player's observation."""
        self.tensor[:] = state.features(player)

    def string_from(self, state: CutcardState, player: int) -> str:
        """Returns what a player has seen in the round; all cards are public except face-down cards."""
        return f"p{player} {state.seen()}"


if GAME_TYPE.short_name not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, CutcardGame)
