//! `goodput load`: one run of many points between one server and its clients.

use super::measurement::{Context, Measurement};
use super::peer_session::Reached;
use super::resolve_host;
use super::sequence::{Repeats, TrialSequence};
use crate::args::host_name::HostName;
use crate::args::load::{Clients, LoadOrder, Source};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::lab_exec::{self, LabContext};
use crate::output;
use crate::screen::Screen;
use goodput_control::registry::{Choice, Registry, Selection};
use goodput_control::{CONTROL_PORT, HostAddress, Hosts, NamedHost, Session};
use goodput_interop::iometer::{self, Disk, IometerPlan, StageSettings};
use goodput_model::Probe;
use goodput_model::load::Load;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[derive(Debug, Clone, PartialEq)]
pub struct LoadPlan {
    pub server: HostName,
    /// Without the members of a group.
    pub clients: Vec<HostName>,
    /// One trial each; client names by [`called`].
    points: Points,
}

/// The points, or how to create them once the clients are known.
#[derive(Debug, Clone, PartialEq)]
enum Points {
    Known(Vec<Load>),
    OfGroup { group: String, grid: Box<goodput_analysis::grid::Grid> },
}

pub(super) fn called(host: &HostName) -> String {
    match host {
        HostName::Lab(host) => host.host.to_string(),
        HostName::Name(name) => name.clone(),
        HostName::Address(address) if address.port == CONTROL_PORT => address.host.clone(),
        HostName::Address(address) => address.to_string(),
    }
}

/// Reads the `.icf`, if one is named; `warn` receives its warnings.
pub fn load_plan(order: &LoadOrder, warn: &mut dyn FnMut(String)) -> Result<LoadPlan, Failure> {
    match &order.source {
        Source::Grid { server, clients: Clients::Named(clients), grid } => {
            let names: Vec<String> = clients.iter().map(called).collect();
            let points = Points::Known(grid.points(&names, &order.settings));
            Ok(LoadPlan { server: server.clone(), clients: clients.clone(), points })
        }
        Source::Grid { server, clients: Clients::Group(group), grid } => {
            let points = Points::OfGroup { group: group.clone(), grid: grid.clone() };
            Ok(LoadPlan { server: server.clone(), clients: Vec::new(), points })
        }
        Source::Icf { file, map, network_only, time, warm_up } => {
            let settings = StageSettings {
                base: order.settings.clone(),
                map: map.clone(),
                disk: if *network_only { Disk::LeaveOut } else { Disk::Refuse },
                time: *time,
                warm_up: *warm_up,
            };
            imported(file, &settings, warn)
        }
    }
}

fn imported(
    file: &Path,
    settings: &StageSettings,
    warn: &mut dyn FnMut(String),
) -> Result<LoadPlan, Failure> {
    let what = || format!("{} cannot be used", file.display());
    let bytes = fs::read(file).map_err(|e| Failure::from_error(Exit::Usage, what(), &e))?;
    let (plan, warnings) = iometer::read(&iometer::decode(&bytes))
        .map_err(|e| Failure::from_error(Exit::Usage, what(), &e).try_this("goodput icf check FILE"))?;
    for warning in warnings {
        warn(format!("{}: {warning}", file.display()));
    }
    let refused = |e: iometer::PlanError| {
        let hint = e.hint();
        Failure::from_error(Exit::Usage, what(), &e).try_this(hint)
    };
    let stages = plan.stages(settings).map_err(refused)?;
    let mut servers = stages.iter().map(|s| s.server_host.as_str());
    let first = servers.next().unwrap_or_default().to_string();
    if let Some(other) = servers.find(|s| *s != first) {
        return Err(Failure::usage(what())
            .because(format!("it has more than one server: {first} and {other}"))
            .try_this("write one file for each server"));
    }
    let server = HostName::parse("the .icf's server", &first)?;
    let mut clients: Vec<HostName> = Vec::new();
    let mut points = Vec::new();
    for stage in stages {
        let mut load = stage.load;
        for name in &mut load.clients {
            let host = HostName::parse("a client of the .icf", name)?;
            *name = called(&host);
            if host == server {
                return Err(Failure::usage(what())
                    .because(format!("{name} is the server and its own client"))
                    .try_this("give the client another host with --map"));
            }
            if !clients.contains(&host) {
                clients.push(host);
            }
        }
        points.push(load);
    }
    Ok(LoadPlan { server, clients, points: Points::Known(points) })
}

pub fn run(order: LoadOrder, words: Vec<String>) -> Result<Exit, Failure> {
    let place = lab_exec::place();
    let mut warnings = Vec::new();
    let course = load_plan(&order, &mut |w| warnings.push(w))?;
    let options = &order.options;
    let context = Context::new(options, place.as_ref())?;
    let look = HostLookup { order: &order, place: place.as_ref(), registry: &context.registry };
    let (clients, points) = look.settled(&course)?;
    let server = (called(&course.server), look.address("SERVER", &course.server)?);
    if let Some(file) = &order.write_icf {
        return written(file, &server, &clients, &points);
    }
    let mut trials = Repeats::new(points.into_iter().map(Probe::Load).collect(), options.repeats());
    let mut screen = Screen::new(options, trials.length());
    warnings.iter().for_each(|w| screen.say(&format!("warning: {w}")));
    let hosts = Hosts { server: Some(server), clients, ..Hosts::default() };
    let session = Session::open(&hosts, context.shown.as_ref(), &options.deadlines())
        .map_err(|e| failure::control("cannot measure", &e))?;
    for excluded in session.excluded() {
        screen.say(&format!("without {}: {}", excluded.host, excluded.cause));
    }
    let reached = Reached::Agents(Box::new(session));
    let mut measurement = Measurement::open(&context, &reached, words, screen, None)?;
    measurement.make(&mut trials);
    measurement.conclude(None).map(|(exit, _)| exit)
}

struct HostLookup<'a> {
    order: &'a LoadOrder,
    place: Option<&'a LabContext>,
    registry: &'a Registry,
}

impl HostLookup<'_> {
    fn settled(&self, course: &LoadPlan) -> Result<(Vec<NamedHost>, Vec<Load>), Failure> {
        match &course.points {
            Points::Known(points) => {
                let with_address = |host: &HostName| Ok((called(host), self.address("--clients", host)?));
                let clients = course.clients.iter().map(with_address).collect::<Result<_, Failure>>()?;
                Ok((clients, points.clone()))
            }
            Points::OfGroup { group, grid } => {
                let wanted = Selection::new(vec![Choice::Group(group.clone())], BTreeMap::new());
                let clients = select(self.registry, &wanted, &called(&course.server))?;
                let names: Vec<String> = clients.iter().map(|c| c.0.clone()).collect();
                let points = grid.points(&names, &self.order.settings);
                Ok((clients, points))
            }
        }
    }

    fn address(&self, option: &str, host: &HostName) -> Result<HostAddress, Failure> {
        resolve_host::within(option, host, self.order.options.port, self.place, self.registry)
    }
}

/// The members of a group except the server.
fn select(registry: &Registry, wanted: &Selection, server: &str) -> Result<Vec<NamedHost>, Failure> {
    let mut found = registry.select(wanted).map_err(|e| failure::control("cannot find the clients", &e))?;
    found.retain(|(name, _)| !name.eq_ignore_ascii_case(server));
    if found.is_empty() {
        return Err(Failure::usage("the group has no member beside the server")
            .try_this("goodput hosts shows groups; name the clients with --clients"));
    }
    Ok(found)
}

fn written(file: &Path, server: &NamedHost, clients: &[NamedHost], points: &[Load]) -> Result<Exit, Failure> {
    let host = |name: &str, address: &HostAddress| iometer::Host {
        host: name.to_string(),
        name: name.to_string(),
        address: address.host.clone(),
    };
    let refused = |e: iometer::WriteError| {
        Failure::from_error(Exit::Usage, format!("{} cannot be written", file.display()), &e)
    };
    let server = host(&server.0, &server.1);
    let clients: Vec<iometer::Host> = clients.iter().map(|(name, at)| host(name, at)).collect();
    let plan = IometerPlan::from_loads("goodput load", &server, &clients, points).map_err(refused)?;
    let text = iometer::write(&plan).map_err(refused)?;
    super::export::write(file, &text)?;
    output::text(&format!("{}: {} points, {} clients\n", file.display(), points.len(), clients.len()));
    Ok(Exit::Done)
}
