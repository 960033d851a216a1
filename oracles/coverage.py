"""What a full run has to cover, by text."""
from compare import KNOWN

COMMON = """all hands dead, bust, co-bettor doubles, double, double for less, exposed card refused, hit, insurance,
irregularity drawn-unexposed, irregularity drew-on-standing, irregularity exposed, irregularity found-face-up,
irregularity missed-box, irregularity missed-draw, irregularity missed-own-card, irregularity reader-failed,
irregularity reader-misused, refused: bet, refused: double, refused: insurance, refused: split, resplit, shared box,
split, split aces, stand, table down, table reader"""
ATTACK = """, attack for less, cover, follow, irregularity found-face-up twice, irregularity missed-second-card,
irregularity ten-found"""
SWITCH = """, irregularity found-face-up twice, match four, match pair, match three, match two pairs, refused: revoke,
refused: switch, revoke, side match, surrender, switch, table none"""

FEATURES = {
    "nj-blackjack": COMMON + """, bonus award, cover, determinant card burned, double face down, even money, follow,
irregularity bonus-failed, irregularity double-dealt-up, irregularity missed-second-card,
irregularity up-card-discarded, irregularity up-card-not-moved, paid designated blackjack, paid five-card 21,
paid suited 6-7-8, paid three sevens, progressive jackpot, refused: even-money, refused: surrender,
sevens card after a dealer's blackjack, side blackjack-bonus, side dealer-bust, side match-the-dealer, side over-13,
side progressive, side same-suit, side sevens, side twenty-point, side under-13, streak abandoned, streak-2 lose,
streak-2 win, streak-3 win, surrender, table multiple-action, table none, table six-to-five, table up, two sevens""",
    "nj-switch": COMMON + SWITCH,
    "ma-switch": COMMON + SWITCH + """, irregularity burn-forgotten, irregularity let-out, irregularity misdelivered,
irregularity moved-forward""",
    "nj-double-attack": COMMON + ATTACK + """, attack, refused: attack, side dealer-bust, surrender,
surrender after doubling, table none""",
    "nj-triple-attack": COMMON + ATTACK + """, insurance against a suited blackjack, refused: attack, second-attack,
side suited-royals, side triple-match, six cards, split ace doubled, third-attack, three of a kind""",
}


def missing(texts, seen):
    """Returns the features that no round covered."""
    wanted = [(text, name) for text in texts for name in FEATURES[text].replace("\n", " ").split(", ")]
    wanted += [(text, name) for text, name, _ in KNOWN if text in texts]
    return [(text, name) for text, name in wanted if not seen[text, name]]
