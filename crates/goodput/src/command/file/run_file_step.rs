//! Runs the trials of one part of a file run: preparation, measurement, removal. Also those of a diagnosis.

use super::super::measurement::{Measurement, interrupted_failure};
use super::super::trial_sequence::RepeatSequence;
use super::file_errors;
use super::plan::FileBenchmarkTrials;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::interrupt;
use goodput_analysis::file_results::location::{format_location, location_text};
use goodput_control::CancelFlag;
use goodput_model::file::FileWorkload;
use goodput_model::{File, Message, Probe, Trial, TrialOutcome};
use goodput_words::message;

/// `cleaning` is the command that removes a leftover folder.
pub fn run_file_benchmark(
    measurement: &mut Measurement<'_>,
    plan: FileBenchmarkTrials,
    cancel: &CancelFlag,
    cleaning: &Message,
) {
    let FileBenchmarkTrials { prepare, warm_up, measure, remove } = plan;
    run_with_prepared_files(measurement, (&prepare, &remove), cancel, cleaning, |measurement| {
        // A failure in an uncounted round recurs in a counted one and is reported there.
        let mut rounds = warm_up.iter();
        while !cancel.is_cancelled()
            && rounds.next().is_some_and(|f| run_auxiliary(measurement, f, cancel).is_ok())
        {}
        if !cancel.is_cancelled() {
            measurement.run_trial_sequence(&mut RepeatSequence::new(
                measure.into_iter().map(Probe::File).collect(),
                1,
            ));
        }
    });
}

/// Measures if every preparation succeeded, and removes what was prepared; `remove` has a trial for each.
pub fn run_with_prepared_files<'a>(
    measurement: &mut Measurement<'a>,
    (prepare, remove): (&[File], &[File]),
    cancel: &CancelFlag,
    cleaning: &Message,
    measure: impl FnOnce(&mut Measurement<'a>),
) {
    let mut made = 0;
    for file in prepare {
        if cancel.is_cancelled() {
            break;
        }
        // Counted before success: a failed trial may have left files as well.
        made += 1;
        if let Err(failure) = run_auxiliary(measurement, file, cancel) {
            measurement.trouble = Some(failure);
            break;
        }
    }
    let prepared = measurement.trouble.is_none() && made == prepare.len();
    if prepared {
        measure(measurement);
    }
    let remove = &remove[..made.min(remove.len())];
    remove_all(measurement, remove, prepared, cleaning);
}

/// Always removes our folders, also after an interrupt; a second Ctrl-C ends at once.
fn remove_all(measurement: &mut Measurement<'_>, remove: &[File], prepared: bool, cleaning: &Message) {
    for file in remove {
        let Err(failure) = run_auxiliary(measurement, file, &CancelFlag::default()) else { continue };
        if !prepared {
            // The folder may not exist.
            continue;
        }
        let what = message!(error_file_folder_left { folder: &file.workspace });
        measurement.screen.print_message(message!(list_semicolon { first: &what, then: cleaning }));
        if measurement.trouble.is_none() && measurement.is_last_trial_complete() {
            let why = failure.cause.unwrap_or(failure.error);
            measurement.trouble =
                Some(Failure::new(ExitStatus::BrokeOff, what).with_cause(why).with_hint(cleaning));
        }
    }
}

/// A trial that is not recorded.
pub fn run_auxiliary(
    measurement: &mut Measurement<'_>,
    file: &File,
    cancel: &CancelFlag,
) -> Result<Trial, Failure> {
    let done = measurement.run_unrecorded_trial(Probe::File(file.clone()), cancel);
    let removes = matches!(file.work, FileWorkload::Remove);
    let place = location_text(&format_location(&file.place, None));
    let what = match removes {
        true => message!(error_file_folder_not_removed { place }),
        false => message!(error_file_nothing_ready { place }),
    };
    match done {
        Ok(trial @ Trial { outcome: TrialOutcome::Complete, .. }) => Ok(trial),
        _ if !removes && interrupt::is_interrupted() => Err(interrupted_failure()),
        Ok(Trial { outcome: TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause }, .. }) => {
            Err(file_errors::file_operation_failure(what, &cause))
        }
        Err(e) => Err(failure::failure_from_control_error(what, &e)),
    }
}
