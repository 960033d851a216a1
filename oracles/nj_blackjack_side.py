"""Side wagers of N.J.A.C. 19:47-2: what each pays, from 2.17, 2.19, 2.20, 2.22 to 2.25."""
from fractions import Fraction

from book import rule
from cards import is_red, is_ten, points, total

# 2.17(e)2: (king and queen, any two cards) of one suit, by decks and option
SAME_SUIT = {
    1: ["50 2.5", "10 3", "5 3", "25 2.5"],
    2: ["10 3", "5 3", "25 2.5", "20 2.5"],
    4: ["5 3", "25 2.5", "20 2.5", "50 2"],
    6: ["5 3", "25 2.5", "20 2.5", "15 2.5"],
    8: ["5 3", "25 2.5", "50 2"],
}
# 2.22(j)
STREAK = {2: 3, 3: 7, 4: 17, 5: 37}
# 2.24(f): pair of queens of hearts with dealer blackjack, the pair, matched, suited, any 20
TWENTY = {"A": (1000, 125, 19, 9, 4), "B": (1000, 200, 25, 10, 4)}
# 2.25(e): by the points of the dealer's third card
BUST = {10: 3, 9: 5, 8: 7, 7: 9, 6: 15}


def over_under(stake, cards):
    """Settles a wager over or under 13: an ace is one (2.2(b)3ii), 13 loses both (2.17(c))."""
    count = sum(points(card) for card in cards)
    wins = count > 13 if stake.name == "over-13" else count < 13
    if rule("over-13 wins on 13", False, True) and count == 13:
        wins = True
    if wins:
        stake.win(1, "2.17(e)1|2.17(b)1" if stake.name == "over-13" else "2.17(e)1|2.17(b)2", "deal")
    else:
        stake.lose("2.17(c)" if count == 13 else "2.17(d)", "deal")


def same_suit(stake, cards, decks, option):
    """Settles a wager on two cards of one suit (2.17(e)2)."""
    royal, other = (Fraction(odds) for odds in SAME_SUIT[decks][int(option) - 1].split())
    if cards[0][1] != cards[1][1]:
        stake.lose("2.17(d)", "deal")
    else:
        part = {1: "i", 2: "ii", 4: "iii", 6: "iv", 8: "v"}[decks]
        stake.win(royal if {cards[0][0], cards[1][0]} == {"K", "Q"} else other, f"2.17(e)2.{part}", "deal")


def sevens_on_two(stake, cards, either):
    """Settles a sevens wager on the first two cards; says whether two sevens leave it open (2.17(d), (e)3)."""
    first, second = (card[0] == "7" for card in cards)
    if first and second:
        return True
    if first or second and either:
        stake.win(3, "2.17(e)3", "deal")
    else:
        stake.lose("2.17(d)", "deal")
    return False


def sevens_on_three(stake, cards, when="turn"):
    """Settles a sevens wager that two sevens left open: `cards` are two or three (2.17(e)3)."""
    suited = len({card[1] for card in cards}) == 1
    if len(cards) == 3 and cards[2][0] == "7":
        stake.win(5000 if suited else 500, "2.17(e)3", when)
    else:
        stake.win(100 if cards[0][1] == cards[1][1] else 50, "2.17(e)3", when)


def progressive(stake, cards, split, to_one):
    """Settles a progressive wager but for four aces, which it leaves open (2.19(c), (e)).

    Splitting the aces ends the series: the cards are then the first two.
    """
    series = cards[:2] if split else cards[:4]
    aces = 0
    while aces < len(series) and series[aces][0] == "A":
        aces += 1
    if aces == 4 and len({is_red(card) for card in series}) == 1:
        return True
    suited = len({card[1] for card in series[:min(aces, 3)]}) == 1
    if aces >= 3:
        prize = 250000 if suited else 25000
    elif aces == 2:
        prize = 10000 if suited else 2500
    else:
        stake.lose("2.19(c)")
        return False
    stake.pay(prize - (0 if to_one else stake.amount), "2.19(c)", "end")  # 2.19(h): with the regular wager
    return False


def match_the_dealer(stake, cards, up, decks, own):
    """Settles a match-the-dealer wager: each of the two cards that matches is paid (2.23(a)2, (f))."""
    plain, suited = rule("match the dealer", {6: (4, 11), 8: (3, 14)}, {6: (4, 11), 8: (3, 12)})[decks]
    plain = 5 if "odds.non-matching-suit" in own else plain
    odds = sum(suited if card == up else plain for card in cards if card[0] == up[0])
    if odds:
        stake.win(odds, "2.23(f)", "deal")
    else:
        stake.lose("2.23(e)", "deal")


def twenty_point(stake, cards, table, dealer_blackjack, when, tens_only=False):
    """Settles a twenty point bonus wager; an ace and a nine are 20 as well (2.2(b)3, 2.24(f), (g)), or not."""
    jackpot, pair, matched, suited, plain = TWENTY[table]
    if total(cards)[0] != 20 or tens_only and not all(map(is_ten, cards)):
        stake.lose("2.24(d)", "deal")
    elif cards == ["Qh", "Qh"]:
        stake.win(jackpot if dealer_blackjack else pair, "2.24(f)", when)
    elif cards[0] == cards[1]:
        stake.win(matched, "2.24(f)", "deal")
    else:
        stake.win(suited if cards[0][1] == cards[1][1] else plain, "2.24(f)", "deal")


def dealer_bust(stake, dealer, when):
    """Settles an optional bonus wager on the dealer's first two or three cards (2.25(d) to (f))."""
    if total(dealer[:2])[0] >= 17 or total(dealer[:3])[0] <= 21:
        stake.lose("2.25(d)", when)
        return
    eights = all(card[0] == "8" for card in dealer[:3])
    if eights and len({card[1] for card in dealer[:3]}) == 1:
        stake.win(200, "2.25(f)", when)
    elif eights and len({is_red(card) for card in dealer[:3]}) == 1:
        stake.win(50, "2.25(f)", when)
    else:
        stake.win(BUST[10 if is_ten(dealer[2]) else points(dealer[2])], "2.25(e)", when)


def streak_step(wins, losses, hands, majority):
    """Returns +1 for a hand that advances a streak, -1 for one that loses it, 0 else (2.22(d) to (h))."""
    if wins == losses:
        return 0
    if hands == 1 or not majority:
        return 1 if wins > losses else -1
    return 1 if 2 * wins > hands else -1
