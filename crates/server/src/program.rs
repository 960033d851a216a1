//! Records which program runs the house.
//!
//! The journal records the digest of the program whenever it changes. An auditor thus sees when the program was
//! replaced, and a test laboratory can compare it with the program that it approved.

use crate::app::{App, significant};
use crate::error::ApiResult;
use ledger::PersonId;
use ledger::people::{self, RowChange};
use serde::Serialize;

const SETTING: &str = "program";

/// A change of the program that runs the house, as stored in the journal.
#[derive(Serialize)]
struct ProgramChanged<'a> {
    version: &'static str,
    sha256: &'a str,
    before: Option<&'a str>,
}

/// Records `now`, the digest of the program, unless the house last ran with the same program.
pub async fn record(app: &App, now: String) -> ApiResult<()> {
    let before = app.read(|db| people::setting(db, SETTING)).await?;
    let before = before.map(|before| String::from_utf8_lossy(&before).into_owned());
    if before.as_ref() == Some(&now) {
        return Ok(());
    }
    let details =
        ProgramChanged { version: env!("CARGO_PKG_VERSION"), sha256: &now, before: before.as_deref() };
    let mut draft = significant(PersonId::HOUSE, "program", details)?;
    draft.row_changes.push(RowChange::Setting { name: SETTING.into(), value: now.into_bytes() });
    app.commit(draft).await?;
    Ok(())
}
