//! The details of the significant events of a table, as the journal stores them.

use crate::tables::request::Request;
use serde::Serialize;

/// The details of a significant event in a round, with the request that caused the event, or `None` if none did.
#[derive(Serialize)]
pub(super) struct AtTable<'a> {
    pub table: u32,
    pub round: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<&'a Request>,
}

/// The details of the significant event for a large bet, a large win, or winnings that a patron owes the
/// house.
#[derive(Serialize)]
pub(super) struct LargeLeg {
    pub table: u32,
    pub seq: i64,
    pub account: String,
    pub amount: String,
}

/// The details of the significant event that a table is parked: the table, and why it cannot continue.
#[derive(Serialize)]
pub(super) struct Parked {
    pub table: u32,
    pub why: String,
}
