//! Multicast scouting for agents. Only coordinators ask, and agents only answer.

use super::settings::SCOUTING_MULTICAST_ADDRESS;
use super::{BusError, failed};
use goodput_words::message;
use std::net::SocketAddr;
use zenoh::Wait;
use zenoh::config::WhatAmI;

/// One answer. It is not authenticated: it says where to ask, not who is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoutReply {
    /// The Zenoh id; for agents their random name.
    pub id: String,
    /// Its listening addresses, and whether each uses TLS.
    pub places: Vec<(SocketAddr, bool)>,
}

/// Repeats the question after 1, 2, 4, 8 s and then every 8 s, until dropped.
pub struct Scouting {
    _scout: zenoh::scouting::Scout<()>,
}

impl Scouting {
    /// Asks on every multicast interface. `hear` runs on a Zenoh thread, must not block, and receives
    /// repeats. A host without a network is no error.
    pub fn start(hear: impl Fn(ScoutReply) + Send + Sync + 'static) -> Result<Scouting, BusError> {
        let what = message!(error_bus_scouting { address: SCOUTING_MULTICAST_ADDRESS });
        let mut config = zenoh::Config::default();
        let address = format!("\"{SCOUTING_MULTICAST_ADDRESS}\"");
        config.insert_json5("scouting/multicast/address", &address).map_err(|e| failed(&what, e))?;
        let scout = zenoh::scout(WhatAmI::Peer | WhatAmI::Router, config)
            .callback(move |hello| {
                let places = hello.locators().iter().filter_map(|l| place(&l.to_string())).collect();
                hear(ScoutReply { id: hello.zid().to_string(), places });
            })
            .wait()
            .map_err(|e| failed(&what, e))?;
        Ok(Scouting { _scout: scout })
    }
}

/// Parses `tls/10.0.0.2:5303…`; `None` for other links.
fn place(locator: &str) -> Option<(SocketAddr, bool)> {
    let (protocol, rest) = locator.split_once('/')?;
    let secured = match protocol {
        "tls" => true,
        "tcp" => false,
        _ => return None,
    };
    let address = rest.split(['?', '#']).next()?;
    address.parse().ok().map(|address| (address, secured))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_and_other_links_are_left() {
        assert_eq!(place("tls/10.0.0.2:5303"), Some(("10.0.0.2:5303".parse().unwrap(), true)));
        let open = Some(("[fd00::1]:5303".parse().unwrap(), false));
        assert_eq!(place("tcp/[fd00::1]:5303?prio=6-7#iface=eth0"), open);
        for other in ["udp/10.0.0.2:1", "tls/host:5303", "tls", "", "unixsock-stream//tmp/x"] {
            assert_eq!(place(other), None, "{other}");
        }
    }
}
