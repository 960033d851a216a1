//! Settles side bets: what each paytable line pays, and which bet is settled next.

use super::Order;
use crate::event::{Ending, Event, SettledAt};
use crate::round::{BettorPlay, BoxPlay, HandState};
use crate::table::Table;
use rules::wager::{Moment, PayLine, Pays, Prize, Sees, SideBet, View, sevens, twenty};
use rules::{Cents, Clause, Odds};

impl Table {
    /// Returns how a side bet ends, its net win, and the clause that decides both.
    ///
    /// `line` is the paytable line that the cards reach, or `None` if the bet loses.
    pub(super) fn side_net(
        &self,
        play: &BoxPlay,
        bettor: usize,
        bet: SideBet,
        line: Option<PayLine>,
    ) -> (Ending, Cents, Clause) {
        let staked = play.bettors[bettor].side(bet);
        let Some(line) = line else {
            return (Ending::Lose, -staked, self.side_lost_by(play, bet));
        };
        let net = match line.pays {
            Pays::Odds(odds) => self.capped(bet, line, odds, staked),
            Pays::Amount(amount) => self.progressive_net(amount, staked),
            Pays::Meter => self.progressive_net(self.meter_share(), staked),
            Pays::Award => Cents::ZERO,
        };
        (Ending::Win, net, line.by)
    }

    /// Returns the net win of a progressive bet that pays `amount`.
    ///
    /// By the table's ruling on 2.19(c), `amount` includes the bet or is paid in addition to it.
    pub(super) fn progressive_net(&self, amount: Cents, staked: Cents) -> Cents {
        match self.rules.rulings.progressive_pays {
            rules::ruling::ProgressivePays::ForOne => amount - staked,
            rules::ruling::ProgressivePays::ToOne => amount,
        }
    }

    /// Returns one winner's share of the meter (2.19(h)#2).
    ///
    /// All bettors with four aces of one color share the meter equally.
    pub(super) fn meter_share(&self) -> Cents {
        let winners =
            self.round.boxes.iter().flat_map(|play| play.bettors.iter().map(move |bettor| (play, bettor)));
        let winners = winners.filter(|(play, bettor)| self.wins_meter(play, bettor));
        Cents(self.memory.meter.0 / winners.count().max(1) as i64)
    }

    /// Returns whether this bettor's bet wins the progressive meter.
    pub(crate) fn wins_meter(&self, play: &BoxPlay, bettor: &BettorPlay) -> bool {
        self.rules.bet_for(Prize::Meter).is_some_and(|(bet, _)| {
            bettor.side(bet) > Cents::ZERO
                && self.line(play, bet).is_some_and(|line| line.pays == Pays::Meter)
        })
    }

    /// Returns the net win of a side bet at these odds, limited for a queen of hearts pair (2.24(h)).
    ///
    /// All bettors with such a pair against a dealer's blackjack share the maximum payout.
    pub(super) fn capped(&self, bet: SideBet, line: PayLine, odds: Odds, staked: Cents) -> Cents {
        let due = |wager| odds.on(wager).unwrap_or(Cents::ZERO);
        let limited = self.text().side(bet.wager()).and_then(|side| side.extras.cap);
        let Some(top) = limited.map(|cap| cap.line).filter(|top| line.by == *top) else {
            return due(staked);
        };
        let cap = self.rules.offer(bet.wager()).and_then(|offer| offer.cap);
        let mut all = Cents::ZERO;
        for other in &self.round.boxes {
            if self.line(other, bet).is_some_and(|l| l.by == top) {
                all += other.bettors.iter().map(|bettor| bettor.side(bet)).sum();
            }
        }
        twenty::capped(due(staked), staked, due(all), all, cap)
    }

    /// Returns the clause for collecting a losing side bet.
    pub(super) fn side_lost_by(&self, play: &BoxPlay, bet: SideBet) -> Clause {
        let text = self.text();
        let Some(side) = text.side(bet.wager()) else {
            return (text.sides.refused)(bet.wager());
        };
        let view = View { cards: &play.series, dealer: self.round.dealer.cards() };
        side.extras.lost_on.iter().find(|row| (row.is)(&view)).map_or(side.lost, |row| row.by)
    }

    /// Returns the best paytable line that a box's cards reach, or `None` if they reach none.
    pub(crate) fn line(&self, play: &BoxPlay, bet: SideBet) -> Option<PayLine> {
        bet.line(&self.rules, &View { cards: &play.series, dealer: self.round.dealer.cards() })
    }

    /// Returns the next settlement of a side bet that is due at `moment`, or `None` if none is left.
    ///
    /// `order` is the order in which the players' bets are settled.
    pub(crate) fn next_side(&self, moment: Moment, when: SettledAt, order: Order) -> Option<Event> {
        for pass in [Ending::Lose, Ending::Win] {
            let count = self.round.boxes.len();
            for index in 0..count {
                let play =
                    &self.round.boxes[if order == Order::FromTheRight { count - 1 - index } else { index }];
                if let Some(event) =
                    self.next_side_of(play, moment, when, (order == Order::LosersFirst).then_some(pass))
                {
                    return Some(event);
                }
            }
            if order != Order::LosersFirst {
                return None;
            }
        }
        None
    }

    pub(crate) fn next_side_of(
        &self,
        play: &BoxPlay,
        moment: Moment,
        when: SettledAt,
        pass: Option<Ending>,
    ) -> Option<Event> {
        for (at, bettor) in play.bettors.iter().enumerate() {
            for bet in self.rules.side_bets() {
                let ours = self.text().side(bet.wager()).is_some_and(|side| side.settles == moment);
                if !ours || !bettor.side_open(bet) || self.side_waits(play, bet) {
                    continue;
                }
                let line = self.line(play, bet);
                // 2.20(e)2: a winning bonus bet stays until the button is pressed
                if bet.kind().prize == Prize::Button && line.is_some() {
                    continue;
                }
                let result = self.side_net(play, at, bet, line);
                if pass.is_none_or(|pass| pass == result.0) {
                    return Some(self.side_event(play, at, bet, result, when));
                }
            }
        }
        None
    }

    /// Returns whether a side bet on this box cannot be decided yet.
    ///
    /// With two sevens, the bet waits for the player's decision on a third card. With two queens of hearts, it
    /// waits until a blackjack of the dealer is shown or ruled out.
    pub(super) fn side_waits(&self, play: &BoxPlay, bet: SideBet) -> bool {
        match bet.sees() {
            Sees::Sevens => sevens::waits(&play.series) && play.series_open && !self.sevens_decided(play),
            Sees::TwoAndBlackjack => {
                let pair =
                    play.initial_two().zip(self.round.up()).is_some_and(|(two, up)| twenty::waits(two, up));
                pair && self.round.peeked == crate::round::Peeked::NotYet && self.round.dealer.len() < 2
            }
            _ => false,
        }
    }

    /// Returns whether the sevens bet of this box can be settled, because no third card can come any more
    /// (2.17(e)#2).
    pub(super) fn sevens_decided(&self, play: &BoxPlay) -> bool {
        match play.sevens_card {
            crate::round::SevensCard::Offered | crate::round::SevensCard::Due => false,
            crate::round::SevensCard::Over => true,
            crate::round::SevensCard::NotOffered => {
                let first = play.hands.iter().find(|hand| hand.group == 0);
                // Q8: a face-down third card decides when it is turned
                first.is_none_or(|hand| hand.state != HandState::Open && !hand.card_due && !hand.face_down)
            }
        }
    }

    /// Returns the event that pays a bettor's winning bonus bet by the amount on the bonus button (2.20(f),
    /// 2.15(o)).
    ///
    /// Returns `None` if the button has shown no amount and the bonus system has not failed.
    pub(crate) fn bonus_event(&self, play: &BoxPlay, bettor: usize) -> Option<Event> {
        let (bet, _) = self.rules.bet_for(Prize::Button)?;
        let who = &play.bettors[bettor];
        let staked = who.side(bet);
        let (amount, by) = match (who.award, who.bonus_failed) {
            (_, true) => {
                (rules::wager::bonus::SYSTEM_FAILED.on(staked)?, self.text().irregular.bonus_failed?)
            }
            (Some(award), _) => (award, self.text().button()?.paid),
            _ => return None,
        };
        let net = match (self.rules.rulings.bonus_pays, who.bonus_failed) {
            (rules::ruling::BonusPays::ForOne, false) => amount - staked,
            _ => amount,
        };
        Some(self.side_event(play, bettor, bet, (Ending::Win, net, by), SettledAt::Bonus))
    }

    /// Returns whether a bettor has an open bonus bet, for which the bonus button must still be pressed.
    pub(crate) fn has_open_bonus_bet(&self, bettor: &BettorPlay) -> bool {
        self.rules.bet_for(Prize::Button).is_some_and(|(bet, _)| bettor.side_open(bet))
    }

    /// Returns whether a bettor's progressive bet has won and a supervisor must validate the payout (2.19(g)3).
    pub(crate) fn progressive_won(&self, play: &BoxPlay, bettor: usize) -> bool {
        self.rules
            .bet_for(Prize::Meter)
            .is_some_and(|(bet, _)| play.bettors[bettor].side_open(bet) && self.line(play, bet).is_some())
    }
}
