//! `goodput file clean`: removes workspaces of killed commands, and nothing without our mark.

use super::hosts;
use super::{password, trouble};
use crate::args::file::{CleanArgs, CleanWhat};
use crate::exit::Exit;
use crate::failure::{Failure, chain};
use crate::{lab_exec, output};
use goodput_file::place::clean_place;
use goodput_file::workspace::{CleanTarget, CleanedWorkspace, State};
use goodput_model::file::Place;
use goodput_model::trial::Deadlines;
use serde_json::{Value, json};

pub fn run(order: &CleanArgs) -> Result<Exit, Failure> {
    let lab = lab_exec::place();
    let place = hosts::place(&order.target, lab.as_ref())?;
    hosts::look(&place, None, &Deadlines::default())?;
    if let Place::Smb { user: Some(user), host, .. } = &place {
        password::find(order.password.password_file.as_deref(), user, host)?;
    }
    let what = order.what();
    let which = match &what {
        CleanWhat::Dead => CleanTarget::Dead,
        // No folder has this name, so nothing is removed.
        CleanWhat::Nothing => CleanTarget::Named(""),
        CleanWhat::Named(name) => CleanTarget::Named(name),
    };
    let cannot = |e: goodput_file::FileError| trouble::failure("TARGET cannot be looked into", &chain(&e));
    let found = clean_place(&place, which).map_err(cannot)?;
    goodput_file::secret::forget();
    let typed = super::typed(&order.target);
    if let CleanWhat::Named(name) = &what
        && !found.iter().any(|f| f.name == *name)
    {
        return Err(Failure::usage(format!("there is no folder {name} of ours in TARGET"))
            .try_this(format!("goodput file clean {typed} --list shows what there is")));
    }
    if order.json {
        output::json(&document(&typed, &found));
    } else {
        output::text(&lines(&typed, &found));
    }
    Ok(ended(&what, &found))
}

/// A requested removal that did not happen is a failure.
fn ended(what: &CleanWhat, found: &[CleanedWorkspace]) -> Exit {
    let stuck = found.iter().any(|f| matches!(f.removed, Some(Err(_))));
    let refused = match what {
        CleanWhat::Named(name) => !found.iter().any(|f| f.name == *name && f.removed.is_some()),
        CleanWhat::Nothing | CleanWhat::Dead => false,
    };
    if stuck || refused { Exit::CannotMeasure } else { Exit::Done }
}

fn said(found: &CleanedWorkspace) -> (&'static str, String) {
    let maker = found.marker.as_ref().map(|m| format!("made by process {} on {}", m.pid, m.host));
    match (&found.removed, &found.state) {
        (Some(Ok(gone)), _) => {
            let things = if *gone == 1 { "1 thing".to_string() } else { format!("{gone} files and folders") };
            ("removed", maker.map_or(things.clone(), |maker| format!("{things}, {maker}")))
        }
        (Some(Err(e)), _) => ("stuck", chain(e)),
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
