//! A link of a topology: its hosts, what it emulates, and the medium for limits.

use super::impairments::MAX_DELAY;
use super::{DEFAULT_MTU, LinkImpairments, MAX_HOSTS, MAX_MTU, MAX_RATE, MIN_MTU, MIN_RATE, TopologyError};
use crate::lab_name::LabOrHostName;
use crate::medium::{LinkLayerParameters, NamedMedium};
use goodput_model::BitRate;
use goodput_words::{Message, message};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A veth pair between two hosts, or with a bridge or a relay in the middle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub hosts: Vec<LabOrHostName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medium: Option<NamedMedium>,
    /// Of each host's connection and direction, in bits on the wire; `None` is unshaped, or as the medium.
    pub rate: Option<BitRate>,
    /// Exceptions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rates: BTreeMap<LabOrHostName, BitRate>,
    pub mtu: u32,
    #[serde(default)]
    pub way: LinkImpairments,
    /// False where stations of a shared medium take turns.
    #[serde(default = "default_true")]
    pub collisions: bool,
    /// Of random choices in a relay: backoff, jitter, loss.
    #[serde(default = "default_seed")]
    pub seed: u64,
}

pub(super) fn default_true() -> bool {
    true
}

pub(super) fn default_seed() -> u64 {
    1
}

/// The medium with which results are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkMedium {
    /// For example `ethernet 100 Mbit/s` or `10base-t`.
    pub name: String,
    /// Each direction.
    pub rate: BitRate,
    pub mtu: u32,
    #[serde(default)]
    pub half_duplex: bool,
}

impl Link {
    pub fn with_defaults(hosts: Vec<LabOrHostName>) -> Link {
        Link {
            hosts,
            medium: None,
            rate: None,
            rates: BTreeMap::new(),
            mtu: DEFAULT_MTU,
            way: LinkImpairments::default(),
            collisions: true,
            seed: 1,
        }
    }

    /// `link` is its number in messages.
    pub(super) fn validate(
        &self,
        link: usize,
        names: &BTreeSet<&LabOrHostName>,
    ) -> Result<(), TopologyError> {
        let refuse = |what: Message| Err(TopologyError(what));
        let mut ends = BTreeSet::new();
        for host in &self.hosts {
            if !names.contains(host) {
                return refuse(message!(error_lab_link_names_host { link, host }));
            }
            if !ends.insert(host) {
                return refuse(message!(error_lab_link_host_twice { link, host }));
            }
        }
        if !(2..=MAX_HOSTS).contains(&ends.len()) {
            let (count, most) = (ends.len().to_string(), MAX_HOSTS.to_string());
            return refuse(message!(error_lab_link_hosts { link, count, most }));
        }
        if !(MIN_MTU..=MAX_MTU).contains(&self.mtu) {
            let [mtu, least, most] = [self.mtu, MIN_MTU, MAX_MTU].map(|mtu| mtu.to_string());
            return refuse(message!(error_lab_link_mtu { link, mtu, least, most }));
        }
        if let Some(host) = self.rates.keys().find(|host| !ends.contains(host)) {
            return refuse(message!(error_lab_link_rate_of_host { link, host }));
        }
        let possible = |rate: &BitRate| (MIN_RATE..=MAX_RATE).contains(rate);
        if let Some(rate) = self.rate.iter().chain(self.rates.values()).find(|rate| !possible(rate)) {
            return refuse(message!(error_lab_link_rate { link, rate: rate.0.to_string() }));
        }
        match self.impossible() {
            Some(why) => refuse(message!(error_lab_link { link, why })),
            None => Ok(()),
        }
    }

    fn impossible(&self) -> Option<Message> {
        if let Some(medium) = &self.medium {
            let name = &medium.name;
            if self.rate.is_some() {
                return Some(message!(cause_lab_medium_has_own_rate { medium: name }));
            }
            if medium.half_duplex && !self.rates.is_empty() {
                return Some(message!(cause_lab_medium_shares_rate { medium: medium.describe() }));
            }
            if medium.line.cells && !self.rates.is_empty() {
                return Some(message!(cause_lab_medium_has_one_rate { medium: name }));
            }
            if self.mtu > medium.max_mtu() {
                let most = medium.max_mtu().to_string();
                return Some(message!(cause_lab_medium_mtu { medium: name, most }));
            }
        }
        if !self.collisions && !self.is_half_duplex() {
            return Some("only a half-duplex medium has collisions that can be disabled".into());
        }
        if self.way.delay > MAX_DELAY || self.way.jitter > MAX_DELAY {
            return Some(message!(cause_lab_delay { seconds: MAX_DELAY.0 / 1_000_000_000 }));
        }
        if !self.way.loss.is_valid() {
            return Some("a loss is 100 % at most".into());
        }
        let least = MIN_MTU..=self.mtu;
        let silent = self.way.silent_mtu.filter(|most| !least.contains(most))?;
        let [silent, least, mtu] = [silent, MIN_MTU, self.mtu].map(|bytes| bytes.to_string());
        Some(message!(cause_lab_silent_mtu { silent, least, mtu }))
    }

    pub fn is_half_duplex(&self) -> bool {
        self.medium.as_ref().is_some_and(|m| m.half_duplex)
    }

    pub fn uses_relay_process(&self) -> bool {
        self.is_half_duplex() || self.way.has_delay()
    }

    pub fn has_switch(&self) -> bool {
        self.hosts.len() > 2 || self.uses_relay_process() || self.way.drops_frames()
    }

    /// `None` is unshaped.
    pub fn link_layer_for_host(&self, host: &LabOrHostName) -> Option<LinkLayerParameters> {
        let own = self.rates.get(host).map(|rate| LinkLayerParameters::ethernet(*rate));
        own.or_else(|| self.line())
    }

    fn line(&self) -> Option<LinkLayerParameters> {
        self.medium.as_ref().map(|m| m.line).or_else(|| self.rate.map(LinkLayerParameters::ethernet))
    }

    /// `None` when it is unshaped.
    pub fn medium_for_host(&self, host: &LabOrHostName) -> Option<LinkMedium> {
        match self.rates.get(host) {
            Some(rate) => Some(self.ethernet(*rate)),
            None => self.medium(),
        }
    }

    /// The slower of their connections.
    pub fn medium_between(&self, one: &LabOrHostName, other: &LabOrHostName) -> Option<LinkMedium> {
        self.medium_for_host(one)
            .into_iter()
            .chain(self.medium_for_host(other))
            .min_by_key(|medium| medium.rate)
    }

    /// `None` when it is unshaped: a veth pair is no real medium and has no limit.
    pub fn medium(&self) -> Option<LinkMedium> {
        let named = self.medium.as_ref().map(|m| LinkMedium {
            name: m.name.clone(),
            rate: m.line.nominal_rate(),
            mtu: self.mtu,
            half_duplex: m.half_duplex,
        });
        named.or_else(|| self.rate.map(|rate| self.ethernet(rate)))
    }

    fn ethernet(&self, rate: BitRate) -> LinkMedium {
        let name = format!("ethernet {}", format_rate(rate));
        LinkMedium { name, rate, mtu: self.mtu, half_duplex: false }
    }

    /// For example `100base-tx half duplex, MTU 1500, delay 5 ms`.
    pub fn describe(&self) -> String {
        let named = self.medium.as_ref().map(NamedMedium::describe);
        let medium = named.or_else(|| self.medium().map(|m| m.name));
        let mut text = format!("{}, MTU {}", medium.unwrap_or_else(|| "unshaped".into()), self.mtu);
        if !self.collisions {
            text.push_str(", taking turns without collisions");
        }
        let way = self.way.describe();
        if !way.is_empty() {
            text.push_str(&format!(", {way}"));
        }
        text
    }
}

/// For example `100 Mbit/s`, `2.5 Gbit/s`.
pub(crate) fn format_rate(rate: BitRate) -> String {
    let units = [(1_000_000_000, "Gbit/s"), (1_000_000, "Mbit/s"), (1_000, "kbit/s")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| rate.0 >= *scale).unwrap_or((1, "bit/s"));
    format!("{} {unit}", rate.0 as f64 / scale as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{LossRate, Topology};
    use goodput_model::Nanos;

    #[test]
    fn a_rated_link_is_a_medium() {
        for (rate, name) in [(100_000_000, "ethernet 100 Mbit/s"), (64_000, "ethernet 64 kbit/s")] {
            let link = Link { rate: Some(BitRate(rate)), ..Link::with_defaults(vec![]) };
            assert_eq!(link.medium().unwrap().name, name);
        }
    }

    fn between(medium: &str) -> Link {
        Link { medium: Some(medium.parse().unwrap()), ..Link::with_defaults(vec![]) }
    }

    #[test]
    fn a_named_medium_is_relayed_where_the_kernel_cannot_do_it() {
        let hub = between("10base-t");
        assert_eq!(hub.describe(), "10base-t half duplex, MTU 1500");
        assert!(hub.uses_relay_process() && hub.has_switch());
        let plain = between("100base-tx");
        assert!(!plain.uses_relay_process() && !plain.has_switch());
        let lane = between("atm155-lane");
        assert_eq!((lane.line().unwrap().rate.0, lane.medium().unwrap().rate.0), (149_760_000, 155_520_000));
        let with = |way| Link { way, ..between("100base-tx") };
        assert!(with(LinkImpairments { delay: Nanos(1), ..LinkImpairments::default() }).uses_relay_process());
        let lossy = with(LinkImpairments { loss: LossRate(1), ..LinkImpairments::default() });
        assert!(!lossy.uses_relay_process() && lossy.has_switch());
    }

    #[test]
    fn what_a_link_cannot_be_is_refused() {
        let refused = |change: fn(&mut Link)| {
            let mut topology = Topology::default();
            topology.links[0].medium = Some("10base-t".parse().unwrap());
            change(&mut topology.links[0]);
            topology.validate().unwrap_err().to_string()
        };
        let a: fn() -> LabOrHostName = || "a".parse().unwrap();
        assert!(refused(|l| l.rate = Some(BitRate(1_000_000))).contains("its own rate"));
        assert!(refused(|l| l.rates = [("a".parse().unwrap(), BitRate(1_000_000))].into()).contains("share"));
        let full = |l: &mut Link| (l.medium, l.collisions) = (Some("100base-tx".parse().unwrap()), false);
        assert!(refused(full).contains("collisions"));
        assert!(refused(|l| l.way.delay = Nanos(3_000_000_000)).contains("2 s"));
        assert!(refused(|l| l.way.loss = LossRate(1_000_001)).contains("100 %"));
        assert!(refused(|l| l.way.silent_mtu = Some(1501)).contains("68 to the MTU of 1500"));
        let lane = |l: &mut Link| (l.medium, l.mtu) = (Some("atm155-lane".parse().unwrap()), 18_175);
        assert!(refused(lane).contains("no MTU above 18174"));
        let mut topology = Topology::default();
        topology.links[0].medium = Some("100base-tx".parse().unwrap());
        topology.links[0].rates.insert(a(), BitRate(1_000_000_000));
        let topology = topology.validate().unwrap();
        assert_eq!(topology.links[0].medium_for_host(&a()).unwrap().name, "ethernet 1 Gbit/s");
        assert_eq!(topology.links[0].medium_between(&a(), &"b".parse().unwrap()).unwrap().name, "100base-tx");
    }
}
