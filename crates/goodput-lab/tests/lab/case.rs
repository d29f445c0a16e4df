//! The test cases: each starts labs, acts on them, and checks what is left.

use crate::stage::{Stage, fresh_name, part, program};
use crate::witness::{eventually, nothing_left, processes, release_lab, visible};
use crate::{guest, limits, media};
use goodput_lab::{
    HostCommand, HostEnvironment, LabOrHostName, LabStartFailureKind, LabState, StartLabError,
    StopLabOutcome, Topology, find_lab, list_labs, start_lab, stop_lab,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

pub const ALL: [(&str, fn(&Stage) -> Result<(), String>); 18] = [
    ("two_hosts_on_a_rated_link", two_hosts_on_a_rated_link),
    ("three_hosts_at_a_bridge", three_hosts_at_a_bridge),
    ("a_router_hands_packets_on", a_router_hands_packets_on),
    ("inside_is_only_the_inside", inside_is_only_the_inside),
    ("a_disk_is_as_slow_as_it_is_called", limits::a_disk),
    ("a_killed_keeper_leaves_no_disk", limits::a_killed_keeper),
    ("a_share_of_the_cpu_is_kept", limits::a_share),
    ("packets_cost_what_was_measured", limits::packets),
    ("stations_share_a_relayed_medium", media::relayed),
    ("a_switch_drops_what_it_is_told_to", media::dropped),
    ("both_directions_share_a_bus", media::a_bus),
    ("killing_the_keeper_leaves_nothing", killing_the_keeper_leaves_nothing),
    ("killing_the_hosts_commands_leaves_the_hosts", killing_the_hosts_commands),
    ("killing_lab_up_leaves_nothing", killing_lab_up_leaves_nothing),
    ("a_command_that_does_not_run_is_an_error", a_command_that_does_not_run),
    ("status_and_signals_pass_through", status_and_signals_pass_through),
    ("two_commands_at_once_take_turns", two_commands_at_once),
    ("a_kernel_that_denies_is_told_by_its_setting", a_kernel_that_denies),
];

pub fn run(case: &str, stage: &Stage) -> Result<(), String> {
    let before = visible();
    let (_, test) = ALL.iter().find(|(name, _)| *name == case).ok_or_else(|| format!("no case {case}"))?;
    test(stage).inspect_err(|_| give_up(stage))?;
    release_lab(&stage.folder);
    same("what everybody sees", visible(), before)?;
    same("the runtime folder", stage.runtime.labs_folder().exists(), false)
}

fn give_up(stage: &Stage) {
    for name in list_labs(&stage.runtime).unwrap().running_names() {
        stop_lab(&stage.runtime, &name).unwrap();
    }
    release_lab(&stage.folder);
}

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: T, should: T) -> Result<(), String> {
    if is == should { Ok(()) } else { Err(format!("{what} is {is:?} and should be {should:?}")) }
}

pub fn raise(stage: &Stage, topology: Topology) -> Result<LabState, String> {
    stage.up(&fresh_name(), topology).map_err(|e| format!("{e:?}"))
}

pub fn take_down(stage: &Stage, lab: &LabState, how: StopLabOutcome) -> Result<(), String> {
    for how in [how, StopLabOutcome::NothingRuns] {
        same("down", stop_lab(&stage.runtime, &lab.name).map_err(|e| e.to_string())?, how)?;
    }
    nothing_left(lab)
}

pub fn address(lab: &LabState, from: &str, to: &str) -> String {
    lab.destination_address(&from.parse().unwrap(), &to.parse().unwrap()).unwrap().to_string()
}

pub fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|e| format!("{text}: {e}"))
}

pub fn mbit(stage: &Stage, lab: &LabState, from: &str, to: &str) -> Result<f64, String> {
    Ok(number(&stage.guest(lab, from, &["push", &address(lab, from, to), "1500"])?)? / 1e6)
}

pub fn echo(stage: &Stage, lab: &LabState, ways: &[(&str, &str)]) -> Result<(), String> {
    for (from, to) in ways {
        stage.guest(lab, from, &["echo", &address(lab, from, to), "50000"])?;
    }
    Ok(())
}

/// Theory for TCP with timestamps is 94.148 Mbit/s.
fn two_hosts_on_a_rated_link(stage: &Stage) -> Result<(), String> {
    let mut topology = Topology::default();
    topology.links[0].rate = Some("100Mbit".parse().unwrap());
    let lab = raise(stage, topology.clone())?;
    for end in &lab.links[0].ends {
        same("the offloads", end.offloads.obtained, end.offloads.asked)?;
        same("the shaping", end.shape.obtained, end.shape.asked)?;
    }
    same("the ends", lab.links[0].ends.len(), 2)?;
    echo(stage, &lab, &[("a", "b"), ("b", "a")])?;
    let mbit = mbit(stage, &lab, "a", "b")?;
    // A busy machine may delay traffic; only a wrong shaper passes more.
    if !(70.0..=94.6).contains(&mbit) {
        return Err(format!("{mbit} Mbit/s on a link whose theory is 94.148"));
    }
    let again = stage.up(&lab.name, topology);
    same("up again", matches!(again, Err(StartLabError::Running { identical: true, .. })), true)?;
    same("the labs", list_labs(&stage.runtime).unwrap().running_names(), vec![lab.name.clone()])?;
    let key = fs::metadata(&lab.key_file).map_err(|e| e.to_string())?;
    same("the key's mode", key.permissions().mode() & 0o777, 0o600)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

fn a_router_hands_packets_on(stage: &Stage) -> Result<(), String> {
    let text = "[[host]]\nname='a'\n[[host]]\nname='r'\nforward=true\n[[host]]\nname='b'\n\
                [[link]]\nhosts=['a','r']\n[[link]]\nhosts=['r','b']\nmtu=1400\n";
    let lab = raise(stage, Topology::from_toml(text).unwrap())?;
    same("b seen from a", address(&lab, "a", "b").as_str(), "10.53.1.2")?;
    echo(stage, &lab, &[("a", "b"), ("b", "a"), ("a", "r")])?;
    if lab.host(&"b".parse().unwrap()).unwrap().interfaces[0].addresses.len() > 1 {
        stage.guest(&lab, "a", &["echo", "fd53:676f:6f64:1::2", "100000"])?;
    }
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

fn three_hosts_at_a_bridge(stage: &Stage) -> Result<(), String> {
    let text = "[[host]]\nname='server'\n[[host]]\nname='c1'\n[[host]]\nname='c2'\n\
                [[link]]\nhosts=['server','c1','c2']\nmtu=9000\n[[link]]\nhosts=['c1','c2']\nrate='1Gbit'\n";
    let lab = raise(stage, Topology::from_toml(text).unwrap())?;
    same("the ends at the bridge", lab.links[0].ends.len(), 6)?;
    same("the medium", lab.links[0].medium.clone(), None)?;
    same("the medium", lab.links[1].medium.clone().map(|m| m.name), Some("ethernet 1 Gbit/s".into()))?;
    for client in ["c1", "c2"] {
        for to in &lab.host(&"server".parse().unwrap()).unwrap().interfaces[0].addresses {
            stage.guest(&lab, client, &["echo", &to.to_string(), "50000"])?;
        }
    }
    stage.guest(&lab, "c1", &["echo", "10.53.1.2", "50000"])?;
    same("the address", address(&lab, "server", "c2"), "10.53.0.3".into())?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

fn inside_is_only_the_inside(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, Topology::default())?;
    let inside = |words: &[&str]| stage.said(&lab, "b", words);
    same("the interfaces", inside(&["ls", "/sys/class/net"])?, "eth0\nlo".into())?;
    same("the host name", inside(&["uname", "-n"])?, "b".into())?;
    same("loopback", inside(&["cat", "/sys/class/net/lo/carrier"])?, "1".into())?;
    same(
        "the first process",
        inside(&["grep", "-zo", "keeper", "/proc/1/cmdline"])?.contains("keeper"),
        true,
    )?;
    same("the user", inside(&["id", "-u"])?, "0".into())?;
    let here = std::env::current_dir().unwrap().display().to_string();
    same("the folder", inside(&["pwd"])?, here)?;
    let groups = inside(&["sh", "-c", "ls /sys/fs/cgroup | head -n1"])?;
    let outside = fs::read_dir("/sys/fs/cgroup").map_or(0, |folder| folder.count());
    same("no control groups", groups.is_empty(), outside == 0)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

fn killing_the_keeper_leaves_nothing(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, Topology::default())?;
    same("processes", processes(lab.name.as_str()).len(), 3)?;
    let mut visitor = stage.exec(&lab, "a", &["sleep", "60"]).stdin(Stdio::null()).spawn().unwrap();
    let killed = kill(Pid::from_raw(lab.keeper.pid), Signal::SIGKILL);
    let status = visitor.wait().unwrap();
    killed.map_err(|e| e.to_string())?;
    same("the visitor's end", status.code().is_some_and(|code| code != 0), true)?;
    nothing_left(&lab)?;
    same("a dead lab is found", find_lab(&stage.runtime, &lab.name).is_ok(), false)?;
    same("the folder after the sweep", stage.runtime.labs_folder().exists(), false)?;
    take_down(stage, &lab, StopLabOutcome::NothingRuns)?;

    let lab = raise(stage, Topology::default())?;
    kill(Pid::from_raw(lab.keeper.pid), Signal::SIGKILL).map_err(|e| e.to_string())?;
    nothing_left(&lab)?;
    take_down(stage, &lab, StopLabOutcome::WasDead)
}

fn killing_the_hosts_commands(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, Topology::default())?;
    for host in &lab.hosts {
        kill(Pid::from_raw(host.process.pid), Signal::SIGKILL).map_err(|e| e.to_string())?;
    }
    eventually(|| same("running", lab.hosts.iter().any(|host| host.process.is_running()), false))?;
    same("the interfaces", stage.said(&lab, "a", &["ls", "/sys/class/net"])?, "eth0\nlo".into())?;
    let noted = || {
        let log = fs::read_to_string(&lab.log_file).unwrap_or_default();
        same("the keeper's log", log.contains("the command of host b has ended"), true)
    };
    eventually(noted)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

/// `lab up` that is to be killed, or that fails.
fn up(stage: &Stage, name: &LabOrHostName, mut program: Command) -> Command {
    program.arg("up").arg(&stage.folder).arg(name.as_str());
    program
}

fn killing_lab_up_leaves_nothing(stage: &Stage) -> Result<(), String> {
    let name = fresh_name();
    let mut raising = up(stage, &name, Command::new(program())).spawn().unwrap();
    let waited = eventually(|| same("processes that wait", processes(name.as_str()).len(), 4));
    raising.kill().unwrap();
    raising.wait().unwrap();
    waited?;
    eventually(|| same("processes", processes(name.as_str()), vec![]))?;
    eventually(|| same("files", fs::read_dir(stage.runtime.labs_folder()).map_or(0, |d| d.count()), 0))?;
    same("down", stop_lab(&stage.runtime, &name).map_err(|e| e.to_string())?, StopLabOutcome::NothingRuns)
}

fn a_command_that_does_not_run(stage: &Stage) -> Result<(), String> {
    let name = fresh_name();
    let order = stage.order(&name, Topology::default());
    match start_lab(&stage.runtime, &order, |place| part(place, "fail", &[guest::PORT])) {
        Err(StartLabError::Refused(r)) if r.kind == LabStartFailureKind::HostCommand => {
            same("the cause", r.cause.is_some_and(|c| c.contains("no wish to run")), true)?;
        }
        other => return Err(format!("{other:?}")),
    }
    let missing = |place: &HostEnvironment| HostCommand {
        program: "/no/such/program".into(),
        ..part(place, "serve", &[])
    };
    match start_lab(&stage.runtime, &order, missing) {
        Err(StartLabError::Refused(r)) if r.what == "cannot start /no/such/program in host a" => {}
        other => return Err(format!("{other:?}")),
    }
    for (keeper, may_die) in [("/no/such/keeper", false), ("/bin/false", true)] {
        let mut broken = order.clone();
        broken.keeper.program = keeper.into();
        match start_lab(&stage.runtime, &broken, |place| part(place, "serve", &[])) {
            Err(StartLabError::Start { .. }) => {}
            Err(StartLabError::Died { .. }) if may_die => {}
            other => return Err(format!("{other:?}")),
        }
    }
    eventually(|| same("processes", processes(name.as_str()), vec![]))
}

fn status_and_signals_pass_through(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, Topology::default())?;
    pass_through(stage, &lab).map_err(|e| {
        let log = fs::read_to_string(&lab.log_file).unwrap_or_default();
        format!("{e}; its keeper {} is {:?}, its log: {log:?}", lab.keeper.pid, lab.liveness())
    })?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

fn pass_through(stage: &Stage, lab: &LabState) -> Result<(), String> {
    let code = |words: &[&str]| stage.exec(lab, "a", words).output().unwrap().status.code();
    same("the exit code", code(&["sh", "-c", "exit 7"]), Some(7))?;
    same("the code of a signal", code(&["sh", "-c", "kill -9 $$"]), Some(137))?;
    same("a missing program", code(&["/no/such/program"]), Some(1))?;

    for (signal, ends) in [(Signal::SIGTERM, Some(143)), (Signal::SIGKILL, None)] {
        let word = format!("{}{}", 60_000 + signal as i32, std::process::id());
        let mut visitor = stage.exec(lab, "a", &["sleep", &word]).stdin(Stdio::null()).spawn().unwrap();
        let pid = Pid::from_raw(visitor.id() as i32);
        let sleeps = || {
            let found = processes(&word).iter().any(|line| line.split(' ').nth(1) == Some("sleep"));
            same("a sleeping visitor", found, true)
        };
        let slept = eventually(sleeps);
        let killed = kill(pid, signal);
        let status = visitor.wait().unwrap();
        slept?;
        killed.map_err(|e| e.to_string())?;
        same("the visitor's code", status.code(), ends)?;
        eventually(|| same("visitors", processes(&word), vec![]))?;
    }
    Ok(())
}

fn two_commands_at_once(stage: &Stage) -> Result<(), String> {
    let name = fresh_name();
    let raised = std::thread::scope(|scope| {
        let both = [0, 1].map(|_| scope.spawn(|| stage.up(&name, Topology::default())));
        both.map(|one| one.join().unwrap())
    });
    let lab = match raised {
        [Ok(lab), Err(StartLabError::Running { identical: true, .. })]
        | [Err(StartLabError::Running { identical: true, .. }), Ok(lab)] => lab,
        other => return Err(format!("{other:?}")),
    };
    let mut downs = std::thread::scope(|scope| {
        let both = [0, 1].map(|_| scope.spawn(|| stop_lab(&stage.runtime, &name)));
        both.map(|one| format!("{:?}", one.join().unwrap()))
    });
    downs.sort();
    same("two downs", downs, ["Ok(NothingRuns)".into(), "Ok(Stopped)".into()])?;
    let by_hand =
        Command::new(program()).args(["keeper", name.as_str()]).stdout(Stdio::null()).output().unwrap();
    let words = String::from_utf8_lossy(&by_hand.stderr).into_owned();
    same("a keeper by hand", (by_hand.status.success(), words.contains("not by hand")), (false, true))?;
    nothing_left(&lab)
}

/// In a user namespace of its own the test may lower the limit for itself.
fn a_kernel_that_denies(stage: &Stage) -> Result<(), String> {
    let name = fresh_name();
    let script = "echo 0 > /proc/sys/user/max_net_namespaces && exec \"$@\"";
    let mut lowered = Command::new("unshare");
    lowered.args(["-Ur", "sh", "-c", script, "sh"]).arg(program());
    let denied = up(stage, &name, lowered).output().unwrap();
    let words = String::from_utf8_lossy(&denied.stderr).into_owned();
    if !words.contains("NotPermitted") || !words.contains("user.max_net_namespaces = 0") {
        return Err(words);
    }
    same("processes", processes(name.as_str()), vec![])
}
