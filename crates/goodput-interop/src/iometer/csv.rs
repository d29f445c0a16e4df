//! Writes load runs as IOmeter's `results.csv`. Rows are those of `Record Results` = NO_WORKERS: ALL, each
//! MANAGER (the server first) and its PROCESSORs. `docs/coming-from-iometer.md` describes every column and
//! its differences. Values that goodput does not measure are empty.

mod columns;
mod latency_times;
mod metrics;
mod row;

use super::errors::IcfWriteError;
use super::plan::TestType;
use goodput_analysis::summary::summarize_trial;
use goodput_model::Probe;
use goodput_model::load::{Load, RequestMix};
use goodput_model::run::RunHeader;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{Trial, TrialOutcome};
use goodput_words::{Message, message};
use metrics::LoadPointMetrics;
pub(super) use metrics::used_request_mixes;
use std::fmt::Write as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsvLayout {
    /// 1.1.0: 80 columns; `MiBps (Binary)`: 2^20 bytes/s, `MBps (Decimal)`: 10^6; 21 bins of response times.
    V1_1,
    /// 56 columns until 2008: one `MBps`, which is 2^20 bytes/s.
    Y1999,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CsvHeader {
    /// One line.
    pub description: String,
    /// RFC 3339; written in its own time zone.
    pub started: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CsvOutput {
    pub text: String,
    /// Trials that are missing or incomplete, each in a sentence.
    pub notes: Vec<Message>,
}

/// Fails as [`csv`], and when no trial is a load.
pub fn csv_from_run(
    head: &RunHeader,
    trials: &[Trial],
    layout: CsvLayout,
) -> Result<CsvOutput, IcfWriteError> {
    let loads = trials.iter().filter(|trial| matches!(trial.probe, Probe::Load(_)));
    let summaries: Vec<(&Trial, TrialSummary)> = loads.map(|trial| (trial, summarize_trial(trial))).collect();
    let points = summaries.iter().map(|(trial, summary)| (*trial, summary));
    let head = CsvHeader { description: head.command.join(" "), started: head.started.clone() };
    csv_from_load_points(&head, points, layout)
}

/// Fails for a name or a description with commas, quotes or line ends, and when no point has a result.
pub(super) fn csv_from_load_points<'a>(
    head: &CsvHeader,
    points: impl Iterator<Item = (&'a Trial, &'a TrialSummary)>,
    layout: CsvLayout,
) -> Result<CsvOutput, IcfWriteError> {
    one_line("the description", &head.description)?;
    one_line("the time of the start", &head.started)?;
    let mut out = String::new();
    let mut notes = Vec::new();
    let number = super::plan::TEST_TYPE_NAMES.iter().position(|(_, t)| *t == TestType::Normal).unwrap_or(0);
    line(&mut out, "'Test Type,Test Description");
    line(&mut out, &format!("{number},{}", head.description));
    line(&mut out, &format!("'Version\n{}", layout.version()));
    line(&mut out, &format!("'Time Stamp\n{}", stamp(&head.started)));
    let mut written = 0;
    for (trial, summary) in points {
        match result(trial, summary) {
            Ok((load, figures)) => {
                run(&mut out, load, &figures, layout)?;
                written += 1;
                notes.extend(partial(summary));
            }
            Err(note) => notes.push(note),
        }
    }
    if written == 0 {
        return Err(IcfWriteError::new(
            "the run",
            "without a load",
            "results.csv holds points that goodput load measured",
        ));
    }
    line(&mut out, "'End Test");
    Ok(CsvOutput { text: out, notes })
}

impl CsvLayout {
    fn version(self) -> &'static str {
        match self {
            CsvLayout::V1_1 => "1.1.0",
            CsvLayout::Y1999 => "1999.10.20",
        }
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// `YYYY-MM-DD HH:MM:SS:mmm`; another text unchanged.
fn stamp(rfc3339: &str) -> String {
    let parts = || {
        let (date, rest) = rfc3339.split_once(['T', ' '])?;
        let (time, rest) = rest.split_at_checked(8)?;
        let fraction = rest.strip_prefix('.').unwrap_or("");
        let millis: String =
            fraction.chars().take_while(char::is_ascii_digit).chain("000".chars()).take(3).collect();
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ':'));
        (date.len() == 10 && digits(date) && digits(time)).then(|| format!("{date} {time}:{millis}"))
    };
    parts().unwrap_or_else(|| rfc3339.to_string())
}

fn result<'a>(trial: &Trial, summary: &'a TrialSummary) -> Result<(&'a Load, LoadPointMetrics), Message> {
    let left_out = |why: &str| {
        let (trial, why) = (summary.trial.to_string(), Message::from(why));
        message!(part_results_csv_left_out { trial, why })
    };
    let Probe::Load(load) = &summary.probe else {
        return Err(left_out("it is no load"));
    };
    match LoadPointMetrics::from_trial(trial, summary, load) {
        Some(figures) => Ok((load, figures)),
        None => Err(left_out("nothing was measured")),
    }
}

fn partial(summary: &TrialSummary) -> Vec<Message> {
    let trial = summary.trial.to_string();
    let mut notes = Vec::new();
    if let TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause } = &summary.outcome {
        notes.push(message!(part_results_csv_aborted { trial: &trial, cause: Message::from(cause) }));
    }
    for excluded in summary.load_summary().iter().flat_map(|l| &l.excluded) {
        let (host, why) = (&excluded.host, Message::from(&excluded.cause));
        notes.push(message!(part_results_csv_without_client { trial: &trial, host, why }));
    }
    notes
}

fn run(
    out: &mut String,
    load: &Load,
    figures: &LoadPointMetrics,
    layout: CsvLayout,
) -> Result<(), IcfWriteError> {
    let mixes = used_request_mixes(load);
    line(out, "'Access specifications");
    for mix in &mixes {
        specification(out, mix)?;
    }
    line(out, "'End access specifications\n'Results");
    line(out, &columns::header_line(layout));
    let spec = match mixes[..] {
        [mix] => mix.name.as_str(),
        // IOmeter leaves it blank when workers differ.
        _ => "",
    };
    let all = row::combine_managers(&figures.managers);
    for row in row::result_rows(load, figures, &all, spec)? {
        line(out, &columns::format_row(&row, layout));
    }
    if layout == CsvLayout::V1_1 {
        // The time of the run's end follows since 2003; a trial does not record it.
        line(out, "'Time Stamp\n");
    }
    Ok(())
}

/// With IOmeter's comma at the end of each line.
fn specification(out: &mut String, mix: &RequestMix) -> Result<(), IcfWriteError> {
    field("the mix", &mix.name)?;
    line(out, &format!("'Access specification name,default assignment\n{},0", mix.name));
    line(out, "'size,% of size,% reads,% random,delay,burst,align,reply");
    for l in &mix.lines {
        let _ = writeln!(
            out,
            "{},{},{},0,{},{},0,{},",
            l.size.0,
            l.share_percent,
            l.reads_percent,
            l.delay.0 / 1_000_000,
            l.burst,
            l.reply.0
        );
    }
    Ok(())
}

fn one_line(what: &'static str, text: &str) -> Result<(), IcfWriteError> {
    match text.chars().find(|c| c.is_control()) {
        Some(c) => {
            let why = message!(cause_icf_not_one_line { character: format!("{c:?}") });
            Err(IcfWriteError::new(what, text, why))
        }
        None => Ok(()),
    }
}

/// IOmeter would replace what is an error here by blanks.
fn field(what: &'static str, text: &str) -> Result<(), IcfWriteError> {
    one_line(what, text)?;
    if let Some(c) = text.chars().find(|c| matches!(c, ',' | '"')) {
        let why = message!(cause_icf_no_quotes { character: format!("{c:?}") });
        return Err(IcfWriteError::new(what, text, why));
    }
    if text.starts_with('\'') {
        return Err(IcfWriteError::new(what, text, "it begins with an apostrophe, which marks a heading"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::stamp;

    #[test]
    fn times_are_written_as_iometer_does() {
        assert_eq!(stamp("2000-01-02T03:04:05.678901Z"), "2000-01-02 03:04:05:678");
        assert_eq!(stamp("2000-01-02T03:04:05.6Z"), "2000-01-02 03:04:05:600");
        assert_eq!(stamp("2000-01-02 03:04:05+09:00"), "2000-01-02 03:04:05:000");
        for other in ["", "yesterday", "2000-01-02", "2000-01-02Té:é"] {
            assert_eq!(stamp(other), other);
        }
    }
}
