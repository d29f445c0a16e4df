//! Sets knobs of this host for a coordinator and restores them on request, when the coordinator is lost, when
//! the agent stops, and after a crash.

use super::host_setting::{HostSetting, LocalHostBackend};
use super::{AgentInner, Policy};
use crate::locked;
use crate::protocol::{
    HoldKnobsRequest, HoldKnobsResponse, KNOB_HOLD_TIMEOUT, ReadKnobRequest, ReadKnobResponse,
    RestoreKnobsRequest, SetKnobRequest, TRIAL_END_TIMEOUT,
};
use goodput_host::knob::{
    AppliedSetting, JournalFile, KernelBackend, KnobBackend, KnobError, KnobRestorer, NullJournal,
    RestoredSetting,
};
use goodput_model::agent::AgentState;
use goodput_words::{ErrorMessage, Message, message};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of the check for silent coordinators while a setting is held.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Unrequested restores that are remembered for a returning coordinator.
const MAX_RESTORES: usize = 256;

/// Where an agent records original values before it changes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum KnobJournalLocation {
    /// Nowhere: the agent changes nothing.
    #[default]
    None,
    /// For settings that disappear with the agent's network namespace.
    Memory,
    /// In this file; its settings are restored when the agent starts, also after SIGKILL.
    File(PathBuf),
}

/// Called with one sentence after each unrequested restore.
type Notify = Box<dyn Fn(&str) + Send + Sync>;

pub(super) struct KnobSessions {
    backend: LocalHostBackend,
    journal: KnobJournalLocation,
    /// Opened with the first setting, or with a journal left by an earlier agent.
    keeper: Mutex<Option<KnobRestorer<LocalHostBackend>>>,
    book: Mutex<SessionState>,
    changed: Condvar,
}

#[derive(Default)]
struct SessionState {
    holds: Vec<KnobHold>,
    /// Owner (empty where unknown) and result of each restore.
    done: VecDeque<(String, RestoredSetting)>,
    tell: Option<Notify>,
    watching: bool,
    stopping: bool,
}

struct KnobHold {
    presence: String,
    client: String,
    until: Instant,
}

impl KnobSessions {
    /// Restores what an earlier agent left in the journal, as far as the policy allows its commands.
    pub(super) fn open_and_restore(journal: KnobJournalLocation, policy: Policy) -> Arc<KnobSessions> {
        let left = matches!(&journal, KnobJournalLocation::File(path) if path.symlink_metadata().is_ok());
        let knob_sessions = KnobSessions {
            backend: LocalHostBackend { policy },
            journal,
            keeper: Mutex::default(),
            book: Mutex::default(),
            changed: Condvar::new(),
        };
        if left {
            let told = match knob_sessions.with_keeper(KnobRestorer::restore_after_crash) {
                Ok(told) => told,
                Err(e) => vec![RestoredSetting {
                    setting: "what an earlier agent has set".into(),
                    obtained: String::new(),
                    trouble: Some(e.message()),
                }],
            };
            knob_sessions.remember("", told);
        }
        Arc::new(knob_sessions)
    }

    /// Sets the callback; it also receives the restores of the start.
    pub(super) fn set_restore_callback(&self, tell: Notify) {
        let mut book = locked(&self.book);
        book.done.iter().for_each(|(_, back)| tell(&sentence(back)));
        book.tell = Some(tell);
    }

    fn with_keeper<T>(
        &self,
        work: impl FnOnce(&mut KnobRestorer<LocalHostBackend>) -> T,
    ) -> Result<T, KnobError> {
        let mut keeper = locked(&self.keeper);
        let keeper = match &mut *keeper {
            Some(keeper) => keeper,
            none => none.insert(self.opened()?),
        };
        Ok(work(keeper))
    }

    fn opened(&self) -> Result<KnobRestorer<LocalHostBackend>, KnobError> {
        let failed = |file: String, why: Message| KnobError::Journal { file, why };
        let here = KernelBackend.host_identity();
        match &self.journal {
            KnobJournalLocation::None => Err(failed(
                "of this agent".into(),
                "it keeps none; start it with a spool folder, or with --knob-journal FILE".into(),
            )),
            KnobJournalLocation::Memory => {
                KnobRestorer::open(self.backend.clone(), Box::new(NullJournal), &[], here)
                    .map_err(|e| failed("in memory".into(), e.message()))
            }
            KnobJournalLocation::File(path) => {
                let name = path.display().to_string();
                let (log, lines) = JournalFile::open(path).map_err(|e| failed(name.clone(), e.message()))?;
                let damaged = |e: goodput_host::knob::restore_journal::JournalParseError| {
                    let then = Message::from("put back by hand what it names, then remove it");
                    failed(name, message!(list_semicolon { first: e.message(), then }))
                };
                KnobRestorer::open(self.backend.clone(), Box::new(log), &lines, here).map_err(damaged)
            }
        }
    }

    fn set(
        self: &Arc<Self>,
        ask: &SetKnobRequest,
        host_setting: &HostSetting,
        value: &str,
    ) -> Result<AppliedSetting, KnobError> {
        self.hold(&ask.presence, Some(&ask.client));
        let done = self.with_keeper(|keeper| keeper.set_value(&ask.presence, host_setting, value));
        done.flatten().map_err(|e| match e {
            KnobError::Held { setting, owner } => {
                let name =
                    locked(&self.book).holds.iter().find(|h| h.presence == owner).map(|h| h.client.clone());
                KnobError::Held { setting, owner: name.unwrap_or(owner) }
            }
            other => other,
        })
    }

    /// Records a sign of life; true while something is held for this presence. `client` starts a hold.
    fn hold(self: &Arc<Self>, presence: &str, client: Option<&str>) -> bool {
        let mut book = locked(&self.book);
        let until = Instant::now() + KNOB_HOLD_TIMEOUT;
        let held = match book.holds.iter_mut().find(|h| h.presence == presence) {
            Some(hold) => {
                hold.until = until;
                true
            }
            None => false,
        };
        if let (false, Some(client)) = (held, client) {
            let (presence, client) = (presence.to_string(), client.to_string());
            book.holds.push(KnobHold { presence, client, until });
            self.watch(&mut book);
        }
        held
    }

    /// Starts the thread that detects silent holders; it ends with the last holder.
    fn watch(self: &Arc<Self>, book: &mut SessionState) {
        if !book.watching {
            let knob_sessions = self.clone();
            let watching = move || knob_sessions.miss();
            book.watching = thread::Builder::new().name("goodput-knobs".into()).spawn(watching).is_ok();
        }
    }

    fn miss(&self) {
        let mut book = locked(&self.book);
        while !book.stopping && !book.holds.is_empty() {
            let now = Instant::now();
            if let Some(at) = book.holds.iter().position(|h| h.until <= now) {
                let hold = book.holds.remove(at);
                drop(book);
                self.give_up(&hold);
                book = locked(&self.book);
                continue;
            }
            book = self.changed.wait_timeout(book, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        book.watching = false;
    }

    fn give_up(&self, hold: &KnobHold) {
        let told =
            self.with_keeper(|keeper| keeper.restore_owner_settings(&hold.presence)).unwrap_or_default();
        self.remember(&hold.client, told);
    }

    /// Marks a coordinator as gone; the watching thread restores its settings.
    pub(super) fn mark_coordinator_gone(&self, presence: &str) {
        let mut book = locked(&self.book);
        let now = Instant::now();
        book.holds.iter_mut().filter(|h| h.presence == presence).for_each(|h| h.until = now);
        self.changed.notify_all();
    }

    /// Restores a client's settings; also reports unrequested restores for it or an unknown owner.
    fn restore(&self, ask: &RestoreKnobsRequest) -> Result<Vec<RestoredSetting>, KnobError> {
        locked(&self.book).holds.retain(|h| h.presence != ask.presence);
        let mut told: Vec<RestoredSetting> = Vec::new();
        let mut book = locked(&self.book);
        let mut kept = VecDeque::new();
        for (client, back) in book.done.drain(..) {
            if client.is_empty() || client == ask.client {
                told.push(back);
            } else {
                kept.push_back((client, back));
            }
        }
        book.done = kept;
        drop(book);
        if locked(&self.keeper).is_some() {
            // Retries what an earlier attempt could not restore.
            told.extend(self.with_keeper(|keeper| {
                let mut told = keeper.restore_owner_settings(&ask.presence);
                told.extend(keeper.restore_after_crash());
                told
            })?);
        }
        Ok(told)
    }

    fn remember(&self, client: &str, told: Vec<RestoredSetting>) {
        let mut book = locked(&self.book);
        for back in told {
            if let Some(tell) = &book.tell {
                tell(&sentence(&back));
            }
            book.done.push_back((client.to_string(), back));
        }
        let surplus = book.done.len().saturating_sub(MAX_RESTORES);
        book.done.drain(..surplus);
    }

    /// Restores everything before the agent ends.
    pub(super) fn restore_all(&self) {
        locked(&self.book).stopping = true;
        self.changed.notify_all();
        if locked(&self.keeper).is_some() {
            let told = self.with_keeper(KnobRestorer::restore_all).unwrap_or_default();
            self.remember("", told);
        }
    }
}

fn sentence(back: &RestoredSetting) -> String {
    match &back.trouble {
        None => format!("{} was restored to {}", back.setting, back.obtained),
        Some(trouble) => format!("{} was not restored: {trouble}", back.setting),
    }
}

impl AgentInner {
    pub(super) fn read_knob(&self, ask: ReadKnobRequest) -> Result<ReadKnobResponse, Message> {
        let words = |e: KnobError| e.message();
        let backend = &self.knob_sessions.backend;
        let host_setting = HostSetting::from_target(&ask.subject, &ask.towards).map_err(words)?;
        if !backend.is_readable(&host_setting) {
            return Ok(ReadKnobResponse { value: None });
        }
        backend
            .read_state(&host_setting)
            .map(|state| ReadKnobResponse { value: Some(state.shown) })
            .map_err(words)
    }

    pub(super) fn set_knob(&self, ask: SetKnobRequest) -> Result<AppliedSetting, Message> {
        let words = |e: KnobError| e.message();
        let host_setting = HostSetting::from_target(&ask.subject, &ask.towards).map_err(words)?;
        self.check_setting_policy(&host_setting)?;
        if let HostSetting::Knob(setting) = &host_setting {
            KernelBackend.check_change_allowed(setting, ask.control).map_err(words)?;
        }
        let value = host_setting.normalize_value(&ask.value).map_err(words)?;
        self.await_quiet()?;
        self.knob_sessions.set(&ask, &host_setting, &value).map_err(words)
    }

    fn check_setting_policy(&self, host_setting: &HostSetting) -> Result<(), Message> {
        match host_setting {
            HostSetting::Knob(setting) => self.policy.admits_knob(&setting.knob, setting.device.as_ref()),
            HostSetting::Command { set, read, restore } => [Some(set), read.as_ref(), restore.as_ref()]
                .into_iter()
                .flatten()
                .try_for_each(|words| self.policy.admits_command(words)),
        }
        .map_err(|e| e.message())
    }

    /// Waits until no trial runs here: a change during a trial would affect its result.
    fn await_quiet(&self) -> Result<(), Message> {
        let state = self.wait_while(self.lock(), TRIAL_END_TIMEOUT, |state| state.book.is_trial_running());
        if !state.book.is_trial_running() {
            return Ok(());
        }
        let who = match state.book.agent_state(self.now()) {
            AgentState::Busy { client, .. } => Message::from(client),
            AgentState::Idle => "nobody".into(),
        };
        Err(message!(error_nothing_set_in_trial { who }))
    }

    pub(super) fn extend_knob_hold(&self, ask: HoldKnobsRequest) -> Result<HoldKnobsResponse, Message> {
        Ok(HoldKnobsResponse { held: self.knob_sessions.hold(&ask.presence, None) })
    }

    pub(super) fn restore_knobs(&self, ask: RestoreKnobsRequest) -> Result<Vec<RestoredSetting>, Message> {
        // A trial that still runs keeps its result, but restoring has priority.
        let _ = self.await_quiet();
        self.knob_sessions.restore(&ask).map_err(|e| e.message())
    }
}
