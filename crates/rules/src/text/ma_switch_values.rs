//! The values that Switch in Massachusetts permits for the keys of a table file.
//!
//! Each value has its clause and its requirements.

use crate::lawful::Kind;
use crate::text::values::{KeyValues, Rejection, Requirement, Value};
use crate::text::why;

/// The values that Switch in Massachusetts permits in a table file.
pub(super) const VALUES: &[KeyValues] = &[
    KeyValues {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("MA-BJS 5(g)#2"), asks: &[] }],
        rejects: &[
            Rejection { is: "six-to-five", by: clause!("MA-BJS 5(g)#2"), why: why::SWITCH_NO_SIX_TO_FIVE },
            Rejection {
                is: "multiple-action",
                by: clause!("MA-BJS 5(i)"),
                why: why::SWITCH_NO_MULTIPLE_ACTION,
            },
        ],
    },
    KeyValues {
        key: "decks",
        keys: &["decks"],
        values: &[
            Value { is: "6", by: clause!("MA-BJS 2(a)"), asks: &[] },
            Value { is: "8", by: clause!("MA-BJS 2(a)"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 2(a)"), why: why::SWITCH_SIX_OR_EIGHT_DECKS }],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "none", by: clause!("MA-BJS 7(l)"), asks: &[] },
            Value { is: "down", by: clause!("MA-BJS 7(l)(1)"), asks: &[] },
            Value { is: "reader", by: clause!("MA-BJS 7(l)(2)"), asks: &[] },
        ],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 7(l)(1)"),
            why: why::HOLE_CARD_AFTER_PLAYERS_OR_DOWN,
        }],
    },
    KeyValues {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "hit", by: clause!("MA-BJS 12(b)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 12(b)"), why: why::DEALER_HITS_SOFT_SEVENTEEN }],
    },
    KeyValues {
        key: "surrender",
        keys: &["surrender"],
        values: &[
            Value { is: "false", by: clause!("MA-BJS 9(c)"), asks: &[] },
            Value {
                is: "true",
                by: clause!("MA-BJS 9(a)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("MA-BJS 9(c)#2"),
                    with: &[],
                    register: true,
                    what: message!(
                        "surrender-needs-notice",
                        "starting or ending the surrender option requires notice"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "even_money",
        keys: &["even_money"],
        values: &[Value { is: "false", by: clause!("MA-BJS 5(g)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 5(g)#2"), why: why::EVEN_MONEY_NEEDLESS }],
    },
    KeyValues {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("MA-BJS 8(a)(2)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 8(a)(2)"),
            why: why::INSURANCE_AFTER_SECOND_CARDS,
        }],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands"],
        values: &[
            Value { is: "2", by: clause!("MA-BJS 11(a)"), asks: &[] },
            Value { is: "3..=4", by: clause!("MA-BJS 11(e)"), asks: &[] },
        ],
        rejects: &[
            Rejection { is: "0", by: clause!("MA-BJS 11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "1", by: clause!("MA-BJS 11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "", by: clause!("MA-BJS 11(e)"), why: why::UP_TO_THREE_SPLITS },
        ],
    },
    KeyValues {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[
            Value {
                is: "false",
                by: clause!("MA-BJS 11(e)#2"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("MA-BJS 11(e)#3"),
                    with: &[("split_hands", "3..")],
                    register: true,
                    what: why::ONE_ACE_SPLIT_NEEDS_NOTICE,
                }],
            },
            Value { is: "true", by: clause!("MA-BJS 11(e)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("MA-BJS 11(c)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 11(c)#2"),
            why: why::DOUBLE_AFTER_SPLIT_IS_A_RIGHT,
        }],
    },
    KeyValues {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("MA-BJS 10(b)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 10(b)#2"), why: why::DOUBLED_CARD_FACE_UP }],
    },
    KeyValues {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("MA-BJS 7(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 7(a)"), why: why::ONE_DEALING_SHOE }],
    },
    KeyValues {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("MA-BJS 5(a)"), asks: &[] },
            Value { is: "equal", by: clause!("MA-BJS 5(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[Value { is: "at-disclosure", by: clause!("MA-BJS 9(a)(2)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 9(a)(2)"),
            why: why::SURRENDER_SETTLED_AT_HOLE_CARD,
        }],
    },
    KeyValues {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("MA-BJS 8(c)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 8(c)"),
            why: why::INSURANCE_COLLECTED_AT_DISCLOSURE,
        }],
    },
    KeyValues {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("MA-BJS 7(c)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 7(c)"), why: why::BURN_WHEN_LOADED }],
    },
    KeyValues {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("MA-BJS 5(h)"), asks: &[] },
            Value { is: "false", by: clause!("MA-BJS 5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("MA-BJS 4(g)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("MA-BJS 4(g)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("MA-BJS 15(l)(2)"), asks: &[] },
            Value { is: "hole-card", by: clause!("MA-BJS 15(l)(1)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("MA-BJS 4(a)"), asks: &[] },
            Value { is: "automated", by: clause!("MA-BJS 4(a)#2"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("MA-BJS 4(a)"), asks: &[] },
        ],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 4(a)#2"),
            why: why::NO_BART_CARTER_IN_MASSACHUSETTS,
        }],
    },
    KeyValues {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[
            Value { is: "players", by: clause!("MA-BJS 4(c)"), asks: &[] },
            Value { is: "dealer", by: clause!("MA-BJS 4(c)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "positions",
        keys: &["positions"],
        values: &[Value { is: "1..", by: clause!("MA-BJS 5(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 5(a)"), why: why::NEEDS_A_BOX }],
    },
    KeyValues {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("MA-BJS 13(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 13(a)"), why: why::BETTORS_OF_A_BOX }],
    },
    KeyValues {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("MA-BJS 14"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("MA-BJS 14"), why: why::AT_LEAST_ONE_BOX }],
    },
    KeyValues {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("MA-BJS 5(g)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("MA-BJS 5(g)#2"),
            why: why::WINS_PAY_EVEN_NO_SPECIAL_ODDS,
        }],
    },
];
