//! `goodput file clean`: what a killed command left behind.

use super::place::TypedPassword;
use super::target::Target;
use crate::args::host_name::HostName;
use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedClean {
    /// The folder or share where the work was: a folder, smb://user@host/share/folder, nfs://host/export/folder
    #[arg(value_name = "TARGET")]
    target: String,
    #[command(flatten)]
    password: TypedPassword,
    /// The host of a lab from which TARGET is seen
    #[arg(long, value_name = "lab:NAME")]
    from: Option<String>,
    /// Only list what there is
    #[arg(long, conflicts_with = "workspace")]
    list: bool,
    /// Remove this folder, whoever made it and although it cannot be known whether they still work; it must carry our mark
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Removes what a killed command left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanOrder {
    /// Where to look.
    pub target: Target,
    /// The lab's host from which it is seen.
    pub from: Option<HostName>,
    /// File with the password.
    pub password_file: Option<PathBuf>,
    /// What is removed.
    pub what: CleanWhat,
    /// One document.
    pub json: bool,
}

/// Which of our folders are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CleanWhat {
    /// None: they are listed.
    Nothing,
    /// Those whose maker is certainly dead.
    Dead,
    /// This one.
    Named(String),
}

impl TypedClean {
    /// What is meant.
    pub fn meaning(self) -> Result<CleanOrder, Failure> {
        let target = Target::parse(&self.target)?;
        if let Target::Sink { host, .. } = &target {
            return Err(Failure::usage("an agent's sink cannot be cleaned from here")
                .because("what it keeps in memory ends with the trial; its disk is its own host's")
                .try_this(format!(
                    "type goodput file clean DIR on {}, DIR being the folder it was given",
                    named(host)
                )));
        }
        let from = self.from.as_deref().map(|t| HostName::parse("--from", t)).transpose()?;
        if let Some(HostName::Address(_) | HostName::Name(_)) = from {
            return Err(Failure::usage("--from can only be a lab's host here")
                .because("other hosts clean up their own folders")
                .try_this("type goodput file clean TARGET on that host"));
        }
        let what = match self.workspace {
            Some(name) => CleanWhat::Named(name),
            None if self.list => CleanWhat::Nothing,
            None => CleanWhat::Dead,
        };
        Ok(CleanOrder { target, from, password_file: self.password.meaning(), what, json: self.json })
    }
}

fn named(host: &HostName) -> String {
    match host {
        HostName::Lab(host) => host.to_string(),
        HostName::Name(name) => name.clone(),
        HostName::Address(address) => address.host.clone(),
    }
}
