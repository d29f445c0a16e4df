//! Interventions that change a setting of a host: which one, at which end, and its new value.

use super::observation::diagnosed_direction;
use goodput_model::diagnosis::InterventionKind;
use goodput_model::probe::{EndpointRole, Stream, TransferDirection};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostSetting {
    /// As a factor of an experiment names it (`docs/knobs.md`).
    pub knob: &'static str,
    pub end: EndpointRole,
}

/// The kernel takes no more.
const LARGEST: f64 = i32::MAX as f64;

/// `None` for an intervention that changes only the settings of the trial.
pub fn host_setting(kind: InterventionKind, settings: &Stream) -> Option<HostSetting> {
    let (sender, receiver) = match diagnosed_direction(settings) {
        TransferDirection::Send | TransferDirection::Both => (EndpointRole::Connect, EndpointRole::Listen),
        TransferDirection::Receive => (EndpointRole::Listen, EndpointRole::Connect),
    };
    let (knob, end) = match kind {
        InterventionKind::ReceiveBufferSetting => ("sysctl net.ipv4.tcp_rmem", receiver),
        InterventionKind::SendBufferSetting => ("sysctl net.ipv4.tcp_wmem", sender),
        InterventionKind::BacklogSetting => ("sysctl net.core.netdev_max_backlog", receiver),
        _ => return None,
    };
    Some(HostSetting { knob, end })
}

/// The value with its last number multiplied: of `tcp_rmem` and `tcp_wmem` the largest size. `None` if that changes
/// nothing, or it is no number.
pub fn multiplied_setting(value: &str, dose: f64) -> Option<String> {
    let (before, last) = value.trim().rsplit_once(char::is_whitespace).unwrap_or(("", value.trim()));
    let present: u64 = last.parse().ok()?;
    let changed = (present as f64 * dose).round().clamp(1.0, LARGEST) as u64;
    let words = before.split_whitespace().map(String::from).chain([changed.to_string()]);
    (changed != present).then(|| words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::Observation;
    use super::super::cause::CAUSES;
    use super::*;
    use EndpointRole::{Connect, Listen};
    use InterventionKind::{BacklogSetting, ReceiveBufferSetting, SendBufferSetting};
    use goodput_model::Bytes;

    #[test]
    fn only_the_last_number_is_multiplied() {
        for (value, dose, changed) in [
            ("4096 131072 6291456", 4.0, Some("4096 131072 25165824")),
            ("4096\t16384\t4194304\n", 4.0, Some("4096 16384 16777216")),
            ("4096 4096 1500000000", 4.0, Some("4096 4096 2147483647")),
            ("1000", 10.0, Some("10000")),
            ("1000", 1.0, None),
            ("4096 4096 2147483647", 4.0, None),
            ("4096 131072 auto", 4.0, None),
            ("-1", 4.0, None),
            ("", 4.0, None),
        ] {
            assert_eq!(multiplied_setting(value, dose).as_deref(), changed, "{value:?} times {dose}");
        }
    }

    #[test]
    fn a_setting_belongs_to_the_end_that_it_limits() {
        let end = |kind: InterventionKind, direction: TransferDirection| {
            host_setting(kind, &Stream { direction, ..Stream::default() }).map(|setting| setting.end)
        };
        for (kind, send, receive) in [
            (ReceiveBufferSetting, Listen, Connect),
            (BacklogSetting, Listen, Connect),
            (SendBufferSetting, Connect, Listen),
        ] {
            assert_eq!(end(kind, TransferDirection::Send), Some(send), "{kind:?}");
            assert_eq!(end(kind, TransferDirection::Both), Some(send), "{kind:?}");
            assert_eq!(end(kind, TransferDirection::Receive), Some(receive), "{kind:?}");
        }
    }

    #[test]
    fn every_kind_of_host_setting_has_one_and_no_other() {
        for kind in InterventionKind::ALL {
            let found = host_setting(kind, &Stream::default());
            assert_eq!(found.is_some(), kind.is_host_setting(), "{kind:?}");
            assert!(found.is_none_or(|setting| setting.knob.starts_with("sysctl net.")), "{kind:?}");
        }
    }

    #[test]
    fn a_setting_is_tried_only_where_it_can_limit() {
        let tried = |seen: &Observation| -> Vec<InterventionKind> {
            let predictions = CAUSES.iter().flat_map(|model| (model.predict)(seen));
            predictions.map(|p| p.intervention.kind).filter(|kind| kind.is_host_setting()).collect()
        };
        let mut seen = Observation::default();
        assert_eq!(tried(&seen), [ReceiveBufferSetting, SendBufferSetting]);
        seen.settings.socket.receive_buffer = Some(Bytes(1 << 20));
        assert_eq!(tried(&seen), [SendBufferSetting]);
        seen.settings.socket.send_buffer = Some(Bytes(1 << 20));
        seen.receiver_drop_share = 0.01;
        assert_eq!(tried(&seen), []);
        seen.backlog_drop_share = 0.005;
        assert_eq!(tried(&seen), [BacklogSetting; 2]);
    }
}
