//! `goodput pingpong|stream|request|datagram`: one run of one probe between two hosts.

use super::course::Course;
use super::credentials;
use super::reached::{Reached, by_echo};
use super::{export, leftover, reach, recorded};
use crate::args::host_name::HostName;
use crate::args::measuring::{Measure, Options};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::inside::{self, Place};
use crate::screen::Screen;
use crate::{events, interrupt, language, output};
use goodput_control::{Cancel, HostAddress, Hosts, Registry, TrialPlan};
use goodput_model::probe::PingPongMethod;
use goodput_model::record::{NoRecord, RecordError};
use goodput_model::summary::{Document, SearchOutcome};
use goodput_model::{BitRate, Outcome, Probe, Recorder, RunId, Severity, Trial, TrialId};
use goodput_store::{RunWriter, WriteError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// Below this rate live samples would be a noticeable part of what the link carries.
const LIVE_FROM: BitRate = BitRate(1_000_000_000);
/// How long a log may still be held by a program that is about to be gone.
const ANOTHER_WRITER: Duration = Duration::from_secs(10);

/// Measures, records, prints.
pub fn run(order: Measure, words: Vec<String>) -> Result<Exit, Failure> {
    let cancel = Cancel::default();
    let on_signal = cancel.clone();
    interrupt::watch(move || on_signal.cancel())
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
    let place = inside::place();
    let options = &order.options;
    let shown = credentials::find_in(&options.credentials, place.as_ref())?;
    let registry = reach::registry(options, shown.as_ref())?;
    let hosts = hosts(&order, place.as_ref(), &registry)?;
    let mut course = Course::of(&order);
    let mut screen = Screen::new(options, course.trials());
    let name = place.as_ref().and_then(|p| p.peer.as_ref()).map_or(&hosts.to.host, |(name, ..)| name);
    let reached = Reached::open(&order, &hosts, name, shown.as_ref())?;
    if let Some(note) = reached.session().and_then(|s| reach::note(&order.host, &hosts.to, s)) {
        screen.say(&note);
    }
    if let Some(session) = reached.session() {
        let left = session.left();
        leftover::bring_home(&left, |recorder| session.recover(recorder), options, &words, &mut screen);
    }
    let seed = options.seed.unwrap_or_else(new_seed);
    let peer = place.as_ref().and_then(|p| p.peer.as_ref());
    let renamed = peer.map(|(name, ..)| (hosts.to.to_string(), name.clone()));
    let mut record = Record::open(options, words, seed, renamed.clone())?;
    screen.begun(record.run(), record.folder(), renamed);
    let mut trials = Vec::new();
    let mut trouble = None;
    let mut number = 0;
    while let Some(probe) = course.next_probe() {
        number += 1;
        let (run, trial) = (record.run(), record.trial(number));
        let plan = TrialPlan {
            run,
            trial,
            onlookers: screen.onlookers(),
            ..plan(options, probe, number, seed, place.as_ref())
        };
        screen.asking();
        match reached.run(&plan, &mut record, &mut |event| screen.event(event), &cancel) {
            Ok(trial) => {
                if let Some(sentence) = course.hear(&trial) {
                    screen.say(&sentence);
                }
                trials.push(record.named(&trial));
            }
            Err(e) => trouble = Some(failure::control("the trial was not made", &e)),
        }
        let whole = trials.last().is_some_and(|t| t.outcome == Outcome::Complete);
        if trouble.is_some() || !whole || cancel.is_cancelled() {
            break;
        }
    }
    screen.finish();
    let run = record.finish(trials.len())?;
    let exit = conclude(run, &trials, trouble, options)?;
    if let Some(file) = &order.np_out
        && let Some(trial) = trials.first()
    {
        export::write(file, &export::np_out(trial)?)?;
    }
    Ok(exit)
}

/// Prints what there is and says how it ended.
pub(super) fn conclude(
    run: Option<RunId>,
    trials: &[Trial],
    trouble: Option<Failure>,
    options: &Options,
) -> Result<Exit, Failure> {
    let mut document = recorded::document(run, trials);
    let failure = trouble.or_else(|| broke_off(trials));
    if trials.is_empty()
        && let Some(failure) = failure
    {
        return Err(failure);
    }
    document.error = failure.as_ref().map(Failure::document);
    if options.events {
        events::ends_with(run, failure.as_ref());
    } else {
        output::result(&document, options.json);
    }
    if let Some(run) = run
        && !options.json
        && !options.events
        && std::io::stderr().is_terminal()
    {
        language::tell(&format!("kept as {run}; goodput report draws it"));
    }
    Ok(match failure {
        Some(failure) => failure.exit,
        None if has_error_finding(&document) || nothing_found(&document) => Exit::RequirementFailed,
        None => Exit::Done,
    })
}

/// What is told of the first trial that is not whole.
fn broke_off(trials: &[Trial]) -> Option<Failure> {
    let asked = interrupt::asked();
    trials.iter().find_map(|trial| match &trial.outcome {
        Outcome::Complete => None,
        _ if asked => Some(Failure::new(Exit::Interrupted, "interrupted").because("by a signal, as asked")),
        Outcome::Partial { cause } => Some(
            Failure::new(Exit::BrokeOff, format!("trial {} broke off", trial.id)).because(cause).try_this(
                "what was measured until then is in the result; look after that host and measure again",
            ),
        ),
        Outcome::Failed { cause } if by_echo(&trial.probe) => Some(
            Failure::new(Exit::Unreachable, format!("trial {} measured nothing", trial.id))
                .because(cause)
                .try_this(
                    "the host may be off, or drop echo requests; with goodput agent on it, leave --icmp out",
                ),
        ),
        Outcome::Failed { cause } => Some(
            Failure::new(Exit::CannotMeasure, format!("trial {} measured nothing", trial.id))
                .because(cause)
                .try_this("look after what the cause names and measure again"),
        ),
    })
}

fn has_error_finding(document: &Document) -> bool {
    goodput_report::summaries(document)
        .iter()
        .any(|s| s.findings.iter().any(|f| f.severity == Severity::Error))
}

/// True for a search that found no rate: what was asked for is not there.
fn nothing_found(document: &Document) -> bool {
    use SearchOutcome::{LossAtEveryRate, NoAnswer, NotConfirmed};
    document.search.as_ref().is_some_and(|s| matches!(s.outcome, NotConfirmed | LossAtEveryRate | NoAnswer))
}

/// The two hosts as the coordinator wants them.
fn hosts(order: &Measure, place: Option<&Place>, registry: &Registry) -> Result<Hosts, Failure> {
    let port = order.options.port;
    let to = match place.and_then(|p| p.peer.as_ref()) {
        Some((_, address, usual)) => HostAddress::new(address.clone(), port.unwrap_or(*usual)),
        None => reach::host("HOST", &order.host, port, registry)?,
    };
    let from = match (&order.from, place) {
        (None, _) | (Some(HostName::Lab(_)), Some(_)) => None,
        (Some(name), _) => Some(reach::host("--from", name, None, registry)?),
    };
    Ok(Hosts { to, from, data: None })
}

fn plan(options: &Options, mut probe: Probe, number: u32, seed: u64, place: Option<&Place>) -> TrialPlan {
    if let Probe::PingPong(p) = &mut probe
        && let PingPongMethod::Native { seed: s, .. } = &mut p.method
    {
        // Another order in every trial, and the same ones when the run is repeated with its seed.
        *s = seed.wrapping_add(u64::from(number) - 1);
    }
    let medium = options.medium.clone().or_else(|| place.and_then(|p| p.medium.clone()));
    let slow = medium.as_ref().is_some_and(|m| m.rate < LIVE_FROM);
    TrialPlan {
        deadlines: options.deadlines(),
        cpus: options.cpus(),
        shared: options.shared,
        live: !slow && !unseen(options),
        watched: options.events,
        medium,
        bus: options.bus.clone().or_else(|| place.and_then(|p| p.bus.clone())),
        ..TrialPlan::new(TrialId(number), probe)
    }
}

/// True when nobody watches: live samples would only be in the way.
pub(super) fn unseen(options: &Options) -> bool {
    options.json && !std::io::stderr().is_terminal()
}

/// A seed that fits into a JSON number of any reader (53 bits).
pub(super) fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

/// Where the run goes, and what its hosts are called: in a lab by their names, not their addresses.
pub(super) struct Record {
    writer: Option<RunWriter>,
    /// The last trial that another command added to the run, 0 for none.
    before: u32,
    /// True when others go on with the run after this command.
    goes_on: bool,
    /// Address as the coordinator knows it, and the name to keep.
    renamed: Option<(String, String)>,
}

impl Record {
    /// Begins a run; `renamed` is an address as the coordinator knows it, and the name to keep.
    pub(super) fn open(
        options: &Options,
        words: Vec<String>,
        seed: u64,
        renamed: Option<(String, String)>,
    ) -> Result<Record, Failure> {
        if let Some(folder) = &options.into {
            return Record::into_run(folder, renamed);
        }
        let writer = if options.save {
            let head =
                goodput_store::new_head(env!("CARGO_PKG_VERSION"), words, seed, options.labels.0.clone());
            let root = recorded::root(options.runs.as_deref())?;
            Some(RunWriter::create(&root, head).map_err(|e| {
                Failure::from_error(Exit::CannotMeasure, "cannot keep the run", &e)
                    .try_this("name another folder with --runs, or measure with --no-save")
            })?)
        } else {
            None
        };
        Ok(Record { writer, before: 0, goes_on: false, renamed })
    }

    /// Goes on with a run that somebody else has begun.
    fn into_run(folder: &Path, renamed: Option<(String, String)>) -> Result<Record, Failure> {
        let failed = |e: WriteError| {
            Failure::from_error(Exit::CannotMeasure, format!("cannot add to {}", folder.display()), &e)
        };
        let writer = RunWriter::append_to(folder, ANOTHER_WRITER).map_err(failed)?;
        let before = writer.last_recorded().map_err(failed)?.map_or(0, |trial| trial.0);
        Ok(Record { writer: Some(writer), before, goes_on: true, renamed })
    }

    /// What this command's trial of that number, counted from 1, is called in the run.
    pub(super) fn trial(&self, number: u32) -> TrialId {
        TrialId(self.before + number)
    }

    /// The run that is recorded, if one is.
    pub(super) fn run(&self) -> Option<RunId> {
        self.writer.as_ref().map(RunWriter::id)
    }

    /// Its folder.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.writer.as_ref().map(RunWriter::folder)
    }

    /// The same trial with its hosts called by their names.
    fn named(&self, trial: &Trial) -> Trial {
        let mut trial = trial.clone();
        if let Some((address, name)) = &self.renamed {
            trial.ends.iter_mut().filter(|e| e.host == *address).for_each(|e| e.host.clone_from(name));
        }
        trial
    }

    /// Closes the run; its name, when there is something in it.
    pub(super) fn finish(mut self, trials: usize) -> Result<Option<RunId>, Failure> {
        let Some(writer) = &mut self.writer else { return Ok(None) };
        if self.goes_on {
            return Ok(Some(writer.id()));
        }
        if trials == 0 {
            // Nothing was measured: an empty run would only be in the way.
            let _ = std::fs::remove_dir_all(writer.folder());
            return Ok(None);
        }
        writer.finish().map_err(|e| {
            Failure::from_error(Exit::CannotMeasure, "the run could not be closed on disk", &e)
        })?;
        Ok(Some(writer.id()))
    }
}

impl Recorder for Record {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError> {
        let named = self.named(trial);
        match &mut self.writer {
            Some(writer) => writer.record(&named),
            None => NoRecord.record(&named),
        }
    }
}
