//! `goodput pingpong|stream|request|datagram|mtu|latency`: one run of one probe between two hosts.

use super::check_sequence::CheckSequence;
use super::measurement::{CheckRequest, Measurement, MeasurementContext};
use super::peer_session::PeerSession;
use super::trial_sequence::{self, TrialSequence};
use super::{export, resolve_host};
use crate::args::host_name::HostName;
use crate::args::measure_args::MeasureInvocation;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::lab_exec;
use crate::screen::ProgressScreen;
use goodput_control::HostAddress;

pub fn run_measure(order: MeasureInvocation, words: Vec<String>) -> Result<ExitStatus, Failure> {
    let place = lab_exec::current_lab();
    let context = MeasurementContext::new(&order.options, place.as_ref())?;
    let (to, from) = hosts(&order, &context)?;
    let mut trials: Box<dyn TrialSequence> = match &order.check {
        Some(_) => Box::<CheckSequence>::default(),
        None => trial_sequence::build_trial_sequence(&order, context.seed, place.as_ref())?,
    };
    let screen = ProgressScreen::new(&order.options, trials.trial_count());
    let peer = place.as_ref().and_then(|p| p.peer.as_ref());
    let name = peer.map_or(&to.host, |(name, ..)| name);
    let reached = PeerSession::open(&order, (&to, from), name, context.shown.as_ref())?;
    if let Some(note) =
        reached.agent_session().and_then(|s| resolve_host::name_resolution_note(&order.host, &to, s))
    {
        screen.print_message(note);
    }
    let renamed = peer.map(|(name, ..)| (to.to_string(), name.clone()));
    let check = order.check.as_ref().map(|requirements| {
        let from = order.from.as_ref().map(|from| format!(" --from {from}")).unwrap_or_default();
        CheckRequest { requirements, hosts: format!("{}{from}", order.host) }
    });
    // The trials of a check are not counted beforehand: an interrupt is never too late.
    let planned = check.as_ref().map(|_| usize::MAX);
    let mut measurement = Measurement::open(&context, &reached, words, screen, renamed)?.with_check(check);
    measurement.run_trial_sequence(&mut *trials);
    let (exit, trials) = measurement.finish(planned)?;
    if let Some(file) = &order.np_out
        && let Some(trial) = trials.first()
    {
        export::write_output_file(file, &export::trial_to_netpipe(trial)?)?;
    }
    Ok(exit)
}

fn hosts(
    order: &MeasureInvocation,
    context: &MeasurementContext<'_>,
) -> Result<(HostAddress, Option<HostAddress>), Failure> {
    let MeasurementContext { place, registry, .. } = context;
    let port = order.options.port;
    let to = match place.and_then(|p| p.peer.as_ref()) {
        Some((_, address, usual)) => HostAddress::new(address.clone(), port.unwrap_or(*usual)),
        None => resolve_host::resolve_host_address("HOST", &order.host, port, *place, registry)?,
    };
    let from = match (&order.from, place) {
        (None, _) | (Some(HostName::Lab(_)), Some(_)) => None,
        (Some(name), _) => Some(resolve_host::resolve_host_address("--from", name, None, *place, registry)?),
    };
    Ok((to, from))
}
