//! The compiled table that all seats share: its hands, the stakes, the count and the card faces.

use crate::compile::Tree;
use crate::observation::ACTIONS;
use crate::stage::{Stage, stages};
use program::face::Symbol;
use program::moves::Move;
use rules::limit::least_wager;
use rules::wager::Sees;
use rules::{Choices, SideBet};
use sim::count::{Counting, Ramp, System};

/// The options of an environment, in addition to the rules of its table.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The stakes that a player can choose, in initial bets; if empty, every stake is one initial bet.
    pub stakes: Vec<u16>,
    /// The side bets that the agent may make.
    pub sides: Vec<SideBet>,
    /// The counting system of the count in observations, or `None` if observations show no count.
    pub count: Option<System>,
    /// Whether every round starts from a full shoe.
    pub fresh: bool,
}

/// The length of the lookup table of face properties: a power of two above the number of faces in a deck.
const FACES: usize = 64;

/// The properties of a card face.
#[derive(Clone, Copy, Default)]
#[repr(align(8))]
pub(crate) struct Face {
    pub(crate) symbol: Symbol,
    pub(crate) value: u8,
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
    /// Whether a declined insurance is offered again at the player's turn (2.9(b)#4).
    pub(crate) late_insurance: bool,
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
        let tree = Tree::new(choices, &options.sides)?;
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
