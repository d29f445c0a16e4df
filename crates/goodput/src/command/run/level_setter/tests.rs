//! Factors as agents take them, and steps from their answers; `tests/end_to_end/knobs` tests agents.

use super::*;
use goodput_experiment::ExperimentFile;
use goodput_model::experiment::FactorLevel;

fn factor(name: &str, means: LevelSettingMethod, levels: &[&str]) -> Factor {
    let level = |name: &&str| FactorLevel { name: name.to_string(), value: name.to_string() };
    Factor { name: name.into(), levels: levels.iter().map(level).collect(), means, hard_to_change: false }
}

fn knob(name: &str, levels: &[&str]) -> Factor {
    let means =
        LevelSettingMethod::Knob { on: vec!["a".into(), "b".into()], knob: name.into(), interface: None };
    factor(name.split(' ').next().unwrap(), means, levels)
}

fn on_hosts(note: PathBuf) -> OnHosts {
    let text = "title = 'x'\nhosts = { a = 'lab:a@no-such-lab', b = 'localhost' }\n\
                [[probe]]\nname = 'tcp'\nrun = 'stream {a}'\nmeasures = ['goodput_bps']\n";
    let experiment = ExperimentFile::parse("x", text).unwrap().experiment;
    OnHosts {
        hosts: experiment.hosts.clone(),
        seats: KnobSessionPool::new(&experiment, vec![], &note).unwrap(),
        operator: Operator { yes: true, say: Rc::new(|_| {}), cancel: CancelFlag::default(), answers: None },
        mark: ChangedHosts::load(note),
        read: BTreeMap::new(),
        by_hand: BTreeMap::new(),
        names: BTreeMap::new(),
    }
}

#[test]
fn what_cannot_be_set_is_said_before_anything_is() {
    assert_eq!(validate_factor_levels(&knob("mtu", &["1500", "9000"])), Ok(()));
    assert!(validate_factor_levels(&knob("mtu", &["1500", "jumbo"])).unwrap_err().contains("whole number"));
    assert!(validate_factor_levels(&knob("speed", &["1", "2"])).unwrap_err().contains("no knob"));
    let command = |set: &str| LevelSettingMethod::Command {
        on: "a".into(),
        set: set.into(),
        read: None,
        restore: None,
    };
    assert_eq!(validate_factor_levels(&factor("c", command("nic {level}"), &["1", "2"])), Ok(()));
    assert!(validate_factor_levels(&factor("c", command("nic 'x {level}"), &["1", "2"])).is_err());
}

#[test]
fn a_commands_words_are_cut_once() {
    let means = LevelSettingMethod::Command {
        on: "a".into(),
        set: "sh -c 'echo {level}' > x".into(),
        read: Some("cat \"my file\"".into()),
        restore: None,
    };
    let (on, subject) = subject(&factor("c", means, &["1", "2"])).unwrap().unwrap();
    assert_eq!(on, ["a"]);
    let HostSettingSpec::Command { set, read, .. } = subject else { panic!() };
    assert_eq!(set, ["sh", "-c", "echo {level}", ">", "x"]);
    assert_eq!(read.unwrap(), ["cat", "my file"]);
}

#[test]
fn steps_are_one_a_factor() {
    let folder = tempfile::tempdir().unwrap();
    let mut hosts = on_hosts(folder.path().join(".levels-x.json"));
    hosts.names = BTreeMap::from([("mtu".into(), "size".into()), ("`nic {level}`".into(), "card".into())]);
    let back = |setting: &str, trouble: Option<&str>| RestoredSetting {
        setting: setting.into(),
        obtained: "1500".into(),
        trouble: trouble.map(Message::from),
    };
    let told = vec![
        ("a".to_string(), back("mtu of eth0", None)),
        ("b".to_string(), back("mtu of eth1", Some("somebody else has set it"))),
        ("b".to_string(), back("`nic {level}`", None)),
        ("b".to_string(), back("sysctl net.ipv4.tcp_sack", None)),
    ];
    let restored =
        |factor: &str| ExperimentStep::Restored { factor: factor.into(), obtained: vec!["b: 1500".into()] };
    let cause = message!(list_colon { what: "b", why: Message::from("somebody else has set it") });
    let not_restored = ExperimentStep::NotRestored { factor: "size".into(), cause };
    assert_eq!(hosts.steps(told), [not_restored, restored("card"), restored("sysctl net.ipv4.tcp_sack")]);
}

#[test]
fn a_lab_that_is_gone_needs_nothing_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join(".levels-x.json");
    let mut hosts = on_hosts(note.clone());
    hosts.mark.record_change("lab:a@no-such-lab", "mtu").unwrap();
    assert!(note.exists());
    hosts.forget_lab_settings("no-such-lab");
    assert!(!note.exists());
    assert_eq!(hosts.restore_all(), []);
}
