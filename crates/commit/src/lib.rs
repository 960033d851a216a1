//! The commit that a program is built from. Only the programs themselves know this crate, because everything above it is
//! compiled again after every commit.
#![forbid(unsafe_code)]

/// The commit of this build; `None` if it was built without a repository.
pub const COMMIT: Option<&str> = option_env!("CUTCARD_COMMIT");
