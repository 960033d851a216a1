//! Which program runs the house: its digest goes into the journal whenever it is another than the last time, so that an
//! auditor sees when the house was given a new one, and a test laboratory compares it with the one that it approved.

use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult};
use ledger::people::{self, Keep};
use ledger::{Digest, PersonId};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read as _};

const SETTING: &str = "program";

/// SHA-256 of the program's own file; on Linux of the very one that runs, also if another lies in its place by now.
fn own_digest() -> io::Result<Digest> {
    let running = File::open("/proc/self/exe");
    let mut file = running.or_else(|_| std::env::current_exe().and_then(File::open))?;
    let (mut sha, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => break,
            read => sha.update(&part[..read]),
        }
    }
    Ok(Digest(sha.finalize().into()))
}

/// Records the program if it has changed since the house was last open.
pub async fn record(app: &App) -> ApiResult<()> {
    let digest = app.desk.run(own_digest).await?.map_err(|error| {
        tracing::error!(%error, "the program cannot read itself");
        ApiError::stopped()
    })?;
    let now = digest.to_string();
    let before = app.read(|db| people::setting(db, SETTING)).await?;
    let before = before.map(|before| String::from_utf8_lossy(&before).into_owned());
    if before.as_ref() == Some(&now) {
        return Ok(());
    }
    let details = json!({ "version": env!("CARGO_PKG_VERSION"), "sha256": now, "before": before });
    let mut draft = significant(PersonId::HOUSE, "program", details)?;
    draft.keep.push(Keep::Setting { name: SETTING.into(), value: now.into_bytes() });
    app.commit(draft).await?;
    Ok(())
}
