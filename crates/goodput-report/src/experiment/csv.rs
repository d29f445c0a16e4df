//! Observations as CSV: one per line, base units, one column per factor.

use crate::csv::table::{CsvField, encode_csv};
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, ObservedValue};

/// Columns of every data set; a factor of such a name gets the prefix `factor `.
const OWN: [&str; 10] =
    ["probe", "figure", "unit", "size_bytes", "block", "order", "value", "outcome", "reason", "evidence"];

pub fn observations_to_csv(data: &DataSet) -> String {
    let factor =
        |name: &String| if OWN.contains(&name.as_str()) { format!("factor {name}") } else { name.clone() };
    let factors: Vec<String> = data.factors.iter().map(|a| factor(&a.name)).collect();
    let mut header: Vec<&str> = OWN[..3].to_vec();
    header.extend(factors.iter().map(String::as_str));
    header.extend(&OWN[3..]);
    let record = |row: &DataRow| {
        let head = data.measures.get(row.measure);
        let text = |f: fn(&DataSetMetric) -> &String| CsvField::from(head.map(f));
        let mut cells = vec![text(|m| &m.probe), text(|m| &m.figure), text(|m| &m.unit)];
        cells.extend(data.factors.iter().map(|a| CsvField::from(row.levels.get(&a.name))));
        let (value, outcome, reason) = match &row.value {
            ObservedValue::Value(v) => (Some(*v), "measured", None),
            ObservedValue::Failed(reason) => (None, "failed", Some(reason.as_str())),
            ObservedValue::NotMeasured => (None, "not measured", None),
        };
        let rest: [CsvField; 7] = [
            row.size_bytes.into(),
            row.block.into(),
            row.order.into(),
            value.into(),
            outcome.into(),
            reason.into(),
            row.evidence.as_str().into(),
        ];
        cells.extend(rest);
        cells
    };
    encode_csv(&header, data.rows.iter().map(record).collect())
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    #[test]
    fn every_observation_is_a_line_and_says_what_became_of_it() {
        let (mut data, _) = test_data::small_experiment_data();
        data.factors[0].name = "value".into();
        let text = observations_to_csv(&data);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), data.rows.len() + 1);
        assert!(lines[0].starts_with("probe,figure,unit,factor value,"), "{}", lines[0]);
        assert!(lines.iter().any(|l| l.contains(",failed,timed out after 30 s,")));
        assert!(lines.iter().any(|l| l.contains(",not measured,,")));
        let columns = lines[0].split(',').count();
        assert!(lines.iter().all(|l| l.split(',').count() == columns));
    }
}
