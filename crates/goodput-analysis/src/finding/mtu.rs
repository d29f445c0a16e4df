//! Rules about the path MTU: black holes, links smaller than the ends think, settings that did not take effect.

use super::Hit;
use goodput_model::mtu::MtuOutcome;
use goodput_model::probe::Direction;
use goodput_model::summary::{PathMtu, PathMtuDirection, Summary};
use goodput_model::trial::Role;
use goodput_model::{Probe, Trial};

/// `from a to b`, by the direction's ends.
fn way(trial: &Trial, direction: Direction) -> String {
    let (from, to) = (host(trial, sender(direction)), host(trial, receiver(direction)));
    format!("from {from} to {to}")
}

fn sender(direction: Direction) -> Role {
    if direction == Direction::Receive { Role::Listen } else { Role::Connect }
}

fn receiver(direction: Direction) -> Role {
    if direction == Direction::Receive { Role::Connect } else { Role::Listen }
}

fn host(trial: &Trial, role: Role) -> String {
    let name = trial.end(role).map(|end| end.host.clone()).filter(|name| !name.is_empty());
    let echo = || trial.ends.iter().find_map(|end| end.path_mtu.as_ref()?.echo.as_ref());
    // Who only answers has no report.
    let name = name.or_else(|| echo().filter(|_| role == Role::Listen).map(|echo| echo.to.clone()));
    name.unwrap_or_else(|| {
        if role == Role::Connect { "the connecting end" } else { "the listening end" }.into()
    })
}

/// `path_mtu.forward` or `path_mtu.reverse`, as scripts know it.
fn field(direction: Direction) -> &'static str {
    if direction == Direction::Receive { "path_mtu.reverse" } else { "path_mtu.forward" }
}

/// A hit for each direction of which the rule has something to say.
fn each(summary: &Summary, rule: impl Fn(&PathMtu, &PathMtuDirection) -> Option<Hit>) -> Vec<Hit> {
    let Some(path) = summary.path_mtu() else { return Vec::new() };
    path.directions.iter().filter_map(|direction| rule(path, direction)).collect()
}

/// Larger packets vanish and nobody says so.
pub(super) fn black_hole(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |_, d| {
        let passes = d.found.passes.filter(|_| d.found.outcome == MtuOutcome::BlackHole)?;
        let way = way(trial, d.direction);
        // An echo that does not come back may have been lost on either way.
        let back = if d.found.echo.is_some() { ", or their answers do" } else { "" };
        let text = format!(
            "black hole {way}: packets above {passes} B vanish without a word{back}, {passes} B arrive"
        );
        let mut evidence = vec![format!("{} = {passes}", field(d.direction))];
        evidence.extend(d.found.fails.map(|fails| format!("least size that did not arrive = {fails}")));
        evidence.extend(d.found.interface.mtu.map(|mtu| format!("interface mtu = {mtu}")));
        Some(Hit::new(text, evidence))
    })
}

/// What was expected is not what there is: the setting did not take effect, here or on the way.
pub(super) fn not_expected(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Probe::Mtu(settings) = &trial.probe else { return Vec::new() };
    let Some(expected) = settings.expect else { return Vec::new() };
    let mut hits = each(summary, |_, d| {
        let passes = d.found.passes.filter(|p| *p != expected)?;
        // With a lower bound on what was tried, more may pass than is known.
        if d.found.outcome == MtuOutcome::NothingLarger && passes > expected {
            return None;
        }
        let from = host(trial, sender(d.direction));
        let whose = match &d.found.outcome {
            MtuOutcome::OwnInterface { mtu } => {
                let name = d.found.interface.name.as_deref().unwrap_or("its interface");
                format!("{from} has {name} at {mtu} B")
            }
            MtuOutcome::Told { by, .. } => format!("{by} on the way takes {passes} B"),
            MtuOutcome::BlackHole => format!("what is larger than {passes} B vanishes on the way"),
            MtuOutcome::NothingLarger | MtuOutcome::Undecided { .. } => {
                format!("{passes} B are known to pass")
            }
        };
        let text =
            format!("{expected} B were expected {}, {passes} B pass: {whose}", way(trial, d.direction));
        Some(Hit::new(text, [format!("expect = {expected}"), format!("{} = {passes}", field(d.direction))]))
    });
    // An interface may stand at another MTU although the path would carry what was expected.
    hits.extend(each(summary, |_, d| {
        let mtu = d.found.interface.mtu.filter(|mtu| *mtu != expected)?;
        let named = matches!(d.found.outcome, MtuOutcome::OwnInterface { .. });
        let name = d.found.interface.name.as_deref().unwrap_or("its interface");
        let from = host(trial, sender(d.direction));
        let text = format!("{from} has {name} at {mtu} B where {expected} B were expected");
        (!named).then(|| Hit::new(text, [format!("expect = {expected}"), format!("interface mtu = {mtu}")]))
    }));
    hits
}

/// The two directions carry different sizes.
pub(super) fn asymmetric(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some(PathMtu { forward: Some(forward), reverse: Some(reverse), .. }) = summary.path_mtu() else {
        return Vec::new();
    };
    if forward == reverse {
        return Vec::new();
    }
    let text = format!(
        "the directions differ: {forward} B pass {}, {reverse} B {}",
        way(trial, Direction::Send),
        way(trial, Direction::Receive)
    );
    let evidence = [format!("path_mtu.forward = {forward}"), format!("path_mtu.reverse = {reverse}")];
    vec![Hit::new(text, evidence)]
}

/// The ends' interfaces have different MTUs.
pub(super) fn interfaces_differ(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some(path) = summary.path_mtu() else { return Vec::new() };
    let [one, other] = path.directions.as_slice() else { return Vec::new() };
    let (Some(a), Some(b)) = (one.found.interface.mtu, other.found.interface.mtu) else { return Vec::new() };
    if a == b {
        return Vec::new();
    }
    let text = format!(
        "the ends' interfaces have different MTUs: {} {a} B, {} {b} B",
        host(trial, Role::Connect),
        host(trial, Role::Listen)
    );
    vec![Hit::new(text, [format!("interface mtu = {a}"), format!("interface mtu = {b}")])]
}

/// A link on the way takes less than both ends' interfaces, and says so.
pub(super) fn smaller_link(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |_, d| {
        let MtuOutcome::Told { by, next_hop_mtu } = &d.found.outcome else { return None };
        let passes = d.found.passes?;
        let text = format!(
            "{}, {by} on the way says that more than {passes} B are too big",
            way(trial, d.direction)
        );
        let evidence =
            [format!("{} = {passes}", field(d.direction)), format!("next hop mtu told = {next_hop_mtu}")];
        Some(Hit::new(text, evidence))
    })
}

/// The path carries less than its protocol requires of every link.
pub(super) fn below_least(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |_, d| {
        let least = d.found.ip_version.least_mtu();
        let passes = d.found.passes.filter(|p| *p < least)?;
        let text = format!(
            "only {passes} B pass {}, less than the {least} B that every link must carry",
            way(trial, d.direction)
        );
        Some(Hit::new(text, [format!("{} = {passes}", field(d.direction))]))
    })
}

/// The kernel reckons with another MTU than the one found.
pub(super) fn route_differs(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |_, d| {
        let (passes, route) = (d.found.passes?, d.found.interface.route_mtu?);
        let known = Some(route) == d.found.interface.mtu || route == passes;
        let settled = !matches!(d.found.outcome, MtuOutcome::Undecided { .. } | MtuOutcome::NothingLarger);
        let hit = || {
            let from = host(trial, sender(d.direction));
            let text = format!("{from}'s kernel reckons with {route} B {}", way(trial, d.direction));
            Hit::new(text, [format!("route mtu = {route}"), format!("{} = {passes}", field(d.direction))])
        };
        (!known && settled).then(hit)
    })
}

/// The search did not come to its end.
pub(super) fn undecided(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |_, d| {
        let MtuOutcome::Undecided { why } = &d.found.outcome else { return None };
        let bounds = match (d.found.passes, d.found.fails) {
            (Some(passes), Some(fails)) => format!("{passes} B pass, {fails} B do not"),
            (Some(passes), None) => format!("{passes} B pass"),
            (None, _) => "nothing came back".to_string(),
        };
        let text = format!("the path MTU {} is not settled: {why}; {bounds}", way(trial, d.direction));
        Some(Hit::new(text, [format!("sent = {}, answered = {}", d.found.sent, d.found.answered)]))
    })
}
