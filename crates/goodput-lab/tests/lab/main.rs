//! Starts real labs, as root and as nobody, and checks what is left of them. One binary has every role: test
//! runner, keeper (`keeper`), command inside a host (`guest …`), `lab exec` (`exec …`), a `lab up` to be
//! killed (`up …`) and the whole set as another user (`as-user …`).

#![allow(clippy::unwrap_used)]

mod case;
mod csma_cd;
mod guest;
mod limits;
mod media;
mod stage;
mod witness;

use goodput_testkit::tests;
use libtest_mimic::{Arguments, Failed, Trial};
use stage::Stage;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const PROGRAM: &str = "lab-test";
const NOBODY: u32 = 65534;
const AS_NOBODY: [&str; 6] = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let words: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    match words.as_slice() {
        ["keeper", _lab] => ended(goodput_lab::lab_process::run_lab_process()),
        ["guest", rest @ ..] => guest::main(rest),
        ["exec", folder, lab, host, command @ ..] => stage::exec(Path::new(folder), lab, host, command),
        ["up", folder, lab] => stage::up_that_never_is_up(Path::new(folder), lab),
        ["as-user", folder, case] => ended(case::run(case, &Stage::at(PathBuf::from(folder)))),
        _ => run_all(),
    }
}

fn ended(result: Result<(), impl std::fmt::Display>) -> ExitCode {
    result.map_or_else(stage::failed, |()| ExitCode::SUCCESS)
}

fn run_all() -> ExitCode {
    let mut arguments = Arguments::from_args();
    if arguments.test_threads.is_none() {
        // Sequential: disks and packets are measured, and each examines the whole system's links.
        arguments.test_threads = Some(1);
    }
    let root = nix::unistd::geteuid().is_root();
    let own = if root { "root" } else { "user" };
    let mut trials = tests![
        csma_cd::bulk_tcp_with_backoff_is_what_the_model_says,
        csma_cd::one_way_udp_has_the_medium_for_itself,
        csma_cd::taking_turns_is_the_arithmetic,
    ];
    let can = can_make_namespaces(&[]);
    for (case, _) in case::ALL {
        trials.push(trial(format!("{own}::{case}"), can, move || {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            case::run(case, &Stage::at(folder.path().to_path_buf()))
        }));
    }
    // Before any test runs: a program that a thread still writes, or holds over a fork, is busy.
    let reachable = tempfile::tempdir().and_then(|folder| copy_to(&folder).map(|()| folder));
    if root {
        let can = can_make_namespaces(&AS_NOBODY);
        for (case, _) in case::ALL {
            let folder = reachable.as_ref().map(|f| f.path().to_path_buf()).map_err(|e| e.to_string());
            trials.push(trial(format!("nobody::{case}"), can, move || as_nobody(case, &folder?)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    drop(reachable);
    conclusion.exit_code()
}

fn trial(
    name: String,
    can: Result<(), &'static str>,
    run: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Trial {
    let trial = Trial::test(name, move || run().map_err(Failed::from));
    match can {
        Ok(()) => trial,
        Err(reason) => trial.with_kind(format!("skipped: {reason}")).with_ignored_flag(true),
    }
}

fn can_make_namespaces(user: &[&str]) -> Result<(), &'static str> {
    let works = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).output().is_ok_and(|out| out.status.success())
    };
    if !works(&["ip", "-V"]) || !works(&["tc", "-V"]) {
        return Err("iproute2 is not installed");
    }
    let plain = user.is_empty() && nix::unistd::geteuid().is_root();
    let unshare = if plain { "-pfmn" } else { "-Urpfmn" };
    let may = works(&[user, &["unshare", unshare, "--mount-proc", "true"]].concat());
    may.then_some(()).ok_or("the kernel does not permit this user to make namespaces")
}

fn copy_to(folder: &tempfile::TempDir) -> std::io::Result<()> {
    std::fs::copy(std::env::current_exe()?, folder.path().join(PROGRAM))?;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))
}

fn as_nobody(case: &str, folder: &Path) -> Result<(), String> {
    let said = |e: std::io::Error| e.to_string();
    let runtime = folder.join(case);
    std::fs::create_dir(&runtime).map_err(said)?;
    std::os::unix::fs::chown(&runtime, Some(NOBODY), Some(NOBODY)).map_err(said)?;
    let out = Command::new(AS_NOBODY[0])
        .args(&AS_NOBODY[1..])
        .arg(folder.join(PROGRAM))
        .args(["as-user", runtime.to_str().unwrap_or_default(), case])
        .output()
        .map_err(said)?;
    if out.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&out.stderr).into_owned()) }
}
