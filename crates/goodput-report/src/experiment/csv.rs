//! The observations as CSV: one a line, values in base units, the factors each a column.

use crate::csv::{Writer, number};
use goodput_model::experiment::data::{DataSet, Observed};

/// Columns that every data set has; a factor of such a name gets `factor ` before it.
const OWN: [&str; 10] =
    ["probe", "figure", "unit", "size_bytes", "block", "order", "value", "outcome", "reason", "evidence"];

/// Every observation in the order of the data.
pub fn observations(data: &DataSet) -> String {
    let factor =
        |name: &String| if OWN.contains(&name.as_str()) { format!("factor {name}") } else { name.clone() };
    let factors: Vec<String> = data.factors.iter().map(|a| factor(&a.name)).collect();
    let mut header: Vec<&str> = OWN[..3].to_vec();
    header.extend(factors.iter().map(String::as_str));
    header.extend(&OWN[3..]);
    let mut out = Writer::with(&header.iter().map(|h| h.to_string()).collect::<Vec<_>>());
    for row in &data.rows {
        let head = data.measures.get(row.measure);
        let text = |f: fn(&goodput_model::experiment::data::MeasureHead) -> &String| {
            head.map(f).cloned().unwrap_or_default()
        };
        let mut cells = vec![text(|m| &m.probe), text(|m| &m.figure), text(|m| &m.unit)];
        cells.extend(data.factors.iter().map(|a| row.levels.get(&a.name).cloned().unwrap_or_default()));
        let (value, outcome, reason) = match &row.value {
            Observed::Value(v) => (number(Some(*v)), "measured", String::new()),
            Observed::Failed(reason) => (String::new(), "failed", reason.clone()),
            Observed::NotMeasured => (String::new(), "not measured", String::new()),
        };
        cells.extend([
            row.size_bytes.map(|s| s.to_string()).unwrap_or_default(),
            row.block.to_string(),
            row.order.map(|o| o.to_string()).unwrap_or_default(),
            value,
            outcome.into(),
            reason,
            row.evidence.clone(),
        ]);
        out.row(&cells);
    }
    out.text
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_observation_is_a_line_and_says_what_became_of_it() {
        let (mut data, _) = samples::small();
        data.factors[0].name = "value".into();
        let text = observations(&data);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), data.rows.len() + 1);
        assert!(lines[0].starts_with("probe,figure,unit,factor value,"), "{}", lines[0]);
        assert!(lines.iter().any(|l| l.contains(",failed,timed out after 30 s,")));
        assert!(lines.iter().any(|l| l.contains(",not measured,,")));
        let columns = lines[0].split(',').count();
        assert!(lines.iter().all(|l| l.split(',').count() == columns));
    }
}
