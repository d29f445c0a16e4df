//! `goodput load`: one run of many points between one server and its clients.

use super::measurement::{Measurement, MeasurementContext};
use super::peer_session::PeerSession;
use super::resolve_host::{self, format_host_name};
use super::trial_sequence::{RepeatSequence, TrialSequence};
use crate::args::host_name::HostName;
use crate::args::load::{LoadClients, LoadInvocation, LoadPlanSource};
use crate::exit::ExitStatus;
use crate::failure::{self, Failure, OrFailure, WithHint};
use crate::lab_exec;
use crate::output;
use crate::screen::ProgressScreen;
use goodput_control::registry::AgentRegistry;
use goodput_control::{HostAddress, NamedHost, Session, SessionHosts};
use goodput_interop::iometer::{self, IometerPlan, StageSettings};
use goodput_model::load::Load;
use goodput_model::{Message, Probe};
use goodput_words::message;
use std::fs;
use std::path::Path;

#[derive(Debug, Clone, PartialEq)]
pub struct LoadPlan {
    pub server: HostName,
    /// Without the members of a group.
    pub clients: Vec<HostName>,
    /// One trial each; client names by [`format_host_name`]. Empty for a group, whose members are unknown.
    points: Vec<Load>,
}

/// Reads the `.icf`, if one is named; `warn` receives its warnings.
pub fn build_load_plan(order: &LoadInvocation, warn: &mut dyn FnMut(Message)) -> Result<LoadPlan, Failure> {
    match &order.source {
        LoadPlanSource::Grid { server, clients: LoadClients::Named(clients), grid } => {
            let names: Vec<String> = clients.iter().map(format_host_name).collect();
            let points = grid.grid_points(&names, &order.settings);
            Ok(LoadPlan { server: server.clone(), clients: clients.clone(), points })
        }
        LoadPlanSource::Grid { server, clients: LoadClients::Group(_), .. } => {
            Ok(LoadPlan { server: server.clone(), clients: Vec::new(), points: Vec::new() })
        }
        LoadPlanSource::Icf { file, stages } => imported(file, stages, warn),
    }
}

fn imported(
    file: &Path,
    settings: &StageSettings,
    warn: &mut dyn FnMut(Message),
) -> Result<LoadPlan, Failure> {
    let path = file.display().to_string();
    let what = || message!(error_cannot_be_used { file: &path });
    let bytes = fs::read(file).or_failure(ExitStatus::Usage, what())?;
    let (plan, warnings) = iometer::read_icf(&iometer::decode_text(&bytes))
        .or_failure(ExitStatus::Usage, what())
        .with_hint("goodput icf check FILE")?;
    for warning in warnings {
        warn(message!(list_colon { what: &path, why: warning.message() }));
    }
    let refused =
        |e: iometer::IometerPlanError| Failure::from_error(ExitStatus::Usage, what(), &e).with_hint(e.hint);
    let stages = plan.build_test_stages(settings).map_err(refused)?;
    let mut servers = stages.iter().map(|s| s.server_host.as_str());
    let first = servers.next().unwrap_or_default().to_string();
    if let Some(other) = servers.find(|s| *s != first) {
        return Err(Failure::usage_error(what())
            .with_cause(message!(cause_more_than_one_server { first, other }))
            .with_hint("write one IOmeter file (.icf) for each server"));
    }
    let server = HostName::parse("the .icf's server", &first)?;
    let mut clients: Vec<HostName> = Vec::new();
    let mut points = Vec::new();
    for stage in stages {
        let mut load = stage.load;
        for name in &mut load.clients {
            let host = HostName::parse("a client of the .icf", name)?;
            *name = format_host_name(&host);
            if host == server {
                return Err(Failure::usage_error(what())
                    .with_cause(message!(cause_own_client { name: &*name }))
                    .with_hint("assign another host to the client with --map"));
            }
            if !clients.contains(&host) {
                clients.push(host);
            }
        }
        points.push(load);
    }
    Ok(LoadPlan { server, clients, points })
}

pub fn run_load(order: LoadInvocation, words: Vec<String>) -> Result<ExitStatus, Failure> {
    let place = lab_exec::current_lab();
    let mut warnings = Vec::new();
    let course = build_load_plan(&order, &mut |w| warnings.push(w))?;
    let options = &order.options;
    let context = MeasurementContext::new(options, place.as_ref())?;
    let named = |option: &str, host: &HostName| {
        resolve_host::resolve_named_host(option, host, options.port, place.as_ref(), &context.registry)
    };
    let (clients, points) = match &order.source {
        LoadPlanSource::Grid { clients: LoadClients::Group(group), grid, .. } => {
            let clients = members(&context.registry, group, &format_host_name(&course.server))?;
            let names: Vec<String> = clients.iter().map(|c| c.0.clone()).collect();
            (clients, grid.grid_points(&names, &order.settings))
        }
        _ => {
            let clients = course.clients.iter().map(|host| named("--clients", host));
            (clients.collect::<Result<_, Failure>>()?, course.points)
        }
    };
    let server = named("SERVER", &course.server)?;
    if let Some(file) = &order.write_icf {
        return written(file, &server, &clients, &points);
    }
    let mut trials =
        RepeatSequence::new(points.into_iter().map(Probe::Load).collect(), options.repeat_count());
    let screen = ProgressScreen::new(options, trials.trial_count());
    warnings.into_iter().for_each(|said| screen.print_message(message!(line_warning { said })));
    let hosts = SessionHosts { server: Some(server), clients, ..SessionHosts::default() };
    let session = Session::open(&hosts, context.shown.as_ref(), &options.trial_timeouts())
        .map_err(|e| failure::failure_from_control_error("cannot measure", &e))?;
    for excluded in session.excluded_clients() {
        let (host, why) = (&excluded.host, Message::from(&excluded.cause));
        screen.print_message(message!(progress_load_without { host, why }));
    }
    let reached = PeerSession::Agents(Box::new(session));
    let mut measurement = Measurement::open(&context, &reached, words, screen, None)?;
    measurement.run_trial_sequence(&mut trials);
    measurement.finish(None).map(|(exit, _)| exit)
}

/// The members of a group except the server.
fn members(registry: &AgentRegistry, group: &str, server: &str) -> Result<Vec<NamedHost>, Failure> {
    let mut found = registry
        .group_members(group)
        .map_err(|e| failure::failure_from_control_error("cannot find the clients", &e))?;
    found.retain(|(name, _)| !name.eq_ignore_ascii_case(server));
    if found.is_empty() {
        return Err(Failure::usage_error("the group has no member other than the server")
            .with_hint("goodput hosts shows groups; specify the clients with --clients"));
    }
    Ok(found)
}

fn written(
    file: &Path,
    server: &NamedHost,
    clients: &[NamedHost],
    points: &[Load],
) -> Result<ExitStatus, Failure> {
    let host = |name: &str, address: &HostAddress| iometer::IometerHost {
        host: name.to_string(),
        name: name.to_string(),
        address: address.host.clone(),
    };
    let refused = |e: iometer::IcfWriteError| {
        let what = message!(error_icf_not_written { file: file.display().to_string() });
        Failure::from_error(ExitStatus::Usage, what, &e)
    };
    let server = host(&server.0, &server.1);
    let clients: Vec<iometer::IometerHost> = clients.iter().map(|(name, at)| host(name, at)).collect();
    let plan = IometerPlan::from_load_points("goodput load", &server, &clients, points).map_err(refused)?;
    let text = iometer::write_icf(&plan).map_err(refused)?;
    super::export::write_output_file(file, &text)?;
    output::print_text(&format!("{}: {} points, {} clients\n", file.display(), points.len(), clients.len()));
    Ok(ExitStatus::Done)
}
