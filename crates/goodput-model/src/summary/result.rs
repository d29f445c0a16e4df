//! What a summary holds of its own probe: read through these methods, which give nothing for any other probe.

use super::{
    DatagramTotals, DirectionSummary, FileSummary, HalfRtt, LatencySummary, Limit, LoadSummary, PathMtu,
    Point, ProbesSummary, Summary, SweepSummary,
};
use crate::id::TrialId;
use crate::probe::Probe;
use crate::trial::Outcome;

impl Summary {
    /// A complete trial of which nothing else is known: to be filled in.
    pub fn bare(probe: Probe) -> Summary {
        Summary {
            trial: TrialId(1),
            probe,
            outcome: Outcome::Complete,
            elapsed_ns: 0,
            active_ns: None,
            bytes: None,
            goodput_bps: None,
            directions: Vec::new(),
            datagrams: None,
            transactions_per_second: None,
            latency_ns: None,
            probes: None,
            half_rtt_ns: None,
            points: Vec::new(),
            sweep: None,
            path_mtu: None,
            load: None,
            file: None,
            hosts: Vec::new(),
            pe_index: None,
            service_demand: None,
            limit: Limit::default(),
            percent_of_limit: None,
            findings: Vec::new(),
        }
    }

    /// Each direction of a stream, of datagrams or of the traffic beside a latency probe.
    pub fn directions(&self) -> &[DirectionSummary] {
        &self.directions
    }

    /// The datagram account of all directions together.
    pub fn datagrams(&self) -> Option<&DatagramTotals> {
        self.datagrams.as_ref()
    }

    /// Transactions completed per second of the window.
    pub fn transactions_per_second(&self) -> Option<f64> {
        self.transactions_per_second
    }

    /// Latency of a transaction, an operation or a probe.
    pub fn latency(&self) -> Option<LatencySummary> {
        self.latency_ns
    }

    /// What became of the probes of a latency trial.
    pub fn probes(&self) -> Option<ProbesSummary> {
        self.probes
    }

    /// Half round trip of the smallest message.
    pub fn half_rtt(&self) -> Option<HalfRtt> {
        self.half_rtt_ns
    }

    /// The points of a message-size sweep, in order of size.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// What the points of a sweep amount to.
    pub fn sweep(&self) -> Option<SweepSummary> {
        self.sweep
    }

    /// The largest packet that passes each way.
    pub fn path_mtu(&self) -> Option<&PathMtu> {
        self.path_mtu.as_ref()
    }

    /// One server and many clients.
    pub fn load(&self) -> Option<&LoadSummary> {
        self.load.as_deref()
    }

    /// Work on files.
    pub fn file(&self) -> Option<&FileSummary> {
        self.file.as_deref()
    }
}
