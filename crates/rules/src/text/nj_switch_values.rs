//! The values that Switch in New Jersey permits for the keys of a table file.
//!
//! Each value has its clause and its requirements.

use crate::lawful::Kind;
use crate::text::values::{KeyValues, Rejection, Requirement, Value};
use crate::text::why;

/// The values that Switch in New Jersey permits in a table file.
pub(super) const VALUES: &[KeyValues] = &[
    KeyValues {
        key: "variation",
        keys: &["variation"],
        values: &[Value { is: "standard", by: clause!("19:47-2A.5(g)#2"), asks: &[] }],
        rejects: &[
            Rejection { is: "six-to-five", by: clause!("19:47-2A.5(g)#2"), why: why::SWITCH_NO_SIX_TO_FIVE },
            Rejection {
                is: "multiple-action",
                by: clause!("19:47-2A.5(i)#2"),
                why: why::SWITCH_NO_MULTIPLE_ACTION,
            },
        ],
    },
    KeyValues {
        key: "decks",
        keys: &["decks"],
        values: &[
            Value { is: "6", by: clause!("19:47-2A.2(a)"), asks: &[] },
            Value { is: "8", by: clause!("19:47-2A.2(a)"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.2(a)"), why: why::SWITCH_SIX_OR_EIGHT_DECKS }],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "none", by: clause!("19:47-2A.7(l)"), asks: &[] },
            Value { is: "down", by: clause!("19:47-2A.7(l)1"), asks: &[] },
            Value { is: "reader", by: clause!("19:47-2A.7(l)2"), asks: &[] },
        ],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.7(l)1"),
            why: why::HOLE_CARD_AFTER_PLAYERS_OR_DOWN,
        }],
    },
    KeyValues {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[Value { is: "hit", by: clause!("19:47-2A.12(b)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.12(b)"), why: why::DEALER_HITS_SOFT_SEVENTEEN }],
    },
    KeyValues {
        key: "surrender",
        keys: &["surrender"],
        values: &[
            Value { is: "false", by: clause!("19:47-2A.9(c)"), asks: &[] },
            Value {
                is: "true",
                by: clause!("19:47-2A.9(a)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2A.9(c)#2"),
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
        values: &[Value { is: "false", by: clause!("19:47-2A.5(g)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.5(g)#2"), why: why::EVEN_MONEY_NEEDLESS }],
    },
    KeyValues {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[Value { is: "false", by: clause!("19:47-2A.8(a)2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.8(a)2"),
            why: why::INSURANCE_AFTER_SECOND_CARDS,
        }],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands"],
        values: &[
            Value { is: "2", by: clause!("19:47-2A.11(a)"), asks: &[] },
            Value { is: "3..=4", by: clause!("19:47-2A.11(e)"), asks: &[] },
        ],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-2A.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "1", by: clause!("19:47-2A.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "", by: clause!("19:47-2A.11(e)"), why: why::UP_TO_THREE_SPLITS },
        ],
    },
    KeyValues {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[
            Value {
                is: "false",
                by: clause!("19:47-2A.11(e)#2"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2A.11(e)#3"),
                    with: &[("split_hands", "3..")],
                    register: true,
                    what: why::ONE_ACE_SPLIT_NEEDS_NOTICE,
                }],
            },
            Value { is: "true", by: clause!("19:47-2A.11(e)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-2A.11(c)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.11(c)#2"),
            why: why::DOUBLE_AFTER_SPLIT_IS_A_RIGHT,
        }],
    },
    KeyValues {
        key: "double_card",
        keys: &["double_card"],
        values: &[Value { is: "up", by: clause!("19:47-2A.10(b)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.10(b)#2"), why: why::DOUBLED_CARD_FACE_UP }],
    },
    KeyValues {
        key: "shoe",
        keys: &["shoe"],
        values: &[Value { is: "single", by: clause!("19:47-2A.7(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.7(a)"), why: why::ONE_DEALING_SHOE }],
    },
    KeyValues {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-2A.5(a)"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-2A.5(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-2A.9(a)2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.9(a)2"),
            why: why::SURRENDER_SETTLED_AT_HOLE_CARD,
        }],
    },
    KeyValues {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[Value { is: "at-disclosure", by: clause!("19:47-2A.8(c)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.8(c)"),
            why: why::INSURANCE_COLLECTED_AT_DISCLOSURE,
        }],
    },
    KeyValues {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[Value { is: "none", by: clause!("19:47-2A.7(c)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.7(c)"), why: why::BURN_WHEN_LOADED }],
    },
    KeyValues {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-2A.5(h)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-2A.5(h)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-2A.4(g)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-2A.4(g)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-2A.15(k)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-2A.15(k)1"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
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
    KeyValues {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-2A.4(c)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.4(c)"),
            why: why::CUT_BY_DEALER_IN_MASSACHUSETTS_ONLY,
        }],
    },
    KeyValues {
        key: "positions",
        keys: &["positions"],
        values: &[Value { is: "1..=5", by: clause!("19:46-1.10C(a)"), asks: &[] }],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-2A.5(a)"), why: why::NEEDS_A_BOX },
            Rejection { is: "", by: clause!("19:46-1.10C(a)"), why: why::SWITCH_FIVE_BOXES },
        ],
    },
    KeyValues {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-2A.13(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.13(a)"), why: why::BETTORS_OF_A_BOX }],
    },
    KeyValues {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-2A.14"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2A.14"), why: why::AT_LEAST_ONE_BOX }],
    },
    KeyValues {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[Value { is: "[]", by: clause!("19:47-2A.5(g)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2A.5(g)#2"),
            why: why::WINS_PAY_EVEN_NO_SPECIAL_ODDS,
        }],
    },
    KeyValues {
        key: "side_wagers.match",
        keys: &["side_wagers.match"],
        values: &[Value { is: "true", by: clause!("19:46-1.10C(b)3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:46-1.10C(b)3"), why: why::AREA_FOR_MATCH_BET }],
    },
];
