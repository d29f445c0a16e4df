//! Zenoh's configuration. By default it listens on every address, scouts, connects to any peer and
//! authenticates nobody; all of this is set here.

use super::ZenohListenSettings;
use crate::identity::Identity;
use std::time::Duration;
use zenoh::config::WhatAmI;

/// Sessions that a router accepts; Zenoh's default is 1,000.
pub const MAX_SESSIONS: u32 = 20_000;
/// Simultaneous session openings: all agents of a site reconnect at once.
const MAX_OPENING: u32 = 2_000;
/// Keep-alives per lease: Zenoh's default, after ITU-T G.8013, so three may be lost.
const KEEP_ALIVE: u32 = 4;
/// The longest message that is reassembled.
const LARGEST_MESSAGE: u64 = 64 << 20;
/// Zenoh's default scouting group and port.
pub(super) const SCOUTING_MULTICAST_ADDRESS: &str = "224.0.0.224:7446";

pub(super) struct SessionSettings<'a> {
    /// A peer talks only to directly connected peers, a client through one router.
    pub mode: WhatAmI,
    pub connect: Vec<String>,
    pub listen: Vec<String>,
    pub identity: Option<&'a Identity>,
    pub lease: Duration,
    pub known: Option<ZenohListenSettings<'a>>,
}

impl<'a> SessionSettings<'a> {
    /// A session without connections or discovery.
    pub fn new(mode: WhatAmI, identity: Option<&'a Identity>, lease: Duration) -> SessionSettings<'a> {
        SessionSettings { mode, connect: Vec::new(), listen: Vec::new(), identity, lease, known: None }
    }

    pub fn to_config(&self) -> Result<zenoh::Config, zenoh::Error> {
        let mut config = zenoh::Config::default();
        let mut set = |key: &str, value: String| config.insert_json5(key, &value);
        let list =
            |of: &[String]| format!("[{}]", of.iter().map(|e| quoted(e)).collect::<Vec<_>>().join(","));
        let router = self.mode == WhatAmI::Router;
        set("mode", quoted(self.mode.to_str()))?;
        if let Some(known) = &self.known {
            set("id", quoted(known.id))?;
        }
        set("connect/endpoints", list(&self.connect))?;
        set("listen/endpoints", list(&self.listen))?;
        // One attempt, because preflight has shown that the port answers. A router retries in the background.
        set("connect/timeout_ms", if router { "-1" } else { "0" }.into())?;
        set("connect/exit_on_failure", (!router).to_string())?;
        set("connect/retry", "{period_init_ms:1000,period_max_ms:10000,period_increase_factor:2}".into())?;
        set("listen/timeout_ms", "0".into())?;
        set("listen/exit_on_failure", "true".into())?;
        let found = self.known.is_some_and(|known| known.found);
        set("scouting/delay", "0".into())?;
        set("scouting/gossip/enabled", "false".into())?;
        set("scouting/gossip/autoconnect", "[]".into())?;
        set("scouting/multicast/enabled", found.to_string())?;
        set("scouting/multicast/address", quoted(SCOUTING_MULTICAST_ADDRESS))?;
        set("scouting/multicast/listen", found.to_string())?;
        set("scouting/multicast/autoconnect", "[]".into())?;
        set("adminspace/enabled", "false".into())?;
        set("adminspace/permissions/read", "false".into())?;
        set("transport/shared_memory/enabled", "false".into())?;
        // A whole site may join a router in the same second.
        let opening = if self.mode == WhatAmI::Peer { "3000" } else { "10000" };
        set("transport/unicast/open_timeout", opening.into())?;
        set("transport/unicast/accept_timeout", opening.into())?;
        if router {
            set("transport/unicast/max_sessions", MAX_SESSIONS.to_string())?;
            set("transport/unicast/accept_pending", MAX_OPENING.to_string())?;
        }
        set("transport/link/tx/lease", self.lease.as_millis().to_string())?;
        set("transport/link/tx/keep_alive", KEEP_ALIVE.to_string())?;
        set("transport/link/rx/max_message_size", LARGEST_MESSAGE.to_string())?;
        if let Some(identity) = self.identity {
            // TLS only, whatever the endpoint says.
            set("transport/link/protocols", r#"["tls"]"#.into())?;
            let pem = |pem: &str| quoted(&data_encoding::BASE64.encode(pem.as_bytes()));
            set("transport/link/tls/enable_mtls", "true".into())?;
            set("transport/link/tls/verify_name_on_connect", identity.requires_host_name().to_string())?;
            // Expiry is the only way to revoke a certificate.
            set("transport/link/tls/close_link_on_expiration", identity.requires_host_name().to_string())?;
            set("transport/link/tls/root_ca_certificate_base64", pem(&identity.authority))?;
            for side in ["listen", "connect"] {
                set(&format!("transport/link/tls/{side}_certificate_base64"), pem(&identity.certificate))?;
                set(
                    &format!("transport/link/tls/{side}_private_key_base64"),
                    pem(identity.private_key_pem()),
                )?;
            }
        }
        Ok(config)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(config: &zenoh::Config, key: &str) -> String {
        config.get_json(key).unwrap()
    }

    #[test]
    fn nobody_is_looked_for_or_connected_to_unasked() {
        let known = ZenohListenSettings { id: "900d9a7e00010000000000000000000a", found: true, from: None };
        for mode in [WhatAmI::Peer, WhatAmI::Client, WhatAmI::Router] {
            for known in [None, Some(known), Some(ZenohListenSettings { found: false, ..known })] {
                let settings =
                    SessionSettings { known, ..SessionSettings::new(mode, None, Duration::from_secs(4)) };
                let config = settings.to_config().unwrap();
                assert_eq!(setting(&config, "listen/endpoints"), "[]");
                assert_eq!(setting(&config, "scouting/gossip/enabled"), "false");
                assert_eq!(setting(&config, "scouting/multicast/autoconnect"), "[]");
                let found = known.is_some_and(|k| k.found).to_string();
                assert_eq!(setting(&config, "scouting/multicast/enabled"), found);
                assert_eq!(setting(&config, "scouting/multicast/listen"), found);
                assert_eq!(setting(&config, "adminspace/enabled"), "false");
            }
        }
    }

    #[test]
    fn a_router_takes_more_than_a_thousand_and_keeps_trying() {
        let config =
            SessionSettings::new(WhatAmI::Router, None, Duration::from_secs(60)).to_config().unwrap();
        let most: u32 = setting(&config, "transport/unicast/max_sessions").parse().unwrap();
        assert!(most > 1000);
        assert_eq!(setting(&config, "connect/timeout_ms"), "-1");
        assert_eq!(setting(&config, "transport/link/tx/lease"), "60000");
    }

    #[test]
    fn the_documented_configuration_of_the_engines_router_is_taken() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/zenohd/goodput-router.json5");
        let text = std::fs::read_to_string(file).unwrap();
        let theirs = zenoh::Config::from_json5(&text).unwrap();
        let ours = SessionSettings::new(WhatAmI::Router, None, super::super::ROUTER_LEASE_DURATION)
            .to_config()
            .unwrap();
        // Defaults that `goodput router` relies on.
        let all = "mode scouting/multicast/enabled scouting/gossip/enabled adminspace/enabled \
                   transport/unicast/max_sessions transport/unicast/accept_pending transport/link/tx/lease \
                   transport/link/tx/keep_alive transport/link/rx/max_message_size \
                   transport/shared_memory/enabled";
        for key in all.split_whitespace() {
            assert_eq!(setting(&theirs, key), setting(&ours, key), "{key}");
        }
        assert_eq!(setting(&theirs, "transport/link/protocols"), r#"["tls"]"#);
        assert_eq!(setting(&theirs, "transport/link/tls/enable_mtls"), "true");
        assert_eq!(setting(&theirs, "access_control/default_permission"), r#""deny""#);
    }
}
