//! The values that Triple Attack permits for the keys of a table file.
//!
//! Each value has its clause and its requirements.

use crate::lawful::Kind;
use crate::text::values::{KeyValues, Rejection, Requirement, Value};
use crate::text::why;

/// The values that Triple Attack permits in a table file.
pub(super) const VALUES: &[KeyValues] = &[
    KeyValues {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("19:47-36.5(e.2)#3"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-36.5(e.2)#3"),
            why: why::VARIATIONS_OF_BLACKJACK_ONLY,
        }],
    },
    KeyValues {
        key: "decks",
        keys: &["decks"],
        values: &[Value { is: "8", by: clause!("19:47-36.2(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.2(a)"), why: why::TRIPLE_ATTACK_EIGHT_DECKS }],
    },
    KeyValues {
        key: "positions",
        keys: &["positions"],
        values: &[Value { is: "6..=7", by: clause!("19:46-1.13V(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:46-1.13V(a)"), why: why::SIX_OR_SEVEN_BOXES }],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "down", by: clause!("19:47-36.7(e)#3"), asks: &[] },
            Value {
                is: "reader",
                by: clause!("19:47-36.7(k)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-36.7(k)#6"),
                    with: &[],
                    register: true,
                    what: message!(
                        "dealing-procedure-needs-notice",
                        "this dealing procedure requires notice"
                    ),
                }],
            },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.7(e)#3"), why: why::SECOND_CARD_FACE_DOWN }],
    },
    KeyValues {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "hit", by: clause!("19:47-36.11(b)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.11(b)"), why: why::DEALER_HITS_SOFT_SEVENTEEN }],
    },
    KeyValues {
        key: "surrender",
        keys: &["surrender"],
        values: &[Value { is: "false", by: clause!("19:47-36.7(g)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.7(g)"), why: why::TRIPLE_ATTACK_NO_SURRENDER }],
    },
    KeyValues {
        key: "even_money",
        keys: &["even_money"],
        values: &[Value { is: "false", by: clause!("19:47-36.5(e.2)#3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.5(e.2)#3"), why: why::EVEN_MONEY_NOT_IN_GAME }],
    },
    KeyValues {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("19:47-36.10(b)#3"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-36.10(b)#3"),
            why: why::INSURANCE_AFTER_SECOND_CARDS,
        }],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands"],
        values: &[
            Value {
                is: "2",
                by: clause!("19:47-36.9(a)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-36.9(c)#2"),
                    with: &[],
                    register: false,
                    what: message!(
                        "one-split-may-be-too-few",
                        "a player \"may also split pairs again\", so allowing only one split may be less than the \
                            regulation grants"
                    ),
                }],
            },
            Value { is: "3..=4", by: clause!("19:47-36.9(c)#3"), asks: &[] },
        ],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-36.9(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "1", by: clause!("19:47-36.9(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "", by: clause!("19:47-36.9(c)#3"), why: why::AT_MOST_THREE_SPLITS },
        ],
    },
    KeyValues {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[
            Value { is: "false", by: clause!("19:47-36.9(e)"), asks: &[] },
            Value {
                is: "true",
                by: clause!("19:47-36.9(c)#2"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-36.9(e)"),
                    with: &[],
                    register: false,
                    what: message!(
                        "split-ace-may-not-be-split",
                        "each split ace receives only one card, so splitting aces again may be more than the \
                            regulation allows"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-36.8(a)#4"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-36.8(a)#4"),
            why: why::DOUBLE_AFTER_SPLIT_IS_A_RIGHT,
        }],
    },
    KeyValues {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("19:47-36.8(a)#6"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.8(a)#6"), why: why::DOUBLED_CARD_FACE_UP }],
    },
    KeyValues {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("19:47-36.7(a)"), asks: &[] }],
        rejects: &[
            Rejection { is: "hand", by: clause!("19:47-36.7(a)"), why: why::ONE_DEALING_SHOE },
            Rejection { is: "hand", by: clause!("19:46-1.19(b)"), why: why::TRIPLE_ATTACK_NOT_FROM_THE_HAND },
            Rejection { is: "", by: clause!("19:47-36.7(a)"), why: why::ONE_DEALING_SHOE },
        ],
    },
    KeyValues {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("19:47-36.4(a)"), asks: &[] },
            Value { is: "automated", by: clause!("19:47-36.4(a)#3"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("19:47-36.3(a)"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.4(a)#3"), why: why::BART_CARTER_GAMES }],
    },
    KeyValues {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-36.7(d.2)"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-36.7(d.2)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-36.4(c)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.4(c)"), why: why::CUT_OFFERED_TO_PLAYERS }],
    },
    KeyValues {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-36.7(g)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-36.7(g)"),
            why: why::TRIPLE_ATTACK_NO_SURRENDER_TO_SETTLE,
        }],
    },
    KeyValues {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-36.10(d)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-36.10(d)"),
            why: why::INSURANCE_COLLECTED_AT_DISCLOSURE,
        }],
    },
    KeyValues {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("19:47-36.7(c)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.7(c)"), why: why::BURN_WHEN_LOADED }],
    },
    KeyValues {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-36.5(h)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-36.5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-36.4(f)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-36.4(f)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-36.14(l)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-36.14(l)1"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-36.12(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.12(a)"), why: why::BETTORS_OF_A_BOX }],
    },
    KeyValues {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-36.13"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.13"), why: why::AT_LEAST_ONE_BOX }],
    },
    KeyValues {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("19:47-36.5(e.2)#3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-36.5(e.2)#3"), why: why::WINS_PAY_EVEN }],
    },
    KeyValues {
        key: "side_wagers.suited-royals",
        keys: &["side_wagers.suited-royals"],
        values: &[Value { is: "true", by: clause!("19:46-1.13V(b)2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:46-1.13V(b)2"), why: why::AREA_FOR_EACH_BONUS_BET }],
    },
    KeyValues {
        key: "side_wagers.triple-match",
        keys: &["side_wagers.triple-match"],
        values: &[Value { is: "true", by: clause!("19:46-1.13V(b)2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:46-1.13V(b)2"), why: why::AREA_FOR_EACH_BONUS_BET }],
    },
];
