//! `/runs`: search, pages, downloads and tags of recorded runs.

mod card;

pub use card::RunCard;
pub use goodput_store::index::{FacetValue, Facets, FactorFacet, LabelFacet};

use crate::download::{self, DownloadFormat};
use crate::live_events::LiveEvent;
use crate::problem::Problem;
use crate::results::{self, ExperimentEvaluation};
use crate::route::{ApiRequest, FileDownload, GET, Json, NoInput, PUT, Routes};
use crate::security::AccessLevel::{Operator, Reader};
use crate::server_state::ServerState;
use crate::translate::Localize;
use goodput_model::RunId;
use goodput_report::page::Page;
use goodput_report::view::{ExperimentDocument, Prompt};
use goodput_store::index::{IndexedRunOutcome, RunFilter};
use goodput_words::{Language, Message, Translator, message};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Non-blank text without control characters (ECMA-262, as in JSON Schema).
const ONE_LINE: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Most words and values of a query, and bytes of its text: databases limit conditions (SQLite: depth of 1000
/// expressions, 50,000 bytes per pattern).
const MAX_ASKED: usize = 200;
const LONGEST_TEXT: usize = 4096;

/// Which runs are wanted; every part that is given must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunQuery {
    /// Each word of it must occur in the run's name, command, probes, hosts, labels, tags or experiment.
    #[serde(default)]
    text: String,
    /// One of these probes was run.
    #[serde(default)]
    probe: Vec<String>,
    /// Each of these hosts took part.
    #[serde(default)]
    host: Vec<String>,
    /// Each of these labels, KEY=VALUE.
    #[serde(default)]
    #[schemars(inner(regex(pattern = "^[^=]+=")))]
    label: Vec<String>,
    /// Each of these levels of a factor, FACTOR=LEVEL: experiments that were begun at it.
    #[serde(default)]
    #[schemars(inner(regex(pattern = "^[^=]+=")))]
    factor: Vec<String>,
    /// Each of these tags.
    #[serde(default)]
    tag: Vec<String>,
    /// Runs of the experiment of this name.
    experiment: Option<String>,
    /// Begun at this time or later: RFC 3339, or a day in UTC as 2026-11-21.
    #[schemars(extend("anyOf" = [{ "format": "date-time" }, { "format": "date" }]))]
    since: Option<String>,
    /// Begun before this time: likewise.
    #[schemars(extend("anyOf" = [{ "format": "date-time" }, { "format": "date" }]))]
    until: Option<String>,
    /// One of these outcomes.
    #[serde(default)]
    outcome: Vec<IndexedRunOutcome>,
    /// Go on behind this place: what the page before gave as next.
    #[schemars(extend("format" = "uuid"))]
    after: Option<String>,
    /// Runs at most; 50 when nothing is said.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// A page of runs, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunList {
    /// The runs.
    runs: Vec<RunCard>,
    /// What to send as after for the next page; null at the end.
    next: Option<String>,
}

/// A run.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RunPathParams {
    /// The run's name, a UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    id: uuid::Uuid,
}

/// A form of a run.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExportPathParams {
    /// The run's name, a UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    id: uuid::Uuid,
    /// One of the forms that the run's downloads name.
    form: String,
}

/// How a form is wanted.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportQuery {
    /// The language of forms that people read: text, Markdown, HTML. English when nothing is said; what programs read is the
    /// same in every language, and the one-file page finds its reader's by itself.
    lang: Option<LanguageCode>,
}

/// A language.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LanguageCode {
    /// English.
    En,
    /// Japanese.
    Ja,
    /// Russian.
    Ru,
}

impl From<LanguageCode> for Language {
    fn from(lang: LanguageCode) -> Language {
        match lang {
            LanguageCode::En => Language::English,
            LanguageCode::Ja => Language::Japanese,
            LanguageCode::Ru => Language::Russian,
        }
    }
}

/// Tags.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tags {
    /// All tags that the run is to have: short texts of one line, 64 at most.
    #[schemars(length(max = 64), inner(length(min = 1, max = 64), regex(pattern = ONE_LINE)))]
    tags: Vec<String>,
}

/// A run as a page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunDocument {
    /// What a list says of it.
    card: RunCard,
    /// What came of it.
    page: Page,
    /// In which forms it can be had.
    downloads: Vec<DownloadFormat>,
}

impl Localize for RunList {
    fn localize(&mut self, words: &Translator) {
        self.runs.localize(words);
    }
}

impl Localize for RunDocument {
    fn localize(&mut self, words: &Translator) {
        self.card.localize(words);
        self.page.localize(words);
    }
}

impl Localize for Tags {}

pub fn routes() -> Routes {
    Routes::new("runs")
        .add(GET, "/runs", Reader, "Runs that are wanted, the newest first", list)
        .add(GET, "/runs/facets", Reader, "What the runs that are wanted can be filtered by", facets)
        .add(GET, "/runs/{id}", Reader, "A run as a page", show)
        .add(PUT, "/runs/{id}/tags", Operator, "Give a run these tags and no others", tag)
        .add(GET, "/runs/{id}/download/{form}", Reader, "A run as a file", fetch)
        .add(GET, "/runs/{id}/experiment", Reader, "An experiment cell by cell", experiment)
}

async fn list(call: ApiRequest<NoInput, RunQuery>) -> Result<Json<RunList>, Problem> {
    let filter = call.query.filter()?;
    call.state.refresh_index().await?;
    let (cards, next) = call.state.index.search_run_page(&filter).await?;
    Ok(Json(RunList {
        runs: cards.into_iter().map(RunCard::from).collect(),
        next: next.map(|n| n.to_string()),
    }))
}

async fn facets(call: ApiRequest<NoInput, RunQuery>) -> Result<Json<Facets>, Problem> {
    let filter = call.query.filter()?;
    call.state.refresh_index().await?;
    Ok(Json(call.state.index.count_facets(&filter).await?))
}

async fn show(call: ApiRequest<RunPathParams>) -> Result<Json<RunDocument>, Problem> {
    let (card, folder) = find_run_card_and_folder(&call.state, RunId(call.path.id)).await?;
    let made = call.state.run_blocking(move || {
        let run = results::read_run(&folder)?;
        let (page, document) = results::build_page_and_document(&run);
        Ok((page, download::available_formats(&run, document.as_ref())))
    });
    let (page, downloads) = made.await?;
    Ok(Json(RunDocument { card, page, downloads }))
}

async fn tag(call: ApiRequest<RunPathParams, NoInput, Tags>) -> Result<Json<Tags>, Problem> {
    let id = RunId(call.path.id);
    call.state.refresh_index().await?;
    let tags = call.state.index.set_tags(id, &call.body.tags).await?;
    call.state.hub.publish(&LiveEvent::Runs);
    Ok(Json(Tags { tags }))
}

async fn fetch(call: ApiRequest<ExportPathParams, ExportQuery>) -> Result<FileDownload, Problem> {
    let (card, folder) = find_run_card_and_folder(&call.state, RunId(call.path.id)).await?;
    let (form, language) = (call.path.form, call.query.lang.map_or(Language::English, Language::from));
    call.state.run_blocking(move || download::export_run(&card, &folder, &form, language)).await
}

async fn experiment(call: ApiRequest<RunPathParams>) -> Result<Json<ExperimentDocument>, Problem> {
    let (card, folder) = find_run_card_and_folder(&call.state, RunId(call.path.id)).await?;
    let running = card.outcome == IndexedRunOutcome::Running;
    let asked = call.state.jobs.pending_prompt_of_run(&call.path.id.to_string());
    let prompt = asked.map(|p| Prompt { id: p.id, text: p.text, must_show: p.must_show });
    let made = call.state.run_blocking(move || {
        let run = results::read_run(&folder)?;
        let evaluated = ExperimentEvaluation::from_run(&run).ok_or_else(|| {
            Problem::not_found(message!(error_run_is_no_experiment { id: run.head.id.to_string() }))
                .with_hint("only the command goodput run creates runs of experiments")
        })?;
        evaluated.to_document(running, prompt.as_ref())
    });
    Ok(Json(made.await?))
}

pub async fn find_run_card_and_folder(state: &ServerState, id: RunId) -> Result<(RunCard, PathBuf), Problem> {
    state.refresh_index().await?;
    let none = || {
        Problem::not_found(message!(served_no_run { id: id.to_string() }))
            .with_hint(message!(served_api_lists { path: "/api/v1/runs" }))
    };
    let card = state.index.find_run_entry(id).await?.ok_or_else(none)?;
    let folder = state.index.fetch_run_folder(id).await?;
    Ok((card.into(), folder))
}

impl RunQuery {
    fn filter(self) -> Result<RunFilter, Problem> {
        let pairs = |name: &str, form: &str, texts: &[String]| {
            let pair = |text: &String| match text.split_once('=') {
                Some((key, value)) if !key.is_empty() => Ok((key.to_string(), value.to_string())),
                _ => {
                    let cause = message!(served_not_of_form { text: format!("{text:?}"), form });
                    Err(Problem::invalid_query(name, cause))
                }
            };
            texts.iter().map(pair).collect::<Result<Vec<_>, Problem>>()
        };
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let time = |name: &str, text: Option<String>| {
            given(text).map(|t| time(&t).map_err(|why| Problem::invalid_query(name, why))).transpose()
        };
        let lists = [&self.probe, &self.host, &self.label, &self.factor, &self.tag];
        let values = lists.iter().map(|list| list.len()).sum::<usize>() + self.outcome.len();
        let asked = values + self.text.split_whitespace().count();
        if asked > MAX_ASKED {
            let cause = message!(served_too_many_words { count: asked.to_string(), most: MAX_ASKED });
            let error = message!(served_cannot_be_read { place: message!(part_served_query) });
            return Err(Problem::bad_request(error).with_cause(cause));
        }
        if self.text.len() > LONGEST_TEXT {
            let (bytes, most) = (self.text.len().to_string(), LONGEST_TEXT.to_string());
            let cause = message!(served_text_too_long { bytes, most });
            return Err(Problem::invalid_query("text", cause));
        }
        let after = |text: String| {
            let cause = || message!(served_no_place_in_list { text: format!("{text:?}") });
            let wrong = |_| Problem::invalid_query("after", cause());
            text.parse().map(RunId).map_err(wrong)
        };
        if let Some(limit) = self.limit.filter(|l| !(1..=RunFilter::MAX_PAGE_SIZE).contains(l)) {
            let (limit, most) = (limit.to_string(), RunFilter::MAX_PAGE_SIZE.to_string());
            let cause = message!(served_limit_range { limit, most });
            return Err(Problem::invalid_query("limit", cause));
        }
        Ok(RunFilter {
            text: self.text,
            probes: self.probe,
            hosts: self.host,
            labels: pairs("label", "KEY=VALUE", &self.label)?,
            factors: pairs("factor", "FACTOR=LEVEL", &self.factor)?,
            tags: self.tag,
            experiment: given(self.experiment),
            since: time("since", self.since)?,
            until: time("until", self.until)?,
            outcomes: self.outcome,
            after: given(self.after).map(after).transpose()?,
            limit: self.limit,
        })
    }
}

fn time(text: &str) -> Result<Timestamp, Message> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let day = text.parse::<jiff::civil::Date>().ok();
    let start = day.and_then(|d| d.to_zoned(jiff::tz::TimeZone::UTC).ok());
    let refused = || message!(served_no_time { text: format!("{text:?}") });
    start.map(|zoned| zoned.timestamp()).ok_or_else(refused)
}
