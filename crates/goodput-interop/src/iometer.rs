//! IOmeter's files: its configuration (`.icf`) is read and written, its results (`results.csv`) are written.
//!
//! What IOmeter does was read from the source of 1.1.0 and its manual; names and order of keys and columns are its
//! own. The way of an imported file:
//!
//! 1. [`read()`]: text → [`IometerPlan`], with a [`Warning`] for everything that was passed over or understood in spite
//!    of its spelling. Tolerant where IOmeter is strict (blank lines, comments), strict where it guesses (a line with
//!    too few fields, a letter in a number).
//! 2. [`IometerPlan::runs`]: the runs IOmeter would make of it, access specifications outside, test cycling inside.
//! 3. [`IometerPlan::stages`]: the same as settings of the probe `load`, with HOSTs for managers.
//!
//! And back: [`IometerPlan::from_loads`] and [`write()`], which is strict: what IOmeter would read otherwise than it is
//! meant is refused. `read(write(plan))` is `plan`. Results: [`csv()`].
//!
//! Reads and writes are seen from the worker that a manager has in the file, IOmeter's *server worker*: a write is sent
//! by it. Only these are in the file; their partners on the targets' managers are made when it is loaded.

mod compose;
mod csv;
mod cycling;
mod key;
mod lines;
mod managers;
mod plan;
mod points;
mod problem;
mod resolve;
mod runs;
mod setup;
mod specs;
mod stages;
#[cfg(test)]
mod tests;
mod version;
mod write;

pub use compose::Host;
pub use csv::{Csv, Head, Layout, Point, csv, of_run};
pub use plan::{
    Assignment, Growth, IometerPlan, Manager, Record, Spec, SpecLine, Steps, Target, TestType, Work, Worker,
};
pub use problem::{Fault, IcfError, PlanError, Warning, WriteError};
pub use runs::{Active, Run};
pub use stages::{Disk, DiskWork, Stage, StageSettings};
pub use version::FileVersion;
pub use write::write;

use key::Section;
use lines::Cursor;

/// Reads an `.icf` of any version.
///
/// # Errors
/// The first thing that leaves no sure reading, with its line; see [`Fault`].
pub fn read(text: &str) -> Result<(IometerPlan, Vec<Warning>), IcfError> {
    let mut cursor = Cursor::new(text);
    let version = cursor.take_version()?;
    let mut plan = IometerPlan::default();
    let mut specs = specs::Specs::default();
    let mut managers = Vec::new();
    let mut seen: Vec<(Section, usize)> = Vec::new();
    while let Some(found) = cursor.next_section() {
        let (section, line) = found;
        if let Some((_, first)) = seen.iter().find(|(s, _)| *s == section) {
            cursor.warn(line, format!("a second {}: IOmeter takes the one of line {first}", section.name()));
            cursor.skip_section(section);
            continue;
        }
        seen.push((section, line));
        match section {
            Section::Setup => setup::read(&mut cursor, version, &mut plan)?,
            // What the screen showed says nothing about the test.
            Section::Display => cursor.skip_section(section),
            Section::Specs => specs::read(&mut cursor, &mut specs)?,
            Section::Managers => managers = managers::read(&mut cursor)?,
        }
    }
    for section in [Section::Specs, Section::Managers] {
        if !seen.iter().any(|(s, _)| *s == section) {
            return Err(cursor.error(cursor.last(), Fault::NoSection { section: section.name() }));
        }
    }
    if !seen.iter().any(|(s, _)| *s == Section::Setup) {
        cursor.warn(cursor.last(), "there is no TEST SETUP: the file gives no run time and no test type");
    }
    plan.managers = resolve::managers(&mut cursor, managers, &specs)?;
    plan.specs = specs.list;
    cursor.warnings.sort_by_key(|w| w.line);
    Ok((plan, cursor.warnings))
}

/// The version that the first line of an `.icf` gives.
///
/// # Errors
/// [`Fault::NoVersion`] where that line is no `Version a.b.c`.
pub fn version(text: &str) -> Result<FileVersion, IcfError> {
    Cursor::new(text).take_version()
}

/// The text of an `.icf` or a `results.csv` as IOmeter left it on disk: UTF-8, else the Latin alphabet of Windows,
/// byte by byte (code page 1252 without the few signs between 0x80 and 0x9f, which become control characters).
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}
