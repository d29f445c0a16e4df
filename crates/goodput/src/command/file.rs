//! `goodput file`: one run of many trials on files, with what makes them ready before and what cleans up after them.

mod clean;
mod course;
mod hosts;
pub mod load_file;
mod password;
mod play;
mod trouble;
pub mod words;

use super::measure::{self, Record};
use super::{credentials, leftover, reach};
use crate::args::file::target::{SMB_PORT, Target};
use crate::args::file::{FileMeasure, FileOrder, Part, Work};
use crate::args::host_name::HostName;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::{inside, interrupt};
use course::{Course, OFFICE, Stage};
use goodput_control::Cancel;
use goodput_control::files::FileSession;
use goodput_model::Outcome;
use goodput_model::file::{MixSource, Place, Sink, WORKSPACE_PREFIX};
use hosts::Hosts;
use play::Play;
use uuid::Uuid;

/// Does what was asked.
pub fn run(order: FileOrder, words: Vec<String>) -> Result<Exit, Failure> {
    match order {
        FileOrder::Measure(order) => measured(*order, words),
        FileOrder::Clean(order) => clean::run(&order),
    }
}

/// Measures, records, prints, and leaves nothing behind.
fn measured(order: FileMeasure, words: Vec<String>) -> Result<Exit, Failure> {
    let lab = inside::place();
    let options = &order.options;
    let mut warnings = Vec::new();
    let sources: Vec<Option<MixSource>> =
        order.parts.iter().map(|part| source(part, &order, &mut warnings)).collect::<Result<_, _>>()?;
    let place = hosts::place(&order.at.target, lab.as_ref())?;
    let local = order.parts.iter().find_map(local);
    let here = hosts::here(&order.at, lab.as_ref());
    // Before signals are taken by a thread: Ctrl-C at the question ends the program.
    if let (Place::Smb { user: Some(user), host, .. }, true) = (&place, here) {
        password::find(order.at.password_file.as_deref(), user, host)?;
    }
    let cancel = Cancel::default();
    let on_signal = cancel.clone();
    interrupt::watch(move || on_signal.cancel())
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
    if here {
        hosts::look(&place, local, &options.deadlines())?;
    }
    let shown = credentials::find_in(&options.credentials, lab.as_ref())?;
    let registry = reach::registry(options, shown.as_ref())?;
    let hosts = Hosts::of(&order.at, place, lab.as_ref(), &registry)?;
    let session = hosts.session(shown.as_ref(), &options.deadlines(), local)?;
    let mut screen = Screen::new(options, None);
    warnings.iter().for_each(|warning| screen.say(&format!("warning: {warning}")));
    told(&session, &order, here, &mut screen);
    let left = session.left();
    leftover::bring_home(&left, |recorder| session.recover(recorder), options, &words, &mut screen);
    let seed = options.seed.unwrap_or_else(measure::new_seed);
    let courses = courses(&order, &hosts, &session.clients(), &sources, seed);
    let planned: usize = courses.iter().map(|c| c.measure.len()).sum();
    screen.of(planned as u32);
    let record = Record::open(options, words, seed, None)?;
    screen.begun(record.run(), record.folder(), None);
    let play = Play {
        session: &session,
        record,
        screen,
        cancel: &cancel,
        options,
        medium: options.medium.clone().or_else(|| lab.as_ref().and_then(|l| l.medium.clone())),
        bus: options.bus.clone().or_else(|| lab.as_ref().and_then(|l| l.bus.clone())),
        place: &hosts.place,
        cleaning: cleaning(&order.at.target),
        seed,
        trials: Vec::new(),
        trouble: None,
    };
    let Play { record, mut screen, trials, mut trouble, .. } = play.all(&courses);
    if interrupt::asked() && trials.len() < planned && trials.iter().all(|t| t.outcome == Outcome::Complete) {
        let asked = Failure::new(Exit::Interrupted, "interrupted").because("by a signal, as asked");
        trouble = trouble.or(Some(asked));
    }
    screen.finish();
    let run = record.finish(trials.len())?;
    goodput_file::secret::forget();
    measure::conclude(run, &trials, trouble, options)
}

/// The trials of all parts, each in a workspace of its own.
fn courses(
    order: &FileMeasure,
    hosts: &Hosts,
    clients: &[String],
    sources: &[Option<MixSource>],
    seed: u64,
) -> Vec<Course> {
    let course = |(part, source): (&Part, &Option<MixSource>)| {
        let [workspace, beside] = [(); 2].map(|()| format!("{WORKSPACE_PREFIX}{}", Uuid::now_v7()));
        let stage = Stage {
            place: &hosts.place,
            clients,
            agent: hosts.server.is_some(),
            server_folder: order.at.server_folder.as_deref(),
            workspace: &workspace,
            beside: &beside,
            source: source.as_ref(),
        };
        stage.course(part, order.order, order.rounds, seed)
    };
    order.parts.iter().zip(sources).map(course).collect()
}

/// What a part plays, if it is a mix.
fn source(
    part: &Part,
    order: &FileMeasure,
    warnings: &mut Vec<String>,
) -> Result<Option<MixSource>, Failure> {
    let Work::Replay(plan) = &part.work else { return Ok(None) };
    let seed = order.options.seed.unwrap_or(OFFICE);
    load_file::source(&plan.load, seed, &mut |warning| warnings.push(warning)).map(Some)
}

/// The client's own folder that takes part.
fn local(part: &Part) -> Option<&String> {
    match &part.work {
        Work::Copy(plan) => plan.local.as_ref(),
        Work::Replay(plan) => plan.local.as_ref(),
        Work::Disk(_) => None,
    }
}

/// What a person should know before it begins.
fn told(session: &FileSession, order: &FileMeasure, here: bool, screen: &mut Screen) {
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

/// TARGET as it is typed; of a sink on a disk the folder that its host knows.
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

/// What removes a folder of ours that could not be removed.
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
