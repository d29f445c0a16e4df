//! `/forms`: options of the measuring commands, and checks of a line.

use crate::forms::{Form, filter_permitted_forms};
use crate::problem::{Problem, ProblemKind};
use crate::route::{ApiRequest, GET, Json, NoInput, POST, Routes};
use crate::security::AccessLevel::Reader;
use crate::translate::{Localize, localize_all};
use goodput_report::display_text::DisplayText;
use goodput_words::Translator;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A line that somebody is about to start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandLine {
    /// The words of a measuring command, without the program's name.
    #[schemars(length(max = 200))]
    line: Vec<String>,
}

/// Whether it can be started.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Checked")]
pub struct CommandLineCheckResult {
    /// True when it can.
    ok: bool,
    /// What is wrong with it; `null` where nothing is.
    error: Option<DisplayText>,
    /// Why.
    cause: Option<DisplayText>,
    /// What to type.
    hint: Option<DisplayText>,
}

impl Localize for CommandLineCheckResult {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, self.error.iter_mut().chain(&mut self.cause).chain(&mut self.hint));
    }
}

pub fn routes() -> Routes {
    Routes::new("forms")
        .add(GET, "/forms", Reader, "The measuring commands with the options that are taken here", forms)
        .add(POST, "/forms/check", Reader, "Read a line as the command line does, and start nothing", check)
}

async fn forms(call: ApiRequest) -> Result<Json<Vec<Form>>, Problem> {
    Ok(Json(filter_permitted_forms(
        call.state.door.command_web_forms(),
        call.state.jobs.granted_permissions(),
    )))
}

async fn check(
    call: ApiRequest<NoInput, NoInput, CommandLine>,
) -> Result<Json<CommandLineCheckResult>, Problem> {
    let state = call.state.clone();
    // An experiment's file is read from disk.
    let checked = call.state.run_blocking(move || Ok(state.jobs.check_command(&call.body.line))).await?;
    match checked {
        Ok(()) => Ok(Json(CommandLineCheckResult { ok: true, error: None, cause: None, hint: None })),
        Err(Problem { kind: ProblemKind::Refused, error, cause, hint, .. }) => {
            let (cause, hint) = (cause.map(DisplayText::from), hint.map(DisplayText::from));
            Ok(Json(CommandLineCheckResult { ok: false, error: Some(error.into()), cause, hint }))
        }
        Err(problem) => Err(problem),
    }
}
