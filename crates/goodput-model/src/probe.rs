//! The probes: one module each, with settings, the end's report, and metrics. Settings are complete: defaults
//! come from [`Default`], and a stored run has the values that were used. To add a probe, add its module, a
//! row to [`for_each_probe!`](crate::for_each_probe) and its settings.

pub mod datagram;
pub(crate) mod direction;
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

pub use options::{Direction, SocketOptions, Stop, Wait};
pub use pingpong::{Pattern, PingPong, PingPongMethod};
pub use request::{Request, RequestKind};
pub use stream::{Receiver, Sender, Stream};

use crate::units::Nanos;
use serde::{Deserialize, Serialize};

/// The list of all probes. `for_each_probe!(x)` calls the macro `x!` with a row `Variant module` for each:
/// variant of [`Probe`] and name of the settings; module and name of the command.
#[macro_export]
macro_rules! for_each_probe {
    ($then:ident) => {
        $then! {
            PingPong pingpong,
            Stream stream,
            Request request,
            Datagram datagram,
            Mtu mtu,
            Latency latency,
            Load load,
            File file,
        }
    };
}

pub trait Settings {
    type Result;
    /// Warm-up and length of the window; `None` where the settings do not fix it.
    fn window(&self) -> (Nanos, Option<Nanos>);
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
            pub fn name(&self) -> &'static str {
                match self {
                    $(Probe::$variant(_) => stringify!($module),)*
                }
            }

            /// Warm-up and length of the window; `None` where the settings do not fix it.
            pub fn window(&self) -> (Nanos, Option<Nanos>) {
                match self {
                    $(Probe::$variant(settings) => Settings::window(settings),)*
                }
            }
        }
    };
}

for_each_probe!(probe);
