//! The section TEST SETUP.

use super::errors::{IcfError, IcfErrorKind};
use super::icf_key::{IcfKey, IcfSection};
use super::icf_lines::{IcfCursor, IcfLine, KeyLine, truncate_text};
use super::plan::{CycleSteps, GROWTH_NAMES, IometerPlan, RECORD_RESULTS_NAMES, TEST_TYPE_NAMES, join_names};
use super::version::FileVersion;
use goodput_model::units::Nanos;

pub(super) fn read_setup(
    cursor: &mut IcfCursor<'_>,
    version: FileVersion,
    plan: &mut IometerPlan,
) -> Result<(), IcfError> {
    while let Some(found) = cursor.next_key() {
        match found.key {
            IcfKey::End(IcfSection::Setup) => return Ok(()),
            IcfKey::Section(_) | IcfKey::Version => {
                cursor.step_back();
                break;
            }
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
    // Files as late as 1998.10.08 have no 'END test setup.
    if !version.is_dated_on_or_before(1998, 10, 8) {
        cursor.warn_unterminated_section(IcfSection::Setup);
    }
    Ok(())
}

fn run_time(mut line: IcfLine<'_>) -> Result<Nanos, IcfError> {
    let whole = truncate_text(line.text).to_string();
    let number = line.number;
    let mut part = || line.parse_next_number::<u32>("the run time").map(u64::from);
    let seconds = part()? * 3600 + part()? * 60 + part()?;
    let nanos = seconds.checked_mul(Nanos::SECOND.0);
    let most = u64::MAX / Nanos::SECOND.0;
    nanos.map(Nanos).ok_or(IcfError {
        line: number,
        fault: IcfErrorKind::Range { what: "the run time", found: whole, from: 0, to: most },
    })
}

/// IOmeter's word, or its number in old versions.
fn word<'a, T: Copy>(
    cursor: &mut IcfCursor<'a>,
    found: &KeyLine<'a>,
    what: &'static str,
    table: &[(&'static str, T)],
) -> Result<T, IcfError> {
    let line = cursor.read_value(found, false)?;
    parse_choice(line.number, line.text, what, table)
}

pub(super) fn parse_choice<T: Copy>(
    line: usize,
    text: &str,
    what: &'static str,
    table: &[(&'static str, T)],
) -> Result<T, IcfError> {
    let by_number = || table.get(text.parse::<usize>().ok()?);
    let entry = table.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).or_else(by_number);
    entry.map(|(_, value)| *value).ok_or_else(|| IcfError {
        line,
        fault: IcfErrorKind::Word { what, found: truncate_text(text).to_string(), known: join_names(table) },
    })
}

/// Start, optional end, step, and growth; separated by blanks or commas.
fn cycling<'a>(
    cursor: &mut IcfCursor<'a>,
    found: &KeyLine<'a>,
    end: Option<&mut u32>,
) -> Result<CycleSteps, IcfError> {
    let mut line = cursor.read_value(found, false)?;
    let start = line.parse_next_number("the start of a cycling")?;
    if let Some(end) = end {
        *end = line.parse_next_number("the end of a cycling")?;
    }
    let step = line.parse_next_number("the step of a cycling")?;
    let growth = parse_choice(line.number, line.text.trim(), "the step type of a cycling", &GROWTH_NAMES)?;
    Ok(CycleSteps { start, step, growth })
}
