//! Fuzz target: performs arbitrary client frames at a table in memory.
//!
//! No frames may cause a panic.

use crate::api::Action;
use crate::house_file::Dealing;
use crate::role::Role;
use crate::tables::{Asker, By, Fixed, Live, Seat, Step};
use ledger::{Chips, PersonId, TableId};
use rules::Rules;
use std::sync::Arc;

/// Performs the frames in `frames`, one per line, at a table with the rules of a preset.
///
/// Each frame is sent as two players, a dealer and a supervisor in turn, until the table accepts it from one of
/// them.
#[doc(hidden)]
pub fn carry_out_frames(preset: &str, frames: &str) {
    let Some(Ok(rules)) = rules::preset::preset(preset).map(Rules::new) else {
        return;
    };
    let fixed = Fixed { id: TableId(1), rules: Arc::new(rules), dealing: Dealing::Dealer };
    let mut live = Live::new(fixed);
    live.reopen(&mut Step::default());
    live.table.prepare();
    for frame in frames.lines() {
        let Ok(action) = serde_json::from_str::<Action>(frame) else {
            continue;
        };
        for (person, role) in [(1, Role::Player), (2, Role::Player), (3, Role::Dealer), (4, Role::Supervisor)]
        {
            let asker = Asker { seat: Seat { person: PersonId(person), chips: Chips::Play }, role };
            let mut next = live.clone();
            let mut step = Step::default();
            let Ok(commands) = action.request.commands(&mut next, asker) else {
                continue;
            };
            if commands.into_iter().all(|command| next.perform(By::Person, command, &mut step).is_ok()) {
                live = next;
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_kind_do_no_harm() {
        let frames = r#"
            {"id":"a","do":"wager","box":1,"amounts":["10.00"]}
            {"id":"b","do":"wager","box":255,"amounts":["10000000000.00","1","1"],"side":{"match":"5"}}
            {"id":"c","do":"close-wagers"}
            {"id":"d","do":"card","card":"As"}
            {"id":"e","do":"card","card":"6d"}
            {"id":"f","do":"card","card":"5d"}
            {"id":"g","round":1,"do":"double","box":1}
            {"id":"h","round":1,"version":2,"do":"follow","box":1,"hand":255}
            {"id":"i","do":"insure","box":1,"hand":0,"amounts":["5"]}
            {"id":"j","do":"void"}
            not json
            {"id":"k","do":"cut","box":0,"at":65535}"#;
        let frames: String = frames.lines().map(|l| format!("{}\n", l.trim())).collect();
        for (preset, _) in rules::preset::PRESETS {
            carry_out_frames(preset, &frames);
        }
    }
}
