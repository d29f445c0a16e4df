//! Parses requirements: `tcp.goodput_bps >= 900 Mbit/s`, `sweep.points[].goodput_bps at 64KiB > 500 Mbit/s`.

use crate::error::ExperimentError;
use crate::probe_command::closest_spelling;
use goodput_model::experiment::{ComparisonOperator, MetricRequirement, ProbeCommand};
use goodput_model::metric::unit_of_metric;
use goodput_model::units::QuantityError;
use goodput_model::{BitRate, Bytes, Nanos};
use goodput_words::{ErrorMessage, Message, message, quantity_error};
use std::collections::BTreeMap;

/// Longer signs first, so that `>=` is not read as `>`.
const RELATIONS: [(&str, ComparisonOperator); 4] = [
    (">=", ComparisonOperator::AtLeast),
    ("<=", ComparisonOperator::AtMost),
    (">", ComparisonOperator::Above),
    ("<", ComparisonOperator::Below),
];

const EXAMPLE: &str = "\"tcp.goodput_bps >= 900 Mbit/s\"";

pub(crate) fn parse_requirement(
    text: &str,
    only: BTreeMap<String, Vec<String>>,
    probes: &[ProbeCommand],
) -> Result<MetricRequirement, ExperimentError> {
    let (left, right, relation) = split_comparison(text, EXAMPLE)?;
    let (name, size) = match left.split_once(" at ") {
        Some((name, size)) => (name.trim(), Some(size.trim().parse::<Bytes>().map_err(quoted)?.0)),
        None => (left, None),
    };
    let (probe, figure) = measured(name, probes)?;
    // A load's trials are the points of a curve without that name.
    let load = |p: &ProbeCommand| p.run.split_whitespace().next() == Some("load");
    let of_load = probes.iter().any(|p| load(p) && probe.as_ref().is_none_or(|name| *name == p.name));
    if size.is_some() && !figure.starts_with("points[].") && !of_load {
        let why = message!(file_one_figure { name: figure });
        return Err(ExperimentError::new(why, "omit the size, or measure points[].goodput_bps"));
    }
    let value = parse_quantity(&figure, right)?;
    Ok(MetricRequirement { text: one_line(text), probe, figure, size_bytes: size, relation, value, only })
}

/// A requirement on one of these metrics, without a probe's name: `tcp_send_bps >= 900 Mbit/s`.
pub fn parse_named_requirement(text: &str, known: &[&str]) -> Result<MetricRequirement, ExperimentError> {
    let (name, right, relation) = split_comparison(text, "\"tcp_send_bps >= 900 Mbit/s\"")?;
    if !known.contains(&name) {
        let names = known.to_vec();
        let hint = match closest_spelling(name, known) {
            Some(nearest) => message!(hint_experiment_nearest_name { nearest, names }),
            None => message!(file_hint_write_one_of { names }),
        };
        return Err(ExperimentError::new(message!(error_experiment_no_metric { name }), hint));
    }
    let value = parse_quantity(name, right)?;
    let (text, figure, only) = (one_line(text), name.to_string(), BTreeMap::new());
    Ok(MetricRequirement { text, probe: None, figure, size_bytes: None, relation, value, only })
}

/// Left and right side without spaces around them.
fn split_comparison<'t>(
    text: &'t str,
    example: &str,
) -> Result<(&'t str, &'t str, ComparisonOperator), ExperimentError> {
    let sign = RELATIONS.iter().find_map(|(sign, relation)| Some((text.split_once(sign)?, *relation)));
    let Some(((left, right), relation)) = sign else {
        let what = message!(error_experiment_compares_nothing { text: format!("{text:?}") });
        return Err(ExperimentError::new(what, message!(hint_experiment_write { example })));
    };
    Ok((left.trim(), right.trim(), relation))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn measured(name: &str, probes: &[ProbeCommand]) -> Result<(Option<String>, String), ExperimentError> {
    let has = |probe: &ProbeCommand, figure: &str| probe.measures.iter().any(|m| m.figure == figure);
    if let Some((first, figure)) = name.split_once('.')
        && let Some(probe) = probes.iter().find(|p| p.name == first)
    {
        if has(probe, figure) {
            return Ok((Some(probe.name.clone()), figure.to_string()));
        }
        let known: Vec<&str> = probe.measures.iter().map(|m| m.figure.as_str()).collect();
        let what = message!(error_experiment_probe_without { probe: first, figure });
        return Err(unmeasured(what, figure, &known));
    }
    if probes.iter().any(|probe| has(probe, name)) {
        return Ok((None, name.to_string()));
    }
    let full =
        |p: &ProbeCommand| p.measures.iter().map(|m| format!("{}.{}", p.name, m.figure)).collect::<Vec<_>>();
    let known: Vec<String> = probes.iter().flat_map(full).collect();
    Err(unmeasured(message!(error_experiment_unmeasured { name }), name, &known))
}

fn unmeasured<S: AsRef<str>>(what: Message, typed: &str, known: &[S]) -> ExperimentError {
    let names: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    let hint = match closest_spelling(typed, known) {
        Some(nearest) => message!(hint_experiment_or_add { nearest, typed, names }),
        None => message!(hint_experiment_add { names }),
    };
    ExperimentError::new(what, hint)
}

pub(crate) fn parse_quantity(figure: &str, typed: &str) -> Result<f64, ExperimentError> {
    let refuse = |why: Message, hint: Message| {
        let typed = format!("{typed:?}");
        ExperimentError::new(message!(error_experiment_not_held_to { figure, typed, why }), hint)
    };
    let write = |example: &str| message!(hint_experiment_write { example });
    let fits = |e: QuantityError, example: &str| {
        let ambiguous = e.fault.is_ambiguous();
        refuse(e.message(), if ambiguous { quantity_error::hint(&e) } else { write(example) })
    };
    let finite = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    match unit_of_metric(figure) {
        "bit/s" => typed.parse::<BitRate>().map(|rate| rate.0 as f64).map_err(|e| fits(e, "900 Mbit/s")),
        "ns" => typed.parse::<Nanos>().map(|time| time.0 as f64).map_err(|e| fits(e, "250 us")),
        "byte" => typed.parse::<Bytes>().map(|size| size.0 as f64).map_err(|e| fits(e, "9000 B")),
        "%" => {
            let number = typed.strip_suffix('%').map(str::trim_end).and_then(finite);
            number.ok_or_else(|| refuse("it is in per cent".into(), write("50 %")))
        }
        _ => finite(typed)
            .ok_or_else(|| refuse("it is a plain number".into(), "write 1000, without a unit".into())),
    }
}

fn quoted(e: QuantityError) -> ExperimentError {
    ExperimentError::new(quantity_error::sentence(&e), quantity_error::hint(&e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::probe;

    fn read(text: &str) -> Result<MetricRequirement, ExperimentError> {
        let probes = [
            probe("tcp", &["goodput_bps", "hosts[].cpu.busy_percent"]),
            probe("rr", &["latency_ns.p50", "transactions_per_second"]),
            probe("sweep", &["points[].goodput_bps"]),
        ];
        parse_requirement(text, BTreeMap::new(), &probes)
    }

    fn refused(text: &str) -> (Message, Message) {
        let e = read(text).unwrap_err();
        (e.what, e.hint)
    }

    #[test]
    fn a_requirement_has_a_figure_a_relation_and_a_quantity() {
        let r = read("tcp.goodput_bps  >= 900 Mbit/s").unwrap();
        assert_eq!(r.text, "tcp.goodput_bps >= 900 Mbit/s");
        assert_eq!((r.probe.as_deref(), r.figure.as_str()), (Some("tcp"), "goodput_bps"));
        assert_eq!((r.relation, r.value, r.size_bytes), (ComparisonOperator::AtLeast, 9e8, None));
        let r = read("rr.latency_ns.p50<250us").unwrap();
        assert_eq!(
            (r.figure.as_str(), r.relation, r.value),
            ("latency_ns.p50", ComparisonOperator::Below, 250_000.0)
        );
        let r = read("goodput_bps > 1 Gbit").unwrap();
        assert_eq!((r.probe, r.relation, r.value), (None, ComparisonOperator::Above, 1e9));
        let r = read("tcp.hosts[].cpu.busy_percent <= 50 %").unwrap();
        assert_eq!((r.relation, r.value), (ComparisonOperator::AtMost, 50.0));
        assert_eq!(read("rr.transactions_per_second >= 1000").unwrap().value, 1000.0);
        let r = read("sweep.points[].goodput_bps at 64KiB >= 500 Mbit/s").unwrap();
        assert_eq!((r.size_bytes, r.figure.as_str()), (Some(65536), "points[].goodput_bps"));
    }

    #[test]
    fn a_wrong_unit_and_what_no_probe_measures_are_refused_with_what_fits() {
        let (what, hint) = refused("tcp.goodput_bps >= 900 ms");
        assert_eq!(what, "goodput_bps cannot be held to \"900 ms\": \"ms\" is not a unit of rate");
        assert_eq!(hint, "write 900 Mbit/s");
        assert_eq!(refused("rr.latency_ns.p50 < 3 Mbit/s").1, "write 250 us");
        assert_eq!(refused("tcp.hosts[].cpu.busy_percent < 50").1, "write 50 %");
        assert_eq!(refused("rr.transactions_per_second > 5 ms").1, "write 1000, without a unit");
        assert!(refused("tcp.goodput_bps >= 100M").1.contains("100Mbit"));
        assert!(refused("tcp.goodput_bps >= 900").0.contains("the unit is missing"));

        let (what, hint) = refused("tcp.goodput_bp >= 1 Gbit/s");
        assert_eq!(what, "probe tcp does not measure goodput_bp");
        let measured = "measured are goodput_bps, hosts[].cpu.busy_percent";
        assert_eq!(hint, format!("write goodput_bps, or add goodput_bp to measures; {measured}").as_str());
        assert_eq!(refused("udp.goodput_bps > 1 Gbit/s").0, "no probe measures udp.goodput_bps");
        assert_eq!(refused("tcp.goodput_bps is good").0, "\"tcp.goodput_bps is good\" compares nothing");
        let single = refused("tcp.goodput_bps at 64KiB > 1 Gbit/s").0;
        assert_eq!(single, "goodput_bps is a single value, not one value per size");
        assert!(refused("sweep.points[].goodput_bps at 64K > 1 Gbit/s").1.contains("64KiB"));
    }

    #[test]
    fn a_named_requirement_needs_no_probe() {
        let known = ["tcp_send_bps", "idle_latency_p50_ns", "cpu_to.busiest_percent"];
        let r = parse_named_requirement("tcp_send_bps>=10Gbit", &known).unwrap();
        assert_eq!((r.text.as_str(), r.figure.as_str()), ("tcp_send_bps>=10Gbit", "tcp_send_bps"));
        assert_eq!((r.relation, r.value, r.probe), (ComparisonOperator::AtLeast, 1e10, None));
        let r = parse_named_requirement("idle_latency_p50_ns  < 250 us", &known).unwrap();
        assert_eq!((r.text.as_str(), r.value), ("idle_latency_p50_ns < 250 us", 250_000.0));
        let r = parse_named_requirement("cpu_to.busiest_percent <= 90%", &known).unwrap();
        assert_eq!((r.relation, r.value), (ComparisonOperator::AtMost, 90.0));
        let refused = |text| parse_named_requirement(text, &known).unwrap_err();
        let all = "tcp_send_bps, idle_latency_p50_ns, cpu_to.busiest_percent";
        let unknown = refused("tcp_sent_bps > 1 Gbit");
        assert_eq!(unknown.what, "there is no metric tcp_sent_bps");
        assert_eq!(unknown.hint, format!("write tcp_send_bps; there are {all}").as_str());
        assert_eq!(refused("x > 1").hint, format!("write one of {all}").as_str());
        assert!(refused("tcp_send_bps").what.ends_with("compares nothing"));
        assert_eq!(refused("tcp_send_bps > 1 s").hint, "write 900 Mbit/s");
    }
}
