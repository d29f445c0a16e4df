//! Converts points of the `load` probe to a plan for IOmeter. Each client has as many workers on the server's
//! manager as it uses in any point, each with one access specification for each point, Idle where it is
//! unused. So the test type is NORMAL for any sequence of points.

use super::csv::used_request_mixes;
use super::errors::IcfWriteError;
use super::plan::{
    AccessSpec, AccessSpecDefaultAssignment, AccessSpecLine, IometerManager, IometerPlan, IometerWorker,
    WorkerLoad, WorkerTarget,
};
use goodput_model::load::{Load, RequestMix, RequestMixLine};
use goodput_model::units::Nanos;
use goodput_words::message;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerHost {
    /// As in `Load::clients`.
    pub host: String,
    pub name: String,
    /// On the tested network; IOmeter supports IPv4 only.
    pub address: String,
}

impl IometerPlan {
    /// The plan of these points, in their order. [`IometerPlan::stages`] restores the same points if workers
    /// are in the order of clients, mixes in the order of their first worker, and all mixes and clients are
    /// in use. Fails for what IOmeter does not have: both ways on one connection, several outstanding
    /// requests, pauses below 1 ms, different or fractional windows, clients without a `Host`.
    pub fn from_load_points(
        description: &str,
        server: &IometerHost,
        clients: &[IometerHost],
        loads: &[Load],
    ) -> Result<IometerPlan, IcfWriteError> {
        let Some(first) = loads.first() else {
            return Err(IcfWriteError::new("a load", "without points", "there is nothing to do"));
        };
        let mut specs: Vec<AccessSpec> = Vec::new();
        for mix in loads.iter().flat_map(used_request_mixes) {
            add_spec(&mut specs, mix)?;
        }
        let slots = slots(clients, loads)?;
        let mut workers = Vec::new();
        for (c, client) in clients.iter().enumerate() {
            let count = slots.iter().filter(|s| s.client == c).map(|s| s.number + 1).max().unwrap_or(0);
            for number in 0..count {
                let name = format!("to {}", client.name);
                workers.push(IometerWorker {
                    name: if number == 0 { name } else { format!("{name} ({})", number + 1) },
                    work: WorkerLoad::Network {
                        local_interface: server.address.clone(),
                        target: Some(WorkerTarget { address: client.address.clone(), manager: c + 1 }),
                    },
                    outstanding: 1,
                    test_connection_rate: first.transactions_per_connection.is_some(),
                    transactions_per_connection: first.transactions_per_connection.unwrap_or(1),
                    fixed_seed: None,
                    specs: (0..loads.len())
                        .map(|point| {
                            let slot =
                                slots.iter().find(|s| (s.point, s.client, s.number) == (point, c, number));
                            slot.and_then(|s| specs.iter().position(|spec| spec.name == s.mix))
                        })
                        .collect(),
                });
            }
        }
        let manager = |id: usize, host: &IometerHost, workers| IometerManager {
            id: id as u32 + 1,
            name: host.name.clone(),
            address: host.address.clone(),
            workers,
        };
        let mut managers = vec![manager(0, server, workers)];
        managers.extend(clients.iter().enumerate().map(|(c, client)| manager(c + 1, client, Vec::new())));
        Ok(IometerPlan {
            description: description.to_string(),
            run_time: common("the window", loads, |l| l.time)?,
            ramp_up: common("the warm-up", loads, |l| l.warm_up)?,
            specs,
            managers,
            ..IometerPlan::default()
        })
    }
}

struct Slot<'a> {
    point: usize,
    client: usize,
    number: usize,
    mix: &'a str,
}

fn slots<'a>(clients: &[IometerHost], loads: &'a [Load]) -> Result<Vec<Slot<'a>>, IcfWriteError> {
    let rate = |l: &Load| l.transactions_per_connection;
    let mut slots: Vec<Slot<'a>> = Vec::new();
    for (point, load) in loads.iter().enumerate() {
        if rate(load) != loads.first().and_then(rate) {
            let why = "a worker of IOmeter keeps its setting in all runs; write a file for each";
            return Err(IcfWriteError::new("transactions per connection", "that differ", why));
        }
        for worker in &load.workers {
            let host = load.clients.get(usize::from(worker.client));
            let mix = load.mixes.get(usize::from(worker.mix));
            let (Some(host), Some(mix)) = (host, mix) else {
                return Err(IcfWriteError::new(
                    "a worker",
                    worker.client,
                    "its client or its mix is not in the load",
                ));
            };
            let client = clients.iter().position(|c| c.host == *host);
            let client = client.ok_or_else(|| {
                IcfWriteError::new("the client", host, "its name and address for IOmeter are not given")
            })?;
            check(load, mix)?;
            let number = slots.iter().filter(|s| s.point == point && s.client == client).count();
            slots.push(Slot { point, client, number, mix: &mix.name });
        }
    }
    Ok(slots)
}

fn check(load: &Load, mix: &RequestMix) -> Result<(), IcfWriteError> {
    if mix.both_ways {
        let why =
            "IOmeter's connections carry requests one way at a time; give each client two workers instead";
        return Err(IcfWriteError::new("the mix", &mix.name, why));
    }
    if load.outstanding != 1 && mix.lines.iter().any(|l| l.reply.0 > 0) {
        let why = "a network worker of IOmeter has one outstanding request; choose 1";
        return Err(IcfWriteError::new("outstanding requests", load.outstanding, why));
    }
    Ok(())
}

fn add_spec(specs: &mut Vec<AccessSpec>, mix: &RequestMix) -> Result<(), IcfWriteError> {
    let lines = mix.lines.iter().map(|l| line(&mix.name, l)).collect::<Result<Vec<_>, _>>()?;
    match specs.iter().find(|s| s.name.eq_ignore_ascii_case(&mix.name)) {
        None => specs.push(AccessSpec {
            name: mix.name.clone(),
            assignment: AccessSpecDefaultAssignment::None,
            lines,
        }),
        Some(known) if known.lines == lines && known.name == mix.name => {}
        Some(_) => {
            let why = "another mix of the plan has this name, and IOmeter knows them by name only";
            return Err(IcfWriteError::new("the mix", &mix.name, why));
        }
    }
    Ok(())
}

fn line(mix: &str, line: &RequestMixLine) -> Result<AccessSpecLine, IcfWriteError> {
    let size = |bytes: u64| {
        let why = message!(cause_icf_beyond_32_bits { bytes: bytes.to_string() });
        u32::try_from(bytes).map_err(|_| IcfWriteError::new("the mix", mix, why))
    };
    let delay_ms =
        u32::try_from(line.delay.0 / 1_000_000).ok().filter(|_| line.delay.0.is_multiple_of(1_000_000));
    let why = message!(cause_icf_pause { time: line.delay.0.to_string() });
    Ok(AccessSpecLine {
        size: size(line.size.0)?,
        share_percent: line.share_percent,
        reads_percent: line.reads_percent,
        random_percent: 0,
        delay_ms: delay_ms.ok_or_else(|| IcfWriteError::new("the mix", mix, why))?,
        burst: line.burst,
        align: 0,
        reply: size(line.reply.0)?,
    })
}

fn common(what: &'static str, loads: &[Load], of: impl Fn(&Load) -> Nanos) -> Result<Nanos, IcfWriteError> {
    let time = loads.first().map_or(Nanos(0), &of);
    match loads.iter().map(&of).find(|t| *t != time) {
        None => Ok(time),
        Some(other) => {
            let value = format!("{} ns and {} ns", time.0, other.0);
            Err(IcfWriteError::new(what, value, "all runs of an .icf have the same; write a file for each"))
        }
    }
}
