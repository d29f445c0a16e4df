//! The sentence of a check and the next command. It never says what limits, unless that is the medium.

use crate::medium_limit::MEDIUM_REACHED_PERCENT;
use goodput_model::check::PathCheck;
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::{percent_arg, quantity_arg, time_arg};
use goodput_words::number_format::format_rate;

fn is_reached(percent: Option<f64>) -> bool {
    percent.is_some_and(|percent| percent >= MEDIUM_REACHED_PERCENT)
}

fn rate(bps: u64) -> MessageArg {
    quantity_arg(bps as f64, "bit/s", format_rate(bps))
}

pub(super) fn conclude(check: &PathCheck) -> Message {
    let (from, to) = (check.from.as_str(), check.to.as_str());
    let (send, receive) = (check.percent_of_limit_send, check.percent_of_limit_receive);
    let all = [
        tcp(from, to, check.tcp_send_bps, send),
        tcp(to, from, check.tcp_receive_bps, receive),
        check.udp_lossless_bps.map(|bps| message!(clause_check_udp { rate: rate(bps) })),
        round_trip(check),
    ];
    let figures: Vec<Message> = all.into_iter().flatten().collect();
    if figures.is_empty() {
        return message!(check_nothing { from, to });
    }
    match (is_reached(send), is_reached(receive)) {
        (true, true) => message!(check_medium_reached { figures }),
        (true, false) => message!(check_medium_reached_one { figures, from, to }),
        (false, true) => message!(check_medium_reached_one { figures, from: to, to: from }),
        (false, false) => message!(check_measured { figures }),
    }
}

fn tcp(from: &str, to: &str, bps: Option<u64>, percent: Option<f64>) -> Option<Message> {
    let rate = rate(bps?);
    Some(match percent {
        Some(percent) => {
            message!(clause_check_tcp_share { from, to, rate, percent: percent_arg(percent) })
        }
        None => message!(clause_check_tcp { from, to, rate }),
    })
}

fn round_trip(check: &PathCheck) -> Option<Message> {
    let time = |ns: u64| time_arg(ns as f64);
    let loaded = check.loaded_latency_send_p50_ns.max(check.loaded_latency_receive_p50_ns);
    match (check.idle_latency_p50_ns, loaded) {
        (Some(idle), Some(loaded)) => {
            Some(message!(clause_check_round_trip_loaded { idle: time(idle), loaded: time(loaded) }))
        }
        (Some(idle), None) => Some(message!(clause_check_round_trip { idle: time(idle) })),
        (None, _) => None,
    }
}

/// `hosts` are HOST and `--from HOST` as typed.
pub fn next_step(check: &PathCheck, hosts: &str) -> Message {
    if !check.has_values() {
        return message!(check_next_repeat { command: format!("goodput check {hosts}") });
    }
    let send = (check.percent_of_limit_send, check.tcp_send_bps, "");
    let receive = (check.percent_of_limit_receive, check.tcp_receive_bps, " --direction receive");
    let open = [send, receive].into_iter().filter(|(percent, ..)| !is_reached(*percent));
    match open.min_by_key(|(_, bps, _)| *bps) {
        Some((.., direction)) => {
            message!(check_next_why { command: format!("goodput why {hosts}{direction}") })
        }
        None => {
            let bound = typed_rate(check.tcp_send_bps.unwrap_or(0) / 10 * 9);
            let command = format!("goodput check {hosts} --require \"tcp_send_bps >= {bound}\"");
            message!(check_next_watch { command })
        }
    }
}

/// Rounded down, as an option takes it.
fn typed_rate(bps: u64) -> String {
    if bps >= 10_000_000 { format!("{}Mbit", bps / 1_000_000) } else { format!("{}kbit", bps / 1_000) }
}
