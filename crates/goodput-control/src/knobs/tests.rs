//! Tests of host settings by orders over an in-memory bus; commands on files replace real knobs.

use super::*;
use crate::fake::{file_setting, wait_until};
use std::path::PathBuf;

struct Stage {
    folder: tempfile::TempDir,
    bus: Arc<MemoryBus>,
}

impl Stage {
    fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("speed"), "100\n").unwrap();
        Stage { folder, bus: Arc::new(MemoryBus::new()) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn speed(&self) -> String {
        std::fs::read_to_string(self.path("speed")).unwrap().trim().to_string()
    }

    fn agent(&self, policy: Policy) -> Agent {
        let journal = KnobJournalLocation::File(self.path("knobs.journal"));
        let card = AgentInfo::with_name("host").unwrap();
        let prober = Arc::new(SocketProber::without_listener());
        Agent::serve_with_journal(self.bus.clone(), prober, None, card, None, policy, journal).unwrap()
    }

    fn coordinator(&self) -> HostKnobs {
        let bus: Arc<dyn MessageBus> = self.bus.clone();
        let end =
            AgentConnection::connect_over_bus(bus, "host".into(), None, &TrialTimeouts::default()).unwrap();
        HostKnobs::with(end, None, "a run").unwrap()
    }

    fn subject(&self) -> HostSettingSpec {
        file_setting(&self.path("speed"))
    }
}

/// What the agent says about the first setting in its journal.
fn first_restore(agent: &Agent) -> String {
    let (tell, told) = std::sync::mpsc::channel();
    agent.on_settings_restored(move |sentence| drop(tell.send(sentence.to_string())));
    told.try_recv().unwrap()
}

fn started() -> (Stage, Agent, HostKnobs) {
    let stage = Stage::new();
    let (agent, coordinator) = (stage.agent(Policy::default()), stage.coordinator());
    (stage, agent, coordinator)
}

#[test]
fn a_coordinator_that_is_gone_leaves_nothing_changed() {
    let (stage, _agent, host) = started();
    host.set(&stage.subject(), &[], "1000").unwrap();
    drop(host);
    wait_until(|| stage.speed() == "100");
    // A returning client is told once.
    let again = stage.coordinator();
    wait_until(|| again.restore().is_ok_and(|told| told.len() == 1 && told[0].trouble.is_none()));
    assert_eq!(again.restore(), Ok(vec![]));
}

#[test]
fn one_at_a_time_and_the_holder_is_named() {
    let (stage, _agent, one) = started();
    let other = stage.coordinator();
    assert!(one.name() == "host" && !one.inventory().unwrap().hash.is_empty());
    let put = one.set(&stage.subject(), &[], "1000").unwrap();
    assert_eq!((put.before.as_str(), put.obtained, stage.speed()), ("100", "1000".into(), "1000".into()));
    let said = other.set(&stage.subject(), &[], "10").unwrap_err();
    assert!(said.contains("held by a run"), "{said}");
    let back = one.restore().unwrap();
    assert_eq!((back.len(), back[0].trouble.as_ref(), stage.speed().as_str()), (1, None, "100"));
    assert_eq!(one.restore(), Ok(vec![]));
    other.set(&stage.subject(), &[], "10").unwrap();
}

#[test]
fn an_agent_that_ends_or_was_killed_leaves_nothing_changed() {
    let (stage, agent, host) = started();
    host.set(&stage.subject(), &[], "1000").unwrap();
    // State after SIGKILL: journal and setting unchanged.
    let journal = std::fs::read(stage.path("knobs.journal")).unwrap();
    drop(agent);
    assert_eq!(stage.speed(), "100");
    std::fs::write(stage.path("knobs.journal"), journal).unwrap();
    std::fs::write(stage.path("speed"), "1000\n").unwrap();
    let agent = stage.agent(Policy::default());
    assert_eq!(stage.speed(), "100");
    assert!(first_restore(&agent).ends_with("was restored to 100"));
}

#[test]
fn a_journals_commands_are_checked_against_the_policy_again() {
    let (stage, agent, host) = started();
    host.set(&stage.subject(), &[], "1000").unwrap();
    let journal = std::fs::read(stage.path("knobs.journal")).unwrap();
    drop(agent);
    std::fs::write(stage.path("knobs.journal"), &journal).unwrap();
    std::fs::write(stage.path("speed"), "1000\n").unwrap();
    let allowing = |commands: &[&str]| {
        let commands: Vec<String> = commands.iter().map(|words| (*words).to_string()).collect();
        let agent = stage.agent(Policy::default().with_knobs_and_commands(&[], &commands));
        (first_restore(&agent), stage.speed())
    };
    for too_few in [&[][..], &["cat"], &["sh"]] {
        let (said, speed) = allowing(too_few);
        assert!(said.contains("was not restored") && said.contains("commands.allowed"), "{said}");
        assert_eq!(speed, "1000", "{too_few:?}");
        assert_eq!(std::fs::read(stage.path("knobs.journal")).unwrap(), journal, "{too_few:?}");
    }
    assert_eq!(allowing(&["cat", "sh -c"]).1, "100");
}

#[test]
fn a_journal_behind_a_link_is_not_used() {
    let stage = Stage::new();
    std::os::unix::fs::symlink(stage.path("elsewhere"), stage.path("knobs.journal")).unwrap();
    let agent = stage.agent(Policy::default());
    assert!(first_restore(&agent).contains("it is a symbolic link"));
    let said = stage.coordinator().set(&stage.subject(), &[], "1000").unwrap_err();
    assert!(said.starts_with("nothing is set"), "{said}");
    assert!(stage.speed() == "100" && !stage.path("elsewhere").exists());
}

#[test]
fn rules_are_kept_and_named() {
    let stage = Stage::new();
    let _agent = stage.agent(Policy::default().with_knobs_and_commands(&[], &["cat".into()]));
    let host = stage.coordinator();
    assert_eq!(host.read(&stage.subject(), &[]), Ok(Some("100".into())));
    let knob = |knob: &str, interface: Option<&str>| HostSettingSpec::Knob {
        knob: knob.into(),
        interface: interface.map(String::from),
    };
    for (subject, value, words) in [
        (stage.subject(), "1000", "commands.allowed"),
        (knob("mtu", Some("lo")), "1400", "knobs.allowed"),
        (knob("speed", None), "1", "type one that begins with"),
    ] {
        let said = host.set(&subject, &[], value).unwrap_err();
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(stage.speed(), "100");
}

#[test]
fn without_a_journal_nothing_is_set() {
    let stage = Stage::new();
    let card = AgentInfo::with_name("host").unwrap();
    let prober = Arc::new(SocketProber::without_listener());
    let (policy, journal) = (Policy::default(), KnobJournalLocation::None);
    let _agent =
        Agent::serve_with_journal(stage.bus.clone(), prober, None, card, None, policy, journal).unwrap();
    let said = stage.coordinator().set(&stage.subject(), &[], "1000").unwrap_err();
    assert!(said.starts_with("nothing is set") && said.contains("--knob-journal"), "{said}");
}

#[test]
fn a_journal_that_another_process_has_is_left_alone() {
    let (stage, _agent, host) = started();
    host.set(&stage.subject(), &[], "1000").unwrap();
    let other = HostKnobs::for_local_host(&stage.path("knobs.journal"), &TrialTimeouts::default(), "another")
        .unwrap();
    let said = other.set(&stage.subject(), &[], "10").unwrap_err();
    assert!(said.contains("another process"), "{said}");
    assert_eq!(stage.speed(), "1000");
}
