//! Rejects invalid load settings, with the line of the mix.

use crate::ProbeError;
use goodput_model::load::{Load, MAX_REQUEST_SIZE, MAX_WORKERS, RequestMix, RequestMixLine};

const LARGEST: u64 = MAX_REQUEST_SIZE.0;
const MAX_LINES: usize = 100;
/// Maximum requests in flight on one connection.
const MAX_OUTSTANDING: u32 = 65_536;

pub(super) fn validate_settings(settings: &Load) -> Result<(), ProbeError> {
    let fail = |why: String| Err(ProbeError::Settings(why));
    let (clients, workers) = (settings.clients.len(), settings.workers.len());
    if workers == 0 || workers > MAX_WORKERS {
        return fail(format!("a load has 1 to {MAX_WORKERS} workers, this one {workers}"));
    }
    if clients > usize::from(u16::MAX) {
        return fail(format!("{clients} clients are too many"));
    }
    for (worker, number) in settings.workers.iter().zip(0u32..) {
        if usize::from(worker.client) >= clients {
            return fail(format!(
                "worker {number} belongs to client {} of {clients}, counted from 0",
                worker.client
            ));
        }
        let Some(mix) = settings.mixes.get(usize::from(worker.mix)) else {
            let mixes = settings.mixes.len();
            return fail(format!("worker {number} has mix {} of {mixes}, counted from 0", worker.mix));
        };
        check_mix(mix)?;
        if mix.both_ways && settings.transactions_per_connection.is_some() {
            return fail(format!(
                "mix {:?} goes both ways at once: there are no transactions after which to open a new connection",
                mix.name
            ));
        }
    }
    if settings.outstanding == 0 || settings.outstanding > MAX_OUTSTANDING {
        return fail(format!("requests in flight must be from 1 to {MAX_OUTSTANDING}"));
    }
    if settings.time.0 == 0 || settings.interval.0 == 0 {
        return fail("the window and its intervals must be longer than nothing".into());
    }
    Ok(())
}

fn check_mix(mix: &RequestMix) -> Result<(), ProbeError> {
    let fail = |why: String| Err(ProbeError::Settings(format!("mix {:?}: {why}", mix.name)));
    if mix.lines.is_empty() || mix.lines.len() > MAX_LINES {
        return fail(format!("{} lines, 1 to {MAX_LINES} are possible", mix.lines.len()));
    }
    let shares: u32 = mix.lines.iter().map(|l| u32::from(l.share_percent)).sum();
    if shares != 100 {
        return fail(format!("the shares of its lines add up to {shares} %, not to 100 %"));
    }
    for (line, number) in mix.lines.iter().zip(1..) {
        if let Some(why) = wrong(line) {
            return fail(format!("line {number}: {why}"));
        }
    }
    Ok(())
}

fn wrong(line: &RequestMixLine) -> Option<String> {
    let RequestMixLine { size, reply, reads_percent, burst, .. } = line;
    if size.0 == 0 || size.0 > LARGEST {
        return Some(format!("a request of {} B is not possible here: 1 B to {LARGEST} B", size.0));
    }
    if reply.0 > LARGEST {
        return Some(format!("a reply of {} B is not possible here: at most {LARGEST} B", reply.0));
    }
    if *reads_percent > 100 {
        return Some(format!("{reads_percent} % reads are more than all"));
    }
    (*burst == 0).then(|| "a burst has 1 transaction or more".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::load::LoadWorker;
    use goodput_model::{Bytes, Nanos};

    fn good() -> Load {
        Load {
            clients: vec!["a".into()],
            mixes: vec![RequestMix::transmit_only(Bytes(64))],
            workers: vec![LoadWorker { client: 0, mix: 0 }],
            ..Load::default()
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(validate_settings(&good()).is_ok());
        type Change = fn(&mut Load);
        let cases: [(Change, &str); 13] = [
            (|l| l.workers.clear(), "1 to 4096 workers"),
            (|l| l.workers[0].client = 1, "client 1 of 1"),
            (|l| l.workers[0].mix = 3, "mix 3 of 1"),
            (|l| l.mixes[0].lines.clear(), "0 lines"),
            (|l| l.mixes[0].lines[0].share_percent = 99, "add up to 99 %"),
            (|l| l.mixes[0].lines[0].size = Bytes(0), "line 1: a request of 0 B"),
            (|l| l.mixes[0].lines[0].size = Bytes(1 << 30), "line 1: a request of 1073741824 B"),
            (|l| l.mixes[0].lines[0].reply = Bytes(1 << 30), "line 1: a reply of"),
            (|l| l.mixes[0].lines[0].reads_percent = 101, "101 % reads"),
            (|l| l.mixes[0].lines[0].burst = 0, "a burst"),
            (|l| l.outstanding = 0, "in flight"),
            (|l| l.time = Nanos(0), "longer than nothing"),
            (|l| (l.transactions_per_connection, l.mixes[0].both_ways) = (Some(1), true), "both ways"),
        ];
        for (change, expected) in cases {
            let mut settings = good();
            change(&mut settings);
            let said = validate_settings(&settings).unwrap_err().to_string();
            assert!(said.contains(expected), "{said:?} lacks {expected:?}");
        }
    }
}
