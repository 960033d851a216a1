//! The house's keys, where they are not made in the data directory but come from a secret: `--keys` names a directory that
//! has them, and `keys` in the data directory is a link to it; `--key-command` names a command that keeps them.

use crate::fair::{Vault, VaultError};
use crate::serve::{Options, ServeError};
use ledger::keeper::Keeper;
use std::path::Path;
use std::sync::Arc;

pub const NAMES: [&str; 2] = ["seal.key", "shoe.key"];

/// Returns the remote signer of the house's keys, if they are not in a directory.
pub fn keeper(options: &Options) -> Option<Arc<Keeper>> {
    options.key_command.as_deref().map(|command| Arc::new(Keeper::new(command)))
}

/// Returns the vault under a remote signer's key; without one, under the key of the data directory, which is
/// created if allowed.
pub fn vault(options: &Options, keeper: Option<&Keeper>, may_make: bool) -> Result<Vault, VaultError> {
    match keeper {
        Some(keeper) => Ok(Vault::under(&*keeper.key("key shoe")?)),
        None if may_make => Vault::open(&options.data),
        None => Vault::existing(&options.data),
    }
}

/// Answers questions on standard input from the keys of a directory, for a house elsewhere, until it hangs up.
pub fn keep_keys(directory: &Path) -> std::io::Result<()> {
    ledger::keeper::keep(directory, std::io::stdin().lock(), std::io::stdout().lock())
}

/// Makes the link, if keys were named.
pub fn link(options: &Options) -> Result<(), ServeError> {
    let Some(keys) = &options.keys else { return Ok(()) };
    let cannot = |what: String| ServeError::Opening(format!("--keys {}: {what}", keys.display()));
    for name in NAMES {
        if !keys.join(name).is_file() {
            return Err(cannot(format!("{name} not found; copy both keys from the first node")));
        }
    }
    let link = options.data.join("keys");
    let same = |link: &Path| Some(link.canonicalize().ok()? == keys.canonicalize().ok()?);
    match link.symlink_metadata() {
        Ok(found) if found.is_symlink() => std::fs::remove_file(&link).map_err(|e| cannot(e.to_string()))?,
        Ok(_) if same(&link) == Some(true) => return Ok(()),
        Ok(_) => {
            return Err(cannot(format!("{} already contains keys; remove one of the two", link.display())));
        }
        Err(_) => {}
    }
    ledger::keys::private_directory(&options.data).map_err(|e| cannot(e.to_string()))?;
    let target = keys.canonicalize().map_err(|e| cannot(e.to_string()))?;
    std::os::unix::fs::symlink(target, &link).map_err(|e| cannot(e.to_string()))
}
