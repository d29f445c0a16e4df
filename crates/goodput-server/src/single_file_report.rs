//! The one-file report: the page with one run embedded, fetched here and assembled by
//! [`goodput_report::one_file`].

use crate::api::runs::RunCard;
use crate::page;
use crate::problem::{Problem, ProblemKind};
use crate::results;
use crate::translate::{self, Localize};
use goodput_report::page::Page;
use goodput_report::single_file_report::{self, PageAssets};
use goodput_words::Language;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Same as `Carried` in `web/src/api/types.ts`.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Carried<'a> {
    Run { run: Run<'a>, texts: PageTexts },
    Page { page: &'a Page, texts: PageTexts },
}

/// For each other language the texts of the page that differ: the place of each in the page (JSON pointer, RFC 6901), and
/// its translation. The file can be read in every language, and nobody translates there.
type PageTexts = BTreeMap<&'static str, BTreeMap<String, String>>;

/// As in `GET /runs/{id}`, without downloads.
#[derive(Serialize)]
struct Run<'a> {
    card: &'a RunCard,
    page: &'a Page,
    downloads: [(); 0],
}

/// A recorded run as one file; fails if the program contains no page.
pub fn run_to_html(card: &RunCard, page: &Page) -> Result<String, Problem> {
    let texts = translated_texts(page)?;
    written(&page.title, &Carried::Run { run: Run { card, page, downloads: [] }, texts })
}

pub fn run_folder_to_html(folder: &Path) -> Result<String, Problem> {
    let page = results::build_run_page(&results::read_run(folder)?);
    let card = goodput_store::index::build_index_entry(folder)
        .map_err(|e| Problem::internal_error("the run cannot be read", &e))
        .map(RunCard::from)?;
    run_to_html(&card, &page)
}

pub fn page_to_html(page: &Page) -> Result<String, Problem> {
    written(&page.title, &Carried::Page { page, texts: translated_texts(page)? })
}

fn translated_texts(page: &Page) -> Result<PageTexts, Problem> {
    let english = serde_json::to_value(page).map_err(|e| not_json(&e))?;
    let mut texts = PageTexts::new();
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        let translated = page.clone().localized(translate::translator(language));
        let translated = serde_json::to_value(translated).map_err(|e| not_json(&e))?;
        let own = texts.entry(language.bcp47_tag()).or_default();
        collect_changed_texts(&english, &translated, "", own);
    }
    Ok(texts)
}

fn collect_changed_texts(
    english: &Value,
    translated: &Value,
    place: &str,
    texts: &mut BTreeMap<String, String>,
) {
    match (english, translated) {
        _ if english == translated => {}
        (Value::Object(before), Value::Object(after)) => {
            for ((name, english), translated) in before.iter().zip(after.values()) {
                collect_changed_texts(english, translated, &format!("{place}/{name}"), texts);
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            for (at, (english, translated)) in before.iter().zip(after).enumerate() {
                collect_changed_texts(english, translated, &format!("{place}/{at}"), texts);
            }
        }
        (_, Value::String(text)) => {
            texts.insert(place.to_string(), text.clone());
        }
        _ => {}
    }
}

fn not_json(error: &serde_json::Error) -> Problem {
    Problem::foreign_error("the report cannot be written as JSON", error)
}

fn written(title: &str, carried: &Carried<'_>) -> Result<String, Problem> {
    let (script, style) = page::script_and_style().ok_or_else(|| {
        Problem::new(ProblemKind::Conflict, "the page was not built into this program")
            .with_hint("where its sources are, with Node 20.19 or newer: make page build")
    })?;
    let data = serde_json::to_string(carried).map_err(|e| not_json(&e))?;
    Ok(single_file_report::render_single_file_report(
        &PageAssets { script: &script, style: &style },
        &format!("goodput: {title}"),
        &data,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_report::page::{Block, Section};

    #[test]
    fn only_texts_that_differ_are_carried_in_other_languages() {
        let blocks = vec![Block::note("nobody wrote this"), Block::note("Results")];
        let page = Page {
            title: "Run".into(),
            under: vec!["Run".into()],
            sections: vec![Section { title: "window".into(), blocks }],
            names: vec!["window".into()],
        };
        let texts = translated_texts(&page).unwrap();
        assert_eq!(texts.keys().copied().collect::<Vec<_>>(), ["ja", "ru"]);
        let russian: Vec<_> = texts["ru"].iter().map(|(place, text)| (&**place, &**text)).collect();
        let expected =
            [("/sections/0/blocks/1/text", "Результаты"), ("/title", "Прогон"), ("/under/0", "Прогон")];
        assert_eq!(russian, expected);
    }
}
