//! `goodput show`: the tables of a recorded run.

mod resolution;

use super::find_run;
use super::run::Report;
use crate::args::results::ShowArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

pub fn run(order: &ShowArgs) -> Result<Exit, Failure> {
    let folder = find_run::folder(&order.which)?;
    let run = find_run::read(&folder)?;
    if let Some(change) = order.resolution {
        return resolution::run(&run, change, order.json);
    }
    if let Some(report) = Report::of(&run, Some(&folder)) {
        report.print(order.json, None)?;
        return Ok(Exit::Done);
    }
    output::result(&find_run::document(Some(run.head.id), &run.trials), order.json);
    Ok(Exit::Done)
}
