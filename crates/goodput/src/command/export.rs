//! `goodput export`: a recorded run as JSON, CSV, Parquet, NetPIPE's np.out or IOmeter's results.csv.

use super::find_run;
use crate::args::results::{ExportArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{language, output};
use goodput_analysis::summary::summarise;
use goodput_interop::iometer::{self, Layout};
use goodput_model::summary::Document;
use goodput_model::{Probe, Run, Trial};
use std::path::Path;

pub fn run(order: &ExportArgs) -> Result<Exit, Failure> {
    let run = find_run::read(&find_run::folder(&order.which)?)?;
    let trials = chosen(&run, order.trial)?;
    let bytes = match order.format {
        Format::Json => json(&find_run::document(Some(run.head.id), &trials))?.into_bytes(),
        Format::Csv => {
            table(&find_run::document(Some(run.head.id), &trials), order.table.as_deref())?.into_bytes()
        }
        Format::Parquet => parquet(&run, trials, order.table.as_deref())?,
        Format::NetPipe => {
            let sweep = trials.iter().find(|t| matches!(t.probe, Probe::PingPong(_))).ok_or_else(|| {
                Failure::usage("there is no sweep in this run")
                    .because("np.out holds message sizes, which only pingpong measures")
                    .try_this("choose a pingpong run: goodput list")
            })?;
            np_out(sweep)?.into_bytes()
        }
        Format::Iometer(layout) => results_csv(&run, &trials, layout)?.into_bytes(),
    };
    match &order.output {
        None => output::text(&String::from_utf8_lossy(&bytes)),
        Some(file) => {
            write(file, &bytes)?;
            if order.json {
                output::json(
                    &serde_json::json!({ "schema": "goodput/export/1", "file": file, "run": run.head.id }),
                );
            } else {
                language::print_message(&format!("wrote {}", file.display()));
            }
        }
    }
    Ok(Exit::Done)
}

fn json(document: &Document) -> Result<String, Failure> {
    goodput_report::json::document(document)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "the run cannot be written as JSON", &e))
}

/// The named table, else the last with rows: the most detailed one.
fn table(document: &Document, name: Option<&str>) -> Result<String, Failure> {
    let tables = goodput_report::csv::tables(document);
    let known: Vec<&str> = tables.iter().map(|t| t.name).collect();
    let refused = Failure::usage(format!("the run has no table {}", name.unwrap_or("at all")))
        .because(format!("it has {}", if known.is_empty() { "no trial".into() } else { known.join(", ") }))
        .try_this("choose another --table, or another run");
    let found = match name {
        Some(name) => tables.into_iter().find(|t| t.name == name),
        None => tables.into_iter().next_back(),
    };
    found.map(|t| t.text).ok_or(refused)
}

fn parquet(run: &Run, trials: Vec<Trial>, table: Option<&str>) -> Result<Vec<u8>, Failure> {
    let written = match table {
        Some("figures") => {
            let document = find_run::document(Some(run.head.id), &trials);
            goodput_report::parquet::figures(&run.head, &document)
        }
        _ => goodput_report::parquet::samples(&Run { trials, ..run.clone() }),
    };
    written.map_err(|e| Failure::from_error(Exit::CannotMeasure, "the run cannot be written as Parquet", &e))
}

fn chosen(run: &Run, number: Option<u32>) -> Result<Vec<Trial>, Failure> {
    let Some(number) = number else { return Ok(run.trials.clone()) };
    let found: Vec<Trial> = run.trials.iter().filter(|t| t.id.0 == number).cloned().collect();
    if found.is_empty() {
        let known: Vec<String> = run.trials.iter().map(|t| t.id.to_string()).collect();
        return Err(Failure::usage(format!("the run has no trial {number}"))
            .because(format!("it has {}", if known.is_empty() { "none".into() } else { known.join(", ") }))
            .try_this("leave --trial out for all"));
    }
    Ok(found)
}

pub fn np_out(trial: &Trial) -> Result<String, Failure> {
    let Probe::PingPong(settings) = &trial.probe else {
        return Err(Failure::usage("only a sweep can be written as np.out"));
    };
    goodput_interop::netpipe::write(&summarise(trial).points(), settings.pattern)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "the sweep cannot be written as np.out", &e))
}

/// What the format cannot hold is reported on standard error.
fn results_csv(run: &Run, trials: &[Trial], layout: Layout) -> Result<String, Failure> {
    if !trials.iter().any(|t| matches!(t.probe, Probe::Load(_))) {
        return Err(Failure::usage("there is no load in this run")
            .because("results.csv holds one server and its clients, which only goodput load measures")
            .try_this("choose a load run: goodput list"));
    }
    let csv = iometer::of_run(&run.head, trials, layout).map_err(|e| {
        Failure::from_error(Exit::CannotMeasure, "the run cannot be written as results.csv", &e)
            .try_this("goodput export --format csv quotes every name")
    })?;
    csv.notes.iter().for_each(|note| language::print_message(&format!("note: {note}")));
    Ok(csv.text)
}

pub fn write(file: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    std::fs::write(file, contents).map_err(|e| {
        Failure::from_error(Exit::CannotMeasure, format!("cannot write {}", file.display()), &e)
            .try_this("name another file")
    })
}
