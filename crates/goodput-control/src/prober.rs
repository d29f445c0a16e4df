//! What an agent needs from whoever moves the bytes; a test puts something else in its place.

use crate::files::{self, Shelf};
use goodput_model::Probe;
use goodput_model::id::Token;
use goodput_model::trial::Order;
use goodput_probe::{Cancel, Door, Expected, Measured, Observer};
use std::net::SocketAddr;
use std::sync::Arc;

/// Measures one end of a trial. Blocks until it is over; every wait inside has a deadline.
pub trait Prober: Send + Sync {
    /// The port where data connections are taken; `None` when this end can only connect.
    fn data_port(&self) -> Option<u16>;

    /// From now on accepts data connections that show this token; the rest runs when it is called.
    /// `None` when this end can only connect.
    fn expect(&self, token: Token) -> Option<Listening>;

    /// Runs the connecting end against a data port.
    fn connect(&self, order: &Order, peer: SocketAddr, observer: &dyn Observer, cancel: &Cancel) -> Measured;
}

/// A listening end whose door is open.
pub type Listening = Box<dyn FnOnce(&Order, &dyn Observer, &Cancel) -> Measured + Send>;

/// The real thing: `goodput-probe` behind an open data port, or without one; work on files by `goodput-file`.
#[derive(Default)]
pub struct Sockets {
    door: Option<Door>,
    shelf: Arc<Shelf>,
}

impl Sockets {
    /// Takes data connections at this door.
    pub fn behind(door: Door) -> Sockets {
        Sockets { door: Some(door), shelf: Arc::default() }
    }

    /// Only connects.
    pub fn connecting() -> Sockets {
        Sockets::default()
    }
}

impl Prober for Sockets {
    fn data_port(&self) -> Option<u16> {
        self.door.as_ref().map(|door| door.local_addr().port())
    }

    fn expect(&self, token: Token) -> Option<Listening> {
        let expected: Expected = self.door.as_ref()?.expect(token);
        let shelf = self.shelf.clone();
        Some(Box::new(move |order, observer, cancel| match &order.probe {
            Probe::File(settings) => files::listen(order, settings, expected, &shelf, observer, cancel),
            _ => goodput_probe::listen(order, expected, observer, cancel),
        }))
    }

    fn connect(&self, order: &Order, peer: SocketAddr, observer: &dyn Observer, cancel: &Cancel) -> Measured {
        match &order.probe {
            Probe::File(settings) => files::connect(order, settings, peer, observer, cancel),
            _ => goodput_probe::connect(order, peer, observer, cancel),
        }
    }
}
