//! Checks the money: every bet is settled exactly once, and nobody wins more than the best odds.
//!
//! The account is derived from the events alone, independently of the table's own state.

use crate::event::{Ending, Event, Fact, Settlement};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Spot, Spots, Wager};
use rules::script::Offer;
use rules::settle::Stake;
use rules::{Cents, Rules, SideBet};
use std::collections::{BTreeMap, BTreeSet};

type Key = (BoxId, HandNumber, Bettor, Wager, Spot);

/// The account of the money on the layout, derived from events.
#[derive(Clone, Debug, Default)]
pub struct Account {
    open: BTreeMap<Key, Cents>,
    /// The amount of each pending streak bet, by box, person and bet.
    ///
    /// The key is the person, because a bettor's index at a box can change.
    streaks: BTreeMap<(BoxId, Person, SideBet), Cents>,
    /// The streaks placed since the last round; only these can be withdrawn.
    fresh: BTreeSet<(BoxId, Person, SideBet)>,
    bettors: BTreeMap<BoxId, Vec<Person>>,
    settled: Vec<Settlement>,
    reversed: usize,
}

/// The highest odds of any bet, 5000 to 1 on the sevens bet. Only a meter or a bonus award may pay more.
const BEST_ODDS: i64 = 5_000;

const FIRST: HandNumber = HandNumber(1);
const STAKES: [Stake; 6] = Stake::ALL;

impl Account {
    /// Books an event in the account. Returns an error if the event settles a bet wrongly.
    pub fn book(&mut self, rules: &Rules, event: &Event) -> Result<(), String> {
        match event.fact {
            Fact::Wagered { box_id, person, amounts, .. } => self.wagered(rules, box_id, person, amounts),
            Fact::SideWagered { box_id, bettor, bet, amount } => {
                match (bet.streak(), self.bettors[&box_id].get(usize::from(bettor.0))) {
                    (Some(_), Some(&person)) => {
                        self.streaks.insert((box_id, person, bet), amount);
                        self.fresh.insert((box_id, person, bet));
                    }
                    _ => self.put((box_id, FIRST, bettor, Wager::Side(bet), Spot(0)), amount),
                }
            }
            Fact::Withdrawn { box_id, bettor } => self.withdrawn(box_id, bettor),
            Fact::Attacked { box_id, bettor, offer, amount } => {
                let stake = match offer {
                    Offer::SecondAttack => Stake::SecondAttack,
                    Offer::ThirdAttack => Stake::ThirdAttack,
                    _ => Stake::Attack,
                };
                self.put((box_id, FIRST, bettor, Wager::Stake(stake), Spot(0)), amount);
            }
            Fact::Insured { box_id, bettor, hand, amounts } => {
                self.put_spots(box_id, hand, bettor, Wager::Insurance, amounts)
            }
            Fact::Doubled { box_id, hand, bettor, amounts, .. } => {
                self.put_spots(box_id, hand, bettor, Wager::Stake(Stake::Double), amounts)
            }
            Fact::EvenMoneyTaken { box_id, bettor, spots } => self.even_money(box_id, bettor, spots),
            Fact::Settled(settlement) => return self.settle(rules, settlement),
            Fact::Reversed(settlement) => return self.reverse(settlement),
            Fact::PickedUp => return self.picked_up(),
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, key: Key, amount: Cents) {
        *self.open.entry(key).or_default() += amount;
    }

    fn put_spots(
        &mut self,
        box_id: BoxId,
        hand: HandNumber,
        bettor: Bettor,
        wager: Wager,
        amounts: [Cents; 3],
    ) {
        for (spot, amount) in amounts.into_iter().enumerate().filter(|(_, amount)| amount.0 != 0) {
            self.put((box_id, hand, bettor, wager, Spot(spot as u8)), amount);
        }
    }

    fn wagered(&mut self, rules: &Rules, box_id: BoxId, person: Person, amounts: [Cents; 3]) {
        let bettors = self.bettors.entry(box_id).or_default();
        let bettor = Bettor(bettors.len() as u8);
        bettors.push(person);
        for hand in 1..=rules.hands_per_box() {
            self.put_spots(box_id, HandNumber(hand as u8), bettor, Wager::Stake(Stake::Main), amounts);
        }
    }

    /// Removes a bettor from a box; later bettors on the box move up.
    fn withdrawn(&mut self, box_id: BoxId, gone: Bettor) {
        let Some(bettors) = self.bettors.get_mut(&box_id) else {
            return;
        };
        let person = bettors.remove(usize::from(gone.0));
        let fresh = &self.fresh;
        self.streaks.retain(|key, _| (key.0, key.1) != (box_id, person) || !fresh.contains(key));
        let open = std::mem::take(&mut self.open);
        for ((at, hand, bettor, wager, spot), amount) in open {
            if (at, bettor) == (box_id, gone) {
                continue;
            }
            let moves = at == box_id && bettor > gone;
            let bettor = if moves { Bettor(bettor.0 - 1) } else { bettor };
            self.open.insert((at, hand, bettor, wager, spot), amount);
        }
    }

    fn even_money(&mut self, box_id: BoxId, bettor: Bettor, spots: Spots) {
        for spot in (0..3).filter(|&spot| spots.has(usize::from(spot))).map(Spot) {
            let main = (box_id, FIRST, bettor, Wager::Stake(Stake::Main), spot);
            if let Some(amount) = self.open.remove(&main) {
                self.open.insert((box_id, FIRST, bettor, Wager::EvenMoney, spot), amount);
            }
        }
    }

    /// Returns all money of one bettor on one hand at one spot.
    fn on_hand(&self, box_id: BoxId, hand: HandNumber, bettor: Bettor, spot: Spot) -> Cents {
        let of = |stake: Stake| self.open.get(&(box_id, hand, bettor, Wager::Stake(stake), spot));
        STAKES.into_iter().filter_map(of).copied().sum()
    }

    /// Books a split (2.11(a)).
    ///
    /// The new hand gets as much money as is on the first.
    pub fn split(&mut self, box_id: BoxId, hand: HandNumber, new: HandNumber, bettor: Bettor) {
        for spot in (0..3).map(Spot) {
            let amount = self.on_hand(box_id, hand, bettor, spot);
            if amount > Cents::ZERO {
                self.put((box_id, new, bettor, Wager::Stake(Stake::Split), spot), amount);
            }
        }
    }

    /// Moves a co-bettor's bets to the other hand of a split (2.13(e)).
    pub fn follow(&mut self, box_id: BoxId, from: HandNumber, to: HandNumber, bettor: Bettor) {
        for spot in (0..3).map(Spot) {
            for stake in STAKES {
                let wager = Wager::Stake(stake);
                if let Some(amount) = self.open.remove(&(box_id, from, bettor, wager, spot)) {
                    self.put((box_id, to, bettor, wager, spot), amount);
                }
            }
        }
    }

    fn settle(&mut self, rules: &Rules, settlement: Settlement) -> Result<(), String> {
        let Settlement { box_id, hand, bettor, person, wager, spot, .. } = settlement;
        self.settled.push(settlement);
        let staked = match wager {
            Wager::Side(bet) if bet.streak().is_some() => self.streaks.remove(&(box_id, person, bet)),
            _ => self.open.remove(&(box_id, hand, bettor, wager, spot)),
        };
        match staked {
            None => return Err(format!("{settlement:?} settles a bet that was never placed")),
            Some(staked) if staked != settlement.staked => {
                return Err(format!("{settlement:?} names the wrong stake; the bet was {staked}"));
            }
            Some(_) => {}
        }
        check_net(rules, &settlement)
    }

    fn reverse(&mut self, settlement: Settlement) -> Result<(), String> {
        // returned bets have nothing to undo
        while self.settled.get(self.reversed).is_some_and(|s| s.ending == Ending::Void) {
            self.reversed += 1;
        }
        if self.settled.get(self.reversed) != Some(&settlement) {
            return Err(format!("{settlement:?} is reversed out of order or was never settled"));
        }
        self.reversed += 1;
        // a streak that this round decided is pending again
        if let Wager::Side(bet) = settlement.wager
            && bet.streak().is_some()
        {
            self.streaks.insert((settlement.box_id, settlement.person, bet), settlement.staked);
        }
        Ok(())
    }

    fn picked_up(&mut self) -> Result<(), String> {
        if !self.open.is_empty() {
            return Err(format!("bets not settled at the end of the round: {:?}", self.open));
        }
        self.bettors.clear();
        self.fresh.clear();
        self.settled.clear();
        self.reversed = 0;
        Ok(())
    }

    /// Returns the money on pending streaks, which must equal the table's own figure.
    pub fn streaks(&self) -> Cents {
        self.streaks.values().copied().sum()
    }
}

/// Returns an error if a settlement's net win does not match its ending.
fn check_net(rules: &Rules, settlement: &Settlement) -> Result<(), String> {
    let (staked, net) = (settlement.staked, settlement.net);
    let against_blackjack = net < Cents::ZERO && net > -staked;
    let holds = match settlement.ending {
        Ending::Push | Ending::Void => net == Cents::ZERO,
        Ending::Surrender => net.0 * 2 == -staked.0,
        Ending::Abandoned => net == -staked,
        // a dealer's blackjack may take less than the whole of a bet that was split
        Ending::Lose => net == -staked || (against_blackjack && matches!(settlement.wager, Wager::Stake(_))),
        Ending::Win => net > Cents::ZERO && net <= most(rules, settlement),
    };
    if holds && staked > Cents::ZERO {
        Ok(())
    } else {
        Err(format!("{settlement:?} is impossible: a net win of {net} on a bet of {staked}"))
    }
}

fn most(rules: &Rules, settlement: &Settlement) -> Cents {
    let times = |odds: i64| Cents(settlement.staked.0 * odds);
    match settlement.wager {
        Wager::Side(SideBet::Progressive | SideBet::BlackjackBonus) => Cents(i64::MAX),
        Wager::Side(_) => times(BEST_ODDS),
        Wager::Insurance if rules.text().insurance.suited.is_some() => times(5),
        Wager::Insurance => times(3),
        Wager::EvenMoney => times(1),
        // special odds pay at most 2 to 1
        Wager::Stake(_) if !rules.bonus_payouts.is_none() => times(2),
        Wager::Stake(_) => rules.text().settle.blackjack.on(settlement.staked).unwrap_or(times(2)),
    }
}
