//! Custody of the cards: every card is always in exactly one place.
//!
//! Cards move only by a procedure of the regulation, such as the inspection, the shuffle, the cut or the burn.

mod procedure;

use procedure::burns;
pub(crate) use procedure::is_by_hand;
pub use procedure::{dealer_cuts, least_behind, procedure_by, procedures};

use crate::ids::{BoxId, CardPlace, Person, Side};
use crate::snapshot::kept;
use rules::choice::Shuffle;
use rules::{Card, Choices, Deck, Shoe};

/// One step in preparing the cards. Physical handling is recorded, not simulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Procedure {
    /// The dealer inspects the decks (2.4(a), 2A.3(a), MA 3, 26.3(a), 36.3(a)).
    Inspect,
    /// The tens are removed (26.3(b), 36.3(b)).
    RemoveTens,
    /// The floorperson verifies that all tens are gone (26.3(b)#2, 36.3(b)#2).
    VerifyTens(Person),
    /// The floorperson destroys the tens (26.3(b)#3, 36.3(b)#3).
    DestroyTens,
    /// The cards are spread face up for the first player (2.4(b), (d), (e), 2A.3(b)), or at an idle table (2.5(j)).
    Spread,
    /// At an idle table, the cards are turned up for an arriving player (2.5(j)#2, 2A.4(i)#2, 26.4(i)#2, 36.4(h)#2).
    TurnUp,
    /// The cards of an idle table are turned down again (2.5(j)#3, 2A.4(i)#3, 26.4(i)#3, 36.4(h)#3).
    TurnDown,
    /// The cards are turned down, washed and stacked (2.4(c), 2A.3(c), 26.3(c), 36.3(c)).
    Wash,
    /// The cards are turned down and stacked, for the shuffling device (2.4(e)#2, 2A.3(d)#2).
    Stack,
    /// The rest of the shoe goes to the discard rack, and all cards are counted (2.6(l)2, 2A.7(n)2, 26.7(j)2,
    /// 36.7(l)2).
    EmptyShoe,
    /// The cards are shuffled (2.5(a), 2A.4(a), 26.4(a), 36.4(a)).
    Shuffle,
    /// The cards left in the shoe are plugged into the others, the first step of a manual shuffle (MA 4(i)(1)).
    Plug,
    /// Two halves are riffled together (MA 4(i)(2)).
    Riffle,
    /// A part of the cards is turned around (MA 4(i)(3)).
    Turn,
    /// Packets of cards are stripped off the top (MA 4(i)(4)).
    Strip,
    /// The shuffled batch comes out of the device, and the used batch goes in (2.2(d)4, 2.2(e)#3).
    SwapBatches,
    /// The cards are cut by a player or by the dealer (2.5(b)-(f) and counterparts).
    Cut {
        /// The box of the player who cuts the cards; `None` for the dealer.
        by: Option<BoxId>,
        /// The number of cards in front of the cut.
        at: u16,
    },
    /// The cut card is inserted with this many cards behind it (2.5(d)#3, (i)).
    PlaceCutCard {
        /// The number of cards behind the cut card.
        behind: u16,
    },
    /// A cut card covers the bottom card, in the 6 to 5 game (2.5(i)).
    CoverBottom,
    /// The cards are loaded into the shoe (2.5(d)#4 and counterparts).
    Load,
    /// The dealer takes the deck or the two decks in hand (2.6A(b)).
    TakeInHand,
    /// The first card is burned, which puts it face down in the discard rack (2.6(c) and counterparts).
    Burn,
    /// The discards are shuffled and reinserted in three stacks (2.6(m), 2A.7(o)).
    InsertThreeStacks,
    /// The dealt cards return to the continuous shuffler (2.21).
    ReturnToShuffler,
    /// The discards are shuffled to become the stack, in the middle of a round (2.15(f) and counterparts).
    ReshuffleDiscards,
}

/// Why the cards are being prepared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// The table opens.
    Opening,
    /// The cut card came out.
    CutCard,
    /// The licensee orders a shuffle (2.5(h)1).
    LicenseeOrders,
    /// The table was idle (2.5(j), 2A.4(i), 26.4(i), 36.4(h)).
    Idle,
    /// The cards ran out (2.15(f)).
    OutOfCards,
    /// A player asks that the batch from the device be spread and shuffled again (2.5(j)2#3, 2A.4(i)2#3).
    Requested,
    /// The device did not finish its shuffle (2A.15(i), 26.15(j), 36.14(j)).
    ShufflerFailed,
}

/// The cards of the side of a double shoe that does not deal this round; the fields are those of [`Custody`].
#[derive(Clone, PartialEq, Eq, Debug)]
struct OtherSide {
    stack: usize,
    left: [u8; 52],
    rack: Vec<Option<Card>>,
    behind: usize,
}

kept!(OtherSide { stack, left, rack, behind });
kept!(Custody {
    deck,
    decks,
    stack,
    left,
    rack,
    destroyed,
    layout,
    behind,
    cut_card_out,
    side,
    other_side,
    pending,
    occasion,
    reshuffled,
    shoe_number,
    burned,
    cut_declined_by,
    cut_offered_to,
    last_cutter,
    recut,
    may_be_recut,
    cut_card_announced,
    device_on_table,
});

/// The cards of a table and where they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Custody {
    deck: Deck,
    decks: u8,
    /// The number of cards still to be dealt.
    stack: usize,
    /// The maximum number of copies of each card that the stack can still hold; cards burned unseen count.
    left: [u8; 52],
    /// The discard rack in order, with `None` for unseen cards.
    pub rack: Vec<Option<Card>>,
    /// The destroyed cards: tens found in a 48-card game.
    pub destroyed: Vec<Card>,
    /// The cards on the layout, with `None` for unseen cards.
    pub layout: Vec<Option<Card>>,
    /// The number of cards behind the cut card when the shoe was loaded; zero without a cut card.
    behind: usize,
    /// The place of the card with which the cut card came out; `None` while the cut card is in the shoe.
    pub cut_card_out: Option<CardPlace>,
    /// The side of a double shoe that deals this round (2.6(d)).
    pub side: Side,
    /// The side of a double shoe that does not deal this round (2.6(d)).
    ///
    /// `None` if no card was dealt from that side since both sides were loaded.
    other_side: Option<Box<OtherSide>>,
    /// The steps to perform before the next card, in reverse order.
    pub pending: Vec<Procedure>,
    /// Why the cards are being prepared.
    pub occasion: Occasion,
    /// The number of discards shuffled in the middle of a round.
    reshuffled: usize,
    /// The number of shoes dealt so far.
    pub shoe_number: u32,
    /// The index in `rack` of the shoe's last burned card, or `None` if there is none.
    pub burned: Option<usize>,
    /// The boxes that have declined the cut, in order.
    pub cut_declined_by: Vec<BoxId>,
    /// The box that is offered the cut, or `None` before the offer.
    pub cut_offered_to: Option<BoxId>,
    /// The box of the player who last cut the cards; `None` if the dealer did.
    pub last_cutter: Option<BoxId>,
    /// Whether the cards are being recut on a supervisor's order (2.5(g)).
    pub recut: bool,
    /// Whether the cards were cut and no card was dealt since.
    pub may_be_recut: bool,
    /// Whether the dealer has announced that the cut card is out.
    pub cut_card_announced: bool,
    /// Whether the shuffling device stands at the table. A device that fails is removed.
    pub device_on_table: bool,
}

impl Custody {
    /// Returns the cards of a table that has not opened yet.
    pub fn new(choices: &Choices) -> Custody {
        let mut custody = Custody {
            deck: choices.deck(),
            decks: choices.decks,
            stack: 0,
            left: [0; 52],
            rack: Vec::new(),
            destroyed: Vec::new(),
            layout: Vec::new(),
            behind: 0,
            cut_card_out: None,
            side: Side::Red,
            other_side: None,
            pending: Vec::new(),
            occasion: Occasion::Opening,
            reshuffled: 0,
            shoe_number: 0,
            burned: None,
            cut_declined_by: Vec::new(),
            cut_offered_to: None,
            last_cutter: None,
            recut: false,
            may_be_recut: false,
            cut_card_announced: false,
            device_on_table: choices.shuffle == Shuffle::Automated,
        };
        custody.refill();
        custody.pending = procedures(choices, Occasion::Opening, custody.device_on_table);
        custody.pending.reverse();
        custody
    }

    fn refill(&mut self) {
        self.stack = self.total();
        self.left = self.full_counts();
    }

    fn full_counts(&self) -> [u8; 52] {
        let mut counts = [0; 52];
        for card in self.deck.cards() {
            counts[usize::from(card.index())] = self.decks;
        }
        counts
    }

    /// Returns the number of cards in the table's decks.
    ///
    /// Each side of a double shoe has that many cards.
    pub fn total(&self) -> usize {
        self.deck.size() * usize::from(self.decks)
    }

    /// Returns the number of cards left to deal.
    ///
    /// With a double shoe, these are the cards of the dealing side.
    pub fn stack(&self) -> usize {
        self.stack
    }

    /// Returns the number of cards to be cut: only the discards if the cards ran out (2.15(f) and counterparts).
    pub fn to_cut(&self) -> usize {
        if self.occasion == Occasion::OutOfCards { self.reshuffled } else { self.stack }
    }

    /// Returns the number of cards left to deal on this side; a single shoe is the red side.
    pub fn stack_of(&self, side: Side) -> usize {
        match &self.other_side {
            _ if side == self.side => self.stack,
            Some(other) => other.stack,
            // untouched since both sides were loaded
            None => self.total(),
        }
    }

    /// Returns the number of cards behind the cut card, or zero without a cut card.
    pub fn behind(&self) -> usize {
        self.behind
    }

    /// Returns whether every card is in exactly one place.
    pub fn is_whole(&self) -> bool {
        let other =
            self.other_side.as_ref().is_none_or(|other| other.stack + other.rack.len() == self.total());
        self.stack + self.rack.len() + self.layout.len() == self.total() && other
    }

    /// Returns whether cards may be dealt.
    pub fn is_ready(&self) -> bool {
        self.pending.is_empty()
    }

    /// Returns the next step of preparing the cards, or `None` if the cards are ready.
    pub fn next_procedure(&self) -> Option<Procedure> {
        self.pending.last().copied()
    }

    /// Returns whether the stack can still hold this card.
    pub fn may_hold(&self, card: Card) -> bool {
        self.stack > 0 && self.left[usize::from(card.index())] > 0
    }

    /// Returns whether this side of a double shoe can still hold this card.
    pub fn side_may_hold(&self, side: Side, card: Card) -> bool {
        match (&self.other_side, side == self.side) {
            (_, true) => self.may_hold(card),
            (Some(other), false) => other.stack > 0 && other.left[usize::from(card.index())] > 0,
            (None, false) => true,
        }
    }

    /// Returns whether a face-down card on the layout that nobody has seen can be this card.
    pub fn may_be_face_down(&self, card: Card) -> bool {
        self.left[usize::from(card.index())] > 0
    }

    /// Deals a card to the layout, and returns whether the cut card came out.
    pub fn deal(&mut self, card: Option<Card>) -> bool {
        self.draw(card);
        self.layout.push(card);
        self.may_be_recut = false;
        self.is_past_cut_card() && self.cut_card_out.is_none_or(|place| place == CardPlace::Determinant)
    }

    /// Returns whether the dealing side is dealt past its cut card.
    pub fn is_past_cut_card(&self) -> bool {
        self.behind > 0 && self.stack < self.behind
    }

    fn draw(&mut self, card: Option<Card>) {
        self.stack = self.stack.saturating_sub(1);
        if let Some(card) = card {
            let left = &mut self.left[usize::from(card.index())];
            *left = left.saturating_sub(1);
        }
    }

    /// Turns a face-down card on the layout face up, which turns out to be `card`.
    pub fn turn(&mut self, card: Card) {
        if let Some(unknown) = self.layout.iter_mut().find(|place| place.is_none()) {
            *unknown = Some(card);
            let left = &mut self.left[usize::from(card.index())];
            *left = left.saturating_sub(1);
        }
    }

    /// Moves a card from the stack to the discard rack; `None` if nobody sees the card.
    pub fn burn(&mut self, card: Option<Card>) {
        self.draw(card);
        self.rack.push(card);
    }

    /// Burns the first card face down (2.6(c) and counterparts).
    pub fn burn_first(&mut self) {
        self.burned = Some(self.rack.len());
        self.burn(None);
    }

    /// Puts the burned card back into the stack, where its face is no longer known.
    fn unburn(&mut self) {
        let Some(at) = self.burned.take().filter(|&at| at < self.rack.len()) else {
            return;
        };
        self.stack += 1;
        if let Some(card) = self.rack.remove(at) {
            self.left[usize::from(card.index())] += 1;
        }
    }

    /// Returns the burned card, or `None` if it has not been shown (2.6(c)#3 and counterparts).
    pub fn burned_face(&self) -> Option<Card> {
        self.rack.get(self.burned?).copied().flatten()
    }

    /// Shows the burned card, so that its face is known.
    pub fn disclose(&mut self, card: Card) {
        if let Some(unknown @ None) = self.burned.and_then(|at| self.rack.get_mut(at)) {
            *unknown = Some(card);
            let left = &mut self.left[usize::from(card.index())];
            *left = left.saturating_sub(1);
        }
    }

    /// Destroys a ten that should not have been among the cards.
    pub fn destroy(&mut self, card: Card) {
        self.destroyed.push(card);
    }

    /// Moves cards to the discard rack before the round is over, such as those of a busted hand.
    pub fn collect<'a>(&mut self, cards: impl Iterator<Item = &'a Card>) {
        for &card in cards {
            if let Some(at) = self.layout.iter().rposition(|&laid| laid == Some(card)) {
                self.rack.push(self.layout.remove(at));
            }
        }
    }

    /// Moves the cards on the layout to the discard rack, in the order of picking up (2.6(i) and counterparts).
    pub fn pick_up(&mut self, cards: impl Iterator<Item = Card>) {
        let from = self.rack.len();
        self.rack.extend(cards.map(Some));
        let picked = self.rack.len() - from;
        if picked != self.layout.len() {
            self.rack.truncate(from);
            self.rack.append(&mut self.layout);
        }
        self.layout.clear();
    }

    /// Requires the steps that prepare the cards on this occasion, before the next card is dealt.
    pub fn require(&mut self, choices: &Choices, occasion: Occasion) {
        // 2.2(c)#4: the other side keeps its own cut card where it was placed when both were loaded
        if choices.shoe == Shoe::Double && self.other_side.is_none() {
            self.other_side = Some(Box::new(self.untouched_side()));
        }
        self.occasion = occasion;
        self.pending = procedures(choices, occasion, self.device_on_table);
        self.pending.reverse();
        self.cut_declined_by.clear();
        self.cut_offered_to = None;
        (self.recut, self.may_be_recut) = (false, false);
    }

    /// Requires a new dealer to burn a card (2.6(c)#2 and counterparts).
    ///
    /// Does nothing if a shuffle and its burn follow.
    pub fn dealer_relieved(&mut self, choices: &Choices) {
        if burns(choices) && self.pending.is_empty() && self.stack > 0 {
            self.pending.push(Procedure::Burn);
        }
    }

    /// Goes back to the cut, and returns a card burned since then to the stack (2.5(g) and counterparts).
    pub fn cut_again(&mut self, choices: &Choices) {
        let mut steps = procedures(choices, self.occasion, self.device_on_table);
        let done = steps.len().saturating_sub(self.pending.len());
        let is_cut = |step: &Procedure| matches!(step, Procedure::Cut { .. });
        let cut = steps[..done].iter().rposition(is_cut).unwrap_or(steps.len());
        self.pending = steps.split_off(cut);
        self.pending.reverse();
        self.unburn();
        self.cut_declined_by.clear();
        self.cut_offered_to = None;
        self.recut = true;
        self.may_be_recut = false;
    }

    /// Returns whether the cards may be washed or stacked again because a card was seen (2.4(c) and counterparts).
    pub fn may_be_remixed(&self, choices: &Choices) -> bool {
        self.mixed_by(choices).is_some()
    }

    /// Requires the cards to be washed or stacked again, as before.
    pub fn mix_again(&mut self, choices: &Choices) {
        self.pending.extend(self.mixed_by(choices));
    }

    /// Returns the step just performed if it was a wash or a stacking and a shuffle comes next, and `None`
    /// otherwise.
    fn mixed_by(&self, choices: &Choices) -> Option<Procedure> {
        let steps = procedures(choices, self.occasion, self.device_on_table);
        let at = steps.len().checked_sub(self.pending.len() + 1)?;
        let shuffled_next =
            matches!(self.next_procedure(), Some(Procedure::Shuffle | Procedure::Plug | Procedure::Riffle));
        Some(steps[at]).filter(|step| shuffled_next && matches!(step, Procedure::Wash | Procedure::Stack))
    }

    /// Removes the shuffling device from the table (2A.15(j), 26.15(k), 36.14(k)).
    ///
    /// If the device has yet to shuffle or to deliver a batch, the cards are shuffled and cut by hand instead.
    pub fn remove_device(&mut self, choices: &Choices) {
        let with_device = procedures(choices, self.occasion, self.device_on_table);
        self.device_on_table = false;
        let shuffled = |step: &Procedure| matches!(step, Procedure::Shuffle | Procedure::SwapBatches);
        if !self.pending.iter().any(shuffled) {
            return;
        }
        let done = &with_device[..with_device.len().saturating_sub(self.pending.len())];
        let mut steps = procedures(choices, self.occasion, false);
        let first = steps.iter().take_while(|step| done.contains(step)).count();
        self.pending = steps.split_off(first);
        self.pending.reverse();
    }

    /// Returns whether the shuffled batch has yet to come out of the device.
    pub fn batch_is_to_come(&self) -> bool {
        self.pending.contains(&Procedure::SwapBatches)
    }

    /// Returns whether the batch that the device stored for an idle table is complete, apart from a burned card.
    pub fn holds_stored_batch(&self) -> bool {
        let fresh = self.layout.is_empty() && self.rack.len() <= 1 && !self.batch_is_to_come();
        self.occasion == Occasion::Idle && self.device_on_table && fresh
    }

    /// Performs the next step of preparing the cards.
    pub fn perform(&mut self, procedure: Procedure) {
        self.pending.pop();
        match procedure {
            Procedure::EmptyShoe | Procedure::ReturnToShuffler => self.gather(),
            // 2.4(d): each side of a double shoe by itself, but both of them
            Procedure::Spread => {
                self.gather();
                self.other_side = None;
            }
            Procedure::SwapBatches => {
                self.gather();
                self.loaded();
            }
            Procedure::Load | Procedure::TakeInHand => {
                self.loaded();
                // 2.5(d), 2.2(c)#4: the other side of a double shoe gets its own cut, cut card and load
                if self.pending.contains(&Procedure::Load) {
                    self.use_side(self.side.other());
                } else if matches!(self.occasion, Occasion::Opening | Occasion::Idle) {
                    self.use_side(Side::Red);
                }
            }
            Procedure::Cut { by, .. } => {
                self.last_cutter = by;
                self.recut = false;
                self.may_be_recut = true;
                // the other side of a double shoe has its own cut
                self.cut_declined_by.clear();
                self.cut_offered_to = None;
            }
            Procedure::Burn => self.burn_first(),
            Procedure::PlaceCutCard { behind } => self.behind = usize::from(behind),
            Procedure::InsertThreeStacks => {
                self.gather();
                self.shoe_number += 1;
            }
            // 2.15(f) and counterparts: the discards go behind the cards left in the shoe
            Procedure::ReshuffleDiscards => {
                self.reshuffled = self.rack.len();
                self.gather();
                self.shoe_number += 1;
            }
            _ => {}
        }
    }

    /// Gathers all cards that are not on the layout into one stack.
    fn gather(&mut self) {
        self.rack.clear();
        self.burned = None;
        self.refill();
        self.take_out_layout();
    }

    fn take_out_layout(&mut self) {
        let layout = std::mem::take(&mut self.layout);
        for &card in &layout {
            self.draw(card);
        }
        self.layout = layout;
    }

    fn loaded(&mut self) {
        self.cut_card_out = None;
        self.cut_card_announced = false;
        self.shoe_number += 1;
        self.burned = None;
    }

    /// Makes this side of the double shoe deal the round (2.6(d)).
    pub fn use_side(&mut self, side: Side) {
        if side == self.side {
            return;
        }
        let other = match self.other_side.take() {
            Some(other) => *other,
            None => self.untouched_side(),
        };
        let rack = std::mem::replace(&mut self.rack, other.rack);
        let this = OtherSide { stack: self.stack, left: self.left, rack, behind: self.behind };
        self.other_side = Some(Box::new(this));
        (self.stack, self.left, self.behind) = (other.stack, other.left, other.behind);
        self.side = side;
    }
    /// Returns the state of a side of the double shoe from which no card was dealt since both sides were loaded.
    fn untouched_side(&self) -> OtherSide {
        OtherSide { stack: self.total(), left: self.full_counts(), rack: Vec::new(), behind: self.behind }
    }

    /// Makes the other side of a double shoe deal if that side's cut card is out, and returns whether it is out.
    ///
    /// Only a side whose cut card is out is shuffled (2.6(l)3#2). The cut card came out with a burned determinant
    /// card (2.6(d)2#2).
    pub fn turn_to_side_past_cut_card(&mut self) -> bool {
        let out = self.other_side.as_ref().is_some_and(|other| other.stack < other.behind);
        if out {
            self.use_side(self.side.other());
            (self.cut_card_out, self.cut_card_announced) = (Some(CardPlace::Determinant), true);
        }
        out
    }
}
