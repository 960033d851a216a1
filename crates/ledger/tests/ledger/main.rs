//! The ledger from outside, on both stores.

mod anchors;
mod archive;
mod audit;
mod backup;
mod cluster;
mod commands;
mod earlier;
mod encrypted;
mod faults;
mod house;
mod lease_model;
mod protections;
mod queries;
mod replicated;
mod reports;
mod two_writers;
