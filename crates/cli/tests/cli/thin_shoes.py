"""The value of a round of blackjack from a thin shoe, in exact fractions, by dealing card after card.

Written from the regulation alone, to check the solver by: one box, a card reader (the dealer's blackjack ends the round
before anybody decides), 3 to 2, double on any two cards and after a split, a pair is split once, split aces take one
card, no surrender, the dealer stands on every 17. Split hands are played as if they had been dealt, and 21 in two cards of
a split wins against a drawn 21 (19:47-2.3(a)3, read literally).

Run it to print the table of thin_shoes.rs: python3 thin_shoes.py
"""
from fractions import Fraction as F
from functools import lru_cache
import sys

sys.setrecursionlimit(10000)
ACE, TEN = 0, 9


def total(hand):
    hard = sum((r + 1) * n for r, n in enumerate(hand))
    return (hard + 10, True) if hand[ACE] and hard <= 11 else (hard, False)


def plus(hand, r):
    return hand[:r] + (hand[r] + 1,) + hand[r + 1:]


def minus(deck, r):
    return deck[:r] + (deck[r] - 1,) + deck[r + 1:]


def draws(deck):
    n = sum(deck)
    return [(r, F(k, n)) for r, k in enumerate(deck) if k]


@lru_cache(None)
def dealer(hand, deck):
    """Returns the chances of the dealer's results: 17 to 21, bust (22), blackjack (0)."""
    t, _ = total(hand)
    if t > 21:
        return {22: F(1)}
    if t == 21 and sum(hand) == 2:
        return {0: F(1)}
    if t >= 17:
        return {t: F(1)}
    out = {}
    for r, p in draws(deck):
        for end, q in dealer(plus(hand, r), minus(deck, r)).items():
            out[end] = out.get(end, F(0)) + p * q
    return out


EMPTY = (0,) * 10


def up_card(u):
    return plus(EMPTY, u)


def against(points, u, deck, blackjack=False, two_cards=False):
    """Returns the expected net of one unit, counting nothing if the dealer has blackjack."""
    net = F(0)
    for end, p in dealer(up_card(u), deck).items():
        if end == 0:
            continue
        if blackjack:
            net += p * F(3, 2)
        elif points > 21:
            net -= p
        elif end == 22 or points > end or (two_cards and points == end == 21):
            net += p
        elif points < end:
            net -= p
    return net


@lru_cache(None)
def actions(hand, u, deck, split):
    """Returns the values of standing, hitting and doubling. `split` marks a hand of a split, which has no blackjack."""
    points, _ = total(hand)
    natural = points == 21 and sum(hand) == 2 and not split
    found = {"stand": against(points, u, deck, natural)}
    if points < 21:
        hit = F(0)
        for r, p in draws(deck):
            hit += p * best(plus(hand, r), u, minus(deck, r), split)
        found["hit"] = hit
    if sum(hand) == 2 and points < 21:
        found["double"] = sum(p * 2 * against(total(plus(hand, r))[0], u, minus(deck, r)) for r, p in draws(deck))
    return found


@lru_cache(None)
def best(hand, u, deck, split):
    if total(hand)[0] > 21:
        return against(22, u, deck)
    return max(actions(hand, u, deck, split).values())


def take(deck, hand):
    for r, n in enumerate(hand):
        for _ in range(n):
            deck = minus(deck, r)
    return deck


def played(hand, u, shoe):
    """Returns the best action on a hand as dealt, the first among equals."""
    deck = minus(take(shoe, hand), u)
    found = actions(hand, u, deck, False)
    top = max(found.values())
    return next(a for a in ("stand", "hit", "double") if found.get(a) == top)


def split_hand(hand, u, deck, shoe):
    """Returns the value of one hand of a split, played like a dealt hand."""
    points, _ = total(hand)
    if points > 21:
        return against(22, u, deck)
    if sum(hand) == 1:
        return sum(p * split_hand(plus(hand, r), u, minus(deck, r), shoe) for r, p in draws(deck))
    if hand[ACE] and sum(hand) == 2 and split_hand.aces or points == 21:
        return against(points, u, deck, two_cards=sum(hand) == 2)
    action = played(hand, u, shoe)
    if action == "stand":
        return against(points, u, deck)
    if action == "double" and sum(hand) == 2:
        return sum(p * 2 * against(total(plus(hand, r))[0], u, minus(deck, r)) for r, p in draws(deck))
    return sum(p * split_hand(plus(hand, r), u, minus(deck, r), shoe) for r, p in draws(deck))


def split(r, u, shoe):
    deck = minus(minus(minus(shoe, r), r), u)
    split_hand.aces = r == ACE
    return 2 * split_hand(up_card(r), u, deck, shoe)


def options(hand, u, shoe):
    """Returns the value of every action, counting nothing if the dealer has blackjack."""
    deck = minus(take(shoe, hand), u)
    found = dict(actions(hand, u, deck, False))
    if 2 in hand and sum(hand) == 2:
        found["split"] = split(hand.index(2), u, shoe)
    return found


def blackjack_chance(hand, u, shoe):
    deck = minus(take(shoe, hand), u)
    return dealer(up_card(u), deck).get(0, F(0))


def value(shoe):
    """Returns the expected net of a round."""
    ev = F(0)
    for a, pa in draws(shoe):
        for b, pb in draws(minus(shoe, a)):
            for u, pu in draws(minus(minus(shoe, a), b)):
                hand = plus(up_card(a), b)
                natural = total(hand)[0] == 21
                lost = F(0) if natural else -blackjack_chance(hand, u, shoe)
                ev += pa * pb * pu * (max(options(hand, u, shoe).values()) + lost)
    return ev


def ends(hand, u, deck):
    """How a hand that is not split ends under the best play, nothing where the dealer has blackjack: chances by way and net."""
    points, _ = total(hand)
    out = {}

    def settle(points, natural, way, stake, deck, chance):
        for end, p in dealer(up_card(u), deck).items():
            if end == 0:
                continue
            if natural:
                net = F(3, 2)
            elif points > 21:
                net = F(-1)
            elif end == 22 or points > end:
                net = F(1)
            else:
                net = F(0) if points == end else F(-1)
            out[way, net * stake] = out.get((way, net * stake), F(0)) + chance * p

    if points > 21:
        settle(points, False, "busted", 1, deck, F(1))
        return out
    found = actions(hand, u, deck, False)
    action = next(a for a in ("stand", "hit", "double") if found.get(a) == max(found.values()))
    if action == "stand":
        natural = points == 21 and sum(hand) == 2
        settle(points, natural, "blackjack" if natural else "stood", 1, deck, F(1))
    elif action == "double":
        for r, p in draws(deck):
            settle(total(plus(hand, r))[0], False, "doubled", 2, minus(deck, r), p)
    else:
        for r, p in draws(deck):
            for way, q in ends(plus(hand, r), u, minus(deck, r)).items():
                out[way] = out.get(way, F(0)) + p * q
    return out


def results(shoe):
    """How rounds end: chances by way and net, those in which a pair is split together."""
    out = {}

    def add(way, p):
        out[way] = out.get(way, F(0)) + p

    for a, pa in draws(shoe):
        for b, pb in draws(minus(shoe, a)):
            for u, pu in draws(minus(minus(shoe, a), b)):
                hand, chance = plus(up_card(a), b), pa * pb * pu
                lost = blackjack_chance(hand, u, shoe)
                add(("blackjack", F(0)) if total(hand)[0] == 21 else ("stood", F(-1)), chance * lost)
                found = options(hand, u, shoe)
                if "split" in found and found["split"] > max(v for k, v in found.items() if k != "split"):
                    add(("split", None), chance * (1 - lost))
                    continue
                for way, p in ends(hand, u, minus(take(shoe, hand), u)).items():
                    add(way, chance * p)
    return out


SHOES = [
    (2, 0, 0, 0, 2, 3, 0, 2, 3, 8),
    (4, 0, 0, 0, 0, 0, 3, 0, 0, 12),
    (1, 1, 2, 0, 0, 2, 2, 2, 2, 9),
]
HANDS = [((0, 0, 0, 0, 0, 1, 0, 0, 0, 1), 9), ((0, 0, 0, 0, 0, 0, 0, 2, 0, 0), 5), ((2,) + (0,) * 9, 9),
         ((0, 0, 0, 0, 1, 1, 0, 0, 0, 0), 8)]

if __name__ == "__main__":
    for shoe in SHOES:
        print("edge", shoe, float(value(shoe)), value(shoe))
        for (way, net), chance in results(shoe).items():
            print("   ", way, net, chance)
    for hand, u in HANDS:
        for shoe in SHOES:
            if all(h + (r == u) <= s for r, (h, s) in enumerate(zip(hand, shoe))):
                given = 1 - blackjack_chance(hand, u, shoe)
                found = {a: float(v / given) for a, v in options(hand, u, shoe).items()}
                print("ev", shoe, hand, u, found)
