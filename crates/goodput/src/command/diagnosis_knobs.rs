//! Host settings that `goodput why --allow-knob` changes for single trials, by the same sessions as an experiment's
//! levels. An agent also restores them when this process or its session ends.

use super::knob_session::{self, HostKnobSession, KnobSessionHost};
use super::lab;
use super::resolve_host::format_host_name;
use crate::args::measure_args::MeasureInvocation;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::lab_exec::LabContext;
use goodput_analysis::diagnosis::{HostSetting, host_setting, multiplied_setting};
use goodput_control::knobs::HostSettingSpec;
use goodput_model::Message;
use goodput_model::diagnosis::Intervention;
use goodput_model::probe::{EndpointRole, Stream};
use goodput_words::message;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct DiagnosisKnobs {
    program: PathBuf,
    /// What agents call the holder.
    client: String,
    connecting: KnobEnd,
    listening: KnobEnd,
    /// For the present trial.
    changed: Option<ChangedSetting>,
}

struct KnobEnd {
    name: String,
    /// As typed; `None` for this machine without an agent.
    host: Option<String>,
    reaching: Vec<(&'static str, String)>,
    /// Opened with the first change.
    session: Option<HostKnobSession>,
}

struct ChangedSetting {
    end: EndpointRole,
    knob: &'static str,
    before: String,
    after: String,
    /// False where the agent did not confirm it.
    applied: bool,
}

impl DiagnosisKnobs {
    pub fn new(order: &MeasureInvocation, place: Option<&LabContext>) -> Result<DiagnosisKnobs, Failure> {
        let MeasureInvocation { host, from, options, .. } = order;
        let router = options.router.as_ref().map(|router| ("--router", router.to_string()));
        let reaching: Vec<_> = options.credentials.options().into_iter().chain(router).collect();
        let port = options.port.map(|port| ("--port", port.to_string()));
        let (name, connecting) = match (from, place) {
            (Some(from), _) => (format_host_name(from), Some(from.to_string())),
            // The lab's agent here.
            (None, Some(place)) => (place.from.clone(), Some(format!("lab:{}", place.from))),
            (None, None) => (goodput_host::host_facts().hostname, None),
        };
        let listening = Some(host.to_string());
        Ok(DiagnosisKnobs {
            program: lab::current_executable()?,
            client: format!("goodput why {host} (process {})", std::process::id()),
            connecting: KnobEnd { name, host: connecting, reaching: reaching.clone(), session: None },
            listening: KnobEnd {
                name: format_host_name(host),
                host: listening,
                reaching: reaching.into_iter().chain(port).collect(),
                session: None,
            },
            changed: None,
        })
    }

    /// Changes the setting that this intervention changes. After an error, a sentence, it may be changed too;
    /// [`DiagnosisKnobs::restore`] follows in any case.
    pub fn apply(&mut self, change: Intervention, settings: &Stream) -> Result<(), Message> {
        let Some(HostSetting { knob, end }) = host_setting(change.kind, settings) else { return Ok(()) };
        let at = match end {
            EndpointRole::Connect => &mut self.connecting,
            EndpointRole::Listen => &mut self.listening,
        };
        let host = at.name.clone();
        let refused = |cause: Message| {
            message!(progress_host_setting_left_out { host: &host, setting: sysctl(knob), cause })
        };
        let session = at.session(&self.program, &self.client).map_err(&refused)?;
        let before = session.read_setting(&subject(knob)).map_err(&refused)?;
        let before = before.ok_or_else(|| refused("it cannot be read".into()))?;
        let after = multiplied_setting(&before, change.dose);
        let after =
            after.ok_or_else(|| refused(message!(cause_diagnosis_setting_not_raised { before: &before })))?;
        let new = ChangedSetting { end, knob, before, after: after.clone(), applied: false };
        let changed = self.changed.insert(new);
        session.apply_setting(&subject(knob), &after).map_err(&refused)?;
        changed.applied = true;
        Ok(())
    }

    /// Restores what was changed, reads it back, and tells both values.
    pub fn restore(&mut self) -> Result<Option<Message>, Failure> {
        let Some(ChangedSetting { end, knob, before, after, applied }) = self.changed.take() else {
            return Ok(None);
        };
        let at = match end {
            EndpointRole::Connect => &mut self.connecting,
            EndpointRole::Listen => &mut self.listening,
        };
        let (host, setting) = (at.name.clone(), sysctl(knob));
        let session = at.session(&self.program, &self.client);
        let Err(why) = session.and_then(|session| restored(session, knob, &before)) else {
            let told = || message!(progress_host_setting_restored { host, setting, before, after });
            return Ok(applied.then(told));
        };
        let failed = message!(error_host_setting_not_restored { host: &host, setting });
        let command = format!("{setting}=\"{before}\"");
        Err(Failure::new(ExitStatus::BrokeOff, failed)
            .with_cause(why)
            .with_hint(message!(hint_restore_host_setting { host, command })))
    }
}

impl KnobEnd {
    fn session(&mut self, program: &Path, client: &str) -> Result<&mut HostKnobSession, Message> {
        let open = self.session.take();
        let session = HostKnobSession::reuse_or_open(open, || self.command(program, client))?;
        Ok(self.session.insert(session))
    }

    fn command(&self, program: &Path, client: &str) -> Result<Command, Message> {
        let journal = knob_session::local_knob_journal();
        let host = match (&self.host, &journal) {
            (Some(host), _) => KnobSessionHost::Agent { host, reaching: &self.reaching },
            (None, Some(journal)) => KnobSessionHost::Here { journal },
            (None, None) => return Err("there is no folder for its journal; set HOME".into()),
        };
        Ok(knob_session::knob_session_command(program, client, std::iter::empty(), &host))
    }
}

fn restored(session: &mut HostKnobSession, knob: &str, before: &str) -> Result<(), Message> {
    let told = session.restore_settings()?;
    let now = session.read_setting(&subject(knob))?;
    if now.as_deref() == Some(before) {
        return Ok(());
    }
    let trouble = told.into_iter().rev().filter(|back| back.setting == knob).find_map(|back| back.trouble);
    Err(trouble.unwrap_or_else(|| message!(cause_diagnosis_setting_is { value: now.unwrap_or_default() })))
}

fn subject(knob: &str) -> HostSettingSpec {
    HostSettingSpec::Knob { knob: knob.to_string(), interface: None }
}

/// As sysctl(8) names it.
fn sysctl(knob: &str) -> &str {
    knob.strip_prefix("sysctl ").unwrap_or(knob)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::args::tests::parsed;
    use crate::args::why::WhyInvocation;
    use goodput_host::knob::Knob;
    use goodput_model::diagnosis::InterventionKind;

    fn knobs(line: &str, place: Option<&LabContext>) -> DiagnosisKnobs {
        let Ok(args::Command::Why(order)) = parsed(line) else { panic!("{line}") };
        let WhyInvocation::Stream(order) = *order else { panic!("{line}") };
        DiagnosisKnobs::new(&order, place).unwrap()
    }

    #[test]
    fn each_end_is_reached_as_the_measurement_reaches_it() {
        let both = knobs("goodput why nas --port 6303 --from 10.0.0.1:7303 --key-file k --router hub", None);
        let common = [("--key-file", "k".to_string()), ("--router", "hub".to_string())];
        assert_eq!(both.connecting.host.as_deref(), Some("10.0.0.1:7303"));
        assert_eq!(both.connecting.reaching, common);
        assert_eq!((both.listening.host.as_deref(), both.listening.name.as_str()), (Some("nas"), "nas"));
        assert_eq!(both.listening.reaching[..2], common);
        assert_eq!(both.listening.reaching[2], ("--port", "6303".to_string()));
        assert_eq!(knobs("goodput why nas", None).connecting.host, None);
    }

    #[test]
    fn inside_a_lab_the_agent_there_decides() {
        let place = LabContext {
            from: "a".into(),
            peer: None,
            key_file: "k".into(),
            medium: None,
            bus: None,
            hosts: Vec::new(),
            seat: false,
        };
        let in_lab = knobs("goodput why lab:b", Some(&place));
        assert_eq!(
            (in_lab.connecting.host.as_deref(), in_lab.connecting.name.as_str()),
            (Some("lab:a"), "a")
        );
        assert_eq!((in_lab.listening.host.as_deref(), in_lab.listening.name.as_str()), (Some("lab:b"), "b"));
    }

    #[test]
    fn every_host_setting_is_a_knob() {
        for kind in InterventionKind::ALL {
            let Some(HostSetting { knob, .. }) = host_setting(kind, &Stream::default()) else { continue };
            assert!(knob.parse::<Knob>().is_ok(), "{knob}");
        }
    }

    #[test]
    fn other_interventions_open_nothing() {
        let mut knobs = knobs("goodput why nas", None);
        let change = Intervention::new(InterventionKind::ReceiveBuffer, 0.5);
        assert_eq!(knobs.apply(change, &Stream::default()), Ok(()));
        assert_eq!(knobs.restore(), Ok(None));
        assert!(knobs.connecting.session.is_none() && knobs.listening.session.is_none());
    }
}
