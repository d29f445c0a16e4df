//! The interface between an agent and the probes; tests replace it.

use crate::files::{self, SinkStore};
use goodput_model::Probe;
use goodput_model::ids::TrialToken;
use goodput_model::trial::TrialSpec;
use goodput_probe::{CancelFlag, DataListener, EndpointMeasurement, TrialObserver, TrialRegistration};
use std::net::SocketAddr;
use std::sync::Arc;

/// Measures one end of a trial. Blocks until it is over; every wait has a deadline.
pub trait Prober: Send + Sync {
    /// `None` when this end can only connect.
    fn data_port(&self) -> Option<u16>;

    /// Accepts data connections with this token from now on; the returned function runs the trial. `None`
    /// when this end can only connect.
    fn start_listening(&self, token: TrialToken) -> Option<RunListenerTrialFn>;

    fn connect_and_measure(
        &self,
        order: &TrialSpec,
        peer: SocketAddr,
        observer: &dyn TrialObserver,
        cancel: &CancelFlag,
    ) -> EndpointMeasurement;
}

pub type RunListenerTrialFn =
    Box<dyn FnOnce(&TrialSpec, &dyn TrialObserver, &CancelFlag) -> EndpointMeasurement + Send>;

/// The real prober: `goodput-probe` on an optional data port; `goodput-file` for file work.
#[derive(Default)]
pub struct SocketProber {
    data_listener: Option<DataListener>,
    sink_store: Arc<SinkStore>,
}

impl SocketProber {
    pub fn with_listener(data_listener: DataListener) -> SocketProber {
        SocketProber { data_listener: Some(data_listener), sink_store: Arc::default() }
    }

    pub fn without_listener() -> SocketProber {
        SocketProber::default()
    }
}

impl Prober for SocketProber {
    fn data_port(&self) -> Option<u16> {
        self.data_listener.as_ref().map(|data_listener| data_listener.local_addr().port())
    }

    fn start_listening(&self, token: TrialToken) -> Option<RunListenerTrialFn> {
        let expected: TrialRegistration = self.data_listener.as_ref()?.register_trial(token);
        let sink_store = self.sink_store.clone();
        Some(Box::new(move |order, observer, cancel| match &order.probe {
            Probe::File(settings) => {
                files::run_listening_endpoint(order, settings, expected, &sink_store, observer, cancel)
            }
            _ => goodput_probe::run_listening_end(order, expected, observer, cancel),
        }))
    }

    fn connect_and_measure(
        &self,
        order: &TrialSpec,
        peer: SocketAddr,
        observer: &dyn TrialObserver,
        cancel: &CancelFlag,
    ) -> EndpointMeasurement {
        match &order.probe {
            Probe::File(settings) => {
                // File servers are peers too.
                let permits =
                    |address| self.data_listener.as_ref().map_or(Ok(()), |known| known.check_peer(address));
                files::run_connecting_endpoint(order, settings, peer, &permits, observer, cancel)
            }
            _ => goodput_probe::run_connecting_end(order, peer, observer, cancel),
        }
    }
}
