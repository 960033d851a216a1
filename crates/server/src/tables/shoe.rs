//! The virtual shoe of an automatic table: an order of cards, encrypted, with a commitment before its first card.
//!
//! The table itself counts the cards that have left the shoe, so the shoe can never be ahead of the record. A
//! double shoe consists of two virtual shoes, each with its own order and commitment.

use crate::fair::{
    CUT_RULE, Chance, Committed, DrawnRound, MIX_RULE, Mixed, Opening, ShoeId, Signatures, Statement,
    Words as _, derived_cut, sequence, shuffle,
};
use ledger::Cents;
use rules::Card;
use rules::card::{parse_cards, show_cards};
use table::shoe::Procedure;
use table::{Side, Table};

/// A cut: how many cards lie above it, and the number of the box whose player cut.
///
/// `by` is `None` if the commitment determined the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub at: usize,
    pub by: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualShoe {
    pub id: ShoeId,
    /// The data that the shoe's commitment binds, with the order of the cards before the cut.
    committed: Committed,
    commitment: String,
    /// The house's signature of the commitment.
    pub signature: String,
    order: Vec<Card>,
    cut: Cut,
    /// The house's signature of the closed list of shares, or `None` while the list is open.
    list: Option<String>,
    mixed: Option<Mixed>,
    /// The rounds dealt from the shoe, each with the number of cards that had left the shoe when the round ended.
    rounds: Vec<(i64, usize)>,
    /// All cards in the order of dealing, after the cut and the mixing of the players' nonces.
    sequence: Vec<Card>,
}

impl VirtualShoe {
    /// Returns a freshly shuffled shoe with the number `id` for one side of the table's shoe.
    ///
    /// Leaves out the cards on the layout if `side` is the side in play. Returns an error if there is no entropy.
    pub fn shuffled(id: ShoeId, table: &Table, side: Side) -> Result<VirtualShoe, getrandom::Error> {
        let (rules, deals) = (table.rules(), side == table.custody().side);
        let mut order = Vec::with_capacity(rules.stack_size());
        for _ in 0..rules.decks {
            order.extend(rules.deck().cards());
        }
        let mut on_layout = Vec::new();
        for card in table.custody().layout.iter().flatten().filter(|_| deals) {
            if let Some(at) = order.iter().position(|c| c == card) {
                on_layout.push(order.swap_remove(at));
            }
        }
        shuffle(&mut order, &mut Chance::live()?);
        let mut nonce = [0u8; 32];
        ledger::world::fill_random(&mut nonce)?;
        let committed = Committed {
            table: id.table.0,
            shoe: id.number,
            decks: u32::from(rules.decks),
            deck: rules.deck().cards().count() as u32,
            on_layout: show_cards(&on_layout),
            cut_rule: CUT_RULE.into(),
            mix_rule: MIX_RULE.into(),
            cut_least: usize::from(rules.text().cut.least),
            nonce: ledger::keys::hex(&nonce),
            order: show_cards(&order),
        };
        Ok(VirtualShoe::of(committed, order))
    }

    fn of(committed: Committed, order: Vec<Card>) -> VirtualShoe {
        let commitment = committed.commitment();
        let mut shoe = VirtualShoe {
            id: committed.id(),
            signature: String::new(),
            cut: Cut { at: 0, by: None },
            list: None,
            mixed: None,
            rounds: Vec::new(),
            sequence: Vec::new(),
            committed,
            commitment,
            order,
        };
        shoe.cut.at = shoe.derived_cut();
        shoe.lay_out();
        shoe
    }

    /// Restores a shoe from its committed data, or returns `None` if the cards cannot be parsed.
    pub fn restored(committed: Committed) -> Option<VirtualShoe> {
        let order = parse_cards(&committed.order).ok()?;
        Some(VirtualShoe::of(committed, order))
    }

    pub fn commitment(&self) -> &str {
        &self.commitment
    }

    pub fn committed(&self) -> &Committed {
        &self.committed
    }

    /// Returns the position of the cut that the commitment determines, for when no player cuts.
    pub fn derived_cut(&self) -> usize {
        derived_cut(&self.commitment, self.order.len(), self.committed.cut_least)
    }

    /// Cuts the cards. Does nothing once the list of shares is closed, because that list records the cut.
    pub fn cut(&mut self, cut: Cut) {
        if self.list.is_none() {
            self.cut = Cut { at: cut.at % self.order.len().max(1), by: cut.by };
            self.lay_out();
        }
    }

    pub fn cut_at(&self) -> Cut {
        self.cut
    }

    /// Returns the statement that the house signs when it closes the list of shares of this shoe.
    ///
    /// `after` is the number of cards that have left the shoe, and `hashes` are the hashes of the shares in order.
    pub fn list_statement<'a>(&'a self, after: usize, hashes: Vec<&'a str>) -> Statement<'a> {
        let Cut { at: cut, by: cut_by } = self.cut;
        let (table, shoe) = (self.id.table.0, self.id.number);
        Statement::List { table, shoe, commitment: &self.commitment, cut, cut_by, after, hashes }
    }

    /// Returns the statement that the house signs to acknowledge the share at `place` in the list, counted from 1.
    pub fn share_statement<'a>(&'a self, place: usize, hash: &'a str) -> Statement<'a> {
        let (table, shoe) = (self.id.table.0, self.id.number);
        Statement::Share { table, shoe, commitment: &self.commitment, place, hash }
    }

    /// Returns the statement that the house signs to publish the shoe's commitment.
    pub fn commitment_statement(&self) -> Statement<'_> {
        let (table, shoe) = (self.id.table.0, self.id.number);
        Statement::Commitment { table, shoe, commitment: &self.commitment }
    }

    /// Closes the list of shares; `signature` is the house's signature of that list.
    pub fn close(&mut self, signature: String) {
        self.list = Some(signature);
    }

    /// Returns the house's signature of the closed list of shares, or `None` while the list is open.
    pub fn list(&self) -> Option<&str> {
        self.list.as_deref()
    }

    /// Mixes the players' shares into the order of the remaining cards.
    pub fn mix(&mut self, mixed: Mixed) {
        self.mixed = Some(mixed);
        self.lay_out();
    }

    pub fn mixed(&self) -> Option<&Mixed> {
        self.mixed.as_ref()
    }

    /// Records that `gone` cards have left the shoe by now, in the round `round`.
    pub fn note_drawn(&mut self, round: i64, gone: usize) {
        match self.rounds.last_mut() {
            Some((last, drawn)) if *last == round => *drawn = gone,
            _ => self.rounds.push((round, gone)),
        }
    }

    pub fn rounds(&self) -> &[(i64, usize)] {
        &self.rounds
    }

    pub fn set_rounds(&mut self, rounds: Vec<(i64, usize)>) {
        self.rounds = rounds;
    }

    /// Returns how many cards have left the shoe if `left` cards remain in it.
    pub fn gone(&self, left: usize) -> usize {
        self.order.len().saturating_sub(left)
    }

    fn lay_out(&mut self) {
        let none = Mixed::default();
        let mixed = self.mixed.as_ref().unwrap_or(&none);
        self.sequence = sequence(&self.order, &self.commitment, self.cut.at, mixed);
    }

    fn card(&self, place: usize) -> Option<Card> {
        self.sequence.get(place).copied()
    }

    /// Returns the next card when `left` cards are left, or `None` if the shoe is empty.
    fn next(&self, left: usize) -> Option<Card> {
        self.card(self.order.len().checked_sub(left)?)
    }

    /// Moves the cards in `next` to the front of the `left` remaining cards, in this order.
    ///
    /// Returns `false`, and changes nothing, if the remaining cards do not include all of `next`. For training
    /// tables only: the order of a real shoe never changes after its commitment.
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
        (self.order, self.cut, self.mixed) = (order, Cut { at: 0, by: None }, None);
        self.lay_out();
        true
    }

    /// Returns the shoe opening to publish when the shoe ends with `left` cards in it.
    ///
    /// The shoe opening does not have the house's signature of the opening itself yet.
    pub fn opening(&self, left: usize) -> Opening {
        let cards = |from: usize, to: usize| show_cards(self.sequence.get(from..to).unwrap_or_default());
        let mut from = 0;
        let mut round = |(round, to): &(i64, usize)| {
            let cards = cards(std::mem::replace(&mut from, *to), *to);
            DrawnRound { round: *round, cards }
        };
        let list = self.list.clone();
        Opening {
            committed: self.committed.clone(),
            commitment: self.commitment.clone(),
            cut: self.cut.at,
            cut_by: self.cut.by,
            mixed: self.mixed.as_ref().map(Mixed::published).unwrap_or_default(),
            rounds: self.rounds.iter().map(&mut round).collect(),
            drawn: cards(0, self.gone(left)),
            signatures: Some(Signatures {
                commitment: self.signature.clone(),
                list,
                ..Signatures::default()
            }),
        }
    }
}

/// The shoes of a table: both sides of a double shoe, or a single shoe as the red side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shoes([Option<VirtualShoe>; 2]);

impl Shoes {
    pub fn of(&self, side: Side) -> Option<&VirtualShoe> {
        self.0[side as usize].as_ref()
    }

    pub fn of_mut(&mut self, side: Side) -> &mut Option<VirtualShoe> {
        &mut self.0[side as usize]
    }

    /// Returns the next card of a side of the shoe, or `None` if the side has no cards left.
    pub fn next(&self, table: &Table, side: Side) -> Option<Card> {
        self.of(side)?.next(table.custody().stack_of(side))
    }

    /// Moves `cards` to the front of the shoe, on the side that the next card is drawn from.
    ///
    /// Returns `false` if that side does not hold all of `cards`. At a double shoe, the round is dealt from that
    /// side only if the first of `cards`, as the determinant card, selects the side.
    pub fn arrange(&mut self, table: &Table, cards: &[Card]) -> bool {
        let side = drawn_from(table);
        let left = table.custody().stack_of(side);
        self.of_mut(side).as_mut().is_some_and(|shoe| shoe.arrange(left, cards))
    }
}

/// Returns the sides of the table's shoe: both sides of a double shoe, or only the red side.
pub fn sides(table: &Table) -> &'static [Side] {
    match table.rules().shoe {
        rules::Shoe::Double => &[Side::Red, Side::Black],
        _ => &[Side::Red],
    }
}

/// Returns the side of the shoe to draw the next card from.
///
/// The next card may be a determinant card, which 2.6(d)1 lets the dealer draw from either side. The platform
/// knows the order of both sides, so it must not choose: it draws from the side with more cards left, or from the
/// red side if both have the same number.
pub fn drawn_from(table: &Table) -> Side {
    let left = |side| table.custody().stack_of(side);
    match table.rules().shoe {
        rules::Shoe::Double if left(Side::Black) > left(Side::Red) => Side::Black,
        rules::Shoe::Double => Side::Red,
        _ => table.custody().side,
    }
}

/// Returns whether this step of preparing the cards puts them into a new order.
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

/// Draws a random award for the bonus button, by the table's weights for a bet of the amount `wager`.
///
/// Returns `None` if the table has no awards for a bet of that amount, and an error if there is no entropy.
pub fn award(table: &Table, wager: Cents) -> Result<Option<Cents>, getrandom::Error> {
    let Some((_, offer)) = table.rules().bet_for(rules::wager::Prize::Button) else {
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
    use crate::fair::{Against, Vault, verify};
    use crate::house_file::Dealing;
    use crate::tables::live::{Fixed, Live, Step};
    use crate::tables::snapshot::tests::{record, round};
    use ledger::TableId;
    use rules::Rules;
    use std::sync::Arc;
    use table::Fact;

    fn automatic(settings: &[&str]) -> Fixed {
        let mut choices = rules::preset::preset("nj-blackjack").expect("a preset");
        for setting in settings {
            rules::file::set(&mut choices, setting).expect("a setting");
        }
        let rules = Arc::new(Rules::new(choices).expect("a legal table"));
        Fixed { id: TableId(1), rules, dealing: Dealing::Automatic }
    }

    /// Checks everything about an opening but the signatures, since nothing is signed here.
    ///
    /// A shoe from which nobody ever bet has no list of shares.
    fn is_fair(opening: &Opening, commitment: Option<&str>) {
        let verdict = verify(opening, Against { commitment, ..Against::default() });
        let wrong: Vec<_> = verdict.checks.iter().filter(|c| !c.holds && c.check != "signature").collect();
        assert!(wrong.iter().all(|check| check.check == "shares"), "{wrong:?}");
    }

    /// Collects the cards that left each side since its shoe was loaded, from the events, to compare with its opening.
    #[derive(Default)]
    struct Watch {
        drawn: [Vec<Card>; 2],
        deals: usize,
        committed: Vec<String>,
        opened: [usize; 2],
        /// The shoes that ran out in the round in play: the side, whether a card was burned unseen, and the cards seen.
        ran_out: Vec<(usize, bool, Vec<Card>)>,
        out_of_cards: usize,
        burned: [bool; 2],
    }

    impl Watch {
        fn see(&mut self, step: &Step, playing: bool) {
            for line in step.lines.iter().filter_map(|line| line.strip_prefix("shoe ")) {
                self.committed.push(line.split(' ').nth(1).expect("a commitment").to_owned());
            }
            let mut over = 0;
            for (_, event) in &step.events {
                match event.fact {
                    Fact::Determined { card, drawn_from, deals } => {
                        assert_eq!(deals, Side::called_by(card));
                        self.drawn[drawn_from as usize].push(card);
                        self.deals = deals as usize;
                    }
                    Fact::Dealt { card: Some(card), .. } => self.drawn[self.deals].push(card),
                    // 2.15(f): the shoe ends in the middle of a round, and a card of the next one is burned unseen
                    Fact::Irregular(table::Irregularity::OutOfCards) => {
                        self.out_of_cards += 1;
                        let seen = std::mem::take(&mut self.drawn[self.deals]);
                        self.ran_out.push((self.deals, self.burned[self.deals], seen));
                        self.burned[self.deals] = true;
                    }
                    Fact::Performed(
                        Procedure::EmptyShoe | Procedure::SwapBatches | Procedure::InsertThreeStacks,
                    ) => over += 1,
                    _ => {}
                }
            }
            if playing {
                assert_eq!(
                    step.openings,
                    [],
                    "a shoe's order was published while its cards lay on the layout"
                );
                return;
            }
            let mut openings = step.openings.iter();
            for (side, burned, seen) in std::mem::take(&mut self.ran_out) {
                let opening = openings.next().expect("the shoe's order is published when the round is over");
                assert!(self.fits(opening, burned, &seen), "{} was published", opening.drawn);
                self.opened[side] += 1;
            }
            openings.by_ref().take(over).for_each(|opening| self.over(opening));
            assert_eq!(openings.next(), None, "a shoe's order was published before the shoe ended");
        }

        /// Returns whether the cards of an opening are those seen, after a burned card if there was one.
        fn fits(&self, opening: &Opening, burned: bool, seen: &[Card]) -> bool {
            let number = usize::try_from(opening.committed.shoe).expect("a number");
            let noted = &self.committed[number - 1];
            is_fair(opening, Some(noted));
            let seen = show_cards(seen);
            match burned {
                true => opening.drawn.split_once(' ').is_some_and(|(_, drawn)| drawn == seen),
                false => opening.drawn == seen,
            }
        }

        /// Checks the opening of an ended shoe against the cards seen of either side.
        fn over(&mut self, opening: &Opening) {
            let fits = |side: &usize| self.fits(opening, self.burned[*side], &self.drawn[*side]);
            let side = [0, 1].into_iter().find(fits);
            let side = side.unwrap_or_else(|| panic!("{} was published: {:?}", opening.drawn, self.drawn));
            self.drawn[side].clear();
            (self.opened[side], self.burned[side]) = (self.opened[side] + 1, false);
        }
    }

    /// Checks that the cards in front of the cut card are dealt after all the rest.
    /// Proves 19:47-2.5(d), 19:47-2A.4(f)#2, MA-BJS 4(f)#2, 19:47-26.4(e)#2, 19:47-36.4(e)#2.
    #[test]
    fn the_front_part_goes_to_the_back() {
        let table = Table::new(automatic(&["decks=1"]).rules);
        let id = ShoeId { table: TableId(1), number: 1 };
        let shoe = VirtualShoe::shuffled(id, &table, Side::Red).expect("entropy");
        let committed = Committed { order: "2c 3c 4c 5c 6c 7c 8c".into(), ..shoe.committed().clone() };
        let mut shoe = VirtualShoe::restored(committed).expect("cards");
        let dealt =
            |shoe: &VirtualShoe| (1..=7).rev().map(|left| shoe.next(left).unwrap()).collect::<Vec<_>>();
        shoe.cut(Cut { at: 0, by: Some(1) });
        assert_eq!(show_cards(&dealt(&shoe)), "2c 3c 4c 5c 6c 7c 8c");
        shoe.cut(Cut { at: 3, by: Some(1) });
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
            let (mut again, mut watch) = (Live::new(fixed), Watch::default());
            for (n, step) in steps.iter().enumerate() {
                again.replay(&record(n, step), &vault).expect("fits");
                watch.see(&step.1, again.table.round().step > 0);
            }
            // A single deck with a quarter of it behind the cut card is not always enough for six boxes.
            assert!(watch.out_of_cards > 0 || settings != ["decks=1"]);
            assert!(watch.opened.iter().all(|shoes| *shoes > 1), "{settings:?}: {:?}", watch.opened);
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
            is_fair(opening, None);
        }
        let mut again = Live::new(fixed);
        for (n, step) in steps.iter().enumerate() {
            let openings = again.replay(&record(n, step), &vault).expect("fits").openings;
            // A reopened table ends its shoe before its first line.
            if !step.1.lines[0].starts_with("open ") {
                assert_eq!(openings, step.1.openings, "a restart publishes the same openings");
            }
            assert!(
                openings.is_empty() || again.table.round().step == 0,
                "a shoe's order was published in the middle of a round"
            );
        }
        assert!(again.is_like(&live));
    }
}
