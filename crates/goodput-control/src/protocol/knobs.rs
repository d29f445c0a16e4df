//! Requests for settings and inventory of an agent's host. An older agent does not serve these keys; its
//! version tells it apart ([`super::HelloResponse::version`]).

use super::AgentRequest;
use goodput_host::knob::{AppliedSetting, ControlConnectionPath, RestoredSetting};
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
pub enum HostSettingSpec {
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

impl fmt::Display for HostSettingSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostSettingSpec::Knob { knob, interface: None } => f.write_str(knob),
            HostSettingSpec::Knob { knob, interface: Some(interface) } => write!(f, "{knob} of {interface}"),
            HostSettingSpec::Command { set, .. } => write!(f, "`{}`", set.join(" ")),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadKnobRequest {
    pub subject: HostSettingSpec,
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
    pub subject: HostSettingSpec,
    #[serde(default)]
    pub towards: Vec<IpAddr>,
    /// The path of this order.
    pub control: ControlConnectionPath,
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
pub struct HostInventoryRequest {}

asks! {
    ReadKnobRequest, "read-knob", ReadKnobResponse;
    SetKnobRequest, "set-knob", AppliedSetting;
    HoldKnobsRequest, "hold-knobs", HoldKnobsResponse;
    RestoreKnobsRequest, "restore-knobs", Vec<RestoredSetting>;
    HostInventoryRequest, "inventory", Inventory;
}
