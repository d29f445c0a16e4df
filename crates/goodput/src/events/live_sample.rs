//! Live samples: at most ten per second, per direction, with rates since the previous sample.

use goodput_analysis::file_results::location;
use goodput_model::event::{EndpointLiveProgress, LiveProgress};
use goodput_model::event_line::{FlowProgress, HostCpuUse, LiveProgressLine};
use goodput_model::file::{FileDirection, FileWorkload};
use goodput_model::load::TrafficPattern;
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Probe, RunId, TrialId};
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
pub struct LiveSampler {
    trial: Option<Trial>,
    told: Option<u128>,
    /// True once each end was reported separately.
    by_ends: bool,
    before: BTreeMap<Counter, Counted>,
}

#[derive(Debug)]
struct Trial {
    run: Option<RunId>,
    id: TrialId,
    probe: Probe,
    renamed: Option<(String, String)>,
    began: Instant,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Counter {
    Bytes(String, String),
    Operations,
}

#[derive(Debug, Clone, Copy)]
struct Counted {
    count: u64,
    elapsed_ns: u64,
    per_second: Option<f64>,
}

impl LiveSampler {
    pub fn new(
        run: Option<RunId>,
        trial: TrialId,
        probe: &Probe,
        renamed: Option<(String, String)>,
    ) -> LiveSampler {
        let probe = probe.clone();
        let trial = Trial { run, id: trial, probe, renamed, began: Instant::now() };
        LiveSampler { trial: Some(trial), ..LiveSampler::default() }
    }

    /// A sample of all ends together; `None` if each is reported separately, or too early.
    pub fn build_total_sample(&mut self, live: &LiveProgress) -> Option<LiveProgressLine> {
        if self.by_ends { None } else { self.line(live, &[]) }
    }

    pub fn build_endpoints_sample(
        &mut self,
        whole: &LiveProgress,
        ends: &[EndpointLiveProgress],
    ) -> Option<LiveProgressLine> {
        self.by_ends = true;
        self.line(whole, ends)
    }

    fn due(&mut self, since_begin: Duration) -> bool {
        let tenth = since_begin.as_nanos() / SAMPLE_INTERVAL.as_nanos();
        self.told.replace(tenth) != Some(tenth)
    }

    fn line(&mut self, whole: &LiveProgress, ends: &[EndpointLiveProgress]) -> Option<LiveProgressLine> {
        let since_begin = self.trial.as_ref()?.began.elapsed();
        if !self.due(since_begin) {
            return None;
        }
        let trial = self.trial.as_ref()?;
        let name = |host: &str| match &trial.renamed {
            Some((address, name)) if address == host => name.clone(),
            _ => host.to_string(),
        };
        let hosts = ends.iter().filter_map(|end| {
            let live = end.live.as_ref()?;
            Some(HostCpuUse { name: name(&end.host), busy_percent: live.busy_percent, shared: end.shared })
        });
        let hosts = hosts.collect();
        let named =
            flows(&trial.probe, ends).into_iter().map(|(from, to, live)| (name(&from), name(&to), live));
        let named: Vec<(String, String, LiveProgress)> = named.collect();
        let (run, id) = (trial.run, trial.id);
        let flows = named.into_iter().map(|(from, to, live)| {
            let counter = Counter::Bytes(from.clone(), to.clone());
            let bytes_per_second = self.rate(counter, live.bytes, live.elapsed_ns);
            FlowProgress { from, to, bytes: live.bytes, goodput_bps: bytes_per_second.map(|rate| rate * 8.0) }
        });
        let flows = flows.collect();
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Some(LiveProgressLine {
            run,
            trial: id,
            at_ns: u64::try_from(since_1970.as_nanos()).unwrap_or(u64::MAX),
            elapsed_ns: whole.elapsed_ns,
            done: whole.done,
            operations: whole.operations,
            operations_per_second: self.rate(Counter::Operations, whole.operations, whole.elapsed_ns),
            flows,
            hosts,
        })
    }

    /// The rate since the previous count; the previous rate without new data.
    fn rate(&mut self, counter: Counter, count: u64, elapsed_ns: Option<u64>) -> Option<f64> {
        let elapsed_ns = elapsed_ns?;
        let before = self.before.get(&counter).copied();
        let per_second = match before {
            None => None,
            Some(old) if elapsed_ns <= old.elapsed_ns => return old.per_second,
            Some(old) => {
                let seconds = (elapsed_ns - old.elapsed_ns) as f64 / 1e9;
                Some(count.saturating_sub(old.count) as f64 / seconds)
            }
        };
        self.before.insert(counter, Counted { count, elapsed_ns, per_second });
        per_second
    }
}

/// Flows: source, destination, and the counting end's sample.
fn flows(probe: &Probe, ends: &[EndpointLiveProgress]) -> Vec<(String, String, LiveProgress)> {
    let of_role = |role: EndpointRole| ends.iter().filter(move |end| end.role == role);
    let far = of_role(EndpointRole::Listen).next().map(|end| end.host.clone()).unwrap_or_default();
    let near = || match of_role(EndpointRole::Connect).count() {
        1 => of_role(EndpointRole::Connect).map(|end| end.host.clone()).collect(),
        count => format!("{count} clients"),
    };
    let one = |end: &EndpointLiveProgress| {
        let live = end.live.filter(|_| end.counts)?;
        let (from, to) = match (probe, end.role) {
            _ if probe.settings().may_end_early() => return None,
            (Probe::File(file), EndpointRole::Connect) => on_files(file, &end.host),
            (_, EndpointRole::Connect) => (far.clone(), end.host.clone()),
            (_, EndpointRole::Listen) => (near(), end.host.clone()),
        };
        // A load counts on both sides; skip a direction without traffic.
        let idle = match probe {
            Probe::Load(load) => match load.traffic_pattern() {
                TrafficPattern::Transmit => end.role == EndpointRole::Listen,
                TrafficPattern::Receive => end.role == EndpointRole::Connect,
                TrafficPattern::Duplex | TrafficPattern::Mixed => false,
            },
            _ => false,
        };
        (live.bytes > 0 || !idle).then_some((from, to, live))
    };
    ends.iter().filter_map(one).collect()
}

/// A mix counts both directions together.
fn on_files(file: &File, client: &str) -> (String, String) {
    let (client, place) = (client.to_string(), location::format_location(&file.place, None));
    let reads = matches!(
        &file.work,
        FileWorkload::Copy { way: FileDirection::Read, .. }
            | FileWorkload::Row { way: FileDirection::Read, .. }
    );
    if reads { (place, client) } else { (client, place) }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use goodput_model::load::Load;
    use goodput_model::{Bytes, Stream};

    fn live(bytes: u64, elapsed_ns: u64) -> LiveProgress {
        LiveProgress {
            trial: TrialId(1),
            done: None,
            elapsed_ns: Some(elapsed_ns),
            bytes,
            operations: bytes / 10,
            busy_percent: Some(25.0),
        }
    }

    pub fn end(role: EndpointRole, host: &str, counts: bool, live: LiveProgress) -> EndpointLiveProgress {
        EndpointLiveProgress { role, host: host.into(), counts, shared: false, live: Some(live) }
    }

    fn of_stream(renamed: Option<(String, String)>) -> LiveSampler {
        LiveSampler::new(None, TrialId(1), &Probe::Stream(Stream::default()), renamed)
    }

    fn next(
        live_sample: &mut LiveSampler,
        whole: &LiveProgress,
        ends: &[EndpointLiveProgress],
    ) -> LiveProgressLine {
        live_sample.told = None;
        live_sample.build_endpoints_sample(whole, ends).unwrap()
    }

    #[test]
    fn a_flow_has_its_rate_since_the_glimpse_before() {
        let mut live_sample = of_stream(Some(("10.0.0.2".into(), "b".into())));
        let ends = |bytes, ns| {
            let near = end(EndpointRole::Connect, "a", false, live(0, ns));
            [near, end(EndpointRole::Listen, "10.0.0.2", true, live(bytes, ns))]
        };
        let first = next(&mut live_sample, &live(1_000, 100_000_000), &ends(1_000, 100_000_000));
        let expected = FlowProgress { from: "a".into(), to: "b".into(), bytes: 1_000, goodput_bps: None };
        assert_eq!(first.flows, [expected]);
        assert_eq!(first.hosts.iter().map(|h| h.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let second = next(&mut live_sample, &live(3_500, 300_000_000), &ends(3_500, 300_000_000));
        assert_eq!((second.flows[0].goodput_bps, second.operations_per_second), (Some(1e5), Some(1_250.0)));
        // Without new data the previous rate remains.
        let third = next(&mut live_sample, &live(3_500, 400_000_000), &ends(3_500, 300_000_000));
        assert_eq!(third.flows[0].goodput_bps, Some(1e5));
    }

    #[test]
    fn there_is_one_glimpse_in_a_tenth_of_a_second() {
        let mut live_sample = of_stream(None);
        let due: Vec<u64> =
            (0..1_000).step_by(7).filter(|ms| live_sample.due(Duration::from_millis(*ms))).collect();
        assert_eq!(due, [0, 105, 203, 301, 406, 504, 602, 700, 805, 903]);
        live_sample.told = None;
        assert!(live_sample.build_total_sample(&live(1, 1)).is_some());
        live_sample.told = None;
        assert!(live_sample.build_endpoints_sample(&live(5, 5), &[]).is_some());
        live_sample.told = None;
        assert!(live_sample.build_total_sample(&live(6, 6)).is_none(), "each end is told by itself");
    }

    #[test]
    fn a_load_has_a_flow_for_each_client_and_none_where_nothing_is_sent() {
        let probe = Probe::Load(Load { clients: vec!["c1".into(), "c2".into()], ..Load::default() });
        let ends = |server: u64| {
            let client = |name: &str| end(EndpointRole::Connect, name, true, live(10, 1));
            [client("c1"), client("c2"), end(EndpointRole::Listen, "s", true, live(server, 1))]
        };
        let ways = |server| {
            let found = flows(&probe, &ends(server));
            found.into_iter().map(|(from, to, _)| format!("{from} {to}")).collect::<Vec<_>>()
        };
        // Without workers nothing is sent to the server.
        assert_eq!(ways(0), ["s c1", "s c2"]);
        // Unexpected traffic is not hidden.
        assert_eq!(ways(7), ["s c1", "s c2", "2 clients s"]);
    }

    #[test]
    fn a_copy_goes_from_client_to_place_or_back() {
        use goodput_model::File;
        use goodput_model::file::FileLocation;
        let mut file = File::new(
            vec!["a".into()],
            FileLocation::Folder { path: "/mnt/nas".into() },
            String::new(),
            FileWorkload::Copy {
                way: FileDirection::Write,
                size: Bytes(1),
                block: Bytes(1),
                depth: 1,
                local: None,
            },
        );
        assert_eq!(on_files(&file, "a"), ("a".into(), "/mnt/nas".into()));
        if let FileWorkload::Copy { way, .. } = &mut file.work {
            *way = FileDirection::Read;
        }
        assert_eq!(on_files(&file, "a"), ("/mnt/nas".into(), "a".into()));
    }
}
