//! Downloads of a run in every format of the program.

use crate::api::runs::RunCard;
use crate::page;
use crate::problem::Problem;
use crate::results::{self, ExperimentEvaluation};
use crate::route::FileDownload;
use crate::single_file_report;
use crate::translate::{self, Localize};
use goodput_analysis::summary::summarize_trial;
use goodput_interop::iometer::{self, CsvLayout};
use goodput_interop::netpipe;
use goodput_model::summary::ResultDocument;
use goodput_model::{Message, Probe, Run};
use goodput_report::experiment::{self as reports, ExperimentResults};
use goodput_report::page::{Localizer, user_chosen_names};
use goodput_report::{csv, html, json, parquet, text, view};
use goodput_words::{ErrorMessage, Language, Translator, message};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// A form in which a run can be had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Download")]
pub struct DownloadFormat {
    /// The last part of its path.
    pub form: String,
    /// The name to keep it under.
    pub name: String,
    /// Its media type.
    pub media_type: &'static str,
}

const CSV: &str = "text/csv; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const PARQUET: &str = "application/vnd.apache.parquet";

#[derive(Clone, Copy)]
enum Form<'a> {
    Json,
    /// The observations of an experiment, or the most detailed table of a run.
    Csv,
    CsvTable(&'a str),
    Text,
    Markdown,
    Html,
    /// np.out of the first sweep.
    NetPipe,
    /// results.csv of a load.
    Iometer(CsvLayout),
    ParquetFigures,
    ParquetSamples,
    Page,
    Archive,
}

/// Name, content, ending of the file's name, media type.
const FORMS: [(&str, Form<'static>, &str, &str); 12] = [
    ("json", Form::Json, "json", "application/json"),
    ("csv", Form::Csv, "csv", CSV),
    ("text", Form::Text, "txt", TEXT),
    ("markdown", Form::Markdown, "md", "text/markdown; charset=utf-8"),
    ("html", Form::Html, "html", HTML),
    ("netpipe", Form::NetPipe, "out", TEXT),
    ("iometer", Form::Iometer(CsvLayout::V1_1), "csv", CSV),
    ("iometer-1999", Form::Iometer(CsvLayout::Y1999), "csv", CSV),
    ("parquet-figures", Form::ParquetFigures, "parquet", PARQUET),
    ("parquet-samples", Form::ParquetSamples, "parquet", PARQUET),
    ("page", Form::Page, "html", HTML),
    ("run.tar.zst", Form::Archive, "tar.zst", "application/zstd"),
];

/// Available formats. `document` is [`results::build_run_document`]; `None` for an experiment.
pub fn available_formats(run: &Run, document: Option<&ResultDocument>) -> Vec<DownloadFormat> {
    let has = |wanted: fn(&Probe) -> bool| run.trials.iter().any(|t| wanted(&t.probe));
    let mut forms = vec!["json".to_string(), "html".into(), "text".into(), "markdown".into()];
    match document {
        Some(document) => {
            forms.extend(csv::tables_for_document(document).iter().map(|t| format!("csv-{}", t.name)))
        }
        None => forms.push("csv".into()),
    }
    if has(|p| matches!(p, Probe::PingPong(_))) {
        forms.push("netpipe".into());
    }
    if has(|p| matches!(p, Probe::Load(_))) {
        forms.extend(["iometer".into(), "iometer-1999".into()]);
    }
    forms.extend(["parquet-figures".into(), "parquet-samples".into()]);
    if page::is_page_embedded() {
        forms.push("page".into());
    }
    forms.push("run.tar.zst".into());
    let offered = |form: String| {
        let (_, ending, media_type) = find_form(&form)?;
        Some(DownloadFormat { name: name(run, &form, ending), media_type, form })
    };
    forms.into_iter().filter_map(offered).collect()
}

/// Writes the run in this format and language; an error if the format does not exist for this run.
pub fn export_run(
    card: &RunCard,
    folder: &Path,
    form: &str,
    language: Language,
) -> Result<FileDownload, Problem> {
    let unknown = || not_found(message!(served_no_form { form: format!("{form:?}") }));
    let (kind, ending, media) = find_form(form).ok_or_else(unknown)?;
    let run = results::read_run(folder)?;
    let bytes = match kind {
        Form::Archive => goodput_store::archive::archive_run(folder)
            .map_err(|e| Problem::internal_error("the run cannot be packed into an archive", &e))?,
        Form::ParquetFigures => parquet::encode_metrics(&run.head, &results::build_run_document(&run))
            .map_err(|e| not_written(&e))?,
        Form::ParquetSamples => parquet::encode_samples(&run).map_err(|e| not_written(&e))?,
        Form::Page => single_file_report::run_to_html(card, &results::build_run_page(&run))?.into_bytes(),
        other => form_text(other, &run, translate::translator(language))?.into_bytes(),
    };
    Ok(FileDownload { name: name(&run, form, ending), media, bytes })
}

/// Such as `goodput-019a…-csv-trials.csv`: safe in file names and headers.
fn name(run: &Run, form: &str, ending: &str) -> String {
    let plain = matches!(form, "json" | "csv" | "text" | "markdown" | "html" | "run.tar.zst");
    let more = if plain { String::new() } else { format!("-{}", form.trim_start_matches("csv-")) };
    format!("goodput-{}{more}.{ending}", run.head.id)
}

/// Content, ending of the file's name, and media type.
fn find_form(name: &str) -> Option<(Form<'_>, &'static str, &'static str)> {
    if let Some(table) = name.strip_prefix("csv-") {
        let is_word = table.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        return is_word.then_some((Form::CsvTable(table), "csv", CSV));
    }
    let (_, form, ending, media) = FORMS.into_iter().find(|(known, ..)| *known == name)?;
    Some((form, ending, media))
}

fn form_text(form: Form<'_>, run: &Run, words: &Translator) -> Result<String, Problem> {
    let evaluated = ExperimentEvaluation::from_run(run);
    let results = evaluated.as_ref().map(ExperimentEvaluation::results);
    // Expensive with many samples, and not every format needs it.
    let document = || results::build_run_document(run);
    let say = |message: &Message| words.format_message(message);
    let localizer = Localizer { tag: words.language().bcp47_tag(), say: &say };
    let page = || {
        let of_run = || view::build_run_report_page(&document(), Some(&run.head), &run.trials);
        results.as_ref().map_or_else(of_run, ExperimentResults::build_page).localized(words)
    };
    Ok(match (form, &results) {
        (Form::Json, Some(results)) => {
            reports::json::experiment_to_json(&document(), results).map_err(|e| not_written(&e))?
        }
        (Form::Json, None) => json::document_to_json(&document()).map_err(|e| not_written(&e))?,
        (Form::Csv, Some(results)) => reports::csv::observations_to_csv(results.source.data),
        (Form::Csv, None) => {
            let table = csv::tables_for_document(&document()).pop();
            table.map(|t| t.text).ok_or_else(|| not_found(message!(served_run_without_table)))?
        }
        (Form::CsvTable(name), _) => csv::tables_for_document(&document())
            .into_iter()
            .find(|t| t.name == name)
            .map(|t| t.text)
            .ok_or_else(|| not_found(message!(served_run_without_named_table { name })))?,
        (Form::Text, Some(_)) => reports::text::page_to_text(&page(), None, &localizer),
        (Form::Text, None) => {
            let document = document();
            let parts = text::text_blocks_for_document(&document, None);
            text::blocks_to_text(
                &translate::translate_text_blocks(
                    words,
                    parts,
                    &user_chosen_names::user_chosen_names_in_document(&document),
                ),
                None,
            )
        }
        (Form::Markdown, _) => reports::markdown::page_to_markdown(&page(), None, &localizer),
        (Form::Html, _) => html::page_to_html(&page(), &localizer),
        (Form::NetPipe, _) => np_out(run)?,
        (Form::Iometer(layout), _) => results_csv(run, layout)?,
        (Form::Archive | Form::Page | Form::ParquetFigures | Form::ParquetSamples, _) => String::new(),
    })
}

fn not_written(e: &impl ErrorMessage) -> Problem {
    Problem::internal_error("the run cannot be exported in this format", e)
}

fn not_found(error: Message) -> Problem {
    Problem::not_found(error).with_hint("the run itself names its downloads: GET /api/v1/runs/ID")
}

fn np_out(run: &Run) -> Result<String, Problem> {
    let sweep = run.trials.iter().find_map(|trial| match &trial.probe {
        Probe::PingPong(settings) => Some((trial, settings.pattern)),
        _ => None,
    });
    let (trial, pattern) = sweep.ok_or_else(|| not_found(message!(served_run_without_sweep)))?;
    netpipe::write_netpipe(&summarize_trial(trial).pingpong_points(), pattern)
        .map_err(|e| Problem::bad_request("the sweep cannot be written as np.out").with_cause(e.message()))
}

fn results_csv(run: &Run, layout: CsvLayout) -> Result<String, Problem> {
    if !run.trials.iter().any(|t| matches!(t.probe, Probe::Load(_))) {
        return Err(not_found(message!(served_run_without_load)));
    }
    iometer::csv_from_run(&run.head, &run.trials, layout).map(|csv| csv.text).map_err(|e| {
        Problem::bad_request("the load cannot be written as results.csv").with_cause(e.message())
    })
}
