//! Settings of an agent's host: to be read, set and put back; and what the host is, before any trial.
//!
//! An agent that is older than these questions does not serve their keys; it is then told apart by its version
//! ([`super::Hello::version`]).

use super::Ask;
use goodput_host::knob::{Back, Control, Put};
use goodput_model::host::inventory::Inventory;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

/// How long an agent keeps what it has set without hearing from whoever ordered it; then it puts it back.
pub const HOLD: Duration = Duration::from_secs(20);

/// How often whoever ordered it says that it is still there.
pub const HOLD_BEAT: Duration = Duration::from_secs(4);

pub const COMMAND_LIMIT: Duration = Duration::from_secs(60);

/// The longest that a setting waits for a trial under way to end.
pub const QUIET_LIMIT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Subject {
    /// A knob of [`goodput_host::knob::LIST`].
    Knob {
        knob: String,
        /// The interface; `None` for the one that leads to the other hosts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interface: Option<String>,
    },
    /// Programs that set, read and put back, each as the words of its command line. No shell reads them.
    Command {
        /// Sets; `{level}` becomes the value.
        set: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        read: Option<Vec<String>>,
        /// Puts back; `{before}` becomes what `read` printed at first. Without it that is `set`'s to do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restore: Option<Vec<String>>,
    },
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Knob { knob, interface: None } => f.write_str(knob),
            Subject::Knob { knob, interface: Some(interface) } => write!(f, "{knob} of {interface}"),
            Subject::Command { set, .. } => write!(f, "`{}`", set.join(" ")),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskReadKnob {
    pub subject: Subject,
    /// Addresses of the other hosts, by which the interface is found.
    #[serde(default)]
    pub towards: Vec<IpAddr>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnobRead {
    /// As a person would type it; `None` where it cannot be read.
    pub value: Option<String>,
}

/// Set it, and put it back when we are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskSetKnob {
    pub client: String,
    /// The key under which the asker is present: when that goes, everything is put back.
    pub presence: String,
    pub subject: Subject,
    /// Addresses of the other hosts, by which the interface is found.
    #[serde(default)]
    pub towards: Vec<IpAddr>,
    /// By which way this order comes.
    pub control: Control,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskHoldKnobs {
    /// The key under which the asker is present.
    pub presence: String,
}

/// Whether something is still kept for whoever holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// False when nothing is: nothing was set, or everything has been put back.
    pub held: bool,
}

/// Put back what we have set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskRestoreKnobs {
    /// Who asks: what was put back for the same one meanwhile, without being asked, is told too, once.
    pub client: String,
    /// The key under which the asker is present.
    pub presence: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskInventory {}

asks! {
    AskReadKnob, "read-knob", KnobRead;
    AskSetKnob, "set-knob", Put;
    AskHoldKnobs, "hold-knobs", Held;
    AskRestoreKnobs, "restore-knobs", Vec<Back>;
    AskInventory, "inventory", Inventory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_as_documented() {
        let ask = AskSetKnob {
            client: "c".into(),
            presence: "p".into(),
            subject: Subject::Knob { knob: "mtu".into(), interface: None },
            towards: vec!["10.0.0.1".parse().unwrap()],
            control: Control::At("10.0.0.2".parse().unwrap()),
            value: "9000".into(),
        };
        let text = serde_json::to_string(&ask).unwrap();
        assert_eq!(
            text,
            r#"{"client":"c","presence":"p","subject":{"by":"knob","knob":"mtu"},"towards":["10.0.0.1"],"control":{"at":"10.0.0.2"},"value":"9000"}"#
        );
        assert_eq!(serde_json::from_str::<AskSetKnob>(&text).unwrap(), ask);
        let command = Subject::Command { set: vec!["ip".into(), "link".into()], read: None, restore: None };
        assert_eq!(command.to_string(), "`ip link`");
    }
}
