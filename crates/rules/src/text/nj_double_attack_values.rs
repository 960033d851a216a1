//! The values that Double Attack permits for the keys of a table file, each with its clause and requirements.

use crate::lawful::Kind;
use crate::text::values::{Asks, Permits, Rejects, Value};

/// The values that the text permits.
pub(super) const VALUES: &[Permits] = &[
    Permits {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("19:47-26.5(e)#2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.5(e)#2"),
            why: "the variations of blackjack do not exist in this game",
        }],
    },
    Permits {
        key: "decks",
        keys: &["decks"],
        values: &[
            Value { is: "6", by: clause!("19:47-26.2(a)"), asks: &[] },
            Value { is: "8", by: clause!("19:47-26.2(a)"), asks: &[] },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.2(a)"),
            why: "Double Attack is played with six or eight decks",
        }],
    },
    Permits {
        key: "positions",
        keys: &["positions"],
        values: &[
            Value { is: "6", by: clause!("19:47-26.10(c)#4"), asks: &[] },
            Value { is: "7", by: clause!("19:47-26.10(c)#3"), asks: &[] },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.10(c)#4"),
            why: "a table has six or seven player positions",
        }],
    },
    Permits {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "none", by: clause!("19:47-26.7(g)"), asks: &[] },
            Value {
                is: "down",
                by: clause!("19:47-26.7(i)"),
                asks: &[Asks {
                    kind: Kind::Notice,
                    by: clause!("19:47-26.7(i)#7"),
                    what: "this dealing procedure needs notice",
                }],
            },
            Value {
                is: "reader",
                by: clause!("19:47-26.7(i)#3"),
                asks: &[Asks {
                    kind: Kind::Notice,
                    by: clause!("19:47-26.7(i)#7"),
                    what: "this dealing procedure needs notice",
                }],
            },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.7(g)#5"),
            why: "the dealer's second card is dealt after the players, or face down",
        }],
    },
    Permits {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "stand", by: clause!("19:47-26.12(b)"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-26.12(b)"), why: "the dealer stands on a soft 17" }],
    },
    Permits {
        key: "surrender",
        keys: &["surrender"],
        values: &[Value { is: "true", by: clause!("19:47-26.8(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.8(a)"),
            why: "surrender is the player's right in Double Attack",
        }],
    },
    Permits {
        key: "even_money",
        keys: &["even_money"],
        values: &[Value { is: "false", by: clause!("19:47-26.5(e)#2"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-26.5(e)#2"), why: "there is no even money option" }],
    },
    Permits {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("19:47-26.11(b)#3"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.11(b)#3"),
            why: "insurance is placed right after the second cards, before any additional card",
        }],
    },
    Permits {
        key: "split_hands",
        keys: &["split_hands", "positions"],
        values: &[Value { is: "3..=4", by: clause!("19:47-26.10(c)#2"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.10(c)"),
            why: "a player may split pairs again: up to four hands with six positions, three with seven",
        }],
    },
    Permits {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[Value { is: "false", by: clause!("19:47-26.10(e)#2"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-26.10(e)#2"), why: "aces may be split only once" }],
    },
    Permits {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-26.9(a)#4"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.9(a)#4"),
            why: "a hand formed by a split may be doubled",
        }],
    },
    Permits {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("19:47-26.9(a)#6"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.9(a)#6"),
            why: "the card of a doubled hand is dealt face up",
        }],
    },
    Permits {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("19:47-26.7(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.7(a)"),
            why: "the cards are dealt from one dealing shoe",
        }],
    },
    Permits {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("19:47-26.4(a)"), asks: &[] },
            Value { is: "automated", by: clause!("19:47-26.4(a)#3"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("19:47-26.3(a)"), asks: &[] },
        ],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.4(a)#3"),
            why: "the Bart Carter shuffle belongs to blackjack and Blackjack Switch",
        }],
    },
    Permits {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-26.7(d)#3"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-26.7(d)#3"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-26.4(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.4(c)"),
            why: "the cut is offered to the players; the dealer cuts only if all decline",
        }],
    },
    Permits {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[
            Value { is: "at-disclosure", by: clause!("19:47-26.8(a)2"), asks: &[] },
            Value { is: "at-once", by: clause!("19:47-26.8(a)3"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-26.11(d)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.11(d)"),
            why: "losing insurance is collected when the dealer discloses the hole card",
        }],
    },
    Permits {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("19:47-26.7(c)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.7(c)"),
            why: "a card is burned when the shoe is loaded, not before each round",
        }],
    },
    Permits {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-26.5(h)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-26.5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-26.4(f)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-26.4(f)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-26.15(l)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-26.15(l)1"), asks: &[] },
        ],
        rejects: &[],
    },
    Permits {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-26.13(a)"), asks: &[] }],
        rejects: &[Rejects {
            is: "",
            by: clause!("19:47-26.13(a)"),
            why: "from one to three people may bet on one box",
        }],
    },
    Permits {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-26.14"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-26.14"), why: "a player bets on at least one box" }],
    },
    Permits {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("19:47-26.5(e)#2"), asks: &[] }],
        rejects: &[Rejects { is: "", by: clause!("19:47-26.5(e)#2"), why: "every win is paid 1 to 1" }],
    },
];
