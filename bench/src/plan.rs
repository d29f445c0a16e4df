//! What is measured in which order, all of it fixed before the first trial.
//!
//! A block is a set of contenders with the same load. First each peer of it runs against itself, twice in a row
//! a round, which gives the resolution; then all run once a round, the order turned round every time
//! (A B C, C B A, …), so that every two of them make interleaved pairs.

mod blocks;

pub use blocks::FINE_DATAGRAM;

use crate::contender::{Contender, Program};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A part of the bench that can be run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
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

impl Part {
    /// Every part, in the order of the plan.
    pub const ALL: [Part; 5] = [Part::Stream, Part::Pingpong, Part::Request, Part::Datagram, Part::File];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Part::Stream => "stream",
            Part::Pingpong => "pingpong",
            Part::Request => "request",
            Part::Datagram => "datagram",
            Part::File => "file",
        }
    }
}

/// The programs that take part in a part where they are there.
pub fn programs(part: Part) -> Vec<Program> {
    let plan = Plan::new(&Program::ALL, false);
    let takes_part = |p: &Program| plan.of(part).any(|b| b.contenders.iter().any(|c| c.program == *p));
    Program::ALL.into_iter().filter(takes_part).collect()
}

/// Contenders with the same load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Block {
    /// Its name: `stream.cubic.64`.
    pub id: String,
    /// The part it belongs to.
    pub part: Part,
    /// Who takes part, in the order of the first round.
    pub contenders: Vec<Contender>,
    /// How the resolution is found.
    pub against_itself: AgainstItself,
    /// Rounds of either phase.
    pub rounds: u32,
}

/// How the peers are measured against themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AgainstItself {
    /// In rounds of their own, before the others.
    First,
    /// Each run against the next one of the same peer, where a run takes half a minute or a block has many contenders.
    Successive,
}

/// Whether a peer runs against itself or all run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A peer against itself; `copy` is 0 or 1.
    Itself {
        /// First or second of the two.
        copy: u8,
    },
    /// All together.
    Together,
}

/// One trial of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of its block.
    pub block: usize,
    /// Index of its contender in the block.
    pub contender: usize,
    /// Phase.
    pub phase: Phase,
    /// Round, from 0.
    pub round: u32,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// The blocks in their order.
    pub blocks: Vec<Block>,
    /// True for a quick look.
    pub quick: bool,
}

impl Plan {
    /// The plan for the peers that are there.
    pub fn new(there: &[Program], quick: bool) -> Plan {
        let mut blocks = blocks::all(quick);
        for block in &mut blocks {
            block.contenders.retain(|c| there.contains(&c.program));
        }
        Plan { blocks, quick }
    }

    /// The blocks of a part.
    pub fn of(&self, part: Part) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |b| b.part == part)
    }

    /// The trials of these parts in their order.
    pub fn slots(&self, parts: &[Part]) -> Vec<Slot> {
        let blocks = self.blocks.iter().enumerate().filter(|(_, b)| parts.contains(&b.part));
        blocks.flat_map(|(block, b)| b.slots(block)).collect()
    }

    /// About how long these trials take.
    pub fn estimate(&self, slots: &[Slot]) -> Duration {
        slots.iter().map(|s| self.contender(s).estimate()).sum()
    }

    /// The contender of a trial.
    pub fn contender(&self, slot: &Slot) -> &Contender {
        &self.blocks[slot.block].contenders[slot.contender]
    }

    /// The trial's name in the state file.
    pub fn key(&self, slot: &Slot) -> String {
        let phase = match slot.phase {
            Phase::Itself { copy } => format!("itself-{copy}"),
            Phase::Together => "together".into(),
        };
        format!("{}/{phase}/{}/{}", self.blocks[slot.block].id, slot.round, self.contender(slot))
    }
}

impl Block {
    /// The peers: everyone but us.
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
        let slots = plan.slots(&Part::ALL);
        let keys: HashSet<String> = slots.iter().map(|s| plan.key(s)).collect();
        assert_eq!(keys.len(), slots.len());
    }

    #[test]
    fn rounds_turn_and_the_peer_comes_first() {
        let plan = Plan::new(&Program::ALL, false);
        let block = plan.blocks.iter().position(|b| b.id == "request.tcp").unwrap();
        let slots: Vec<Slot> =
            plan.slots(&[Part::Request]).into_iter().filter(|s| s.block == block).collect();
        let pairs = blocks::PAIRS as usize;
        let itself = 2 * 2 * pairs;
        assert!(slots[..itself].iter().all(|s| matches!(s.phase, Phase::Itself { .. })));
        let order = |round: usize| -> Vec<usize> {
            slots[itself + 4 * round..itself + 4 * round + 4].iter().map(|s| s.contender).collect()
        };
        assert_eq!((order(0), order(1)), (vec![0, 1, 2, 3], vec![3, 2, 1, 0]));
        assert_eq!(slots.len(), itself + 4 * pairs);
    }

    #[test]
    fn parts_stand_in_the_order_of_their_blocks() {
        let plan = Plan::new(&Program::ALL, false);
        assert!(plan.blocks.is_sorted_by_key(|b| b.part));
        assert_eq!(programs(Part::Datagram), [Program::Goodput, Program::Raw, Program::Iperf3]);
        assert!(Part::ALL.iter().all(|p| plan.of(*p).all(|b| b.id.starts_with(p.name()))));
    }

    #[test]
    fn programs_that_are_missing_take_no_part() {
        let four = Plan::new(&Program::ALL[..4], false);
        assert!(
            four.blocks.iter().all(|b| b.contenders.iter().all(|c| Program::ALL[..4].contains(&c.program)))
        );
    }
}
