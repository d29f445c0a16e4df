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
    /// How fine the set-up measures instead, from 16 equal trials of the run or more; with =3% also how many blocks of an
    /// experiment find a change of 3 %
    #[arg(long, value_name = "CHANGE", num_args = 0..=1, require_equals = true)]
    resolution: Option<Option<String>>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Print the tables of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Show {
    /// The run.
    pub which: Which,
    /// Its resolution instead, and of which change in per cent it is told how many blocks find it.
    pub resolution: Option<Option<f64>>,
    /// One document.
    pub json: bool,
}

impl TypedShow {
    /// What is meant.
    pub fn meaning(self) -> Result<Show, Failure> {
        let resolution = self.resolution.map(|typed| typed.as_deref().map(share).transpose()).transpose()?;
        Ok(Show { which: self.which.meaning(), resolution, json: self.json })
    }
}

/// A change in per cent, above 0.
fn share(typed: &str) -> Result<f64, Failure> {
    let number = typed.strip_suffix('%').and_then(|n| n.trim_end().parse::<f64>().ok());
    number.filter(|share| share.is_finite() && *share > 0.0).ok_or_else(|| {
        Failure::usage(format!("--resolution={typed} is refused"))
            .because("a change is a number of per cent above 0")
            .try_this("type --resolution=3%")
    })
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
    /// A table of Apache Parquet.
    Parquet,
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedExport {
    #[command(flatten)]
    which: TypedWhich,
    /// json, csv, parquet, netpipe, iometer (results.csv of IOmeter 1.1) or iometer-1999 (of versions until 2008)
    #[arg(long, value_name = "FORMAT")]
    format: String,
    /// Only this trial [default: all; np.out holds the first sweep]
    #[arg(long, value_name = "N")]
    trial: Option<String>,
    /// CSV: trials, points, intervals, latency, datagrams or path_mtu [default: the one with the most detail]. Parquet: samples
    /// or figures [default: samples]
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
    /// The table of a CSV or Parquet export.
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
            ("parquet", Format::Parquet),
            ("netpipe", Format::NetPipe),
            ("iometer", Format::Iometer(Layout::V1_1)),
            ("iometer-1999", Format::Iometer(Layout::Y1999)),
        ];
        let format = value::word("--format", &self.format, &formats)?;
        if format == Format::Parquet && self.output.is_none() {
            return Err(Failure::usage("a Parquet file needs a name")
                .because("it is no text, and a program that reads it wants to jump about in it")
                .try_this("add --output samples.parquet"));
        }
        let tables: &[(&str, &'static str)] =
            if format == Format::Parquet { &PARQUET_TABLES } else { &TABLES };
        Ok(Export {
            which: self.which.meaning(),
            format,
            trial: self
                .trial
                .map(|t| value::whole("--trial", &t, 1..=u32::MAX.into()).map(|n| n as u32))
                .transpose()?,
            table: self.table.map(|t| value::word("--table", &t, tables)).transpose()?,
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

/// The tables of a Parquet export.
const PARQUET_TABLES: [(&str, &str); 2] = [("samples", "samples"), ("figures", "figures")];

/// A form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One page for a browser, and for paper.
    Html,
    /// The page of `goodput serve` with the run inside: figures to zoom, tables to sort, the reader's language.
    Page,
    /// With GitHub's tables.
    Markdown,
    /// What the measuring command printed.
    Text,
    /// Every picture as SVG.
    Svg,
    /// Every picture as PNG.
    Png,
    /// The observations, or a run's tables.
    Csv,
    /// The document of `--json`.
    Json,
}

impl Form {
    const NAMES: [(&str, Form); 8] = [
        ("html", Form::Html),
        ("page", Form::Page),
        ("markdown", Form::Markdown),
        ("text", Form::Text),
        ("svg", Form::Svg),
        ("png", Form::Png),
        ("csv", Form::Csv),
        ("json", Form::Json),
    ];

    /// True for a form that is one text, which a terminal or a pipe can take.
    pub fn is_text(self) -> bool {
        matches!(self, Form::Markdown | Form::Text | Form::Csv | Form::Json)
    }

    /// The forms in a list of names.
    fn list(typed: &str) -> Result<Vec<Form>, Failure> {
        let mut forms = Vec::new();
        for name in typed.split(',') {
            let form = value::word("--format", name.trim(), &Form::NAMES)?;
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        Ok(forms)
    }
}

/// As typed.
#[derive(Debug, Args)]
#[command(
    after_help = "goodput report                              report.html and figures of the newest run\n\
    goodput report last --format markdown       as Markdown, to standard output\n\
    goodput report last --format page           page.html: figures to zoom, one file to be mailed\n\
    goodput report last --format svg,png --output figures\n\
    goodput report studies/atm-vs-ethernet/published.toml"
)]
pub struct TypedReport {
    /// The run: its name or the beginning of it, its folder, or last; or published figures: their description, a TOML file
    #[arg(value_name = "RUN|FILE", default_value = "last")]
    run: String,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// html, page, markdown, text, svg, png, csv, json, or several with commas [default: html,svg,png]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Folder for what is written [default: the run's own; markdown, text, csv and json go to standard output]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Say what was written as one JSON document
    #[arg(long)]
    json: bool,
}

/// Write a report with figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The run, or the description of published figures.
    pub which: Which,
    /// The forms.
    pub forms: Vec<Form>,
    /// The folder; `None` is the run's own, or standard output for a form that is one text.
    pub output: Option<PathBuf>,
    /// One document.
    pub json: bool,
}

impl TypedReport {
    /// What is meant.
    pub fn meaning(self) -> Result<Report, Failure> {
        let forms = Form::list(self.format.as_deref().unwrap_or("html,svg,png"))?;
        let printed = forms.iter().any(|f| f.is_text()) && self.output.is_none();
        if printed && (forms.len() > 1 || self.json) {
            return Err(Failure::usage("only one text goes to standard output")
                .because("markdown, text, csv and json are written there unless a folder is named")
                .try_this("name a folder with --output"));
        }
        let which = Which { run: self.run, runs: self.runs };
        Ok(Report { which, forms, output: self.output, json: self.json })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(format: Option<&str>, output: Option<&str>, json: bool) -> Result<Report, Failure> {
        let typed = TypedReport {
            run: "last".into(),
            runs: None,
            format: format.map(str::to_string),
            output: output.map(PathBuf::from),
            json,
        };
        typed.meaning()
    }

    #[test]
    fn forms_are_named_one_by_one_or_with_commas() {
        assert_eq!(report(None, None, true).unwrap().forms, [Form::Html, Form::Svg, Form::Png]);
        assert_eq!(report(Some("markdown"), None, false).unwrap().forms, [Form::Markdown]);
        assert_eq!(report(Some("csv, json,csv"), Some("x"), true).unwrap().forms, [Form::Csv, Form::Json]);
        // The page is a file, beside others or alone, never standard output.
        assert!(!report(Some("page"), None, true).unwrap().forms[0].is_text());
        assert_eq!(report(Some("html,page"), None, false).unwrap().forms, [Form::Html, Form::Page]);
        assert!(report(Some("pdf"), None, false).is_err());
        // Two texts, or a text and the document about it, cannot both be standard output.
        assert!(report(Some("csv,json"), None, false).unwrap_err().hint.unwrap().contains("--output"));
        assert!(report(Some("html,markdown"), None, false).is_err());
        assert!(report(Some("csv"), None, true).is_err());
    }
}
