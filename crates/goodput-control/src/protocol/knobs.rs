//! Requests for settings and inventory of an agent's host. An older agent does not serve these keys; its
//! version tells it apart ([`super::HelloResponse::version`]).

use super::AgentRequest;
use goodput_host::knob::{AppliedSetting, ControlPath, RestoredSetting};
use goodput_model::host::inventory::Inventory;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

/// How long an agent keeps settings without a keep-alive.
pub const KNOB_HOLD_TIMEOUT: Duration = Duration::from_secs(20);

/// Interval of keep-alives.
pub const KNOB_HOLD_RENEWAL_INTERVAL: Duration = Duration::from_secs(4);

pub const SETTING_COMMAND_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest that a setting waits for a trial to end.
pub const TRIAL_END_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum SettingTarget {
    Knob {
        knob: String,
        /// `None` for the interface that leads to the other hosts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interface: Option<String>,
    },
    /// Programs that set, read and restore, as words without a shell.
    Command {
        /// `{level}` becomes the value.
        set: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        read: Option<Vec<String>>,
        /// `{before}` becomes the first output of `read`. Without it `set` restores.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restore: Option<Vec<String>>,
    },
}

impl fmt::Display for SettingTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingTarget::Knob { knob, interface: None } => f.write_str(knob),
            SettingTarget::Knob { knob, interface: Some(interface) } => write!(f, "{knob} of {interface}"),
            SettingTarget::Command { set, .. } => write!(f, "`{}`", set.join(" ")),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadKnobRequest {
    pub subject: SettingTarget,
    /// Addresses of the other hosts, which select the interface.
    #[serde(default)]
    pub towards: Vec<IpAddr>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadKnobResponse {
    /// As the user would type it; `None` where it cannot be read.
    pub value: Option<String>,
}

/// Sets a knob, and restores it when the asker is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetKnobRequest {
    pub client: String,
    /// The asker's presence: when it ends, everything is restored.
    pub presence: String,
    pub subject: SettingTarget,
    #[serde(default)]
    pub towards: Vec<IpAddr>,
    /// The path of this order.
    pub control: ControlPath,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldKnobsRequest {
    pub presence: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldKnobsResponse {
    /// False when nothing was set, or all is restored.
    pub held: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreKnobsRequest {
    /// Unrequested restores for this client are reported too, once.
    pub client: String,
    pub presence: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InventoryRequest {}

asks! {
    ReadKnobRequest, "read-knob", ReadKnobResponse;
    SetKnobRequest, "set-knob", AppliedSetting;
    HoldKnobsRequest, "hold-knobs", HoldKnobsResponse;
    RestoreKnobsRequest, "restore-knobs", Vec<RestoredSetting>;
    InventoryRequest, "inventory", Inventory;
}
