//! The source of a report or comparison: a recorded run, an experiment, or published figures.

use super::find_run;
use super::run::ExperimentReport;
use crate::args::results::RunSelection;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use goodput_interop::published_data::PublishedDataDescription;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::summary::ResultDocument;
use goodput_model::{Run, RunId};
use goodput_report::experiment::{ExperimentResults, ResultsSource};
use goodput_words::message;
use std::fs;
use std::path::{Path, PathBuf};

pub enum ReportSource {
    Recorded { run: Box<Run>, folder: PathBuf },
    Published { data: Box<DataSet>, file: PathBuf },
}

impl ReportSource {
    /// An existing TOML file describes published figures; everything else is a run.
    pub fn load(which: &RunSelection) -> Result<ReportSource, Failure> {
        let file = Path::new(&which.run);
        if file.extension().is_some_and(|e| e == "toml") {
            return Ok(ReportSource::Published {
                data: Box::new(published(file)?),
                file: file.to_path_buf(),
            });
        }
        let folder = find_run::find_run_folder(which)?;
        Ok(ReportSource::Recorded { run: Box::new(find_run::read_run(&folder)?), folder })
    }

    pub fn map_experiment_results<T>(&self, what: impl FnOnce(&ExperimentResults<'_>) -> T) -> Option<T> {
        match self {
            ReportSource::Recorded { run, folder } => {
                ExperimentReport::from_run(run, folder).map(|report| what(&report.evaluated_results()))
            }
            ReportSource::Published { data, .. } => {
                Some(what(&ExperimentResults::from_source(ResultsSource::from_data(data))))
            }
        }
    }

    pub fn build_result_document(&self) -> ResultDocument {
        match self {
            ReportSource::Recorded { run, .. } => {
                find_run::build_result_document(Some(run.head.id), &run.trials)
            }
            ReportSource::Published { .. } => find_run::build_result_document(None, &[]),
        }
    }

    pub fn run_id(&self) -> Option<RunId> {
        match self {
            ReportSource::Recorded { run, .. } => Some(run.head.id),
            ReportSource::Published { .. } => None,
        }
    }

    pub fn source_name(&self) -> String {
        match self {
            ReportSource::Recorded { run, .. } => format!("run {}", run.head.id),
            ReportSource::Published { file, .. } => file.display().to_string(),
        }
    }

    /// The default folder of its report: beside the samples, or a new folder here.
    pub fn default_output_folder(&self) -> PathBuf {
        match self {
            ReportSource::Recorded { folder, .. } => folder.clone(),
            ReportSource::Published { file, .. } => {
                let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
                PathBuf::from(format!("{stem}-report"))
            }
        }
    }
}

fn published(file: &Path) -> Result<DataSet, Failure> {
    let read = |file: &Path| {
        let what = message!(error_cannot_read { path: file.display().to_string() });
        fs::read_to_string(file).or_failure(ExitStatus::CannotMeasure, what)
    };
    let refused = |e: goodput_interop::published_data::PublishedDataError| {
        Failure::from_error(
            ExitStatus::Usage,
            message!(error_no_published_figures { file: file.display().to_string() }),
            &e,
        )
        .with_hint("its form is that of studies/atm-vs-ethernet/published.toml")
    };
    let description = PublishedDataDescription::parse(&read(file)?).map_err(refused)?;
    let figures = file.parent().unwrap_or(Path::new("")).join(description.data_path());
    description.build_data_set(&read(&figures)?).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_report::experiment::{json, markdown, text};
    use goodput_report::html;
    use goodput_report::page::{Localizer, Page};

    fn article() -> ReportSource {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/atm-vs-ethernet/published.toml");
        ReportSource::load(&RunSelection { run: file.into(), runs: None }).unwrap()
    }

    fn page() -> Page {
        article().map_experiment_results(|results| results.build_page()).unwrap()
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
        check("atm-vs-ethernet.txt", &text::page_to_text(&page(), None, &Localizer::ENGLISH));
        let figure = |id: &str| format!("{id}.svg");
        check("atm-vs-ethernet.md", &markdown::page_to_markdown(&page(), Some(&figure), &Localizer::ENGLISH));
    }

    #[test]
    fn the_article_as_a_page_and_as_json() {
        let html = html::page_to_html(&page(), &Localizer::ENGLISH);
        assert!(html.contains("Figure 3."), "bar charts are called what the article calls them");
        let article = article();
        let text = article
            .map_experiment_results(|r| {
                json::experiment_to_json(&article.build_result_document(), r).unwrap()
            })
            .unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["experiment"]["cells"].as_array().map(Vec::len), Some(88));
        assert!(value["run"].is_null());
    }
}
