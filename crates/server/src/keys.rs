//! The house's keys, where they are not made in the data directory but come from a secret: `--keys` names a directory that
//! has them, and `keys` in the data directory is a link to it.

use crate::serve::{Options, ServeError};
use std::path::Path;

const NAMES: [&str; 2] = ["seal.key", "shoe.key"];

/// Makes the link, if keys were named.
pub fn link(options: &Options) -> Result<(), ServeError> {
    let Some(keys) = &options.keys else { return Ok(()) };
    let cannot = |what: String| ServeError::Opening(format!("--keys {}: {what}", keys.display()));
    for name in NAMES {
        if !keys.join(name).is_file() {
            return Err(cannot(format!("there is no {name}; copy both keys from the house's first node")));
        }
    }
    let link = options.data.join("keys");
    let same = |link: &Path| Some(link.canonicalize().ok()? == keys.canonicalize().ok()?);
    match link.symlink_metadata() {
        Ok(found) if found.is_symlink() => std::fs::remove_file(&link).map_err(|e| cannot(e.to_string()))?,
        Ok(_) if same(&link) == Some(true) => return Ok(()),
        Ok(_) => {
            return Err(cannot(format!("{} has keys of its own; leave one of them out", link.display())));
        }
        Err(_) => {}
    }
    std::fs::create_dir_all(&options.data).map_err(|e| cannot(e.to_string()))?;
    let target = keys.canonicalize().map_err(|e| cannot(e.to_string()))?;
    std::os::unix::fs::symlink(target, &link).map_err(|e| cannot(e.to_string()))
}
