//! The round and the view version of a table for which a request was made.

use crate::error::{ApiError, ApiResult};
use ledger::RoundNo;
use rules::message;
use serde::{Deserialize, Serialize};

/// The round and the view version for which a client made a request.
///
/// `None` means that the request is for any round or any version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeantFor {
    pub round: Option<i64>,
    pub version: Option<u64>,
}

impl MeantFor {
    /// Returns an error if the request was made for a round other than `round` or a version other than `version`.
    pub(super) fn fits(self, round: RoundNo, version: u64) -> ApiResult<()> {
        if let Some(meant) = self.round.filter(|meant| *meant != round.0) {
            return Err(ApiError::refused(message!(
                "another-round",
                "this action is for round {meant}, but the table is in round {round}",
                meant,
                round = round.0
            )));
        }
        match self.version.filter(|meant| *meant != version) {
            None => Ok(()),
            Some(meant) => Err(ApiError::refused(message!(
                "another-version",
                "this action is for version {meant} of the table, which is now at version {version}",
                meant,
                version
            ))),
        }
    }
}
