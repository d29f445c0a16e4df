//! Looking for agents on the network: a question by multicast, answered by those who want to be found. Nobody
//! answers a question that was not asked, and nobody asks but a coordinator.

use super::settings::GROUP;
use super::{BusError, failed};
use std::net::SocketAddr;
use zenoh::Wait;
use zenoh::config::WhatAmI;

/// Somebody who answered. The answer is not authenticated: it says where to ask, not who is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The name by which the engine knows it; an agent's own random name.
    pub id: String,
    /// Where it says that it listens, and whether by TLS.
    pub places: Vec<(SocketAddr, bool)>,
}

/// A question that is repeated, after 1, 2, 4, 8 s and then each 8 s, until this is dropped.
pub struct Scouting {
    _scout: zenoh::scouting::Scout<()>,
}

impl Scouting {
    /// Asks now and again on every interface that has multicast. `hear` runs on the engine's thread and must
    /// not wait; it hears the same one again and again.
    ///
    /// # Errors
    /// What the engine says; a host without a network is no error, there is just nobody to be heard.
    pub fn begin(hear: impl Fn(Heard) + Send + Sync + 'static) -> Result<Scouting, BusError> {
        let what = format!("cannot look for agents at {GROUP}");
        let mut config = zenoh::Config::default();
        let address = format!("\"{GROUP}\"");
        config.insert_json5("scouting/multicast/address", &address).map_err(|e| failed(&what, e))?;
        let scout = zenoh::scout(WhatAmI::Peer | WhatAmI::Router, config)
            .callback(move |hello| {
                let places = hello.locators().iter().filter_map(|l| place(&l.to_string())).collect();
                hear(Heard { id: hello.zid().to_string(), places });
            })
            .wait()
            .map_err(|e| failed(&what, e))?;
        Ok(Scouting { _scout: scout })
    }
}

/// `tls/10.0.0.2:5303` with whatever the engine appends; `None` for links that are not ours.
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
        assert_eq!(
            place("tcp/[fd00::1]:5303?prio=6-7#iface=eth0"),
            Some(("[fd00::1]:5303".parse().unwrap(), false))
        );
        for other in ["udp/10.0.0.2:1", "tls/host:5303", "tls", "", "unixsock-stream//tmp/x"] {
            assert_eq!(place(other), None, "{other}");
        }
    }
}
