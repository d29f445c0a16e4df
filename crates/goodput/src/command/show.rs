//! `goodput show`: the tables of a recorded run.

use super::recorded;
use crate::args::results::Show;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Prints what the measuring command printed, computed again from the samples.
pub fn run(order: &Show) -> Result<Exit, Failure> {
    let run = recorded::read(&recorded::folder(&order.which)?)?;
    output::result(&recorded::document(Some(run.head.id), &run.trials), order.json);
    Ok(Exit::Done)
}
