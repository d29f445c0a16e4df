//! The ends whose counts are in a load's result: the server, and clients that took part in the whole window.
//! Series `operations` of an end (`worker`, `count`): its transactions by worker. Without it the server's are
//! divided by the bytes for each client.

use super::super::find_series;
use goodput_model::Trial;
use goodput_model::load::{ExcludedClient, Load};
use goodput_model::probe::TransferDirection;
use goodput_model::trial::{EndpointReport, EndpointRole, Flow};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct LoadParticipants<'a> {
    settings: &'a Load,
    pub server: &'a EndpointReport,
    pub clients: Vec<(u16, &'a EndpointReport)>,
    pub excluded: Vec<ExcludedClient>,
    numbers: BTreeSet<u16>,
}

impl<'a> LoadParticipants<'a> {
    /// `None` without the server's report. A client without a complete report is excluded: partial counts are
    /// never added to complete ones.
    pub fn from_trial(trial: &'a Trial, settings: &'a Load) -> Option<LoadParticipants<'a>> {
        let server = trial.endpoint_report(EndpointRole::Listen)?;
        let reports = reports(trial, settings);
        let busy: BTreeSet<u16> = settings.workers.iter().map(|w| w.client).collect();
        let (mut clients, mut excluded) = (Vec::new(), trial.excluded.clone());
        let named: BTreeSet<&str> = trial.excluded.iter().map(|e| e.host.as_str()).collect();
        for number in busy {
            let name = settings.clients.get(usize::from(number)).map_or("", String::as_str);
            if named.contains(name) {
                continue;
            }
            let cause = match reports.get(&number) {
                // An incomplete server ends the window for all: then all reports are parts of the same one.
                Some(end) if end.complete || !server.complete => {
                    clients.push((number, *end));
                    continue;
                }
                Some(_) => "the client stopped before the window ended",
                None => "the client has sent no report",
            };
            excluded.push(ExcludedClient { host: name.to_string(), cause: cause.into(), midway: true });
        }
        let numbers = clients.iter().map(|(number, _)| *number).collect();
        Some(LoadParticipants { settings, server, clients, excluded, numbers })
    }

    pub fn is_server(&self, end: &EndpointReport) -> bool {
        std::ptr::eq(self.server, end)
    }

    pub fn has_worker(&self, worker: i64) -> bool {
        let worker = u16::try_from(worker).ok();
        worker.and_then(|w| self.settings.client_of_connection(w)).is_some_and(|c| self.numbers.contains(&c))
    }

    pub fn worker_count(&self) -> u16 {
        let theirs = self.settings.workers.iter().filter(|w| self.numbers.contains(&w.client)).count();
        u16::try_from(theirs).unwrap_or(u16::MAX)
    }

    pub fn receiving_flows(&self) -> impl Iterator<Item = (&'a EndpointReport, &'a Flow)> {
        let of_client = |&(_, end): &(u16, &'a EndpointReport)| {
            end.flows.iter().filter(|f| transmits(f)).map(move |f| (end, f))
        };
        let at_clients = self.clients.iter().flat_map(of_client);
        let server = self.server;
        at_clients.chain(self.server_flows().filter(|f| is_received(f)).map(move |f| (server, f)))
    }

    pub fn server_flows(&self) -> impl Iterator<Item = &'a Flow> {
        self.server.flows.iter().filter(move |f| self.has_worker(i64::from(f.index)))
    }

    pub fn transmitted_bytes(&self) -> u64 {
        self.clients.iter().map(|(_, end)| self.bytes_transmitted_to(end)).fold(0, u64::saturating_add)
    }

    pub fn bytes_transmitted_to(&self, end: &EndpointReport) -> u64 {
        sum(end.flows.iter().filter(|f| transmits(f)).map(|f| f.window_bytes))
    }

    pub fn received_bytes(&self) -> u64 {
        sum(self.server_flows().filter(|f| is_received(f)).map(|f| f.window_bytes))
    }

    pub fn bytes_received_from(&self, client: u16) -> u64 {
        let theirs =
            self.server_flows().filter(|f| self.settings.client_of_connection(f.index) == Some(client));
        sum(theirs.filter(|f| is_received(f)).map(|f| f.window_bytes))
    }

    pub fn transaction_count(&self) -> f64 {
        if self.excluded.is_empty() {
            let ends = self.clients.iter().map(|(_, end)| end.operations);
            return ends.fold(self.server.operations, u64::saturating_add) as f64;
        }
        self.clients.iter().map(|(client, end)| self.client_transactions(*client, end)).sum()
    }

    /// What the client counted, and what the server counted of it.
    pub fn client_transactions(&self, client: u16, end: &EndpointReport) -> f64 {
        end.operations as f64 + self.served_transactions(client)
    }

    fn served_transactions(&self, client: u16) -> f64 {
        let theirs = |worker: u16| self.settings.client_of_connection(worker) == Some(client);
        let counted = find_series(self.server, "operations");
        if let Some((workers, counts)) = counted.and_then(|s| s.column("worker").zip(s.column("count"))) {
            let own = workers.iter().zip(counts).filter(|(w, _)| u16::try_from(**w).is_ok_and(theirs));
            return own.map(|(_, n)| (*n).max(0) as f64).sum();
        }
        let moved = |f: &Flow| f.window_bytes as f64;
        let all: f64 = self.server.flows.iter().map(moved).sum();
        let own: f64 = self.server.flows.iter().filter(|f| theirs(f.index)).map(moved).sum();
        if all > 0.0 { self.server.operations as f64 * (own / all) } else { 0.0 }
    }

    pub fn clients_have_same_request_mixes(&self) -> bool {
        let work = |client: u16| {
            let mut mixes: Vec<u16> =
                self.settings.workers.iter().filter(|w| w.client == client).map(|w| w.mix).collect();
            mixes.sort_unstable();
            mixes
        };
        let Some((first, _)) = self.clients.first() else { return false };
        let first = work(*first);
        self.clients.iter().all(|(client, _)| work(*client) == first)
    }
}

/// By the client's name, or where none has it by the client's first worker.
fn reports<'a>(trial: &'a Trial, settings: &Load) -> BTreeMap<u16, &'a EndpointReport> {
    let numbers: BTreeMap<&str, u16> = settings.clients.iter().map(String::as_str).zip(0..).collect();
    let number = |end: &EndpointReport| {
        let by_name = numbers.get(end.host.as_str()).copied();
        by_name.or_else(|| settings.client_of_connection(end.flows.first()?.index))
    };
    let ends = trial.ends.iter().filter(|end| end.role == EndpointRole::Connect);
    ends.filter_map(|end| Some((number(end)?, end))).collect()
}

/// Seen from the connecting end a client's `receive`.
fn transmits(flow: &Flow) -> bool {
    flow.receives && flow.direction == TransferDirection::Receive
}

fn is_received(flow: &Flow) -> bool {
    flow.receives && flow.direction == TransferDirection::Send
}

fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}
