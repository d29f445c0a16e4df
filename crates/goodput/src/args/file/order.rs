//! In which order the trials of a round are made.

use crate::args::value;
use crate::failure::Failure;
use clap::Args;
use goodput_model::file::FileWay;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedOrder {
    /// Order of the trials in each round: random, write-read, read-write; write or read makes only these [default: random]
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
}

/// In which order, and which of the two ways at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundOrder {
    /// The ways, in their order unless that is random.
    pub ways: &'static [FileWay],
    /// Whether each round has an order of its own, from the run's seed.
    pub random: bool,
}

impl RoundOrder {
    /// Both ways, each round in an order of its own.
    pub const RANDOM: RoundOrder = RoundOrder { ways: &[FileWay::Write, FileWay::Read], random: true };
}

const ORDERS: [(&str, RoundOrder); 5] = [
    ("random", RoundOrder::RANDOM),
    ("write-read", RoundOrder { random: false, ..RoundOrder::RANDOM }),
    ("read-write", RoundOrder { ways: &[FileWay::Read, FileWay::Write], random: false }),
    ("write", RoundOrder { ways: &[FileWay::Write], random: true }),
    ("read", RoundOrder { ways: &[FileWay::Read], random: true }),
];

impl TypedOrder {
    /// What is meant.
    pub fn meaning(self) -> Result<RoundOrder, Failure> {
        self.order.as_deref().map_or(Ok(RoundOrder::RANDOM), |t| value::word("--order", t, &ORDERS))
    }
}
