//! `goodput show`: the tables of a recorded run.

mod minimum_detectable_change;

use super::find_run;
use super::run::ExperimentReport;
use crate::args::results::ShowArgs;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output;

pub fn run_show(order: &ShowArgs) -> Result<ExitStatus, Failure> {
    let folder = find_run::find_run_folder(&order.which)?;
    let run = find_run::read_run(&folder)?;
    if let Some(change) = order.resolution {
        return minimum_detectable_change::print_minimum_detectable_change(&run, change, order.json);
    }
    if let Some(report) = ExperimentReport::from_run(&run, &folder) {
        report.print_report(order.json, None)?;
        return Ok(ExitStatus::Done);
    }
    output::print_result(&find_run::build_result_document(Some(run.head.id), &run.trials), order.json);
    Ok(ExitStatus::Done)
}
