//! Reads and writes IOmeter's configuration (`.icf`), and writes its results (`results.csv`).
//!
//! Based on the source of 1.1.0 and its manual; names and order of keys and columns are IOmeter's. [`read()`]
//! parses to an [`IometerPlan`] with [`LineWarning`]s: tolerant of blank lines and comments, strict where
//! IOmeter guesses. [`IometerPlan::runs`] lists IOmeter's runs, [`IometerPlan::stages`] converts them to settings of
//! the probe `load`. Back: [`IometerPlan::from_load_points`] and [`write()`]; `read(write(plan))` is `plan`.
//!
//! Reads and writes are seen from the worker in the file, IOmeter's *server worker*: it sends a write. Its
//! partner on the target's manager is created when the file is loaded.

mod compose;
mod csv;
mod cycling;
mod errors;
mod icf_key;
mod icf_lines;
mod load_builder;
mod managers;
mod plan;
mod resolve;
mod runs;
mod setup;
mod specs;
mod stages;
#[cfg(test)]
mod tests;
mod version;
mod write;

pub use compose::IometerHost;
pub use csv::{CsvLayout, CsvOutput, csv_from_run};
pub use errors::{IcfError, IcfWriteError, IometerPlanError};
pub use plan::{
    AccessSpec, AccessSpecDefaultAssignment, AccessSpecLine, CycleSteps, IometerManager, IometerPlan,
    IometerWorker, RecordResultsMode, StepGrowth, TestType, WorkerLoad, WorkerTarget,
};
pub use runs::{ActiveWorker, IometerRun};
pub use stages::{DiskStage, DiskWorkerPolicy, StageSettings, TestStage};
pub use version::IcfVersion;
pub use write::write_icf;

use crate::LineWarning;
use goodput_words::message;
use icf_key::IcfSection;
use icf_lines::IcfCursor;

/// Any version. The error names the first ambiguous line.
pub fn read_icf(text: &str) -> Result<(IometerPlan, Vec<LineWarning>), IcfError> {
    let mut cursor = IcfCursor::new(text);
    cursor.read_version()?;
    let mut plan = IometerPlan::default();
    let mut specs = specs::AccessSpecs::default();
    let mut managers = Vec::new();
    let mut seen: Vec<(IcfSection, usize)> = Vec::new();
    while let Some(found) = cursor.next_section() {
        let (section, line) = found;
        if let Some((_, first)) = seen.iter().find(|(s, _)| *s == section) {
            let (name, first) = (section.section_name(), first.to_string());
            cursor.add_warning(line, message!(cause_icf_second_section { name, first }));
            cursor.skip_section(section);
            continue;
        }
        seen.push((section, line));
        match section {
            IcfSection::Setup => setup::read_test_setup(&mut cursor, &mut plan)?,
            IcfSection::Display => cursor.skip_section(section),
            IcfSection::Specs => specs::read_access_specs(&mut cursor, &mut specs)?,
            IcfSection::Managers => managers = managers::read_managers(&mut cursor)?,
        }
    }
    for section in [IcfSection::Specs, IcfSection::Managers] {
        if !seen.iter().any(|(s, _)| *s == section) {
            let why = message!(cause_icf_no_section { name: section.section_name() });
            let hint = "save the file in IOmeter with access specifications, workers and targets ticked";
            return Err(IcfError { hint, ..IcfError::new(cursor.last_line_number(), why) });
        }
    }
    if !seen.iter().any(|(s, _)| *s == IcfSection::Setup) {
        cursor.add_warning(
            cursor.last_line_number(),
            "there is no TEST SETUP: the file gives no run time and no test type",
        );
    }
    plan.managers = resolve::resolve_managers(&mut cursor, &managers, &specs)?;
    plan.specs = specs.list.into_iter().map(|(_, spec)| spec).collect();
    cursor.warnings.sort_by_key(|w| w.line);
    Ok((plan, cursor.warnings))
}

/// Fails where the file does not begin with one.
pub fn read_version(text: &str) -> Result<IcfVersion, IcfError> {
    IcfCursor::new(text).read_version()
}

/// UTF-8, else Windows Latin by bytes (code page 1252, but 0x80 to 0x9f become control characters).
pub fn decode_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}
