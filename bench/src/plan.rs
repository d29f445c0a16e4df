//! What is measured in which order, all of it fixed before the first trial.
//!
//! A block is a set of contenders with the same load. First each peer of it runs against itself, twice in a row
//! a round, which gives the resolution; then all run once a round, the order turned round every time
//! (A B C, C B A, …), so that every two of them make interleaved pairs.

use crate::contender::{Contender, Load, Program, Sweep};
use crate::peers::XFR_MESSAGE;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Pairs of a comparison: one more than a decision needs, because a trial that fails is not run again.
const PAIRS: u32 = 16;
/// Pairs of a quick look, which decides nothing.
const QUICK_PAIRS: u32 = 2;
/// Pairs where single trials differ by a tenth and more, so that a bound one twentieth away can be decided.
const MANY_PAIRS: u32 = 64;
/// Message sizes at which the raw loop is compared in a block of its own with many pairs.
pub const FINE_SIZES: [u64; 2] = [8 << 10, 128 << 10];
/// Sweeps in which the coverage of intervals is counted. The sizes of a sweep share its luck, so it takes many.
const COVERAGE_SWEEPS: u32 = 40;
/// Message sizes of the streams with what is claimed of iperf3's goodput at each.
pub const STREAM_SIZES: [(u64, f64); 4] = [(64, 2.0), (1 << 10, 5.0), (8 << 10, 4.0), (128 << 10, 1.5)];
/// Bytes of a request and of a response: sockperf has no smaller message.
const REQUEST_SIZE: u64 = 14;

/// A part of the bench that can be run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Bulk TCP against iperf3, nuttcp, xfr and the raw loop.
    Stream,
    /// The sweep against NPtcp.
    Pingpong,
    /// Request and response against sockperf and qperf.
    Request,
}

impl Part {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Part::Stream => "stream",
            Part::Pingpong => "pingpong",
            Part::Request => "request",
        }
    }
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
    /// Each run against the next one of the same peer, where a run takes half a minute.
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
        let (rounds, many) = if quick { (QUICK_PAIRS, QUICK_PAIRS) } else { (PAIRS, MANY_PAIRS) };
        let mut blocks = Vec::new();
        for congestion in [Some("cubic"), None] {
            blocks.extend(STREAM_SIZES.iter().map(|(size, _)| stream(*size, congestion, rounds)));
        }
        blocks.extend(FINE_SIZES.iter().map(|size| against_raw(*size, many)));
        blocks.extend([
            sweep("pingpong.compat.one-cpu", Sweep::Repeats(if quick { 10 } else { 100 }), true, many),
            coverage(if quick { QUICK_PAIRS } else { COVERAGE_SWEEPS }),
            sweep("pingpong.compat.two-cpus", Sweep::Repeats(if quick { 10 } else { 100 }), false, rounds),
            sweep("pingpong.native", Sweep::Native, true, if quick { 1 } else { rounds }),
            request(rounds),
        ]);
        for block in &mut blocks {
            block.contenders.retain(|c| there.contains(&c.program));
        }
        Plan { blocks, quick }
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

fn stream(size: u64, congestion: Option<&str>, rounds: u32) -> Block {
    let load = |read| Load::Stream { size, congestion: congestion.map(String::from), read };
    let contender = |program, read| Contender { program, load: load(read) };
    let mut contenders = vec![contender(Program::Iperf3, None)];
    if congestion.is_none() {
        contenders.push(contender(Program::Nuttcp, None));
        if size == XFR_MESSAGE {
            contenders.push(contender(Program::Xfr, None));
        }
    }
    // The peers read as many bytes a call as a message has.
    contenders.extend([
        contender(Program::Raw, None),
        contender(Program::Goodput, None),
        contender(Program::Goodput, Some(size)),
    ]);
    let id = format!("stream.{}.{size}", congestion.unwrap_or("default"));
    Block { id, part: Part::Stream, contenders, against_itself: AgainstItself::First, rounds }
}

/// The raw loop and this program alone.
fn against_raw(size: u64, rounds: u32) -> Block {
    let load = Load::Stream { size, congestion: Some("cubic".into()), read: None };
    let contenders =
        [Program::Raw, Program::Goodput].map(|program| Contender { program, load: load.clone() });
    Block {
        id: format!("stream.raw.{size}"),
        part: Part::Stream,
        contenders: contenders.into(),
        against_itself: AgainstItself::First,
        rounds,
    }
}

/// Native sweeps one after another, without a peer.
fn coverage(rounds: u32) -> Block {
    let load = Load::Sweep { method: Sweep::Native, one_cpu: true };
    Block {
        id: "pingpong.coverage".into(),
        part: Part::Pingpong,
        contenders: vec![Contender { program: Program::Goodput, load }],
        against_itself: AgainstItself::Successive,
        rounds,
    }
}

fn sweep(id: &str, method: Sweep, one_cpu: bool, rounds: u32) -> Block {
    let native = method == Sweep::Native;
    let contenders = vec![
        // Against the native sweep NPtcp runs as it comes.
        Contender {
            program: Program::NpTcp,
            load: Load::Sweep { method: if native { Sweep::Compat } else { method }, one_cpu },
        },
        Contender { program: Program::Goodput, load: Load::Sweep { method, one_cpu } },
    ];
    let against_itself = if native { AgainstItself::Successive } else { AgainstItself::First };
    // One more, so that the successive runs make as many ratios.
    let rounds = rounds + u32::from(native && rounds > 1);
    Block { id: id.into(), part: Part::Pingpong, contenders, against_itself, rounds }
}

fn request(rounds: u32) -> Block {
    let contender = |program, spin| Contender { program, load: Load::Request { size: REQUEST_SIZE, spin } };
    let contenders = vec![
        contender(Program::Sockperf, false),
        contender(Program::Goodput, false),
        contender(Program::Qperf, false),
        contender(Program::Goodput, true),
    ];
    Block {
        id: "request.tcp".into(),
        part: Part::Request,
        contenders,
        against_itself: AgainstItself::First,
        rounds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const ALL: [Program; 8] = [
        Program::Goodput,
        Program::Raw,
        Program::Iperf3,
        Program::NpTcp,
        Program::Nuttcp,
        Program::Sockperf,
        Program::Qperf,
        Program::Xfr,
    ];
    const PARTS: [Part; 3] = [Part::Stream, Part::Pingpong, Part::Request];

    #[test]
    fn every_trial_has_its_own_name() {
        let plan = Plan::new(&ALL, false);
        let slots = plan.slots(&PARTS);
        let keys: HashSet<String> = slots.iter().map(|s| plan.key(s)).collect();
        assert_eq!(keys.len(), slots.len());
    }

    #[test]
    fn rounds_turn_and_the_peer_comes_first() {
        let plan = Plan::new(&ALL, false);
        let block = plan.blocks.iter().position(|b| b.id == "stream.cubic.64").unwrap();
        let slots: Vec<Slot> = plan.slots(&[Part::Stream]).into_iter().filter(|s| s.block == block).collect();
        let itself = 2 * 2 * PAIRS as usize;
        assert!(slots[..itself].iter().all(|s| matches!(s.phase, Phase::Itself { .. })));
        let order = |round: usize| -> Vec<usize> {
            slots[itself + 4 * round..itself + 4 * round + 4].iter().map(|s| s.contender).collect()
        };
        assert_eq!((order(0), order(1)), (vec![0, 1, 2, 3], vec![3, 2, 1, 0]));
        assert_eq!(slots.len(), itself + 4 * PAIRS as usize);
    }

    #[test]
    fn xfr_takes_part_where_it_can() {
        let plan = Plan::new(&ALL, false);
        let with: Vec<&str> = plan
            .blocks
            .iter()
            .filter(|b| b.contenders.iter().any(|c| c.program == Program::Xfr))
            .map(|b| b.id.as_str())
            .collect();
        assert_eq!(with, ["stream.default.131072"]);
        assert!(Plan::new(&ALL[..4], false).blocks.iter().all(|b| b.peers().count() < 3));
    }
}
