//! Sets factor levels on hosts. The front end implements it for labs, knobs, commands and manual steps.

use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::experiment::{Factor, FactorLevel};
use goodput_words::Message;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChange<'a> {
    pub factor: &'a Factor,
    pub level: &'a FactorLevel,
}

/// Sets levels, reads them back, and restores the original values. Each error is one sentence with host,
/// factor and cause; each wait has a deadline. Changes outlive SIGKILL, so an implementation journals
/// original values on disk **before** it changes anything.
pub trait LevelSetter {
    /// Called before the first level and on resume: checks that these factors can be set, restores what a
    /// journal lists and journals the present values. Returns its restores ([`ExperimentStep::Restored`],
    /// [`ExperimentStep::NotRestored`]). An error prevents the experiment.
    fn prepare_factors(&mut self, factors: &[&Factor]) -> Result<Vec<ExperimentStep>, Message>;

    /// Sets all of these levels or fails, and reads each back: `host: value` pairs, one list per change. A
    /// level that reads back differently is an error with both values.
    ///
    /// Called with the factors that change in the next cell, in file order; with none after a failed
    /// [`LevelSetter::read_back`] when only the hosts need to be prepared again. After an error the cell is
    /// "not set", and the next cell sets all these factors again.
    fn set_levels(&mut self, changes: &[LevelChange<'_>]) -> Result<Vec<Vec<String>>, Message>;

    /// Reads back all levels; an error has one sentence per factor that differs. Sets nothing.
    fn verify_levels(&mut self, in_place: &[LevelChange<'_>]) -> Result<(), Message>;

    /// The hosts of this lab were created again: nothing is set there, nothing needs to be restored.
    /// [`LevelSetter::prepare`] and [`LevelSetter::put`] follow.
    fn forget_lab_settings(&mut self, lab: &str);

    /// Restores the original values in reverse order, verifies them and clears the journal. Returns
    /// [`ExperimentStep::Restored`] or [`ExperimentStep::NotRestored`] for every changed factor. A second call retries failures.
    fn restore_all(&mut self) -> Vec<ExperimentStep>;
}
