//! Counters of a lab's relays, from files named in an environment variable.

use goodput_model::host::LinkRelayCounters;
use goodput_model::host::link_relay::LINK_RELAY_COUNTER_FILES_ENV;
use std::fs;

/// Since their start; unreadable ones are missing, because their lab has ended.
pub(crate) fn read_lab_relay_counters() -> Vec<LinkRelayCounters> {
    let files = std::env::var(LINK_RELAY_COUNTER_FILES_ENV).unwrap_or_default();
    files.split(':').filter(|f| !f.is_empty()).filter_map(|f| parse(&fs::read(f).ok()?)).collect()
}

pub(crate) fn parse(bytes: &[u8]) -> Option<LinkRelayCounters> {
    serde_json::from_slice(bytes).ok()
}

pub(crate) fn counter_changes(
    old: &[LinkRelayCounters],
    new: &[LinkRelayCounters],
) -> Vec<LinkRelayCounters> {
    let of =
        |new: &LinkRelayCounters| Some(new.difference_since(old.iter().find(|old| old.link == new.link)?));
    new.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relays_of_both_edges_are_counted() {
        let of = |link: &str, frames| LinkRelayCounters {
            link: link.into(),
            frames,
            ..LinkRelayCounters::default()
        };
        let moved = counter_changes(&[of("a - b", 3), of("gone", 1)], &[of("a - b", 10), of("new", 5)]);
        assert_eq!(moved, [of("a - b", 7)]);
    }
}
