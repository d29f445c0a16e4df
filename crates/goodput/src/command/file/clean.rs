//! `goodput file clean`: removes workspaces of killed commands, and nothing without our mark.

use super::hosts;
use super::{file_errors, password};
use crate::args::file::CleanArgs;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::{lab_exec, output};
use goodput_file::location::clean_workspaces_at_location;
use goodput_file::workspace::{InspectedWorkspace, WorkspaceOwnerState};
use goodput_model::file::FileLocation;
use goodput_model::trial::TrialTimeouts;
use goodput_words::{ErrorMessage, message};
use serde_json::{Value, json};

pub fn run_clean(order: &CleanArgs) -> Result<ExitStatus, Failure> {
    let lab = lab_exec::current_lab();
    let place = hosts::resolve_target(&order.target, lab.as_ref())?;
    hosts::ensure_target_usable(&place, None, &TrialTimeouts::default())?;
    if let FileLocation::Smb { user: Some(user), host, .. } = &place {
        password::load_password(order.password.password_file.as_deref(), user, host)?;
    }
    let cannot = |e: goodput_file::FileError| {
        file_errors::file_operation_failure("TARGET cannot be looked into", &e.message_with_sources())
    };
    let found = clean_workspaces_at_location(&place, order.workspace_selection()).map_err(cannot)?;
    goodput_file::smb_password::clear_password();
    let typed = super::typed(&order.target);
    if let Some(name) = &order.workspace
        && !found.iter().any(|f| f.name == *name)
    {
        return Err(Failure::usage_error(message!(error_file_no_such_folder { name }))
            .with_hint(message!(hint_file_clean_list { target: typed })));
    }
    if order.json {
        output::print_json(&document(&typed, &found));
    } else {
        output::print_text(&lines(&typed, &found));
    }
    Ok(ended(order.workspace.as_deref(), &found))
}

/// A requested removal that did not happen is a failure.
fn ended(named: Option<&str>, found: &[InspectedWorkspace]) -> ExitStatus {
    let stuck = found.iter().any(|f| matches!(f.removed, Some(Err(_))));
    let refused = named.is_some_and(|name| !found.iter().any(|f| f.name == name && f.removed.is_some()));
    if stuck || refused { ExitStatus::CannotMeasure } else { ExitStatus::Done }
}

fn said(found: &InspectedWorkspace) -> (&'static str, String) {
    let maker = found.marker.as_ref().map(|m| format!("made by process {} on {}", m.pid, m.host));
    match (&found.removed, &found.state) {
        (Some(Ok(gone)), _) => {
            let things = if *gone == 1 { "1 thing".to_string() } else { format!("{gone} files and folders") };
            ("removed", maker.map_or(things.clone(), |maker| format!("{things}, {maker}")))
        }
        (Some(Err(e)), _) => ("stuck", e.message_with_sources().to_string()),
        (None, WorkspaceOwnerState::Dead) => ("dead", maker.unwrap_or_default()),
        (None, WorkspaceOwnerState::Unmarked) => {
            ("dead", "empty; its maker died before it could mark it".into())
        }
        (None, WorkspaceOwnerState::Alive) => {
            ("alive", format!("{}, which still runs", maker.unwrap_or_default()))
        }
        (None, WorkspaceOwnerState::Unknown(why)) => {
            ("unknown", format!("{why}; --workspace {} removes it all the same", found.name))
        }
        (None, WorkspaceOwnerState::Foreign(why)) => {
            ("foreign", format!("not ours, and never touched: {why}"))
        }
    }
}

fn lines(target: &str, found: &[InspectedWorkspace]) -> String {
    if found.is_empty() {
        return format!("nothing of ours is in {target}\n");
    }
    found
        .iter()
        .map(|f| {
            let (word, why) = said(f);
            let word = match word {
                "removed" => "removed",
                "stuck" => "could not be removed:",
                "dead" => "would be removed:",
                _ => "left alone:",
            };
            format!("{word} {}: {why}\n", f.name)
        })
        .collect()
}

fn document(target: &str, found: &[InspectedWorkspace]) -> Value {
    let folders: Vec<Value> = found
        .iter()
        .map(|f| {
            let (state, text) = said(f);
            let removed = f.removed.as_ref().and_then(|r| r.as_ref().ok());
            json!({ "name": f.name, "state": state, "removed": removed, "text": text })
        })
        .collect();
    json!({ "schema": "goodput/file-clean/1", "target": target, "folders": folders })
}
