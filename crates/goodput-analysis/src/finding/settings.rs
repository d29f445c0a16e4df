//! Rules about settings that were asked and not obtained.

use super::Hit;
use goodput_model::summary::Summary;
use goodput_model::trial::SocketReport;
use goodput_model::{Setting, Trial};
use std::collections::BTreeSet;
use std::fmt::Display;

/// What one connection's setting came to, when it is not what was asked: asked and obtained, as words.
fn difference<T: PartialEq + Display>(setting: &Setting<T>) -> Option<(String, String)> {
    match (&setting.asked, &setting.obtained) {
        (Some(asked), Some(obtained)) if setting.differs() => Some((asked.to_string(), obtained.to_string())),
        _ => None,
    }
}

/// One hit for each host and outcome, however many connections share it.
fn differences(
    trial: &Trial,
    name: &str,
    of: impl Fn(&SocketReport) -> Option<(String, String)>,
) -> Vec<Hit> {
    let found: BTreeSet<(&str, String, String)> = trial
        .ends
        .iter()
        .flat_map(|end| end.flows.iter().map(move |f| (end.host.as_str(), &f.socket)))
        .filter_map(|(host, socket)| of(socket).map(|(asked, obtained)| (host, asked, obtained)))
        .collect();
    found
        .into_iter()
        .map(|(host, asked, obtained)| {
            Hit::new(
                format!("{host} was asked for {name} {asked} and has {obtained}"),
                [format!("{name}.asked = {asked}"), format!("{name}.obtained = {obtained}")],
            )
        })
        .collect()
}

/// Another congestion control than the one asked for.
pub(super) fn congestion(trial: &Trial, _: &Summary) -> Vec<Hit> {
    differences(trial, "congestion control", |s| difference(&s.congestion))
}

/// Any other option.
pub(super) fn others(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let mut hits = differences(trial, "send buffer", |s| difference(&s.send_buffer));
    hits.extend(differences(trial, "receive buffer", |s| difference(&s.receive_buffer)));
    hits.extend(differences(trial, "no-delay", |s| difference(&s.no_delay)));
    let rate = |r: goodput_model::BitRate| format!("{} bit/s", r.0);
    hits.extend(differences(trial, "pacing rate", |s| {
        difference(&Setting { asked: s.pacing.asked.map(rate), obtained: s.pacing.obtained.map(rate) })
    }));
    hits
}
