//! Checks the invariants that must always hold, after every event of a randomly played table.

use super::awaited::is_awaited;
use super::money::Account;
use super::order::Order;
use super::{Chance, Driver, Style, nonsense};
use crate::command::{Command, Decision};
use crate::event::{Event, Fact};
use crate::ids::{Bettor, BoxId, HandNumber};
use crate::next::situation;
use crate::round::{BoxRole, CoAsk};
use crate::table::{Awaiting, Decide, Table};
use rules::{Action, Rules, play};
use std::sync::Arc;

/// The maximum number of events in a round.
///
/// The number is enough for seven boxes of three bettors with four hands each and every kind of bet.
const MOST_EVENTS: usize = 5_000;

/// A randomly played table whose invariants are checked.
///
/// Every method panics with a description of an invariant that is broken.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The driver that plays the table.
    pub driver: Driver,
    /// All events since the table was opened.
    pub log: Vec<Event>,
    account: Account,
    order: Order,
    in_round: usize,
    /// The number of nonsensical commands to try at every step.
    pub probes: usize,
}

impl Watch {
    /// Opens a table under these rules, and starts to check it.
    pub fn new(rules: Arc<Rules>, style: Style) -> Watch {
        Watch {
            driver: Driver::new(rules, style),
            log: Vec::new(),
            account: Account::default(),
            order: Order::default(),
            in_round: 0,
            probes: 1,
        }
    }

    /// Plays one round and checks all invariants.
    pub fn round(&mut self, chance: &mut Chance<'_>) {
        loop {
            self.probe(chance);
            let event = self.driver.next(chance);
            self.happen(event, chance);
            if event.fact == Fact::PickedUp {
                return;
            }
        }
    }

    /// Applies an event and checks the invariants after it.
    pub fn happen(&mut self, event: Event, chance: &mut Chance<'_>) {
        self.book(&event);
        self.driver.apply(&event, chance);
        self.log.push(event);
        self.in_round = if event.fact == Fact::PickedUp { 0 } else { self.in_round + 1 };
        let table = &self.driver.table;
        assert!(
            table.round().step == 0 || self.in_round < MOST_EVENTS,
            "the round has too many events and does not end"
        );
        assert!(table.custody().is_whole(), "after {event:?} a card is missing: {:?}", table.custody());
        assert_ne!(
            table.due().is_some(),
            table.awaiting().is_some(),
            "exactly one of these must hold: a step is due, or somebody is asked"
        );
        if let Some(Awaiting::Decision(ask)) = table.awaiting() {
            self.may_all_be_done(ask);
        }
        if event.fact == Fact::PickedUp {
            let pending = table.memory().streaks.iter().flat_map(|streak| streak.bets).sum();
            assert_eq!(self.account.streaks(), pending, "pending streaks");
        }
    }

    fn book(&mut self, event: &Event) {
        let table = &self.driver.table;
        let co = match table.round().co {
            Some(CoAsk::Split(_, hand, new)) => Some((hand, new)),
            _ => None,
        };
        match (event.fact, co) {
            (Fact::Split { box_id, hand, new }, _) => {
                let box_owner = table.round().box_at(box_id).map(|at| table.round().boxes[at].box_owner);
                self.account.split(box_id, hand, new, Bettor(box_owner.unwrap_or(0)));
            }
            (Fact::Covered { box_id, bettor }, Some((hand, new))) => {
                self.account.split(box_id, hand, new, bettor);
            }
            (Fact::Followed { box_id, bettor, hand: to }, Some((hand, new))) if to == new => {
                self.account.follow(box_id, hand, new, bettor);
            }
            _ => {}
        }
        let booked = self.account.book(table.rules(), event);
        let ordered = self.order.follow(table.rules(), event);
        if let Err(broken) = booked.and(ordered) {
            panic!("{broken}\nby {event:?} after {}", self.story());
        }
    }

    /// Checks that the player is never offered what the rules forbid, and that every listed action is accepted.
    fn may_all_be_done(&self, ask: Decide) {
        let table = &self.driver.table;
        let play =
            &table.round().boxes[table.round().box_at(ask.box_id).expect("the box that must decide exists")];
        let hand = &play.hands[play.hand_at(ask.hand).expect("the hand that must be decided exists")];
        let bettor = Bettor(play.box_owner);
        for action in Action::ALL {
            // 2.15(c)#2: after a refusal, anything that needs no card
            let barred = play.role == BoxRole::RefusesCards
                && matches!(action, Action::Hit | Action::Double | Action::Split);
            let may = !barred && play::allows(table.rules(), &situation(play, hand), action).is_ok();
            assert_eq!(may, ask.actions.has(action), "{action:?} on {hand:?}");
            let decision = match action {
                Action::Stand => Decision::Stand,
                Action::Hit => Decision::Hit,
                Action::Double => full_double(table, ask.box_id, ask.hand, bettor),
                Action::Split => Decision::Split,
                Action::Surrender => Decision::Surrender,
            };
            let decided = table.decide(Command::Decide { box_id: ask.box_id, bettor, decision });
            assert_eq!(decided.is_ok(), may, "{decision:?} on {hand:?}: {decided:?}");
        }
    }

    /// Checks that the table refuses nonsensical commands, unless it awaits them.
    ///
    /// Every refusal must cite a clause of the catalogue.
    pub fn probe(&self, chance: &mut Chance<'_>) {
        let table = &self.driver.table;
        for _ in 0..self.probes {
            let command = nonsense::command(table, chance);
            let decided = table.decide(command);
            assert_eq!(
                decided.is_ok(),
                is_awaited(table, command),
                "{command:?} returned {decided:?}; the table awaits {:?} after {}",
                table.awaiting(),
                self.story()
            );
            if let Err(refusal) = decided {
                assert!(!refusal.why.text.is_empty() && !refusal.by.id().is_empty());
            }
        }
    }

    /// Replays the log, and checks that it gives the same table.
    pub fn replay(&self) {
        let mut again = Table::new(self.driver.table.rules.clone());
        for event in &self.log {
            again.apply(event);
        }
        assert_eq!(again, self.driver.table, "replaying the log gives the same table");
    }

    /// Returns the events of this round and the table's rules, to report a broken invariant.
    fn story(&self) -> String {
        let from = self.log.len().saturating_sub(self.in_round);
        let events: Vec<String> = self.log[from..].iter().map(|event| format!("{event:?}")).collect();
        format!("{}\nat {:?}", events.join("\n"), self.driver.table.rules())
    }
}

fn full_double(table: &Table, box_id: BoxId, hand: HandNumber, bettor: Bettor) -> Decision {
    Decision::Double {
        amounts: table.cost(box_id, hand, bettor),
        face_down: table.rules().double_card == rules::DoubleCard::Down,
    }
}
