//! What limits a transfer: suspects from one observation, interventions that would prove or refute each, and
//! the verdict from all trials. Pure: the same trials always give the same conclusion. See
//! `docs/methods/why.md`.
//!
//! To add a cause, add a file in `cause/`, its row in [`cause::CAUSES`] and its texts in
//! `locales/*/diagnosis.ftl`.

mod apply;
mod cause;
mod effect;
mod host_setting;
mod observation;
mod path;
mod plan;
mod text;
mod verdict;

#[cfg(test)]
mod tests;

use apply::MAX_CONNECTIONS;
pub use apply::{MOST_STORAGE_PASSES, apply_intervention, apply_to_copy};
pub use host_setting::{HostSetting, host_setting, multiplied_setting};
pub use observation::{EndObservation, Observation, StorageObservation, intervention_of, observe};
pub use plan::DiagnosisPlan;
pub use text::{cause_name, intervention_name};
pub use verdict::diagnose;
pub(crate) use verdict::diagnose_trials;

use goodput_model::diagnosis::Intervention;

/// One trial of a diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosisTrial {
    pub intervention: Intervention,
    pub observation: Observation,
}
