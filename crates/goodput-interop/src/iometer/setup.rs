//! The section TEST SETUP.

use super::key::{Key, Section};
use super::lines::{Cursor, Found, Line, short};
use super::plan::{GROWTHS, IometerPlan, RECORDS, Steps, TEST_TYPES, known};
use super::problem::{Fault, IcfError};
use super::version::FileVersion;
use goodput_model::units::Nanos;

pub(super) fn read(
    cursor: &mut Cursor<'_>,
    version: FileVersion,
    plan: &mut IometerPlan,
) -> Result<(), IcfError> {
    while let Some(found) = cursor.next_key() {
        match found.key {
            Key::End(Section::Setup) => return Ok(()),
            Key::Section(_) | Key::Version => {
                cursor.back();
                break;
            }
            Key::Description => plan.description = cursor.value(&found, true)?.text.to_string(),
            Key::RunTime => plan.run_time = run_time(cursor.value(&found, false)?)?,
            Key::RampUp => {
                let seconds: u32 = cursor.value(&found, false)?.take_number("the ramp-up time")?;
                plan.ramp_up = Nanos(u64::from(seconds) * Nanos::SECOND.0);
            }
            Key::Record => plan.record = word(cursor, &found, "'Record Results", &RECORDS)?,
            Key::TestType => plan.test = word(cursor, &found, "'Test Type", &TEST_TYPES)?,
            Key::WorkerCycling => plan.worker_cycling = cycling(cursor, &found, None)?,
            Key::DiskCycling => plan.target_cycling = cycling(cursor, &found, None)?,
            Key::QueueCycling => {
                plan.queue_cycling = cycling(cursor, &found, Some(&mut plan.queue_end))?;
            }
            // Workers for managers that are not in the file are not created.
            Key::Spawn => {
                cursor.value(&found, true)?;
            }
            _ => cursor.misplaced(&found),
        }
    }
    // Files as late as 1998.10.08 have no 'END test setup.
    if !version.until(1998, 10, 8) {
        cursor.unended(Section::Setup);
    }
    Ok(())
}

fn run_time(mut line: Line<'_>) -> Result<Nanos, IcfError> {
    let whole = short(line.text).to_string();
    let number = line.number;
    let mut part = || line.take_number::<u32>("the run time").map(u64::from);
    let seconds = part()? * 3600 + part()? * 60 + part()?;
    let nanos = seconds.checked_mul(Nanos::SECOND.0);
    let most = u64::MAX / Nanos::SECOND.0;
    nanos.map(Nanos).ok_or(IcfError {
        line: number,
        fault: Fault::Range { what: "the run time", found: whole, from: 0, to: most },
    })
}

/// IOmeter's word, or its number in old versions.
fn word<'a, T: Copy>(
    cursor: &mut Cursor<'a>,
    found: &Found<'a>,
    what: &'static str,
    table: &[(&'static str, T)],
) -> Result<T, IcfError> {
    let line = cursor.value(found, false)?;
    choose(line.number, line.text, what, table)
}

pub(super) fn choose<T: Copy>(
    line: usize,
    text: &str,
    what: &'static str,
    table: &[(&'static str, T)],
) -> Result<T, IcfError> {
    let by_number = || table.get(text.parse::<usize>().ok()?);
    let entry = table.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).or_else(by_number);
    entry.map(|(_, value)| *value).ok_or_else(|| IcfError {
        line,
        fault: Fault::Word { what, found: short(text).to_string(), known: known(table) },
    })
}

/// Start, optional end, step, and growth; separated by blanks or commas.
fn cycling<'a>(cursor: &mut Cursor<'a>, found: &Found<'a>, end: Option<&mut u32>) -> Result<Steps, IcfError> {
    let mut line = cursor.value(found, false)?;
    let start = line.take_number("the start of a cycling")?;
    if let Some(end) = end {
        *end = line.take_number("the end of a cycling")?;
    }
    let step = line.take_number("the step of a cycling")?;
    let growth = choose(line.number, line.text.trim(), "the step type of a cycling", &GROWTHS)?;
    Ok(Steps { start, step, growth })
}
