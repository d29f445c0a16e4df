//! Accessors of a summary: parts of another probe are `None` or empty.

use super::{
    DatagramTotals, DirectionSummary, FileSummary, HalfRtt, LatencySummary, Limit, LoadSummary, PathMtu,
    Point, ProbeResult, ProbesSummary, Summary, SweepSummary,
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

macro_rules! of {
    ($summary:ident, $variant:ident, $result:ident => $value:expr) => {
        match &$summary.result {
            ProbeResult::$variant($result) => $value,
            _ => None,
        }
    };
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
        of!(self, Datagram, r => r.totals.as_ref())
    }

    pub fn transactions_per_second(&self) -> Option<f64> {
        self.result.parts().transactions_per_second()
    }

    pub fn latency(&self) -> Option<LatencySummary> {
        self.result.parts().latency()
    }

    pub fn probes(&self) -> Option<ProbesSummary> {
        of!(self, Latency, r => r.probes)
    }

    pub fn half_rtt(&self) -> Option<HalfRtt> {
        of!(self, PingPong, r => r.half_rtt_ns)
    }

    pub fn points(&self) -> &[Point] {
        of!(self, PingPong, r => Some(r.points.as_slice())).unwrap_or_default()
    }

    pub fn sweep(&self) -> Option<SweepSummary> {
        of!(self, PingPong, r => r.sweep)
    }

    pub fn path_mtu(&self) -> Option<&PathMtu> {
        of!(self, Mtu, r => r.path_mtu.as_ref())
    }

    pub fn load(&self) -> Option<&LoadSummary> {
        of!(self, Load, r => r.load.as_deref())
    }

    pub fn file(&self) -> Option<&FileSummary> {
        of!(self, File, r => r.file.as_deref())
    }
}
