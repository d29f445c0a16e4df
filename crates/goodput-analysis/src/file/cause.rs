//! What limits a copy: the network, a CPU or a disk at either end, or "cannot tell". A pure function of
//! [`Observations`]. A resource is named only when it was saturated and no other was; where another was
//! nearly saturated or not observed, only beyond a higher threshold. Unattributable resources (a shared CPU,
//! an unobserved disk) are never named. Thresholds: [`thresholds`] and `docs/methods/file.md`.

mod observations;
mod resource_level;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
pub mod thresholds;
mod wording;

pub use observations::{CpuSeen, DiskSeen, Observations, QuotaSeen};
pub(super) use wording::megabytes;
pub use wording::try_next;

use goodput_model::summary::{FileCause, Level, ResourceUse};
use resource_level::Used;

#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// `None` is "cannot tell".
    pub cause: Option<FileCause>,
    /// A clause that follows "limited by …" or "the bottleneck cannot be determined".
    pub because: String,
    pub resources: Vec<ResourceUse>,
}

pub fn judge(seen: &Observations) -> Judgement {
    let used = resource_level::all(seen);
    let resources: Vec<ResourceUse> = used
        .iter()
        .map(|u| ResourceUse { resource: u.resource, level: u.level, text: u.text.clone() })
        .collect();
    let (cause, because) = decide(seen, &used);
    Judgement { cause, because, resources }
}

fn decide(seen: &Observations, used: &[Used]) -> (Option<FileCause>, String) {
    if let Some(why) = resource_level::impossible(seen) {
        return (None, why);
    }
    let at = |level: Level| used.iter().filter(move |u| u.level == level);
    let mut full = at(Level::Saturated);
    match (full.next(), full.next()) {
        (Some(one), None) => {
            let near: Vec<&Used> = at(Level::Near).collect();
            let unknown: Vec<&str> = at(Level::Unknown).map(|u| u.resource.words()).collect();
            if one.is_limiting || near.is_empty() && unknown.is_empty() {
                return (Some(one.resource), one.text.clone());
            }
            let mut why = format!("the bottleneck may be {}", resource_list(&[one]));
            if !near.is_empty() {
                why.push_str(&format!(", or {}", resource_list(&near)));
            }
            if !unknown.is_empty() {
                why.push_str(&format!(", but no data is available on {}", wording::listed(&unknown)));
            }
            (None, why)
        }
        (Some(_), Some(_)) => {
            let all: Vec<&Used> = at(Level::Saturated).collect();
            (None, format!("{}: each alone could be the bottleneck", resource_list(&all)))
        }
        (None, _) => {
            let near: Vec<&Used> = at(Level::Near).collect();
            let unknown: Vec<&str> = at(Level::Unknown).map(|u| u.resource.words()).collect();
            let mut why = match near.is_empty() {
                true => "no monitored resource was at its limit".to_string(),
                false => {
                    format!("no resource was certainly at its limit; closest to it: {}", resource_list(&near))
                }
            };
            if !unknown.is_empty() {
                why.push_str(&format!("; no data is available on {}", wording::listed(&unknown)));
            }
            (None, why)
        }
    }
}

fn resource_list(used: &[&Used]) -> String {
    let each: Vec<String> = used.iter().map(|u| format!("{} ({})", u.resource.words(), u.text)).collect();
    wording::listed(&each)
}
