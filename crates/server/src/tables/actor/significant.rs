//! The details of the significant events of a table, as the journal stores them.

use crate::tables::request::Request;
use serde::Serialize;

/// The details of a significant event in a round, with the request that caused the event if there was one.
#[derive(Serialize)]
pub(super) struct AtTable<'a> {
    pub table: u32,
    pub round: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<&'a Request>,
}

/// The details of a large bet, a large win, or winnings of a void round that a player owes the house.
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
