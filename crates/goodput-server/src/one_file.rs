//! The one-file report: the page with one run embedded, fetched here and assembled by
//! [`goodput_report::one_file`].

use crate::api::runs::RunCard;
use crate::page;
use crate::problem::{Kind, Problem};
use crate::results;
use goodput_report::one_file::{self, Bundle};
use goodput_report::page::Page;
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
pub fn of_run(card: &RunCard, page: &Page) -> Result<String, Problem> {
    written(&page.title, &Carried::Run { run: Run { card, page, downloads: [] } })
}

pub fn of_folder(folder: &Path) -> Result<String, Problem> {
    let page = results::page(&results::read(folder)?);
    let card = goodput_store::index::card(folder)
        .map_err(|e| Problem::internal("the run cannot be read", &e))
        .map(RunCard::from)?;
    of_run(&card, &page)
}

pub fn of_page(page: &Page) -> Result<String, Problem> {
    written(&page.title, &Carried::Page { page })
}

fn written(title: &str, carried: &Carried<'_>) -> Result<String, Problem> {
    let (script, style) = page::bundle().ok_or_else(|| {
        Problem::new(Kind::Conflict, "the page was not built into this program")
            .try_this("where its sources are, with Node 20.19 or newer: make page build")
    })?;
    let data = serde_json::to_string(carried)
        .map_err(|e| Problem::internal("the report cannot be written as JSON", &e))?;
    Ok(one_file::write(&Bundle { script: &script, style: &style }, &format!("goodput: {title}"), &data))
}
