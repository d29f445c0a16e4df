//! The TOML form of a topology; `docs/lab.md` describes it.

use super::{
    CpuShare, DEFAULT_MTU, Disk, EmulatedHostBus, EmulatedPacketCost, Host, Link, LinkImpairments, LossRate,
    ParseDiskError, Topology, TopologyError, link,
};
use crate::lab_name::LabOrHostName;
use crate::medium::{NamedMedium, ParseMediumError};
use goodput_model::units::QuantityError;
use goodput_model::{BitRate, Bytes, Nanos};
use goodput_words::{Message, message, quantity_error};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::str::FromStr;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopologyFile {
    pin: Option<LabOrHostName>,
    #[serde(default)]
    host: Vec<HostEntry>,
    #[serde(default)]
    link: Vec<LinkEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostEntry {
    name: LabOrHostName,
    #[serde(default)]
    forward: bool,
    #[serde(default, deserialize_with = "typed_share")]
    cpu_share: Option<CpuShare>,
    #[serde(default, deserialize_with = "typed_disk")]
    disk: Option<Disk>,
    packet_cost: Option<EmulatedPacketCost>,
    #[serde(default, deserialize_with = "typed_medium")]
    bus: Option<EmulatedHostBus>,
    #[serde(default, deserialize_with = "typed_quantity")]
    bus_queue: Option<Bytes>,
}

fn typed_share<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CpuShare>, D::Error> {
    let typed = String::deserialize(from)?;
    typed.parse().map(Some).map_err(D::Error::custom)
}

fn typed_disk<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Disk>, D::Error> {
    let typed = String::deserialize(from)?;
    typed.parse().map(Some).map_err(|e: ParseDiskError| D::Error::custom(format!("{e}; {}", e.hint)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkEntry {
    hosts: Vec<LabOrHostName>,
    #[serde(default, deserialize_with = "typed_quantity")]
    rate: Option<BitRate>,
    #[serde(default, deserialize_with = "typed_rates")]
    rates: BTreeMap<LabOrHostName, BitRate>,
    mtu: Option<u32>,
    #[serde(default, deserialize_with = "typed_medium")]
    medium: Option<NamedMedium>,
    #[serde(default = "link::default_true")]
    collisions: bool,
    #[serde(default, deserialize_with = "typed_quantity")]
    delay: Option<Nanos>,
    #[serde(default, deserialize_with = "typed_quantity")]
    jitter: Option<Nanos>,
    #[serde(default, deserialize_with = "typed_loss")]
    loss: LossRate,
    silent_mtu: Option<u32>,
    #[serde(default = "link::default_seed")]
    seed: u64,
}

fn typed_medium<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = ParseMediumError>,
{
    let typed = String::deserialize(from)?;
    typed.parse().map(Some).map_err(|e: ParseMediumError| D::Error::custom(format!("{e}; {}", e.hint)))
}

fn typed_quantity<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = QuantityError>,
{
    quantity(&String::deserialize(from)?).map(Some)
}

fn quantity<T: FromStr<Err = QuantityError>, E: Error>(typed: &str) -> Result<T, E> {
    typed.parse().map_err(|e: QuantityError| E::custom(format!("{e}; {}", quantity_error::hint(&e))))
}

fn typed_loss<'de, D: Deserializer<'de>>(from: D) -> Result<LossRate, D::Error> {
    let typed = String::deserialize(from)?;
    typed.parse().map_err(D::Error::custom)
}

fn typed_rates<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<LabOrHostName, BitRate>, D::Error> {
    let typed = BTreeMap::<LabOrHostName, String>::deserialize(from)?;
    typed.into_iter().map(|(host, typed)| quantity(&typed).map(|rate| (host, rate))).collect()
}

pub(super) fn parse_topology(text: &str) -> Result<Topology, TopologyError> {
    let file: TopologyFile = toml::from_str(text).map_err(|e| refusal(text, &e))?;
    Ok(Topology {
        hosts: file.host.into_iter().map(host).collect::<Result<_, _>>()?,
        links: file.link.into_iter().map(LinkEntry::link).collect(),
        pin: file.pin,
    })
}

impl LinkEntry {
    fn link(self) -> Link {
        let usual = self.medium.as_ref().map_or(DEFAULT_MTU, |medium| medium.mtu);
        Link {
            hosts: self.hosts,
            mtu: self.mtu.unwrap_or(usual),
            medium: self.medium,
            rate: self.rate,
            rates: self.rates,
            way: LinkImpairments {
                delay: self.delay.unwrap_or_default(),
                jitter: self.jitter.unwrap_or_default(),
                loss: self.loss,
                silent_mtu: self.silent_mtu,
            },
            collisions: self.collisions,
            seed: self.seed,
        }
    }
}

fn host(entry: HostEntry) -> Result<Host, TopologyError> {
    let HostEntry { name, forward, cpu_share, disk, packet_cost, bus, bus_queue } = entry;
    if bus_queue.is_some() && bus.is_none() {
        let why = Message::from("bus_queue requires a bus: add one, bus = \"pci-32-33\"");
        return Err(TopologyError(message!(error_lab_host { name: &name, why })));
    }
    let bus = bus.map(|bus| EmulatedHostBus { queue: bus_queue, ..bus });
    Ok(Host { name, forward, cpu_share, disk, packet_cost, bus })
}

fn refusal(text: &str, error: &toml::de::Error) -> TopologyError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
    let why = Message::from(error.message().lines().collect::<Vec<_>>().join(" "));
    let line = (before.matches('\n').count() + 1).to_string();
    TopologyError(message!(error_line_why { line, why }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STAR: &str = r#"
[[host]]
name = "server"
[[host]]
name = "c1"
[[host]]
name = "c2"
[[link]]
hosts = ["server", "c1", "c2"]
rate = "100Mbit"
mtu = 9000
"#;

    fn refused(text: &str) -> String {
        Topology::from_toml(text).unwrap_err().to_string()
    }

    #[test]
    fn a_star_of_three_and_what_is_left_out_has_a_default() {
        let short = STAR.replace("rate = \"100Mbit\"\nmtu = 9000\n", "");
        for (text, rate, mtu) in [(STAR, Some(BitRate(100_000_000)), 9000), (&*short, None, 1500)] {
            let link = &Topology::from_toml(text).unwrap().links[0];
            assert_eq!((link.hosts.len(), link.rate, link.mtu), (3, rate, mtu));
        }
    }

    #[test]
    fn what_is_wrong_is_a_sentence_with_its_line() {
        let unknown = "line 11: unknown field `mtus`, expected one of `hosts`, `rate`, `rates`, `mtu`";
        assert!(refused(&STAR.replace("mtu", "mtus")).starts_with(unknown));
        for (text, words) in [
            (STAR.replace("100Mbit", "100M"), ["line 10", "100Mbit"]),
            (STAR.replace("\"100Mbit\"", "100"), ["expected a string", ""]),
            (STAR.replace("9000", "-1"), ["line 11", ""]),
            (STAR.replace("name = \"c1\"", "name = \"c/1\""), ["c/1", ""]),
            ("[[hosts]]\nname = \"a\"\n".into(), ["unknown field `hosts`", ""]),
            (String::new(), ["2 hosts", ""]),
            ("[[host]\n".into(), ["line 1", ""]),
        ] {
            let why = refused(&text);
            assert!(words.iter().all(|word| why.contains(word)), "{why}");
        }
    }

    #[test]
    fn one_host_may_have_another_rate_and_a_cpu() {
        let text = format!("pin = \"server\"\n{STAR}rates = {{ server = \"1Gbit\" }}\n");
        let topology = Topology::from_toml(&text).unwrap();
        let [server, c1] = ["server", "c1"].map(|name| name.parse().unwrap());
        let link = &topology.links[0];
        let rates =
            [link.medium_for_host(&server), link.medium_for_host(&c1), link.medium_between(&server, &c1)];
        assert_eq!(rates.map(|medium| medium.unwrap().rate.0), [1_000_000_000, 100_000_000, 100_000_000]);
        assert_eq!(topology.pin, Some(server));
        assert!(refused(&text.replace("pin = \"server\"", "pin = \"nobody\"")).contains("nobody"));
        assert!(refused(&text.replace("{ server", "{ nobody")).contains("not on it"));
    }

    #[test]
    fn hosts_and_links_may_have_more_properties() {
        let more = "name = \"server\"\ncpu_share = \"30%\"\ndisk = \"2GiB@40MB/s\"\npacket_cost = 1000\n";
        let text = STAR.replacen("name = \"server\"\n", more, 1);
        let host = &Topology::from_toml(&text).unwrap().hosts[0];
        assert_eq!((host.cpu_share, host.packet_cost), (Some(CpuShare(30)), Some(EmulatedPacketCost(1000))));
        assert_eq!(host.disk.unwrap().rate.unwrap().0, 40_000_000);
        let why = refused(&text.replace("40MB", "40M"));
        assert!(why.contains("line 5") && why.contains("40MB"), "{why}");
        let more =
            "medium = \"atm155-ipoa\"\ndelay = \"5ms\"\nloss = \"0.1%\"\nsilent_mtu = 1500\nseed = 7\n";
        let text = STAR.replace("rate = \"100Mbit\"\nmtu = 9000\n", more);
        let link = &Topology::from_toml(&text).unwrap().links[0];
        assert_eq!((link.mtu, link.rate, link.seed), (9180, None, 7));
        assert_eq!(link.medium.as_ref().unwrap().name, "atm155-clip");
        let (delay, loss) = (Nanos(5_000_000), LossRate(1_000));
        assert_eq!(link.way, LinkImpairments { delay, jitter: Nanos(0), loss, silent_mtu: Some(1500) });
        let why = refused(&text.replace("atm155-ipoa", "10base-tx"));
        assert!(why.contains("line 10") && why.contains("10base-t"), "{why}");
        assert!(refused(&text.replace("5ms", "5")).contains("line 11"));
        let hub = text.replace("atm155-ipoa", "10base-t").replace("seed = 7", "collisions = false");
        assert!(!Topology::from_toml(&hub).unwrap().links[0].collisions);
        let bus = STAR.replacen("name = \"c1\"\n", "name = \"c1\"\nbus = \"pci-32-33\"\n", 1);
        let bus = Topology::from_toml(&bus).unwrap().hosts[1].bus.clone().unwrap();
        assert_eq!((bus.name.as_str(), bus.rate), ("pci-32-33", BitRate(1_065_600_000)));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}") {
            let _ = Topology::from_toml(&text);
            let _ = Topology::from_toml(&format!("{STAR}{text}"));
        }
    }
}
