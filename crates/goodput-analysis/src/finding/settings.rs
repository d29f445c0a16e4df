//! Rules about settings that were requested and not obtained.

use super::Hit;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::SocketReport;
use goodput_model::{Message, Setting, Trial};
use goodput_words::message;
use std::collections::BTreeSet;
use std::fmt::Display;

/// Requested and obtained, where they differ.
fn difference<T: PartialEq + Display>(setting: &Setting<T>) -> Option<(String, String)> {
    match (&setting.asked, &setting.obtained) {
        (Some(asked), Some(obtained)) if setting.differs_from_requested() => {
            Some((asked.to_string(), obtained.to_string()))
        }
        _ => None,
    }
}

/// One for each host and outcome, however many connections share it.
fn differences(
    trial: &Trial,
    name: &str,
    say: fn(&str, &str, &str) -> Message,
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
                say(host, &asked, &obtained),
                [format!("{name}.asked = {asked}"), format!("{name}.obtained = {obtained}")],
            )
        })
        .collect()
}

pub(super) fn check_congestion_control_differs(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let say = |host: &str, asked: &str, obtained: &str| {
        message!(rule_congestion_differs_text { host, asked, obtained })
    };
    differences(trial, "congestion control", say, |s| difference(&s.congestion))
}

pub(super) fn check_socket_settings_differ(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let say: [fn(&str, &str, &str) -> Message; 4] = [
        |host, asked, obtained| message!(rule_setting_differs_text { host, asked, obtained }),
        |host, asked, obtained| message!(rule_setting_differs_text_2 { host, asked, obtained }),
        |host, asked, obtained| message!(rule_setting_differs_text_3 { host, asked, obtained }),
        |host, asked, obtained| message!(rule_setting_differs_text_4 { host, asked, obtained }),
    ];
    let mut hits = differences(trial, "send buffer", say[0], |s| difference(&s.send_buffer));
    hits.extend(differences(trial, "receive buffer", say[1], |s| difference(&s.receive_buffer)));
    hits.extend(differences(trial, "no-delay", say[2], |s| difference(&s.no_delay)));
    let rate = |r: goodput_model::BitRate| format!("{} bit/s", r.0);
    hits.extend(differences(trial, "pacing rate", say[3], |s| {
        difference(&Setting { asked: s.pacing.asked.map(rate), obtained: s.pacing.obtained.map(rate) })
    }));
    hits
}
