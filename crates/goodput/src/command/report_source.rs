//! The source of a report or comparison: a recorded run, an experiment, or published figures.

use super::find_run;
use super::run::Report;
use crate::args::results::RunSelection;
use crate::exit::Exit;
use crate::failure::Failure;
use goodput_interop::published::Published;
use goodput_model::experiment::data::DataSet;
use goodput_model::summary::{Document, SCHEMA};
use goodput_model::{Run, RunId};
use goodput_report::experiment::{Results, Source};
use std::fs;
use std::path::{Path, PathBuf};

pub enum Reported {
    Recorded { run: Box<Run>, folder: PathBuf },
    Published { data: Box<DataSet>, file: PathBuf },
}

impl Reported {
    /// An existing TOML file describes published figures; everything else is a run.
    pub fn of(which: &RunSelection) -> Result<Reported, Failure> {
        let file = Path::new(&which.run);
        if file.extension().is_some_and(|e| e == "toml") {
            return Ok(Reported::Published { data: Box::new(published(file)?), file: file.to_path_buf() });
        }
        let folder = find_run::folder(which)?;
        Ok(Reported::Recorded { run: Box::new(find_run::read(&folder)?), folder })
    }

    pub fn with_results<T>(&self, what: impl FnOnce(&Results<'_>) -> T) -> Option<T> {
        match self {
            Reported::Recorded { run, folder } => {
                Report::of(run, Some(folder)).map(|report| what(&report.results()))
            }
            Reported::Published { data, .. } => Some(what(&Results::of(Source::of(data)))),
        }
    }

    pub fn document(&self) -> Document {
        match self {
            Reported::Recorded { run, .. } => find_run::document(Some(run.head.id), &run.trials),
            Reported::Published { .. } => Document {
                schema: SCHEMA.to_string(),
                run: None,
                summary: None,
                trials: Vec::new(),
                search: None,
                load_curves: None,
                file_run: None,
                error: None,
            },
        }
    }

    pub fn id(&self) -> Option<RunId> {
        match self {
            Reported::Recorded { run, .. } => Some(run.head.id),
            Reported::Published { .. } => None,
        }
    }

    pub fn name(&self) -> String {
        match self {
            Reported::Recorded { run, .. } => format!("run {}", run.head.id),
            Reported::Published { file, .. } => file.display().to_string(),
        }
    }

    /// The default folder of its report: beside the samples, or a new folder here.
    pub fn folder(&self) -> PathBuf {
        match self {
            Reported::Recorded { folder, .. } => folder.clone(),
            Reported::Published { file, .. } => {
                let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
                PathBuf::from(format!("{stem}-report"))
            }
        }
    }
}

fn published(file: &Path) -> Result<DataSet, Failure> {
    let read = |file: &Path| {
        fs::read_to_string(file).map_err(|e| {
            Failure::from_error(Exit::CannotMeasure, format!("cannot read {}", file.display()), &e)
        })
    };
    let refused = |e: goodput_interop::published::PublishedError| {
        Failure::from_error(
            Exit::Usage,
            format!("{} is no description of published figures", file.display()),
            &e,
        )
        .try_this("its form is that of studies/atm-vs-ethernet/published.toml")
    };
    let description = Published::parse(&read(file)?).map_err(refused)?;
    let figures = file.parent().unwrap_or(Path::new("")).join(description.figures());
    description.data_set(&read(&figures)?).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_report::experiment::{json, markdown, text};
    use goodput_report::html;
    use goodput_report::page::{Localizer, Page};

    fn article() -> Reported {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/atm-vs-ethernet/published.toml");
        Reported::of(&RunSelection { run: file.into(), runs: None }).unwrap()
    }

    fn page() -> Page {
        article().with_results(|results| results.page()).unwrap()
    }

    /// `UPDATE_GOLDEN=1 cargo test -p goodput` rewrites the files; check the difference.
    fn check(name: &str, got: &str) {
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, got).unwrap();
            return;
        }
        let expected = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let differs = expected.lines().zip(got.lines()).enumerate().find(|(_, (a, b))| a != b);
        assert!(expected == got, "{name} differs, first at {differs:#?}");
    }

    #[test]
    fn the_article_as_text_and_markdown() {
        check("atm-vs-ethernet.txt", &text::write(&page(), None, &Localizer::ENGLISH));
        let figure = |id: &str| format!("{id}.svg");
        check("atm-vs-ethernet.md", &markdown::write(&page(), Some(&figure), &Localizer::ENGLISH));
    }

    #[test]
    fn the_article_as_a_page_and_as_json() {
        let html = html::page(&page(), &Localizer::ENGLISH);
        assert!(html.contains("Figure 3."), "bar charts are called what the article calls them");
        let article = article();
        let text = article.with_results(|r| json::document(&article.document(), r).unwrap()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["experiment"]["cells"].as_array().map(Vec::len), Some(88));
        assert!(value["run"].is_null());
    }
}
