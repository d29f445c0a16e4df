//! `goodput show|list|export|report`: reading what was recorded.

use super::value;
use crate::failure::Failure;
use clap::Args;
use goodput_interop::iometer::Layout;
use std::path::PathBuf;

/// The run that a reading command means, as typed.
#[derive(Debug, Args)]
pub struct TypedWhich {
    /// The run: its name or the beginning of it, its folder, or last
    #[arg(value_name = "RUN", default_value = "last")]
    run: String,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
}

/// The run that is meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Which {
    /// `last`, a folder, a name or the beginning of one.
    pub run: String,
    /// Folder of the runs, when one was named.
    pub runs: Option<PathBuf>,
}

impl TypedWhich {
    fn meaning(self) -> Which {
        Which { run: self.run, runs: self.runs }
    }
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedShow {
    #[command(flatten)]
    which: TypedWhich,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Print the tables of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Show {
    /// The run.
    pub which: Which,
    /// One document.
    pub json: bool,
}

impl TypedShow {
    /// What is meant.
    pub fn meaning(self) -> Result<Show, Failure> {
        Ok(Show { which: self.which.meaning(), json: self.json })
    }
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedList {
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Print one JSON document instead of a table
    #[arg(long)]
    json: bool,
}

/// Print which runs there are.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Folder of the runs, when one was named.
    pub runs: Option<PathBuf>,
    /// One document.
    pub json: bool,
}

impl TypedList {
    /// What is meant.
    pub fn meaning(self) -> Result<List, Failure> {
        Ok(List { runs: self.runs, json: self.json })
    }
}

/// A form that a run can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The document of `--json`.
    Json,
    /// One table of the document as rows.
    Csv,
    /// np.out, in NetPIPE's units.
    NetPipe,
    /// results.csv as IOmeter writes it.
    Iometer(Layout),
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedExport {
    #[command(flatten)]
    which: TypedWhich,
    /// json, csv, netpipe, iometer (results.csv of IOmeter 1.1) or iometer-1999 (of versions until 2008)
    #[arg(long, value_name = "FORMAT")]
    format: String,
    /// Only this trial [default: all; np.out holds the first sweep]
    #[arg(long, value_name = "N")]
    trial: Option<String>,
    /// CSV: trials, points, intervals, latency, datagrams or path_mtu [default: the one with the most detail]
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print errors as one JSON document; the export itself goes to --output then
    #[arg(long, requires = "output")]
    json: bool,
}

/// Write a run in another form.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// The run.
    pub which: Which,
    /// The form.
    pub format: Format,
    /// The trial.
    pub trial: Option<u32>,
    /// The table of a CSV export.
    pub table: Option<&'static str>,
    /// The file; `None` is standard output.
    pub output: Option<PathBuf>,
    /// Say what was written as one document.
    pub json: bool,
}

impl TypedExport {
    /// What is meant.
    pub fn meaning(self) -> Result<Export, Failure> {
        let formats = [
            ("json", Format::Json),
            ("csv", Format::Csv),
            ("netpipe", Format::NetPipe),
            ("iometer", Format::Iometer(Layout::V1_1)),
            ("iometer-1999", Format::Iometer(Layout::Y1999)),
        ];
        Ok(Export {
            which: self.which.meaning(),
            format: value::word("--format", &self.format, &formats)?,
            trial: self
                .trial
                .map(|t| value::whole("--trial", &t, 1..=u32::MAX.into()).map(|n| n as u32))
                .transpose()?,
            table: self.table.map(|t| value::word("--table", &t, &TABLES)).transpose()?,
            output: self.output,
            json: self.json,
        })
    }
}

/// The tables of a CSV export.
const TABLES: [(&str, &str); 6] = [
    ("trials", "trials"),
    ("points", "points"),
    ("intervals", "intervals"),
    ("latency", "latency"),
    ("datagrams", "datagrams"),
    ("path_mtu", "path_mtu"),
];

/// As typed.
#[derive(Debug, Args)]
pub struct TypedReport {
    #[command(flatten)]
    which: TypedWhich,
    /// Folder for report.html and its figures [default: the run's own folder]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Say what was written as one JSON document
    #[arg(long)]
    json: bool,
}

/// Write a report with figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The run.
    pub which: Which,
    /// The folder; `None` is the run's own.
    pub output: Option<PathBuf>,
    /// One document.
    pub json: bool,
}

impl TypedReport {
    /// What is meant.
    pub fn meaning(self) -> Result<Report, Failure> {
        Ok(Report { which: self.which.meaning(), output: self.output, json: self.json })
    }
}
