//! Accessors of a summary: parts of another probe are `None` or empty.

use super::{
    DatagramResult, DatagramTotals, DirectionSummary, FileResult, FileSummary, HalfRtt, LatencyProbesSummary,
    LatencyResult, LatencySummary, LoadResult, LoadSummary, MtuResult, PathMtu, PingPongPoint,
    PingPongResult, ProbeResult, RequestResult, SizeSweepSummary, StreamResult, TheoreticalGoodputLimit,
    TrialSummary,
};
use crate::ids::TrialId;
use crate::probe::Probe;
use crate::trial::TrialOutcome;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

impl Serialize for TrialSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TrialSummary::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for TrialSummary {
    /// The probe's kind decides the type of its result.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TrialSummary, D::Error> {
        let members = Map::deserialize(deserializer)?;
        let summary = TrialSummary::deserialize(Value::Object(members.clone())).map_err(D::Error::custom)?;
        let result = ProbeResult::from_json_members(&summary.probe, members).map_err(D::Error::custom)?;
        Ok(TrialSummary { result, ..summary })
    }
}

impl TrialSummary {
    pub fn empty(probe: Probe) -> TrialSummary {
        TrialSummary {
            trial: TrialId(1),
            outcome: TrialOutcome::Complete,
            elapsed_ns: 0,
            active_ns: None,
            bytes: None,
            goodput_bps: None,
            result: ProbeResult::empty(&probe),
            probe,
            hosts: Vec::new(),
            pe_index: None,
            service_demand: None,
            limit: TheoreticalGoodputLimit::default(),
            percent_of_limit: None,
            findings: Vec::new(),
        }
    }

    /// Of a stream, of datagrams or of the traffic beside a latency probe.
    pub fn direction_summaries(&self) -> &[DirectionSummary] {
        match &self.result {
            ProbeResult::Stream(StreamResult { directions, .. })
            | ProbeResult::Datagram(DatagramResult { directions, .. })
            | ProbeResult::Latency(LatencyResult { directions, .. }) => directions,
            _ => &[],
        }
    }

    pub fn datagram_totals(&self) -> Option<&DatagramTotals> {
        self.result.downcast_ref::<DatagramResult>()?.totals.as_ref()
    }

    pub fn transactions_per_second(&self) -> Option<f64> {
        match self.result {
            ProbeResult::Request(RequestResult { transactions_per_second, .. })
            | ProbeResult::Load(LoadResult { transactions_per_second, .. })
            | ProbeResult::File(FileResult { transactions_per_second, .. }) => transactions_per_second,
            _ => None,
        }
    }

    pub fn latency_summary(&self) -> Option<LatencySummary> {
        match self.result {
            ProbeResult::Request(RequestResult { latency_ns, .. })
            | ProbeResult::Latency(LatencyResult { latency_ns, .. })
            | ProbeResult::Load(LoadResult { latency_ns, .. })
            | ProbeResult::File(FileResult { latency_ns, .. }) => latency_ns,
            _ => None,
        }
    }

    pub fn latency_probes(&self) -> Option<LatencyProbesSummary> {
        self.result.downcast_ref::<LatencyResult>()?.probes
    }

    pub fn half_rtt(&self) -> Option<HalfRtt> {
        self.result.downcast_ref::<PingPongResult>()?.half_rtt_ns
    }

    pub fn pingpong_points(&self) -> &[PingPongPoint] {
        self.result.downcast_ref::<PingPongResult>().map(|r| r.points.as_slice()).unwrap_or_default()
    }

    pub fn size_sweep_summary(&self) -> Option<SizeSweepSummary> {
        self.result.downcast_ref::<PingPongResult>()?.sweep
    }

    pub fn path_mtu(&self) -> Option<&PathMtu> {
        self.result.downcast_ref::<MtuResult>()?.path_mtu.as_ref()
    }

    pub fn load_summary(&self) -> Option<&LoadSummary> {
        self.result.downcast_ref::<LoadResult>()?.load.as_deref()
    }

    pub fn file_summary(&self) -> Option<&FileSummary> {
        self.result.downcast_ref::<FileResult>()?.file.as_deref()
    }
}
