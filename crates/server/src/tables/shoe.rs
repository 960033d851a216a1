//! The virtual shoe of an automatic table: an order fixed and committed to before its first card, kept locked. How many
//! cards have left it is known by the machine's custody, so nothing here can run ahead of the record. A double shoe is two
//! of them, each with an order and a commitment of its own.

use crate::fair::{Chance, Commitment, Mixed, Opening, ShoeId, Words as _, sequence, shuffle};
use ledger::Cents;
use rules::Card;
use table::shoe::Procedure;
use table::{Side, Table};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualShoe {
    pub id: ShoeId,
    nonce: [u8; 32],
    /// As shuffled, before the cut.
    order: Vec<Card>,
    cut: usize,
    mixed: Option<Mixed>,
    /// As they leave the shoe: cut, and mixed once more with what the players added.
    sequence: Vec<Card>,
}

impl VirtualShoe {
    /// Shuffles every card of the set that is not on the layout, with fresh entropy. What lies there is of the side that
    /// deals.
    pub fn shuffled(id: ShoeId, table: &Table, side: Side) -> Result<VirtualShoe, getrandom::Error> {
        let (rules, deals) = (table.rules(), side == table.custody().side);
        let mut order = Vec::with_capacity(rules.stack_size());
        for _ in 0..rules.decks {
            order.extend(rules.deck().cards());
        }
        for card in table.custody().layout.iter().flatten().filter(|_| deals) {
            if let Some(at) = order.iter().position(|c| c == card) {
                order.swap_remove(at);
            }
        }
        shuffle(&mut order, &mut Chance::live()?);
        let mut nonce = [0u8; 32];
        ledger::world::chance(&mut nonce)?;
        Ok(VirtualShoe::restored(id, nonce, order))
    }

    pub fn restored(id: ShoeId, nonce: [u8; 32], order: Vec<Card>) -> VirtualShoe {
        VirtualShoe { id, nonce, sequence: order.clone(), order, cut: 0, mixed: None }
    }

    pub fn commitment(&self) -> Commitment {
        Commitment::to(self.id, &self.nonce, &self.order)
    }

    pub fn locked_parts(&self) -> (&[u8; 32], &[Card]) {
        (&self.nonce, &self.order)
    }

    pub fn cut(&mut self, at: usize) {
        self.cut = at % self.order.len().max(1);
        self.lay_out();
    }

    pub fn cut_at(&self) -> usize {
        self.cut
    }

    /// Mixes the players' shares into the cards that are still there.
    pub fn mix(&mut self, mixed: Mixed) {
        self.mixed = Some(mixed);
        self.lay_out();
    }

    pub fn mixed(&self) -> Option<&Mixed> {
        self.mixed.as_ref()
    }

    /// Cards that have left the shoe when so many are left.
    pub fn gone(&self, left: usize) -> usize {
        self.order.len().saturating_sub(left)
    }

    fn lay_out(&mut self) {
        self.sequence = sequence(self.id, self.commitment(), &self.order, self.cut, self.mixed.as_ref());
    }

    fn card(&self, place: usize) -> Option<Card> {
        self.sequence.get(place).copied()
    }

    /// The next card when so many are left: those that left the stack since it was loaded are gone.
    fn next(&self, left: usize) -> Option<Card> {
        self.card(self.order.len().checked_sub(left)?)
    }

    /// Puts these cards next, in this order, or leaves all as it was if the shoe does not hold them. For training tables:
    /// a shoe of the house is committed to before its first card, and nothing of it moves afterwards.
    fn arrange(&mut self, left: usize, next: &[Card]) -> bool {
        let Some(gone) = self.order.len().checked_sub(left) else {
            return false;
        };
        let mut order = self.sequence.clone();
        for (at, card) in next.iter().enumerate() {
            let Some(found) = order.iter().skip(gone + at).position(|c| c == card) else {
                return false;
            };
            order.swap(gone + at, gone + at + found);
        }
        (self.order, self.cut, self.mixed) = (order, 0, None);
        self.lay_out();
        true
    }

    /// What is published when the shoe is over and so many cards were left in it.
    pub fn opening(&self, left: usize) -> Opening {
        let drawn: Vec<Card> = (0..self.gone(left)).filter_map(|place| self.card(place)).collect();
        let mixed = self.mixed.as_ref().map(Mixed::published);
        Opening { mixed, ..Opening::new(self.id, &self.nonce, &self.order, (self.cut, &drawn)) }
    }
}

/// The shoes that a table deals from, by side; a single shoe is the red side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shoes([Option<VirtualShoe>; 2]);

impl Shoes {
    pub fn of(&self, side: Side) -> Option<&VirtualShoe> {
        self.0[side as usize].as_ref()
    }

    pub fn of_mut(&mut self, side: Side) -> &mut Option<VirtualShoe> {
        &mut self.0[side as usize]
    }

    /// The next card of a side.
    pub fn next(&self, table: &Table, side: Side) -> Option<Card> {
        self.of(side)?.next(table.custody().stack_of(side))
    }

    /// Puts these cards next where the next card is drawn. Those of a double shoe all come from one side if the first of
    /// them calls for that side.
    pub fn arrange(&mut self, table: &Table, cards: &[Card]) -> bool {
        let side = drawn_from(table);
        let left = table.custody().stack_of(side);
        self.of_mut(side).as_mut().is_some_and(|shoe| shoe.arrange(left, cards))
    }
}

/// The sides that the table's shoe has.
pub fn sides(table: &Table) -> &'static [Side] {
    match table.rules().shoe {
        rules::Shoe::Double => &[Side::Red, Side::Black],
        _ => &[Side::Red],
    }
}

/// 2.6(d)1 lets the dealer draw the determinant card from either side. The platform knows the order of both, so that it
/// must not choose: it draws from the side that has more cards left, from the red one when they have as many.
pub fn drawn_from(table: &Table) -> Side {
    let left = |side| table.custody().stack_of(side);
    match table.rules().shoe {
        rules::Shoe::Double if left(Side::Black) > left(Side::Red) => Side::Black,
        rules::Shoe::Double => Side::Red,
        _ => table.custody().side,
    }
}

/// Is this a step that puts the cards into a new order?
pub fn reorders(step: Procedure) -> bool {
    matches!(
        step,
        Procedure::Shuffle
            | Procedure::SwapBatches
            | Procedure::InsertThreeStacks
            | Procedure::ReturnToShuffler
            | Procedure::ReshuffleDiscards
    )
}

/// The award that a bonus button shows, drawn by the table's weights.
pub fn award(table: &Table, wager: Cents) -> Result<Option<Cents>, getrandom::Error> {
    let Some(offer) = table.rules().offer(rules::SideWager::BlackjackBonus) else {
        return Ok(None);
    };
    let Some((_, weights)) = offer.awards.iter().find(|(denomination, _)| **denomination == wager) else {
        return Ok(None);
    };
    let total = weights.values().copied().fold(0, u32::saturating_add);
    let mut drawn = Chance::live()?.below(total);
    for (amount, weight) in weights {
        match drawn.checked_sub(*weight) {
            Some(rest) => drawn = rest,
            None => return Ok(Some(*amount)),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::{Vault, verify_shoe};
    use crate::house_file::Dealing;
    use crate::tables::keep::tests::{record, round};
    use crate::tables::live::{Fixed, Live, Step};
    use ledger::TableId;
    use rules::Rules;
    use rules::card::show_cards;
    use std::sync::Arc;
    use table::Fact;

    fn automatic(settings: &[&str]) -> Fixed {
        let mut choices = rules::preset::preset("nj-blackjack").expect("a preset");
        for setting in settings {
            rules::file::set(&mut choices, setting).expect("a setting");
        }
        let rules = Arc::new(Rules::new(choices).expect("a lawful table"));
        Fixed { id: TableId(1), rules, dealing: Dealing::Automatic }
    }

    /// The cards that left each side since its shoe was opened, as the events tell them, against what is opened after it.
    #[derive(Default)]
    struct Watch {
        drawn: [Vec<Card>; 2],
        deals: usize,
        committed: Vec<String>,
        opened: [usize; 2],
        out_of_cards: usize,
        burned: [bool; 2],
    }

    impl Watch {
        fn see(&mut self, step: &Step) {
            for line in step.lines.iter().filter_map(|line| line.strip_prefix("shoe ")) {
                self.committed.push(line.split(' ').nth(1).expect("a commitment").to_owned());
            }
            let mut openings = step.openings.iter();
            for (_, event) in &step.events {
                match event.fact {
                    Fact::Determined { card, drawn_from, deals } => {
                        assert_eq!(deals, Side::called_by(card));
                        self.drawn[drawn_from as usize].push(card);
                        self.deals = deals as usize;
                    }
                    Fact::Dealt { card: Some(card), .. } => self.drawn[self.deals].push(card),
                    // 2.15(f): the shoe is over in the middle of a round, and a card of the next one is burned unseen
                    Fact::Irregular(table::Irregularity::OutOfCards) => {
                        self.out_of_cards += 1;
                        self.over(openings.next().expect("opened"));
                        self.burned[self.deals] = true;
                    }
                    Fact::Performed(
                        Procedure::EmptyShoe | Procedure::SwapBatches | Procedure::InsertThreeStacks,
                    ) => {
                        self.over(openings.next().expect("opened"));
                    }
                    _ => {}
                }
            }
            assert_eq!(openings.next(), None, "opened without an end");
        }

        /// A shoe is over: it is the one of a side whose cards are those that were seen.
        fn over(&mut self, opening: &Opening) {
            let noted = &self.committed[usize::try_from(opening.shoe).expect("a number") - 1];
            verify_shoe(opening, Some(noted)).expect("fair");
            let cards: [String; 2] = [0, 1].map(|side: usize| show_cards(&self.drawn[side]));
            let seen = |side: &usize| match self.burned[*side] {
                true => opening.drawn.split_once(' ').is_some_and(|(_, seen)| seen == cards[*side]),
                false => opening.drawn == cards[*side],
            };
            let side = [0, 1].into_iter().find(seen);
            let side = side.unwrap_or_else(|| panic!("{} was opened, and seen was {cards:?}", opening.drawn));
            self.drawn[side].clear();
            (self.opened[side], self.burned[side]) = (self.opened[side] + 1, false);
        }
    }

    /// What lay in front of the cutting card is dealt behind all the rest. Proves 19:47-2.5(d),
    /// 19:47-2A.4(f)#2, MA-BJS 4(f)#2, 19:47-26.4(e)#2, 19:47-36.4(e)#2.
    #[test]
    fn the_front_part_goes_to_the_back() {
        let order = rules::card::parse_cards("2c 3c 4c 5c 6c 7c 8c").expect("cards");
        let mut shoe = VirtualShoe::restored(ShoeId { table: TableId(1), number: 1 }, [0; 32], order);
        let dealt =
            |shoe: &VirtualShoe| (1..=7).rev().map(|left| shoe.next(left).unwrap()).collect::<Vec<_>>();
        assert_eq!(show_cards(&dealt(&shoe)), "2c 3c 4c 5c 6c 7c 8c");
        shoe.cut(3);
        assert_eq!(show_cards(&dealt(&shoe)), "5c 6c 7c 8c 2c 3c 4c");
    }

    #[test]
    fn every_way_to_shuffle_a_double_shoe_is_dealt_opened_and_carried_out_again() {
        let keys = tempfile::tempdir().expect("a directory");
        let vault = Vault::open(keys.path()).expect("opens");
        for settings in [
            &["decks=1"][..],
            &["decks=2", "hole_card=reader"],
            &["decks=2", "shuffle=automated"],
            &["decks=2", "shuffle=pre-shuffled", "hole_card=down"],
            &["decks=2", "shuffle=bart-carter"],
        ] {
            let fixed = automatic(&[&["shoe=double"], settings].concat());
            let mut live = Live::new(fixed.clone());
            let mut steps = vec![(1, Step::default())];
            live.reopen(&mut steps[0].1);
            live.carry_on(&vault, &mut steps[0].1).expect("opens");
            for _ in 0..if settings == ["decks=1"] { 1000 } else { 60 } {
                round(&mut live, &vault, 6, &mut steps);
            }
            let mut watch = Watch::default();
            steps.iter().for_each(|(_, step)| watch.see(step));
            // A deck of which a quarter lies behind the cutting card cannot always serve six boxes.
            assert!(watch.out_of_cards > 0 || settings != ["decks=1"]);
            assert!(watch.opened.iter().all(|shoes| *shoes > 1), "{settings:?}: {:?}", watch.opened);
            let mut again = Live::new(fixed);
            for (n, step) in steps.iter().enumerate() {
                again.replay(&record(n, step), &vault).expect("fits");
            }
            assert!(again.is_like(&live), "{settings:?}");
        }
    }
    /// Proves 19:47-2.15(f).
    #[test]
    fn a_shoe_that_runs_out_in_a_round_goes_on_with_its_discards() {
        let keys = tempfile::tempdir().expect("a directory");
        let vault = Vault::open(keys.path()).expect("opens");
        let fixed = automatic(&["decks=1"]);
        let mut live = Live::new(fixed.clone());
        let mut steps = Vec::new();
        for _ in 0..1500 {
            if live.wants_reopening() {
                let mut step = Step::default();
                let number = live.round_no().0;
                live.reopen(&mut step);
                live.carry_on(&vault, &mut step).expect("opens");
                steps.push((number, step));
            }
            round(&mut live, &vault, 6, &mut steps);
        }
        let events = steps.iter().flat_map(|(_, step)| &step.events);
        let out = events.filter(|(_, e)| e.fact == Fact::Irregular(table::Irregularity::OutOfCards));
        assert!(out.count() > 0);
        for opening in steps.iter().flat_map(|(_, step)| &step.openings) {
            verify_shoe(opening, None).expect("fair");
        }
        let mut again = Live::new(fixed);
        for (n, step) in steps.iter().enumerate() {
            again.replay(&record(n, step), &vault).expect("fits");
        }
        assert!(again.is_like(&live));
    }
}
