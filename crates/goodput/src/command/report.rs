//! `goodput report`: writes a run, an experiment or published figures as a page, pictures, or text.

use super::report_source::Reported;
use crate::args::results::{Form, ReportArgs};
use crate::exit::Exit;
use crate::failure::{Failure, chain};
use crate::{language, output};
use goodput_model::Trial;
use goodput_model::run::RunHead;
use goodput_model::summary::{Document, Summary};
use goodput_report::experiment as experiments;
use goodput_report::figure::Figure;
use goodput_report::page::{Page, names};
use goodput_report::png::{Fonts, PngError, png};
use goodput_report::{csv, figures, html, json, run_figures, svg, view};
use std::fs;
use std::path::{Path, PathBuf};

const SCALE: f32 = 2.0;

pub fn run(order: &ReportArgs) -> Result<Exit, Failure> {
    let reported = Reported::of(&order.which())?;
    // An experiment's analysis is computed once for all forms; data and document do not need it, and the page
    // computes its own.
    let computed = |form: &Form| !matches!(form, Form::Csv | Form::Json | Form::Page);
    let blocks = if order.forms().iter().any(computed) {
        reported.with_results(|results| language::page(results.page()))
    } else {
        None
    };
    if let ([form], None) = (order.forms(), &order.output)
        && form.is_text()
    {
        output::text(&one_text(&reported, blocks.as_ref(), *form)?);
        return Ok(Exit::Done);
    }
    let folder = order.output.clone().unwrap_or_else(|| reported.folder());
    made(&folder)?;
    let mut files = Vec::new();
    for form in order.forms().iter().filter(|f| f.is_text()) {
        files.push(put(&folder, file_name(*form), one_text(&reported, blocks.as_ref(), *form)?.as_bytes())?);
    }
    let has = |form: Form| order.forms().contains(&form);
    if has(Form::Page) {
        files.push(put(&folder, "page.html", one_file(&reported)?.as_bytes())?);
    }
    let page = match has(Form::Html) {
        true => Some(put(&folder, "report.html", page(&reported, blocks.as_ref()).as_bytes())?),
        false => None,
    };
    // Markdown references its pictures as files.
    let as_svg = has(Form::Svg) || has(Form::Markdown);
    let figures = if as_svg || has(Form::Png) { pictures(&reported, blocks.as_ref()) } else { Vec::new() };
    let figures = drawn(&folder, figures, as_svg, has(Form::Png))?;
    print_report(order, &reported, page, &files, &figures);
    Ok(Exit::Done)
}

fn print_report(
    order: &ReportArgs,
    reported: &Reported,
    page: Option<PathBuf>,
    files: &[PathBuf],
    figures: &[PathBuf],
) {
    if order.json {
        output::json(&serde_json::json!({
            "schema": "goodput/report/1", "run": reported.id(), "file": page, "files": files, "figures": figures,
        }));
        return;
    }
    for file in page.iter().chain(files) {
        output::text(&format!("{}\n", file.display()));
    }
    if page.is_none() && files.is_empty() {
        figures.iter().for_each(|file| output::text(&format!("{}\n", file.display())));
    } else if !figures.is_empty() {
        language::print_message(&format!("with {} figures beside it", figures.len()));
    }
}

fn file_name(form: Form) -> &'static str {
    match form {
        Form::Markdown => "report.md",
        Form::Csv => "data.csv",
        Form::Json => "report.json",
        _ => "report.txt",
    }
}

/// `blocks` are those of an experiment.
fn one_text(reported: &Reported, blocks: Option<&Page>, form: Form) -> Result<String, Failure> {
    let cannot = |e: &dyn std::error::Error| {
        Failure::from_error(Exit::CannotMeasure, "the result cannot be written as JSON", e)
    };
    let ended = |text: String| format!("{}\n", text.trim_end());
    let document = || reported.document();
    match (form, blocks) {
        (Form::Markdown, Some(page)) => {
            let picture = |id: &str| format!("{id}.svg");
            Ok(experiments::markdown::write(page, Some(&picture), &language::localizer()))
        }
        (Form::Markdown, None) => {
            let page = run_page(reported);
            Ok(page
                .map(|p| experiments::markdown::write(&p, None, &language::localizer()))
                .unwrap_or_default())
        }
        (Form::Json, _) => reported
            .with_results(|results| experiments::json::document(&document(), results))
            .unwrap_or_else(|| json::document(&document()))
            .map_err(|e| cannot(&e)),
        (Form::Csv, _) => reported
            .with_results(|results| experiments::csv::observations(results.source.data))
            .or_else(|| csv::tables(&document()).pop().map(|t| t.text))
            .ok_or_else(|| {
                Failure::usage("this run has no table").try_this("goodput list tells what runs hold")
            }),
        (_, Some(page)) => Ok(ended(experiments::text::write(page, output::width(), &language::localizer()))),
        (_, None) => Ok(ended(language::tables(&document(), output::width()))),
    }
}

fn page(reported: &Reported, blocks: Option<&Page>) -> String {
    let write = |page: &Page| html::page(page, &language::localizer());
    match blocks {
        Some(page) => write(page),
        None => run_page(reported).as_ref().map(write).unwrap_or_default(),
    }
}

fn run_page(reported: &Reported) -> Option<Page> {
    match reported {
        Reported::Recorded { run, .. } => {
            Some(language::page(view::run(&reported.document(), Some(&run.head), &run.trials)))
        }
        Reported::Published { .. } => None,
    }
}

/// The page of `goodput serve` with the data embedded; it selects its reader's language itself.
fn one_file(reported: &Reported) -> Result<String, Failure> {
    let made = match reported {
        Reported::Recorded { folder, .. } => goodput_server::one_file::of_folder(folder),
        Reported::Published { .. } => reported
            .with_results(|results| goodput_server::one_file::of_page(&results.page()))
            // Published figures always have results.
            .unwrap_or_else(|| Ok(String::new())),
    };
    made.map_err(|p| Failure { cause: p.cause, hint: p.hint, ..Failure::new(Exit::CannotMeasure, p.error) })
}

fn pictures(reported: &Reported, blocks: Option<&Page>) -> Vec<(String, Figure)> {
    match (blocks, reported) {
        (Some(page), _) => page.figures().map(|f| (f.id.clone(), f.clone())).collect(),
        (None, Reported::Recorded { run, .. }) => of_document(&reported.document(), &run.trials),
        (None, Reported::Published { .. }) => Vec::new(),
    }
}

fn of_document(document: &Document, trials: &[Trial]) -> Vec<(String, Figure)> {
    let names = names::of_document(document);
    let of_trial = |summary: &Summary| {
        let trial = trials.iter().find(|t| t.id == summary.trial);
        let stem = format!("{}-{}", summary.trial, summary.probe.name());
        figures(summary, trial).into_iter().map(move |figure| (format!("{stem}-{}", figure.id), figure))
    };
    let each = goodput_report::summaries(document).into_iter().flat_map(of_trial);
    let of_run = run_figures(document).into_iter().map(|figure| (format!("load-{}", figure.id), figure));
    each.chain(of_run).map(|(stem, figure)| (stem, language::figure(figure, &names))).collect()
}

pub fn write(
    folder: &Path,
    document: &Document,
    head: Option<&RunHead>,
    trials: &[Trial],
) -> Result<PathBuf, Failure> {
    made(folder)?;
    let text = html::page(&language::page(view::run(document, head, trials)), &language::localizer());
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
    Failure::from_error(Exit::CannotMeasure, format!("cannot write {}", path.display()), e)
        .try_this("name another folder with --output")
}

fn drawn(
    folder: &Path,
    figures: Vec<(String, Figure)>,
    as_svg: bool,
    as_png: bool,
) -> Result<Vec<PathBuf>, Failure> {
    // Loading the system's fonts takes longer than most pictures.
    let fonts = (as_png && !figures.is_empty()).then(Fonts::system);
    let mut files = Vec::new();
    let mut without_png = None;
    for (stem, figure) in figures {
        if as_svg {
            files.push(put(folder, &format!("{stem}.svg"), svg::document(&figure).as_bytes())?);
        }
        match fonts.as_ref().map(|fonts| png(&figure, fonts, SCALE)) {
            Some(Ok(picture)) => files.push(put(folder, &format!("{stem}.png"), &picture.bytes)?),
            Some(Err(e)) => without_png = Some(e),
            None => {}
        }
    }
    if let Some(e) = without_png {
        note(&e);
    }
    Ok(files)
}

/// A missing PNG does not fail the report; the reason is reported once.
fn note(error: &PngError) {
    language::print_message(&format!("no PNG: {}", chain(error)));
    if !error.hint().is_empty() {
        language::print_message(&format!("hint: {}", error.hint()));
    }
}
