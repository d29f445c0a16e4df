//! Rejects invalid load settings, with the line of the mix.

use crate::ProbeError;
use goodput_model::load::{Load, MAX_REQUEST_SIZE, MAX_WORKERS, RequestMix, RequestMixLine};
use goodput_words::{Message, message};

const LARGEST: u64 = MAX_REQUEST_SIZE.0;
const MAX_LINES: usize = 100;
/// Maximum requests in flight on one connection.
const MAX_OUTSTANDING: u32 = 65_536;

pub(super) fn validate_settings(settings: &Load) -> Result<(), ProbeError> {
    let fail = |why: Message| Err(ProbeError::Settings(why));
    let (clients, workers) = (settings.clients.len(), settings.workers.len());
    if workers == 0 || workers > MAX_WORKERS {
        let (most, count) = (MAX_WORKERS.to_string(), workers.to_string());
        return fail(message!(error_probe_load_workers { most, count }));
    }
    if clients > usize::from(u16::MAX) {
        return fail(message!(error_probe_load_too_many_clients { count: clients.to_string() }));
    }
    for (worker, number) in settings.workers.iter().zip(0u32..) {
        if usize::from(worker.client) >= clients {
            let [worker, client, clients] =
                [number.to_string(), worker.client.to_string(), clients.to_string()];
            return fail(message!(error_probe_load_worker_client { worker, client, clients }));
        }
        let Some(mix) = settings.mixes.get(usize::from(worker.mix)) else {
            let (mix, mixes) = (worker.mix.to_string(), settings.mixes.len().to_string());
            return fail(message!(error_probe_load_worker_mix { worker: number.to_string(), mix, mixes }));
        };
        check_mix(mix)?;
        if mix.both_ways && settings.transactions_per_connection.is_some() {
            return fail(message!(error_probe_load_mix_both_ways { mix: format!("{:?}", mix.name) }));
        }
    }
    if settings.outstanding == 0 || settings.outstanding > MAX_OUTSTANDING {
        return fail(message!(error_probe_load_requests_in_flight { most: MAX_OUTSTANDING.to_string() }));
    }
    if settings.time.0 == 0 || settings.interval.0 == 0 {
        return fail("the window and its intervals must be longer than nothing".into());
    }
    Ok(())
}

fn check_mix(mix: &RequestMix) -> Result<(), ProbeError> {
    let fail = |why: Message| {
        let mix = format!("{:?}", mix.name);
        Err(ProbeError::Settings(message!(error_probe_load_mix { mix, why })))
    };
    if mix.lines.is_empty() || mix.lines.len() > MAX_LINES {
        let (count, most) = (mix.lines.len().to_string(), MAX_LINES.to_string());
        return fail(message!(error_probe_load_mix_lines { count, most }));
    }
    let shares: u32 = mix.lines.iter().map(|l| u32::from(l.share_percent)).sum();
    if shares != 100 {
        return fail(message!(error_probe_load_mix_shares { percent: shares.to_string() }));
    }
    for (line, number) in mix.lines.iter().zip(1..) {
        if let Some(why) = wrong(line) {
            return fail(message!(error_line_why { line: number.to_string(), why }));
        }
    }
    Ok(())
}

fn wrong(line: &RequestMixLine) -> Option<Message> {
    let RequestMixLine { size, reply, reads_percent, burst, .. } = line;
    if size.0 == 0 || size.0 > LARGEST {
        let (size, most) = (size.0.to_string(), LARGEST.to_string());
        return Some(message!(error_probe_request_size { what: "request", size, most }));
    }
    if reply.0 > LARGEST {
        let (size, most) = (reply.0.to_string(), LARGEST.to_string());
        return Some(message!(error_probe_load_reply_size { size, most }));
    }
    if *reads_percent > 100 {
        return Some(message!(error_probe_load_reads { percent: reads_percent.to_string() }));
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
