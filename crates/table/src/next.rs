//! Where the round stands: walks the script to the next thing that is due or awaited. This is bookkeeping after an
//! event; what is lawful is asked of `rules`.

use crate::decide::{blackjack_ends_by, burn_by};
use crate::event::{Announcement, Approval, Ending, Event, Fact, Finding, When};
use crate::ids::{Bettor, BoxId, Person, Place};
use crate::round::{
    BoxPlay, HandPlay, Hole, LateCard, Opening, Peeked, Remedy, SevensCard, State, SwitchState, Void,
};
use crate::settlement::Order;
use crate::shoe::{self, Procedure};
use crate::table::{Awaiting, Decide, Next, SwitchOption, Table};
use rules::choice::{HandBurn, InsuranceCollected, RecutBy};
use rules::play::{self, Actions, Situation};
use rules::script::{Offer, Slot, Step};
use rules::settle;
use rules::wager::{Moment, SideBet, SideWager, bonus, dealer_bust, sevens};
use rules::{Cents, Clause, Game, HoleCard, Origin, Shoe, Variation, clause};

impl Table {
    /// Finds what comes next, moving on through steps that ask for nothing.
    pub(crate) fn find_next(&mut self) {
        self.next = loop {
            if let Some(event) = self.told_at_once() {
                break Next::Due(event);
            }
            if let Some(void) = self.round.void {
                break self.after_void(void);
            }
            if self.round.burn_due {
                let by = reshuffle_burn_by(self.rules.game, self.rules.variation);
                break Next::Due(self.event(Fact::Burned(None), by));
            }
            let step = self.step();
            if let Some(next) = self.in_step(step) {
                break next;
            }
            self.round.step += 1;
            self.round.cursor = 0;
        };
    }

    /// What is told before anything else happens: that the cutting card is out, and the remedy of an irregularity.
    fn told_at_once(&self) -> Option<Event> {
        if let Some(place) = self.custody.cutting_card_out
            && !self.custody.cutting_card_told
            && self.round.step > 0
        {
            return Some(
                self.event(
                    Fact::CuttingCardOut(place),
                    cutting_card_by(self.rules.game, self.rules.variation),
                ),
            );
        }
        let up = self.round.up();
        match (self.round.remedy, up) {
            (Remedy::NotifyOfReader, _) => {
                Some(self.event(Fact::SupervisorNotified, reader_notice_by(self.rules.game)))
            }
            (Remedy::NotifyOfUpCard, _) => {
                Some(self.event(Fact::SupervisorNotified, clause!("19:47-2.15(m)")))
            }
            (Remedy::FindUpCard, Some(up)) => {
                Some(self.event(Fact::UpCardFound(up), clause!("19:47-2.15(m)#2")))
            }
            (Remedy::PutBackUpCard, Some(up)) => {
                Some(self.event(Fact::UpCardPutBack(up), clause!("19:47-2.15(m)#3")))
            }
            _ => None,
        }
    }

    fn in_step(&mut self, step: Step) -> Option<Next> {
        match step {
            Step::Wagers => Some(self.before_the_round()),
            Step::Deal(slot) => self.opening().or_else(|| self.deal(slot)),
            Step::Ask(offer) => self.ask(offer),
            Step::InitialSideWagers => [Moment::Deal, Moment::Decision, Moment::Bonus]
                .into_iter()
                .find_map(|moment| self.side_due(moment, When::Deal, Order::LosersFirst))
                .or_else(|| self.tucked_cards()),
            Step::TwentyPoint => self.side_due(Moment::AfterHoleCard, When::Deal, Order::FromTheRight),
            Step::EarlyBlackjacks => self.early_blackjacks(),
            Step::Peek => self.peek(),
            Step::OpenBlackjack => self.open_blackjack(),
            Step::Play => self.play(),
            Step::SecondCard => self.second_card(),
            Step::DealerDraws => self.dealer_draws(),
            Step::Settle => self.settle(),
            Step::NextSpot => self.next_spot(),
            Step::BonusButtons => self.bonus_buttons(),
            Step::PickUp => Some(Next::Due(match self.round.exposed {
                // 2.15(c)#3: nobody could use the exposed card
                Some(card) => self.event(Fact::Burned(Some(card)), exposed_burned_by(self.rules.game)),
                None => self.event(Fact::PickedUp, self.pick_up_by()),
            })),
        }
    }

    pub(crate) fn event(&self, fact: Fact, by: Clause) -> Event {
        Event { fact, by: self.cite(by) }
    }

    /// The next side wager of a moment, if there are any on the layout.
    fn side_due(&self, moment: Moment, when: When, order: Order) -> Option<Next> {
        if self.round.any_side { self.next_side(moment, when, order).map(Next::Due) } else { None }
    }

    fn before_the_round(&self) -> Next {
        Next::Await(match self.custody.next_procedure() {
            Some(Procedure::Cut { .. }) => match self.cut_offered_to() {
                Some(box_id) if self.custody.cut_put_to != Some(box_id) => {
                    return Next::Due(self.event(Fact::CutOffered(box_id), self.cut_offered_by()));
                }
                Some(box_id) => Awaiting::Cut(box_id),
                None => Awaiting::Procedure(Procedure::Cut { by: None, at: 0 }),
            },
            Some(procedure) => Awaiting::Procedure(procedure),
            None => Awaiting::Wagers,
        })
    }

    /// 2.5(e)1-4, (f), (g)#2: why the cut is this player's.
    fn cut_offered_by(&self) -> Clause {
        let declined = !self.custody.cut_offered.is_empty();
        let row = match (self.custody.occasion, self.custody.cutting_card_out) {
            _ if self.custody.recut => [
                clause!("19:47-2.5(g)#2"),
                clause!("19:47-2A.4(g)#2"),
                clause!("19:47-26.4(f)#2"),
                clause!("19:47-36.4(f)#2"),
            ],
            _ if declined => [
                clause!("19:47-2.5(f)"),
                clause!("19:47-2A.4(e)"),
                clause!("19:47-26.4(c)"),
                clause!("19:47-36.4(c)"),
            ],
            (shoe::Occasion::Opening | shoe::Occasion::Idle, _) => [
                clause!("19:47-2.5(e)1"),
                clause!("19:47-2A.4(d)1"),
                clause!("19:47-26.4(d)1"),
                clause!("19:47-36.4(d)1"),
            ],
            (shoe::Occasion::CuttingCard, Some(Place::Hand(..))) => [
                clause!("19:47-2.5(e)2"),
                clause!("19:47-2A.4(d)2"),
                clause!("19:47-26.4(d)2"),
                clause!("19:47-36.4(d)2"),
            ],
            (shoe::Occasion::CuttingCard, _) => [
                clause!("19:47-2.5(e)3"),
                clause!("19:47-2A.4(d)3"),
                clause!("19:47-26.4(d)3"),
                clause!("19:47-36.4(d)3"),
            ],
            _ => [
                clause!("19:47-2.5(e)4"),
                clause!("19:47-2A.4(d)4"),
                clause!("19:47-26.4(d)4"),
                clause!("19:47-36.4(d)4"),
            ],
        };
        row[self.rules.game as usize]
    }

    pub(crate) fn procedure_by(&self, procedure: Procedure) -> Clause {
        if procedure == Procedure::Burn && self.custody.burned {
            return burn_by(self.rules.game);
        }
        shoe::procedure_by(&self.rules, self.custody.occasion, procedure)
    }

    /// 2.20(e)2: the cards of a winning bonus wager go under it.
    fn tucked_cards(&self) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        let won = self.round.boxes.iter().find(|play| {
            !play.tucked && play.bettors.iter().any(|bettor| bettor.side_open(SideBet::BlackjackBonus))
        })?;
        Some(Next::Due(self.event(Fact::CardsTucked(won.id), clause!("19:47-2.20(e)2"))))
    }

    /// 2.5(e)-(f), 2A.4(d)-(e), 26.4(c)-(d), 36.4(c)-(d): to whom the cut is offered now; `None` when the dealer cuts.
    pub(crate) fn cut_offered_to(&self) -> Option<BoxId> {
        if shoe::dealer_cuts(&self.rules) {
            return None;
        }
        let boxes = &self.memory.wagered_boxes;
        let first = match (self.custody.occasion, self.custody.cutting_card_out) {
            (shoe::Occasion::Opening | shoe::Occasion::Idle, _) => self.memory.first_player?,
            (shoe::Occasion::CuttingCard, Some(Place::Hand(box_id, _))) => box_id,
            _ => *boxes.iter().max()?,
        };
        // clockwise is from the dealer's left to the right, wrapping (A25); counterclockwise in Massachusetts
        let clockwise = self.rules.jurisdiction == rules::Jurisdiction::Nj;
        let mut order: Vec<BoxId> = boxes.clone();
        order.sort();
        if !order.contains(&first) {
            order.push(first);
            order.sort();
        }
        // 2.5(g)#2: a recut is made by who cut last, or by the next in line
        if self.custody.recut {
            let last = self.custody.last_cutter;
            if self.rules.recut_by == RecutBy::LastCutter {
                return last.filter(|box_id| !self.custody.cut_offered.contains(box_id));
            }
        }
        let at = order.iter().position(|&box_id| box_id == first)?;
        order.rotate_left(at);
        if !clockwise {
            order[1..].reverse();
        }
        let skipped = self.custody.last_cutter.filter(|_| self.custody.recut);
        // 26.4(d), 36.4(d) name one player; on refusal others may be asked (A20)
        order
            .into_iter()
            .find(|box_id| !self.custody.cut_offered.contains(box_id) && Some(*box_id) != skipped)
    }

    /// The event that performs the next pending step of preparation without asking anyone.
    pub(crate) fn preparation(&self) -> Option<Event> {
        if self.round.step != 0 {
            return None;
        }
        let procedure = match self.custody.next_procedure()? {
            Procedure::Cut { .. } => Procedure::Cut { by: None, at: (self.custody.stack() / 2) as u16 },
            Procedure::PlaceCuttingCard { .. } => Procedure::PlaceCuttingCard { behind: self.cards_behind() },
            Procedure::VerifyTens(_) => Procedure::VerifyTens(Person(0)),
            other => other,
        };
        let by = match procedure {
            Procedure::Cut { .. } => shoe::cut_by(&self.rules),
            _ => self.procedure_by(procedure),
        };
        Some(self.event(Fact::Performed(procedure), by))
    }

    pub(crate) fn cards_behind(&self) -> u16 {
        let wanted = self.rules.cut_behind.of(self.rules.stack_size());
        (wanted as u16).max(shoe::least_behind(&self.rules))
    }

    /// Between the closing of wagers and the first card.
    fn opening(&mut self) -> Option<Next> {
        loop {
            let next = match self.round.opening {
                Opening::Over => return None,
                Opening::Abandoned => self.next_abandoned(),
                Opening::Lights => self.lights(),
                Opening::Meter => self.meter_raised(),
                Opening::NoMoreBets => no_more_bets_by(&self.rules)
                    .map(|by| Next::Due(self.event(Fact::Announced(Announcement::NoMoreBets), by))),
                Opening::HandBurn => (self.rules.hand_burn == HandBurn::EachRound
                    && self.rules.shoe == Shoe::Hand)
                    .then(|| Next::Due(self.event(Fact::Burned(None), clause!("19:47-2.6A(c)")))),
                Opening::Determinant => (self.rules.shoe == Shoe::Double)
                    .then_some(Next::Await(Awaiting::Card(Place::Determinant))),
            };
            if next.is_some() {
                return next;
            }
            self.round.opening = after(self.round.opening);
        }
    }

    /// 2.19(b)#2-3: a light for each progressive wager, and as many chips as lights.
    fn lights(&self) -> Option<Next> {
        self.rules.offer(SideWager::Progressive)?;
        let mut count = 0;
        for play in &self.round.boxes {
            let wager = play.bettors.iter().any(|bettor| bettor.side(SideBet::Progressive) > Cents::ZERO);
            count += u8::from(wager);
            if wager && !play.light_on {
                return Some(Next::Due(self.event(Fact::LightOn(play.id), clause!("19:47-2.19(b)#2"))));
            }
        }
        (count > 0).then(|| Next::Due(self.event(Fact::LightsCounted(count), clause!("19:47-2.19(b)#3"))))
    }

    /// 2.19(b)#4: every progressive wager adds to the meter before the cards are dealt.
    fn meter_raised(&self) -> Option<Next> {
        let offer = self.rules.offer(SideWager::Progressive)?;
        let bettors = self.round.boxes.iter().flat_map(|play| &play.bettors);
        let wagers = bettors.filter(|bettor| bettor.side(SideBet::Progressive) > Cents::ZERO).count() as u32;
        if wagers == 0 {
            return None;
        }
        let by_amount = rules::wager::aces::contribution(wagers, offer.rate);
        let meter = self.memory.meter + by_amount;
        Some(Next::Due(self.event(Fact::MeterRaised { by_amount, meter }, clause!("19:47-2.19(b)#4"))))
    }

    /// One card to every box and hand, or to the dealer.
    fn deal(&mut self, slot: Slot) -> Option<Next> {
        let card = |place| Some(Next::Await(Awaiting::Card(place)));
        match slot {
            Slot::EachBox => {
                let per_box = self.rules.hands_per_box();
                while self.round.cursor < self.round.boxes.len() * per_box {
                    let play = &self.round.boxes[self.round.cursor / per_box];
                    let hand = &play.hands[self.round.cursor % per_box];
                    if hand.state == State::Open && hand.late_card == LateCard::None {
                        return card(Place::Hand(play.id, hand.number));
                    }
                    self.round.cursor += 1;
                }
                if !self.is_last_deal() {
                    return None;
                }
                if self.round.own_card_late && self.round.dealer.is_empty() {
                    return card(Place::Dealer);
                }
                self.round.initial_dealt = true;
                self.late_initial_card()
            }
            Slot::Up if self.round.dealer.is_empty() && !self.round.own_card_late => card(Place::Dealer),
            // Q29: 2.6A knows the face-down card only with a reader that works
            Slot::HoleDown if self.memory.reader_failed && self.rules.variation == Variation::SixToFive => {
                None
            }
            Slot::HoleDown if self.round.hole == Hole::NotDealt => card(Place::HoleDown),
            Slot::HoleUp if self.round.dealer.len() < 2 => card(Place::Dealer),
            _ => None,
        }
    }

    fn is_last_deal(&self) -> bool {
        !self.script[self.round.step + 1..].contains(&Step::Deal(Slot::EachBox))
    }

    /// 2.15(g)#2: a player who missed one of the initial cards may have it after all others.
    fn late_initial_card(&self) -> Option<Next> {
        for play in &self.round.boxes {
            if play.late_hand(LateCard::Asked).is_some() {
                return Some(Next::Await(Awaiting::LateCard(play.id)));
            }
            if let Some(event) = self.dead_hand_event(play, dead_hand_by(self.rules.game), When::Deal) {
                return Some(Next::Due(event));
            }
        }
        for play in &self.round.boxes {
            if let Some(hand) = play.late_hand(LateCard::Taken) {
                return Some(Next::Await(Awaiting::Card(Place::Hand(play.id, hand.number))));
            }
        }
        None
    }

    /// Puts an offer to every bettor whom it concerns, until all have answered.
    fn ask(&mut self, offer: Offer) -> Option<Next> {
        if self.round.cursor == 0 {
            self.round.cursor = 1;
            let ace = self.round.up().is_some_and(|up| up.is_ace());
            for play in &mut self.round.boxes {
                let live = play.hands.iter().any(HandPlay::is_live);
                let concerned = match offer {
                    Offer::Insurance => ace && live,
                    Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack => live,
                };
                for bettor in &mut play.bettors {
                    bettor.answered = !concerned;
                }
            }
        }
        if offer == Offer::Insurance
            && let Some(event) = self.next_even_money()
        {
            return Some(Next::Due(event));
        }
        let waiting = self.round.boxes.iter().flat_map(|play| &play.bettors).any(|bettor| !bettor.answered);
        waiting.then_some(Next::Await(Awaiting::Offers(offer)))
    }

    /// 2.7(a): paid at once against a 2 to 9; 2.7(b): announced otherwise.
    fn early_blackjacks(&mut self) -> Option<Next> {
        // Q6: nobody sees a blackjack that lies face down
        if self.rules.variation == Variation::SixToFive {
            return None;
        }
        let waits = self.round.up().is_some_and(play::may_be_blackjack);
        while self.round.cursor < self.round.boxes.len() {
            let play = &self.round.boxes[self.round.cursor];
            if play.hands.first().is_some_and(|hand| hand.hand.is_blackjack())
                && let Some(event) = self.blackjack_dealt(play, waits)
            {
                return Some(Next::Due(event));
            }
            self.round.cursor += 1;
        }
        None
    }

    /// 2.7(a)-(b): announced; against a 2 to 9 also paid, and the cards removed unless a bonus wager keeps them.
    fn blackjack_dealt(&self, play: &BoxPlay, waits: bool) -> Option<Event> {
        if !play.announced {
            let by = if waits { clause!("19:47-2.7(b)") } else { clause!("19:47-2.7(a)") };
            return Some(self.event(Fact::Announced(Announcement::Blackjack(play.id)), by));
        }
        if waits {
            return None;
        }
        if let Some(event) = self.early_blackjack(play) {
            return Some(event);
        }
        let kept = play.bettors.iter().any(|bettor| bettor.side(SideBet::BlackjackBonus) > Cents::ZERO);
        (!play.removed && !kept).then(|| self.event(Fact::CardsRemoved(play.id), clause!("19:47-2.7(a)#2")))
    }

    fn uses_reader(&self) -> bool {
        self.rules.hole_card == HoleCard::Reader && !self.memory.reader_failed
    }

    /// The reader looks at the hole card; what depends on its finding follows.
    fn peek(&mut self) -> Option<Next> {
        let up = self.round.up()?;
        if !self.uses_reader() || !play::peeks(&self.rules, up) {
            return None;
        }
        match (self.round.peeked, self.round.hole) {
            (Peeked::NotYet, Hole::Down(Some(card))) => {
                let mut hand = self.round.dealer;
                hand.push(card);
                let finding = if hand.is_blackjack() { Finding::Blackjack } else { Finding::NoBlackjack };
                Some(Next::Due(self.event(Fact::ReaderUsed(finding), play::peek_by(&self.rules))))
            }
            (Peeked::NotYet, _) => Some(Next::Await(Awaiting::Reader)),
            // 36.7(k)#5: nobody has a turn at which the wagers of 36.7(f) would be settled
            (Peeked::Blackjack, _) => self
                .sevens_cards(clause!("19:47-2.6(j)3"))
                .or_else(|| self.side_due(Moment::Turn, When::Peek, Order::LosersFirst)),
            (Peeked::NoBlackjack, _) => self
                .queens_approval()
                .or_else(|| self.side_due(Moment::AfterHoleCard, When::Peek, Order::FromTheRight))
                .or_else(|| self.insurance_after_reader()),
        }
    }

    /// 2.24(e)#2: a queen of hearts pair that waited is settled before a floorperson.
    fn queens_approval(&self) -> Option<Next> {
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                if bettor.side_open(SideBet::TwentyPoint) && !bettor.approved {
                    let what = Approval::QueensOfHearts(play.id, Bettor(at as u8));
                    return Some(Next::Await(Awaiting::Approval(what)));
                }
            }
        }
        None
    }

    /// Q18: losing insurance collected as soon as the reader has shown no blackjack, where the table says so.
    fn insurance_after_reader(&self) -> Option<Next> {
        let up = self.round.up()?;
        let now = self.rules.insurance_collected == InsuranceCollected::AfterReader && up.is_ace();
        // beside an ace that is no blackjack lies no ten-value card, seen or not; any such card, like the ace, says so
        now.then(|| self.next_insurance(false, up, When::Peek).map(Next::Due))?
    }

    /// 2.6(k)6: with the hole card face up a dealer's blackjack ends the round.
    fn open_blackjack(&mut self) -> Option<Next> {
        if !self.round.dealer.is_blackjack() {
            return None;
        }
        self.round.peeked = Peeked::Blackjack;
        self.sevens_cards(clause!("19:47-2.6(k)6#2"))
    }

    /// 2.6(j)3, 2.6(k)6#2: two sevens are offered a card for their side wager.
    fn sevens_cards(&mut self, _by: Clause) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        for play in &mut self.round.boxes {
            let open = play.bettors.iter().any(|bettor| bettor.side_open(SideBet::Sevens));
            if open && sevens::waits(&play.series) && play.sevens_card == SevensCard::NotOffered {
                play.sevens_card = SevensCard::Offered;
            }
            match play.sevens_card {
                SevensCard::Offered => return Some(Next::Await(Awaiting::SevensCard(play.id))),
                SevensCard::Due => {
                    let number = play.hands[0].number;
                    return Some(Next::Await(Awaiting::Card(Place::Hand(play.id, number))));
                }
                SevensCard::NotOffered | SevensCard::Over => {}
            }
        }
        self.side_due(Moment::Decision, When::Peek, Order::LosersFirst)
    }

    /// The players' turns, from the dealer's left.
    fn play(&mut self) -> Option<Next> {
        if self.round.peeked == Peeked::Blackjack {
            return None;
        }
        while self.round.cursor < self.round.boxes.len() {
            if let Some(next) = self.turn(self.round.cursor) {
                return Some(next);
            }
            self.round.cursor += 1;
        }
        self.late_drawn_cards()
    }

    /// One player's turn: announcement, side wagers of the turn, switch, then hand after hand.
    fn turn(&mut self, at: usize) -> Option<Next> {
        if !self.round.boxes[at].turn_begun {
            self.begin_turn(at);
        }
        let play = &self.round.boxes[at];
        if !play.announced && play.hands.iter().any(HandPlay::is_live) {
            return Some(Next::Due(self.announce_total(play)));
        }
        if let Some(event) = self.next_total(play) {
            return Some(Next::Due(event));
        }
        if play.splits_sevens {
            let announcement = Announcement::SplittingSevens(play.id);
            return Some(Next::Due(self.event(Fact::Announced(announcement), clause!("19:47-2.11(f)"))));
        }
        if play.face_down
            && let Some(event) = self.face_down_cards(play)
        {
            return Some(Next::Due(event));
        }
        if self.round.any_side {
            if let Some(event) = self.next_side_of(play, Moment::Turn, When::Turn, None) {
                return Some(Next::Due(event));
            }
            if let Some(event) = self.next_side_of(play, Moment::Decision, When::Turn, None) {
                return Some(Next::Due(event));
            }
        }
        if let Some(event) = self.turn_dues(play) {
            return Some(Next::Due(event));
        }
        if let Some(co) = self.round.co {
            return Some(Next::Await(Awaiting::CoBettors(co)));
        }
        if self.rules.late_insurance.is_yes() && play.bettors.iter().any(|bettor| !bettor.answered) {
            return Some(Next::Await(Awaiting::LateInsurance(play.id)));
        }
        let both_live = play.hands.iter().all(HandPlay::is_live);
        if play.switch == SwitchState::Offered && play.hands[0].state != State::Open && both_live {
            return Some(Next::Await(Awaiting::Switch(play.id)));
        }
        let dead_by = if play.let_out { clause!("MA-BJS 15(a)#3") } else { missed_card_by(self.rules.game) };
        if let Some(event) = self.dead_hand_event(play, dead_by, When::Turn) {
            return Some(Next::Due(event));
        }
        // a hand that waits for a missed card comes after all the others
        let waits = |hand: &HandPlay| hand.late_card == LateCard::Taken;
        let Some(index) = play.hands.iter().position(|hand| hand.state == State::Open && !waits(hand)) else {
            let revocable = self.switch_option(play) == SwitchOption::Revoke;
            return revocable.then_some(Next::Await(Awaiting::Revocation(play.id)));
        };
        let hand = &play.hands[index];
        if hand.late_card == LateCard::Asked {
            return Some(Next::Await(Awaiting::LateCard(play.id)));
        }
        if hand.card_due || hand.hand.len() < 2 {
            return Some(Next::Await(Awaiting::Card(Place::Hand(play.id, hand.number))));
        }
        let actions = self.actions(play, hand);
        if actions.is_empty() {
            // what could be decided when the hand was dealt no longer can, now that the other one has been played
            self.complete_if_done(at, index);
            return self.turn(at);
        }
        Some(Next::Await(Awaiting::Decision(Decide {
            box_id: play.id,
            hand: hand.number,
            actions,
            switch: self.switch_option(play),
        })))
    }

    /// What the rules let the caller do with a hand.
    pub(crate) fn actions(&self, play: &BoxPlay, hand: &HandPlay) -> Actions {
        play::actions(&self.rules, &situation(play, hand))
    }

    pub(crate) fn switch_option(&self, play: &BoxPlay) -> SwitchOption {
        match play.switch {
            // 2A.15(g), A20: there is nothing to exchange with a dead hand
            SwitchState::Offered if play.hands.iter().all(HandPlay::is_live) => SwitchOption::Switch,
            SwitchState::Switched if revocable(play) => SwitchOption::Revoke,
            _ => SwitchOption::Nothing,
        }
    }

    /// The total of a hand that has got a card, or whose turn has come, and has not been announced.
    fn next_total(&self, play: &BoxPlay) -> Option<Event> {
        let mut earlier_open = false;
        for hand in &play.hands {
            let silent = hand.face_down || play.face_down || hand.state == State::Done;
            if !silent && usize::from(hand.announced) < hand.hand.len() {
                let turn_of_second = hand.group == 1 && !earlier_open && play.switch != SwitchState::Offered;
                let by = match (hand.hand.len(), hand.hand.origin()) {
                    (0 | 1, _) => None,
                    (2, Origin::Split) => Some(split_total_by(self.rules.game)),
                    (2, Origin::Switched) => Some(clause!("19:47-2A.7(g)1#2")),
                    (2, Origin::Dealt) => turn_of_second.then_some(clause!("19:47-2A.7(j)")),
                    _ => new_total_by(self.rules.game, self.rules.variation),
                };
                if let Some(by) = by {
                    let total = Announcement::PlayerTotal(play.id, hand.number, hand.hand.points());
                    return Some(self.event(Fact::Announced(total), by));
                }
            }
            earlier_open |= hand.state == State::Open;
        }
        None
    }

    /// 2.9(b)#4: where insurance may also be made at the own turn, it is offered once more to who has none.
    fn begin_turn(&mut self, at: usize) {
        let late = self.rules.late_insurance.is_yes() && self.round.up().is_some_and(|up| up.is_ace());
        let play = &mut self.round.boxes[at];
        play.turn_begun = true;
        if late && play.hands.iter().any(HandPlay::is_live) {
            for bettor in &mut play.bettors {
                bettor.answered = bettor.even_money || bettor.any_insurance_open();
            }
        }
    }

    fn announce_total(&self, play: &BoxPlay) -> Event {
        let live = play.hands.iter().find(|hand| hand.is_live());
        let hand = live.unwrap_or(&play.hands[0]);
        let announcement = match self.switch_option(play) {
            SwitchOption::Switch => Announcement::OrSwitch(play.id, hand.number, hand.hand.points()),
            _ => Announcement::PlayerTotal(play.id, hand.number, hand.hand.points()),
        };
        let by = match (self.rules.game, self.rules.variation) {
            (Game::Blackjack, Variation::SixToFive) => {
                return self.event(Fact::CardsLookedAt(play.id), clause!("19:47-2.6A(d)"));
            }
            (Game::Blackjack, _) => clause!("19:47-2.6(f)"),
            (Game::Switch, _) => clause!("19:47-2A.7(g)"),
            (Game::DoubleAttack, _) => clause!("19:47-26.7(e)"),
            (Game::TripleAttack, _) => clause!("19:47-36.7(f)"),
        };
        self.event(Fact::Announced(announcement), by)
    }

    /// 2.6A(e)1-2: the cards that lie face down are turned for a split, or thrown in when the hand has passed 21.
    fn face_down_cards(&self, play: &BoxPlay) -> Option<Event> {
        let box_id = play.id;
        match play.hands.as_slice() {
            [hand] if hand.state == State::Bust => {
                Some(self.event(Fact::CardsThrownIn { box_id, hand: hand.number }, clause!("19:47-2.6A(e)2")))
            }
            [_] | [] => None,
            _ => Some(self.event(Fact::CardsTurned(box_id), clause!("19:47-2.6A(e)1"))),
        }
    }

    /// 2.15(i): cards that were missed are dealt after all other players' cards, and the hand goes on from there.
    fn late_drawn_cards(&mut self) -> Option<Next> {
        for at in 0..self.round.boxes.len() {
            let play = &self.round.boxes[at];
            if let Some(hand) = play.late_hand(LateCard::Taken) {
                return Some(Next::Await(Awaiting::Card(Place::Hand(play.id, hand.number))));
            }
            if let Some(next) = self.turn(at) {
                return Some(next);
            }
        }
        None
    }

    /// The dealer's second card, and what is settled on it.
    fn second_card(&mut self) -> Option<Next> {
        match self.round.hole {
            Hole::Down(Some(card)) => {
                let by = match self.rules.game {
                    Game::Blackjack => turned_by(self.rules.game),
                    game if self.round.peeked == Peeked::Blackjack => {
                        blackjack_ends_by(game, self.rules.hole_card)
                    }
                    game => turned_by(game),
                };
                return Some(Next::Due(self.event(Fact::HoleTurned(card), by)));
            }
            Hole::Down(None) => return Some(Next::Await(Awaiting::Card(Place::Dealer))),
            Hole::NotDealt | Hole::Turned => {}
        }
        if self.round.dealer.len() < 2 {
            if !self.second_card_needed() {
                return None;
            }
            if !self.round.dealer_card_announced {
                let by = dealers_card_by(self.rules.game, self.rules.variation);
                return Some(Next::Due(self.event(Fact::Announced(Announcement::DealersCard), by)));
            }
            return Some(Next::Await(Awaiting::Card(Place::Dealer)));
        }
        if self.round.dealer.len() > 2 {
            return None;
        }
        self.on_the_second_card()
    }

    fn on_the_second_card(&self) -> Option<Next> {
        if dealer_bust::is_decided_on_two(self.round.dealer.cards())
            && let Some(next) = self.side_due(Moment::DealerThirdCard, When::Dealer, Order::FromTheRight)
        {
            return Some(next);
        }
        let second = self.round.dealer.cards()[1];
        let when = if self.round.peeked == Peeked::Blackjack { When::Peek } else { When::Dealer };
        self.next_insurance(second.is_ten_value(), second, when).or_else(|| self.next_parked()).map(Next::Due)
    }

    /// Q19, A11: whether anything depends on the dealer's second card where none has been dealt.
    fn second_card_needed(&self) -> bool {
        if self.rules.game == Game::Switch
            || self.rules.rulings.second_dealer_card == rules::ruling::SecondDealerCard::Always
        {
            return true;
        }
        let spot = self.round.spot;
        let may_be_blackjack = self.round.up().is_some_and(play::may_be_blackjack);
        self.round.boxes.iter().any(|play| {
            let hands = play.hands.iter().any(|hand| {
                hand.state != State::Done
                    && (0..play.bettors.len()).any(|bettor| {
                        settle::Stake::ALL.into_iter().any(|stake| {
                            let stakes = &hand.stakes[bettor];
                            let open =
                                stakes.amount(stake, spot) > Cents::ZERO && !stakes.is_settled(stake, spot);
                            open && match hand.state {
                                State::Bust => may_be_blackjack && settle::bust_waits(&self.rules, stake),
                                State::Complete if !hand.face_down => {
                                    may_be_blackjack || settle::depends_on_dealer(&self.rules, &hand.hand)
                                }
                                _ => true,
                            }
                        })
                    })
            });
            let wagers = play.bettors.iter().any(|bettor| {
                (0..2).any(|group| bettor.insurance_open(group, spot))
                    || bettor.side_open(SideBet::DealerBust)
                    || bettor.side_open(SideBet::TwentyPoint)
            });
            hands || wagers
        })
    }

    /// The dealer's further cards: compulsory for the third-card wager, otherwise only while a hand depends on them.
    fn dealer_draws(&mut self) -> Option<Next> {
        let dealer = &self.round.dealer;
        if dealer.len() < 2 {
            return self.exposed_burned();
        }
        let third_card_wager = self.round.any_side
            && self
                .round
                .boxes
                .iter()
                .flat_map(|play| &play.bettors)
                .any(|b| b.side_open(SideBet::DealerBust));
        if third_card_wager {
            if dealer.len() == 2 {
                return Some(Next::Await(Awaiting::Card(Place::Dealer)));
            }
            let next = self.side_due(Moment::DealerThirdCard, When::Dealer, Order::FromTheRight);
            if next.is_some() {
                return next;
            }
        }
        let draws = !dealer.is_blackjack() && play::dealer_draws(&self.rules, dealer.total());
        if draws && self.anything_depends_on_dealer() {
            return Some(Next::Await(Awaiting::Card(Place::Dealer)));
        }
        if let Some(next) = self.exposed_burned() {
            return Some(next);
        }
        if !self.round.dealer_total_announced {
            let announcement = Announcement::DealerTotal(dealer.points());
            let by = dealer_total_by(self.rules.game, self.rules.variation);
            return Some(Next::Due(self.event(Fact::Announced(announcement), by)));
        }
        None
    }

    /// 2.15(c)#3: an exposed card that nobody can use any more.
    fn exposed_burned(&self) -> Option<Next> {
        let card = self.round.exposed?;
        let by = exposed_burned_by(self.rules.game);
        Some(Next::Due(self.event(Fact::Burned(Some(card)), by)))
    }

    fn anything_depends_on_dealer(&self) -> bool {
        let spot = self.round.spot;
        self.round.boxes.iter().any(|play| {
            play.hands.iter().any(|hand| {
                let open = (0..play.bettors.len()).any(|bettor| {
                    let stakes = &hand.stakes[bettor];
                    stakes.base[spot] > Cents::ZERO && !stakes.is_settled(stakes.base_kind, spot)
                });
                let depends = hand.face_down || settle::depends_on_dealer(&self.rules, &hand.hand);
                open && hand.is_live() && depends
            })
        })
    }

    /// Everything that is still open is settled: losers, what is returned, winners; then what is paid with them.
    fn settle(&mut self) -> Option<Next> {
        if let Some(next) = self.turn_double_cards() {
            return Some(next);
        }
        // 2.6A(g): what still lies face down is turned over before it is settled
        if let Some(play) = self.round.boxes.iter().find(|play| {
            play.face_down
                && play.hands.iter().any(|hand| matches!(hand.state, State::Open | State::Complete))
        }) {
            return Some(Next::Due(self.event(Fact::CardsTurned(play.id), clause!("19:47-2.6A(g)"))));
        }
        if self.rules.offer(SideWager::Streak).is_some() {
            return self.settle_from_the_right();
        }
        while self.round.cursor < 3 {
            if let Some(event) = self.next_stake(self.round.cursor) {
                return Some(Next::Due(event));
            }
            self.round.cursor += 1;
        }
        self.paid_with_the_main_wager()
    }

    /// 2.10(c)#7: face-down double cards are turned.
    fn turn_double_cards(&self) -> Option<Next> {
        for play in &self.round.boxes {
            if let Some(hand) = play.hands.iter().find(|hand| hand.face_down) {
                let fact = Fact::DoubleTurned { box_id: play.id, hand: hand.number };
                return Some(Next::Due(self.event(fact, clause!("19:47-2.10(c)#7"))));
            }
        }
        None
    }

    /// 2.22(c): counterclockwise from the dealer's right, each player's wagers, then the lammer.
    fn settle_from_the_right(&self) -> Option<Next> {
        for play in self.round.boxes.iter().rev() {
            if let Some(event) = self.next_stake_of(play, None, self.settled_when()) {
                return Some(Next::Due(event));
            }
            for bettor in 0..play.bettors.len() {
                if let Some(event) = self.streak_event(play, bettor) {
                    return Some(Next::Due(event));
                }
            }
        }
        self.paid_with_the_main_wager()
    }

    /// 2.19(h), 2.24(e)2, 2.17(e): side wagers that are paid when the main wager is settled.
    fn paid_with_the_main_wager(&self) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                let needs = self.progressive_won(play, at) && !bettor.approved;
                if needs && let Some(event) = self.progressive_check(play, at) {
                    return Some(Next::Due(event));
                }
                if needs {
                    return Some(Next::Await(Awaiting::Approval(Approval::Progressive(
                        play.id,
                        Bettor(at as u8),
                    ))));
                }
            }
            if let Some(next) = self.queens_approval() {
                return Some(next);
            }
            for moment in [Moment::AfterHoleCard, Moment::Decision, Moment::End] {
                if let Some(event) = self.next_side_of(play, moment, self.settled_when(), None) {
                    return Some(Next::Due(event));
                }
            }
        }
        self.meter_reset()
    }

    /// 2.19(g)1-2: the dealer verifies the cards and the light before the supervisor validates.
    fn progressive_check(&self, play: &BoxPlay, at: usize) -> Option<Event> {
        let (box_id, bettor) = (play.id, Bettor(at as u8));
        match play.bettors[at].checks {
            0 => Some(self.event(Fact::CardsVerified { box_id, bettor }, clause!("19:47-2.19(g)1"))),
            1 => Some(self.event(Fact::LightVerified { box_id, bettor }, clause!("19:47-2.19(g)2"))),
            _ => None,
        }
    }

    /// 2.20(g)1-3: the dealer verifies the cards and the amount, and announces one below 100.00.
    fn bonus_check(&self, play: &BoxPlay, at: usize, amount: Cents) -> Option<Event> {
        let (box_id, bettor) = (play.id, Bettor(at as u8));
        match play.bettors[at].checks {
            0 => Some(self.event(Fact::CardsVerified { box_id, bettor }, clause!("19:47-2.20(g)1"))),
            1 => Some(self.event(Fact::AmountVerified { box_id, bettor, amount }, clause!("19:47-2.20(g)2"))),
            2 if amount < Cents::dollars(100) => Some(self.event(
                Fact::Announced(Announcement::Bonus(box_id, bettor, amount)),
                clause!("19:47-2.20(g)3"),
            )),
            _ => None,
        }
    }

    /// After the meter was won it starts again at its reset amount: 2.19(i).
    fn meter_reset(&self) -> Option<Next> {
        let seed = self.rules.offer(SideWager::Progressive)?.seed;
        let won = self.round.boxes.iter().any(|play| {
            let line = self.line(play, SideBet::Progressive);
            play.bettors.iter().any(|bettor| bettor.side(SideBet::Progressive) > Cents::ZERO)
                && line.is_some_and(|line| line.pays == rules::wager::Pays::Meter)
        });
        (won && self.memory.meter != seed)
            .then(|| Next::Due(self.event(Fact::MeterReset(seed), clause!("19:47-2.19(i)#2"))))
    }

    /// 2.18(f)2-(h): another dealer hand as long as a wager or insurance on a further spot is open.
    fn next_spot(&mut self) -> Option<Next> {
        let spot = self.round.spot + 1;
        if spot >= self.rules.spots() {
            return None;
        }
        let open = self.round.boxes.iter().any(|play| {
            let hands = play.hands.iter().any(|hand| {
                (0..play.bettors.len()).any(|bettor| {
                    let stakes = &hand.stakes[bettor];
                    (spot..3).any(|s| stakes.base[s] > Cents::ZERO && !stakes.is_settled(stakes.base_kind, s))
                })
            });
            hands || play.bettors.iter().any(|bettor| (spot..3).any(|s| bettor.insurance_open(0, s)))
        });
        open.then(|| {
            let by = if spot == 1 { clause!("19:47-2.18(g)") } else { clause!("19:47-2.18(h)#3") };
            Next::Due(self.event(Fact::NextDealerHand(crate::ids::Spot(spot as u8)), by))
        })
    }

    /// 2.20(f): the button goes to each winner from the dealer's left.
    fn bonus_buttons(&self) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                if !bettor.side_open(SideBet::BlackjackBonus) {
                    continue;
                }
                let id = Bettor(at as u8);
                if !bettor.button {
                    let fact = Fact::ButtonPlaced { box_id: play.id, bettor: id };
                    return Some(Next::Due(self.event(fact, clause!("19:47-2.20(f)#2"))));
                }
                if bettor.award.is_none() && !bettor.bonus_failed {
                    return Some(Next::Await(Awaiting::Award(play.id, id)));
                }
                if let Some(amount) = bettor.award
                    && let Some(event) = self.bonus_check(play, at, amount)
                {
                    return Some(Next::Due(event));
                }
                // 2.20(g)4
                let large = bettor.award.is_some_and(|award| award >= Cents::dollars(100));
                if large && !bettor.approved {
                    return Some(Next::Await(Awaiting::Approval(Approval::Bonus(play.id, id))));
                }
                if let Some(event) = self.bonus_event(play, at) {
                    return Some(Next::Due(event));
                }
            }
        }
        None
    }

    /// What is open goes back; a void round also undoes what was settled. Then the cards are picked up.
    fn after_void(&self, void: Void) -> Next {
        if let Some(next) = self.exposed_burned() {
            return next;
        }
        if let Some(event) = self.void_event(void.by, When::End) {
            return Next::Due(event);
        }
        if !void.reverses
            && let Some(next) = self.bonus_buttons()
        {
            return next;
        }
        let settled = self.round.settled.iter().skip(self.round.reversed);
        match settled.copied().find(|settlement| settlement.ending != Ending::Void) {
            Some(settlement) if void.reverses => Next::Due(self.event(Fact::Reversed(settlement), void.by)),
            _ => Next::Due(self.event(Fact::PickedUp, self.pick_up_by())),
        }
    }

    fn pick_up_by(&self) -> Clause {
        let bonus = self.round.any_side
            && self.round.boxes.iter().flat_map(|play| &play.bettors).any(|bettor| bettor.button);
        if bonus { clause!("19:47-2.20(h)") } else { pick_up_by(self.rules.game, self.rules.variation) }
    }
}

/// A hand and what matters around it, as `rules` asks for it.
pub(crate) fn situation<'a>(play: &BoxPlay, hand: &'a HandPlay) -> Situation<'a> {
    Situation {
        hand: &hand.hand,
        doubled: hand.doubled,
        hands: play.hands_of(hand.group),
        other_hand_played: hand.group == 1 && play.first_hand_played,
    }
}

/// 2A.7(g)2, A4: until a card goes to either hand, or one of them is surrendered, doubled or split.
fn revocable(play: &BoxPlay) -> bool {
    play.hands.len() == 2
        && play.hands.iter().all(|hand| {
            hand.hand.len() == 2
                && hand.doubled == play::Doubled::No
                && matches!(hand.state, State::Open | State::Complete)
                && !hand.card_due
        })
}

fn after(opening: Opening) -> Opening {
    match opening {
        Opening::Abandoned => Opening::Lights,
        Opening::Lights => Opening::Meter,
        Opening::Meter => Opening::NoMoreBets,
        Opening::NoMoreBets => Opening::HandBurn,
        Opening::HandBurn => Opening::Determinant,
        Opening::Determinant | Opening::Over => Opening::Over,
    }
}

impl Opening {
    pub(crate) fn next(self) -> Opening {
        after(self)
    }
}

/// 2.19(b)#4, 2.20(b)#3, 2.24(d): where the words "no more bets" are prescribed.
fn no_more_bets_by(rules: &rules::Rules) -> Option<Clause> {
    let offered = |wager| rules.offer(wager).is_some();
    if offered(SideWager::Progressive) {
        Some(clause!("19:47-2.19(b)#4"))
    } else if offered(SideWager::BlackjackBonus) {
        Some(clause!("19:47-2.20(b)#3"))
    } else if offered(SideWager::TwentyPoint) {
        Some(clause!("19:47-2.24(d)"))
    } else {
        None
    }
}

fn pick_up_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(i)"),
        (Game::Blackjack, Variation::MultipleAction) => clause!("19:47-2.18(j)"),
        (Game::Blackjack, _) => clause!("19:47-2.6(i)"),
        (Game::Switch, _) => clause!("19:47-2A.7(m)"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(h)"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(j)"),
    }
}

fn cutting_card_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(j)"),
        (Game::Blackjack, _) => clause!("19:47-2.6(l)"),
        (Game::Switch, _) => clause!("19:47-2A.7(n)"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(j)"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(l)"),
    }
}

/// 2.15(j), 2A.15(k), 26.15(l), 36.14(l): the supervisor is told first.
fn reader_notice_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(j)"),
        Game::Switch => clause!("19:47-2A.15(k)"),
        Game::DoubleAttack => clause!("19:47-26.15(l)"),
        Game::TripleAttack => clause!("19:47-36.14(l)"),
    }
}

fn turned_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.6(j)#2"),
        Game::Switch => clause!("19:47-2A.7(l)1#2"),
        Game::DoubleAttack => clause!("19:47-26.7(i)#2"),
        Game::TripleAttack => clause!("19:47-36.7(i)"),
    }
}

fn dealers_card_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(f)#2"),
        (Game::Blackjack, _) => clause!("19:47-2.6(h)#2"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)#2"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(g)#2"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(i)"),
    }
}

fn dealer_total_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(f)#3"),
        (Game::Blackjack, _) => clause!("19:47-2.6(h)#3"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)#4"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(g)#4"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(i)#2"),
    }
}

/// The new total after a card that a player drew; 2.6A knows no such announcement.
fn new_total_by(game: Game, variation: Variation) -> Option<Clause> {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => None,
        (Game::Blackjack, _) => Some(clause!("19:47-2.6(g)#2")),
        (Game::Switch, _) => Some(clause!("19:47-2A.7(i)#2")),
        (Game::DoubleAttack, _) => Some(clause!("19:47-26.7(f)#2")),
        (Game::TripleAttack, _) => Some(clause!("19:47-36.7(h)#2")),
    }
}

/// The total of a split hand with its second card.
fn split_total_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.11(c)"),
        Game::Switch => clause!("19:47-2A.11(c)"),
        Game::DoubleAttack => clause!("19:47-26.10(c)"),
        Game::TripleAttack => clause!("19:47-36.9(c)"),
    }
}

/// The first of the reshuffled discards is burned before the round goes on.
fn reshuffle_burn_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.15(f)#2"),
        (Game::Blackjack, _) => clause!("19:47-2.15(f)"),
        (Game::Switch, _) => clause!("19:47-2A.15(f)#2"),
        (Game::DoubleAttack, _) => clause!("19:47-26.15(g)#2"),
        (Game::TripleAttack, _) => clause!("19:47-36.14(g)#2"),
    }
}

fn exposed_burned_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(c)#3"),
        Game::Switch => clause!("19:47-2A.15(c)#3"),
        Game::DoubleAttack => clause!("19:47-26.15(e)#3"),
        Game::TripleAttack => clause!("19:47-36.14(e)#3"),
    }
}

/// 2.15(i) and counterparts: the hand of a requested card that was not dealt and is not wanted any more.
pub(crate) fn missed_card_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(i)"),
        Game::Switch => clause!("19:47-2A.15(h)"),
        Game::DoubleAttack => clause!("19:47-26.15(i)"),
        Game::TripleAttack => clause!("19:47-36.14(i)"),
    }
}

pub(crate) fn dead_hand_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(g)"),
        Game::Switch => clause!("19:47-2A.15(g)"),
        Game::DoubleAttack => clause!("19:47-26.15(h)"),
        Game::TripleAttack => clause!("19:47-36.14(h)"),
    }
}

/// What the bonus limits are for a wager: 2.20(j).
pub(crate) fn award_limits(wager: Cents) -> Option<(Cents, Cents)> {
    bonus::LIMITS
        .iter()
        .find(|(denomination, ..)| *denomination == wager)
        .map(|&(_, least, most)| (least, most))
}
