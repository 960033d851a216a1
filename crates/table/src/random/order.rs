//! Checks that bets are settled in the order that the regulations prescribe.

use crate::event::{Ending, Event, Fact, SettledAt, Settlement};
use crate::ids::{BoxId, Wager};
use rules::wager::Moment;
use rules::{Rules, SideBet, SideWager};

/// The progress of a round's settlements, against which the order of the next settlement is checked.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The pass and the box of the last main bet that was settled at the end of the round; `None` before the
    /// first.
    ///
    /// The passes are losers, returned bets and winners, each from the dealer's left.
    end: Option<(u8, BoxId)>,
    /// The moment, pass and box of the last side bet that was settled on the initial cards; `None` before the
    /// first.
    ///
    /// At each moment, the first pass settles losers and the second winners, each from the dealer's left.
    initial: Option<(u8, u8, BoxId)>,
    /// The box of the last twenty point bet that was settled; `None` before the first.
    ///
    /// These bets are settled from the dealer's right.
    last_twenty_point_box: Option<BoxId>,
    third_card: Option<BoxId>,
    from_the_right: Option<BoxId>,
    main_settled_at_the_end: bool,
    void: bool,
}

impl Order {
    /// Checks an event. Returns an error if the event settles a bet out of order.
    pub fn follow(&mut self, rules: &Rules, event: &Event) -> Result<(), String> {
        match event.fact {
            Fact::PickedUp | Fact::WagersClosed => *self = Order::default(),
            // 2.18(f)2: each dealer hand is settled separately
            Fact::NextDealerHand(_) => {
                self.end = None;
                self.main_settled_at_the_end = false;
            }
            Fact::Voided | Fact::Irregular(_) | Fact::Destroyed(_) => self.void = true,
            Fact::Settled(settlement) if !self.void && settlement.ending != Ending::Abandoned => {
                return self.settled(rules, &settlement);
            }
            _ => {}
        }
        Ok(())
    }

    fn settled(&mut self, rules: &Rules, settlement: &Settlement) -> Result<(), String> {
        let streaks = rules.offer(SideWager::Streak).is_some();
        let holds = match (settlement.wager, settlement.when) {
            (Wager::Stake(_), SettledAt::End | SettledAt::Peek) if streaks => {
                self.right_to_left(settlement.box_id)
            }
            (Wager::Stake(_), SettledAt::End | SettledAt::Peek) => self.losers_first(settlement),
            (Wager::Side(bet), SettledAt::Deal) => self.on_the_initial_cards(rules, bet, settlement),
            (Wager::Side(SideBet::DealerBust), _) => self.third_card(settlement.box_id),
            (Wager::Side(bet), SettledAt::End) if bet.streak().is_some() => {
                self.right_to_left(settlement.box_id)
            }
            _ => true,
        };
        if holds { Ok(()) } else { Err(format!("{settlement:?} is out of order: {self:?}")) }
    }

    /// Returns whether a main bet is settled in order: losers first, then returned bets, then winners.
    ///
    /// See 2.3(e), 2A.5(g), 26.5(e), 36.5(e).
    fn losers_first(&mut self, settlement: &Settlement) -> bool {
        self.main_settled_at_the_end = true;
        let pass = match settlement.ending {
            Ending::Lose | Ending::Surrender | Ending::Abandoned => 0,
            Ending::Push | Ending::Void => 1,
            Ending::Win => 2,
        };
        let this = Some((pass, settlement.box_id));
        let holds = self.end <= this;
        self.end = this;
        holds
    }

    /// Returns whether a box is settled in counterclockwise order, from the dealer's right (2.22(c)).
    fn right_to_left(&mut self, box_id: BoxId) -> bool {
        self.main_settled_at_the_end = true;
        let holds = self.from_the_right.is_none_or(|last| box_id <= last);
        self.from_the_right = Some(box_id);
        holds
    }

    /// Returns whether a side bet on the initial cards is settled in order.
    ///
    /// Losers come first (2.17(d)-(e), 2.20(e), 2.23(e), 2A.7(e)), or the order is player by player from the right
    /// (2.24(d)).
    fn on_the_initial_cards(&mut self, rules: &Rules, bet: SideBet, settlement: &Settlement) -> bool {
        if bet == SideBet::TwentyPoint {
            let holds = self.last_twenty_point_box.is_none_or(|last| settlement.box_id <= last);
            self.last_twenty_point_box = Some(settlement.box_id);
            return holds;
        }
        let moment = match rules.text().side(bet.wager()).map(|side| side.settles) {
            Some(Moment::Deal) => 0,
            Some(Moment::Decision) => 1,
            _ => 2,
        };
        let this = Some((moment, u8::from(settlement.ending == Ending::Win), settlement.box_id));
        let holds = self.initial <= this;
        self.initial = this;
        holds
    }

    /// Returns whether a third-card bet is settled from the right, before every open main bet (2.25(e), 26.6(d)).
    fn third_card(&mut self, box_id: BoxId) -> bool {
        let holds = !self.main_settled_at_the_end && self.third_card.is_none_or(|last| box_id <= last);
        self.third_card = Some(box_id);
        holds
    }
}
