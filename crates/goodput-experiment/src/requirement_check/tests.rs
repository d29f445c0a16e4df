use super::*;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::data_set::{DataRow, FactorAxis};
use goodput_model::metric;

fn data(figure: &str, rows: &[(&str, Option<u64>, ObservedValue)]) -> DataSet {
    let (probe, unit) = ("tcp".into(), metric::unit_of_metric(figure).into());
    let row = |((level, size_bytes, value), order): (&(&str, Option<u64>, ObservedValue), u32)| DataRow {
        levels: FactorLevels::from([("cc".into(), (*level).into())]),
        measure: 0,
        size_bytes: *size_bytes,
        value: value.clone(),
        block: 1,
        order: Some(order),
        evidence: format!("trial {order}").into(),
    };
    let curve = figure.strip_prefix("points[].");
    DataSet {
        factors: vec![FactorAxis {
            name: "cc".into(),
            levels: vec!["a".into(), "b".into()],
            numbers: vec![],
        }],
        measures: vec![DataSetMetric {
            probe,
            figure: curve.unwrap_or(figure).into(),
            unit,
            better: BetterDirection::Higher,
            over_size: curve.is_some(),
        }],
        rows: rows.iter().zip(0..).map(row).collect(),
        ..DataSet::default()
    }
}

/// At least 90.
fn enough(figure: &str) -> MetricRequirement {
    requirement(figure, ComparisonOperator::AtLeast, 90.0)
}

fn failed(level: &str) -> (&str, Option<u64>, ObservedValue) {
    (level, None, ObservedValue::Failed("timed out".into()))
}

fn sizes() -> Vec<(&'static str, Option<u64>, ObservedValue)> {
    [(1024, 5.0), (65536, 95.0)].map(|(size, v)| ("a", Some(size), ObservedValue::Value(v))).into()
}

fn requirement(figure: &str, relation: ComparisonOperator, value: f64) -> MetricRequirement {
    MetricRequirement {
        text: format!("tcp.{figure} … {value}"),
        probe: Some("tcp".into()),
        figure: figure.into(),
        size_bytes: None,
        relation,
        value,
        only: BTreeMap::new(),
    }
}

fn values<'a>(level: &'a str, values: &[f64]) -> Vec<(&'a str, Option<u64>, ObservedValue)> {
    values.iter().map(|v| (level, None, ObservedValue::Value(*v))).collect()
}

fn verdict(requirement: &MetricRequirement, table: &DataSet) -> RequirementVerdict {
    evaluate_requirement(requirement, table).verdict
}

#[test]
fn every_combination_must_meet_it_and_the_worst_comes_first() {
    let mut rows = values("a", &[95.0, 96.0, 97.0]);
    rows.extend(values("b", &[91.0, 92.0, 93.0]));
    let table = data("goodput_bps", &rows);
    let judged =
        |limit| evaluate_requirement(&requirement("goodput_bps", ComparisonOperator::AtLeast, limit), &table);
    assert_eq!(judged(92.0).verdict, RequirementVerdict::Met);
    let failed = judged(92.5);
    assert_eq!((failed.verdict, failed.unit.as_str()), (RequirementVerdict::NotMet, "bit/s"));
    let [worst, best] = &failed.judged[..] else { panic!("{failed:?}") };
    assert_eq!((worst.levels["cc"].as_str(), worst.median), ("b", Some(92.0)));
    assert_eq!((worst.verdict, best.verdict), (RequirementVerdict::NotMet, RequirementVerdict::Met));
}

#[test]
fn what_was_not_measured_is_not_met() {
    let mut rows = values("a", &[95.0]);
    rows.extend([failed("b"), failed("b"), ("b", None, ObservedValue::NotMeasured)]);
    let judged = evaluate_requirement(&enough("goodput_bps"), &data("goodput_bps", &rows));
    let worst = &judged.judged[0];
    assert_eq!((judged.verdict, worst.median, worst.sure), (RequirementVerdict::NotMeasured, None, false));
    assert_eq!(worst.failures, ["timed out"]);
    let other = requirement("latency_ns.p50", ComparisonOperator::Below, 1.0);
    let nothing = evaluate_requirement(&other, &data("goodput_bps", &rows));
    assert_eq!((nothing.verdict, nothing.judged.len()), (RequirementVerdict::NotMeasured, 0));
    rows.extend(values("a", &[1.0, 1.0]));
    assert_eq!(verdict(&enough("goodput_bps"), &data("goodput_bps", &rows)), RequirementVerdict::NotMet);
}

#[test]
fn a_median_is_sure_where_its_whole_interval_is_on_its_side() {
    for (values, verdict, sure) in [
        (&[91.0, 92.0, 93.0, 94.0, 95.0, 96.0][..], RequirementVerdict::Met, true),
        (&[85.0, 86.0, 90.5, 91.0, 92.0, 93.0], RequirementVerdict::Met, false),
        (&[95.0, 96.0], RequirementVerdict::Met, false),
        (&[80.0; 6], RequirementVerdict::NotMet, true),
    ] {
        let table = data("goodput_bps", &self::values("a", values));
        let judged = evaluate_requirement(&enough("goodput_bps"), &table).judged.remove(0);
        assert_eq!((judged.verdict, judged.sure), (verdict, sure), "{values:?}");
        assert_eq!(judged.interval.is_none(), values.len() == 2, "{values:?}");
    }
}

#[test]
fn it_speaks_only_of_what_it_names() {
    let mut rows = values("a", &[95.0]);
    rows.extend(values("b", &[10.0]));
    let table = data("goodput_bps", &rows);
    let mut r = enough("goodput_bps");
    r.only = BTreeMap::from([("cc".to_string(), vec!["a".to_string()])]);
    assert_eq!(verdict(&r, &table), RequirementVerdict::Met);
    r.probe = Some("udp".into());
    assert_eq!(verdict(&r, &table), RequirementVerdict::NotMeasured);
    r.probe = None;
    assert_eq!(verdict(&r, &table), RequirementVerdict::Met);
    // Empty brackets stand for all hosts.
    let mut table = data("hosts[b].cpu.busy_percent", &values("a", &[40.0]));
    let held = requirement("hosts[].cpu.busy_percent", ComparisonOperator::Below, 50.0);
    assert_eq!(verdict(&held, &table), RequirementVerdict::Met);
    table.measures[0].figure = "hosts[b].cpu.steal_percent".into();
    assert_eq!(verdict(&held, &table), RequirementVerdict::NotMeasured);
    assert!(is("a[].b[].c", "a[x].b[y].c") && !is("a[].b", "a.b") && !is("a[].b", "a[x].bc"));
}

#[test]
fn a_curve_is_held_to_it_at_every_size_or_at_one() {
    let mut rows = sizes();
    let table = data("points[].goodput_bps", &rows);
    let mut r = enough("points[].goodput_bps");
    let all = evaluate_requirement(&r, &table);
    assert_eq!((all.verdict, all.judged[0].size_bytes), (RequirementVerdict::NotMet, Some(1024)));
    r.size_bytes = Some(65536);
    assert_eq!(verdict(&r, &table), RequirementVerdict::Met);
    rows.push(failed("a"));
    let judged = evaluate_requirement(&r, &data("points[].goodput_bps", &rows));
    assert_eq!((judged.verdict, judged.judged.len()), (RequirementVerdict::Met, 1));
    assert_eq!(judged.judged[0].failures, ["timed out"]);
    rows.retain(|(_, size, _)| size.is_none());
    assert_eq!(verdict(&r, &data("points[].goodput_bps", &rows)), RequirementVerdict::NotMeasured);
    r.size_bytes = Some(77);
    assert_eq!(verdict(&r, &table), RequirementVerdict::NotMeasured);
    // A load over sizes is a curve without points in its name.
    let mut load = data("goodput_bps", &sizes());
    load.measures[0].over_size = true;
    let mut r = enough("goodput_bps");
    assert_eq!(verdict(&r, &load), RequirementVerdict::NotMet);
    r.size_bytes = Some(65536);
    assert_eq!(verdict(&r, &load), RequirementVerdict::Met);
}
