//! Looks up a metric by its path in the document of `--json`. For example `goodput_bps`, `latency_ns.p50`,
//! `points[].goodput_bps` (one for each size), `directions[send].goodput_bps`,
//! `hosts[server].cpu.busy_percent`, `file_run.rows[name=SEQ1M,way=read].rate_bps.median`. A bare word in
//! brackets is the name, role, direction, … of one element; a role of the experiment means its host.

use goodput_model::TrialId;
use goodput_model::summary::ResultDocument;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) const SWEEP_POINT_METRIC_PREFIX: &str = "points[].";
const OF_RUN: [&str; 3] = ["file_run", "load_curves", "search"];
/// Fields that name an element, in order of preference.
const NAME_FIELDS: [&str; 8] = ["direction", "name", "role", "id", "class", "kind", "traffic", "way"];

pub(super) type HostNamesByRole = BTreeMap<String, String>;

/// The names of an experiment's hosts in results: `lab:b@small` is `b`.
pub(super) fn host_names_by_role(hosts: &BTreeMap<String, String>) -> HostNamesByRole {
    let name = |host: &String| {
        let plain = host.strip_prefix("lab:").unwrap_or(host);
        plain.split_once('@').map_or(plain, |(name, _)| name).to_string()
    };
    hosts.iter().map(|(role, host)| (role.clone(), name(host))).collect()
}

#[derive(Default)]
pub(super) struct DocumentMetrics {
    document: Value,
}

impl DocumentMetrics {
    pub fn from_document(document: &ResultDocument) -> DocumentMetrics {
        // A document has string keys only, so this cannot fail.
        DocumentMetrics { document: serde_json::to_value(document).unwrap_or(Value::Null) }
    }

    #[cfg(test)]
    pub fn from_value(document: Value) -> DocumentMetrics {
        DocumentMetrics { document }
    }

    /// True for a metric of all trials together, by its name or because the trials are the steps of a search.
    pub fn is_whole_run_metric(&self, name: &str) -> bool {
        let first = name.split(['.', '[']).next().unwrap_or(name);
        OF_RUN.contains(&first)
            || (!name.starts_with(SWEEP_POINT_METRIC_PREFIX) && self.document["search"].is_object())
    }

    /// A search that confirmed no rate has no result.
    pub fn whole_run_metric_value(&self, name: &str, roles: &HostNamesByRole) -> Option<f64> {
        let search = &self.document["search"];
        let unconfirmed = search.is_object() && search["confirmed_by"].is_null();
        if unconfirmed && !OF_RUN.iter().any(|own| name.starts_with(own)) {
            return None;
        }
        number(find(&self.document, &steps(name), roles)?)
    }

    /// By size where it has one for each. `stated` is the size that the trial itself is a point for.
    pub fn trial_metric_values(
        &self,
        trial: TrialId,
        name: &str,
        stated: Option<u64>,
        roles: &HostNamesByRole,
    ) -> Vec<(Option<u64>, f64)> {
        let own = |value: &&Value| value["trial"] == trial.0;
        let Some(value) = self.trials().find(own) else { return Vec::new() };
        let one = |name: &str| find(value, &steps(name), roles).and_then(number);
        let Some(rest) = name.strip_prefix(SWEEP_POINT_METRIC_PREFIX) else {
            return one(name).map(|v| (stated, v)).into_iter().collect();
        };
        let points = value["points"].as_array().filter(|p| !p.is_empty());
        match (points, stated) {
            (Some(points), _) => points
                .iter()
                .filter_map(|p| {
                    Some((Some(p["size_bytes"].as_u64()?), number(find(p, &steps(rest), roles)?)?))
                })
                .collect(),
            (None, Some(size)) => one(rest).map(|v| (Some(size), v)).into_iter().collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Those listed, or the only one, which is the document itself.
    fn trials(&self) -> impl Iterator<Item = &Value> {
        let listed = self.document["trials"].as_array().filter(|t| !t.is_empty());
        listed.into_iter().flatten().chain(listed.is_none().then_some(&self.document))
    }
}

/// Replaces empty brackets (but those of points) by each element that any execution has:
/// `directions[send].goodput_bps`. Otherwise the name itself.
pub(super) fn expand_array_metric_names<'a>(
    name: &str,
    seen: impl Iterator<Item = &'a DocumentMetrics>,
) -> Vec<String> {
    let Some((list, rest)) = name.split_once("[]").filter(|_| !name.starts_with(SWEEP_POINT_METRIC_PREFIX))
    else {
        return vec![name.to_string()];
    };
    let mut found: Vec<String> = Vec::new();
    for one in seen {
        for value in one.trials().chain([&one.document]) {
            let elements = find(value, &steps(list), &HostNamesByRole::new()).and_then(Value::as_array);
            for label in array_element_labels(elements.map_or(&[], Vec::as_slice)) {
                let figure = format!("{list}[{label}]{rest}");
                if !found.contains(&figure) {
                    found.push(figure);
                }
            }
        }
    }
    if found.is_empty() { vec![name.to_string()] } else { found }
}

/// By the first field that distinguishes the elements, else by index.
pub(super) fn array_element_labels(elements: &[Value]) -> Vec<String> {
    let by = |field: &&str| -> Option<Vec<String>> {
        let all: Vec<String> =
            elements.iter().map(|e| e[*field].as_str().map(str::to_string)).collect::<Option<_>>()?;
        let different = all.iter().enumerate().all(|(i, one)| !all[..i].contains(one));
        different.then_some(all)
    };
    NAME_FIELDS.iter().find_map(by).unwrap_or_else(|| (0..elements.len()).map(|i| i.to_string()).collect())
}

#[derive(Debug, PartialEq)]
enum Step<'a> {
    Field(&'a str),
    Pick(&'a str),
}

/// `hosts[server].cpu` → hosts, pick server, cpu. Dots in brackets belong to the selector.
fn steps(path: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (pick, after) = inside.split_once(']').unwrap_or((inside, ""));
            steps.push(Step::Pick(pick));
            rest = after.strip_prefix('.').unwrap_or(after);
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(Step::Field(&rest[..end]));
            rest = rest[end..].strip_prefix('.').unwrap_or(&rest[end..]);
        }
    }
    steps
}

fn find<'v>(value: &'v Value, steps: &[Step<'_>], roles: &HostNamesByRole) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Field(name) => value.get(name),
        Step::Pick(what) => pick(value.as_array()?, what, roles),
    })
}

/// `None` where no or several elements match.
fn pick<'v>(elements: &'v [Value], what: &str, roles: &HostNamesByRole) -> Option<&'v Value> {
    let only = |test: &dyn Fn(&Value) -> bool| {
        let mut fitting = elements.iter().filter(|e| test(e));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    if let Ok(place) = what.parse::<usize>() {
        return elements.get(place);
    }
    if what.contains('=') {
        let is = |e: &Value, pair: &str| {
            pair.split_once('=').is_some_and(|(field, wanted)| match &e[field.trim()] {
                Value::String(text) => text == wanted.trim(),
                other => format!("{other}") == wanted.trim(),
            })
        };
        return only(&|e| what.split(',').all(|pair| is(e, pair)));
    }
    let called = |name: &str| only(&|e| NAME_FIELDS.iter().any(|field| e[*field] == name));
    let host = roles.get(what).and_then(|host| only(&|e| e["name"] == host.as_str()));
    host.or_else(|| called(what)).or_else(|| match what {
        // The ends' roles have names of their own in a result.
        "server" => called("listen"),
        "client" => called("connect"),
        _ => None,
    })
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|v| v.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(value: &Value, path: &str) -> Option<f64> {
        let roles = host_names_by_role(&BTreeMap::from([
            ("server".to_string(), "lab:b@small".to_string()),
            ("client".to_string(), "10.0.0.1".to_string()),
        ]));
        find(value, &steps(path), &roles).and_then(number)
    }

    #[test]
    fn paths_lead_where_they_say() {
        let value = json!({
            "goodput_bps": 5, "latency_ns": {"p50": 7.5}, "pe_index": null,
            "directions": [{"direction": "send", "goodput_bps": 2}, {"direction": "receive", "goodput_bps": 3}],
            "hosts": [{"name": "a", "role": "connect", "cpu": {"busy_percent": 10}},
                      {"name": "b", "role": "listen", "cpu": {"busy_percent": 20}}],
            "file_run": {"rows": [{"name": "SEQ1M", "way": "read", "queue": 8, "rate_bps": {"median": 1}},
                                  {"name": "SEQ1M", "way": "write", "queue": 8, "rate_bps": {"median": 2}}]}
        });
        for (path, is) in [
            ("goodput_bps", Some(5.0)),
            ("latency_ns.p50", Some(7.5)),
            ("directions[send].goodput_bps", Some(2.0)),
            ("directions[1].goodput_bps", Some(3.0)),
            ("hosts[server].cpu.busy_percent", Some(20.0)),
            ("hosts[client].cpu.busy_percent", Some(10.0)),
            ("hosts[a].cpu.busy_percent", Some(10.0)),
            ("hosts[listen].cpu.busy_percent", Some(20.0)),
            ("file_run.rows[name=SEQ1M,way=write,queue=8].rate_bps.median", Some(2.0)),
            ("file_run.rows[SEQ1M].rate_bps.median", None),
            ("file_run.rows[name=SEQ1M,way=copy].rate_bps.median", None),
        ] {
            assert_eq!(found(&value, path), is, "{path}");
        }
        assert_eq!(
            ["pe_index", "directions", "nothing.of.this", ""].map(|path| found(&value, path)),
            [None; 4]
        );
    }

    #[test]
    fn empty_brackets_become_one_figure_an_element() {
        let seen = DocumentMetrics {
            document: json!({"trial": 1, "directions": [
                {"direction": "send", "goodput_bps": 2}, {"direction": "receive", "goodput_bps": 3}]}),
        };
        let of = |name: &str| expand_array_metric_names(name, [&seen].into_iter());
        let both = ["directions[send].goodput_bps", "directions[receive].goodput_bps"];
        assert_eq!(of("directions[].goodput_bps"), both);
        for unchanged in ["points[].goodput_bps", "goodput_bps", "hosts[].cpu.busy_percent"] {
            assert_eq!(of(unchanged), [unchanged]);
        }
    }

    #[test]
    fn elements_that_are_called_alike_go_by_their_places() {
        let alike = ["read", "write"].map(|way| json!({"name": "x", "way": way}));
        assert_eq!(array_element_labels(&alike), ["read", "write"]);
        assert_eq!(array_element_labels(&[json!({"size": 1}), json!({"size": 2})]), ["0", "1"]);
    }

    proptest::proptest! {
        #[test]
        fn no_path_is_too_strange(path in ".{0,40}") {
            let value = json!({"a": [{"name": "b", "c": 1}], "d": {"e": 2}});
            let _ = found(&value, &path);
            let _ = expand_array_metric_names(&path, [&DocumentMetrics { document: value }].into_iter());
        }
    }
}
