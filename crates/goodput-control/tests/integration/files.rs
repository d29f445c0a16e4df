//! File work over Zenoh, loopback and folders: one host, several with a server, lost hosts, policies.

use crate::{
    cause, coordinator_lost, ends, is_moving, lost_midway, measured, print_live, recovered, run, take_away,
};
use goodput_control::agent::Policy;
use goodput_control::{Agent, HostAddress, Session, SessionHosts, TrialPlan};
use goodput_model::event::Event;
use goodput_model::file::{
    File, FileAccessPattern, FileDirection, FileLocation, FileReport, FileWorkload, SinkStorageKind,
    VerifyMode,
};
use goodput_model::ids::TrialId;
use goodput_model::probe::Probe;
use goodput_model::trial::{EndpointRole, Trial, TrialOutcome, TrialTimeouts};
use goodput_model::units::{Bytes, Nanos};
use goodput_testkit::{
    ChildTest, WAIT_TIMEOUT, assert_fastest_attempt_within, is_empty_folder, loopback_address,
    start_configured_agent,
};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const MS: u64 = 1_000_000;
const SIZE: Bytes = Bytes(4 << 20);

fn agent(name: &str, folders: &[&Path]) -> (Agent, HostAddress) {
    let folders: Vec<PathBuf> = folders.iter().map(|f| f.to_path_buf()).collect();
    start_configured_agent(name, None, Policy::default().with_folders(&folders))
}

fn session(clients: &[HostAddress], server: Option<&HostAddress>, allowed: &[&Path]) -> Session {
    let names = (1..).map(|n| format!("c{n}"));
    let clients: Vec<(String, HostAddress)> = names.zip(clients.iter().cloned()).collect();
    let server = server.map(|at| ("server".to_string(), at.clone()));
    let allowed: Vec<PathBuf> = allowed.iter().map(|f| f.to_path_buf()).collect();
    let hosts = SessionHosts { server, clients, folders: allowed, strict: false };
    Session::open(&hosts, None, &TrialTimeouts::default()).unwrap()
}

/// One for each process: every session here has its own agents or folders.
fn workspace() -> String {
    format!(".goodput-0199c3a1-2b3c-7d4e-8f50-{:012x}", std::process::id())
}

/// One place and workspace for a session's clients.
struct Work<'a> {
    session: &'a Session,
    place: FileLocation,
    workspace: String,
}

impl<'a> Work<'a> {
    fn at(session: &'a Session, place: FileLocation) -> Work<'a> {
        Work { session, place, workspace: workspace() }
    }

    fn plan(&self, work: FileWorkload) -> TrialPlan {
        let (clients, workspace) = (self.session.client_names(), self.workspace.clone());
        let verify = VerifyMode::Full;
        let file = File { verify, seed: 1, ..File::new(clients, self.place.clone(), workspace, work) };
        TrialPlan { client: "test".into(), ..TrialPlan::new(TrialId(1), Probe::File(file)) }
    }

    fn run(&self, work: FileWorkload) -> Trial {
        measured(self.session, &self.plan(work))
    }

    fn whole(&self, work: FileWorkload) -> Trial {
        let trial = self.run(work);
        assert!(trial.outcome == TrialOutcome::Complete && trial.excluded.is_empty(), "{trial:?}");
        trial
    }
}

fn prepare() -> FileWorkload {
    FileWorkload::Prepare { file: Some(SIZE) }
}

fn copy(way: FileDirection, local: Option<&Path>) -> FileWorkload {
    let local = local.map(|p| p.to_str().unwrap().to_string());
    FileWorkload::Copy { way, size: SIZE, block: Bytes(256 << 10), depth: 4, local }
}

fn row(way: FileDirection, ms: u64) -> FileWorkload {
    FileWorkload::Row {
        name: "4K".into(),
        way,
        pattern: FileAccessPattern::Random,
        block: Bytes(4096),
        queue: 4,
        threads: 1,
        size: SIZE,
        time: Nanos(ms * MS),
    }
}

fn reports(trial: &Trial) -> Vec<&FileReport> {
    trial
        .ends
        .iter()
        .filter(|e| e.role == EndpointRole::Connect)
        .map(|e| e.file.as_deref().unwrap())
        .collect()
}

fn folder_of(folder: &Path) -> FileLocation {
    FileLocation::Folder { path: folder.to_str().unwrap().into() }
}

fn sink(sink: SinkStorageKind) -> FileLocation {
    FileLocation::Sink { sink }
}

#[test]
fn one_client_in_this_process_needs_nobody_else() {
    let (folder, local) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let session = session(&[], None, &[folder.path(), local.path()]);
    assert!(session.server_agent_hello_response().is_none() && session.client_names().len() == 1);
    let work = Work::at(&session, folder_of(folder.path()));
    work.whole(prepare());
    for way in [FileDirection::Write, FileDirection::Read] {
        for local in [None, Some(local.path())] {
            let trial = work.whole(copy(way, local));
            assert_eq!((trial.ends.len(), trial.ends[0].role), (1, EndpointRole::Connect));
            let report = reports(&trial)[0];
            assert_eq!(report.bytes_read.max(report.bytes_written), SIZE.0, "{way:?}");
            assert!(trial.ends[0].cpu.is_some() && trial.ends[0].counters.is_some());
            assert!(trial.ends[0].window.elapsed().0 > 0);
        }
    }
    assert_fastest_attempt_within(20, Duration::from_millis(1), || {
        let trial = work.whole(row(FileDirection::Read, 300));
        assert!(trial.ends[0].operations > 0);
        Duration::from_nanos(trial.ends[0].window.elapsed().0.abs_diff(300 * MS))
    });
    work.whole(FileWorkload::Remove);
    assert!(is_empty_folder(folder.path()) && is_empty_folder(local.path()));
}

#[test]
fn what_the_user_did_not_type_is_not_touched() {
    let (typed, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let session = session(&[], None, &[typed.path()]);
    let refused = |place: &Path, work: FileWorkload| {
        let trial = Work::at(&session, folder_of(place)).run(work);
        assert!(cause(&trial).contains("folders.allowed"), "{}", cause(&trial));
    };
    refused(other.path(), prepare());
    refused(typed.path(), copy(FileDirection::Write, Some(other.path())));
    assert!(is_empty_folder(typed.path()) && is_empty_folder(other.path()));
}

#[test]
fn a_file_server_is_contacted_only_as_the_policy_allows() {
    let file_server = TcpListener::bind("127.0.0.2:0").unwrap();
    let port = file_server.local_addr().unwrap().port();
    let smb = |user: Option<&str>| {
        let (host, user, share) = ("127.0.0.2".into(), user.map(String::from), "s".into());
        FileLocation::Smb { host, port, domain: None, user, share, path: String::new() }
    };
    let (host, export) = ("127.0.0.2".into(), "/srv".into());
    let nfs =
        FileLocation::Nfs { host, port: Some(port), mount_port: Some(port), export, path: String::new() };
    let peers = |range: &str| Policy { peers: Some(vec![range.parse().unwrap()]), ..Policy::default() };
    let run = |policy: Policy, place: FileLocation| {
        let (server, client) = (agent("server", &[]), start_configured_agent("a", None, policy));
        let session = session(&[client.1.clone()], Some(&server.1), &[]);
        let trial = Work::at(&session, place).run(prepare());
        format!("{:?} {:?}", trial.outcome, trial.excluded)
    };
    file_server.set_nonblocking(true).unwrap();
    for (policy, place, rule) in [
        (peers("127.0.0.1"), smb(None), "peers.addresses"),
        (peers("127.0.0.1"), nfs, "peers.addresses"),
        (Policy::default().with_smb_accounts(&["ann@nas".into()]), smb(Some("ann")), "smb.accounts"),
    ] {
        let said = run(policy, place);
        assert!(said.contains(rule), "{said}");
        let came = file_server.accept().map(drop).map_err(|e| e.kind());
        assert_eq!(came, Err(ErrorKind::WouldBlock), "{said}");
    }
    // The same order reaches an address that is permitted.
    file_server.set_nonblocking(false).unwrap();
    let (tell, came) = mpsc::channel();
    thread::spawn(move || {
        let arrived = file_server.accept();
        let _ = tell.send(arrived.is_ok());
    });
    let said = run(peers("127.0.0.0/8"), smb(None));
    assert_eq!(came.recv_timeout(WAIT_TIMEOUT), Ok(true), "{said}");
}

#[test]
fn two_clients_and_a_server_share_a_sink_in_memory() {
    let agents = [agent("server", &[]), agent("a", &[]), agent("b", &[])];
    let clients = [agents[1].1.clone(), agents[2].1.clone()];
    let session = session(&clients, Some(&agents[0].1), &[]);
    let work = Work::at(&session, sink(SinkStorageKind::Memory));
    work.whole(prepare());
    for what in [
        copy(FileDirection::Write, None),
        copy(FileDirection::Read, None),
        row(FileDirection::Read, 300),
        row(FileDirection::Write, 300),
    ] {
        // One clock: the window ends with the last client.
        assert_fastest_attempt_within(20, Duration::from_millis(5), || {
            let trial = work.whole(what.clone());
            assert_eq!(ends(&trial), ["c1", "c2", "server"]);
            let server = trial.endpoint_report(EndpointRole::Listen).unwrap();
            assert!(server.cpu.is_some() && server.file.is_some() && server.operations > 0);
            let last = trial.ends[..2].iter().map(|e| e.window.t1_ns).max().unwrap();
            let (mut said, reports) = (0, reports(&trial));
            for report in reports {
                let moved = report.bytes_read + report.bytes_written;
                let right = report.verified.is_none_or(|v| v.wrong == 0 && v.bytes > 0);
                assert!(moved > 0 && right, "{report:?}");
                said += moved;
            }
            // The clients' bytes arrived on the data connections, in or just after the server's window.
            let came: u64 = server.flows.iter().map(|f| f.total_bytes()).sum();
            assert!(came >= said, "{came} {said}");
            Duration::from_nanos(server.window.t1_ns.abs_diff(last))
        });
    }
    work.whole(FileWorkload::Remove);
    let trial = work.run(copy(FileDirection::Read, None));
    assert!(cause(&trial).contains("does not have it"), "{}", cause(&trial));
    assert!(agents.iter().all(|(agent, _)| agent.stored_results().is_empty()));
}

#[test]
fn the_other_sinks_take_and_give_as_much() {
    let disk = tempfile::tempdir().unwrap();
    let server = agent("server", &[disk.path()]);
    let session = session(&[], Some(&server.1), &[]);
    for kind in [SinkStorageKind::Null, SinkStorageKind::Disk { path: None }] {
        let work = Work::at(&session, sink(kind.clone()));
        work.whole(prepare());
        for way in [FileDirection::Write, FileDirection::Read] {
            let trial = work.whole(copy(way, None));
            let report = reports(&trial)[0];
            let whole = report.bytes_read.max(report.bytes_written) == SIZE.0;
            assert!(whole && report.verified.is_none_or(|v| v.wrong == 0), "{kind:?} {way:?} {report:?}");
            let cache = &trial.endpoint_report(EndpointRole::Listen).unwrap().file.as_ref().unwrap().cache;
            let cold = kind != SinkStorageKind::Null && way == FileDirection::Read;
            assert_eq!(cache.server_resident_percent.is_some(), cold, "{cache:?}");
        }
        assert_eq!(
            is_empty_folder(disk.path()),
            kind == SinkStorageKind::Null,
            "it stays until it is removed"
        );
        work.whole(FileWorkload::Remove);
        assert!(is_empty_folder(disk.path()));
    }
}

#[test]
fn storage_handles_each_block_several_times_and_it_counts_once() {
    let disk = tempfile::tempdir().unwrap();
    let server = agent("server", &[disk.path()]);
    let session = session(&[], Some(&server.1), &[]);
    let work = Work::at(&session, sink(SinkStorageKind::Disk { path: None }));
    let twice = |what: FileWorkload| {
        let mut plan = work.plan(what);
        let Probe::File(file) = &mut plan.probe else { panic!() };
        file.storage_passes = 2;
        let trial = measured(&session, &plan);
        assert_eq!(trial.outcome, TrialOutcome::Complete);
        let report = reports(&trial)[0];
        assert!(report.verified.is_none_or(|v| v.wrong == 0), "{report:?}");
        (report.bytes_written, report.bytes_read)
    };
    twice(prepare());
    let length = |name: &str| disk.path().join(&work.workspace).join(name).metadata().unwrap().len();
    assert_eq!([length("test"), length("test.pass1")], [SIZE.0; 2]);
    assert_eq!(twice(copy(FileDirection::Write, None)), (SIZE.0, 0));
    assert_eq!(twice(copy(FileDirection::Read, None)), (0, SIZE.0));
    // A single pass uses the file itself, and all files are removed.
    work.whole(copy(FileDirection::Read, None));
    work.whole(FileWorkload::Remove);
    assert!(is_empty_folder(disk.path()));
}

const FOLDER: &str = "GOODPUT_TEST_FOLDER";
const PORTS: &str = "GOODPUT_TEST_PORTS";

#[test]
#[ignore = "started by the tests that kill it"]
fn child_agent() {
    let folder = PathBuf::from(std::env::var(FOLDER).unwrap());
    let (_agent, at) = agent("child", &[&folder]);
    println!("AGENT {}", at.port);
    thread::sleep(WAIT_TIMEOUT);
}

fn agent_process(folder: &Path) -> (ChildTest, HostAddress) {
    let process = ChildTest::start("files::child_agent", &[(FOLDER, folder.to_str().unwrap().into())]);
    let port = process.await_line("AGENT ").parse().unwrap();
    (process, loopback_address(port))
}

/// Takes a process away after three signs of progress of the work.
fn disturbed(work: &Work<'_>, what: FileWorkload, process: ChildTest, frozen: bool) -> Trial {
    let (mut process, mut lives) = (Some(process), 0);
    let mut tell = |e: &Event| {
        lives += u32::from(is_moving(e));
        if lives == 3 {
            take_away(&mut process, frozen);
        }
    };
    run(work.session, &work.plan(what), &mut tell).unwrap()
}

#[test]
fn a_client_that_is_killed_or_falls_silent_is_named_and_the_others_results_stand() {
    for frozen in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (server, client) = (agent("server", &[]), agent("a", &[]));
        let (process, at) = agent_process(folder.path());
        let session = session(&[client.1.clone(), at], Some(&server.1), &[]);
        let work = Work::at(&session, sink(SinkStorageKind::Memory));
        work.whole(prepare());
        let trial = disturbed(&work, row(FileDirection::Read, 4_000), process, frozen);
        assert_eq!(trial.outcome, TrialOutcome::Complete, "{:?}", trial.excluded);
        assert_eq!((ends(&trial), lost_midway(&trial)), (vec!["c1", "server"], vec![("c2", true)]));
        assert!(trial.ends[0].operations > 0);
    }
}

#[test]
fn a_server_that_is_killed_ends_the_work_and_what_was_done_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (process, at) = agent_process(folder.path());
    let session = session(&[], Some(&at), &[]);
    let work = Work::at(&session, sink(SinkStorageKind::Disk { path: None }));
    work.whole(prepare());
    let trial = disturbed(&work, row(FileDirection::Read, 10_000), process, false);
    assert!(cause(&trial).contains("server"), "{}", cause(&trial));
    assert_eq!(
        (trial.ends.len(), trial.ends[0].role, trial.ends[0].complete),
        (1, EndpointRole::Connect, false)
    );
    assert!(trial.ends[0].operations > 0);
    // The workspace and its marker stay, for `goodput file clean`.
    assert!(folder.path().join(&work.workspace).join("goodput-workspace.json").is_file());
}

#[test]
#[ignore = "started by the tests that kill it"]
fn child_coordinator() {
    let ports = std::env::var(PORTS).unwrap();
    let folder = PathBuf::from(std::env::var(FOLDER).unwrap());
    let mut all = ports.split(',').map(|port| loopback_address(port.parse().unwrap()));
    let server = all.next().filter(|server| server.port > 0);
    let clients: Vec<HostAddress> = all.collect();
    let session = session(&clients, server.as_ref(), &[]);
    let place = if server.is_some() { sink(SinkStorageKind::Memory) } else { folder_of(&folder) };
    let work = Work::at(&session, place);
    // Each on its own folder; only the first takes part.
    work.whole(prepare());
    let plan = TrialPlan { client: "the child".into(), ..work.plan(row(FileDirection::Read, 20_000)) };
    let _ = run(&session, &plan, &mut print_live);
}

/// With a server or a local referee.
#[test]
fn a_coordinator_that_is_killed_or_falls_silent_leaves_no_work_going_on() {
    for (with_server, frozen) in [(true, false), (false, false), (true, true), (false, true)] {
        let folder = tempfile::tempdir().unwrap();
        let mut agents = vec![agent("a", &[folder.path()])];
        agents.extend(with_server.then(|| agent("server", &[])));
        let server = agents.get(1).map(|(_, at)| at.clone());
        let ports = format!("{},{}", server.as_ref().map_or(0, |at| at.port), agents[0].1.port);
        let variables = [(PORTS, ports), (FOLDER, folder.path().to_str().unwrap().to_string())];
        coordinator_lost(ChildTest::start("files::child_coordinator", &variables), frozen, &agents);
        let session = session(&[agents[0].1.clone()], server.as_ref(), &[]);
        let trial = recovered(&session, agents.len());
        assert!(trial.endpoint_report(EndpointRole::Connect).unwrap().operations > 0);
        // Agents are free; the workspace stays.
        assert_eq!(is_empty_folder(folder.path()), with_server);
        let work = Work::at(&session, folder_of(folder.path()));
        work.whole(prepare());
        work.whole(FileWorkload::Remove);
    }
}
