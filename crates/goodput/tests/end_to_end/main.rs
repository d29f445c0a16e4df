//! The real program, end to end: on loopback and in network namespaces. One binary, one file a story.
//!
//! What cannot run on a machine is listed as ignored, with its reason in its name. Trials measure, so stories
//! run one after the other unless `--test-threads` says otherwise. `GOODPUT_PROVE=1` makes the live proofs long.

mod stage;

mod arguments;
mod datagram;
mod host;
mod interrupted;
mod lab_down;
mod lab_rate;
mod latency;
mod limits;
mod loopback_only;
mod mtu;
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
    ("latency: a stall is charged to every probe due in it", Needs::Nothing, latency::a_stall),
    ("latency: idle, and loaded each way", Needs::Lab, latency::idle_and_loaded),
    ("latency: loss is counted apart, to one probe", Needs::Lab, latency::loss_stands_apart),
    ("limits: by name, to the published digit", Needs::Nothing, limits::by_name),
    ("limits: a result against the medium that was named", Needs::Nothing, limits::of_a_result),
    ("pingpong: compat sweep of 103 sizes as np.out", Needs::Nothing, netpipe::np_out),
    ("third host: every kind of probe between two agents", Needs::Nothing, third_host::every_kind),
    ("recorded: no place to keep the run", Needs::Nothing, recorded::no_place),
    ("recorded: show, list, export, report", Needs::Nothing, recorded::read_back),
    ("host: this machine as a document", Needs::Nothing, host::this_machine),
    (
        "host: counters of both ends, and what differs between runs",
        Needs::Lab,
        host::counters_and_differences,
    ),
    ("mtu: loopback, and what is refused", Needs::Nothing, mtu::loopback_and_refusals),
    ("mtu: a middle link of 1,400 bytes, said and silent", Needs::Lab, mtu::middle_link),
    ("mtu: control survives a silent 1,280", Needs::Lab, mtu::control_survives),
    ("mtu: each direction has its own", Needs::Lab, mtu::each_direction),
    ("mtu: ends at 7,150 bytes", Needs::Lab, mtu::jumbo_ends),
    ("datagram: what is refused", Needs::Nothing, datagram::refused),
    ("datagram: sums with and without offload", Needs::Nothing, datagram::offloaded),
    ("datagram: loss on the way, to one datagram", Needs::Lab, datagram::loss_on_the_way),
    ("datagram: a receiver that stood still", Needs::Lab, datagram::stopped_receiver),
    ("datagram: copies on the way", Needs::Lab, datagram::copies_on_the_way),
    ("datagram: the highest rate without loss", Needs::Lab, datagram::highest_rate_without_loss),
    ("datagram: held back at the sender", Needs::Lab, datagram::held_back_at_home),
    ("lab: 100 Mbit/s within half a per cent", Needs::Lab, lab_rate::within_half_a_per_cent),
    ("lab: down leaves nothing, also after kill -9", Needs::Lab, lab_down::nothing_left),
];
