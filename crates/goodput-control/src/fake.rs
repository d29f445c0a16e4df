//! Test doubles: agents on in-memory buses with a scripted probe, and a coordinator that can be cut off.

use crate::agent::Agent;
use crate::locked;
use crate::message_bus::{
    BusError, BusRegistration, CallError, CallReply, MemoryBus, MessageBus, PresenceWatcher,
    PublicationListener, RequestHandler,
};
use crate::prober::{Prober, RunListenerTrialFn};
use crate::protocol::HostSettingSpec;
use crate::session::agent_connection::AgentConnection;
use goodput_model::ids::TrialToken;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::probe::Probe;
use goodput_model::recorder::{RecordError, Recorder};
use goodput_model::trial::{MeasurementWindow, Trial, TrialSpec, TrialTimeouts};
use goodput_model::units::Bytes;
use goodput_probe::{CancelFlag, EndpointMeasurement, ProbeError, TrialObserver, TrialProgress};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

pub const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Default)]
pub struct ProbeGate {
    open: Mutex<bool>,
    changed: Condvar,
    /// Probes that have arrived: total, present, and maximum at once.
    pub came: AtomicUsize,
    inside: AtomicUsize,
    pub most: AtomicUsize,
}

impl ProbeGate {
    pub fn new_open() -> Arc<ProbeGate> {
        let gate = Arc::new(ProbeGate::default());
        gate.release_probes();
        gate
    }

    pub fn release_probes(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn pass(&self, cancel: &CancelFlag) -> bool {
        self.came.fetch_add(1, Ordering::SeqCst);
        self.most.fetch_max(self.inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let mut open = self.open.lock().unwrap();
        while !*open && !cancel.is_cancelled() {
            open = self.changed.wait_timeout(open, Duration::from_millis(2)).unwrap().0;
        }
        self.inside.fetch_sub(1, Ordering::SeqCst);
        !*open
    }

    pub fn wait_for_probes(&self, n: usize) {
        wait_until(|| self.came.load(Ordering::SeqCst) >= n);
    }
}

/// A setting whose commands write and read this file.
pub fn file_setting(file: &Path) -> HostSettingSpec {
    let words = |all: &[&str]| all.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let path = file.display().to_string();
    HostSettingSpec::Command {
        set: words(&["sh", "-c", &format!("echo {{level}} > {path}")]),
        read: Some(words(&["cat", &path])),
        restore: None,
    }
}

pub fn wait_until(condition: impl Fn() -> bool) {
    let until = Instant::now() + WAIT_TIMEOUT;
    while !condition() {
        assert!(Instant::now() < until, "the awaited condition did not come about");
        thread::yield_now();
    }
}

/// A probe that waits at a gate and then reports 1,000 operations, fewer when cancelled.
pub struct FakeProber {
    pub gate: Arc<ProbeGate>,
    pub panics: Arc<AtomicUsize>,
}

impl FakeProber {
    pub fn with_gate(gate: &Arc<ProbeGate>) -> Arc<dyn Prober> {
        Arc::new(FakeProber { gate: gate.clone(), panics: Arc::default() })
    }

    fn measure(gate: &ProbeGate, observer: &dyn TrialObserver, cancel: &CancelFlag) -> EndpointMeasurement {
        observer.measurement_window_opened(0);
        observer.progress_updated(TrialProgress { elapsed_ns: 9, bytes: 77, operations: 3, done: Some(0.1) });
        let cancelled = gate.pass(cancel);
        observer.measurement_window_closed(10);
        observer.after_measurement_window();
        EndpointMeasurement {
            window: MeasurementWindow { t1_ns: 10, ..MeasurementWindow::default() },
            operations: if cancelled { 3 } else { 1000 },
            broken: cancelled.then_some(ProbeError::Cancelled),
            ..EndpointMeasurement::default()
        }
    }
}

impl Prober for FakeProber {
    fn data_port(&self) -> Option<u16> {
        Some(9)
    }

    fn start_listening(&self, _: TrialToken) -> Option<RunListenerTrialFn> {
        let gate = self.gate.clone();
        Some(Box::new(move |_, observer, cancel| FakeProber::measure(&gate, observer, cancel)))
    }

    fn connect_and_measure(
        &self,
        _: &TrialSpec,
        _: SocketAddr,
        observer: &dyn TrialObserver,
        cancel: &CancelFlag,
    ) -> EndpointMeasurement {
        let panics = self.panics.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        assert!(panics.is_err(), "as ordered by the test");
        FakeProber::measure(&self.gate, observer, cancel)
    }
}

/// Two workers per client, each with its own mix: 0 and 1 are the first client's.
pub fn build_load_probe(clients: &[&str]) -> Probe {
    let workers = (0..clients.len() as u16 * 2).map(|n| LoadWorker { client: n / 2, mix: n }).collect();
    let mixes = (0..clients.len() as u64 * 2).map(|n| RequestMix::receive_only(Bytes(64 + n))).collect();
    let clients = clients.iter().map(|name| name.to_string()).collect();
    Probe::Load(Load { clients, workers, mixes, ..Load::default() })
}

pub fn start_agent(bus: &MemoryBus, name: &str, prober: Arc<dyn Prober>) -> Agent {
    Agent::serve(Arc::new(bus.clone()), prober, None, name, None).unwrap()
}

pub fn connect_agent(bus: &MemoryBus, host: &str) -> AgentConnection {
    connect_agent_over(Arc::new(bus.clone()), host)
}

pub fn connect_agent_over(bus: Arc<dyn MessageBus>, host: &str) -> AgentConnection {
    let mut end =
        AgentConnection::connect_over_bus(bus, host.into(), None, &TrialTimeouts::default()).unwrap();
    end.reached = Some(Ipv4Addr::LOCALHOST.into());
    end
}

pub struct LoggingRecorder(pub Arc<Mutex<Vec<String>>>);

impl Recorder for LoggingRecorder {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError> {
        self.0.lock().unwrap().push(format!("recorded {}", trial.ends.len()));
        Ok(())
    }
}

pub struct FullDiskRecorder;

impl Recorder for FullDiskRecorder {
    fn record(&mut self, _: &Trial) -> Result<(), RecordError> {
        Err(RecordError { place: "run".into(), cause: "no space left".into() })
    }
}

/// Makes an answer from the agent's, which is empty where that is an error.
type Forge = Arc<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;

#[derive(Clone, Default)]
pub struct FakeConnection {
    bus: MemoryBus,
    cut: Arc<AtomicBool>,
    /// True once the agent has been asked for the state of its trial.
    follows: Arc<AtomicBool>,
    /// The verb whose next answer is lost.
    lose: Arc<Mutex<Option<&'static str>>>,
    requests: Arc<Mutex<Vec<(String, Vec<u8>)>>>,
    /// Verbs whose answers are forged.
    forged: Arc<Mutex<Vec<(&'static str, Forge)>>>,
    presences: Arc<Mutex<Vec<Weak<HeldPresence>>>>,
}

/// A presence, until its owner drops it or the cut connection takes it out.
type HeldPresence = Mutex<Option<BusRegistration>>;

impl FakeConnection {
    pub fn new(bus: &MemoryBus) -> FakeConnection {
        FakeConnection { bus: bus.clone(), ..FakeConnection::default() }
    }

    pub fn drop_next_answer(&self, verb: &'static str) {
        *locked(&self.lose) = Some(verb);
    }

    pub fn forge_answers(
        &self,
        verb: &'static str,
        forge: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static,
    ) {
        locked(&self.forged).push((verb, Arc::new(forge)));
    }

    fn forge(&self, verb: &str) -> Option<Forge> {
        locked(&self.forged).iter().find(|(forged, _)| *forged == verb).map(|(_, forge)| forge.clone())
    }

    /// Key and payload of each call, as a router sees them.
    pub fn captured_requests(&self) -> Vec<(String, Vec<u8>)> {
        locked(&self.requests).clone()
    }

    /// Waits until the order is acknowledged and the trial followed.
    pub fn wait_until_trial_followed(&self) {
        wait_until(|| self.follows.load(Ordering::SeqCst));
    }

    /// Drops all messages; the presence stays.
    pub fn drop_messages(&self) {
        self.end().into_iter().for_each(std::mem::forget);
    }

    /// The coordinator dies: messages are dropped and its presence ends.
    pub fn kill_coordinator(&self) {
        drop(self.end());
    }

    fn end(&self) -> Vec<BusRegistration> {
        self.cut.store(true, Ordering::SeqCst);
        let held = locked(&self.presences).drain(..).filter_map(|held| held.upgrade()).collect::<Vec<_>>();
        held.iter().filter_map(|held| locked(held).take()).collect()
    }

    fn passes(&self) -> bool {
        !self.cut.load(Ordering::SeqCst)
    }
}

impl MessageBus for FakeConnection {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        let lost = || CallError::Busy { key: key.to_string(), deadline };
        if !self.passes() {
            return Err(lost());
        }
        locked(&self.requests).push((key.to_string(), payload.to_vec()));
        self.follows.fetch_or(key.ends_with("/collect"), Ordering::SeqCst);
        let mut answer = self.bus.call(key, payload, deadline);
        if let Some(forge) = self.forge(key.rsplit('/').next().unwrap_or_default()) {
            answer = Ok(forge(&answer.unwrap_or_default()));
        }
        let lose = locked(&self.lose).take_if(|verb| key.ends_with(&*verb)).is_some();
        if self.passes() && !lose { answer } else { Err(lost()) }
    }

    fn call_all(
        &self,
        pattern: &str,
        payload: &[u8],
        deadline: Duration,
    ) -> Result<Vec<CallReply>, CallError> {
        let mut answers = self.bus.call_all(pattern, payload, deadline)?;
        if let Some(forge) = self.forge("hello") {
            answers.iter_mut().for_each(|answer| answer.payload = forge(&answer.payload));
        }
        Ok(answers)
    }

    fn serve(&self, key: &str, handler: RequestHandler) -> Result<BusRegistration, BusError> {
        self.bus.serve(key, handler)
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        if self.passes() { self.bus.publish(key, payload) } else { Ok(()) }
    }

    fn subscribe(&self, pattern: &str, listener: PublicationListener) -> Result<BusRegistration, BusError> {
        self.bus.subscribe(pattern, listener)
    }

    fn announce_presence(&self, key: &str) -> Result<BusRegistration, BusError> {
        let held = Arc::new(Mutex::new(Some(self.bus.announce_presence(key)?)));
        locked(&self.presences).push(Arc::downgrade(&held));
        Ok(BusRegistration::new(held))
    }

    fn list_present_keys(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError> {
        self.bus.list_present_keys(pattern, deadline)
    }

    fn watch_presence(&self, pattern: &str, watcher: PresenceWatcher) -> Result<BusRegistration, BusError> {
        self.bus.watch_presence(pattern, watcher)
    }
}
