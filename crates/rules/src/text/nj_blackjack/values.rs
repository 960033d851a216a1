//! The values that New Jersey blackjack permits for the keys of a table file.
//!
//! Each value has its clause and its requirements.

use crate::lawful::Kind;
use crate::text::values::{KeyValues, Rejection, Requirement, Value};
use crate::text::why;

/// The values that New Jersey blackjack permits in a table file.
pub(super) const VALUES: &[KeyValues] = &[
    KeyValues {
        key: "variation",
        keys: &["variation"],
        values: &[
            Value { is: "standard", by: clause!("19:47-2.3(a)"), asks: &[] },
            Value { is: "six-to-five", by: clause!("19:47-2.2(a)1"), asks: &[] },
            Value { is: "multiple-action", by: clause!("19:47-2.18(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "decks",
        keys: &["decks"],
        values: &[Value { is: "1..", by: clause!("19:47-2.2(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.2(a)"), why: why::AT_LEAST_ONE_DECK }],
    },
    KeyValues {
        key: "positions",
        keys: &["positions"],
        values: &[Value { is: "1..=7", by: clause!("19:47-2.11(e)"), asks: &[] }],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-2.3(a)"), why: why::NEEDS_A_BOX },
            Rejection { is: "", by: clause!("19:47-2.11(e)"), why: why::AT_MOST_SEVEN_BOXES },
        ],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card"],
        values: &[
            Value { is: "none", by: clause!("19:47-2.6(h)"), asks: &[] },
            Value { is: "down", by: clause!("19:47-2.6(j)"), asks: &[] },
            Value { is: "reader", by: clause!("19:47-2.6(j)#3"), asks: &[] },
            Value {
                is: "up",
                by: clause!("19:47-2.6(k)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.6(k)#2"),
                    with: &[],
                    register: true,
                    what: message!(
                        "face-up-hole-card-needs-notice",
                        "dealing the hole card face up requires notice"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "soft_17",
        keys: &["soft_17"],
        values: &[
            Value { is: "stand", by: clause!("19:47-2.12(b)1"), asks: &[] },
            Value { is: "hit", by: clause!("19:47-2.12(b)2"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "surrender",
        keys: &["surrender"],
        values: &[
            Value { is: "false", by: clause!("19:47-2.8(c)"), asks: &[] },
            Value {
                is: "true",
                by: clause!("19:47-2.8(a)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.8(c)#5"),
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
        values: &[
            Value { is: "false", by: clause!("19:47-2.7(c)"), asks: &[] },
            Value {
                is: "true",
                by: clause!("19:47-2.7(c)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.7(c)#2"),
                    with: &[],
                    register: true,
                    what: message!("even-money-needs-notice", "the even money option requires notice"),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "late_insurance",
        keys: &["late_insurance"],
        values: &[
            Value { is: "false", by: clause!("19:47-2.9(b)#3"), asks: &[] },
            Value {
                is: "true",
                by: clause!("19:47-2.9(b)#4"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.9(b)#4"),
                    with: &[],
                    register: true,
                    what: message!(
                        "late-insurance-needs-notice",
                        "insurance during the player's turn requires notice"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands", "positions"],
        values: &[
            Value { is: "2", by: clause!("19:47-2.11(a)"), asks: &[] },
            Value {
                is: "3..=4",
                by: clause!("19:47-2.11(e)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.11(e)#3"),
                    with: &[],
                    register: true,
                    what: message!("resplit-needs-notice", "splitting again requires notice"),
                }],
            },
        ],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-2.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "1", by: clause!("19:47-2.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "", by: clause!("19:47-2.11(e)"), why: why::AT_MOST_FOUR_HANDS },
        ],
    },
    KeyValues {
        key: "resplit_aces",
        keys: &["resplit_aces"],
        values: &[
            Value {
                is: "false",
                by: clause!("19:47-2.11(e)#5"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.11(e)#5"),
                    with: &[("split_hands", "3..")],
                    register: true,
                    what: why::ONE_ACE_SPLIT_NEEDS_NOTICE,
                }],
            },
            Value {
                is: "true",
                by: clause!("19:47-2.11(e)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.11(e)#5"),
                    with: &[("split_hands", "2")],
                    register: false,
                    what: message!(
                        "no-resplit-at-all",
                        "aces cannot be split again at a table where no pair can"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[Value { is: "true", by: clause!("19:47-2.10(a)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.10(a)#2"),
            why: why::NO_DOUBLE_AFTER_SPLIT_SIX_TO_FIVE_ONLY,
        }],
    },
    KeyValues {
        key: "double_card",
        keys: &["double_card"],
        values: &[
            Value { is: "up", by: clause!("19:47-2.10(c)"), asks: &[] },
            Value {
                is: "down",
                by: clause!("19:47-2.10(c)#2"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.10(c)#5"),
                    with: &[],
                    register: true,
                    what: message!(
                        "double-card-must-be-posted",
                        "the way double cards are dealt must be posted"
                    ),
                }],
            },
            Value {
                is: "on-request",
                by: clause!("19:47-2.10(c)#2"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.10(c)#5"),
                    with: &[],
                    register: true,
                    what: message!(
                        "double-card-must-be-posted",
                        "the way double cards are dealt must be posted"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "shoe",
        keys: &["shoe"],
        values: &[
            Value { is: "single", by: clause!("19:47-2.6(a)"), asks: &[] },
            Value { is: "double", by: clause!("19:47-2.6(d)"), asks: &[] },
            Value {
                is: "continuous",
                by: clause!("19:47-2.21"),
                asks: &[Requirement {
                    kind: Kind::Approval,
                    by: clause!("19:47-2.21#2"),
                    with: &[],
                    register: true,
                    what: message!("device-needs-approval", "the device and its procedures need approval"),
                }],
            },
        ],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.6(a)"),
            why: why::FROM_THE_HAND_SIX_TO_FIVE_ONLY,
        }],
    },
    KeyValues {
        key: "shuffle",
        keys: &["shuffle"],
        values: &[
            Value { is: "manual", by: clause!("19:47-2.5(a)"), asks: &[] },
            Value { is: "automated", by: clause!("19:47-2.2(d)"), asks: &[] },
            Value { is: "bart-carter", by: clause!("19:47-2.5(h)2"), asks: &[] },
            Value { is: "pre-shuffled", by: clause!("19:47-2.4(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "attack_amount",
        keys: &["attack_amount"],
        values: &[
            Value { is: "up-to", by: clause!("19:47-2.3(a)"), asks: &[] },
            Value { is: "equal", by: clause!("19:47-2.3(a)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "cut_by",
        keys: &["cut_by"],
        values: &[Value { is: "players", by: clause!("19:47-2.5(b)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.5(b)"), why: why::CUT_OFFERED_TO_PLAYERS }],
    },
    KeyValues {
        key: "surrender_settled",
        keys: &["surrender_settled"],
        values: &[
            Value { is: "at-disclosure", by: clause!("19:47-2.8(a)2"), asks: &[] },
            Value {
                is: "at-once",
                by: clause!("19:47-2.8(a)2"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.8(a)2"),
                    with: &[("hole_card", "reader")],
                    register: false,
                    what: message!(
                        "surrender-settled-later-in-words",
                        "the regulation settles a surrender when the dealer's second card is revealed"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "insurance_collected",
        keys: &["insurance_collected"],
        values: &[
            Value { is: "at-disclosure", by: clause!("19:47-2.9(d)"), asks: &[] },
            Value {
                is: "after-reader",
                by: clause!("19:47-2.9(d)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.9(d)"),
                    with: &[("hole_card", "reader")],
                    register: false,
                    what: message!(
                        "insurance-collected-later-in-words",
                        "the regulation collects losing insurance when the hole card is disclosed"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "hand_burn",
        keys: &["hand_burn", "variation"],
        values: &[Value { is: "none", by: clause!("19:47-2.6(c)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.6A(c)"),
            why: why::BURN_EACH_ROUND_SIX_TO_FIVE_ONLY,
        }],
    },
    KeyValues {
        key: "mid_shoe_entry",
        keys: &["mid_shoe_entry"],
        values: &[
            Value { is: "true", by: clause!("19:47-2.3(i)"), asks: &[] },
            Value { is: "false", by: clause!("19:47-2.3(i)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "recut_by",
        keys: &["recut_by"],
        values: &[
            Value { is: "last-cutter", by: clause!("19:47-2.5(g)#2"), asks: &[] },
            Value { is: "next-entitled", by: clause!("19:47-2.5(g)#2"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "reader_reveals",
        keys: &["reader_reveals"],
        values: &[
            Value { is: "nothing", by: clause!("19:47-2.15(j)2"), asks: &[] },
            Value { is: "hole-card", by: clause!("19:47-2.15(j)1"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "bettors_per_box",
        keys: &["bettors_per_box"],
        values: &[Value { is: "1..=3", by: clause!("19:47-2.13(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.13(a)"), why: why::BETTORS_OF_A_BOX }],
    },
    KeyValues {
        key: "boxes_per_player",
        keys: &["boxes_per_player"],
        values: &[Value { is: "1..", by: clause!("19:47-2.14"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.14"), why: why::AT_LEAST_ONE_BOX }],
    },
    KeyValues {
        key: "bonus_payouts",
        keys: &["bonus_payouts"],
        values: &[
            Value { is: "[]", by: clause!("19:47-2.3(e)#5"), asks: &[] },
            Value { is: "suited-678", by: clause!("19:47-2.3(e)1"), asks: SPECIAL_ODDS },
            Value { is: "three-sevens", by: clause!("19:47-2.3(e)2"), asks: SPECIAL_ODDS },
            Value { is: "blackjack:A? K?", by: clause!("19:47-2.3(e)3"), asks: SPECIAL_ODDS },
            Value { is: "blackjack:A? Q?", by: clause!("19:47-2.3(e)3"), asks: SPECIAL_ODDS },
            Value { is: "blackjack:A? J?", by: clause!("19:47-2.3(e)3"), asks: SPECIAL_ODDS },
            Value { is: "five-card-21", by: clause!("19:47-2.3(e)4"), asks: SPECIAL_ODDS },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.3(e)3"), why: why::DESIGNATED_BLACKJACK_CARDS }],
    },
];

/// The notice that special odds require (2.3(e)#7).
const SPECIAL_ODDS: &[Requirement] = &[Requirement {
    kind: Kind::Notice,
    by: clause!("19:47-2.3(e)#7"),
    with: &[],
    register: true,
    what: message!("special-odds-need-notice", "special odds require notice"),
}];

/// The permitted values that differ in the 6 to 5 variation (2.6A).
pub(super) const SIX_TO_FIVE: &[KeyValues] = &[
    KeyValues {
        key: "decks",
        keys: &["decks", "variation"],
        values: &[Value { is: "1..=2", by: clause!("19:47-2.2(a)1"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.2(a)1"), why: why::SIX_TO_FIVE_DECKS }],
    },
    KeyValues {
        key: "shuffle",
        keys: &["shuffle", "variation"],
        values: &[Value { is: "automated", by: clause!("19:47-2.2(e)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.2(e)"), why: why::SIX_TO_FIVE_SHUFFLER }],
    },
    KeyValues {
        key: "shoe",
        keys: &["shoe", "variation"],
        values: &[Value { is: "hand", by: clause!("19:47-2.6(a)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.6(a)#2"), why: why::SIX_TO_FIVE_FROM_THE_HAND }],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card", "variation"],
        values: &[
            Value { is: "none", by: clause!("19:47-2.6A(f)"), asks: &[] },
            Value { is: "reader", by: clause!("19:47-2.6A(h)"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.6A(h)"), why: why::FROM_THE_HAND_HOLE_CARD }],
    },
    KeyValues {
        key: "soft_17",
        keys: &["soft_17", "variation"],
        values: &[Value { is: "hit", by: clause!("19:47-2.12(d)"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.12(d)"),
            why: why::SIX_TO_FIVE_HITS_SOFT_SEVENTEEN,
        }],
    },
    KeyValues {
        key: "surrender",
        keys: &["surrender", "variation"],
        values: &[Value { is: "false", by: clause!("19:47-2.8(c)#3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.8(c)#3"), why: why::SIX_TO_FIVE_NO_SURRENDER }],
    },
    KeyValues {
        key: "double_after_split",
        keys: &["double_after_split"],
        values: &[
            Value { is: "true", by: clause!("19:47-2.10(a)#2"), asks: &[] },
            Value {
                is: "false",
                by: clause!("19:47-2.10(d)"),
                asks: &[Requirement {
                    kind: Kind::Notice,
                    by: clause!("19:47-2.10(d)"),
                    with: &[],
                    register: true,
                    what: message!(
                        "prohibition-needs-notice",
                        "prohibiting doubling after a split requires notice"
                    ),
                }],
            },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "hand_burn",
        keys: &["hand_burn"],
        values: &[
            Value { is: "none", by: clause!("19:47-2.6A(c)"), asks: &[] },
            Value { is: "each-round", by: clause!("19:47-2.6A(c)"), asks: &[] },
        ],
        rejects: &[],
    },
    KeyValues {
        key: "bonus_payouts",
        keys: &["bonus_payouts", "variation"],
        values: &[Value { is: "[]", by: clause!("19:47-2.3(e)#6"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.3(e)#6"),
            why: why::SIX_TO_FIVE_NO_SPECIAL_ODDS,
        }],
    },
];

/// The permitted values that differ in multiple action (2.18).
pub(super) const MULTIPLE_ACTION: &[KeyValues] = &[
    KeyValues {
        key: "surrender",
        keys: &["surrender", "variation"],
        values: &[Value { is: "false", by: clause!("19:47-2.8(c)#2"), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.8(c)#2"),
            why: why::MULTIPLE_ACTION_NO_SURRENDER,
        }],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands", "variation"],
        values: &[Value { is: "2", by: clause!("19:47-2.11(a)"), asks: &[] }],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-2.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "1", by: clause!("19:47-2.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "", by: clause!("19:47-2.11(e)#4"), why: why::MULTIPLE_ACTION_NO_RESPLIT },
        ],
    },
    KeyValues {
        key: "hole_card",
        keys: &["hole_card", "variation"],
        values: &[Value { is: "none", by: clause!("19:47-2.18(e)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.18(e)"), why: why::MULTIPLE_ACTION_HOLE_CARD }],
    },
    KeyValues {
        key: "multiple_action.required",
        keys: &["multiple_action.required"],
        values: &[Value { is: "2..=3", by: clause!("19:47-2.18(b)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.18(b)"), why: why::TWO_OR_THREE_BETS }],
    },
];

/// The permitted values that differ with the hole card face up (2.6(k)).
pub(super) const FACE_UP: &[KeyValues] = &[
    KeyValues {
        key: "surrender",
        keys: &["surrender", "hole_card"],
        values: &[Value { is: "false", by: clause!("19:47-2.6(k)3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.6(k)3"), why: why::FACE_UP_NO_SURRENDER }],
    },
    KeyValues {
        key: "even_money",
        keys: &["even_money", "hole_card"],
        values: &[Value { is: "false", by: clause!("19:47-2.6(k)3#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.6(k)3#2"), why: why::FACE_UP_NO_EVEN_MONEY }],
    },
    KeyValues {
        key: "late_insurance",
        keys: &["late_insurance", "hole_card"],
        values: &[Value { is: "false", by: clause!("19:47-2.6(k)3#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.6(k)3#2"), why: why::FACE_UP_NO_EVEN_MONEY }],
    },
    KeyValues {
        key: "split_hands",
        keys: &["split_hands", "hole_card"],
        values: &[Value { is: "2", by: clause!("19:47-2.6(k)5"), asks: &[] }],
        rejects: &[
            Rejection { is: "0", by: clause!("19:47-2.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "1", by: clause!("19:47-2.11(a)"), why: why::SPLITTING_IS_A_RIGHT },
            Rejection { is: "", by: clause!("19:47-2.6(k)5"), why: why::FACE_UP_NO_RESPLIT },
        ],
    },
];
