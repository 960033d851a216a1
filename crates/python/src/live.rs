//! Plays a live table from Python, one decision at a time.

use crate::failure::{not_understood, refusal, refused};
use crate::table::Table;
use documents::table_values::{
    BoxNumber, EndingWord, Face, HandNumber, Place, SettledAtWord, SpotNumber, WagerWord,
};
use gym::live::{self, AnswerError, Stake};
use gym::observation::{ACTIONS, SUITS};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rules::card::{parse_cards, show_cards};
use rules::play::Refusal;
use rules::{Cents, SideBet};
use serde::Serialize;
use sim::count::System;
use table::notation::show::sentence;
use table::{CardPlace, Event, Fact, Settlement, Word};

/// A table in play that Python controls, one decision at a time.
#[pyclass(module = "cutcard._native")]
pub struct Live {
    live: live::Live,
    names: Vec<String>,
}

/// An event of the table, in the form that Python receives.
///
/// The fields are in alphabetical order, because `repr` shows them in this order.
#[derive(Serialize)]
struct LiveEvent {
    /// The card that the event deals; null if nobody has seen the card.
    ///
    /// Absent if the event deals no card, or if it deals the dealer's hole card face down.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<Option<Face>>,
    clause: &'static str,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settlement: Option<LiveSettlement>,
    text: Option<String>,
    /// The place to which the event deals a card; absent if the event deals no card.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Place>,
}

/// A settlement of a bet, in the form that Python receives.
#[derive(Serialize)]
struct LiveSettlement {
    amount: String,
    r#box: BoxNumber,
    hand: HandNumber,
    net: String,
    result: EndingWord,
    spot: SpotNumber,
    wager: WagerWord,
    when: SettledAtWord,
}

impl From<&Settlement> for LiveSettlement {
    fn from(settled: &Settlement) -> LiveSettlement {
        LiveSettlement {
            amount: settled.staked.to_string(),
            r#box: settled.box_id.into(),
            hand: settled.hand.into(),
            net: settled.net.to_string(),
            result: settled.ending.into(),
            spot: settled.spot.into(),
            wager: settled.wager.into(),
            when: settled.when.into(),
        }
    }
}

impl Live {
    fn told(&self, events: &[Event]) -> PyResult<String> {
        let told: Vec<LiveEvent> = events.iter().map(|event| self.event(event)).collect();
        serde_json::to_string(&told).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn event(&self, event: &Event) -> LiveEvent {
        let (to, card, settlement) = match &event.fact {
            // the hole card stays hidden until it is turned
            Fact::Dealt { to: CardPlace::HoleDown, .. } => (Some(CardPlace::HoleDown.into()), None, None),
            Fact::Dealt { to, card } => (Some((*to).into()), Some(card.map(Face)), None),
            Fact::Settled(settled) | Fact::Reversed(settled) => (None, None, Some(settled.into())),
            _ => (None, None, None),
        };
        LiveEvent {
            card,
            clause: event.by.citation(),
            event: event.fact.word(),
            settlement,
            text: sentence(event, &self.names),
            to,
        }
    }

    fn done(&self, py: Python<'_>, events: Result<Vec<Event>, Refusal>) -> PyResult<String> {
        self.told(&events.map_err(|why| refusal(py, &why))?)
    }
}

fn cents(py: Python<'_>, amount: &str) -> PyResult<Cents> {
    amount.parse().map_err(|error| not_understood(py, &format!("{amount}: {error}")))
}

/// The bets of a box: its number, the amounts of its required bets, and its side bets by name.
type Placed = (u8, Vec<String>, Vec<(String, String)>);

#[pymethods]
impl Live {
    /// Raises `TypeError`, because a table in play cannot be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a table in play cannot be pickled; copy it, or pickle its Table and the seed",
        ))
    }

    /// Returns an independent copy of the table with the same upcoming cards.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Live {
        Live { live: self.live.clone(), names: self.names.clone() }
    }

    #[new]
    fn new(py: Python<'_>, table: &Table, seed: u64) -> PyResult<Live> {
        let rules = table.shared_rules(py)?;
        let names = (0..=rules.positions).map(|seat| format!("player{seat}")).collect();
        Ok(Live { live: live::Live::new(rules, seed), names })
    }

    /// Sets the next cards to be dealt, such as `As Kh`, first card first.
    fn arrange(&mut self, py: Python<'_>, cards: &str) -> PyResult<()> {
        let cards = parse_cards(cards).map_err(|error| not_understood(py, &error.to_string()))?;
        self.live.arrange(&cards);
        Ok(())
    }

    /// Places bets, closes betting and plays until a player must decide, and returns the events.
    fn wager(&mut self, py: Python<'_>, placed: Vec<Placed>) -> PyResult<String> {
        let mut stakes = Vec::new();
        for (box_id, amounts, sides) in placed {
            let amounts = amounts.iter().map(|amount| cents(py, amount)).collect::<PyResult<_>>()?;
            let side = |(name, amount): &(String, String)| {
                let bet = SideBet::from_name(name)
                    .ok_or_else(|| not_understood(py, &format!("unknown side bet `{name}`")))?;
                Ok((bet, cents(py, amount)?))
            };
            let sides = sides.iter().map(side).collect::<PyResult<_>>()?;
            stakes.push(Stake { box_id, amounts, sides });
        }
        let events = self.live.wager(&stakes);
        self.done(py, events)
    }

    /// Makes the pending decision with the legal answer `word`, plays until the next decision, and returns the
    /// events.
    ///
    /// `amount` is the amount of a bet that the decision makes, such as a double for less.
    #[pyo3(signature = (word, amount = None))]
    fn decide(&mut self, py: Python<'_>, word: &str, amount: Option<&str>) -> PyResult<String> {
        let amount = amount.map(|amount| cents(py, amount)).transpose()?;
        match self.live.decide(word, amount) {
            Ok(events) => self.told(&events),
            Err(AnswerError::Refused(why)) => Err(refusal(py, &why)),
            Err(AnswerError::NotAnAnswer) => {
                let asked = match self.live.ask() {
                    Some(ask) => format!("the legal answers are {}", ask.actions.join(", ")),
                    None => "place bets first".to_string(),
                };
                Err(refused(py, &format!("`{word}` is not a legal answer now; {asked}"), None, None))
            }
        }
    }

    /// Returns the pending decision as (question, box, hand, legal answers), or `None` if no player must decide.
    fn ask(&self) -> Option<(&'static str, u8, u8, Vec<&'static str>)> {
        self.live.ask().map(|ask| (ask.question.word(), ask.box_id, ask.hand, ask.actions))
    }

    /// Returns the observation of the box `box_id`, and one flag per action that says whether the action is legal
    /// now.
    fn observe(&self, box_id: u8) -> (Vec<i16>, Vec<bool>) {
        let bits = self.live.mask();
        let mask = (0..ACTIONS.len()).map(|bit| bits >> bit & 1 == 1).collect();
        (self.live.observation(box_id).numbers().to_vec(), mask)
    }

    /// Returns the suits of the cards in the observation of the box `box_id`.
    fn suits(&self, box_id: u8) -> [i16; SUITS.len()] {
        self.live.observation(box_id).suit_numbers()
    }

    /// Makes the pending decision with the action at the index `action` of the action names.
    fn act(&mut self, py: Python<'_>, action: usize) -> PyResult<()> {
        let word = ACTIONS.get(action).copied().unwrap_or("nothing");
        match self.live.act(word) {
            Ok(_) => Ok(()),
            Err(AnswerError::Refused(why)) => Err(refusal(py, &why)),
            Err(AnswerError::NotAnAnswer) => {
                Err(refused(py, &format!("`{word}` is not a legal answer now"), None, None))
            }
        }
    }

    /// Places bets, closes betting and plays until a player must decide, without returning the events.
    fn bet(&mut self, py: Python<'_>, placed: Vec<Placed>) -> PyResult<()> {
        self.wager(py, placed).map(|_| ())
    }

    /// Starts counting cards by the counting system `system`.
    fn count_by(&mut self, py: Python<'_>, system: &str) -> PyResult<()> {
        self.live.count_by(System::parse(system).map_err(|error| not_understood(py, &error))?);
        Ok(())
    }

    /// Returns the total net win of the box's bets settled so far in this round, in cents.
    fn net(&self, box_id: u8) -> i64 {
        self.live.net(box_id).0
    }

    /// Returns the number of required bets per box, which is more than one in Switch and in Multiple Action.
    #[getter]
    fn required(&self) -> usize {
        let rules = self.live.table().rules();
        rules.hands_per_box() * rules.dealer_hands()
    }

    /// Returns the number of the box that must decide, or `None` if no box must.
    fn turn(&self) -> Option<u8> {
        self.live.ask().map(|ask| ask.box_id)
    }

    #[getter]
    fn over(&self) -> bool {
        self.live.is_over()
    }

    /// Returns the dealer's visible cards, and for every hand the box number, the hand number and the cards.
    fn cards(&self) -> (String, Vec<(u8, u8, String)>) {
        let round = self.live.round();
        let hands = round.boxes.iter().flat_map(|play| {
            play.hands.iter().map(|hand| (play.id.0, hand.number.0, show_cards(hand.hand.cards())))
        });
        (show_cards(round.dealer.cards()), hands.collect())
    }
}
