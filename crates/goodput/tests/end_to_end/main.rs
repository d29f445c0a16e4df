//! Tests of the real program, on loopback and in network namespaces: one binary, one file per subject.
//!
//! Tests that cannot run are ignored, with the reason in the name. `WAITING` run first and concurrently
//! (`--test-threads`); `STORIES` measure and run alone. `GOODPUT_PROVE=1` selects long forms.

mod stage;

mod check;
mod datagram;
mod events;
mod experiment;
mod file;
mod file_proofs;
mod host;
mod hosts;
mod http;
mod icf;
mod jobs;
mod knobs;
mod lab_down;
mod languages;
mod live;
mod load;
mod media;
mod mtu;
mod page_proofs;
mod probes;
mod recorded;
mod samba;
mod security;
mod serve;
mod studies;
mod trouble;

use libtest_mimic::{Arguments, Trial};
use stage::{CommandOutput, Duration, Instant};
use std::process::ExitCode;
use std::sync::{PoisonError, RwLock};

#[derive(Clone, Copy, PartialEq)]
enum Needs {
    Nothing,
    Lab,
    /// Network namespaces and veth by `ip`, as root.
    Sites,
    Openssl,
    /// A lab, and a real smbd in one of its hosts.
    Samba,
    /// The same, with GOODPUT_PROVE only: takes many minutes.
    Proof,
    LabProof,
    Clock,
}

fn main() -> ExitCode {
    if let Some(stranger) = security::stranger::here() {
        return stranger;
    }
    let mut args = Arguments::from_args();
    // Waiting stories leave the CPUs mostly idle.
    let at_a_time = || std::thread::available_parallelism().map_or(2, |cpus| (2 * cpus.get()).clamp(2, 8));
    args.test_threads.get_or_insert_with(at_a_time);
    let lab = stage::why_no_lab();
    let samba = lab.clone().or_else(file::why_no_samba);
    let long = || (!stage::proving()).then(|| "many minutes; make prove".to_string());
    let missing = [
        (Needs::Proof, samba.clone().or_else(long)),
        (Needs::LabProof, lab.clone().or_else(long)),
        (Needs::Lab, lab),
        (Needs::Samba, samba),
        (Needs::Sites, hosts::sites::Sites::why_not()),
        (Needs::Openssl, security::documented::why_not()),
        (Needs::Clock, file::why_no_clock()),
    ];
    let trial = |alone: bool, (name, needs, story): &'static Story| {
        let reason = missing.iter().find(|(need, _)| need == needs).and_then(|(_, reason)| reason.as_ref());
        let full = reason.map_or(name.to_string(), |reason| format!("{name} (skipped: {reason})"));
        Trial::test(full, move || told(name, alone, *story)).with_ignored_flag(reason.is_some())
    };
    let waiting = WAITING.iter().map(|story| trial(false, story));
    let alone = STORIES.iter().map(|story| trial(true, story));
    libtest_mimic::run(&args, waiting.chain(alone).collect()).exit_code()
}

/// Shared by waiting tests, exclusive for measuring ones.
static MACHINE: RwLock<()> = RwLock::new(());

/// Prints long durations, without the wait for the turn.
fn told(name: &str, alone: bool, story: fn() -> CommandOutput) -> CommandOutput {
    // The lock guards no data, so a panic cannot corrupt any.
    let _shared = (!alone).then(|| MACHINE.read().unwrap_or_else(PoisonError::into_inner));
    let _alone = alone.then(|| MACHINE.write().unwrap_or_else(PoisonError::into_inner));
    let began = Instant::now();
    let told = story();
    if began.elapsed() >= Duration::from_secs(5) {
        println!("{:4.0} s  {name}", began.elapsed().as_secs_f64());
    }
    told
}

type Story = (&'static str, Needs, fn() -> CommandOutput);

/// Tests that run concurrently before all others, the longest first.
///
/// They assert no rate and no tight time, tolerate a slow machine, change nothing machine-wide, and use ports
/// and names of their own (`stage.rs`). If unsure, use [`STORIES`].
const WAITING: &[Story] = &[
    ("hosts: an idle agent is as good as not there", Needs::Sites, hosts::as_good_as_not_there),
    ("experiment: kill -9, and gone on with", Needs::Lab, experiment::killed),
    ("experiment: Ctrl-C, and gone on with", Needs::Lab, experiment::interrupted),
    ("experiment: two factors over a lab of its own", Needs::Lab, experiment::whole),
    ("file: JSON in every case, and no password", Needs::Nothing, file::json_everywhere),
    ("file: a server that dies, and cleaning once it is back", Needs::Samba, file::server_killed),
    ("file: a drive mark in a folder", Needs::Nothing, file::marked),
    ("file: the office in a folder", Needs::Nothing, file::replayed),
    ("file: Ctrl-C leaves nothing", Needs::Nothing, file::interrupted),
    ("file: kill -9, then clean; canaries unharmed", Needs::Nothing, file::killed),
    ("file: clean removes only what is ours", Needs::Nothing, file::only_ours),
    ("file: clocks a day apart", Needs::Clock, file::another_clock),
    ("events: of a stream, both ways", Needs::Nothing, events::of_a_stream),
    ("jobs: started over HTTP and watched", Needs::Nothing, jobs::started_and_watched),
    ("security: a wrong certificate is named", Needs::Nothing, security::certificates::named_when_wrong),
    ("mtu: a middle link of 1,400 bytes, said and silent", Needs::Lab, mtu::middle_link),
    ("mtu: control survives a silent 1,280", Needs::Lab, mtu::control_survives),
    ("mtu: each direction has its own", Needs::Lab, mtu::each_direction),
    ("mtu: by ICMP echo, without an agent there", Needs::Lab, mtu::by_echo),
    ("recorded: show, list, export, report", Needs::Nothing, recorded::read_back),
    ("security: a replayed order", Needs::Nothing, security::replay::orders),
    ("peer killed in the middle of a trial", Needs::Nothing, trouble::peer_killed),
    ("why: the other host is killed meanwhile", Needs::Nothing, trouble::peer_of_a_diagnosis_killed),
    ("hosts: on the network; hidden, with another key, by name", Needs::Sites, hosts::on_the_network),
    ("hosts: two sites through a router", Needs::Sites, hosts::two_sites),
    ("experiment: a line that takes too long", Needs::Nothing, experiment::timed_out),
    ("experiment: a line that cannot work is a cell", Needs::Nothing, experiment::failing_line),
    ("experiment: checked, and refused with what to type", Needs::Nothing, experiment::checked),
    ("events: inside a lab they are told once", Needs::Lab, events::in_a_lab),
    ("events: of what goes wrong", Needs::Nothing, events::of_what_goes_wrong),
    ("jobs: nothing is left when the server ends or dies", Needs::Nothing, jobs::nothing_left),
    ("jobs: an experiment asks and is answered", Needs::Lab, jobs::asked_and_answered),
    ("jobs: what a page may not start", Needs::Nothing, jobs::refused),
    ("jobs: an experiment runs as it was checked", Needs::Nothing, jobs::runs_what_was_checked),
    ("knobs: levels of an experiment, with commands", Needs::Lab, knobs::levels::knobs_and_commands),
    ("knobs: a level that is not taken is a cell", Needs::Lab, knobs::levels::what_is_not_taken_is_a_cell),
    ("knobs: everything is killed on a machine", Needs::Nothing, knobs::levels::all_killed_on_this_machine),
    ("by hand: asked, verified, asked again", Needs::Lab, knobs::by_hand::asked_and_verified),
    ("by hand: skipped, and nobody to ask", Needs::Lab, knobs::by_hand::not_set),
    ("security: certificates of a fleet", Needs::Nothing, security::certificates::enough),
    ("security: a policy says who and where", Needs::Nothing, security::policy::who_and_where),
    ("security: a policy's names behind a router", Needs::Nothing, security::policy::behind_a_router),
    ("security: a policy's file", Needs::Nothing, security::policy::file),
    ("security: the documented commands", Needs::Openssl, security::documented::commands),
    ("security: the documented files", Needs::Nothing, security::documented::files),
    ("security: secrets stand nowhere", Needs::Lab, security::secrets::nowhere),
    ("serve: strangers, a reader and an operator; Ctrl-C ends it", Needs::Nothing, serve::who_is_let_in),
    ("serve: what is refused", Needs::Nothing, serve::refused),
    ("store: looked for, tagged, pruned, moved, restored", Needs::Nothing, recorded::kept),
    ("clock: one clock of two hosts", Needs::Lab, probes::one_clock),
    ("interrupted: partial result, exit code 130", Needs::Nothing, trouble::interrupted),
    ("unreachable: port closed, name that nobody knows", Needs::Nothing, trouble::unreachable),
    ("recorded: no place to keep the run", Needs::Nothing, recorded::no_place),
    ("agent: without a key on loopback only", Needs::Nothing, security::keys::without_a_key),
    ("arguments: refusals are exit code 2 and valid JSON", Needs::Nothing, trouble::refused_arguments),
    ("limits: by name, to the published digit", Needs::Nothing, probes::limits_by_name),
    ("icf: checked, and refused with the line", Needs::Nothing, icf::checked),
    ("icf: a plan becomes a file and the file the plan", Needs::Nothing, icf::from_plan),
    ("languages: an error", Needs::Nothing, languages::error),
    ("languages: a document is the same in each, a report is not", Needs::Nothing, languages::document),
    ("security: a forged data token, and a used one", Needs::Nothing, security::replay::tokens),
    ("knobs: set, read back, put back", Needs::Lab, knobs::set_and_put_back),
    ("knobs: what does not take effect is said", Needs::Lab, knobs::not_taken),
    ("knobs: the coordinator is killed", Needs::Lab, knobs::coordinator_killed),
    ("knobs: the agent is killed and started again", Needs::Lab, knobs::agent_killed),
    ("knobs: what somebody else has set is left", Needs::Lab, knobs::foreign_change),
    ("knobs: nothing without the owner's leave", Needs::Nothing, knobs::not_allowed),
    ("knobs: an experiment is killed and gone on with", Needs::Lab, knobs::levels::killed_and_gone_on_with),
    ("knobs: what is none is refused beforehand", Needs::Nothing, knobs::levels::refused_beforehand),
    ("security: a wrong key, none, and strangers", Needs::Nothing, security::keys::wrong_and_missing),
    ("security: a key file that others can read", Needs::Nothing, security::keys::open_to_others),
    ("studies: every study can be checked", Needs::Nothing, studies::every_study_can_be_checked),
];

const STORIES: &[Story] = &[
    ("stream: totals add up with the kernel's account", Needs::Nothing, probes::add_up),
    ("request: a stall shows in an open loop", Needs::Nothing, probes::open_and_closed),
    ("latency: idle, and loaded each way", Needs::Lab, probes::idle_and_loaded),
    ("check: a path of 1 Gbit/s, and a requirement that is not met", Needs::Lab, check::gigabit),
    ("why: a host setting is changed only with leave", Needs::Lab, knobs::diagnosis::only_with_permission),
    ("pingpong: compat sweep of 103 sizes as np.out", Needs::Nothing, probes::np_out),
    ("host: counters of both ends, differences of runs", Needs::Lab, host::counters_and_differences),
    ("datagram: a receiver that stood still", Needs::Lab, datagram::stopped_receiver),
    ("datagram: copies on the way", Needs::Lab, datagram::copies_on_the_way),
    ("datagram: over IPv6", Needs::Lab, datagram::over_ipv6),
    ("datagram: the highest rate without loss", Needs::Lab, datagram::highest_rate_without_loss),
    ("datagram: held back at the sender", Needs::Lab, datagram::held_back_at_home),
    ("load: three directions, agreeing with the adapter", Needs::Lab, load::three_directions),
    ("security: the UDP data port reflects nothing", Needs::Lab, security::strangers::nothing_reflected),
    ("security: floods of connections", Needs::Lab, security::strangers::flooded),
    ("file: a copy to a share, with a verdict", Needs::Samba, file::copied_with_verdict),
    ("load: a client dies and is named", Needs::Lab, load::a_client_dies),
    ("experiment proof: a hundred kills over sixty cells", Needs::LabProof, experiment::hundred_kills),
    ("experiment proof: ten live comparisons of 3 %", Needs::LabProof, experiment::ten_comparisons),
    ("file proof: five causes five times, and controls", Needs::Proof, file_proofs::named),
    ("file proof: jumbo frames where packets cost", Needs::Proof, file_proofs::jumbo_frames),
    ("live: of a run begun at a terminal, to its end", Needs::Lab, live::to_its_end),
    ("live: of a run that is killed", Needs::Nothing, live::killed),
    ("live: what is not offered", Needs::Nothing, live::not_offered),
    ("study: slow PCs and fast NICs", Needs::LabProof, studies::slow_pc_fast_nic),
    ("study: the bottleneck of gigabit Ethernet", Needs::LabProof, studies::gigabit_bottleneck),
    ("study: ATM against Ethernet", Needs::LabProof, studies::atm_vs_ethernet),
    ("study: jumbo frames", Needs::Lab, studies::jumbo_frames),
    ("study: adapters of a server", Needs::LabProof, studies::server_adapters),
    ("lab: 100 Mbit/s within half a per cent", Needs::Lab, media::within_half_a_per_cent),
    ("media: 10BASE-T with backoff, below the arithmetic and counted", Needs::Lab, media::a_hub),
    ("media: a bus that both directions share", Needs::Lab, media::a_bus),
    ("media proof: Ethernet, half and full duplex", Needs::LabProof, media::proven_ethernet),
    ("media proof: ATM over LANE and Classical IP", Needs::LabProof, media::proven_atm),
    ("page proof: live updates do not disturb", Needs::LabProof, page_proofs::do_not_disturb),
    ("lab: down leaves nothing, also after kill -9", Needs::Lab, lab_down::nothing_left),
];
