//! `goodput report`: report.html, and every figure as SVG and PNG beside it.

use super::recorded;
use crate::args::results::Report as Order;
use crate::exit::Exit;
use crate::failure::{Failure, chain};
use crate::output;
use goodput_model::Trial;
use goodput_model::run::RunHead;
use goodput_model::summary::{Document, Summary};
use goodput_report::figure::{figures, run_figures};
use goodput_report::html::{Report, report};
use goodput_report::png::{Fonts, PngError, png};
use goodput_report::svg;
use std::fs;
use std::path::{Path, PathBuf};

/// Pixels for each unit of a figure: sharp on today's screens.
const SCALE: f32 = 2.0;

/// What was written.
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The figures, SVG and PNG.
    pub figures: Vec<PathBuf>,
}

/// Writes the report of a recorded run.
pub fn run(order: &Order) -> Result<Exit, Failure> {
    let from = recorded::folder(&order.which)?;
    let run = recorded::read(&from)?;
    let document = recorded::document(Some(run.head.id), &run.trials);
    let folder = order.output.clone().unwrap_or(from);
    let written = write(&folder, &document, Some(&run.head), &run.trials)?;
    if order.json {
        output::json(&serde_json::json!({
            "schema": "goodput/report/1", "run": run.head.id, "file": written.page, "figures": written.figures,
        }));
    } else {
        output::text(&format!("{}\n", written.page.display()));
        eprintln!("with {} figures beside it", written.figures.len());
    }
    Ok(Exit::Done)
}

/// Writes page and figures into a folder, which is made if it is missing.
pub fn write(
    folder: &Path,
    document: &Document,
    head: Option<&RunHead>,
    trials: &[Trial],
) -> Result<Written, Failure> {
    let failed = |path: &Path, e: std::io::Error| {
        Failure::from_error(Exit::CannotMeasure, format!("cannot write {}", path.display()), &e)
            .try_this("name another folder with --output")
    };
    let put = |path: &Path, bytes: &[u8]| fs::write(path, bytes).map_err(|e| failed(path, e));
    fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
    let page = folder.join("report.html");
    put(&page, report(&Report { document, head, trials }).as_bytes())?;
    let fonts = Fonts::system();
    let mut written = Written { page, figures: Vec::new() };
    let mut without_png = None;
    let of_trial = |summary: &Summary| {
        let trial = trials.iter().find(|t| t.id == summary.trial);
        let stem = format!("{}-{}", summary.trial, summary.probe.name());
        figures(summary, trial).into_iter().map(move |figure| (format!("{stem}-{}", figure.id), figure))
    };
    let each = goodput_report::summaries(document).into_iter().flat_map(of_trial);
    let of_run = run_figures(document).into_iter().map(|figure| (format!("load-{}", figure.id), figure));
    for (stem, figure) in each.chain(of_run) {
        let file = folder.join(format!("{stem}.svg"));
        put(&file, svg::document(&figure).as_bytes())?;
        written.figures.push(file);
        match png(&figure, &fonts, SCALE) {
            Ok(picture) => {
                let file = folder.join(format!("{stem}.png"));
                put(&file, &picture.bytes)?;
                written.figures.push(file);
            }
            Err(e) => without_png = Some(e),
        }
    }
    if let Some(e) = without_png {
        note(&e);
    }
    Ok(written)
}

/// A report without PNG is still a report; the reason is said once.
fn note(error: &PngError) {
    eprintln!("no PNG: {}", chain(error));
    if !error.hint().is_empty() {
        eprintln!("hint: {}", error.hint());
    }
}
