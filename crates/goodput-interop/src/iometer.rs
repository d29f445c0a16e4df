//! Reads and writes IOmeter's configuration (`.icf`), and writes its results (`results.csv`).
//!
//! Based on the source of 1.1.0 and its manual; names and order of keys and columns are IOmeter's. [`read()`]
//! parses to an [`IometerPlan`] with [`Warning`]s: tolerant of blank lines and comments, strict where IOmeter
//! guesses. [`IometerPlan::runs`] lists IOmeter's runs, [`IometerPlan::stages`] converts them to settings of
//! the probe `load`. Back: [`IometerPlan::from_loads`] and [`write()`]; `read(write(plan))` is `plan`.
//!
//! Reads and writes are seen from the worker in the file, IOmeter's *server worker*: it sends a write. Its
//! partner on the target's manager is created when the file is loaded.

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

/// Any version. The error names the first ambiguous line; see [`Fault`].
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

/// Fails with [`Fault::NoVersion`].
pub fn version(text: &str) -> Result<FileVersion, IcfError> {
    Cursor::new(text).take_version()
}

/// UTF-8, else Windows Latin byte by byte (code page 1252, except that 0x80 to 0x9f become control
/// characters).
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}
