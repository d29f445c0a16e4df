//! `goodput report`: writes a run, an experiment or published figures as a page, pictures, or text.

use super::report_source::ReportSource;
use crate::args::results::{ReportArgs, ReportFormat};
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use crate::{language, output};
use goodput_model::Trial;
use goodput_model::run::RunHeader;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_report::experiment::{
    csv::observations_to_csv, json::experiment_to_json, markdown::page_to_markdown,
};
use goodput_report::figure::Figure;
use goodput_report::page::{Page, user_chosen_names};
use goodput_report::path_diagram::PathDiagram;
use goodput_report::png::{Fonts, render_png};
use goodput_report::svg::Picture;
use goodput_report::{csv, figures_across_trials, html, json, svg, trial_figures, view};
use goodput_words::{ErrorMessage, message};
use std::fs;
use std::path::{Path, PathBuf};

const SCALE: f32 = 2.0;

pub fn run_report(order: &ReportArgs) -> Result<ExitStatus, Failure> {
    let reported = ReportSource::load(&order.which)?;
    // An experiment's analysis is computed once for all forms; data and document do not need it, and the page
    // computes its own.
    let computed =
        |form: &ReportFormat| !matches!(form, ReportFormat::Csv | ReportFormat::Json | ReportFormat::Page);
    let blocks = if order.format.0.iter().any(computed) {
        reported.map_experiment_results(|results| language::translate_page(results.build_page()))
    } else {
        None
    };
    if let ([form], None) = (&order.format.0[..], &order.output)
        && form.is_text_format()
    {
        output::print_text(&one_text(&reported, blocks.as_ref(), *form)?);
        return Ok(ExitStatus::Done);
    }
    let folder = order.output.clone().unwrap_or_else(|| reported.default_output_folder());
    made(&folder)?;
    let mut files = Vec::new();
    for form in order.format.0.iter().filter(|f| f.is_text_format()) {
        files.push(put(&folder, file_name(*form), one_text(&reported, blocks.as_ref(), *form)?.as_bytes())?);
    }
    let has = |form: ReportFormat| order.format.0.contains(&form);
    if has(ReportFormat::Page) {
        files.push(put(&folder, "page.html", one_file(&reported)?.as_bytes())?);
    }
    let page = match has(ReportFormat::Html) {
        true => {
            let html = |page: &Page| html::page_to_html(page, &language::localizer());
            Some(put(&folder, "report.html", with_page(&reported, blocks.as_ref(), html).as_bytes())?)
        }
        false => None,
    };
    // Markdown references its pictures as files.
    let as_svg = has(ReportFormat::Svg) || has(ReportFormat::Markdown);
    let figures =
        if as_svg || has(ReportFormat::Png) { pictures(&reported, blocks.as_ref()) } else { Vec::new() };
    let figures = drawn(&folder, figures, as_svg, has(ReportFormat::Png))?;
    print_report(order, &reported, page, &files, &figures);
    Ok(ExitStatus::Done)
}

fn print_report(
    order: &ReportArgs,
    reported: &ReportSource,
    page: Option<PathBuf>,
    files: &[PathBuf],
    figures: &[PathBuf],
) {
    if order.json {
        output::print_json(&serde_json::json!({
            "schema": "goodput/report/1", "run": reported.run_id(), "file": page, "files": files, "figures": figures,
        }));
        return;
    }
    for file in page.iter().chain(files) {
        output::print_text(&format!("{}\n", file.display()));
    }
    if page.is_none() && files.is_empty() {
        figures.iter().for_each(|file| output::print_text(&format!("{}\n", file.display())));
    } else if !figures.is_empty() {
        language::print_message(message!(progress_figures_beside { count: figures.len() }));
    }
}

fn file_name(form: ReportFormat) -> &'static str {
    match form {
        ReportFormat::Markdown => "report.md",
        ReportFormat::Csv => "data.csv",
        ReportFormat::Json => "report.json",
        _ => "report.txt",
    }
}

/// `blocks` are those of an experiment.
fn one_text(reported: &ReportSource, blocks: Option<&Page>, form: ReportFormat) -> Result<String, Failure> {
    let document = || reported.build_result_document();
    match (form, blocks) {
        (ReportFormat::Markdown, _) => {
            let picture = |id: &str| format!("{id}.svg");
            let picture = blocks.map(|_| &picture as &dyn Fn(&str) -> String);
            Ok(with_page(reported, blocks, |page| page_to_markdown(page, picture, &language::localizer())))
        }
        (ReportFormat::Json, _) => reported
            .map_experiment_results(|results| experiment_to_json(&document(), results))
            .unwrap_or_else(|| json::document_to_json(&document()))
            .or_failure(ExitStatus::CannotMeasure, "the result cannot be written as JSON"),
        (ReportFormat::Csv, _) => reported
            .map_experiment_results(|results| observations_to_csv(results.source.data))
            .or_else(|| csv::tables_for_document(&document()).pop().map(|t| t.text))
            .ok_or_else(|| {
                Failure::usage_error("this run has no table")
                    .with_hint("goodput list shows what each run contains")
            }),
        (_, Some(page)) => Ok(output::with_trailing_newline(&output::page_text(page))),
        (_, None) => Ok(output::with_trailing_newline(&language::translate_document(
            &document(),
            output::terminal_width(),
        ))),
    }
}

/// Writes the page of the experiment, else of the run. Published figures always are an experiment.
fn with_page(reported: &ReportSource, blocks: Option<&Page>, write: impl Fn(&Page) -> String) -> String {
    match (blocks, reported) {
        (Some(page), _) => write(page),
        (None, ReportSource::Recorded { run, .. }) => {
            write(&run_page(&reported.build_result_document(), Some(&run.head), &run.trials))
        }
        (None, ReportSource::Published { .. }) => String::new(),
    }
}

fn run_page(document: &ResultDocument, head: Option<&RunHeader>, trials: &[Trial]) -> Page {
    language::translate_page(view::build_run_report_page(document, head, trials))
}

/// The page of `goodput serve` with the data embedded; it selects its reader's language itself.
fn one_file(reported: &ReportSource) -> Result<String, Failure> {
    let made = match reported {
        ReportSource::Recorded { folder, .. } => {
            goodput_server::single_file_report::run_folder_to_html(folder)
        }
        ReportSource::Published { .. } => reported
            .map_experiment_results(|results| {
                goodput_server::single_file_report::page_to_html(&results.build_page())
            })
            // Published figures always have results.
            .unwrap_or_else(|| Ok(String::new())),
    };
    made.map_err(|p| Failure {
        cause: p.cause,
        hint: p.hint,
        ..Failure::new(ExitStatus::CannotMeasure, p.error)
    })
}

/// Each with the stem of its file's name.
type Pictures = Vec<(String, Box<dyn Picture>)>;

fn pictures(reported: &ReportSource, blocks: Option<&Page>) -> Pictures {
    match (blocks, reported) {
        (Some(page), _) => {
            let of_page = |f: &Figure| (f.id.clone(), Box::new(f.clone()) as Box<dyn Picture>);
            page.figures().map(of_page).collect()
        }
        (None, ReportSource::Recorded { run, .. }) => {
            of_document(&reported.build_result_document(), &run.trials)
        }
        (None, ReportSource::Published { .. }) => Vec::new(),
    }
}

fn of_document(document: &ResultDocument, trials: &[Trial]) -> Pictures {
    let names = user_chosen_names::user_chosen_names_in_document(document);
    let of_trial = |summary: &TrialSummary| {
        let trial = trials.iter().find(|t| t.id == summary.trial);
        let stem = format!("{}-{}", summary.trial, summary.probe.name());
        trial_figures(summary, trial).into_iter().map(move |figure| (format!("{stem}-{}", figure.id), figure))
    };
    // The trials of a diagnosis differ in what its table compares.
    let drawn = |_: &&TrialSummary| document.diagnosis.is_none();
    let each = goodput_report::trial_summaries(document).into_iter().filter(drawn).flat_map(of_trial);
    let of_run =
        figures_across_trials(document).into_iter().map(|figure| (format!("load-{}", figure.id), figure));
    let translated = |(stem, figure)| {
        let figure: Box<dyn Picture> = Box::new(language::translate_chart(figure, &names));
        (stem, figure)
    };
    let path = document.diagnosis.as_ref().and_then(PathDiagram::from_diagnosis).map(|diagram| {
        let diagram: Box<dyn Picture> = Box::new(language::translate_diagram(diagram));
        (diagram.id().to_string(), diagram)
    });
    path.into_iter().chain(each.chain(of_run).map(translated)).collect()
}

pub fn write_reports(
    folder: &Path,
    document: &ResultDocument,
    head: Option<&RunHeader>,
    trials: &[Trial],
) -> Result<PathBuf, Failure> {
    made(folder)?;
    let text = html::page_to_html(&run_page(document, head, trials), &language::localizer());
    let page = put(folder, "report.html", text.as_bytes())?;
    drawn(folder, of_document(document, trials), true, true)?;
    Ok(page)
}

fn made(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| failed(folder, &e))
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let file = folder.join(name);
    fs::write(&file, bytes).map_err(|e| failed(&file, &e))?;
    Ok(file)
}

fn failed(path: &Path, e: &std::io::Error) -> Failure {
    let what = message!(error_cannot_write { path: path.display().to_string() });
    Failure::from_error(ExitStatus::CannotMeasure, what, e).with_hint("specify another folder with --output")
}

fn drawn(folder: &Path, figures: Pictures, as_svg: bool, as_png: bool) -> Result<Vec<PathBuf>, Failure> {
    // Loading the system's fonts takes longer than most pictures.
    let fonts = (as_png && !figures.is_empty()).then(Fonts::load_system_fonts);
    let mut files = Vec::new();
    let mut without_png = None;
    for (stem, figure) in figures {
        if as_svg {
            files.push(put(folder, &format!("{stem}.svg"), svg::figure_to_svg_file(&*figure).as_bytes())?);
        }
        match fonts.as_ref().map(|fonts| render_png(&*figure, fonts, SCALE)) {
            Some(Ok(picture)) => files.push(put(folder, &format!("{stem}.png"), &picture.bytes)?),
            Some(Err(e)) => without_png = Some(e),
            None => {}
        }
    }
    // A missing PNG does not fail the report; the reason is reported once.
    if let Some(e) = without_png {
        language::print_message(message!(progress_no_png { why: e.message_with_sources() }));
        let hint = e.hint();
        if !hint.is_empty() {
            language::print_message(message!(line_hint { said: hint }));
        }
    }
    Ok(files)
}
