//! What limits a copy: the network, a CPU or a disk at either end, or "cannot tell". A pure function of
//! [`CopyObservations`]. A resource is named only when it was saturated and no other was; where another was
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

pub use observations::{CopyObservations, CpuObservation, CpuQuotaObservation, DiskObservation};
pub(super) use wording::format_megabytes_per_second;
pub use wording::suggested_next_step;

use goodput_model::summary::{LimitingResource, ResourceUse, SaturationLevel};
use resource_level::ResourceSaturation;

#[derive(Debug, Clone, PartialEq)]
pub struct LimitingResourceVerdict {
    /// `None` is "cannot tell".
    pub cause: Option<LimitingResource>,
    /// A clause that follows "limited by …" or "the bottleneck cannot be determined".
    pub because: String,
    pub resources: Vec<ResourceUse>,
}

pub fn determine_limiting_resource(seen: &CopyObservations) -> LimitingResourceVerdict {
    let used = resource_level::resource_saturations(seen);
    let resources: Vec<ResourceUse> = used
        .iter()
        .map(|u| ResourceUse { resource: u.resource, level: u.level, text: u.text.clone() })
        .collect();
    let (cause, because) = decide(seen, &used);
    LimitingResourceVerdict { cause, because, resources }
}

fn decide(seen: &CopyObservations, used: &[ResourceSaturation]) -> (Option<LimitingResource>, String) {
    if let Some(why) = resource_level::explain_impossible_rate(seen) {
        return (None, why);
    }
    let at = |level: SaturationLevel| used.iter().filter(move |u| u.level == level);
    let mut full = at(SaturationLevel::Saturated);
    match (full.next(), full.next()) {
        (Some(one), None) => {
            let near: Vec<&ResourceSaturation> = at(SaturationLevel::Near).collect();
            let unknown: Vec<&str> = at(SaturationLevel::Unknown).map(|u| u.resource.description()).collect();
            if one.is_limiting || near.is_empty() && unknown.is_empty() {
                return (Some(one.resource), one.text.clone());
            }
            let mut why = format!("the bottleneck may be {}", resource_list(&[one]));
            if !near.is_empty() {
                why.push_str(&format!(", or {}", resource_list(&near)));
            }
            if !unknown.is_empty() {
                why.push_str(&format!(", but no data is available on {}", wording::join_list(&unknown)));
            }
            (None, why)
        }
        (Some(_), Some(_)) => {
            let all: Vec<&ResourceSaturation> = at(SaturationLevel::Saturated).collect();
            (None, format!("{}: each alone could be the bottleneck", resource_list(&all)))
        }
        (None, _) => {
            let near: Vec<&ResourceSaturation> = at(SaturationLevel::Near).collect();
            let unknown: Vec<&str> = at(SaturationLevel::Unknown).map(|u| u.resource.description()).collect();
            let mut why = match near.is_empty() {
                true => "no monitored resource was at its limit".to_string(),
                false => {
                    format!("no resource was certainly at its limit; closest to it: {}", resource_list(&near))
                }
            };
            if !unknown.is_empty() {
                why.push_str(&format!("; no data is available on {}", wording::join_list(&unknown)));
            }
            (None, why)
        }
    }
}

fn resource_list(used: &[&ResourceSaturation]) -> String {
    let each: Vec<String> =
        used.iter().map(|u| format!("{} ({})", u.resource.description(), u.text)).collect();
    wording::join_list(&each)
}
