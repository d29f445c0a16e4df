//! The coordinator's side of host settings: reads, sets and restores through a host's agent, and sends
//! keep-alives. When it is dropped or dies, the agent restores all changes.

use crate::ControlError;
use crate::address::HostAddress;
use crate::agent::{Agent, AgentInfo, KnobJournalLocation, Policy};
use crate::credentials::Credentials;
use crate::identity::LocalRole;
use crate::message_bus::{CallError, MemoryBus, MessageBus};
use crate::prober::SocketProber;
use crate::protocol::{
    AgentRequest, HoldKnobsRequest, HostInventoryRequest, KNOB_HOLD_RENEWAL_INTERVAL, ReadKnobRequest,
    RestoreKnobsRequest, SETTING_COMMAND_TIMEOUT, SetKnobRequest, TRIAL_END_TIMEOUT,
};
use crate::session::agent_connection::{AgentConnection, describe_call_error};
use goodput_host::knob::ControlConnectionPath;
use goodput_model::host::inventory::Inventory;
use goodput_model::trial::TrialTimeouts;
use goodput_words::{Message, message};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

pub use crate::protocol::HostSettingSpec;
pub use goodput_host::knob::{AppliedSetting, RestoredSetting};

/// Limit of a request that runs no command.
const PROMPT: Duration = Duration::from_secs(5);

pub struct HostKnobs {
    // First: it uses the end.
    beat: Option<(Sender<()>, JoinHandle<()>)>,
    end: Arc<AgentConnection>,
    client: String,
    _local: Option<Agent>,
}

impl HostKnobs {
    /// Connects to a host's agent. `client` names the holder: the same when an experiment is resumed.
    pub fn connect(
        host: &HostAddress,
        credentials: Option<&Credentials>,
        deadlines: &TrialTimeouts,
        client: &str,
    ) -> Result<HostKnobs, ControlError> {
        let identity =
            credentials.map(|c| c.load_identity(LocalRole::Coordinator, "coordinator")).transpose()?;
        HostKnobs::with(AgentConnection::connect(host, identity.as_ref(), deadlines)?, None, client)
    }

    /// This machine, with the rights of this process and without a policy.
    pub fn for_local_host(
        journal: &Path,
        deadlines: &TrialTimeouts,
        client: &str,
    ) -> Result<HostKnobs, ControlError> {
        let bus: Arc<dyn MessageBus> = Arc::new(MemoryBus::new());
        let card = AgentInfo::with_name(&goodput_host::host_facts().hostname)?;
        let journal = KnobJournalLocation::File(journal.to_path_buf());
        let prober = Arc::new(SocketProber::without_listener());
        let agent =
            Agent::serve_with_journal(bus.clone(), prober, None, card, None, Policy::default(), journal)?;
        HostKnobs::with(AgentConnection::connect_local(bus, deadlines)?, Some(agent), client)
    }

    fn with(end: AgentConnection, local: Option<Agent>, client: &str) -> Result<HostKnobs, ControlError> {
        let end = Arc::new(end);
        let (stop, stopped) = channel::<()>();
        let beating = end.clone();
        let beat = move || {
            while stopped.recv_timeout(KNOB_HOLD_RENEWAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // A lost keep-alive is harmless.
                let hold = HoldKnobsRequest { presence: beating.presence.clone() };
                let _ = beating.call(&hold, KNOB_HOLD_RENEWAL_INTERVAL);
            }
        };
        let beat = crate::spawn("goodput-hold", beat)?;
        Ok(HostKnobs { beat: Some((stop, beat)), end, client: client.to_string(), _local: local })
    }

    pub fn name(&self) -> &str {
        &self.end.hello.name
    }

    /// The value as the user would type it; `None` where it cannot be read. `outgoing_interfaces`: addresses of the other
    /// hosts, which select an unnamed interface.
    pub fn read(&self, subject: &HostSettingSpec, towards: &[IpAddr]) -> Result<Option<String>, Message> {
        let ask = ReadKnobRequest { subject: subject.clone(), towards: towards.to_vec() };
        self.ask(&ask, SETTING_COMMAND_TIMEOUT + PROMPT).map(|read| read.value)
    }

    /// Sets and verifies; the error names the actual value.
    pub fn set(
        &self,
        subject: &HostSettingSpec,
        towards: &[IpAddr],
        value: &str,
    ) -> Result<AppliedSetting, Message> {
        let ask = SetKnobRequest {
            client: self.client.clone(),
            presence: self.end.presence.clone(),
            subject: subject.clone(),
            towards: towards.to_vec(),
            control: self.control(),
            value: value.to_string(),
        };
        // Read, set, read again.
        self.ask(&ask, TRIAL_END_TIMEOUT + SETTING_COMMAND_TIMEOUT * 3 + PROMPT)
    }

    /// Restores in reverse order; also reports what the agent has restored for this client meanwhile.
    pub fn restore(&self) -> Result<Vec<RestoredSetting>, Message> {
        let ask = RestoreKnobsRequest { client: self.client.clone(), presence: self.end.presence.clone() };
        self.ask(&ask, TRIAL_END_TIMEOUT + SETTING_COMMAND_TIMEOUT * 3 + PROMPT)
    }

    pub fn inventory(&self) -> Result<Inventory, Message> {
        self.ask(&HostInventoryRequest {}, PROMPT * 2)
    }

    /// The path of our orders, as far as this side knows it.
    fn control(&self) -> ControlConnectionPath {
        match (self.end.own, self.end.reached) {
            (true, _) => ControlConnectionPath::Own,
            (false, Some(address)) => ControlConnectionPath::At(address),
            (false, None) => ControlConnectionPath::Unknown,
        }
    }

    fn ask<A: AgentRequest>(&self, question: &A, deadline: Duration) -> Result<A::Answer, Message> {
        self.end.call(question, deadline).map_err(|e| match e {
            // An agent of an older version, without this request.
            CallError::NoAgent { .. } => {
                message!(error_agent_older_than_settings { version: &self.end.hello.version })
            }
            CallError::Died { .. } => "the host's agent disconnected".into(),
            other => describe_call_error(&other),
        })
    }
}

impl Drop for HostKnobs {
    fn drop(&mut self) {
        if let Some((stop, beat)) = self.beat.take() {
            drop(stop);
            let _ = beat.join();
        }
    }
}

#[cfg(test)]
mod tests;
