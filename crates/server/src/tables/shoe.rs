//! The virtual shoe of an automatic table: an order fixed and committed to before its first card, kept locked. How many
//! cards have left it is known by the machine's custody, so nothing here can run ahead of the record.

use crate::fair::{Chance, Commitment, Opening, ShoeId, shuffle};
use ledger::Cents;
use rules::Card;
use table::Table;
use table::shoe::Procedure;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualShoe {
    pub id: ShoeId,
    nonce: [u8; 32],
    /// As shuffled, before the cut.
    order: Vec<Card>,
    cut: usize,
}

impl VirtualShoe {
    /// Shuffles every card of the set that is not on the layout, with fresh entropy.
    pub fn shuffled(id: ShoeId, table: &Table) -> Result<VirtualShoe, getrandom::Error> {
        let rules = table.rules();
        let mut order = Vec::with_capacity(rules.stack_size());
        for _ in 0..rules.decks {
            order.extend(rules.deck().cards());
        }
        for card in table.custody().layout.iter().flatten() {
            if let Some(at) = order.iter().position(|c| c == card) {
                order.swap_remove(at);
            }
        }
        shuffle(&mut order, &mut Chance::live()?);
        let mut nonce = [0u8; 32];
        getrandom::fill(&mut nonce)?;
        Ok(VirtualShoe { id, nonce, order, cut: 0 })
    }

    pub fn restored(id: ShoeId, nonce: [u8; 32], order: Vec<Card>) -> VirtualShoe {
        VirtualShoe { id, nonce, order, cut: 0 }
    }

    pub fn commitment(&self) -> Commitment {
        Commitment::to(self.id, &self.nonce, &self.order)
    }

    pub fn locked_parts(&self) -> (&[u8; 32], &[Card]) {
        (&self.nonce, &self.order)
    }

    pub fn cut(&mut self, at: usize) {
        self.cut = at % self.order.len().max(1);
    }

    pub fn cut_at(&self) -> usize {
        self.cut
    }

    fn card(&self, place: usize) -> Option<Card> {
        if place >= self.order.len() {
            return None;
        }
        self.order.get((place + self.cut) % self.order.len()).copied()
    }

    /// The next card: those that left the stack since it was loaded are gone.
    pub fn next(&self, table: &Table) -> Option<Card> {
        let gone = self.order.len().checked_sub(table.custody().stack())?;
        self.card(gone)
    }

    /// Puts these cards next, in this order, or leaves all as it was if the shoe does not hold them. For training tables:
    /// a shoe of the house is committed to before its first card, and nothing of it moves afterwards.
    pub fn arrange(&mut self, table: &Table, next: &[Card]) -> bool {
        let Some(gone) = self.order.len().checked_sub(table.custody().stack()) else {
            return false;
        };
        let mut order = self.order.clone();
        order.rotate_left(self.cut);
        for (at, card) in next.iter().enumerate() {
            let Some(found) = order.iter().skip(gone + at).position(|c| c == card) else {
                return false;
            };
            order.swap(gone + at, gone + at + found);
        }
        (self.order, self.cut) = (order, 0);
        true
    }

    /// What is published when the shoe is over and so many cards were left in it.
    pub fn opening(&self, left: usize) -> Opening {
        let gone = self.order.len().saturating_sub(left);
        let drawn: Vec<Card> = (0..gone).filter_map(|place| self.card(place)).collect();
        Opening::new(self.id, &self.nonce, &self.order, (self.cut, &drawn))
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
