//! The house's keys, where they are not simply in the data directory.
//!
//! `--keys` names another directory that holds the keys, and `keys` in the data directory becomes a link to it;
//! `--key-command` names the command of a remote signer that holds them.

use crate::fair::{Vault, VaultError};
use crate::serve::{Options, ServeError};
use ledger::signer::Signer;
use std::path::Path;
use std::sync::Arc;

pub const NAMES: [&str; 2] = ["seal.key", "shoe.key"];

/// Returns the remote signer, or `None` if the house's keys are in a directory.
pub fn signer(options: &Options) -> Option<Arc<Signer>> {
    options.key_command.as_deref().map(|command| Arc::new(Signer::new(command)))
}

/// Returns the vault, which uses the key of the remote signer, or that in the data directory without `signer`.
///
/// If `may_make` is set, a missing key in the data directory is created.
pub fn vault(options: &Options, signer: Option<&Signer>, may_make: bool) -> Result<Vault, VaultError> {
    match signer {
        Some(signer) => Ok(Vault::under(&*signer.key("key shoe")?)),
        None if may_make => Vault::open(&options.data),
        None => Vault::existing(&options.data),
    }
}

/// Runs a remote signer: answers a house's key requests on standard input, with the keys in `directory`.
///
/// Returns when the house disconnects.
pub fn keep_keys(directory: &Path) -> std::io::Result<()> {
    ledger::signer::answer_requests(directory, std::io::stdin().lock(), std::io::stdout().lock())
}

/// Links `keys` in the data directory to the `--keys` directory.
///
/// Does nothing without `--keys`.
pub fn link(options: &Options) -> Result<(), ServeError> {
    let Some(keys) = &options.keys else { return Ok(()) };
    let cannot = |what: String| ServeError::Opening(format!("--keys {}: {what}", keys.display()));
    for name in NAMES {
        if !keys.join(name).is_file() {
            return Err(cannot(format!(
                "{name} not found; move both keys there from the first node's data directory"
            )));
        }
    }
    let link = options.data.join("keys");
    let same = |link: &Path| Some(link.canonicalize().ok()? == keys.canonicalize().ok()?);
    match link.symlink_metadata() {
        Ok(found) if found.is_symlink() => std::fs::remove_file(&link).map_err(|e| cannot(e.to_string()))?,
        Ok(_) if same(&link) == Some(true) => return Ok(()),
        Ok(_) => {
            let other = link.display();
            return Err(cannot(format!(
                "{other} also contains keys; remove {other} or start without --keys"
            )));
        }
        Err(_) => {}
    }
    ledger::keys::private_directory(&options.data).map_err(|e| cannot(e.to_string()))?;
    let target = keys.canonicalize().map_err(|e| cannot(e.to_string()))?;
    std::os::unix::fs::symlink(target, &link).map_err(|e| cannot(e.to_string()))
}
