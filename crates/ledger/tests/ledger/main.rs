//! Tests of the ledger's public interface, on both stores.

mod anchors;
mod archive;
mod audit;
mod backup;
mod cluster;
mod commands;
mod encrypted;
mod faults;
mod house;
mod keeper;
mod lease_model;
mod link;
mod made_up;
mod movements;
mod nodes;
mod people;
mod pooler;
mod protections;
mod queries;
mod replicated;
mod reports;
mod search;
mod second_copy;
mod stores;
mod two_writers;
mod writing;
