//! `goodput store list|tag|rebuild|prune|move|backup|restore`: what is recorded as a whole, and its index.

mod which;

pub use which::TypedWanted;

use super::value::{self, shown};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use goodput_store::index::{Filter, Prune};
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedStore {
    #[command(subcommand)]
    command: TypedStoreCommand,
}

/// Where the runs and their index are, as typed.
#[derive(Debug, Args)]
struct TypedPlace {
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// The index: sqlite:FILE or postgres://USER@HOST/DATABASE [default: GOODPUT_INDEX, else index.sqlite among the runs]
    #[arg(long, value_name = "URL")]
    index: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// As typed.
#[derive(Debug, Subcommand)]
// One value a command.
#[allow(clippy::large_enum_variant)]
enum TypedStoreCommand {
    /// Look for runs: the newest first
    List {
        #[command(flatten)]
        wanted: TypedWanted,
        /// Runs at most
        #[arg(long, value_name = "N", default_value = "50")]
        limit: String,
        /// Go on behind this run, the last of the list before
        #[arg(long, value_name = "RUN")]
        after: Option<String>,
        #[command(flatten)]
        place: TypedPlace,
    },
    /// Give a run tags, or take them away; a tagged run is never pruned unasked
    Tag {
        /// The run: its name or the beginning or end of it, or last
        #[arg(value_name = "RUN")]
        run: String,
        /// The tags
        #[arg(value_name = "TAG", required = true)]
        tags: Vec<String>,
        /// Take them away
        #[arg(long)]
        remove: bool,
        #[command(flatten)]
        place: TypedPlace,
    },
    /// Make the index anew from the runs themselves
    Rebuild {
        #[command(flatten)]
        place: TypedPlace,
    },
    /// Remove runs for good; without --yes it only says which
    #[command(
        after_help = "goodput store prune --until 90d              what is older than 90 days: says what would go\n\
        goodput store prune --until 90d --yes        removes it\n\
        goodput store prune --outcome failed --yes"
    )]
    Prune {
        #[command(flatten)]
        wanted: TypedWanted,
        /// Tagged runs as well
        #[arg(long)]
        tagged: bool,
        /// Really remove them
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        place: TypedPlace,
    },
    /// Take runs to another folder or database; each is read back there before it is removed here
    #[command(after_help = "goodput store move --to /mnt/archive/runs --until 30d\n\
        goodput store move --to postgres://lab@db.example/goodput\n\
        goodput store move --index postgres://lab@db.example/goodput --to ~/runs atm --keep")]
    Move {
        /// Where to: a folder of runs, or postgres://USER@HOST/DATABASE
        #[arg(long, value_name = "PLACE")]
        to: String,
        /// Leave them here, too
        #[arg(long)]
        keep: bool,
        #[command(flatten)]
        wanted: TypedWanted,
        #[command(flatten)]
        place: TypedPlace,
    },
    /// Write all runs and schedules to one file (.tar.zst)
    Backup {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        place: TypedPlace,
    },
    /// Take in what a backup, or the archive of a run, holds
    Restore {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        place: TypedPlace,
    },
}

/// Where the runs and their index are.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Folder of the runs, when one was named.
    pub runs: Option<PathBuf>,
    /// The index's URL, when one was named.
    pub index: Option<String>,
    /// One document.
    pub json: bool,
}

/// Where runs are taken to.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A folder of runs with its own index.
    Folder(PathBuf),
    /// A PostgreSQL database.
    Database(String),
}

/// What is asked of the store.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreOrder {
    /// Of which store.
    pub place: Place,
    /// What.
    pub task: Task,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Look for runs.
    List(Filter),
    /// Change a run's tags.
    Tag {
        /// The run as typed.
        run: String,
        /// The tags.
        tags: Vec<String>,
        /// Take them away.
        remove: bool,
    },
    /// Make the index anew.
    Rebuild,
    /// Remove runs.
    Prune {
        /// Which.
        prune: Prune,
        /// Really.
        yes: bool,
    },
    /// Take runs elsewhere.
    Move {
        /// Which.
        filter: Filter,
        /// Where to.
        to: Target,
        /// Leave them here, too.
        keep: bool,
    },
    /// Write everything to a file.
    Backup(PathBuf),
    /// Take in what a file holds.
    Restore(PathBuf),
}

impl TypedPlace {
    fn meaning(self) -> Result<Place, Failure> {
        let variable = || std::env::var("GOODPUT_INDEX").ok().filter(|v| !v.is_empty());
        let index = self.index.or_else(variable);
        if let Some(url) = index.as_deref().filter(|url| !is_url(url)) {
            return Err(Failure::usage(format!("--index {} is refused", shown(url)))
                .because("an index is a SQLite file or a PostgreSQL database")
                .try_this("type sqlite:FILE or postgres://USER@HOST/DATABASE"));
        }
        Ok(Place { runs: self.runs, index, json: self.json })
    }
}

fn is_url(text: &str) -> bool {
    text.starts_with("sqlite:") || is_database(text)
}

fn is_database(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

impl TypedStore {
    /// What is meant.
    pub fn meaning(self) -> Result<StoreOrder, Failure> {
        let (place, task) = match self.command {
            TypedStoreCommand::List { wanted, limit, after, place } => {
                let limit = value::whole("--limit", &limit, 1..=Filter::MOST.into())? as u32;
                let after = after.map(|run| which::cursor("--after", &run)).transpose()?;
                let filter = Filter { limit: Some(limit), after, ..wanted.meaning()?.filter };
                (place, Task::List(filter))
            }
            TypedStoreCommand::Tag { run, tags, remove, place } => (place, Task::Tag { run, tags, remove }),
            TypedStoreCommand::Rebuild { place } => (place, Task::Rebuild),
            TypedStoreCommand::Prune { wanted, tagged, yes, place } => {
                let wanted = wanted.meaning()?;
                if wanted.all {
                    return Err(Failure::usage("nothing says which runs are to go")
                        .because("goodput store prune removes runs for good")
                        .try_this("say which, for example --until 90d for those older than 90 days"));
                }
                (place, Task::Prune { prune: Prune { filter: wanted.filter, tagged }, yes })
            }
            TypedStoreCommand::Move { to, keep, wanted, place } => {
                let to = match to.as_str() {
                    url if is_database(url) => Target::Database(to),
                    "" => {
                        return Err(Failure::usage("--to is empty")
                            .try_this("type a folder, or postgres://USER@HOST/DATABASE"));
                    }
                    _ => Target::Folder(PathBuf::from(to)),
                };
                (place, Task::Move { filter: wanted.meaning()?.filter, to, keep })
            }
            TypedStoreCommand::Backup { file, place } => (place, Task::Backup(file)),
            TypedStoreCommand::Restore { file, place } => (place, Task::Restore(file)),
        };
        Ok(StoreOrder { place: place.meaning()?, task })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        store: TypedStore,
    }

    fn order(words: &[&str]) -> Result<StoreOrder, Failure> {
        Line::try_parse_from(["store"].iter().chain(words)).unwrap().store.meaning()
    }

    #[test]
    fn nothing_is_pruned_without_a_word_about_which() {
        assert!(order(&["prune", "--yes"]).unwrap_err().hint.unwrap().contains("--until 90d"));
        let Task::Prune { prune, yes } = order(&["prune", "--outcome", "failed"]).unwrap().task else {
            panic!("prune")
        };
        assert!(!yes && !prune.tagged && prune.filter.outcomes.len() == 1);
    }

    #[test]
    fn a_target_is_a_folder_or_a_database() {
        let to = |to: &str| match order(&["move", "--to", to]).map(|o| o.task) {
            Ok(Task::Move { to, .. }) => Some(to),
            _ => None,
        };
        assert_eq!(to("/mnt/runs"), Some(Target::Folder("/mnt/runs".into())));
        let url = "postgres://lab@db/goodput";
        assert_eq!(to(url), Some(Target::Database(url.into())));
        assert_eq!(to(""), None);
    }

    #[test]
    fn an_index_is_a_url() {
        assert!(order(&["rebuild", "--index", "runs.db"]).is_err());
        assert_eq!(
            order(&["rebuild", "--index", "sqlite:runs.db"]).unwrap().place.index.unwrap(),
            "sqlite:runs.db"
        );
    }
}
