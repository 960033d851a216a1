//! Arguments shared by the commands about a house: where its data is.

use documents::Failure;
use server::{Options, ServeError};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct HouseArgs {
    /// Data directory: keys, and the SQLite file unless --database is given.
    #[arg(long, default_value = "data", value_name = "DIR")]
    data: PathBuf,
    /// PostgreSQL URL (postgres://…) to use instead of SQLite.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

impl Default for HouseArgs {
    fn default() -> HouseArgs {
        HouseArgs { data: PathBuf::from("data"), database: None }
    }
}

impl HouseArgs {
    pub fn options(self) -> Options {
        Options {
            listen: crate::serve::LISTEN.to_string(),
            data: self.data,
            database: self.database,
            house: None,
            secure_cookies: false,
            lab_worker: None,
            ..Options::default()
        }
    }
}

/// Converts an error from opening a house into a one-sentence failure.
pub fn open_error(error: ServeError) -> Failure {
    Failure::NotUnderstood(error.to_string())
}
