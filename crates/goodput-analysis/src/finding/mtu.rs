//! Rules about the path MTU: black holes, smaller links, settings without effect.

use super::Hit;
use goodput_model::mtu::MtuOutcome;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{PathMtu, PathMtuDirection, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, MessageArg, Probe, Trial};
use goodput_words::message;
use goodput_words::message_argument::exact_bytes_arg;

fn way(trial: &Trial, direction: TransferDirection) -> Message {
    message!(clause_way { from: host(trial, sender(direction)), to: host(trial, receiver(direction)) })
}

fn sender(direction: TransferDirection) -> EndpointRole {
    if direction == TransferDirection::Receive { EndpointRole::Listen } else { EndpointRole::Connect }
}

fn receiver(direction: TransferDirection) -> EndpointRole {
    if direction == TransferDirection::Receive { EndpointRole::Connect } else { EndpointRole::Listen }
}

fn host(trial: &Trial, role: EndpointRole) -> MessageArg {
    let name = trial.endpoint_report(role).map(|end| end.host.clone()).filter(|name| !name.is_empty());
    let echo = || trial.ends.iter().find_map(|end| end.path_mtu.as_ref()?.echo.as_ref());
    // A host that only answers echoes has no report.
    let name = name.or_else(|| echo().filter(|_| role == EndpointRole::Listen).map(|echo| echo.to.clone()));
    match (name, role) {
        (Some(name), _) => name.into(),
        (None, EndpointRole::Connect) => message!(clause_connecting_end).into(),
        (None, EndpointRole::Listen) => message!(clause_listening_end).into(),
    }
}

fn interface(direction: &PathMtuDirection) -> MessageArg {
    match &direction.found.interface.name {
        Some(name) => name.into(),
        None => message!(clause_mtu_own_interface).into(),
    }
}

fn field(direction: TransferDirection) -> &'static str {
    if direction == TransferDirection::Receive { "path_mtu.reverse" } else { "path_mtu.forward" }
}

fn each(summary: &TrialSummary, rule: impl Fn(&PathMtu, &PathMtuDirection) -> Option<Hit>) -> Vec<Hit> {
    let Some(path) = summary.path_mtu() else { return Vec::new() };
    path.directions.iter().filter_map(|direction| rule(path, direction)).collect()
}

pub(super) fn check_black_hole(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |_, d| {
        let passes = d.found.passes.filter(|_| d.found.outcome == MtuOutcome::BlackHole)?;
        let way = way(trial, d.direction);
        // An echo may be lost on either way.
        let size = exact_bytes_arg(passes);
        let text = if d.found.echo.is_some() {
            message!(rule_mtu_black_hole_text_2 { passes: size, way })
        } else {
            message!(rule_mtu_black_hole_text { passes: size, way })
        };
        let mut evidence = vec![format!("{} = {passes}", field(d.direction))];
        evidence.extend(d.found.fails.map(|fails| format!("least size that did not arrive = {fails}")));
        evidence.extend(d.found.interface.mtu.map(|mtu| format!("interface mtu = {mtu}")));
        Some(Hit::new(text, evidence))
    })
}

/// Another MTU than expected: the setting has no effect, here or on the path.
pub(super) fn check_unexpected_mtu(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Probe::Mtu(settings) = &trial.probe else { return Vec::new() };
    let Some(expected) = settings.expect else { return Vec::new() };
    let mut hits = each(summary, |_, d| {
        let passes = d.found.passes.filter(|p| *p != expected)?;
        // Above the largest size tried, more may pass than is known.
        if d.found.outcome == MtuOutcome::NothingLarger && passes > expected {
            return None;
        }
        let from = host(trial, sender(d.direction));
        let why = match &d.found.outcome {
            MtuOutcome::OwnInterface { mtu } => {
                message!(clause_mtu_interface { from, interface: interface(d), mtu: exact_bytes_arg(*mtu) })
            }
            MtuOutcome::Told { by, .. } => {
                message!(clause_mtu_router { by: by.to_string(), passes: exact_bytes_arg(passes) })
            }
            MtuOutcome::BlackHole => message!(clause_mtu_vanishes),
            MtuOutcome::NothingLarger | MtuOutcome::Undecided { .. } => message!(clause_mtu_known),
        };
        let text = message!(rule_mtu_not_expected_text {
            passes: exact_bytes_arg(passes),
            way: way(trial, d.direction),
            expected: exact_bytes_arg(expected),
            why,
        });
        Some(Hit::new(text, [format!("expect = {expected}"), format!("{} = {passes}", field(d.direction))]))
    });
    // An interface may have another MTU although the path would carry the expected one.
    hits.extend(each(summary, |_, d| {
        let mtu = d.found.interface.mtu.filter(|mtu| *mtu != expected)?;
        let named = matches!(d.found.outcome, MtuOutcome::OwnInterface { .. });
        let text = message!(rule_mtu_not_expected_text_2 {
            from: host(trial, sender(d.direction)),
            interface: interface(d),
            mtu: exact_bytes_arg(mtu),
            expected: exact_bytes_arg(expected),
        });
        (!named).then(|| Hit::new(text, [format!("expect = {expected}"), format!("interface mtu = {mtu}")]))
    }));
    hits
}

pub(super) fn check_asymmetric_mtu(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some(PathMtu { forward: Some(forward), reverse: Some(reverse), .. }) = summary.path_mtu() else {
        return Vec::new();
    };
    if forward == reverse {
        return Vec::new();
    }
    let text = message!(rule_mtu_asymmetric_text {
        forward: exact_bytes_arg(*forward),
        there: way(trial, TransferDirection::Send),
        reverse: exact_bytes_arg(*reverse),
        back: way(trial, TransferDirection::Receive),
    });
    let evidence = [format!("path_mtu.forward = {forward}"), format!("path_mtu.reverse = {reverse}")];
    vec![Hit::new(text, evidence)]
}

pub(super) fn check_interface_mtus_differ(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some(path) = summary.path_mtu() else { return Vec::new() };
    let [one, other] = path.directions.as_slice() else { return Vec::new() };
    let (Some(a), Some(b)) = (one.found.interface.mtu, other.found.interface.mtu) else { return Vec::new() };
    if a == b {
        return Vec::new();
    }
    let text = message!(rule_mtu_interfaces_differ_text {
        one: host(trial, EndpointRole::Connect),
        mtu_one: exact_bytes_arg(a),
        other: host(trial, EndpointRole::Listen),
        mtu_other: exact_bytes_arg(b),
    });
    vec![Hit::new(text, [format!("interface mtu = {a}"), format!("interface mtu = {b}")])]
}

/// A link on the path accepts less than both ends' interfaces, and reports it.
pub(super) fn check_smaller_link_mtu(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |_, d| {
        let MtuOutcome::Told { by, next_hop_mtu } = &d.found.outcome else { return None };
        let passes = d.found.passes?;
        let text = message!(rule_mtu_smaller_link_text {
            by: by.to_string(),
            way: way(trial, d.direction),
            passes: exact_bytes_arg(passes),
        });
        let evidence =
            [format!("{} = {passes}", field(d.direction)), format!("next hop mtu told = {next_hop_mtu}")];
        Some(Hit::new(text, evidence))
    })
}

pub(super) fn check_below_min_mtu(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |_, d| {
        let least = d.found.ip_version.min_mtu();
        let passes = d.found.passes.filter(|p| *p < least)?;
        let text = message!(rule_mtu_below_least_text {
            passes: exact_bytes_arg(passes),
            way: way(trial, d.direction),
            least: exact_bytes_arg(least),
        });
        Some(Hit::new(text, [format!("{} = {passes}", field(d.direction))]))
    })
}

pub(super) fn check_route_mtu_differs(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |_, d| {
        let (passes, route) = (d.found.passes?, d.found.interface.route_mtu?);
        let known = Some(route) == d.found.interface.mtu || route == passes;
        let settled = !matches!(d.found.outcome, MtuOutcome::Undecided { .. } | MtuOutcome::NothingLarger);
        let hit = || {
            let text = message!(rule_mtu_route_differs_text {
                host: host(trial, sender(d.direction)),
                route: exact_bytes_arg(route),
                way: way(trial, d.direction),
            });
            Hit::new(text, [format!("route mtu = {route}"), format!("{} = {passes}", field(d.direction))])
        };
        (!known && settled).then(hit)
    })
}

pub(super) fn check_inconclusive_mtu(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |_, d| {
        let MtuOutcome::Undecided { why } = &d.found.outcome else { return None };
        let bounds = match (d.found.passes, d.found.fails) {
            (Some(passes), Some(fails)) => {
                message!(clause_mtu_bounds { passes: exact_bytes_arg(passes), fails: exact_bytes_arg(fails) })
            }
            (Some(passes), None) => message!(clause_mtu_least { passes: exact_bytes_arg(passes) }),
            (None, _) => message!(clause_mtu_nothing),
        };
        let why = Message::from(why.to_string());
        let text = message!(rule_mtu_undecided_text { way: way(trial, d.direction), why, bounds });
        Some(Hit::new(text, [format!("sent = {}, answered = {}", d.found.sent, d.found.answered)]))
    })
}
