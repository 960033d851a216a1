//! The details of the significant events of a table, as the journal stores them.

use crate::tables::request::Request;
use serde::Serialize;

/// The details of a significant event in a round.
///
/// The request is absent if no request caused the event.
#[derive(Serialize)]
pub(super) struct AtTable<'a> {
    pub table: u32,
    pub round: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<&'a Request>,
}

/// The details of a large bet or win, or of owed winnings.
///
/// Owed winnings are winnings that the player owes.
#[derive(Serialize)]
pub(super) struct LargeLeg {
    pub table: u32,
    pub seq: i64,
    pub account: String,
    pub amount: String,
}

/// The table that cannot continue, and the reason.
#[derive(Serialize)]
pub(super) struct Parked {
    pub table: u32,
    pub why: String,
}
