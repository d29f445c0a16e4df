//! The part of a summary that depends on the probe: one variant for each, generated from the list of probes.

use super::{Probe, ProbeSettings};
use serde::Serialize;
use serde_json::{Map, Value};

/// The result of one kind of probe.
pub trait FromProbeResult: Sized {
    fn from_probe_result(result: &ProbeResult) -> Option<&Self>;
}

macro_rules! results {
    ($($variant:ident $module:ident,)*) => {
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum ProbeResult {
            $(
                #[doc = concat!("Of the probe `", stringify!($module), "`.")]
                $variant(<super::$module::$variant as ProbeSettings>::Result),
            )*
        }

        impl ProbeResult {
            pub fn empty(probe: &Probe) -> ProbeResult {
                match probe {
                    $(Probe::$variant(_) => ProbeResult::$variant(Default::default()),)*
                }
            }

            pub(crate) fn from_json_members(probe: &Probe, members: Map<String, Value>) -> serde_json::Result<ProbeResult> {
                let members = Value::Object(members);
                Ok(match probe {
                    $(Probe::$variant(_) => ProbeResult::$variant(serde_json::from_value(members)?),)*
                })
            }

            /// The result of one probe; `None` for any other.
            pub fn downcast_ref<T: FromProbeResult>(&self) -> Option<&T> {
                T::from_probe_result(self)
            }

            $(
                pub fn $module(&mut self) -> Option<&mut <super::$module::$variant as ProbeSettings>::Result> {
                    match self {
                        ProbeResult::$variant(result) => Some(result),
                        _ => None,
                    }
                }
            )*
        }

        $(
            impl FromProbeResult for <super::$module::$variant as ProbeSettings>::Result {
                fn from_probe_result(result: &ProbeResult) -> Option<&Self> {
                    match result {
                        ProbeResult::$variant(result) => Some(result),
                        _ => None,
                    }
                }
            }
        )*
    };
}

crate::for_each_probe!(results);

impl Default for ProbeResult {
    fn default() -> ProbeResult {
        ProbeResult::Stream(Default::default())
    }
}
