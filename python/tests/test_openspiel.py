"""The OpenSpiel game: OpenSpiel's own tests pass, and the chance nodes are those of the exact values."""

from __future__ import annotations

from typing import Any

import pytest

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

import cutcard as cc  # noqa: E402
from cutcard.openspiel import ACTIONS, CARDS  # noqa: E402

# and the wagers that each hand may have before it is doubled
TABLES = {
    "nj-blackjack": 1,
    "nj-blackjack-face-up": 1,
    "nj-six-to-five": 1,
    "nj-multiple-action": 1,
    "nj-switch": 1,
    "nj-double-attack": 2,
    "nj-triple-attack": 3,
}


@pytest.mark.parametrize("table", TABLES)
def test_openspiels_simulations_pass(table: str) -> None:
    game = pyspiel.load_game(f"python_cutcard(table={table},players=2)")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_openspiels_playthrough_is_the_same_again() -> None:
    generate: Any = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    text = generate.playthrough("python_cutcard(table=nj-switch)", action_sequence=None, seed=3)
    actions = [int(line.removeprefix("action: ")) for line in text.splitlines() if line.startswith("action: ")]
    assert len(actions) > 5 and text == generate.playthrough("python_cutcard(table=nj-switch)", action_sequence=actions)


def dealt(*cards: str, table: str = "nj-blackjack") -> Any:
    state = pyspiel.load_game(f"python_cutcard(table={table})").new_initial_state()
    for card in cards:
        assert state.is_chance_node()
        state.apply_action(CARDS.index(card))
    return state


def worth(state: Any) -> float:
    """The value of a state where nothing is asked any more: the suits do not matter, and tens are alike."""
    if state.is_terminal():
        return float(state.returns()[0])
    assert state.is_chance_node()
    chances: dict[str, float] = {}
    for card, chance in state.chance_outcomes():
        rank = "T" if CARDS[card][0] in "TJQK" else CARDS[card][0]
        chances[rank] = chances.get(rank, 0.0) + chance
    total = 0.0
    for rank, chance in chances.items():
        # every rank that is left has at least one suit left
        alike = "TK" if rank == "T" else rank
        card = next(at for at, _ in state.chance_outcomes() if CARDS[at][0] in alike)
        total += chance * worth(state.child(card))
    return total


def test_the_chance_nodes_are_exact() -> None:
    """Standing is worth what the solver says, to the last digits, by going through all the cards of the dealer."""
    for up, table in (("Td", "nj-blackjack"), ("9d", "nj-blackjack")):
        order = dealt("Tc", up, "6h", table=table)
        assert order.current_player() == 0 and str(order) == f"1.1:Tc dealer:{up} 1.1:6h"
        exact = cc.Table(table).ev("T6", up=up).actions["stand"]
        assert worth(order.child(ACTIONS.index("stand"))) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_a_round_begins_with_the_full_shoe_of_the_table(table: str) -> None:
    made = cc.Table(table)
    state = dealt(table=table)
    left: dict[str, float] = {}
    for card, chance in state.chance_outcomes():
        rank = "T" if CARDS[card][0] in "TJQK" else CARDS[card][0]
        left[rank] = left.get(rank, 0.0) + chance
    up, second = "98" if table == "nj-blackjack-face-up" else "9", "78" if table == "nj-switch" else ""
    # the shoe is told where it is not the full one, so a five is taken out and put back
    shoe = made.ev("56", up=up, hand2=second, removed="5").to_dict()["shoe"]
    shoe["5"] += 1
    assert left == pytest.approx({rank: count / sum(shoe.values()) for rank, count in shoe.items()})


def largest(table: str, doubled_card: str) -> float:
    """The result of a round of fives with every wager that is possible; this card comes to every doubled hand."""
    state = dealt(table=table)
    rank = "5"
    while not state.is_terminal():
        if state.is_chance_node():
            cards = [card for card, _ in state.chance_outcomes()]
            # two decks have eight fives, and the dealer then draws to twenty with a king
            state.apply_action(next((at for at in cards if CARDS[at][0] == rank), CARDS.index("Kc")))
            rank = "5"
        else:
            words = [ACTIONS[action] for action in state.legal_actions()]
            word = next(word for word in ("attack", "split", "double", "stand", "pass") if word in words)
            rank = doubled_card if word == "double" else "5"
            state.apply_action(ACTIONS.index(word))
    return float(state.returns()[0])


@pytest.mark.parametrize("table", TABLES)
def test_no_round_pays_or_costs_more_than_the_game_says(table: str) -> None:
    game = pyspiel.load_game(f"python_cutcard(table={table})")
    wagers, hands = TABLES[table], cc.Table(table).to_dict()["split_hands"]
    most = 2 * wagers * hands
    # the dealer's twenty beats every fifteen, and loses to every twenty-one
    assert largest(table, "5") == pytest.approx(-most) and largest(table, "A") == pytest.approx(most)
    # insurance costs half of the wagers before a split, and pays 5 to 2 at most; no hand pays more than 3 to 2
    assert game.min_utility() <= -(most + wagers / 2) and game.max_utility() >= 1.5 * most + 1.25 * wagers


def test_a_clone_and_a_serialised_state_play_on_alike() -> None:
    state = dealt("8c", "Td", "8h")
    state.apply_action(ACTIONS.index("split"))
    game = state.get_game()
    clone, again = state.clone(), game.deserialize_state(state.serialize())
    state.apply_action(CARDS.index("3s"))
    assert str(state) != str(clone) and str(clone) == str(again)
    for other in (clone, again):
        other.apply_action(CARDS.index("3s"))
        assert str(other) == str(state) and other.legal_actions() == state.legal_actions()
        assert other.chance_outcomes() == state.chance_outcomes() if state.is_chance_node() else True
    game_text = pyspiel.serialize_game_and_state(game, state)
    _, third = pyspiel.deserialize_game_and_state(game_text)
    assert str(third) == str(state) and third.history() == state.history()


def test_a_card_that_lies_face_down_is_not_seen() -> None:
    state = dealt("8c", "Td", "9h", "Ks", table="nj-blackjack-reader")
    assert state.current_player() == 0
    assert "Ks" not in state.information_state_string(0) and "hole:?" in state.information_state_string(0)


def test_a_table_that_there_is_not() -> None:
    with pytest.raises(Exception, match="nj-poker"):
        pyspiel.load_game("python_cutcard(table=nj-poker)")
