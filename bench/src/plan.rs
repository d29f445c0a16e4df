//! The order of measurements, fixed before the first trial.
//!
//! A block has contenders with the same load. First each peer runs against itself, twice in a row per round,
//! for the resolution; then all run once per round in alternating order (A B C, C B A, …), so that any two
//! make interleaved pairs.

mod blocks;

pub use blocks::FINE_DATAGRAM;

use crate::contender::{Contender, Program};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A part of the bench that can be run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BenchPart {
    /// Bulk TCP against iperf3, nuttcp, riperf3 and the raw loop.
    Stream,
    /// The sweep against NPtcp.
    Pingpong,
    /// Request and response against sockperf and qperf.
    Request,
    /// UDP datagrams against iperf3 and the raw loop.
    Datagram,
    /// Files: against smbclient, dbench, tbench and fio.
    File,
}

impl BenchPart {
    pub const ALL: [BenchPart; 5] =
        [BenchPart::Stream, BenchPart::Pingpong, BenchPart::Request, BenchPart::Datagram, BenchPart::File];

    pub fn name(self) -> &'static str {
        match self {
            BenchPart::Stream => "stream",
            BenchPart::Pingpong => "pingpong",
            BenchPart::Request => "request",
            BenchPart::Datagram => "datagram",
            BenchPart::File => "file",
        }
    }
}

pub fn programs(part: BenchPart) -> Vec<Program> {
    let plan = Plan::new(&Program::ALL, false);
    let takes_part = |p: &Program| plan.of(part).any(|b| b.contenders.iter().any(|c| c.program == *p));
    Program::ALL.into_iter().filter(takes_part).collect()
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Block {
    /// `stream.cubic.64`.
    pub id: String,
    pub part: BenchPart,
    pub contenders: Vec<Contender>,
    /// How the resolution is found.
    pub against_itself: AgainstItself,
    pub rounds: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AgainstItself {
    /// In separate rounds before the others.
    First,
    /// Each run against the next of the same peer, for long runs and large blocks.
    Successive,
}

/// A peer against itself, or all contenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// `copy` is 0 or 1.
    Itself {
        copy: u8,
    },
    Together,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub block: usize,
    pub contender: usize,
    pub phase: Phase,
    pub round: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    pub blocks: Vec<Block>,
    /// Decides nothing.
    pub quick: bool,
}

impl Plan {
    pub fn new(there: &[Program], quick: bool) -> Plan {
        let mut blocks = blocks::all(quick);
        for block in &mut blocks {
            block.contenders.retain(|c| there.contains(&c.program));
        }
        Plan { blocks, quick }
    }

    pub fn of(&self, part: BenchPart) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |b| b.part == part)
    }

    pub fn slots(&self, parts: &[BenchPart]) -> Vec<Slot> {
        let blocks = self.blocks.iter().enumerate().filter(|(_, b)| parts.contains(&b.part));
        blocks.flat_map(|(block, b)| b.slots(block)).collect()
    }

    pub fn estimate(&self, slots: &[Slot]) -> Duration {
        slots.iter().map(|s| self.contender(s).estimate()).sum()
    }

    pub fn contender(&self, slot: &Slot) -> &Contender {
        &self.blocks[slot.block].contenders[slot.contender]
    }

    pub fn key(&self, slot: &Slot) -> String {
        let phase = match slot.phase {
            Phase::Itself { copy } => format!("itself-{copy}"),
            Phase::Together => "together".into(),
        };
        format!("{}/{phase}/{}/{}", self.blocks[slot.block].id, slot.round, self.contender(slot))
    }
}

impl Block {
    pub fn peers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.contenders.len()).filter(|&i| self.contenders[i].program != Program::Goodput)
    }

    fn slots(&self, block: usize) -> Vec<Slot> {
        let mut slots = Vec::new();
        let turned = |round: u32, mut order: Vec<usize>| {
            if !round.is_multiple_of(2) {
                order.reverse();
            }
            order
        };
        if self.against_itself == AgainstItself::First {
            for round in 0..self.rounds {
                for contender in turned(round, self.peers().collect()) {
                    let slot = |copy| Slot { block, contender, phase: Phase::Itself { copy }, round };
                    slots.extend([slot(0), slot(1)]);
                }
            }
        }
        for round in 0..self.rounds {
            let order = turned(round, (0..self.contenders.len()).collect());
            slots.extend(order.into_iter().map(|contender| Slot {
                block,
                contender,
                phase: Phase::Together,
                round,
            }));
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_trial_has_its_own_name() {
        let plan = Plan::new(&Program::ALL, false);
        let slots = plan.slots(&BenchPart::ALL);
        let keys: HashSet<String> = slots.iter().map(|s| plan.key(s)).collect();
        assert_eq!(keys.len(), slots.len());
    }

    #[test]
    fn rounds_turn_the_peer_comes_first_and_parts_stand_in_their_order() {
        let plan = Plan::new(&Program::ALL, false);
        let block = plan.blocks.iter().position(|b| b.id == "request.tcp").unwrap();
        let mut slots = plan.slots(&[BenchPart::Request]);
        slots.retain(|slot| slot.block == block);
        let pairs = blocks::PAIRS as usize;
        let itself = 2 * 2 * pairs;
        assert!(slots[..itself].iter().all(|s| matches!(s.phase, Phase::Itself { .. })));
        let order = |round: usize| {
            let slots = &slots[itself + 4 * round..][..4];
            slots.iter().map(|slot| slot.contender).collect::<Vec<_>>()
        };
        assert_eq!((order(0), order(1)), (vec![0, 1, 2, 3], vec![3, 2, 1, 0]));
        assert_eq!(slots.len(), itself + 4 * pairs);
        assert!(plan.blocks.is_sorted_by_key(|b| b.part));
        assert_eq!(programs(BenchPart::Datagram), [Program::Goodput, Program::Raw, Program::Iperf3]);
        assert!(BenchPart::ALL.iter().all(|p| plan.of(*p).all(|b| b.id.starts_with(p.name()))));
    }

    #[test]
    fn programs_that_are_missing_take_no_part() {
        let four = Plan::new(&Program::ALL[..4], false);
        let known = |c: &Contender| Program::ALL[..4].contains(&c.program);
        assert!(four.blocks.iter().all(|block| block.contenders.iter().all(known)));
    }
}
