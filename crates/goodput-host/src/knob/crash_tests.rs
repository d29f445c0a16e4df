//! Crash tests of the journal: after a crash at any point, the next process restores the same values.

use super::KnobError;
use super::restorer::{HostIdentity, JournalStorage, KnobBackend, KnobRestorer, KnobState};
use goodput_words::Message;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

/// Everything that reached the disk or the kernel, in order.
#[derive(Debug, Clone, PartialEq)]
enum DurableEffect {
    Appended(Vec<u8>),
    Cleared,
    Set(String, String),
}

#[derive(Clone, Default)]
struct SimulatedHost {
    values: Arc<Mutex<BTreeMap<String, String>>>,
    done: Arc<Mutex<Vec<DurableEffect>>>,
    disk_full: bool,
}

impl SimulatedHost {
    fn of(values: &BTreeMap<String, String>) -> SimulatedHost {
        SimulatedHost { values: Arc::new(Mutex::new(values.clone())), ..SimulatedHost::default() }
    }

    fn values(&self) -> BTreeMap<String, String> {
        self.values.lock().unwrap().clone()
    }

    /// `even` rounds up to even numbers, `stuck` ignores changes.
    fn write(&self, setting: &str, value: &str) {
        let value = match (setting.split('-').next(), value.parse::<u64>()) {
            (Some("even"), Ok(n)) => n.next_multiple_of(2).to_string(),
            (Some("stuck"), _) => return,
            _ => value.to_string(),
        };
        self.done.lock().unwrap().push(DurableEffect::Set(setting.into(), value.clone()));
        self.values.lock().unwrap().insert(setting.into(), value);
    }
}

impl KnobBackend for SimulatedHost {
    type Setting = String;

    fn read_state(&self, setting: &String) -> Result<KnobState, KnobError> {
        let gone = || KnobError::Gone { setting: setting.clone(), why: "no such interface".into() };
        let value = self.values.lock().unwrap().get(setting).cloned().ok_or_else(gone)?;
        Ok(KnobState { shown: value.clone(), exact: value, linked: BTreeMap::new() })
    }

    fn set_value(&self, setting: &String, value: &str) -> Result<(), KnobError> {
        if value == "13" {
            let (setting, value) = (setting.clone(), value.to_string());
            return Err(KnobError::Refused { setting, value, why: "not that one".into() });
        }
        self.write(setting, value);
        Ok(())
    }

    fn restore_value(&self, setting: &String, exact: &str) -> Result<(), KnobError> {
        self.write(setting, exact);
        Ok(())
    }

    fn is_namespaced(&self, setting: &String) -> bool {
        !setting.starts_with("host")
    }

    fn survives_reboot(&self, setting: &String) -> bool {
        setting.starts_with("command")
    }
}

impl JournalStorage for SimulatedHost {
    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.disk_full {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.done.lock().unwrap().push(DurableEffect::Appended(lines.to_vec()));
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.done.lock().unwrap().push(DurableEffect::Cleared);
        Ok(())
    }

    fn name(&self) -> String {
        "a journal".into()
    }
}

fn here() -> HostIdentity {
    HostIdentity { boot: "first".into(), namespace: Some(1) }
}

fn keeper(machine: &SimulatedHost, journal: &[u8], here: HostIdentity) -> KnobRestorer<SimulatedHost> {
    KnobRestorer::open(machine.clone(), Box::new(machine.clone()), journal, here).unwrap()
}

fn before() -> BTreeMap<String, String> {
    ["mtu", "even-flows", "stuck", "host-max", "command"].map(|s| (s.to_string(), "2".to_string())).into()
}

fn cut(done: &[DurableEffect], count: usize) -> (Vec<u8>, BTreeMap<String, String>) {
    let (mut journal, mut values) = (Vec::new(), before());
    for event in &done[..count] {
        match event {
            DurableEffect::Appended(bytes) => journal.extend(bytes),
            DurableEffect::Cleared => journal.clear(),
            DurableEffect::Set(setting, value) => {
                values.insert(setting.clone(), value.clone());
            }
        }
    }
    (journal, values)
}

fn done_by(orders: &[(usize, u64)], restore: bool) -> Vec<DurableEffect> {
    let machine = SimulatedHost::of(&before());
    let mut keeper = keeper(&machine, &[], here());
    let names: Vec<String> = before().into_keys().collect();
    for (which, value) in orders {
        let _ = keeper.set_value("run", &names[which % names.len()], &value.to_string());
    }
    if restore {
        keeper.restore_owner_settings("run");
    }
    machine.done.lock().unwrap().clone()
}

proptest! {
    #[test]
    fn any_prefix_is_put_back_to_the_same_end(
        orders in prop::collection::vec((0usize..5, 0u64..20), 0..12),
        restore in any::<bool>(),
        torn in 0usize..60,
    ) {
        let done = done_by(&orders, restore);
        for count in 0..=done.len() {
            let (mut journal, values) = cut(&done, count);
            if let Some(DurableEffect::Appended(next)) = done.get(count) {
                journal.extend(&next[..torn.min(next.len() - 1)]);
            }
            let machine = SimulatedHost::of(&values);
            let mut again = keeper(&machine, &journal, here());
            let told = again.restore_after_crash();
            prop_assert_eq!(machine.values(), before(), "after {} of {:?}", count, done);
            prop_assert!(told.iter().all(|b| b.trouble.is_none()), "{:?}", told);
            prop_assert_eq!(again.changed_settings().count(), 0);
            prop_assert!(again.restore_after_crash().is_empty());
        }
    }

    #[test]
    fn a_second_crash_while_putting_back_is_put_back_too(
        orders in prop::collection::vec((0usize..5, 0u64..20), 1..8),
    ) {
        let first = done_by(&orders, false);
        let (journal, values) = cut(&first, first.len());
        let machine = SimulatedHost::of(&values);
        keeper(&machine, &journal, here()).restore_after_crash();
        let second = machine.done.lock().unwrap().clone();
        let whole: Vec<DurableEffect> = first.into_iter().chain(second).collect();
        for count in 0..=whole.len() {
            let (journal, values) = cut(&whole, count);
            let machine = SimulatedHost::of(&values);
            keeper(&machine, &journal, here()).restore_after_crash();
            prop_assert_eq!(machine.values(), before());
        }
    }
}

#[test]
fn what_was_set_reads_back_or_is_told_with_what_was_obtained() {
    let machine = SimulatedHost::of(&before());
    let mut keeper = keeper(&machine, &[], here());
    let put = keeper.set_value("run", &"mtu".into(), "9000").unwrap();
    assert_eq!((put.before.as_str(), put.obtained.as_str()), ("2", "9000"));
    for (setting, obtained) in [("even-flows", 8), ("stuck", 2)] {
        let told = keeper.set_value("run", &setting.into(), "7").unwrap_err().to_string();
        assert_eq!(told, format!("{setting} was set to 7 and is {obtained}"));
    }
    assert!(keeper.set_value("run", &"mtu".into(), "13").is_err());
    assert!(matches!(keeper.set_value("other", &"mtu".into(), "9"), Err(KnobError::Held { .. })));
    let back: Vec<(String, String)> =
        keeper.restore_owner_settings("run").into_iter().map(|b| (b.setting, b.obtained)).collect();
    // In reverse order, without unchanged ones.
    assert_eq!(back, [("even-flows".into(), "2".into()), ("mtu".into(), "2".into())]);
    assert_eq!(machine.values(), before());
    assert!(keeper.set_value("other", &"mtu".into(), "9").is_ok());
}

#[test]
fn what_somebody_else_has_set_is_left_and_told() {
    let machine = SimulatedHost::of(&before());
    let mut keeper = keeper(&machine, &[], here());
    keeper.set_value("run", &"mtu".into(), "9000").unwrap();
    machine.write("mtu", "4000");
    let told = keeper.restore_owner_settings("run");
    let trouble = told[0].trouble.clone().unwrap();
    assert!(trouble.contains("4000") && trouble.contains("9000") && trouble.contains("was 2"), "{trouble}");
    assert_eq!(machine.values()["mtu"], "4000");
    assert_eq!(keeper.changed_settings().count(), 0);

    // A foreign change between two levels: the next level is set, and the foreign value is restored.
    keeper.set_value("run", &"mtu".into(), "9000").unwrap();
    machine.write("mtu", "5000");
    let put = keeper.set_value("run", &"mtu".into(), "1400").unwrap();
    assert!(put.notes[0].contains("somebody else"), "{put:?}");
    assert!(keeper.restore_owner_settings("run").iter().all(|b| b.trouble.is_none()));
    assert_eq!(machine.values()["mtu"], "5000");
}

#[test]
fn another_boot_another_namespace_and_nothing_left() {
    let machine = SimulatedHost::of(&before());
    let mut first = keeper(&machine, &[], here());
    for setting in ["mtu", "host-max", "command"] {
        first.set_value("run", &setting.into(), "9").unwrap();
    }
    let done = machine.done.lock().unwrap().clone();
    let (journal, _) = cut(&done, done.len());
    let later = |here: HostIdentity, values: BTreeMap<String, String>| {
        let machine = SimulatedHost::of(&values);
        let mut keeper = keeper(&machine, &journal, here);
        let told: BTreeMap<String, Option<Message>> =
            keeper.restore_after_crash().into_iter().map(|b| (b.setting, b.trouble)).collect();
        let open: Vec<String> = keeper.changed_settings().cloned().collect();
        (machine.values(), told, open)
    };
    // After a reboot knobs have defaults; effects of commands may remain.
    let mut values = before();
    values.insert("command".into(), "9".into());
    let (after, told, open) = later(HostIdentity { boot: "second".into(), namespace: Some(5) }, values);
    assert_eq!((after, open.len()), (before(), 0));
    assert!(told["mtu"].as_ref().unwrap().contains("started again") && told["command"].is_none(), "{told:?}");
    // From another namespace only settings without a namespace are restored; the rest waits.
    let (after, told, open) = later(HostIdentity { namespace: Some(2), ..here() }, machine.values());
    assert_eq!((after["host-max"].as_str(), after["mtu"].as_str()), ("2", "9"));
    assert!(told["mtu"].as_ref().unwrap().contains("another network namespace"), "{told:?}");
    assert!(open.contains(&"mtu".to_string()) && !open.contains(&"host-max".to_string()));
    let mut values = machine.values();
    values.remove("mtu");
    let (_, told, open) = later(here(), values);
    assert!(told["mtu"].as_ref().unwrap().contains("no such interface") && open.is_empty());
}

#[test]
fn nothing_is_set_that_was_not_written_down() {
    let machine = SimulatedHost { disk_full: true, ..SimulatedHost::of(&before()) };
    let told = keeper(&machine, &[], here()).set_value("run", &"mtu".into(), "9").unwrap_err().to_string();
    assert!(told.starts_with("nothing is set"), "{told}");
    assert_eq!(machine.values(), before());
}
