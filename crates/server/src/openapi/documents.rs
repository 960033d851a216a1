//! The documents of the workbench, which the command line prints too.

use documents::compare::Comparison;
use documents::indices::IndexPlays;
use documents::ramp::BestRamp;
use documents::removal::Removal;
use documents::report_document::Report;
use documents::strategy::StrategyCharts;
use documents::sweep::Combinations;
use documents::tags::Tags;
use documents::{Stamped, next_round};

pub type SweepDocument = Stamped<Combinations>;
pub type CompareDocument = Stamped<Comparison>;
pub type RemovalDocument = Stamped<Removal>;
pub type TagsDocument = Stamped<Tags>;
pub type IndicesDocument = Stamped<IndexPlays>;
pub type RampDocument = Stamped<BestRamp>;
pub type NextRound = Stamped<next_round::NextRound>;
pub type ReportDocument = Stamped<Report>;
pub type StrategyDocument = Stamped<StrategyCharts>;
