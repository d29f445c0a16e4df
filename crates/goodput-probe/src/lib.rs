//! Measurements between two hosts: [`connect`] for the `--from` end, [`listen`] for the named host. Both
//! block until the trial is over, run measured loops on their own threads, and notify an [`TrialObserver`] from
//! others. No async; the only clock is `time.rs`; unsafe code is in `sys.rs`.

mod bounds;
mod clock;
mod data_listener;
mod datagram;
pub mod file;
#[doc(hidden)]
pub mod fuzz;
mod interval_counter;
mod latency;
mod link;
mod load;
mod message;
mod mtu;
mod peers;
mod pingpong;
mod request;
mod socket;
mod stream;
mod sys;
pub mod time;
mod traffic_limits;
mod udp_handshake;
mod watch;
mod wire;

pub use data_listener::{DataListener, PeerFilter, TrialRegistration, loopback_if_unspecified};
pub use mtu::echo_allowed;
pub use traffic_limits::{TrafficLimit, TrafficLimits};

use goodput_model::trial::{Flow, MeasurementWindow, TrialSpec};
use goodput_model::{MessageArg, Nanos, PathMtuReport, Probe, Series};
use goodput_words::message_argument::quantity_arg;
use goodput_words::{Message, error_messages, message};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A lock; what a panicked holder left is used.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Callbacks at the window's edges and during it, from threads that do not measure; `tick` may come from
/// another thread, also after `closed`.
pub trait TrialObserver: Sync {
    /// The window opens in a few ms: longer readings now keep the CPU free then. Not called without notice.
    fn before_measurement_window(&self) {}
    /// The window opened at `t0_ns` on this host's monotonic clock.
    fn measurement_window_opened(&self, t0_ns: u64);
    /// About every 100 ms during the window.
    fn progress_updated(&self, progress: TrialProgress);
    /// The window closed at `t1_ns` on this host's monotonic clock.
    fn measurement_window_closed(&self, t1_ns: u64);
    /// Right after `closed`, for longer readings.
    fn after_measurement_window(&self) {}
    /// Time since this host heard the coordinator; `None` if unknown.
    fn time_since_coordinator_message(&self) -> Option<Nanos> {
        None
    }
    /// What this end may send and receive.
    fn traffic_limits(&self) -> TrafficLimits {
        TrafficLimits::default()
    }
    /// Another host of the trial heard it this long ago.
    fn record_coordinator_contact_by_peer(&self, _ago: Nanos) {}
}

/// Progress of a trial, from counters of the measuring threads.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TrialProgress {
    pub done: Option<f64>,
    pub elapsed_ns: u64,
    /// User bytes received since the window opened.
    pub bytes: u64,
    /// Since the window opened.
    pub operations: u64,
}

/// A trial at one end: its order, who follows it, and whether to stop.
#[derive(Clone, Copy)]
pub(crate) struct EndpointTrial<'a> {
    pub order: &'a TrialSpec,
    pub observer: &'a dyn TrialObserver,
    pub cancel: &'a CancelFlag,
}

pub(crate) type MeasurementResult = Result<EndpointMeasurement, ProbeError>;

/// Ends a trial; the first reason stays.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<OnceLock<Option<TrafficLimit>>>);

impl CancelFlag {
    pub fn cancel(&self) {
        let _ = self.0.set(None);
    }
    pub(crate) fn cancel_at_limit(&self, limit: TrafficLimit) {
        let _ = self.0.set(Some(limit));
    }
    pub fn is_cancelled(&self) -> bool {
        self.0.get().is_some()
    }

    pub(crate) fn check_not_cancelled(&self) -> Result<(), ProbeError> {
        self.cancelled_error().map_or(Ok(()), Err)
    }

    pub(crate) fn cancelled_error(&self) -> Option<ProbeError> {
        self.0.get().map(|limit| limit.map_or(ProbeError::Cancelled, ProbeError::LimitReached))
    }
}

/// Results of one end, complete or partial.
#[derive(Debug, Default)]
pub struct EndpointMeasurement {
    pub window: MeasurementWindow,
    pub flows: Vec<Flow>,
    pub operations: u64,
    pub path_mtu: Option<PathMtuReport>,
    /// How well this client kept the server's window.
    pub skew: Option<goodput_model::load::ClientWindowSkew>,
    pub excluded: Vec<goodput_model::load::ExcludedClient>,
    pub file: Option<Box<goodput_model::file::FileReport>>,
    pub series: Vec<Series>,
    pub notes: Vec<String>,
    /// Of the measuring threads over the window.
    pub threads_ns: u64,
    pub broken: Option<ProbeError>,
}

#[derive(Debug)]
pub enum ProbeError {
    Connect { addr: SocketAddr, source: io::Error },
    Listen { addr: SocketAddr, source: io::Error },
    Refused { addr: String, why: Message },
    Deadline { what: &'static str, from: MessageArg, seconds: f64 },
    PeerGone { from: String },
    System { what: Message, source: io::Error },
    Integrity { at: u64, size: u64 },
    Settings(Message),
    Work(Message),
    Cancelled,
    LimitReached(TrafficLimit),
}

error_messages! {
    ProbeError {
        ProbeError::Connect { addr, .. } => message!(error_cannot_connect_data { address: addr.to_string() }),
        ProbeError::Listen { addr, .. } => message!(error_cannot_listen_data { address: addr.to_string() }),
        ProbeError::Refused { addr, why } => message!(error_data_not_accepted { address: addr, why }),
        ProbeError::Deadline { what, from, seconds } => message!(error_nothing_within {
            what: awaited_message(what),
            from: from.clone(),
            seconds: seconds_arg(*seconds),
        }),
        ProbeError::PeerGone { from } => message!(error_other_end_closed { from }),
        ProbeError::System { what, .. } => message!(error_probe_failed { what }),
        ProbeError::Integrity { at, size } => {
            message!(error_integrity { at: at.to_string(), size: size.to_string() })
        },
        ProbeError::Settings(why) | ProbeError::Work(why) => why,
        ProbeError::Cancelled => message!(error_cancelled),
        ProbeError::LimitReached(TrafficLimit::Rate) => message!(part_over_limits_rate),
        ProbeError::LimitReached(TrafficLimit::Bytes) => message!(part_over_limits_bytes),
    }
    sources {
        ProbeError::Connect { source, .. }
        | ProbeError::Listen { source, .. }
        | ProbeError::System { source, .. } => source
    }
}

impl ProbeError {
    pub(crate) fn from_io_error(what: impl Into<Message>, source: io::Error) -> ProbeError {
        ProbeError::System { what: what.into(), source }
    }

    pub(crate) fn system_error(what: impl Into<Message> + Copy) -> impl Fn(io::Error) -> ProbeError + Copy {
        move |source| ProbeError::from_io_error(what, source)
    }

    pub(crate) fn deadline_exceeded(
        what: &'static str,
        from: impl Into<MessageArg>,
        seconds: f64,
    ) -> ProbeError {
        ProbeError::Deadline { what, from: from.into(), seconds }
    }

    pub(crate) fn thread_panicked() -> ProbeError {
        ProbeError::Settings("a measuring thread panicked".into())
    }
}

/// Short words are known by their key, since a name may equal them.
pub(crate) fn awaited_message(what: &str) -> Message {
    match what {
        "connection" => message!(part_probe_what_connection),
        "data" => message!(part_probe_what_data),
        "message" => message!(part_probe_what_message),
        "opening" => message!(part_probe_what_opening),
        "packet" => message!(part_probe_what_packet),
        "readiness" => message!(part_probe_what_readiness),
        "status" => message!(part_probe_what_status_byte),
        "totals" => message!(part_probe_what_totals),
        "welcome" => message!(part_probe_what_welcome),
        _ => what.into(),
    }
}

/// Without its unit.
pub(crate) fn seconds_arg(seconds: f64) -> MessageArg {
    quantity_arg(seconds, "", seconds.to_string())
}

impl EndpointMeasurement {
    pub fn from_error(error: ProbeError) -> EndpointMeasurement {
        EndpointMeasurement { broken: Some(error), ..EndpointMeasurement::default() }
    }
}

macro_rules! dispatch {
    ($($variant:ident $module:ident,)*) => {
        /// Runs a trial's connecting end. Blocks until it is over; every wait inside has a deadline.
        pub fn run_connecting_end(order: &TrialSpec, peer: SocketAddr, observer: &dyn TrialObserver, cancel: &CancelFlag) -> EndpointMeasurement {
            let trial = EndpointTrial { order, observer, cancel };
            let measured = bounds::validate_order(order).and_then(|()| match &order.probe {
                $(Probe::$variant(settings) => $module::run_connecting_end(trial, settings, peer),)*
            });
            measured.unwrap_or_else(EndpointMeasurement::from_error)
        }

        /// Runs the listening end of a trial whose connections arrive at a [`DataListener`]. Blocks like [`run_connecting_end`].
        pub fn run_listening_end(order: &TrialSpec, expected: TrialRegistration, observer: &dyn TrialObserver, cancel: &CancelFlag) -> EndpointMeasurement {
            let trial = EndpointTrial { order, observer, cancel };
            let measured = bounds::validate_order(order).and_then(|()| match &order.probe {
                $(Probe::$variant(settings) => $module::run_listening_end(trial, settings, expected),)*
            });
            measured.unwrap_or_else(EndpointMeasurement::from_error)
        }
    };
}

goodput_model::for_each_probe!(dispatch);
