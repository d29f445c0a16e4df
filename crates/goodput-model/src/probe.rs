//! The probes: one module each, with settings, the end's report, and metrics. Settings are complete: defaults
//! come from [`Default`], and a stored run has the values that were used. To add a probe, add its module, a
//! row to [`for_each_probe!`](crate::for_each_probe) and its settings.

pub mod clock;
pub mod datagram;
mod demand;
pub(crate) mod direction_summary;
pub mod file;
pub mod latency;
pub mod load;
mod metrics;
pub mod mtu;
mod options;
pub mod pingpong;
pub mod request;
pub(crate) mod result;
pub mod stream;

pub use demand::TrafficDemand;
pub use options::{EndpointRole, SocketOptions, StopCondition, TransferDirection, WaitMode};
pub use pingpong::{PingPong, PingPongMethod, PingPongPattern};
pub use request::{Request, RequestKind};
pub use stream::{AddedCpuTime, Stream, StreamReceiveMethod, StreamSendMethod};

use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// The list of all probes. `for_each_probe!(x)` calls the macro `x!` with a row `Variant module` for each:
/// variant of [`Probe`] and name of the settings; module and name of the command.
#[macro_export]
macro_rules! for_each_probe {
    ($then:ident) => {
        $then! {
            Stream stream,
            Request request,
            Datagram datagram,
            PingPong pingpong,
            Latency latency,
            Mtu mtu,
            Clock clock,
            Load load,
            File file,
        }
    };
}

/// What the settings of a probe say about a trial. A default is what most probes do.
pub trait ProbeSettings {
    /// What is computed from a trial with these settings.
    type Result
    where
        Self: Sized;

    /// Warm-up and length of the window; `None` where the settings do not fix it.
    fn measurement_window(&self) -> (Nanos, Option<Nanos>);

    /// True where a trial may end before its window does.
    fn may_end_early(&self) -> bool {
        false
    }

    /// What it asks of the end that plays this role; of the client with this number where there are several.
    fn traffic_demand(&self, role: EndpointRole, client: u16) -> TrafficDemand;

    /// Buffers and counted intervals of an end. Saturates; 0 where the probe's own checks bound them.
    fn memory_demand(&self) -> Bytes {
        Bytes(0)
    }

    /// Says which of the settings is beyond what an end accepts.
    fn limit_error(&self) -> Option<&'static str> {
        None
    }

    /// How long all ends may show no progress, besides the usual waits.
    fn idle_allowance(&self) -> Nanos {
        Nanos(0)
    }

    /// True where losses outside the window count: the host's counters also cover the whole trial.
    fn counts_whole_trial(&self) -> bool {
        false
    }

    /// Where the files are that it works on.
    fn file_location(&self) -> Option<&file::FileLocation> {
        None
    }

    fn file_location_mut(&mut self) -> Option<&mut file::FileLocation> {
        None
    }

    /// Folders and files that it accesses on the host of the end that plays this role.
    fn accessed_paths(&self, _role: EndpointRole) -> Vec<&str> {
        Vec::new()
    }

    /// True for an end whose count is the result: the receiver, or the one that sees replies.
    fn is_result_endpoint(&self, role: EndpointRole) -> bool {
        role == EndpointRole::Connect
    }

    /// True where data arrives at both ends.
    fn is_bidirectional(&self) -> bool {
        true
    }

    /// True where an operation is complete when a reply has arrived; otherwise it may be a mere attempt to send.
    fn has_replies(&self) -> bool {
        false
    }

    /// What a live display shows of it.
    fn live_rate_kind(&self) -> LiveRateKind {
        LiveRateKind::Bytes
    }

    /// The clients that the settings name; `None` for a probe between two hosts.
    fn client_names(&self) -> Option<&[String]> {
        None
    }

    /// True where the settings give the client with this number something to do.
    fn has_work_for_client(&self, _client: u16) -> bool {
        true
    }

    /// Removes clients, by their numbers; the others are numbered anew in the same order.
    fn remove_clients(&mut self, _absent: &[u16]) {}

    /// Sets the seed of everything that is random.
    fn set_seed(&mut self, _seed: u64) {}

    /// True where the ends spin, and so keep their CPUs busy by design.
    fn uses_busy_polling(&self) -> bool {
        false
    }

    /// True where CPU use says something about the result.
    fn is_cpu_use_relevant(&self) -> bool {
        true
    }

    /// What it sends in bulk: each connection's bytes are counted and can be checked at both ends.
    fn bulk_transfer(&self) -> Option<BulkTransfer> {
        None
    }
}

/// What a live display shows of a trial: a rate of bytes, or of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveRateKind {
    Bytes,
    Operations,
    None,
}

/// Bulk data on several connections or flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BulkTransfer {
    /// `connection` (TCP) or `flow` (UDP).
    pub kind: &'static str,
    /// In each direction.
    pub count: u16,
    pub direction: TransferDirection,
    pub stop: StopCondition,
}

macro_rules! probe {
    ($($variant:ident $module:ident,)*) => {
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "lowercase")]
        pub enum Probe {
            $(
                #[doc = concat!("`docs/methods/", stringify!($module), ".md`.")]
                $variant($module::$variant),
            )*
        }

        impl Probe {
            /// The names of all probes.
            pub const NAMES: &[&str] = &[$(stringify!($module)),*];

            /// The command's name, for example `pingpong`.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Probe::$variant(_) => stringify!($module),)*
                }
            }

            /// What every probe's settings say.
            pub fn settings(&self) -> &dyn ProbeSettings {
                match self {
                    $(Probe::$variant(settings) => settings,)*
                }
            }

            pub fn settings_mut(&mut self) -> &mut dyn ProbeSettings {
                match self {
                    $(Probe::$variant(settings) => settings,)*
                }
            }
        }
    };
}

for_each_probe!(probe);

impl Probe {
    /// Warm-up and length of the window; `None` where the settings do not fix it.
    pub fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        self.settings().measurement_window()
    }
}
