//! The sessions of an experiment with its hosts.

use crate::command::knob_session::{self, HostKnobSession, KnobSessionHost};
use crate::command::lab;
use crate::failure::Failure;
use goodput_model::{Experiment, Message};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct KnobSessionPool {
    program: PathBuf,
    reaching: Vec<(&'static str, String)>,
    /// The journal for levels that this program sets on this machine.
    journal: PathBuf,
    hosts: Vec<String>,
    client: String,
    open: BTreeMap<String, HostKnobSession>,
}

impl KnobSessionPool {
    pub fn new(
        experiment: &Experiment,
        reaching: Vec<(&'static str, String)>,
        note: &Path,
    ) -> Result<KnobSessionPool, Failure> {
        let run = note.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(KnobSessionPool {
            program: lab::current_executable()?,
            reaching,
            journal: knob_session::local_knob_journal().unwrap_or_else(|| note.with_extension("here")),
            hosts: experiment.hosts.values().cloned().collect(),
            client: format!("goodput run {} ({})", experiment.name, run.trim_start_matches(".levels-")),
            open: BTreeMap::new(),
        })
    }

    pub fn session_for_host(&mut self, host: &str) -> Result<&mut HostKnobSession, Message> {
        let open = self.open.remove(host);
        let session = HostKnobSession::reuse_or_open(open, || Ok(self.command(host)))?;
        Ok(self.open.entry(host.to_string()).insert_entry(session).into_mut())
    }

    /// Closes the sessions of a removed lab; returns their hosts.
    pub fn close_lab_sessions(&mut self, lab: &str) -> Vec<String> {
        let end = format!("@{lab}");
        let gone: Vec<String> = self.open.keys().filter(|host| host.ends_with(&end)).cloned().collect();
        gone.iter().for_each(|host| drop(self.open.remove(host)));
        gone
    }

    fn command(&self, host: &str) -> Command {
        let others = self.hosts.iter().filter(|other| *other != host);
        let at = match knob_session::is_here(host) {
            true => KnobSessionHost::Here { journal: &self.journal },
            false => KnobSessionHost::Agent { host, reaching: &self.reaching },
        };
        knob_session::knob_session_command(&self.program, &self.client, others, &at)
    }
}
