//! Isochronous UDP probes, alone or beside TCP load. Uses the loops of [`crate::stream`] and the responder of
//! [`crate::request`]. See `docs/methods/latency.md`.

mod schedule;
mod send;

use crate::confirmation::{self, await_first_datagram};
use crate::data_listener::{Expected, open_udp, take_udp};
use crate::link::{CONTROL, Dial, Link, control_options};
use crate::request::responder::Respond;
use crate::stream::{self, ExtraThread};
use crate::time::now_ns;
use crate::watch::{Counter, Shared};
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::latency::Latency;
use goodput_model::trial::{EndRole, MeasurementWindow, TrialSpec};
use schedule::Schedule;
use socket2::SockRef;
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};

const MAX_PROBES: u64 = 10_000_000;

struct Opened {
    talk: Link,
    udp: UdpSocket,
    links: Vec<Link>,
    window: MeasurementWindow,
}

pub(crate) fn connect(
    order: &TrialSpec,
    settings: &Latency,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let opened = check(settings).and_then(|()| {
        let control = control_options();
        let mut talk = Dial { peer, order, socket: &control }.open(CONTROL)?;
        // Before the load's connections, so that they arrive in this order.
        let udp = open_udp(peer, order.token, 0, order.deadlines.connect.to_duration())?;
        let dial = Dial { peer, order, socket: &settings.socket };
        let links =
            (0..connections(settings)).map(|i| dial.open_unanswered(i)).collect::<Result<Vec<_>, _>>()?;
        let window = talk.agree(settings.warm_up, Some(settings.time))?;
        Ok(Opened { talk, udp, links, window })
    });
    let Opened { talk, udp, links, window } = match opened {
        Ok(opened) => opened,
        Err(e) => return Measured::broken(e),
    };
    let waits = Waits::of(&talk, &udp);
    let schedule = Schedule::new(&window, settings.warm_up.0, settings.interval.0);
    let work = move |counter: &Counter, shared: &Shared| {
        let mut talk = talk;
        send::run(settings, schedule, &mut talk, &udp, counter, shared, cancel)
    };
    let extra = ExtraThread { work: Box::new(work), unblock: Box::new(move || waits.end()) };
    let (mut measured, sent) = run(order, settings, EndRole::Connect, links, window, extra, observer, cancel);
    if let Some(sent) = sent {
        measured.operations = sent.answered;
        measured.notes.extend(sent.notes);
        measured.series.push(sent.series);
    }
    measured
}

pub(crate) fn listen(
    order: &TrialSpec,
    settings: &Latency,
    expected: Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let opened = check(settings).and_then(|()| {
        let mut talk = Link::take(&expected, order, &control_options())?;
        let udp = take_udp(&expected, order)?;
        // The confirmation may be lost, and then the load's connections are not yet opened.
        let again = || confirmation::again(&udp, &order.token);
        let mut links = (0..connections(settings))
            .map(|_| Link::take_meanwhile(&expected, order, &settings.socket, again))
            .collect::<Result<Vec<_>, _>>()?;
        links.sort_by_key(|l| l.index);
        if talk.index != CONTROL || links.iter().enumerate().any(|(i, l)| usize::from(l.index) != i) {
            return Err(talk.out_of_order());
        }
        let until = now_ns().saturating_add(order.deadlines.progress.0);
        await_first_datagram(&talk.stream, &udp, &order.token, until)
            .map_err(|source| ProbeError::System { what: "the trial's UDP socket".into(), source })?;
        let window = talk.follow()?;
        Ok(Opened { talk, udp, links, window })
    });
    let Opened { talk, udp, links, window } = match opened {
        Ok(opened) => opened,
        Err(e) => return Measured::broken(e),
    };
    let waits = Waits::of(&talk, &udp);
    let requests = settings.probe_requests();
    let work = |counter: &Counter, _: &Shared| {
        let mut talk = talk;
        let respond = Respond { settings: &requests, order, fresh: None };
        ((), respond.run(&mut talk, Some(&udp), counter).err())
    };
    let extra = ExtraThread { work: Box::new(work), unblock: Box::new(move || waits.end()) };
    run(order, settings, EndRole::Listen, links, window, extra, observer, cancel).0
}

fn connections(settings: &Latency) -> u16 {
    settings.load.map_or(0, |d| settings.connections * d.single_directions().len() as u16)
}

fn check(settings: &Latency) -> Result<(), ProbeError> {
    let fail = |why: String| Err(ProbeError::Settings(why));
    let size = settings.size.0;
    if !(Latency::MIN_PROBE_BYTES..=MAX_PAYLOAD_IPV4).contains(&size) {
        return fail(format!(
            "a probe of {size} B is not possible here: {} B to {MAX_PAYLOAD_IPV4} B",
            Latency::MIN_PROBE_BYTES
        ));
    }
    if settings.interval.0 == 0 || settings.time.0 == 0 {
        return fail("the interval of the probes and the window must be longer than nothing".into());
    }
    if settings.warm_up.0.saturating_add(settings.time.0) / settings.interval.0 > MAX_PROBES {
        return fail(format!("more than {MAX_PROBES} probes in one trial"));
    }
    match settings.background_stream() {
        Some(load) => stream::check(&load),
        None => Ok(()),
    }
}

/// Runs the load with this end's probe thread. Without load, the stream has no connections.
#[allow(clippy::too_many_arguments)]
fn run<T: Send>(
    order: &TrialSpec,
    settings: &Latency,
    role: EndRole,
    links: Vec<Link>,
    window: MeasurementWindow,
    extra: ExtraThread<'_, T>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> (Measured, Option<T>) {
    let load = settings.background_stream().unwrap_or_default();
    stream::run_with_extra_thread(order, &load, role, links, window, Some(extra), observer, cancel)
}

/// Duplicated sockets, to end this thread's waits from outside.
struct Waits(Option<TcpStream>, Option<UdpSocket>);

impl Waits {
    fn of(talk: &Link, udp: &UdpSocket) -> Waits {
        Waits(talk.stream.try_clone().ok(), udp.try_clone().ok())
    }

    fn end(&self) {
        let _ = self.0.as_ref().map(|s| s.shutdown(Shutdown::Both));
        let _ = self.1.as_ref().map(|s| SockRef::from(s).shutdown(Shutdown::Both));
    }
}
