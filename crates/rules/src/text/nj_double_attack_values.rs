//! The values that Double Attack permits for the keys of a table file.
//!
//! Each value has its clause and its requirements.

use crate::lawful::Kind;
use crate::text::values::{KeyValues, Rejection, Requirement, Value};
use crate::text::why;

/// The values that Double Attack permits in a table file.
pub(super) const VALUES: &[KeyValues] = &[
    KeyValues {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("19:47-26.5(e)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.5(e)#2"),
            why: why::VARIATIONS_OF_BLACKJACK_ONLY,
        }],
    },
    KeyValues {
        key: "decks",
        keys: &["decks"],
        values: &[
            Value { is: "6", by: clause!("19:47-26.2(a)"), asks: &[] },
            Value { is: "8", by: clause!("19:47-26.2(a)"), asks: &[] },
        ],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.2(a)"),
            why: why::DOUBLE_ATTACK_SIX_OR_EIGHT_DECKS,
        }],
    },
    KeyValues {
        key: "positions",
        keys: &["positions"],
        values: &[
            Value { is: "6", by: clause!("19:47-26.10(c)#4"), asks: &[] },
            Value { is: "7", by: clause!("19:47-26.10(c)#3"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.10(c)#4"), why: why::SIX_OR_SEVEN_BOXES }],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "none", by: clause!("19:47-26.7(g)"), asks: &[] },
            Value {
                is: "down",
                by: clause!("19:47-26.7(i)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-26.7(i)#7"),
                    with: &[],
                    register: true,
                    what: message!(
                        "dealing-procedure-needs-notice",
                        "this dealing procedure requires notice"
                    ),
                }],
            },
            Value {
                is: "reader",
                by: clause!("19:47-26.7(i)#3"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-26.7(i)#7"),
                    with: &[],
                    register: true,
                    what: message!(
                        "dealing-procedure-needs-notice",
                        "this dealing procedure requires notice"
                    ),
                }],
            },
        ],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.7(g)#5"),
            why: why::SECOND_CARD_AFTER_PLAYERS_OR_DOWN,
        }],
    },
    KeyValues {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "stand", by: clause!("19:47-26.12(b)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.12(b)"),
            why: why::DEALER_STANDS_ON_SOFT_SEVENTEEN,
        }],
    },
    KeyValues {
        key: "surrender",
        keys: &["surrender"],
        values: &[Value { is: "true", by: clause!("19:47-26.8(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.8(a)"), why: why::SURRENDER_IS_A_RIGHT }],
    },
    KeyValues {
        key: "even_money",
        keys: &["even_money"],
        values: &[Value { is: "false", by: clause!("19:47-26.5(e)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.5(e)#2"), why: why::EVEN_MONEY_NOT_IN_GAME }],
    },
    KeyValues {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("19:47-26.11(b)#3"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.11(b)#3"),
            why: why::INSURANCE_AFTER_SECOND_CARDS,
        }],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands", "positions"],
        values: &[Value { is: "3..=4", by: clause!("19:47-26.10(c)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.10(c)"), why: why::RESPLIT_IS_A_RIGHT }],
    },
    KeyValues {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[Value { is: "false", by: clause!("19:47-26.10(e)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.10(e)#2"), why: why::ACES_ONE_SPLIT_BY_LAW }],
    },
    KeyValues {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-26.9(a)#4"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.9(a)#4"),
            why: why::DOUBLE_AFTER_SPLIT_IS_A_RIGHT,
        }],
    },
    KeyValues {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("19:47-26.9(a)#6"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.9(a)#6"), why: why::DOUBLED_CARD_FACE_UP }],
    },
    KeyValues {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("19:47-26.7(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.7(a)"), why: why::ONE_DEALING_SHOE }],
    },
    KeyValues {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("19:47-26.4(a)"), asks: &[] },
            Value { is: "automated", by: clause!("19:47-26.4(a)#3"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("19:47-26.3(a)"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.4(a)#3"), why: why::BART_CARTER_GAMES }],
    },
    KeyValues {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-26.7(d)#3"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-26.7(d)#3"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-26.4(c)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.4(c)"), why: why::CUT_OFFERED_TO_PLAYERS }],
    },
    KeyValues {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[
            Value { is: "at-disclosure", by: clause!("19:47-26.8(a)2"), asks: &[] },
            Value { is: "at-once", by: clause!("19:47-26.8(a)3"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-26.11(d)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-26.11(d)"),
            why: why::INSURANCE_COLLECTED_AT_DISCLOSURE,
        }],
    },
    KeyValues {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("19:47-26.7(c)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.7(c)"), why: why::BURN_WHEN_LOADED }],
    },
    KeyValues {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-26.5(h)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-26.5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-26.4(f)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-26.4(f)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-26.15(l)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-26.15(l)1"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-26.13(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.13(a)"), why: why::BETTORS_OF_A_BOX }],
    },
    KeyValues {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-26.14"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.14"), why: why::AT_LEAST_ONE_BOX }],
    },
    KeyValues {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("19:47-26.5(e)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-26.5(e)#2"), why: why::WINS_PAY_EVEN }],
    },
];
