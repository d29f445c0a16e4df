//! Environment of a case: its own runtime folder, and commands in their roles.

use crate::{guest, witness};
use goodput_lab::{
    HostCommand, HostEnvironment, LabOrHostName, LabState, ProgramInvocation, RuntimeFolder, StartLabError,
    StartLabRequest, Topology, exec, exit_code, find_lab, start_lab,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU32, Ordering};

/// Exit code of `exec` without a lab; no case's command ends so.
pub const NO_LAB: u8 = 102;

pub struct Stage {
    pub folder: PathBuf,
    pub runtime: RuntimeFolder,
}

pub fn program() -> PathBuf {
    std::env::current_exe().unwrap()
}

pub fn fresh_name() -> LabOrHostName {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("t{}-{number}", std::process::id()).parse().unwrap()
}

/// The lab's name is the last argument, for `witness`.
pub fn part(place: &HostEnvironment, part: &str, wait_for: &[u16]) -> HostCommand {
    HostCommand {
        program: program(),
        args: vec!["guest".into(), part.into(), place.lab.to_string()],
        env: BTreeMap::new(),
        ports: BTreeMap::from([("control".into(), guest::PORT)]),
        wait_for: wait_for.to_vec(),
    }
}

impl Stage {
    pub fn at(folder: PathBuf) -> Stage {
        Stage { runtime: RuntimeFolder::new(&folder.join("goodput")), folder }
    }

    pub fn order(&self, name: &LabOrHostName, topology: Topology) -> StartLabRequest {
        let keeper = ProgramInvocation { program: program(), args: vec!["keeper".into()] };
        StartLabRequest { name: name.clone(), topology, keeper, key: b"not a real key\n".to_vec() }
    }

    pub fn up(&self, name: &LabOrHostName, topology: Topology) -> Result<LabState, StartLabError> {
        let order = self.order(name, topology);
        let ports = [guest::PORT, guest::SINK];
        let lab = start_lab(&self.runtime, &order, |place| part(place, "serve", &ports))?;
        witness::hold(&lab);
        Ok(lab)
    }

    pub fn exec(&self, lab: &LabState, host: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.arg("exec").arg(&self.folder).args([lab.name.as_str(), host]).args(words);
        command
    }

    pub fn guest(&self, lab: &LabState, host: &str, words: &[&str]) -> Result<String, String> {
        let me = program();
        let words = [&[me.to_str().unwrap(), "guest"], words].concat();
        self.said(lab, host, &words)
    }

    pub fn said(&self, lab: &LabState, host: &str, words: &[&str]) -> Result<String, String> {
        let out = self.exec(lab, host, words).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
        let (told, complained) = (text(&out.stdout), text(&out.stderr));
        if out.status.success() { Ok(told) } else { Err(format!("{}: {told} {complained}", out.status)) }
    }
}

pub fn failed(e: impl std::fmt::Display) -> ExitCode {
    eprintln!("{e}");
    ExitCode::FAILURE
}

pub fn exec(folder: &Path, lab: &str, host: &str, words: &[&str]) -> ExitCode {
    let stage = Stage::at(folder.to_path_buf());
    // A case may kill the lab meanwhile: an error, not a panic that another case would get.
    let lab = match find_lab(&stage.runtime, &lab.parse().unwrap()) {
        Ok(lab) => lab,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(NO_LAB);
        }
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    let ran = exec::run_in_host(&lab, &host.parse().unwrap(), command);
    ran.map_or_else(failed, |status| ExitCode::from(exit_code(status)))
}

pub fn up_that_never_is_up(folder: &Path, lab: &str) -> ExitCode {
    let stage = Stage::at(folder.to_path_buf());
    let order = stage.order(&lab.parse().unwrap(), Topology::default());
    let raised = start_lab(&stage.runtime, &order, |place| part(place, "idle", &[guest::PORT]));
    failed(format!("{raised:?}"))
}
