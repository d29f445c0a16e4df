//! Runs for the tests, by the program's own writer.

use crate::stored_run::sample;
use goodput_model::probe::{StopCondition, Stream, TransferDirection};
use goodput_model::run::RunHeader;
use goodput_model::trial::{EndpointReport, EndpointRole, Flow, MeasurementWindow};
use goodput_model::*;
use goodput_store::RunWriter;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn id(n: u32) -> RunId {
    RunId(format!("01930000-0000-7000-8000-{n:012}").parse().unwrap())
}

pub fn number(id: RunId) -> u32 {
    id.to_string()[24..].parse().unwrap()
}

pub struct Plan {
    pub n: u32,
    pub hosts: [&'static str; 2],
    pub labels: &'static [(&'static str, &'static str)],
    pub outcomes: Vec<TrialOutcome>,
    pub bytes: u64,
    pub request: bool,
}

pub fn plan(n: u32) -> Plan {
    Plan {
        n,
        hosts: ["a", "b"],
        labels: &[],
        outcomes: vec![TrialOutcome::Complete],
        bytes: 125_000_000,
        request: false,
    }
}

impl Plan {
    pub fn head(&self) -> RunHeader {
        let probe = if self.request { "request" } else { "stream" };
        RunHeader {
            format: goodput_store::format::RUN_FORMAT_VERSION,
            id: id(self.n),
            started: format!("2026-11-21T{:02}:{:02}:00.5Z", self.n / 60 % 24, self.n % 60),
            version: "0.1.0".into(),
            command: ["goodput", probe, "Größe 100%_\"x"].map(String::from).into(),
            seed: u64::from(self.n),
            labels: BTreeMap::from_iter(self.labels.iter().map(|(k, v)| (k.to_string(), v.to_string()))),
        }
    }

    pub fn write(&self, root: &Path) -> PathBuf {
        let mut writer = self.begin(root);
        writer.finish().unwrap();
        writer.folder().to_path_buf()
    }

    pub fn begin(&self, root: &Path) -> RunWriter {
        let mut writer = RunWriter::create(root, self.head()).unwrap();
        for (i, outcome) in self.outcomes.iter().enumerate() {
            writer.record(&self.trial(i as u32 + 1, outcome.clone())).unwrap();
        }
        writer
    }

    pub fn trial(&self, number: u32, outcome: TrialOutcome) -> Trial {
        let measured = !matches!(outcome, TrialOutcome::Failed { .. });
        let stop = StopCondition::Time(Nanos::SECOND);
        let stream = Stream { direction: TransferDirection::Send, stop, ..Stream::default() };
        let probe = if self.request { Probe::Request(Request::default()) } else { Probe::Stream(stream) };
        let roles = [EndpointRole::Connect, EndpointRole::Listen];
        let ends = roles.into_iter().zip(self.hosts).map(|(role, host)| self.end(role, host));
        let ends = if measured { ends.collect() } else { vec![] };
        Trial { id: TrialId(number), probe, ends, outcome, ..sample::trials().remove(2) }
    }

    fn end(&self, role: EndpointRole, host: &str) -> EndpointReport {
        let receives = role == EndpointRole::Listen;
        let columns = vec![("end_ns", vec![1_000_000_000]), ("bytes", vec![self.bytes as i64])];
        let window =
            MeasurementWindow { t0_ns: 5, t1_ns: 1_000_000_005, clock_offset_ns: 0, clock_error_ns: 900 };
        EndpointReport {
            facts: HostFacts { hostname: host.into(), cpus: 2, user_hz: 100, ..HostFacts::default() },
            window,
            flows: if self.request { vec![] } else { vec![self.flow(receives)] },
            operations: 1000,
            series: if receives && !self.request { vec![Series::new("intervals", columns)] } else { vec![] },
            ..EndpointReport::empty(role, host)
        }
    }

    fn flow(&self, receives: bool) -> Flow {
        let mut flow = sample::trials().remove(0).ends.remove(0).flows.remove(0);
        (flow.receives, flow.window_bytes, flow.last_byte_ns) = (receives, self.bytes, Some(1_000_000_000));
        (flow.before_bytes, flow.after_bytes, flow.tcp) = (0, 0, None);
        flow
    }
}
