//! The compiled table that all seats share: its hands, the stakes, the count and the card faces.

use crate::compile::Tree;
use crate::observation::{ACTIONS, FEATURES, SUITS, suit_number};
use crate::stage::{Stage, stages};
use program::Program;
use program::class::{ATTACKS, MoneyScale};
use program::face::Symbol;
use program::moves::Move;
use rules::limit::least_wager;
use rules::wager::Sees;
use rules::{Card, Cents, Choices, Deck, SideBet};
use sim::count::{Counting, Ramp, System};

/// The options of an environment, in addition to the rules of its table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The stakes that a player can choose, in initial bets; if empty, every stake is one initial bet.
    pub stakes: Vec<u16>,
    /// The side bets that the agent may make.
    pub sides: Vec<SideBet>,
    /// The counting system of the count in observations, or `None` if observations show no count.
    pub count: Option<System>,
    /// Whether every round starts from a full shoe.
    pub fresh: bool,
    /// Whether observations show the suits of the first cards.
    pub suits: bool,
}

/// The length of the lookup table of face properties: a power of two above the number of faces in a deck.
const FACES: usize = 64;

/// The properties of a card face.
#[derive(Clone, Copy, Default)]
#[repr(align(8))]
pub(crate) struct Face {
    pub(crate) symbol: Symbol,
    pub(crate) value: u8,
    /// The number of the suit in observations; meaningless unless they show suits.
    pub(crate) suit: u8,
    /// Whether insurance is offered against this upcard.
    pub(crate) insurable: bool,
    /// Whether the dealer can have a blackjack with this upcard.
    pub(crate) high: bool,
    /// Whether the dealer peeks at the hole card under this upcard.
    pub(crate) read: bool,
}

/// A compiled table, shared by all seats.
pub struct Core {
    /// Every hand that can arise at the table, with its decisions.
    pub tree: Tree,
    /// The stakes to choose from, in initial bets.
    pub stakes: Vec<u16>,
    /// The stages of a round, in order.
    pub(crate) stages: Vec<Stage>,
    /// The legal actions at the question for the bet, one bit per action: all stakes and all side bets.
    pub(crate) wagers: u32,
    pub(crate) counting: Option<Counting>,
    pub(crate) fresh: bool,
    pub(crate) suits: bool,
    /// Whether a declined insurance is offered again at the player's turn (2.9(b)#4).
    pub(crate) late_insurance: bool,
    /// The maximum insurance for each stake and number of attack bets, in parts of that for the smallest bet.
    pub(crate) insurance: Vec<[f64; ATTACKS]>,
    /// The sum of a box's initial bets, in parts of a bet.
    pub(crate) initial: f64,
    /// The value of one part of each side bet, in initial bets.
    pub(crate) side_units: Vec<f64>,
    /// Whether the dealer's hole card is face up.
    pub(crate) hole_shown: bool,
    /// Whether the class of a hand changes when its face-down double card is turned over.
    ///
    /// The double cards are turned over at the settlement against the first of several dealer hands.
    pub(crate) turns_over: bool,
    /// The properties of each card face, indexed by face.
    faces: [Face; FACES],
    pub(crate) full: Vec<u32>,
    /// The number of cards in the shoe at or below which a seat shuffles before the next round.
    pub(crate) last_start: usize,
}

impl Core {
    /// Compiles, for agents, the table that `choices` describe.
    ///
    /// Returns an error if the table does not offer a side bet of `options`, if a side bet depends on later cards
    /// or earlier rounds, or if a stake is not 1 to 1000 initial bets.
    pub fn new(choices: &Choices, options: &Options) -> Result<Core, String> {
        let lasting = |bet: &&SideBet| matches!(bet.sees(), Sees::Sevens | Sees::Aces | Sees::Streak(_));
        if let Some(bet) = options.sides.iter().find(lasting) {
            return Err(format!(
                "{} is not supported here: it depends on later cards or earlier rounds, which a compiled round does \
                    not keep",
                bet.name()
            ));
        }
        let mut tree = Tree::new(choices, &options.sides)?;
        if options.suits {
            tell_cards_apart(&mut tree.program, choices.deck());
        }
        let program = &tree.program;
        if program.sides.len() != options.sides.len() {
            return Err("the table does not offer this side bet".into());
        }
        if options.stakes.iter().any(|stake| !(1..=1000).contains(stake)) {
            return Err("each stake must be from 1 to 1000 initial bets".into());
        }
        let initial = least_wager(choices).0 as f64 * (program.hands_per_box * program.dealer_hands) as f64;
        let side_unit = |side: &program::side::Side| {
            let amount = choices.offer(side.bet.wager()).map_or(0, |offer| offer.minimum.0) as f64;
            amount / initial / side.unit as f64
        };
        let mut faces = [Face::default(); FACES];
        for ((place, face), &symbol) in
            faces.iter_mut().zip(&program.faces.faces).zip(&program.faces.symbol_of)
        {
            let offers = &program.offers;
            *place = Face {
                symbol,
                value: face.0.value(),
                suit: suit_number(face.0),
                insurable: offers.insurable[usize::from(symbol)],
                high: offers.high[usize::from(symbol)],
                read: offers.read[usize::from(symbol)],
            };
        }
        let fresh = options.fresh || program.stack.fresh;
        let gone = 1 + if fresh { program.stack.burned } else { program.stack.before_cut };
        let stakes = if options.stakes.is_empty() { vec![1] } else { options.stakes.clone() };
        Ok(Core {
            stages: stages(program),
            initial: program.initial() as f64,
            insurance: stakes.iter().map(|&stake| insurance_for(choices, program.money, stake)).collect(),
            wagers: ((1 << (stakes.len() + program.sides.len())) - 1) << ACTIONS.len(),
            side_units: program.sides.iter().map(side_unit).collect(),
            counting: options.count.as_ref().map(|system| Counting::new(program, system, &Ramp::default())),
            full: program.faces.faces.iter().map(|face| face.1 * program.decks).collect(),
            last_start: program.stack.cards.saturating_sub(gone),
            stakes,
            hole_shown: program.moves.contains(&Move::HoleUp),
            turns_over: program.classes.change(),
            faces,
            fresh,
            suits: options.suits,
            late_insurance: choices.late_insurance.is_yes(),
            tree,
        })
    }

    /// Returns how many cards of each face a full shoe has.
    pub fn full(&self) -> &[u32] {
        &self.full
    }

    /// Returns the number of actions: those of [`ACTIONS`], one for each stake and one for each side bet.
    pub fn actions(&self) -> usize {
        ACTIONS.len() + self.stakes.len() + self.side_units.len()
    }

    /// Returns the number of features of an observation: those of [`FEATURES`], and those of [`SUITS`] if it shows
    /// suits.
    pub fn features(&self) -> usize {
        FEATURES.len() + if self.suits { SUITS.len() } else { 0 }
    }

    #[inline]
    pub(crate) fn face(&self, face: u8) -> &Face {
        &self.faces[usize::from(face) % FACES]
    }

    #[inline]
    pub(crate) fn symbol(&self, face: u8) -> Symbol {
        self.face(face).symbol
    }

    #[inline]
    pub(crate) fn value(&self, face: u8) -> u8 {
        self.face(face).value
    }
}

/// Returns the maximum insurance for a stake, in parts of that for the smallest bet, by number of attack bets.
fn insurance_for(choices: &Choices, smallest: MoneyScale, stake: u16) -> [f64; ATTACKS] {
    let scale = MoneyScale::new(choices, Cents(least_wager(choices).0 * i64::from(stake)));
    let bets =
        |scale: MoneyScale, attacks: usize| f64::from(scale.insurance[attacks]) / f64::from(scale.unit);
    std::array::from_fn(|attacks| f64::from(stake) * (bets(scale, attacks) / bets(smallest, attacks)))
}

/// Makes every card of the deck a face of its own, so that a seat knows the suits of the cards that it draws.
fn tell_cards_apart(program: &mut Program, deck: Deck) {
    let mut cards: Vec<(Card, u32)> = Vec::new();
    for card in deck.cards() {
        match cards.iter_mut().find(|known| known.0 == card) {
            Some(known) => known.1 += 1,
            None => cards.push((card, 1)),
        }
    }
    let faces = &mut program.faces;
    let before: Vec<usize> =
        cards.iter().map(|(card, _)| usize::from(faces.face_of[card.index() as usize])).collect();
    for side in &mut program.sides {
        side.class_of = before.iter().map(|&face| side.class_of[face]).collect();
    }
    faces.symbol_of = before.iter().map(|&face| faces.symbol_of[face]).collect();
    for (face, (card, _)) in cards.iter().enumerate() {
        faces.face_of[card.index() as usize] = face as u8;
    }
    faces.faces = cards;
}
