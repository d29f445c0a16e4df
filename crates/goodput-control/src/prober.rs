//! What an agent needs from whoever moves the bytes; a test puts something else in its place.

use crate::files::{self, SinkStore};
use goodput_model::Probe;
use goodput_model::id::Token;
use goodput_model::trial::Order;
use goodput_probe::{Cancel, DataListener, Expected, Measured, Observer};
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

/// A listening end whose data_listener is open.
pub type Listening = Box<dyn FnOnce(&Order, &dyn Observer, &Cancel) -> Measured + Send>;

/// The real thing: `goodput-probe` behind an open data port, or without one; work on files by `goodput-file`.
#[derive(Default)]
pub struct Sockets {
    data_listener: Option<DataListener>,
    sink_store: Arc<SinkStore>,
}

impl Sockets {
    pub fn behind(data_listener: DataListener) -> Sockets {
        Sockets { data_listener: Some(data_listener), sink_store: Arc::default() }
    }

    pub fn connecting() -> Sockets {
        Sockets::default()
    }
}

impl Prober for Sockets {
    fn data_port(&self) -> Option<u16> {
        self.data_listener.as_ref().map(|data_listener| data_listener.local_addr().port())
    }

    fn expect(&self, token: Token) -> Option<Listening> {
        let expected: Expected = self.data_listener.as_ref()?.expect(token);
        let sink_store = self.sink_store.clone();
        Some(Box::new(move |order, observer, cancel| match &order.probe {
            Probe::File(settings) => files::listen(order, settings, expected, &sink_store, observer, cancel),
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
