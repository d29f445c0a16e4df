//! The one-file report: the page with one run embedded, fetched here and assembled by
//! [`goodput_report::one_file`].

use crate::api::runs::RunCard;
use crate::page;
use crate::problem::{Problem, ProblemKind};
use crate::results;
use goodput_report::page::Page;
use goodput_report::single_file_report::{self, PageAssets};
use serde::Serialize;
use std::path::Path;

/// Same as `Carried` in `web/src/api/types.ts`.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Carried<'a> {
    Run { run: Run<'a> },
    Page { page: &'a Page },
}

/// As in `GET /runs/{id}`, without downloads.
#[derive(Serialize)]
struct Run<'a> {
    card: &'a RunCard,
    page: &'a Page,
    downloads: [(); 0],
}

/// A recorded run as one file; fails if the program contains no page.
pub fn run_to_html(card: &RunCard, page: &Page) -> Result<String, Problem> {
    written(&page.title, &Carried::Run { run: Run { card, page, downloads: [] } })
}

pub fn run_folder_to_html(folder: &Path) -> Result<String, Problem> {
    let page = results::build_run_page(&results::read_run(folder)?);
    let card = goodput_store::index::build_index_entry(folder)
        .map_err(|e| Problem::internal_error("the run cannot be read", &e))
        .map(RunCard::from)?;
    run_to_html(&card, &page)
}

pub fn page_to_html(page: &Page) -> Result<String, Problem> {
    written(&page.title, &Carried::Page { page })
}

fn written(title: &str, carried: &Carried<'_>) -> Result<String, Problem> {
    let (script, style) = page::script_and_style().ok_or_else(|| {
        Problem::new(ProblemKind::Conflict, "the page was not built into this program")
            .with_hint("where its sources are, with Node 20.19 or newer: make page build")
    })?;
    let data = serde_json::to_string(carried)
        .map_err(|e| Problem::internal_error("the report cannot be written as JSON", &e))?;
    Ok(single_file_report::render_single_file_report(
        &PageAssets { script: &script, style: &style },
        &format!("goodput: {title}"),
        &data,
    ))
}
