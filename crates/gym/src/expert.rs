//! A player who follows a chart at a compiled table, as a baseline for agents.

use crate::cards::Cards;
use crate::compile::Tree;
use crate::core::Core;
use crate::observation::{ACTIONS, ATTACK, EVEN_MONEY, INSURANCE, PASS, Question, SWITCH};
use crate::seat::Seat;
use program::chart::Take;
use program::hand::{Ground, choose};
use program::{Chart, CompileOptions, Program, compile};
use rules::Choices;

/// A player who follows a chart and counts no cards.
pub struct Expert {
    /// The table, compiled with the chart's decisions on attack bets and on switching cards.
    program: Program,
    /// The chart's actions, indexed by decision, then by view of the dealer's cards.
    answers: Vec<u8>,
    insurance: bool,
    even_money: bool,
}

impl Expert {
    /// Returns an expert who follows `chart` at the decisions of `tree`.
    ///
    /// Returns an error if the table cannot be compiled or the chart has no action for a decision.
    pub fn new(choices: &Choices, chart: &Chart, tree: &Tree) -> Result<Expert, String> {
        // compile with the same distinctions between cards as the tree
        let taking = Chart { insurance: Take::Always, even_money: Take::Always, ..chart.clone() };
        let bets = tree.program.sides.iter().map(|side| side.bet).collect();
        let program = compile(choices, &taking, &CompileOptions { bets, stake: None })
            .map_err(|error| error.to_string())?;
        let ground =
            Ground { choices, chart, faces: &program.faces, views: &program.views, money: program.money };
        let mut answers = Vec::new();
        for node in &tree.nodes {
            for view in 0..program.views.len() as u8 {
                let action = choose(&ground, node, view, node.actions(choices), 0);
                answers.push(action.map_err(|error| error.to_string())? as u8);
            }
        }
        let takes = |take: Take| take == Take::Always;
        Ok(Expert {
            program,
            answers,
            insurance: takes(chart.insurance),
            even_money: takes(chart.even_money),
        })
    }

    /// Returns the index of the action with which the expert answers a seat's current question.
    ///
    /// The expert bets the first stake and makes no side bets.
    pub fn answer<C: Cards>(&self, core: &Core, seat: &Seat<C>) -> usize {
        let offers = &self.program.offers;
        let (up, own) = (usize::from(seat.up_symbol(core)), usize::from(seat.first_symbol(core)));
        let attacks = |makes: bool| if makes { ATTACK } else { PASS };
        match seat.question() {
            Question::Nothing | Question::Wager => ACTIONS.len(),
            Question::Attack => attacks(offers.attack[up]),
            Question::SecondAttack => attacks(offers.second_attack[own]),
            Question::ThirdAttack => attacks(offers.third_attack[own * self.program.symbols() + up]),
            Question::Insurance if self.even_money && seat.mask(core) >> EVEN_MONEY & 1 == 1 => EVEN_MONEY,
            Question::Insurance if self.insurance => INSURANCE,
            Question::Insurance => PASS,
            Question::Switch if self.switches(core, seat) => SWITCH,
            Question::Switch => PASS,
            Question::Decision if seat.may_switch() && self.switches(core, seat) => SWITCH,
            Question::Decision => {
                let view = self.program.view(seat.up_symbol(core), seat.hole_symbol(core));
                usize::from(self.answers[seat.decision() * self.program.views.len() + usize::from(view)])
            }
        }
    }

    fn switches<C: Cards>(&self, core: &Core, seat: &Seat<C>) -> bool {
        let [first, second] = seat.hands(core);
        self.program.switches(seat.up_symbol(core), first, second)
    }
}
