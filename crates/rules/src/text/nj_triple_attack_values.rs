//! The values that Triple Attack permits for the keys of a table file, each with its clause and requirements.

use crate::lawful::Kind;
use crate::text::values::{Asks, Permits, Rejects, Value};

/// The values that the text permits.
pub(super) const VALUES: &[Permits] = &[
    Permits {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("19:47-36.5(e.2)#3"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.5(e.2)#3"),
            why: "the variations of blackjack do not exist in this game",
        }],
    },
    Permits {
        key: "decks",
        keys: &["decks"],
        values: &[Value { is: "8", by: clause!("19:47-36.2(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.2(a)"),
            why: "Triple Attack is played with eight decks",
        }],
    },
    Permits {
        key: "positions",
        keys: &["positions"],
        values: &[Value { is: "6..=7", by: clause!("19:46-1.13V(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:46-1.13V(a)"),
            why: "a table has six or seven player positions",
        }],
    },
    Permits {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "down", by: clause!("19:47-36.7(e)#3"), asks: &[] },
            Value {
                is: "reader",
                by: clause!("19:47-36.7(k)"),
                asks: &[Asks {
                    kind: Kind::Notice,
                    by: clause!("19:47-36.7(k)#6"),
                    what: "this dealing procedure needs notice",
                }],
            },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.7(e)#3"),
            why: "the dealer's second card is dealt face down with the players' second cards",
        }],
    },
    Permits {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "hit", by: clause!("19:47-36.11(b)"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-36.11(b)"), why: "the dealer draws to a soft 17" }],
    },
    Permits {
        key: "surrender",
        keys: &["surrender"],
        values: &[Value { is: "false", by: clause!("19:47-36.7(g)"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-36.7(g)"), why: "Triple Attack has no surrender" }],
    },
    Permits {
        key: "even_money",
        keys: &["even_money"],
        values: &[Value { is: "false", by: clause!("19:47-36.5(e.2)#3"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.5(e.2)#3"),
            why: "there is no even money option",
        }],
    },
    Permits {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("19:47-36.10(b)#3"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.10(b)#3"),
            why: "insurance is placed right after the second cards, before any additional card",
        }],
    },
    Permits {
        key: "split_hands",
        keys: &["split_hands"],
        values: &[
            Value { is: "2", by: clause!("19:47-36.9(a)"), asks: &[] },
            Value { is: "3..=4", by: clause!("19:47-36.9(c)#3"), asks: &[] },
        ],
        rejects: &[
            Rejects { is: "0", by: clause!("19:47-36.9(a)"), why: "a player has the right to split a pair" },
            Rejects { is: "1", by: clause!("19:47-36.9(a)"), why: "a player has the right to split a pair" },
            Rejects {
                is: "",
                by: clause!("19:47-36.9(c)#3"),
                why: "pairs may be split at most three times, four hands in total",
            },
        ],
    },
    Permits {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[
            Value { is: "false", by: clause!("19:47-36.9(e)"), asks: &[] },
            Value { is: "true", by: clause!("19:47-36.9(c)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-36.8(a)#4"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.8(a)#4"),
            why: "a hand formed by a split may be doubled",
        }],
    },
    Permits {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("19:47-36.8(a)#6"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.8(a)#6"),
            why: "the card of a doubled hand is dealt face up",
        }],
    },
    Permits {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("19:47-36.7(a)"), asks: &[] }],
        rejects: &[
            Rejects {
                is: "hand",
                by: clause!("19:47-36.7(a)"),
                why: "the cards are dealt from one dealing shoe",
            },
            Rejects {
                is: "hand",
                by: clause!("19:46-1.19(b)"),
                why: "only games that the clause names are dealt from the hand, and Triple Attack is none of them",
            },
            Rejects {
                is: "",
                by: clause!("19:47-36.7(a)"),
                why: "the cards are dealt from one dealing shoe",
            },
        ],
    },
    Permits {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("19:47-36.4(a)"), asks: &[] },
            Value { is: "automated", by: clause!("19:47-36.4(a)#3"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("19:47-36.3(a)"), asks: &[] },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.4(a)#3"),
            why: "the Bart Carter shuffle belongs to blackjack and Blackjack Switch",
        }],
    },
    Permits {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-36.7(d.2)"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-36.7(d.2)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-36.4(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.4(c)"),
            why: "the cut is offered to the players; the dealer cuts only if all decline",
        }],
    },
    Permits {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-36.7(g)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.7(g)"),
            why: "Triple Attack has no surrender that could be settled",
        }],
    },
    Permits {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-36.10(d)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.10(d)"),
            why: "losing insurance is collected when the dealer discloses the hole card",
        }],
    },
    Permits {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("19:47-36.7(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.7(c)"),
            why: "a card is burned when the shoe is loaded, not before each round",
        }],
    },
    Permits {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-36.5(h)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-36.5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-36.4(f)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-36.4(f)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-36.14(l)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-36.14(l)1"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-36.12(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-36.12(a)"),
            why: "from one to three people may bet on one box",
        }],
    },
    Permits {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-36.13"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-36.13"), why: "a player bets on at least one box" }],
    },
    Permits {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("19:47-36.5(e.2)#3"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-36.5(e.2)#3"), why: "every win is paid 1 to 1" }],
    },
    Permits {
        key: "side_wagers.suited-royals",
        keys: &["side_wagers.suited-royals"],
        values: &[Value { is: "true", by: clause!("19:46-1.13V(b)2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:46-1.13V(b)2"),
            why: "every betting position has an area for each bonus bet",
        }],
    },
    Permits {
        key: "side_wagers.triple-match",
        keys: &["side_wagers.triple-match"],
        values: &[Value { is: "true", by: clause!("19:46-1.13V(b)2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:46-1.13V(b)2"),
            why: "every betting position has an area for each bonus bet",
        }],
    },
];
