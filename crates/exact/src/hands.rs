//! The player's hands as multisets of card values, with links to the hands that one more card makes.
//!
//! Each hand comes after all hands that its value depends on. The module also collects the sets of removed cards
//! for which the dealer's chances are needed.

use crate::cards::{Counts, Index, NONE, Points, Shoe, fits, plus, points, size};
use crate::seen::{EVERY_GROUP, Groups};
use crate::vocabulary::{ACE, RANKS, Rank, by_rank};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A player's hand that is not over 21.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// Numbers of the hand's cards, by value.
    pub cards: Counts,
    /// The point count of the hand.
    pub points: Points,
    /// The number of cards in the hand.
    pub size: u8,
    /// What is known of the hand's suits.
    pub suits: Suits,
}

/// What is known of the suits of a hand.
///
/// Suits matter where a suited 6-7-8 has its own payout (2.3(e)1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suits {
    /// The suits do not matter.
    Any,
    /// The hand is two cards of 6-7-8 in one suit.
    Suited,
    /// The hand is 6-7-8, and its first two cards are suited. The third card may have the same suit.
    MaybeSuited,
}

/// The values of 6-7-8, which has its own payout if suited.
pub(crate) const SIX_SEVEN_EIGHT: [Rank; 3] = [Rank::Six, Rank::Seven, Rank::Eight];

/// All hands that contain the cards of a root hand, with links to the hands that one more card makes.
pub struct Hands {
    /// The hands, starting with the root hand.
    pub list: Vec<Hand>,
    /// For each hand, the indices of the hands that one more card of each value makes, or `NONE` where the card
    /// busts the hand or is not in the shoe.
    pub next: Vec<[Index; RANKS]>,
    /// Indices of all hands, in order of evaluation.
    ///
    /// The value of a hand depends only on earlier hands. First come hard 21 to 11, then soft 21 to 12, then the
    /// rest in descending order.
    pub order: Vec<Index>,
    /// The suited two-card hands of 6-7-8: the lower value, the higher value, and the index of the hand.
    pub suited: Vec<(Rank, Rank, Index)>,
    root: Counts,
    tree: Tree,
}

impl Hands {
    /// Lists the hands that can be dealt from `shoe` and contain the cards of `root`.
    pub fn new(shoe: &Shoe, root: &Counts) -> Self {
        let mut hands = Hands {
            list: Vec::new(),
            next: Vec::new(),
            order: Vec::new(),
            suited: Vec::new(),
            root: *root,
            tree: Tree::default(),
        };
        if fits(root, shoe) && points(root).total <= 21 {
            hands.add(shoe, *root, ACE);
        }
        hands.next = hands.list.iter().map(|h| hands.links(&h.cards)).collect();
        hands.order = (0..hands.list.len() as Index).collect();
        let list = &hands.list;
        hands.order.sort_by_key(|&i| {
            let h = &list[i as usize];
            let group = if h.points.soft { 1 } else { 2 * u8::from(h.points.total < 11) };
            (group, 21 - h.points.total, i)
        });
        hands
    }

    fn add(&mut self, shoe: &Shoe, cards: Counts, from: Rank) {
        self.tree.insert(&self.above(&cards), self.list.len() as Index);
        self.list.push(Hand { cards, points: points(&cards), size: size(&cards), suits: Suits::Any });
        for r in from.and_above() {
            let more = plus(cards, r);
            if u16::from(more[r]) <= shoe[r] && points(&more).total <= 21 {
                self.add(shoe, more, r);
            }
        }
    }

    fn above(&self, cards: &Counts) -> Counts {
        by_rank(|r| cards[r].saturating_sub(self.root[r]))
    }

    fn links(&self, cards: &Counts) -> [Index; RANKS] {
        by_rank(|r| {
            let more = plus(*cards, r);
            if points(&more).total <= 21 { self.find(&more).unwrap_or(NONE) } else { NONE }
        })
    }

    /// Returns the index of the hand with exactly these cards and no known suits, or `None` if there is no such
    /// hand.
    pub fn find(&self, cards: &Counts) -> Option<Index> {
        let contains = cards.iter().zip(&self.root).all(|(c, r)| c >= r);
        if contains { self.tree.find(&self.above(cards)) } else { None }
    }

    /// Adds separate hands for suited cards: the suited two-card hands of 6-7-8, and the 6-7-8 drawn to them.
    pub fn tell_suits_apart(&mut self) {
        let mut whole = [0; RANKS];
        SIX_SEVEN_EIGHT.iter().for_each(|&r| whole[r] = 1);
        let Some(drawn) = self.find(&whole) else { return };
        let last = self.list.len() as Index;
        self.copy(drawn, Suits::MaybeSuited);
        let mut extra = vec![last];
        for missing in SIX_SEVEN_EIGHT {
            let mut two = whole;
            two[missing] = 0;
            let Some(plain) = self.find(&two) else { continue };
            let suited = self.list.len() as Index;
            self.copy(plain, Suits::Suited);
            self.next[suited as usize][missing] = last;
            let pair: Vec<Rank> = SIX_SEVEN_EIGHT.into_iter().filter(|&r| r != missing).collect();
            self.suited.push((pair[0], pair[1], suited));
            extra.push(suited);
        }
        for i in extra {
            let total = self.list[i as usize].points.total;
            let same = |&j: &Index| {
                let h = &self.list[j as usize];
                !h.points.soft && h.points.total == total
            };
            let at = self.order.iter().position(same).unwrap_or(self.order.len());
            self.order.insert(at, i);
        }
    }

    fn copy(&mut self, of: Index, suits: Suits) {
        self.list.push(Hand { suits, ..self.list[of as usize] });
        self.next.push(self.next[of as usize]);
    }
}

/// A map from multisets to indices: a tree whose edges are cards in ascending order.
pub struct Tree {
    nodes: Vec<([Index; RANKS], Index)>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![([NONE; RANKS], NONE)] }
    }
}

impl Tree {
    /// Adds the multiset `cards` with `index`, unless the tree already contains it.
    ///
    /// Returns the index that the tree holds for `cards`.
    pub fn insert(&mut self, cards: &Counts, index: Index) -> Index {
        let mut at = 0;
        for (r, &n) in Rank::ALL.into_iter().zip(cards) {
            for _ in 0..n {
                if self.nodes[at].0[r] == NONE {
                    self.nodes[at].0[r] = self.nodes.len() as Index;
                    self.nodes.push(([NONE; RANKS], NONE));
                }
                at = self.nodes[at].0[r] as usize;
            }
        }
        if self.nodes[at].1 == NONE {
            self.nodes[at].1 = index;
        }
        self.nodes[at].1
    }

    /// Returns the index stored for the multiset `cards`, or `None` if the tree does not contain it.
    pub fn find(&self, cards: &Counts) -> Option<Index> {
        let mut at = 0;
        for (r, &n) in Rank::ALL.into_iter().zip(cards) {
            for _ in 0..n {
                at = self.nodes.get(at)?.0[r] as usize;
            }
        }
        self.nodes.get(at).map(|n| n.1).filter(|&i| i != NONE)
    }
}

/// The distinct sets of removed cards for which the dealer's chances are needed.
#[derive(Default)]
pub struct Removals {
    /// The sets of removed cards, each once.
    pub list: Vec<Counts>,
    /// The groups of visible states for which each set is needed.
    pub needed: Vec<Groups>,
    places: ByKey<Index>,
}

/// A hash map whose keys are multisets of cards, each packed into one number.
pub(crate) type ByKey<V> = HashMap<u64, V, BuildHasherDefault<Mix>>;

/// A hash function for one number.
///
/// Keys are few and not adversarial, so one multiplication suffices.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(u64::from(b)));
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The number of bits for the count of one value in a packed hand.
const BITS: u32 = 6;

/// Packs the counts of cards into one number.
fn packed(cards: &Counts) -> u64 {
    let most = cards.iter().fold(0, |all, &n| all | n);
    assert!(most < 1 << BITS, "too many cards of one value for the hands together: {cards:?}");
    cards.iter().fold(0, |key, &n| key << BITS | u64::from(n))
}

impl Removals {
    /// Returns the index of the set `cards`, adding the set if it is new, and marks it as needed for all visible
    /// states.
    pub fn index(&mut self, cards: &Counts) -> Index {
        self.index_for(cards, EVERY_GROUP)
    }

    /// Returns the index of the set `cards`, adding the set if it is new, and marks it as needed for `groups`.
    pub fn index_for(&mut self, cards: &Counts, groups: Groups) -> Index {
        let i = *self.places.entry(packed(cards)).or_insert(self.list.len() as Index);
        if i as usize == self.list.len() {
            self.list.push(*cards);
            self.needed.push(0);
        }
        self.needed[i as usize] |= groups;
        i
    }
}
