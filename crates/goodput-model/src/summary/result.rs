//! Accessors of a summary: parts of another probe are `None` or empty.

use super::{
    DatagramResult, DatagramTotals, DirectionSummary, FileResult, FileSummary, HalfRtt, LatencyResult,
    LatencySummary, Limit, LoadResult, LoadSummary, MtuResult, PathMtu, PingPongResult, Point, ProbeResult,
    ProbesSummary, Summary, SweepSummary,
};
use crate::id::TrialId;
use crate::probe::Probe;
use crate::trial::Outcome;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Summary::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Summary {
    /// The probe's kind decides the type of its result.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Summary, D::Error> {
        let members = Map::deserialize(deserializer)?;
        let summary = Summary::deserialize(Value::Object(members.clone())).map_err(D::Error::custom)?;
        let result = ProbeResult::read(&summary.probe, members).map_err(D::Error::custom)?;
        Ok(Summary { result, ..summary })
    }
}

impl Summary {
    pub fn bare(probe: Probe) -> Summary {
        Summary {
            trial: TrialId(1),
            outcome: Outcome::Complete,
            elapsed_ns: 0,
            active_ns: None,
            bytes: None,
            goodput_bps: None,
            result: ProbeResult::empty(&probe),
            probe,
            hosts: Vec::new(),
            pe_index: None,
            service_demand: None,
            limit: Limit::default(),
            percent_of_limit: None,
            findings: Vec::new(),
        }
    }

    /// Of a stream, of datagrams or of the traffic beside a latency probe.
    pub fn directions(&self) -> &[DirectionSummary] {
        self.result.parts().directions()
    }

    pub fn datagrams(&self) -> Option<&DatagramTotals> {
        self.result.get::<DatagramResult>()?.totals.as_ref()
    }

    pub fn transactions_per_second(&self) -> Option<f64> {
        self.result.parts().transactions_per_second()
    }

    pub fn latency(&self) -> Option<LatencySummary> {
        self.result.parts().latency()
    }

    pub fn probes(&self) -> Option<ProbesSummary> {
        self.result.get::<LatencyResult>()?.probes
    }

    pub fn half_rtt(&self) -> Option<HalfRtt> {
        self.result.get::<PingPongResult>()?.half_rtt_ns
    }

    pub fn points(&self) -> &[Point] {
        self.result.get::<PingPongResult>().map(|r| r.points.as_slice()).unwrap_or_default()
    }

    pub fn sweep(&self) -> Option<SweepSummary> {
        self.result.get::<PingPongResult>()?.sweep
    }

    pub fn path_mtu(&self) -> Option<&PathMtu> {
        self.result.get::<MtuResult>()?.path_mtu.as_ref()
    }

    pub fn load(&self) -> Option<&LoadSummary> {
        self.result.get::<LoadResult>()?.load.as_deref()
    }

    pub fn file(&self) -> Option<&FileSummary> {
        self.result.get::<FileResult>()?.file.as_deref()
    }
}
