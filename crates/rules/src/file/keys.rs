//! The keys of a table file: how each is parsed and shown.

use super::show::{quote, show_bonus_payouts};
use super::value::{Value, bonus_payouts, count, money, own_procedures, share, text, truth, word};
use crate::choice::*;
use crate::message::Message;
use crate::text::{self, TEXTS};

/// The words that the keys `game` and `jurisdiction` accept.
pub(super) const GAMES: &[&str] = &["blackjack", "switch", "double-attack", "triple-attack"];
pub(super) const JURISDICTIONS: &[&str] = &["nj", "ma"];

/// A key of the table file, with its description and its parser.
pub struct Key {
    /// The key's name in the file.
    pub name: &'static str,
    /// A description of the key: its meaning, values and clauses.
    pub about: &'static str,
    /// The words that the key accepts, or `None` if its values are not words.
    pub words: Option<&'static [&'static str]>,
    pub(super) set: fn(&mut Choices, &Value) -> Result<(), Message>,
    pub(super) show: fn(&Choices) -> String,
}

impl Key {
    /// Formats the key's value in `choices` as in a table file.
    pub fn shown(&self, choices: &Choices) -> String {
        (self.show)(choices)
    }
}

macro_rules! word_key {
    ($name:literal, $field:ident: $type:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            words: Some($type::WORDS),
            set: |choices, value| {
                choices.$field = word(value, $type::WORDS, $type::from_word)?;
                Ok(())
            },
            show: |choices| format!("{:?}", choices.$field.word()),
        }
    };
}

macro_rules! count_key {
    ($name:literal, $field:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            words: None,
            set: |choices, value| {
                choices.$field = count(value)?;
                Ok(())
            },
            show: |choices| choices.$field.to_string(),
        }
    };
}

macro_rules! offer_key {
    ($name:literal, $field:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            words: None,
            set: |choices, value| {
                choices.$field = truth(value)?.into();
                Ok(())
            },
            show: |choices| choices.$field.is_yes().to_string(),
        }
    };
}

macro_rules! money_key {
    ($name:literal, $field:ident, $about:literal) => {
        Key {
            name: $name,
            about: $about,
            words: None,
            set: |choices, value| {
                choices.$field = money(value)?;
                Ok(())
            },
            show: |choices| format!("\"{}\"", choices.$field),
        }
    };
}

/// Every key outside a section; side bets and rulings have their own sections.
pub static KEYS: &[Key] = &[
    Key {
        name: "name",
        about: "name of the table",
        words: None,
        set: |choices, value| {
            choices.name = text(value)?.to_string();
            Ok(())
        },
        show: |choices| quote(&choices.name),
    },
    Key {
        name: "game",
        about: "game dealt",
        words: Some(GAMES),
        set: |choices, value| {
            let game = word(value, GAMES, |word| GAMES.iter().copied().find(|known| *known == word))?;
            choices.text = text::find(&TEXTS, game, choices.jurisdiction).unwrap_or(choices.text);
            Ok(())
        },
        show: |choices| format!("{:?}", choices.text.game),
    },
    word_key!("variation", variation: Variation, "a rule variation of blackjack: 2.3(e), 2.18"),
    Key {
        name: "jurisdiction",
        about: "jurisdiction whose regulations apply",
        words: Some(JURISDICTIONS),
        set: |choices, value| {
            let place = word(value, JURISDICTIONS, |word| {
                JURISDICTIONS.iter().copied().find(|known| *known == word)
            })?;
            choices.jurisdiction = place;
            choices.text = text::find(&TEXTS, choices.text.game, place).unwrap_or(choices.text);
            Ok(())
        },
        show: |choices| format!("{:?}", choices.jurisdiction),
    },
    count_key!("decks", decks, "number of decks dealt from: 2.2, 2A.2, 26.2, 36.2"),
    count_key!(
        "positions",
        positions,
        "betting positions: 2.11(e), 19:46-1.10C(a), 26.10(c), 19:46-1.13V(a)"
    ),
    word_key!(
        "hole_card",
        hole_card: HoleCard,
        "how the dealer's second card is dealt: 2.6(h), (j), (k), 2A.7(l), 26.7(g), (i), 36.7(e), (k)"
    ),
    word_key!(
        "soft_17",
        soft_17: Soft17,
        "whether the dealer hits or stands on soft 17: 2.12(b), (d), 2A.12(b), 26.12(b), 36.11(b)"
    ),
    offer_key!("surrender", surrender, "2.8(c), 2A.9(c), 26.8(a)"),
    offer_key!(
        "even_money",
        even_money,
        "even money: a blackjack against an ace may be paid 1 to 1 at once: 2.7(c)"
    ),
    offer_key!(
        "late_insurance",
        late_insurance,
        "whether insurance is still offered during the player's turn: 2.9(b)"
    ),
    count_key!(
        "split_hands",
        split_hands,
        "maximum number of hands after splits: 2.11(e), 2A.11(e), 26.10(c), 36.9(c)"
    ),
    offer_key!("resplit_aces", resplit_aces, "2.11(e), 2A.11(e), 26.10(e)"),
    offer_key!("double_after_split", double_after_split, "2.10(a), (d)"),
    word_key!("double_card", double_card: DoubleCard, "how the card of a doubled hand is dealt: 2.10(c)"),
    Key {
        name: "bonus_payouts",
        about: "special odds: \"suited-678\", \"three-sevens\", \"five-card-21\", \"blackjack:As Ks\": 2.3(e), 2.16",
        words: None,
        set: |choices, value| {
            choices.bonus_payouts = bonus_payouts(value)?;
            Ok(())
        },
        show: show_bonus_payouts,
    },
    word_key!("shoe", shoe: Shoe, "what the cards are dealt from: 2.6(a), (d), 2.6A(a), 2.21"),
    word_key!("shuffle", shuffle: Shuffle, "how the cards are shuffled: 2.5, 2.2(d)"),
    Key {
        name: "cut_behind",
        about: "fraction of the stack behind the cut card: 2.5(d), (i), 2A.4(f), 26.4(e), 36.4(e)",
        words: None,
        set: |choices, value| {
            choices.cut_behind = share(value)?;
            Ok(())
        },
        show: |choices| {
            let text = choices.cut_behind.to_string();
            if text.contains('.') { text } else { format!("{text}.0") }
        },
    },
    money_key!("minimum", minimum, "smallest required bet"),
    money_key!("maximum", maximum, "largest required bet"),
    money_key!("chip", chip, "smallest chip in play, the \"next unit\" of 2.9(b)"),
    count_key!("bettors_per_box", bettors_per_box, "1 to 3: 2.13, 2A.13, 26.13, 36.12"),
    count_key!("boxes_per_player", boxes_per_player, "2.14, 2A.14, 26.14, 36.13"),
    Key {
        name: "shared_boxes",
        about: "how many boxes may be shared at once, a number or \"all\": 2.13(g), 2A.13(f), 26.13(h), 36.12(h)",
        words: None,
        set: |choices, value| {
            choices.shared_boxes = match value {
                Value::Text(all) if all == "all" => None,
                Value::Number(_) => Some(count(value)?),
                other => {
                    return Err(other.named_in(message!(
                        "count-or-all-expected",
                        "expected a whole number or \"all\", found {found}",
                        found = other.kind()
                    )));
                }
            };
            Ok(())
        },
        show: |choices| choices.shared_boxes.map_or("\"all\"".to_string(), |boxes| boxes.to_string()),
    },
    offer_key!(
        "mid_shoe_entry",
        mid_shoe_entry,
        "if false, players who sat out a round must wait for the reshuffle: 2.3(i), 2A.5(h), 26.5(h), 36.5(h)"
    ),
    word_key!(
        "attack_amount",
        attack_amount: AttackAmount,
        "whether an attack bet may be up to the first bet or must equal it: 26.1 and 26.7(d), 36.1 and 36.7"
    ),
    word_key!("cut_by", cut_by: CutBy, "who cuts the cards, the players or (in Massachusetts) the dealer: MA 4(c)"),
    word_key!(
        "recut_by",
        recut_by: RecutBy,
        "who cuts again when a supervisor orders a recut: 2.5(g), 2A.4(g), 26.4(f), 36.4(f)"
    ),
    word_key!(
        "reader_reveals",
        reader_reveals: ReaderReveals,
        "what a player can learn from the card reader: 2.15(j), 2A.15(k), 26.15(l), 36.14(l)"
    ),
    word_key!(
        "surrender_settled",
        surrender_settled: SurrenderSettled,
        "when a surrender against an ace or ten value is settled at a table with a reader: 2.8(a)2, 26.8(a)3"
    ),
    word_key!(
        "insurance_collected",
        insurance_collected: InsuranceCollected,
        "when losing insurance is collected at a table with a reader: 2.9(d)"
    ),
    word_key!("hand_burn", hand_burn: HandBurn, "whether a card is burned before each round dealt from the hand: \
        2.6A(c)"),
    Key {
        name: "own_procedures",
        about: "the licensee's own procedures, with their approval: \"no-cutting-card\", \
            \"cutting-card-placement\", \"no-burn\", \
                \"shuffle\": 2.5(k), 2A.4(j), 26.4(h)",
        words: None,
        set: |choices, value| {
            choices.own_procedures = own_procedures(value)?;
            Ok(())
        },
        show: |choices| {
            let words: Vec<String> =
                choices.own_procedures.iter().map(|own| format!("{:?}", own.word())).collect();
            format!("[{}]", words.join(", "))
        },
    },
    Key {
        name: "approval",
        about: "register entry that approves own_procedures: 2.5(k), 2A.4(j), 26.4(h)",
        words: None,
        set: |choices, value| {
            choices.approval = text(value)?.trim().to_string();
            Ok(())
        },
        show: |choices| quote(&choices.approval),
    },
];

/// The keys that the section of a side bet may contain.
pub(super) const SIDE_KEYS: [&str; 9] =
    ["paytable", "odds", "minimum", "maximum", "meter", "seed", "rate", "awards", "cap"];
