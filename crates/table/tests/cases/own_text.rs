//! A text cites itself: whatever happens at a table, and whatever is refused there, the clause stands in the regulation
//! that governs the table, or it is a power of the house.

use crate::block::{Block, Kind, outcome};
use crate::snapshot::{along, commands};
use rules::Clause;
use std::collections::{BTreeSet, HashMap};
use table::command::Command;

/// Is this of every game? The others name a wager, an irregularity or a card of one game, and where that is not played
/// they are refused by the text that has it.
fn of_every_game(command: &Command) -> bool {
    use Command::*;
    !matches!(
        command,
        SideWager { .. }
            | Award { .. }
            | Approve { .. }
            | TakeSevensCard { .. }
            | Determinant(..)
            | Report(_)
    )
}

/// What cites another text at any moment of any case, whatever anybody asks for: the text, the clause, and what was said.
pub fn foreign(cases: &[Block]) -> Vec<String> {
    let (mut commands, mut found, mut known) = (commands(), BTreeSet::new(), HashMap::new());
    commands.retain(of_every_game);
    for block in cases.iter().filter(|block| block.kind == Kind::Round) {
        let Ok(played) = outcome(block, None) else { continue };
        let text = played.table.rules().text();
        let mut own = |by: Clause| {
            *known.entry((text.name, by.id())).or_insert_with(|| text.governs(by) || by.is_of_house())
        };
        along(block, &played, |table, event| {
            if !own(event.by) {
                found.insert(format!("{}: {} for {:?}", text.name, event.by.id(), event.fact));
            }
            if table.due().is_some() {
                return;
            }
            for &command in &commands {
                let (by, why) = match table.decide(command) {
                    Ok(event) => (event.by, "accepted".into()),
                    Err(refusal) => (refusal.by, refusal.why),
                };
                if !own(by) {
                    found.insert(format!("{}: {} for {command:?}: {why}", text.name, by.id()));
                }
            }
        });
    }
    found.into_iter().collect()
}
