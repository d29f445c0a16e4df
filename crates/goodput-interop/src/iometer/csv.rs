//! Writes load runs as IOmeter's `results.csv`. Rows are those of `Record Results` = NO_WORKERS: ALL, each
//! MANAGER (the server first) and its PROCESSORs. `docs/coming-from-iometer.md` describes every column and
//! its differences. Values that goodput does not measure are empty.

mod columns;
mod figures;
mod row;
mod times;

use super::plan::TestType;
use super::problem::WriteError;
use figures::Figures;
use goodput_analysis::summary::summarise;
use goodput_model::load::{Load, Mix};
use goodput_model::run::RunHead;
use goodput_model::summary::Summary;
use goodput_model::trial::{Outcome, Trial};
use goodput_model::{Probe, TrialId};
use std::fmt::Write as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// 80 columns of 1.1.0: `MiBps (Binary)` of 2^20 bytes/s, `MBps (Decimal)` of 10^6 bytes/s, and 21 bins
    /// of response times.
    V1_1,
    /// 56 columns until 2008: one `MBps`, which is 2^20 bytes/s.
    Y1999,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// One line.
    pub description: String,
    /// RFC 3339; written in its own time zone.
    pub started: String,
}

#[derive(Debug, Clone, Copy)]
pub struct Point<'a> {
    /// For each end's response times.
    pub trial: &'a Trial,
    pub summary: &'a Summary,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csv {
    pub text: String,
    /// Trials that are missing or incomplete, each in a sentence.
    pub notes: Vec<String>,
}

/// Fails as [`csv`], and when no trial is a load.
pub fn of_run(head: &RunHead, trials: &[Trial], layout: Layout) -> Result<Csv, WriteError> {
    let loads = trials.iter().filter(|trial| matches!(trial.probe, Probe::Load(_)));
    let summaries: Vec<(&Trial, Summary)> = loads.map(|trial| (trial, summarise(trial))).collect();
    let points: Vec<Point<'_>> = summaries.iter().map(|(trial, summary)| Point { trial, summary }).collect();
    let head = Head { description: head.command.join(" "), started: head.started.clone() };
    csv(&head, &points, layout)
}

/// Fails for a name or a description with commas, quotes or line ends, and when no point has a result.
pub fn csv(head: &Head, points: &[Point<'_>], layout: Layout) -> Result<Csv, WriteError> {
    one_line("the description", &head.description)?;
    one_line("the time of the start", &head.started)?;
    let mut out = String::new();
    let mut notes = Vec::new();
    let number = super::plan::TEST_TYPES.iter().position(|(_, t)| *t == TestType::Normal).unwrap_or(0);
    line(&mut out, "'Test Type,Test Description");
    line(&mut out, &format!("{number},{}", head.description));
    line(&mut out, &format!("'Version\n{}", layout.version()));
    line(&mut out, &format!("'Time Stamp\n{}", stamp(&head.started)));
    let mut written = 0;
    for point in points {
        match result(point) {
            Ok((load, figures)) => {
                run(&mut out, load, &figures, layout)?;
                written += 1;
                notes.extend(partial(point.summary));
            }
            Err(note) => notes.push(note),
        }
    }
    if written == 0 {
        return Err(WriteError::new(
            "the run",
            "without a load",
            "results.csv holds points that goodput load measured",
        ));
    }
    line(&mut out, "'End Test");
    Ok(Csv { text: out, notes })
}

impl Layout {
    fn version(self) -> &'static str {
        match self {
            Layout::V1_1 => "1.1.0",
            Layout::Y1999 => "1999.10.20",
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

fn result<'a>(point: &Point<'a>) -> Result<(&'a Load, Figures), String> {
    let left_out = |why: &str| format!("trial {} is left out: {why}", point.summary.trial);
    let Probe::Load(load) = &point.summary.probe else {
        return Err(left_out("it is no load"));
    };
    match Figures::of(point.trial, point.summary, load) {
        Some(figures) => Ok((load, figures)),
        None => Err(left_out("nothing was measured")),
    }
}

fn partial(summary: &Summary) -> Vec<String> {
    let trial: TrialId = summary.trial;
    let mut notes = Vec::new();
    if let Outcome::Partial { cause } | Outcome::Failed { cause } = &summary.outcome {
        notes.push(format!("trial {trial} broke off ({cause}): its rows hold what was measured until then"));
    }
    for excluded in summary.load().iter().flat_map(|l| &l.excluded) {
        notes.push(format!("trial {trial} is without {}: {}", excluded.host, excluded.cause));
    }
    notes
}

fn run(out: &mut String, load: &Load, figures: &Figures, layout: Layout) -> Result<(), WriteError> {
    let mixes = figures::used(load);
    line(out, "'Access specifications");
    for mix in &mixes {
        specification(out, mix)?;
    }
    line(out, "'End access specifications\n'Results");
    line(out, &columns::heading(layout));
    let spec = match mixes[..] {
        [mix] => mix.name.as_str(),
        // IOmeter leaves it blank when workers differ.
        _ => "",
    };
    let all = row::together(&figures.managers);
    for row in row::rows(load, figures, &all, spec)? {
        line(out, &columns::cells(&row, layout));
    }
    if layout == Layout::V1_1 {
        // The time of the run's end follows since 2003; a trial does not record it.
        line(out, "'Time Stamp\n");
    }
    Ok(())
}

/// With IOmeter's comma at the end of each line.
fn specification(out: &mut String, mix: &Mix) -> Result<(), WriteError> {
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

fn one_line(what: &'static str, text: &str) -> Result<(), WriteError> {
    match text.chars().find(|c| c.is_control()) {
        Some(c) => Err(WriteError::new(what, text, format!("it holds {c:?}, and is to be one line"))),
        None => Ok(()),
    }
}

/// IOmeter would replace what is an error here by blanks.
fn field(what: &'static str, text: &str) -> Result<(), WriteError> {
    one_line(what, text)?;
    if let Some(c) = text.chars().find(|c| matches!(c, ',' | '"')) {
        let why = format!("it holds {c:?}, and results.csv has no quotes to put a name in; give it another");
        return Err(WriteError::new(what, text, why));
    }
    if text.starts_with('\'') {
        return Err(WriteError::new(what, text, "it begins with an apostrophe, which marks a heading"));
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
