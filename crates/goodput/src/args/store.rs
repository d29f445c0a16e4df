//! `goodput store list|tag|rebuild|prune|move|backup|restore`: the recorded runs and their index.

mod run_filter_args;

use super::value_parsers::{ValueError, parse_integer};
use crate::failure::Failure;
use clap::{Args, Subcommand, ValueHint};
use goodput_model::RunId;
use goodput_store::index::RunFilter;
use run_filter_args::RunFilterArgs;
use std::path::PathBuf;

/// Where the runs and their index are.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct StoreLocationArgs {
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, hide_short_help = true)]
    pub runs: Option<PathBuf>,
    /// Database with the index of the runs: sqlite:FILE or postgres://USER@HOST/DATABASE [default:
    /// index.sqlite in the run folder]
    #[arg(long, value_name = "URL", env = "GOODPUT_INDEX", hide_env_values = true, value_parser = index_url)]
    #[arg(hide_short_help = true)]
    pub index: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)]
pub enum StoreArgs {
    /// Search the stored runs and list them, newest first
    List {
        #[command(flatten)]
        wanted: RunFilterArgs,
        /// Largest number of runs
        #[arg(long, value_name = "N", default_value = "50", value_parser = parse_integer::<u32>(1..=RunFilter::MAX_PAGE_SIZE as u64))]
        limit: u32,
        /// Continue after this run, the last of the previous list
        #[arg(long, value_name = "RUN", value_parser = run_filter_args::parse_page_cursor)]
        after: Option<RunId>,
        #[command(flatten)]
        place: StoreLocationArgs,
    },
    /// Add or remove tags of a run; tagged runs are pruned only with --tagged
    Tag {
        /// Run: its name or the beginning or end of it, or last
        #[arg(value_name = "RUN")]
        run: String,
        /// The tags
        #[arg(value_name = "TAG", required = true)]
        tags: Vec<String>,
        /// Remove the tags
        #[arg(long)]
        remove: bool,
        #[command(flatten)]
        place: StoreLocationArgs,
    },
    /// Rebuild the index from the stored runs
    Rebuild {
        #[command(flatten)]
        place: StoreLocationArgs,
    },
    /// Delete runs; without --yes only list them
    #[command(after_long_help = "Examples:
  goodput store prune --until 90d             list the runs older than 90 days
  goodput store prune --until 90d --yes       delete them
  goodput store prune --outcome failed --yes")]
    Prune {
        #[command(flatten)]
        wanted: RunFilterArgs,
        /// Tagged runs as well
        #[arg(long)]
        tagged: bool,
        /// Delete them
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        place: StoreLocationArgs,
    },
    /// Move runs to another folder or database
    ///
    /// Each run is read back there before it is removed here.
    #[command(after_long_help = "Examples:
  goodput store move --to /mnt/archive/runs --until 30d
  goodput store move --to postgres://lab@db.example/goodput
  goodput store move --index postgres://lab@db.example/goodput --to ~/runs atm --keep")]
    Move {
        /// Destination: a folder of runs, or postgres://USER@HOST/DATABASE
        #[arg(long, value_name = "PLACE", value_parser = destination)]
        to: MoveTarget,
        /// Copy them instead
        #[arg(long)]
        keep: bool,
        #[command(flatten)]
        wanted: RunFilterArgs,
        #[command(flatten)]
        place: StoreLocationArgs,
    },
    /// Write all runs and schedules to one file (.tar.zst)
    Backup {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        place: StoreLocationArgs,
    },
    /// Restore runs from a backup, or import the archive of one run
    Restore {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        place: StoreLocationArgs,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum MoveTarget {
    Folder(PathBuf),
    Database(String),
}

/// An empty text is accepted: an empty variable counts as unset.
fn index_url(typed: &str) -> Result<String, ValueError> {
    if typed.is_empty() || typed.starts_with("sqlite:") || is_database(typed) {
        return Ok(typed.to_string());
    }
    Err(ValueError::new(
        "an index is a SQLite file or a PostgreSQL database",
        "type sqlite:FILE or postgres://USER@HOST/DATABASE",
    ))
}

fn is_database(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

fn destination(typed: &str) -> Result<MoveTarget, ValueError> {
    match typed {
        "" => Err(ValueError::new("it is empty", "type a folder, or postgres://USER@HOST/DATABASE")),
        url if is_database(url) => Ok(MoveTarget::Database(url.to_string())),
        folder => Ok(MoveTarget::Folder(folder.into())),
    }
}

impl StoreArgs {
    pub fn store_location(&self) -> &StoreLocationArgs {
        match self {
            StoreArgs::List { place, .. }
            | StoreArgs::Tag { place, .. }
            | StoreArgs::Rebuild { place }
            | StoreArgs::Prune { place, .. }
            | StoreArgs::Move { place, .. }
            | StoreArgs::Backup { place, .. }
            | StoreArgs::Restore { place, .. } => place,
        }
    }

    pub fn validate(&self) -> Result<(), Failure> {
        match self {
            StoreArgs::Prune { wanted, .. } if wanted.clone().into_filter() == RunFilter::default() => {
                Err(Failure::usage_error("no runs were selected for removal")
                    .with_cause("goodput store prune removes runs for good")
                    .with_hint("say which, for example --until 90d for those older than 90 days"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, tests::parsed};

    fn order(line: &str) -> Result<StoreArgs, Failure> {
        match parsed(&format!("goodput store {line}"))? {
            Command::Store(order) => Ok(order),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_is_pruned_without_a_word_about_which() {
        assert!(order("prune --yes").unwrap_err().hint.unwrap().contains("--until 90d"));
        let StoreArgs::Prune { wanted, tagged, yes, .. } = order("prune --outcome failed").unwrap() else {
            panic!("prune")
        };
        assert!(!yes && !tagged && wanted.into_filter().outcomes.len() == 1);
    }

    #[test]
    fn a_target_is_a_folder_or_a_database() {
        let to = |to: &str| match order(&format!("move --to={to}")) {
            Ok(StoreArgs::Move { to, .. }) => Some(to),
            _ => None,
        };
        assert_eq!(to("/mnt/runs"), Some(MoveTarget::Folder("/mnt/runs".into())));
        let url = "postgres://lab@db/goodput";
        assert_eq!(to(url), Some(MoveTarget::Database(url.into())));
        assert_eq!(to(""), None);
    }
}
