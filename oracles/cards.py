"""Cards, hands and shoes: what all five texts share."""

RANKS = "A23456789TJQK"
SUITS = "cdhs"


def points(card):
    """Returns the points of a card, an ace counting one."""
    rank = card[0]
    if rank == "A":
        return 1
    return 10 if rank in "TJQK" else int(rank)


def total(cards):
    """Returns the point total and whether it is soft: an ace is 11 unless that exceeds 21."""
    count = sum(points(card) for card in cards)
    if count <= 11 and any(card[0] == "A" for card in cards):
        return count + 10, True
    return count, False


def is_ten(card):
    """Says whether a card counts ten."""
    return points(card) == 10


def two_card_21(cards):
    """Says whether these are an ace and a card of ten points."""
    return len(cards) == 2 and total(cards)[0] == 21


def is_red(card):
    """Says whether a card is a heart or a diamond."""
    return card[1] in "dh"


class Shoe:
    """The cards behind the burned one, in the order in which they leave the shoe."""

    def __init__(self, rng, decks, ranks=RANKS, favour=(), weight=0.25):
        """Shuffles the decks; favoured cards come to the front more often, the more so the smaller the weight."""
        cards = [rank + suit for rank in ranks for suit in SUITS] * decks
        weight = weight if favour else 1.0
        cards.sort(key=lambda card: rng.random() ** (1.0 if card in favour or card[0] in favour else weight))
        self.size = len(cards) - 1  # one of them was burned
        self.cards, self.burned = cards[:self.size], cards[self.size:]
        self.at = self.began = self.dealt = 0  # the next card, the first one of this round and of this shuffle

    def draw(self):
        """Takes the next card."""
        card = self.cards[self.at]
        self.at += 1
        return card

    def peek(self):
        """Returns the next card without taking it."""
        return self.cards[self.at]

    def reshuffle(self, rng):
        """Shuffles the discards behind the last card and burns one of them; the cards on the table stay there."""
        rack = self.cards[:self.began] + self.burned
        rng.shuffle(rack)
        self.cards += rack[1:]
        self.size = len(self.cards)

    def insert(self, after, card):
        """Puts a card that does not belong there behind so many of the next ones."""
        self.cards.insert(self.at + after, card)
        self.size += 1
