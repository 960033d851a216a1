//! What the law makes play depend on and only people can do: approvals, notices and inspections. A dealer's table takes no
//! chips that were bought before the register holds them. Play chips are practice, and at an automatic table the platform
//! itself posts what it offers; there they are listed as due, and no more.

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::house_file::{Dealing, TableSetup};
use crate::notices::{Needed, lacking_setting};
use crate::tables::{Ask, Request, TableHandle};
use ledger::db::Db;
use ledger::people::setting;
use ledger::{DbResult, GamingDay};
use rules::choice::{DoubleCard, HoleCard, Shoe, Shuffle};
use rules::wager::SideWager;
use rules::{Choices, Clause, clause};
use std::collections::HashMap;
use std::sync::Mutex;

/// An entry that a table needs.
pub struct Need {
    pub clause: &'static str,
    /// What the clause asks for at this table.
    pub what: String,
    /// On each gaming day anew.
    pub daily: bool,
}

fn always(_: &Choices) -> bool {
    true
}

fn reader(choices: &Choices) -> bool {
    choices.hole_card == HoleCard::Reader
}

fn device(choices: &Choices) -> bool {
    choices.shuffle == Shuffle::Automated
}

fn two_sides(choices: &Choices) -> bool {
    choices.shoe == Shoe::Double
}

fn double_card_down(choices: &Choices) -> bool {
    choices.double_card != DoubleCard::Up
}

fn progressive(choices: &Choices) -> bool {
    choices.offer(SideWager::Progressive).is_some()
}

/// The clause, the tables that it concerns, what is entered, and whether daily.
type Entry = (Clause, fn(&Choices) -> bool, &'static str, bool);

/// Entries that no key of a table file shows, by the texts that ask for them: where, what, and whether daily.
#[rustfmt::skip]
const ENTRIES: [Entry; 21] = [
    (clause!("19:47-2.2(c)#3"), two_sides, "the back colours of the two sides are inspected", false),
    (clause!("19:47-2.2(d)2"), device, "the back colours of the two batches are inspected", false),
    (clause!("19:47-2.5(j)2.i"), device, "the storage of the shuffled batch needs approval", false),
    (clause!("19:47-2.5(j)2.ii"), device, "the procedure for the stored batch needs approval", false),
    (clause!("19:47-2.10(c)#6"), double_card_down, "the submission that names the dealing of double cards needs approval", false),
    (clause!("19:47-2.19(i)#2"), progressive, "the initial and reset amounts of the meter need approval", false),
    (clause!("19:46-1.10C(b)"), always, "the layout needs approval", false),
    (clause!("19:46-1.10C(c)#2"), always, "the sign needs approval", false),
    (clause!("19:46-1.10C(f)#2"), reader, "the reader is inspected", true),
    (clause!("19:47-2A.3(b)#3"), always, "the floorperson verifies the cards before they are spread", true),
    (clause!("19:47-2A.4(i)2.i"), device, "the storage of the shuffled batch needs approval", false),
    (clause!("19:47-2A.4(i)2.ii"), device, "the procedure for the stored batch needs approval", false),
    (clause!("19:47-2A.7(l)2#4"), reader, "the reader's procedure needs approval", false),
    (clause!("MA-BJS 7(l)(2)#4"), reader, "the reader's procedure needs approval", false),
    (clause!("19:47-26.2(a)#8"), always, "the cutting card needs approval", false),
    (clause!("19:47-26.7(i)#4"), reader, "the reader's procedure needs approval", false),
    (clause!("19:46-1.13V(b)"), always, "the layout needs approval", false),
    (clause!("19:46-1.17(c)#2"), reader, "the marks on the faces need approval", false),
    (clause!("19:46-1.17(f)#2"), always, "the design of the backs needs approval", false),
    (clause!("19:46-1.19(c)1"), device, "the device and its procedures are submitted", false),
    (clause!("19:46-1.19(g)"), always, "shoe and shuffling device are inspected before cards go in", true),
];

/// What this table needs: what its rulebook warns of; where a person deals, what its equipment needs besides. The daily
/// inspection of shoes and shuffling devices is one for all games.
pub fn of(table: &TableSetup) -> Vec<Need> {
    let report = rules::lawful::check(&table.rules);
    let warned = report.warnings.iter().filter(|finding| finding.message.contains("need"));
    let mut needs: Vec<Need> = warned
        .map(|finding| Need { clause: finding.clause.id(), what: finding.message.clone(), daily: false })
        .collect();
    if table.dealing == Dealing::Dealer {
        let everywhere = clause!("19:46-1.19(g)");
        let here = |by: Clause| by == everywhere || table.rules.text().governs(by);
        let asked = ENTRIES.iter().filter(|(by, applies, ..)| here(*by) && applies(&table.rules));
        needs.extend(asked.map(|(by, _, what, daily)| Need {
            clause: by.id(),
            what: (*what).to_owned(),
            daily: *daily,
        }));
    }
    needs
}

/// Those of them that the register lacks, and the notices that were due when the rules of the table changed.
pub fn missing(db: &mut dyn Db, table: &TableSetup, today: GamingDay) -> DbResult<Vec<Need>> {
    let mut missing = Vec::new();
    for need in of(table) {
        if !crate::api::entered(db, need.clause, table.number, need.daily.then_some(today))? {
            missing.push(need);
        }
    }
    let lacking = setting(db, &lacking_setting(table.number))?;
    let lacking: Vec<Needed> =
        lacking.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    for Needed { clause, what } in lacking {
        let Some(clause) = Clause::find(&clause).map(Clause::id) else { continue };
        if !crate::api::entered(db, clause, table.number, None)? {
            missing.push(Need { clause, what, daily: false });
        }
    }
    Ok(missing)
}

/// The tables that lacked nothing when they were last asked about, and on which gaming day. Entries are never taken back,
/// so the answer holds for that day.
#[derive(Default)]
pub struct Complete(Mutex<HashMap<u32, GamingDay>>);

impl Complete {
    fn on(&self, table: u32) -> Option<GamingDay> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(&table).copied()
    }

    fn note(&self, table: u32, day: GamingDay) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(table, day);
    }
}

/// Refuses a wager of bought chips at a dealer's table whose entries are missing, by the clause of the first. A wager that
/// was taken before gets its first answer, whatever has become due since.
pub async fn admit(app: &App, table: &TableHandle, ask: &Ask) -> ApiResult<()> {
    let wagers = matches!(ask.request, Request::Wager { .. }) && !ask.who.guest;
    if table.fixed.dealing != Dealing::Dealer || !wagers {
        return Ok(());
    }
    match complete(app, table.fixed.id.0).await {
        Err(_) if app.did(ask.who.id, &ask.id).await? => Ok(()),
        outcome => outcome,
    }
}

/// Refuses if anything that this table needs is missing.
pub async fn complete(app: &App, number: u32) -> ApiResult<()> {
    let today = app.ledger.today();
    if app.complete.on(number) == Some(today) {
        return Ok(());
    }
    let Some(setup) = app.file.tables.iter().find(|setup| setup.number == number).cloned() else {
        return Ok(());
    };
    let missing = app.read(move |db| missing(db, &setup, today)).await?;
    let Some(first) = missing.first() else {
        app.complete.note(number, today);
        return Ok(());
    };
    let message = format!(
        "{}; the register does not hold it yet, and until a supervisor has entered it this table takes no chips that were bought",
        first.what
    );
    let error = ApiError::refused("entry-missing", message);
    Err(match Clause::find(first.clause) {
        Some(by) => error.clause(by.citation()),
        None => error,
    })
}
