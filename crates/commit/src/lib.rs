//! The Git commit from which a program is built.
//!
//! Only the programs themselves depend on this crate, because everything that depends on it is compiled again after
//! every commit.
#![forbid(unsafe_code)]

/// The Git commit of this build, or `None` if it was built without a repository.
pub const COMMIT: Option<&str> = option_env!("CUTCARD_COMMIT");
