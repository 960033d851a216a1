"""What a full run has to cover, by text."""

COMMON = """admitted, all hands dead, another irregularity in the round, between rounds: disclose,
between rounds: relieve, between rounds: reshuffle, bust, clauses of irregularities, co-bettor doubles, consent, cover,
double, double for less, exposed card refused, follow, hit, insurance, irregularity out-of-cards, kept out,
refused when it is due, wager taken back, irregularity drawn-unexposed, irregularity drew-on-standing, irregularity exposed,
irregularity found-face-up, irregularity found-face-up twice, irregularity missed-box, irregularity missed-draw,
irregularity missed-own-card, irregularity missed-second-card, irregularity reader-failed, irregularity reader-misused,
refused on a shared box, refused: bet, refused: double, refused: insurance, refused: split, refused: stand,
refused: dealer, resplit,
shared box, split, split aces, stand, table down, table reader"""
ATTACK = """, 21 doubled, attack for less, irregularity ten-found, refused: attack, refusal binds another box,
void for two tens, void in mid-round"""
SWITCH = """, 21 surrendered, irregularity missed-own-second-card, match four, match pair, match three, match two pairs,
refusal binds another hand, refused: revoke, refused: switch, revoke, revoked after the turn,
ruling busted_v_dealer_blackjack, ruling double_two_card_21, ruling surrender_timing, side match, surrender, surrender after a refusal,
switch, table none, void in mid-round"""

FEATURES = {
    "nj-blackjack": COMMON + """, a spot left out, bonus award, determinant card burned, double face down, even money,
irregularity bonus-failed, irregularity double-dealt-up, irregularity missed-own-second-card,
irregularity up-card-discarded, irregularity up-card-not-moved, irregularity wrong-side,
paid designated blackjack, paid five-card 21, paid suited 6-7-8, paid three sevens, progressive jackpot,
even money on some spots,
refusal binds another box, refused on a split hand, refused while a split hand waits, refused: even-money, refused: hit, refused: surrender,
refused: withdraw, ruling ace_nine_twenty, ruling bonus_pays, ruling busted_v_dealer_blackjack,
ruling face_up_blackjack_v_21, ruling progressive_split_aces, ruling second_dealer_card, ruling special_odds_on,
ruling twenty_point_dealing, sevens card after a dealer's blackjack, side blackjack-bonus, side dealer-bust,
side match-the-dealer, side over-13, side progressive, side same-suit, side sevens, side twenty-point,
side under-13, streak abandoned, streak on a shared box, streak-2 lose, streak-2 win, streak-3 win, surrender,
surrender after a refusal, table multiple-action, table none, table six-to-five, table up, two sevens""",
    "nj-switch": COMMON + SWITCH,
    "ma-switch": COMMON + SWITCH + """, irregularity burn-forgotten, irregularity let-out,
irregularity let-out while the dealer draws, irregularity misdelivered,
irregularity moved-forward""",
    "nj-double-attack": COMMON + ATTACK + """, 21 surrendered, attack, side dealer-bust, surrender,
surrender after a refusal, surrender after doubling, table none, ruling busted-too, ruling cobettor_attack,
ruling double_split_21, ruling everything, ruling second_dealer_card, ruling split_ace_double, ruling surrender_21""",
    "nj-triple-attack": COMMON + ATTACK + """, insurance against a suited blackjack, second-attack, side suited-royals,
side triple-match, six cards, aces split again, ruling busted-too, ruling cobettor_attack, ruling double_split_21,
ruling each-its-share, ruling loses, split ace doubled, third-attack, three of a kind""",
}


def missing(texts, seen):
    """Returns the features that no round covered."""
    wanted = [(text, name) for text in texts for name in FEATURES[text].replace("\n", " ").split(", ")]
    return [(text, name) for text, name in wanted if not seen[text, name]]
