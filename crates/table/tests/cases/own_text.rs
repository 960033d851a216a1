//! A text cites itself: the clause of every event and refusal at a table is in the regulation that governs the table,
//! or is a power of the house.

use crate::block::{Block, Kind, outcome};
use crate::snapshot::{along, commands};
use rules::Clause;
use std::collections::{BTreeSet, HashMap};
use table::command::Command;

/// Returns whether a command belongs to every game. The others name a bet, an irregularity or a card of one game, and
/// elsewhere the text that has it refuses them.
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

/// Returns everything that cites another text at any moment of any case: the text, the clause, and the message.
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
                    Err(refusal) => (refusal.by, refusal.why.text),
                };
                if !own(by) {
                    found.insert(format!("{}: {} for {command:?}: {why}", text.name, by.id()));
                }
            }
        });
    }
    found.into_iter().collect()
}
