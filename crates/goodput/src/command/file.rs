//! `goodput file`: one run of trials on files, with preparation and clean-up.

mod clean;
pub mod descriptions;
mod hosts;
pub mod load_file;
mod password;
mod plan;
mod step;
pub mod trouble;

use super::measurement::{Context, Measurement};
use super::peer_session::Reached;
use crate::args::file::target::{SMB_PORT, Target};
use crate::args::file::{FileMeasure, FileOrder, FileStep, Work};
use crate::args::host_name::HostName;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::lab_exec;
use crate::screen::Screen;
use goodput_control::Session;
use goodput_model::file::{MixSource, Place, Sink, WORKSPACE_PREFIX};
use plan::{OFFICE, PartPlan, Setting};
use uuid::Uuid;

pub fn run(order: FileOrder, words: Vec<String>) -> Result<Exit, Failure> {
    match order {
        FileOrder::Measure(order) => measured(*order, words),
        FileOrder::Clean(order) => clean::run(&order),
    }
}

fn measured(order: FileMeasure, words: Vec<String>) -> Result<Exit, Failure> {
    let lab = lab_exec::place();
    let options = &order.options;
    let mut warnings = Vec::new();
    let sources: Vec<Option<MixSource>> =
        order.parts.iter().map(|part| source(part, &order, &mut warnings)).collect::<Result<_, _>>()?;
    let place = hosts::place(&order.at.target, lab.as_ref())?;
    let local = order.parts.iter().find_map(local);
    let here = hosts::here(&order.at, lab.as_ref());
    // Before a thread handles signals: Ctrl-C at the question ends the program.
    if let (Place::Smb { user: Some(user), host, .. }, true) = (&place, here) {
        password::find(order.at.password_file.as_deref(), user, host)?;
    }
    let context = Context::new(options, lab.as_ref())?;
    if here {
        hosts::look(&place, local, &options.deadlines())?;
    }
    let hosts = hosts::of(&order.at, &place, local, lab.as_ref(), &context.registry)?;
    let session = Session::open(&hosts, context.shown.as_ref(), &options.deadlines())
        .map_err(|e| failure::control("cannot measure", &e))?;
    let mut screen = Screen::new(options, None);
    warnings.iter().for_each(|warning| screen.say(&format!("warning: {warning}")));
    print_file_notes(&session, &order, here, &mut screen);
    let clients = session.clients();
    let part = |(part, source): (&FileStep, &Option<MixSource>)| {
        let [workspace, beside] = [(); 2].map(|()| format!("{WORKSPACE_PREFIX}{}", Uuid::now_v7()));
        let setting = Setting {
            place: &place,
            clients: &clients,
            agent: hosts.server.is_some(),
            server_folder: order.at.server_folder.as_deref(),
            workspace: &workspace,
            beside: &beside,
            source: source.as_ref(),
        };
        setting.plan(part, order.order, order.rounds, context.seed)
    };
    let plans: Vec<PartPlan> = order.parts.iter().zip(&sources).map(part).collect();
    let planned: usize = plans.iter().map(|c| c.measure.len()).sum();
    screen.of(planned as u32);
    let reached = Reached::Agents(Box::new(session));
    let mut measurement = Measurement::open(&context, &reached, words, screen, None)?.at(&place);
    let cleaning = cleaning(&order.at.target);
    for plan in plans {
        step::make(&mut measurement, plan, &context.cancel, &cleaning);
        if !measurement.continues_after() {
            break;
        }
    }
    let concluded = measurement.conclude(Some(planned));
    goodput_file::secret::forget();
    concluded.map(|(exit, _)| exit)
}

fn source(
    part: &FileStep,
    order: &FileMeasure,
    warnings: &mut Vec<String>,
) -> Result<Option<MixSource>, Failure> {
    let Work::Replay(plan) = &part.work else { return Ok(None) };
    let seed = order.options.seed.unwrap_or(OFFICE);
    load_file::source(&plan.load, seed, &mut |warning| warnings.push(warning)).map(Some)
}

fn local(part: &FileStep) -> Option<&String> {
    match &part.work {
        Work::Copy(plan) => plan.local.as_ref(),
        Work::Replay(plan) => plan.local.as_ref(),
        Work::Disk(_) => None,
    }
}

fn print_file_notes(session: &Session, order: &FileMeasure, here: bool, screen: &mut Screen) {
    session.other_versions().iter().for_each(|sentence| screen.say(sentence));
    if !here && matches!(&order.at.target, Target::Smb { user: Some(_), .. }) {
        screen.say(&format!(
            "each host of --from takes the password from its own {} or {}",
            goodput_file::secret::PASSWORD,
            goodput_file::secret::PASSWORD_FILE
        ));
    }
    if order.parts.iter().any(|p| matches!(&p.work, Work::Copy(plan) if plan.local.is_none())) {
        screen.say("the copy is from and to memory; --local DIR lets a disk of the client take part");
    }
}

/// TARGET as typed; for a disk sink, the folder on its host.
fn typed(target: &Target) -> String {
    let host = |host: &HostName| match host {
        HostName::Lab(host) => host.to_string(),
        HostName::Name(name) => name.clone(),
        HostName::Address(address) if address.host.contains(':') => format!("[{}]", address.host),
        HostName::Address(address) => address.host.clone(),
    };
    let below =
        |path: &str, with: &str| if path.is_empty() { String::new() } else { format!("{with}{path}") };
    match target {
        Target::Folder(path) => path.clone(),
        Target::Smb { host: at, port, user, share, path, .. } => {
            let user = user.as_ref().map_or(String::new(), |user| format!("{user}@"));
            let port = if *port == SMB_PORT { String::new() } else { format!(":{port}") };
            format!("smb://{user}{}{port}/{share}{}", host(at), below(path, "/"))
        }
        Target::Nfs { host: at, port, mount_port, export, path } => {
            let port = port.map_or(String::new(), |port| format!(":{port}"));
            let mount = mount_port.map_or(String::new(), |port| format!("?mountport={port}"));
            format!("nfs://{}{port}{export}{}{mount}", host(at), below(path, "//"))
        }
        Target::Sink { sink: Sink::Disk { path: Some(path) }, .. } => path.clone(),
        Target::Sink { .. } => "DIR".to_string(),
    }
}

fn cleaning(target: &Target) -> String {
    let typed = typed(target);
    match target {
        Target::Sink { sink: Sink::Disk { .. }, .. } => {
            format!("goodput file clean {typed} on the agent's host removes it")
        }
        Target::Sink { .. } => "the agent forgets it after ten minutes".to_string(),
        Target::Folder(_) | Target::Smb { .. } | Target::Nfs { .. } => {
            format!("goodput file clean {typed} removes it")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_told_as_it_is_typed() {
        for target in [
            "/mnt/nas",
            "smb://ann@nas/media/a/b",
            "smb://nas:1445/media",
            "smb://ann@[fd00::2]/media",
            "smb://ann@lab:b@x:1445/media",
            "nfs://nas:2050/srv//data?mountport=2051",
        ] {
            assert_eq!(typed(&target.parse().unwrap()), target);
        }
        let disk = "nas:disk=/srv".parse().unwrap();
        assert_eq!(cleaning(&disk), "goodput file clean /srv on the agent's host removes it");
    }
}
