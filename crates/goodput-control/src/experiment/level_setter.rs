//! What puts levels in place on the hosts, as the walk sees it. Implemented by the front data_listener, which knows labs, knobs,
//! commands and operators; one value may be made of others, each for some of the means.

use goodput_model::experiment::record::Step;
use goodput_model::experiment::{Factor, Level};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change<'a> {
    pub factor: &'a Factor,
    pub level: &'a Level,
}

/// Puts levels in place, reads them back, and puts back what was there before.
///
/// Every error is one sentence that names the host, the factor and what was refused, fit for a table's cell. Every wait
/// inside has a deadline: a host that does not answer is an error, not a hang.
///
/// What a `LevelSetter` changes outlives a kill -9 of this program. So it keeps a journal on disk, next to the run, and writes
/// into it what was there **before** it changes anything.
pub trait LevelSetter {
    /// Before the first level, and again when a run goes on: looks whether these factors can be set at all, puts back
    /// what a journal says is still changed from an earlier time, reads what is there now and writes that down.
    ///
    /// Returns what it put back ([`Step::Restored`], [`Step::NotRestored`]); the walk keeps them.
    ///
    /// # Errors
    /// One sentence: the experiment cannot begin.
    fn prepare(&mut self, factors: &[&Factor]) -> Result<Vec<Step>, String>;

    /// Puts these levels in place, all of them or not, and reads back each: `host: value` pairs, one list a change and in
    /// its order. A level that does not read back as what was set is an error, with both values.
    ///
    /// Called with the factors whose level changes with the next cell, in the order of the file; with none after
    /// [`LevelSetter::read_back`] has failed where only the hosts themselves may have to be made ready again. After an error none of
    /// these factors counts as in place, and the next cell asks for all of them again.
    ///
    /// # Errors
    /// One sentence: the cell that needs them is "not set".
    fn put(&mut self, changes: &[Change<'_>]) -> Result<Vec<Vec<String>>, String>;

    /// Reads back what should be in place and says where something else is, one sentence a factor. Sets nothing.
    fn read_back(&mut self, in_place: &[Change<'_>]) -> Result<(), String>;

    /// The hosts of this lab are new: nothing that was set there is in place, and nothing there needs to be put back.
    /// Called before [`LevelSetter::prepare`] and [`LevelSetter::put`] follow for what is set on them.
    fn raised_anew(&mut self, lab: &str);

    /// Puts back what was there before, the last change first, reads it back and empties the journal of what is done.
    /// [`Step::Restored`] or [`Step::NotRestored`] for every factor that was changed; none where nothing was.
    /// A second call does what the first could not.
    fn restore(&mut self) -> Vec<Step>;
}
