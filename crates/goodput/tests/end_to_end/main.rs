//! The real program, end to end: on loopback and in network namespaces. One binary, one file a story.
//!
//! What cannot run on a machine is listed as ignored, with its reason in its name. Trials measure, so stories
//! run one after the other unless `--test-threads` says otherwise. `GOODPUT_PROVE=1` makes the live proofs long.

mod stage;

mod arguments;
mod interrupted;
mod lab_down;
mod lab_rate;
mod loopback_only;
mod netpipe;
mod peer_killed;
mod queue;
mod recorded;
mod stall;
mod stop_by_bytes;
mod third_host;
mod totals;
mod unreachable;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

/// What a story needs beyond loopback.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    /// Network namespaces, veth and tbf.
    Lab,
}

/// What a story returns.
pub type Told = Result<(), Failed>;

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    if args.test_threads.is_none() {
        args.test_threads = Some(1);
    }
    let lab = stage::why_no_lab();
    let mut skipped = 0;
    let mut stories = Vec::new();
    for (name, needs, story) in STORIES {
        let reason = match needs {
            Needs::Nothing => None,
            Needs::Lab => lab.as_deref(),
        };
        stories.push(match reason {
            None => Trial::test(*name, *story),
            Some(reason) => {
                skipped += 1;
                Trial::test(format!("{name} (skipped: {reason})"), *story).with_ignored_flag(true)
            }
        });
    }
    let conclusion = libtest_mimic::run(&args, stories);
    if skipped > 0 && !args.list {
        println!("{skipped} stories skipped, reasons beside their names");
    }
    conclusion.exit_code()
}

type Story = (&'static str, Needs, fn() -> Told);

const STORIES: &[Story] = &[
    ("arguments: refusals are exit code 2 and valid JSON", Needs::Nothing, arguments::refusals),
    ("arguments: bytes that are no text", Needs::Nothing, arguments::not_text),
    ("agent: without a key on loopback only", Needs::Nothing, loopback_only::without_a_key),
    ("stream: stop by bytes is exact", Needs::Nothing, stop_by_bytes::exact),
    ("stream: totals add up with the kernel's account", Needs::Nothing, totals::add_up),
    ("unreachable: port closed", Needs::Nothing, unreachable::port_closed),
    ("unreachable: name that nobody knows", Needs::Nothing, unreachable::unknown_name),
    ("unreachable: accepts and says nothing", Needs::Nothing, unreachable::silent),
    ("unreachable: another protocol", Needs::Nothing, unreachable::another_protocol),
    ("unreachable: wrong key", Needs::Nothing, unreachable::wrong_key),
    ("peer killed in the middle of a trial", Needs::Nothing, peer_killed::killed),
    ("client killed: the agent serves the next", Needs::Nothing, peer_killed::client_killed),
    ("interrupted: partial result, exit code 130", Needs::Nothing, interrupted::once),
    ("queue: eight clients, each answered at once, run in turn", Needs::Nothing, queue::eight_in_turn),
    ("queue: together with --shared", Needs::Nothing, queue::together),
    ("request: a stall shows in an open loop", Needs::Nothing, stall::open_and_closed),
    ("pingpong: compat sweep of 103 sizes as np.out", Needs::Nothing, netpipe::np_out),
    ("third host: every kind of probe between two agents", Needs::Nothing, third_host::every_kind),
    ("recorded: no place to keep the run", Needs::Nothing, recorded::no_place),
    ("recorded: show, list, export, report", Needs::Nothing, recorded::read_back),
    ("lab: 100 Mbit/s within half a per cent", Needs::Lab, lab_rate::within_half_a_per_cent),
    ("lab: down leaves nothing, also after kill -9", Needs::Lab, lab_down::nothing_left),
];
