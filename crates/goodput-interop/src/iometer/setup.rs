//! The section TEST SETUP.

use super::errors::IcfError;
use super::icf_key::{IcfKey, IcfSection};
use super::icf_lines::{IcfCursor, IcfKeyLine, IcfLine};
use super::plan::{
    CycleSteps, IometerPlan, RECORD_RESULTS_NAMES, STEP_GROWTH_NAMES, TEST_TYPE_NAMES, join_keywords,
};
use goodput_model::units::Nanos;

pub(super) fn read_test_setup(cursor: &mut IcfCursor<'_>, plan: &mut IometerPlan) -> Result<(), IcfError> {
    while let Some(found) = cursor.next_key_in_section(IcfSection::Setup) {
        match found.key {
            IcfKey::Description => plan.description = cursor.read_value(&found, true)?.text.to_string(),
            IcfKey::RunTime => plan.run_time = run_time(cursor.read_value(&found, false)?)?,
            IcfKey::RampUp => {
                let seconds: u32 = cursor.read_value(&found, false)?.parse_next_number("the ramp-up time")?;
                plan.ramp_up = Nanos(u64::from(seconds) * Nanos::SECOND.0);
            }
            IcfKey::Record => plan.record = word(cursor, &found, "'Record Results", &RECORD_RESULTS_NAMES)?,
            IcfKey::TestType => plan.test = word(cursor, &found, "'Test Type", &TEST_TYPE_NAMES)?,
            IcfKey::WorkerCycling => plan.worker_cycling = cycling(cursor, &found, None)?,
            IcfKey::DiskCycling => plan.target_cycling = cycling(cursor, &found, None)?,
            IcfKey::QueueCycling => {
                plan.queue_cycling = cycling(cursor, &found, Some(&mut plan.queue_end))?;
            }
            // Workers for managers that are not in the file are not created.
            IcfKey::Spawn => {
                cursor.read_value(&found, true)?;
            }
            _ => cursor.warn_misplaced_key(&found),
        }
    }
    Ok(())
}

fn run_time(mut line: IcfLine<'_>) -> Result<Nanos, IcfError> {
    let IcfLine { number, text } = line;
    let mut part = || line.parse_next_number::<u32>("the run time").map(u64::from);
    let seconds = part()? * 3600 + part()? * 60 + part()?;
    let most = u64::MAX / Nanos::SECOND.0;
    let nanos = seconds.checked_mul(Nanos::SECOND.0).map(Nanos);
    nanos.ok_or_else(|| IcfError::out_of_range(number, "the run time", text, 0, most))
}

/// IOmeter's word, or its number in old versions.
fn word<'a, T: Copy>(
    cursor: &mut IcfCursor<'a>,
    found: &IcfKeyLine<'a>,
    what: &'static str,
    table: &[(&'static str, T)],
) -> Result<T, IcfError> {
    let line = cursor.read_value(found, false)?;
    parse_keyword(line.number, line.text, what, table)
}

pub(super) fn parse_keyword<T: Copy>(
    line: usize,
    text: &str,
    what: &'static str,
    table: &[(&'static str, T)],
) -> Result<T, IcfError> {
    let by_number = || table.get(text.parse::<usize>().ok()?);
    let entry = table.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).or_else(by_number);
    let known = entry.map(|(_, value)| *value);
    known.ok_or_else(|| IcfError::unknown_word(line, what, text, &join_keywords(table)))
}

/// Start, optional end, step, and growth; separated by blanks or commas.
fn cycling<'a>(
    cursor: &mut IcfCursor<'a>,
    found: &IcfKeyLine<'a>,
    end: Option<&mut u32>,
) -> Result<CycleSteps, IcfError> {
    let mut line = cursor.read_value(found, false)?;
    let start = line.parse_next_number("the start of a cycling")?;
    if let Some(end) = end {
        *end = line.parse_next_number("the end of a cycling")?;
    }
    let step = line.parse_next_number("the step of a cycling")?;
    let growth =
        parse_keyword(line.number, line.text.trim(), "the step type of a cycling", &STEP_GROWTH_NAMES)?;
    Ok(CycleSteps { start, step, growth })
}
