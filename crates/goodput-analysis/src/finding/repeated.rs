//! One finding per rule: a statement that differs from an earlier one only in numbers and in its place adds
//! its place to it; the evidence keeps the numbers of each.

use super::{Hit, names};
use goodput_model::{Message, MessageArg};
use goodput_words::message;

/// Places besides hosts.
const PLACES: [&str; 5] = ["connection", "flow", "interface", "link", "worker"];
/// Names with their numbers.
const NUMBERS: &str = "counters";

struct Statement {
    kind: String,
    first: Message,
    also_on: Vec<String>,
}

/// `hosts` are the names of the trial's hosts.
pub(super) fn combine_hits(hits: Vec<Hit>, hosts: &[&str]) -> Option<Hit> {
    if hits.len() < 2 {
        return hits.into_iter().next();
    }
    let (mut statements, mut evidence) = (Vec::<Statement>::new(), Vec::new());
    for Hit { text, evidence: lines } in hits {
        let owner = owner(&text, hosts);
        evidence.extend(lines.into_iter().map(|line| match owner {
            Some(name) if !line.starts_with(&format!("{name}: ")) => format!("{name}: {line}"),
            _ => line,
        }));
        let kind = kind(&text, hosts);
        let earlier = statements.iter_mut().find_map(|s| {
            let place = if s.first == text { Some(None) } else { place(&s.first, &text, hosts).map(Some) };
            place.filter(|_| s.kind == kind).map(|place| (s, place))
        });
        match earlier {
            Some((s, place)) => s.also_on.extend(place),
            None => statements.push(Statement { kind, first: text, also_on: Vec::new() }),
        }
    }
    let texts = statements.into_iter().map(|Statement { first: finding, mut also_on, .. }| {
        also_on.dedup();
        if also_on.is_empty() {
            return finding;
        }
        message!(finding_also_on { finding, places: names(also_on.iter().map(String::as_str)) })
    });
    let text = texts.reduce(|finding, next| message!(finding_and { finding, next }))?;
    Some(Hit { text, evidence })
}

/// The host or link whose counts are the evidence.
fn owner<'a>(text: &'a Message, hosts: &[&str]) -> Option<&'a str> {
    text.args().iter().find_map(|(name, arg)| match arg {
        MessageArg::Text(own) if name == "link" || hosts.contains(&own.as_str()) => Some(own.as_str()),
        _ => None,
    })
}

/// What the statement says without its numbers and places.
fn kind(text: &Message, hosts: &[&str]) -> String {
    let own = if text.id().is_empty() { text.as_str() } else { text.id() };
    let args = text.args().iter().filter(|(name, _)| !PLACES.contains(&name.as_ref()) && *name != NUMBERS);
    args.fold(own.to_string(), |all, (name, arg)| format!("{all}\n{name}={}", kind_of_arg(arg, hosts)))
}

fn kind_of_arg(arg: &MessageArg, hosts: &[&str]) -> String {
    match arg {
        MessageArg::Text(text) if !hosts.contains(&text.as_str()) => text.clone(),
        MessageArg::Text(_) | MessageArg::Count(_) | MessageArg::Quantity(_) => String::new(),
        // Hosts in a part are a path, not a place.
        MessageArg::Message(part) => kind(part, &[]),
        MessageArg::List(all) => all.iter().map(|arg| kind_of_arg(arg, &[]) + "\n").collect(),
    }
}

/// Where `other` differs from `first`; `None` where only numbers do.
fn place(first: &Message, other: &Message, hosts: &[&str]) -> Option<String> {
    let differing = other.args().iter().filter(|(name, arg)| first.args().get(*name) != Some(*arg));
    let names = differing.filter_map(|(name, arg)| match (&**name, arg) {
        ("flow" | "worker", MessageArg::Text(number)) => Some(format!("#{number}")),
        (name, MessageArg::Text(own)) if PLACES.contains(&name) || hosts.contains(&own.as_str()) => {
            Some(own.clone())
        }
        _ => None,
    });
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(" "))
}
