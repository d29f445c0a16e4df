//! Runs the trials of one part of a file run: preparation, measurement, removal.

use super::super::measurement::{Measurement, interrupted};
use super::super::sequence::Repeats;
use super::plan::PartPlan;
use super::trouble;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::interrupt;
use goodput_analysis::file::place::words;
use goodput_control::Cancel;
use goodput_model::file::FileWork;
use goodput_model::{File, Outcome, Probe, Trial};

/// `cleaning` is the command that removes a leftover folder.
pub fn make(measurement: &mut Measurement<'_>, plan: PartPlan, cancel: &Cancel, cleaning: &str) {
    let mut made = 0;
    for file in &plan.prepare {
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
    let prepared = measurement.trouble.is_none() && made == plan.prepare.len();
    if prepared {
        // A failure in an uncounted round recurs in a counted one and is reported there.
        let mut rounds = plan.warm_up.iter();
        while !cancel.is_cancelled()
            && rounds.next().is_some_and(|f| run_auxiliary(measurement, f, cancel).is_ok())
        {}
        if !cancel.is_cancelled() {
            measurement.make(&mut Repeats::new(plan.measure.into_iter().map(Probe::File).collect(), 1));
        }
    }
    let remove = &plan.remove[..made.min(plan.remove.len())];
    remove_all(measurement, remove, prepared, cleaning);
}

/// Always removes our folders, also after an interrupt; a second Ctrl-C ends at once.
fn remove_all(measurement: &mut Measurement<'_>, remove: &[File], prepared: bool, cleaning: &str) {
    for file in remove {
        let Err(failure) = run_auxiliary(measurement, file, &Cancel::default()) else { continue };
        if !prepared {
            // The folder may not exist.
            continue;
        }
        let what = format!("our folder {} could not be removed", file.workspace);
        measurement.screen.say(&format!("{what}; {cleaning}"));
        if measurement.trouble.is_none() && measurement.is_complete() {
            let why = failure.cause.unwrap_or(failure.error);
            measurement.trouble = Some(Failure::new(Exit::BrokeOff, what).because(why).try_this(cleaning));
        }
    }
}

fn run_auxiliary(measurement: &mut Measurement<'_>, file: &File, cancel: &Cancel) -> Result<(), Failure> {
    let done = measurement.run_unrecorded(Probe::File(file.clone()), cancel);
    let removes = matches!(file.work, FileWork::Remove);
    let at = words(&file.place, None);
    let what = match removes {
        true => format!("our folder in {at} could not be removed"),
        false => format!("nothing could be made ready in {at}"),
    };
    match done {
        Ok(Trial { outcome: Outcome::Complete, .. }) => Ok(()),
        _ if !removes && interrupt::asked() => Err(interrupted()),
        Ok(Trial { outcome: Outcome::Partial { cause } | Outcome::Failed { cause }, .. }) => {
            Err(trouble::failure(what, &cause))
        }
        Err(e) => Err(failure::control(&what, &e)),
    }
}
