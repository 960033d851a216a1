//! Determines which bet is settled next, and with what verdict.
//!
//! Every verdict comes from the crate `rules`; this module only decides the order.

mod side;

use crate::event::{Ending, Event, Fact, SettledAt, Settlement};
use crate::ids::{Bettor, HandNumber, Spot, Wager};
use crate::round::{BoxPlay, HandPlay, HandState};
use crate::table::Table;
use rules::play::may_be_blackjack;
use rules::settle::{self, HandEnd, Outcome, SplitHand, Stake, SurrenderTo, Verdict};
use rules::wager::{Prize, SideBet};
use rules::{Cents, Clause, Hand, clause};

/// The verdict on a bet, and the net win that the verdict gives the player.
pub(crate) struct BetResult {
    pub verdict: Verdict,
    pub net: Cents,
}

impl BetResult {
    fn whole(verdict: Verdict, stake: Cents) -> BetResult {
        // amounts that would leave fractions of a cent are refused when they are bet
        BetResult { verdict, net: verdict.net(stake).unwrap_or(Cents::ZERO) }
    }
}

fn ending(outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Win(_) => Ending::Win,
        Outcome::Lose => Ending::Lose,
        Outcome::Push => Ending::Push,
        Outcome::LoseHalf => Ending::Surrender,
        Outcome::Void => Ending::Void,
    }
}

/// Returns in which pass of the settlement a bet with this outcome is settled.
///
/// The passes are 0 for losing bets, 1 for returned bets and 2 for winning bets: 2.3(e), 2A.5(g), 26.5(e),
/// 36.5(e).
fn pass_of(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Lose | Outcome::LoseHalf => 0,
        Outcome::Push | Outcome::Void => 1,
        Outcome::Win(_) => 2,
    }
}

impl Table {
    pub(crate) fn settled(&self, by: Clause, settlement: Settlement) -> Event {
        Event { fact: Fact::Settled(settlement), by }
    }

    fn stake_event(
        &self,
        play: &BoxPlay,
        bettor: usize,
        hand: &HandPlay,
        key: (Stake, usize),
        result: &BetResult,
        when: SettledAt,
    ) -> Event {
        let (stake, spot) = key;
        // 2.15(k): a table without its reader does not settle by 2.6(j)1
        let by = match result.verdict.by {
            by if by == clause!("19:47-2.6(j)1") && self.memory.reader_failed => clause!("19:47-2.3(a)"),
            by => by,
        };
        self.settled(
            by,
            Settlement {
                box_id: play.id,
                hand: hand.number,
                bettor: Bettor(bettor as u8),
                person: play.bettors[bettor].person,
                wager: Wager::Stake(stake),
                spot: Spot(spot as u8),
                staked: hand.stakes[bettor].amount(stake, spot),
                net: result.net,
                ending: ending(result.verdict.outcome),
                when,
            },
        )
    }

    fn side_event(
        &self,
        play: &BoxPlay,
        bettor: usize,
        bet: SideBet,
        result: (Ending, Cents, Clause),
        when: SettledAt,
    ) -> Event {
        let (ending, net, by) = result;
        self.settled(
            by,
            Settlement {
                box_id: play.id,
                hand: HandNumber(1),
                bettor: Bettor(bettor as u8),
                person: play.bettors[bettor].person,
                wager: Wager::Side(bet),
                spot: Spot(0),
                staked: play.bettors[bettor].side(bet),
                net,
                ending,
                when,
            },
        )
    }

    /// Returns the dealer's face-up cards, against which bets are settled.
    fn dealer(&self) -> &Hand {
        &self.round.dealer
    }

    /// Returns the bettor's original bet on an initial hand and spot, which is the most that the bettor can lose
    /// there to a dealer's blackjack. Zero if the bettor has no main bet there.
    fn original(&self, play: &BoxPlay, bettor: usize, group: u8, spot: usize) -> Cents {
        let own = play.hands.iter().filter(|hand| hand.group == group).map(|hand| &hand.stakes[bettor]);
        own.filter(|stakes| stakes.base_kind == Stake::Main && stakes.base[spot] > Cents::ZERO)
            .map(|stakes| stakes.laid(spot).original(&self.rules))
            .next()
            .unwrap_or(Cents::ZERO)
    }

    /// Returns the verdict on a stake against the complete dealer's hand.
    pub(crate) fn final_result(
        &self,
        play: &BoxPlay,
        bettor: usize,
        at: usize,
        stake: Stake,
        spot: usize,
    ) -> BetResult {
        let hand = &play.hands[at];
        let amount = hand.stakes[bettor].amount(stake, spot);
        if hand.state == HandState::SurrenderPending && !self.dealer().is_blackjack() {
            return BetResult::whole(settle::surrender(&self.rules, SurrenderTo::NoBlackjack, stake), amount);
        }
        if !self.dealer().is_blackjack() {
            return BetResult::whole(settle::compare(&self.rules, &hand.hand, self.dealer(), stake), amount);
        }
        // stakes that are already settled count as they did then
        let of_bettor =
            |(_, other): &(usize, &HandPlay)| other.group == hand.group && !other.stakes[bettor].is_empty();
        let (places, held): (Vec<usize>, Vec<SplitHand>) = play
            .hands
            .iter()
            .enumerate()
            .filter(of_bettor)
            .map(|(at, other)| {
                let end = match other.state {
                    HandState::SurrenderPending | HandState::Surrendered => HandEnd::Surrendered,
                    HandState::Dead => HandEnd::Dead,
                    _ => HandEnd::Played,
                };
                let stakes = Stake::ALL.map(|kind| other.stakes[bettor].amount(kind, spot));
                let unseen = other.turned_on == Some(spot);
                (at, SplitHand { hand: other.hand, end, stakes, unseen })
            })
            .unzip();
        let original = self.original(play, bettor, hand.group, spot);
        let collected = settle::against_blackjack(&self.rules, self.dealer(), original, &held);
        let own = places.iter().position(|&place| place == at).map(|nth| collected[nth][stake as usize]);
        match own {
            Some(own) if own.verdict.outcome == Outcome::Lose => {
                BetResult { verdict: own.verdict, net: -own.taken }
            }
            Some(own) => BetResult::whole(own.verdict, amount),
            None => BetResult::whole(settle::compare(&self.rules, &hand.hand, self.dealer(), stake), amount),
        }
    }

    /// Returns the settlement of the next stake in this pass at the end of the round, or `None` if the pass is
    /// over.
    ///
    /// Tables with streak bets do not settle in passes, but player by player from the dealer's right.
    pub(crate) fn next_stake(&self, pass: usize) -> Option<Event> {
        let when = self.settled_when();
        for play in &self.round.boxes {
            if let Some(event) = self.next_stake_of(play, Some(pass), when) {
                return Some(event);
            }
        }
        None
    }

    /// Returns the moment that is recorded for a bet settled now, after the players' turns.
    ///
    /// The moment is the peek if the dealer's blackjack is known, and the end of the round otherwise.
    pub(crate) fn settled_when(&self) -> SettledAt {
        if self.round.peeked == crate::round::Peeked::Blackjack { SettledAt::Peek } else { SettledAt::End }
    }

    pub(crate) fn next_stake_of(
        &self,
        play: &BoxPlay,
        pass: Option<usize>,
        when: SettledAt,
    ) -> Option<Event> {
        let spot = self.round.dealer_hand_index;
        for bettor in 0..play.bettors.len() {
            for (at, hand) in play.hands.iter().enumerate() {
                if hand.is_out() {
                    continue;
                }
                // 2.18(f)#2: a hand seen to be bust loses on every spot, even if its double card is turned only now
                let due = |&(_, on): &(Stake, usize)| on == spot || hand.state == HandState::Bust;
                for (stake, spot) in hand.stakes[bettor].open().filter(due) {
                    let result = self.final_result(play, bettor, at, stake, spot);
                    if pass.is_none_or(|pass| pass_of(result.verdict.outcome) == pass) {
                        return Some(self.stake_event(play, bettor, hand, (stake, spot), &result, when));
                    }
                }
            }
        }
        None
    }

    /// Returns the next settlement on a hand of this box that ended in its turn, or `None` if none is due.
    ///
    /// A hand ends in its turn by a bust, a surrender that need not wait, or a win that is paid at once.
    pub(crate) fn next_settlement_in_turn(&self, play: &BoxPlay) -> Option<Event> {
        let up = self.round.up()?;
        for hand in &play.hands {
            for bettor in 0..play.bettors.len() {
                for (stake, spot) in hand.stakes[bettor].open() {
                    if let Some(verdict) = self.turn_verdict(hand, stake, up) {
                        let result = BetResult::whole(verdict, hand.stakes[bettor].amount(stake, spot));
                        return Some(self.stake_event(
                            play,
                            bettor,
                            hand,
                            (stake, spot),
                            &result,
                            SettledAt::Turn,
                        ));
                    }
                }
            }
        }
        None
    }

    /// Returns the verdict on a stake of a hand that ended during the turn, or `None` if the stake must wait.
    fn turn_verdict(&self, hand: &HandPlay, stake: Stake, up: rules::Card) -> Option<Verdict> {
        let blackjack_possible = may_be_blackjack(up) && !self.blackjack_ruled_out();
        match hand.state {
            HandState::Bust if !settle::collects_bust_at_turn(&self.rules) => None,
            HandState::Bust if blackjack_possible && settle::bust_waits(&self.rules, &hand.hand, stake) => {
                None
            }
            HandState::Bust => Some(settle::bust(&self.rules)),
            HandState::SurrenderPending if !may_be_blackjack(up) => {
                Some(settle::surrender(&self.rules, SurrenderTo::LowCard, stake))
            }
            HandState::SurrenderPending if self.settles_surrender_at_once() => {
                Some(settle::surrender(&self.rules, SurrenderTo::RuledOut, stake))
            }
            HandState::Complete
                if settle::pays_at_turn(&self.rules, &hand.hand, stake, blackjack_possible) =>
            {
                Some(settle::compare(&self.rules, &hand.hand, &self.round.dealer, stake))
            }
            _ => None,
        }
    }

    /// Returns whether a surrender is settled as soon as a dealer's blackjack is ruled out (26.8(a)3, Q17).
    fn settles_surrender_at_once(&self) -> bool {
        self.blackjack_ruled_out()
            && self.rules.surrender_settled == rules::choice::SurrenderSettled::AtOnce
            && self.round.peeked == crate::round::Peeked::NoBlackjack
    }

    /// Returns whether the dealer is known not to have a blackjack.
    pub(crate) fn blackjack_ruled_out(&self) -> bool {
        self.round.peeked == crate::round::Peeked::NoBlackjack
            || (self.round.dealer.len() >= 2 && !self.round.dealer.is_blackjack())
    }

    /// Returns the next payment for a box's blackjack that is paid before any third card (2.7(a)), or `None`.
    pub(crate) fn early_blackjack(&self, play: &BoxPlay) -> Option<Event> {
        let hand = play.hands.first().filter(|hand| !hand.is_out())?;
        for bettor in 0..play.bettors.len() {
            for spot in 0..self.rules.dealer_hands() {
                let stakes = &hand.stakes[bettor];
                if stakes.is_open(Stake::Main, spot) {
                    let amount = stakes.amount(Stake::Main, spot);
                    let verdict = settle::compare(&self.rules, &hand.hand, &self.round.dealer, Stake::Main);
                    let result = BetResult::whole(verdict, amount);
                    let key = (Stake::Main, spot);
                    return Some(self.stake_event(play, bettor, hand, key, &result, SettledAt::Deal));
                }
            }
        }
        None
    }

    /// Returns the next payment of even money (2.7(c)), or `None` if all even money is paid.
    pub(crate) fn next_even_money(&self) -> Option<Event> {
        let verdict = settle::even_money();
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                for spot in (0..self.rules.dealer_hands()).filter(|&spot| bettor.even_money.has(spot)) {
                    let stakes = &play.hands[0].stakes[at];
                    if !stakes.is_open(Stake::Main, spot) {
                        continue;
                    }
                    let staked = stakes.amount(Stake::Main, spot);
                    return Some(self.settled(
                        verdict.by,
                        Settlement {
                            box_id: play.id,
                            hand: HandNumber(1),
                            bettor: Bettor(at as u8),
                            person: bettor.person,
                            wager: Wager::EvenMoney,
                            spot: Spot(spot as u8),
                            staked,
                            net: BetResult::whole(verdict, staked).net,
                            ending: Ending::Win,
                            when: SettledAt::Deal,
                        },
                    ));
                }
            }
        }
        None
    }

    /// Returns the next settlement of an insurance bet, or `None` if every insurance bet is settled.
    ///
    /// See 2.9(c)-(d), 2A.8(c)-(d), 26.11, 36.10.
    pub(crate) fn next_insurance(
        &self,
        second_ten: bool,
        second: rules::Card,
        when: SettledAt,
    ) -> Option<Event> {
        let up = self.round.up()?;
        let verdict = settle::insurance(&self.rules, up, second);
        debug_assert_eq!(second_ten, matches!(verdict.outcome, Outcome::Win(_)));
        let spot = self.round.dealer_hand_index;
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                for group in 0..self.rules.hands_per_box() {
                    if bettor.insurance_open(group, spot) {
                        let staked = bettor.insurance[group][spot];
                        let result = BetResult::whole(verdict, staked);
                        return Some(self.settled(
                            verdict.by,
                            Settlement {
                                box_id: play.id,
                                hand: HandNumber(group as u8 + 1),
                                bettor: Bettor(at as u8),
                                person: bettor.person,
                                wager: Wager::Insurance,
                                spot: Spot(spot as u8),
                                staked,
                                net: result.net,
                                ending: ending(verdict.outcome),
                                when,
                            },
                        ));
                    }
                }
            }
        }
        None
    }

    /// Returns the next settlement of a surrender that waited for the dealer's second card, or `None` if none is
    /// left.
    ///
    /// See 2.8(a)2#2, 2A.9(a)2#2, 26.8(a)2.
    pub(crate) fn next_pending_surrender(&self) -> Option<Event> {
        let spot = self.round.dealer_hand_index;
        for play in &self.round.boxes {
            for (at, hand) in
                play.hands.iter().enumerate().filter(|(_, hand)| hand.state == HandState::SurrenderPending)
            {
                for bettor in 0..play.bettors.len() {
                    if let Some(stake) = hand.stakes[bettor].open_at(spot).next() {
                        let result = self.final_result(play, bettor, at, stake, spot);
                        let key = (stake, spot);
                        return Some(self.stake_event(play, bettor, hand, key, &result, SettledAt::Dealer));
                    }
                }
            }
        }
        None
    }

    /// Returns the event that returns the next open bet of a void round, or `None` when all bets are returned.
    pub(crate) fn void_event(&self, by: Clause, when: SettledAt) -> Option<Event> {
        for play in &self.round.boxes {
            if let Some(event) = self.void_event_of(play, by, when, |_| true, |_| true) {
                return Some(event);
            }
        }
        None
    }

    /// Returns the event that returns the next bet on a dead hand of this box, or `None` when all are returned.
    ///
    /// Returns the stakes on dead hands. If a dead hand has fewer than two cards, also returns the side bets and
    /// the insurance that depend on those cards.
    pub(crate) fn dead_hand_event(&self, play: &BoxPlay, by: Clause, when: SettledAt) -> Option<Event> {
        let dead = |hand: &HandPlay| hand.state == HandState::Dead;
        if !play.hands.iter().any(dead) {
            return None;
        }
        let undealt = |hand: &HandPlay| dead(hand) && hand.hand.len() < 2;
        self.void_event_of(play, by, when, dead, undealt)
    }

    /// Returns the event that returns the next open bet of a box, or `None` when no such bet is left.
    ///
    /// Returns the stakes on the hands that `hands` selects; the side bets if `not_dealt_in` selects any hand; and
    /// insurance if `not_dealt_in` selects every hand that the insurance bet covers.
    fn void_event_of(
        &self,
        play: &BoxPlay,
        by: Clause,
        when: SettledAt,
        hands: impl Fn(&HandPlay) -> bool,
        not_dealt_in: impl Fn(&HandPlay) -> bool,
    ) -> Option<Event> {
        let sides = play.hands.iter().any(&not_dealt_in);
        for bettor in 0..play.bettors.len() {
            for hand in play.hands.iter().filter(|hand| hands(hand)) {
                if let Some(key) = hand.stakes[bettor].open().next() {
                    let result = BetResult { verdict: Verdict::void(by), net: Cents::ZERO };
                    return Some(self.stake_event(play, bettor, hand, key, &result, when));
                }
            }
            if !sides {
                continue;
            }
            let who = &play.bettors[bettor];
            // Q31: a won bonus is still paid when hands are dead
            let stands = |bet: SideBet| {
                bet.kind().prize == Prize::Button && self.round.void.is_some_and(|void| !void.reverses)
            };
            let open = self.rules.side_bets().find(|&bet| who.side_open(bet) && !stands(bet));
            if let Some(bet) = open {
                return Some(self.side_event(play, bettor, bet, (Ending::Void, Cents::ZERO, by), when));
            }
            for group in 0..self.rules.hands_per_box() {
                // the other hand of a Switch box plays on
                let mut insured = play.hands.iter().filter(|hand| usize::from(hand.group) == group);
                if !insured.all(&not_dealt_in) {
                    continue;
                }
                for spot in 0..self.rules.dealer_hands() {
                    if who.insurance_open(group, spot) {
                        return Some(self.settled(
                            by,
                            Settlement {
                                box_id: play.id,
                                hand: HandNumber(group as u8 + 1),
                                bettor: Bettor(bettor as u8),
                                person: who.person,
                                wager: Wager::Insurance,
                                spot: Spot(spot as u8),
                                staked: who.insurance[group][spot],
                                net: Cents::ZERO,
                                ending: Ending::Void,
                                when,
                            },
                        ));
                    }
                }
            }
        }
        None
    }
}

/// The order in which the bets of the players are settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// All losers are collected, then all winners paid.
    LosersFirst,
    /// Player by player, starting at the dealer's right.
    FromTheRight,
}
