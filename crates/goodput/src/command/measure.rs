//! `goodput pingpong|stream|request|datagram|mtu|latency`: one run of one probe between two hosts.

use super::measurement::{Context, Measurement};
use super::peer_session::Reached;
use super::sequence;
use super::{export, resolve_host};
use crate::args::host_name::HostName;
use crate::args::measure_options::Measure;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::lab_exec;
use crate::screen::Screen;
use goodput_control::HostAddress;

pub fn run(order: Measure, words: Vec<String>) -> Result<Exit, Failure> {
    let place = lab_exec::place();
    let context = Context::new(&order.options, place.as_ref())?;
    let (to, from) = hosts(&order, &context)?;
    let mut trials = sequence::of(&order);
    let mut screen = Screen::new(&order.options, trials.length());
    let peer = place.as_ref().and_then(|p| p.peer.as_ref());
    let name = peer.map_or(&to.host, |(name, ..)| name);
    let reached = Reached::open(&order, (&to, from), name, context.shown.as_ref())?;
    if let Some(note) = reached.session().and_then(|s| resolve_host::note(&order.host, &to, s)) {
        screen.say(&note);
    }
    let renamed = peer.map(|(name, ..)| (to.to_string(), name.clone()));
    let mut measurement = Measurement::open(&context, &reached, words, screen, renamed)?;
    measurement.make(&mut *trials);
    let (exit, trials) = measurement.conclude(None)?;
    if let Some(file) = &order.np_out
        && let Some(trial) = trials.first()
    {
        export::write(file, &export::np_out(trial)?)?;
    }
    Ok(exit)
}

fn hosts(order: &Measure, context: &Context<'_>) -> Result<(HostAddress, Option<HostAddress>), Failure> {
    let Context { place, registry, .. } = context;
    let port = order.options.port;
    let to = match place.and_then(|p| p.peer.as_ref()) {
        Some((_, address, usual)) => HostAddress::new(address.clone(), port.unwrap_or(*usual)),
        None => resolve_host::host("HOST", &order.host, port, registry)?,
    };
    let from = match (&order.from, place) {
        (None, _) | (Some(HostName::Lab(_)), Some(_)) => None,
        (Some(name), _) => Some(resolve_host::host("--from", name, None, registry)?),
    };
    Ok((to, from))
}
