//! What limits a transfer: suspects from one observation, interventions that would prove or refute each, and
//! the verdict from all trials. Pure: the same trials always give the same conclusion. See
//! `docs/methods/why.md`.
//!
//! To add a cause, add a file in `cause/`, its row in [`cause::CAUSES`] and its texts in
//! `locales/*/diagnosis.ftl`.

mod apply;
mod cause;
mod effect;
mod observation;
mod path;
mod plan;
mod text;
mod verdict;

#[cfg(test)]
mod tests;

pub use apply::apply_intervention;
pub use observation::{EndObservation, Observation, observe};
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
