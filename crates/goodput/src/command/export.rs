//! `goodput export`: a recorded run as JSON, CSV, Parquet, NetPIPE's np.out or IOmeter's results.csv.

use super::find_run;
use crate::args::results::{ExportArgs, ExportFormat};
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use crate::{language, output};
use goodput_analysis::summary::summarize_trial;
use goodput_interop::iometer::{self, CsvLayout};
use goodput_model::summary::ResultDocument;
use goodput_model::{Message, Probe, Run, Trial};
use goodput_words::message;
use std::path::Path;

pub fn run_export(order: &ExportArgs) -> Result<ExitStatus, Failure> {
    let run = find_run::read_run(&find_run::find_run_folder(&order.which)?)?;
    let trials = chosen(&run, order.trial)?;
    let document = || find_run::build_result_document(Some(run.head.id), &trials);
    let bytes = match order.format {
        ExportFormat::Json => json(&document())?.into_bytes(),
        ExportFormat::Csv => table(&document(), order.table.as_deref())?.into_bytes(),
        ExportFormat::Parquet => parquet(&run, trials, order.table.as_deref())?,
        ExportFormat::NetPipe => {
            let sweep = trials.iter().find(|t| matches!(t.probe, Probe::PingPong(_))).ok_or_else(|| {
                Failure::usage_error("this run contains no sweep")
                    .with_cause("np.out contains results by message size, which only pingpong measures")
                    .with_hint("choose a pingpong run: goodput list")
            })?;
            trial_to_netpipe(sweep)?.into_bytes()
        }
        ExportFormat::Iometer(layout) => results_csv(&run, &trials, layout)?.into_bytes(),
    };
    match &order.output {
        None => output::print_text(&String::from_utf8_lossy(&bytes)),
        Some(file) => {
            write_output_file(file, &bytes)?;
            if order.json {
                output::print_json(
                    &serde_json::json!({ "schema": "goodput/export/1", "file": file, "run": run.head.id }),
                );
            } else {
                language::print_message(message!(progress_wrote { file: file.display().to_string() }));
            }
        }
    }
    Ok(ExitStatus::Done)
}

fn json(document: &ResultDocument) -> Result<String, Failure> {
    goodput_report::json::document_to_json(document).map_err(|e| {
        Failure::from_foreign_error(ExitStatus::CannotMeasure, "the run cannot be written as JSON", &e)
    })
}

/// The named table, else the last with rows: the most detailed one.
fn table(document: &ResultDocument, name: Option<&str>) -> Result<String, Failure> {
    let tables = goodput_report::csv::tables_for_document(document);
    let known: Vec<&str> = tables.iter().map(|t| t.name).collect();
    let refused = Failure::usage_error(match name {
        Some(name) => message!(error_run_has_no_table { name }),
        None => "the run does not contain any table".into(),
    })
    .with_cause(existing(&known))
    .with_hint("choose another --table, or another run");
    let found = match name {
        Some(name) => tables.into_iter().find(|t| t.name == name),
        None => tables.into_iter().next_back(),
    };
    found.map(|t| t.text).ok_or(refused)
}

fn parquet(run: &Run, trials: Vec<Trial>, table: Option<&str>) -> Result<Vec<u8>, Failure> {
    let written = match table {
        Some("figures") => {
            let document = find_run::build_result_document(Some(run.head.id), &trials);
            goodput_report::parquet::encode_metrics(&run.head, &document)
        }
        _ => goodput_report::parquet::encode_samples(&Run { trials, ..run.clone() }),
    };
    written.map_err(|e| {
        Failure::from_foreign_error(ExitStatus::CannotMeasure, "the run cannot be written as Parquet", &e)
    })
}

/// The names of the tables or trials that could be chosen instead.
fn existing<T: AsRef<str>>(known: &[T]) -> Message {
    match known {
        [] => "the run contains no trial".into(),
        known => {
            let names: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
            message!(cause_export_choices { names })
        }
    }
}

fn chosen(run: &Run, number: Option<u32>) -> Result<Vec<Trial>, Failure> {
    let Some(number) = number else { return Ok(run.trials.clone()) };
    let found: Vec<Trial> = run.trials.iter().filter(|t| t.id.0 == number).cloned().collect();
    if found.is_empty() {
        let known: Vec<String> = run.trials.iter().map(|t| t.id.to_string()).collect();
        return Err(Failure::usage_error(message!(error_run_has_no_trial { number: number.to_string() }))
            .with_cause(existing(&known))
            .with_hint("omit --trial to select all trials"));
    }
    Ok(found)
}

pub fn trial_to_netpipe(trial: &Trial) -> Result<String, Failure> {
    let Probe::PingPong(settings) = &trial.probe else {
        return Err(Failure::usage_error("only a sweep can be written as np.out"));
    };
    goodput_interop::netpipe::write_netpipe(&summarize_trial(trial).pingpong_points(), settings.pattern)
        .or_failure(ExitStatus::CannotMeasure, "the sweep cannot be written as np.out")
}

/// What the format cannot hold is reported on standard error.
fn results_csv(run: &Run, trials: &[Trial], layout: CsvLayout) -> Result<String, Failure> {
    if !trials.iter().any(|t| matches!(t.probe, Probe::Load(_))) {
        return Err(Failure::usage_error("this run contains no load results")
            .with_cause("results.csv describes one server and its clients, which only goodput load measures")
            .with_hint("choose a load run: goodput list"));
    }
    let csv = iometer::csv_from_run(&run.head, trials, layout)
        .or_failure(ExitStatus::CannotMeasure, "the run cannot be written as results.csv")
        .with_hint("use goodput export --format csv, which quotes every name")?;
    let notes = csv.notes.iter().map(|note| message!(line_note { said: Message::from(note) }));
    notes.for_each(language::print_message);
    Ok(csv.text)
}

pub fn write_output_file(file: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let path = file.display().to_string();
    std::fs::write(file, contents)
        .or_failure(ExitStatus::CannotMeasure, message!(error_cannot_write { path }))
        .with_hint("choose another file")
}
