//! `goodput file clean`: removes workspaces of killed commands, and nothing without our mark.

use super::hosts;
use super::{file_errors, password};
use crate::args::file::{CleanArgs, CleanSelection};
use crate::exit::ExitStatus;
use crate::failure::{Failure, error_chain};
use crate::{lab_exec, output};
use goodput_file::place::clean_place;
use goodput_file::workspace::{CleanTarget, CleanedWorkspace, State};
use goodput_model::file::FileLocation;
use goodput_model::trial::TrialTimeouts;
use serde_json::{Value, json};

pub fn run_clean(order: &CleanArgs) -> Result<ExitStatus, Failure> {
    let lab = lab_exec::current_lab();
    let place = hosts::resolve_target(&order.target, lab.as_ref())?;
    hosts::check_target(&place, None, &TrialTimeouts::default())?;
    if let FileLocation::Smb { user: Some(user), host, .. } = &place {
        password::load_password(order.password.password_file.as_deref(), user, host)?;
    }
    let what = order.selection();
    let which = match &what {
        CleanSelection::Dead => CleanTarget::Dead,
        // No folder has this name, so nothing is removed.
        CleanSelection::Nothing => CleanTarget::Named(""),
        CleanSelection::Named(name) => CleanTarget::Named(name),
    };
    let cannot = |e: goodput_file::FileError| {
        file_errors::file_failure("TARGET cannot be looked into", &error_chain(&e))
    };
    let found = clean_place(&place, which).map_err(cannot)?;
    goodput_file::secret::forget();
    let typed = super::typed(&order.target);
    if let CleanSelection::Named(name) = &what
        && !found.iter().any(|f| f.name == *name)
    {
        return Err(Failure::usage_error(format!("there is no folder {name} of ours in TARGET"))
            .with_hint(format!("goodput file clean {typed} --list shows what there is")));
    }
    if order.json {
        output::print_json(&document(&typed, &found));
    } else {
        output::print_text(&lines(&typed, &found));
    }
    Ok(ended(&what, &found))
}

/// A requested removal that did not happen is a failure.
fn ended(what: &CleanSelection, found: &[CleanedWorkspace]) -> ExitStatus {
    let stuck = found.iter().any(|f| matches!(f.removed, Some(Err(_))));
    let refused = match what {
        CleanSelection::Named(name) => !found.iter().any(|f| f.name == *name && f.removed.is_some()),
        CleanSelection::Nothing | CleanSelection::Dead => false,
    };
    if stuck || refused { ExitStatus::CannotMeasure } else { ExitStatus::Done }
}

fn said(found: &CleanedWorkspace) -> (&'static str, String) {
    let maker = found.marker.as_ref().map(|m| format!("made by process {} on {}", m.pid, m.host));
    match (&found.removed, &found.state) {
        (Some(Ok(gone)), _) => {
            let things = if *gone == 1 { "1 thing".to_string() } else { format!("{gone} files and folders") };
            ("removed", maker.map_or(things.clone(), |maker| format!("{things}, {maker}")))
        }
        (Some(Err(e)), _) => ("stuck", error_chain(e)),
        (None, State::Dead) => ("dead", maker.unwrap_or_default()),
        (None, State::Unmarked) => ("dead", "empty; its maker died before it could mark it".into()),
        (None, State::Alive) => ("alive", format!("{}, which still runs", maker.unwrap_or_default())),
        (None, State::Unknown(why)) => {
            ("unknown", format!("{why}; --workspace {} removes it all the same", found.name))
        }
        (None, State::Foreign(why)) => ("foreign", format!("not ours, and never touched: {why}")),
    }
}

fn lines(target: &str, found: &[CleanedWorkspace]) -> String {
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

fn document(target: &str, found: &[CleanedWorkspace]) -> Value {
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
