//! The values that Switch in New Jersey permits for the keys of a table file, each with its clause and requirements.

use crate::lawful::Kind;
use crate::text::values::{Asks, Permits, Rejects, Value};

/// The values that the text permits.
pub(super) const VALUES: &[Permits] = &[
    Permits {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("19:47-2A.5(g)#2"), asks: &[] }],
        rejects: &[
            Rejects {
                is: "six-to-five",
                by: clause!("19:47-2A.5(g)#2"),
                why: "a blackjack is paid 1 to 1; the 6 to 5 variation belongs to blackjack",
            },
            Rejects {
                is: "multiple-action",
                by: clause!("19:47-2A.5(i)#2"),
                why: "multiple action bets may not be offered in Blackjack Switch",
            },
        ],
    },
    Permits {
        key: "decks",
        keys: &["decks"],
        values: &[
            Value { is: "6", by: clause!("19:47-2A.2(a)"), asks: &[] },
            Value { is: "8", by: clause!("19:47-2A.2(a)"), asks: &[] },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.2(a)"),
            why: "Blackjack Switch is played with six or eight decks",
        }],
    },
    Permits {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "none", by: clause!("19:47-2A.7(l)"), asks: &[] },
            Value { is: "down", by: clause!("19:47-2A.7(l)1"), asks: &[] },
            Value { is: "reader", by: clause!("19:47-2A.7(l)2"), asks: &[] },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.7(l)1"),
            why: "the hole card is dealt after the players, or face down",
        }],
    },
    Permits {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "hit", by: clause!("19:47-2A.12(b)"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-2A.12(b)"), why: "the dealer draws to a soft 17" }],
    },
    Permits {
        key: "surrender",
        keys: &["surrender"],
        values: &[
            Value { is: "false", by: clause!("19:47-2A.9(c)"), asks: &[] },
            Value {
                is: "true",
                by: clause!("19:47-2A.9(a)"),
                asks: &[Asks {
                    kind: Kind::Notice,
                    by: clause!("19:47-2A.9(c)#2"),
                    what: "starting or ending surrender needs notice",
                }],
            },
        ],
        rejects: &[],
    },
    Permits {
        key: "even_money",
        keys: &["even_money"],
        values: &[Value { is: "false", by: clause!("19:47-2A.5(g)#2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.5(g)#2"),
            why: "there is no even money option; every win is paid 1 to 1",
        }],
    },
    Permits {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("19:47-2A.8(a)2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.8(a)2"),
            why: "insurance is placed right after the second cards, before any additional card",
        }],
    },
    Permits {
        key: "split_hands",
        keys: &["split_hands"],
        values: &[
            Value { is: "2", by: clause!("19:47-2A.11(a)"), asks: &[] },
            Value { is: "3..=4", by: clause!("19:47-2A.11(e)"), asks: &[] },
        ],
        rejects: &[
            Rejects { is: "0", by: clause!("19:47-2A.11(a)"), why: "a player has the right to split a pair" },
            Rejects { is: "1", by: clause!("19:47-2A.11(a)"), why: "a player has the right to split a pair" },
            Rejects {
                is: "",
                by: clause!("19:47-2A.11(e)"),
                why: "pairs may be split up to three times, four hands from one",
            },
        ],
    },
    Permits {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[
            Value { is: "false", by: clause!("19:47-2A.11(e)#2"), asks: &[] },
            Value { is: "true", by: clause!("19:47-2A.11(e)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-2A.11(c)#2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.11(c)#2"),
            why: "a hand formed by a split may be doubled",
        }],
    },
    Permits {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("19:47-2A.10(b)#2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.10(b)#2"),
            why: "the card of a doubled hand is dealt face up",
        }],
    },
    Permits {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("19:47-2A.7(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.7(a)"),
            why: "the cards are dealt from one dealing shoe",
        }],
    },
    Permits {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-2A.5(a)"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-2A.5(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-2A.9(a)2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.9(a)2"),
            why: "a surrender against an ace or ten-value card is settled when the dealer's second card is revealed",
        }],
    },
    Permits {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-2A.8(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.8(c)"),
            why: "losing insurance is collected when the dealer discloses the hole card",
        }],
    },
    Permits {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("19:47-2A.7(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.7(c)"),
            why: "a card is burned when the shoe is loaded, not before each round",
        }],
    },
    Permits {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-2A.5(h)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-2A.5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-2A.4(g)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-2A.4(g)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-2A.15(k)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-2A.15(k)1"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("19:47-2A.4(a)"), asks: &[] },
            Value { is: "automated", by: clause!("19:47-2A.4(a)#2"), asks: &[] },
            Value { is: "bart-carter", by: clause!("19:47-2A.4(h)2"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("19:47-2A.3(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-2A.4(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.4(c)"),
            why: "the cut is offered to the players; only Massachusetts lets the dealer cut instead",
        }],
    },
    Permits {
        key: "positions",
        keys: &["positions"],
        values: &[Value { is: "1..=5", by: clause!("19:46-1.10C(a)"), asks: &[] }],
        rejects: &[
            Rejects {
                is: "0",
                by: clause!("19:47-2A.5(a)"),
                why: "a table needs at least one betting position",
            },
            Rejects {
                is: "",
                by: clause!("19:46-1.10C(a)"),
                why: "a Blackjack Switch table has at most five betting positions",
            },
        ],
    },
    Permits {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-2A.13(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.13(a)"),
            why: "from one to three people may bet on one box",
        }],
    },
    Permits {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-2A.14"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-2A.14"), why: "a player bets on at least one box" }],
    },
    Permits {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("19:47-2A.5(g)#2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-2A.5(g)#2"),
            why: "every win is paid 1 to 1; there are no special odds",
        }],
    },
    Permits {
        key: "side_wagers.match",
        keys: &["side_wagers.match"],
        values: &[Value { is: "true", by: clause!("19:46-1.10C(b)3"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:46-1.10C(b)3"),
            why: "every betting position has an area for the match bet",
        }],
    },
];
