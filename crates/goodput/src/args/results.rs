//! `goodput show|list|export|report`: recorded runs.

use super::value_parsers::{self, CommaList, NamedChoices, ValueError, parse_integer};
use crate::failure::Failure;
use clap::{Args, ValueHint};
use goodput_interop::iometer::CsvLayout;
use goodput_words::message;
use std::path::PathBuf;

/// The run that a command reads.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct RunSelection {
    /// Run: its name, a prefix of the name, its folder, or last
    #[arg(value_name = "RUN", default_value = "last")]
    pub run: String,
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub runs: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub which: RunSelection,
    /// Print the smallest change that repeated trials can detect, instead of the tables
    ///
    /// The run must have at least 16 trials with the same settings. With =3% it also prints how many blocks
    /// an experiment needs to detect a 3 % change.
    #[arg(long, value_name = "CHANGE", num_args = 0..=1, require_equals = true, value_parser = change)]
    pub resolution: Option<Option<f64>>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
}

fn change(typed: &str) -> Result<f64, ValueError> {
    let number = typed.strip_suffix('%').and_then(|n| n.trim_end().parse::<f64>().ok());
    number.filter(|share| share.is_finite() && *share > 0.0).ok_or_else(|| {
        let hint = message!(hint_args_type { value: "--resolution=3%" });
        ValueError::new("a change is a number of per cent above 0", hint)
    })
}

#[derive(Debug, Clone, PartialEq, Args)]
pub struct ListArgs {
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub runs: Option<PathBuf>,
    /// Print one JSON document instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Json,
    Csv,
    NetPipe,
    Iometer(CsvLayout),
    Parquet,
}

const FORMATS: NamedChoices<ExportFormat> = NamedChoices(&[
    ("json", ExportFormat::Json),
    ("csv", ExportFormat::Csv),
    ("parquet", ExportFormat::Parquet),
    ("netpipe", ExportFormat::NetPipe),
    ("iometer", ExportFormat::Iometer(CsvLayout::V1_1)),
    ("iometer-1999", ExportFormat::Iometer(CsvLayout::Y1999)),
]);

#[derive(Debug, Clone, PartialEq, Args)]
#[command(after_long_help = "Examples:
  goodput export --format csv                 the newest run's table with the most detail
  goodput export 01a2 --format parquet --table samples --output samples.parquet
  goodput export last --format netpipe --output np.out")]
pub struct ExportArgs {
    #[command(flatten)]
    pub which: RunSelection,
    /// File format; iometer is the results.csv of IOmeter 1.1, iometer-1999 that of versions until 2008
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS)]
    pub format: ExportFormat,
    /// Export only this trial [default: all; for np.out the first sweep]
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>(1..=u32::MAX as u64))]
    pub trial: Option<u32>,
    /// Table to export as CSV or Parquet [default: for CSV the most detailed table, for Parquet samples]
    ///
    /// CSV tables: trials, metrics, or a table of the probe (points, intervals, latency, datagrams, …).
    /// Parquet tables: samples, figures.
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the path of the written file, or the error, as JSON
    #[arg(long, requires = "output")]
    pub json: bool,
}

impl ExportArgs {
    pub fn validate(&self) -> Result<(), Failure> {
        if self.format == ExportFormat::Parquet && self.output.is_none() {
            return Err(Failure::usage_error("a Parquet file needs a name")
                .with_cause("it is binary, and its readers need random access")
                .with_hint("add --output samples.parquet"));
        }
        // Which CSV tables there are depends on the run.
        const PARQUET: [&str; 2] = ["samples", "figures"];
        match &self.table {
            Some(table) if self.format == ExportFormat::Parquet && !PARQUET.contains(&table.as_str()) => {
                Err(value_parsers::unknown_name_error(PARQUET.into_iter())
                    .into_failure_for_option("--table", table))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    Html,
    /// The web page of `goodput serve` with the run's data embedded.
    Page,
    Markdown,
    Text,
    Svg,
    Png,
    Csv,
    Json,
}

const FORMS: NamedChoices<ReportFormat> = NamedChoices(&[
    ("html", ReportFormat::Html),
    ("page", ReportFormat::Page),
    ("markdown", ReportFormat::Markdown),
    ("text", ReportFormat::Text),
    ("svg", ReportFormat::Svg),
    ("png", ReportFormat::Png),
    ("csv", ReportFormat::Csv),
    ("json", ReportFormat::Json),
]);

impl ReportFormat {
    pub fn is_text_format(self) -> bool {
        matches!(self, ReportFormat::Markdown | ReportFormat::Text | ReportFormat::Csv | ReportFormat::Json)
    }
}

const RUN_OR_FILE: &str =
    "Run: its name, a prefix of the name, its folder, or last; or a TOML file of published values";

fn forms(typed: &str) -> Result<CommaList<ReportFormat>, ValueError> {
    let mut forms = Vec::new();
    for name in typed.split(',') {
        let form = FORMS.parse(name.trim())?;
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    Ok(CommaList(forms))
}

#[derive(Debug, Clone, PartialEq, Args)]
#[command(mut_arg("run", |run| run.value_name("RUN|FILE").help(RUN_OR_FILE)))]
#[command(after_long_help = "Examples:
  goodput report                              report.html and figures of the newest run
  goodput report last --format markdown       as Markdown, to standard output
  goodput report last --format page           page.html: one file with figures to zoom")]
pub struct ReportArgs {
    #[command(flatten)]
    pub which: RunSelection,
    /// Report formats, separated by commas: html, page, markdown, text, svg, png, csv, json
    #[arg(long, value_name = "FORMAT", default_value = "html,svg,png", value_parser = forms)]
    pub format: CommaList<ReportFormat>,
    /// Output folder [default: the run's folder; markdown, text, csv and json go to standard output]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Print the paths of the written files as JSON
    #[arg(long)]
    pub json: bool,
}

impl ReportArgs {
    /// At most one text goes to standard output.
    pub fn validate(&self) -> Result<(), Failure> {
        let printed = self.format.0.iter().any(|f| f.is_text_format()) && self.output.is_none();
        if printed && (self.format.0.len() > 1 || self.json) {
            return Err(Failure::usage_error("only one text goes to standard output")
                .with_cause("markdown, text, csv and json are written there unless a folder is named")
                .with_hint("name a folder with --output"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(format: &str, output: Option<&str>, json: bool) -> Result<Vec<ReportFormat>, Failure> {
        let format = forms(format).map_err(|e| e.into_failure_for_option("--format", format))?;
        let output = output.map(PathBuf::from);
        let which = RunSelection { run: "last".into(), runs: None };
        let args = ReportArgs { which, format, output, json };
        args.validate().map(|()| args.format.0)
    }

    #[test]
    fn formats_are_named_one_by_one_or_with_commas() {
        use ReportFormat::{Csv, Html, Json, Markdown, Page, Png, Svg};
        let formats = |format: &str, output, json| report(format, output, json).unwrap();
        assert_eq!(formats("html,svg,png", None, true), [Html, Svg, Png]);
        assert_eq!(formats("markdown", None, false), [Markdown]);
        assert_eq!(formats("csv, json,csv", Some("x"), true), [Csv, Json]);
        // The page is always a file, never standard output.
        assert!(!formats("page", None, true)[0].is_text_format());
        assert_eq!(formats("html,page", None, false), [Html, Page]);
        assert!(report("pdf", None, false).is_err());
        // Two texts, or a text and its document, cannot both be standard output.
        assert!(report("csv,json", None, false).unwrap_err().hint.unwrap().contains("--output"));
        assert!(report("html,markdown", None, false).is_err());
        assert!(report("csv", None, true).is_err());
    }
}
