//! Files read back by the library's own reader have every value.

use super::*;
use crate::documents;
use goodput_model::{Run, Series};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::collections::BTreeMap;

fn read(bytes: Vec<u8>) -> (BTreeMap<String, String>, Vec<Row>) {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let about = about.iter().map(|kv| (kv.key.clone(), kv.value.clone().unwrap())).collect();
    (about, reader.get_row_iter(None).unwrap().map(Result::unwrap).collect())
}

fn field(row: &Row, name: &str) -> Field {
    row.get_column_iter().find(|(n, _)| *n == name).map(|(_, f)| f.clone()).unwrap()
}

fn run_with(series: Vec<Series>) -> Run {
    let mut trial = documents::trial_of(&documents::stream_100());
    for end in &mut trial.ends {
        end.series.clear();
    }
    trial.ends[0].series = series;
    Run { head: documents::head(), trials: vec![trial], steps: vec![], finished: true }
}

#[test]
fn every_sample_is_a_row_and_what_a_series_does_not_have_is_null() {
    let rows = 20_000i64;
    let long: Vec<i64> = (0..rows).map(|n| n * n - i64::MAX / 2).collect();
    let run = run_with(vec![
        Series::new("intervals", vec![("end_ns", vec![5, 9]), ("bytes", vec![7, 0])]),
        Series::new("round_trips", vec![("rtt_ns", long.clone()), ("row", long.clone())]),
        Series::new("empty", vec![("never", vec![])]),
    ]);
    let (about, found) = read(encode_samples(&run).unwrap());
    assert_eq!(about["goodput.schema"], "goodput/samples/1");
    assert_eq!(serde_json::from_str::<RunHeader>(&about["goodput.run"]).unwrap(), run.head);
    assert_eq!(found.len() as i64, 2 + rows);
    let second = ["end_ns", "bytes", "rtt_ns", "row"].map(|name| field(&found[1], name));
    assert_eq!(second, [Field::Long(9), Field::Long(0), Field::Null, Field::Long(1)]);
    for (n, row) in found[2..].iter().enumerate() {
        let values = ["row", "rtt_ns", "sample_row"].map(|name| field(row, name));
        assert_eq!(values, [n as i64, long[n], long[n]].map(Field::Long));
        assert_eq!(
            (field(row, "series"), field(row, "bytes")),
            (Field::Str("round_trips".into()), Field::Null)
        );
    }
    assert!(found[0].get_column_iter().all(|(name, _)| name != "never"));
    assert_eq!(encode_samples(&run).unwrap(), encode_samples(&run).unwrap());
}

#[test]
fn large_series_have_groups_of_their_own_and_a_run_may_have_none() {
    let long = |n: i64| Series::new("x", vec![("v", (0..n).collect())]);
    let run = run_with(vec![long(10), long(300_000), long(20)]);
    let bytes = encode_samples(&run).unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes.clone())).unwrap();
    let rows: Vec<i64> =
        (0..reader.num_row_groups()).map(|g| reader.metadata().row_group(g).num_rows()).collect();
    assert_eq!(rows, [300_010, 20]);
    assert!(bytes.len() < 1_500_000, "texts that repeat cost next to nothing: {} B", bytes.len());
    assert_eq!(read(encode_samples(&run_with(vec![])).unwrap()).1.len(), 0);
}

#[test]
fn figures_have_their_names_and_units() {
    let document = documents::demo();
    let (about, rows) = read(encode_metrics(&documents::head(), &document).unwrap());
    assert_eq!(about["goodput.schema"], "goodput/figures/1");
    let is = |row: &&Row, name: &str, value: &str| field(row, name) == Field::Str(value.into());
    for trial in crate::trial_summaries(&document).into_iter().filter(|t| t.goodput_bps.is_some()) {
        let row = rows
            .iter()
            .filter(|r| field(r, "trial") == Field::Long(i64::from(trial.trial.0)))
            .find(|r| is(r, "figure", "goodput_bps"))
            .unwrap();
        let text = |name: &str| Field::Str(name.into());
        let expected =
            [Field::Double(trial.goodput_bps.unwrap() as f64), text("bit/s"), text(trial.probe.name())];
        assert_eq!(["value", "unit", "probe"].map(|name| field(row, name)), expected);
    }
    let sizes = rows.iter().filter(|r| is(r, "figure", "points[].time_ns"));
    let points: usize = crate::trial_summaries(&document).iter().map(|t| t.pingpong_points().len()).sum();
    assert!(points > 0);
    assert_eq!(sizes.filter(|r| matches!(field(r, "size_bytes"), Field::Long(_))).count(), points);
}
