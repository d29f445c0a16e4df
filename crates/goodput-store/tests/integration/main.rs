//! Tests of stored runs, and of their index on SQLite and on a real PostgreSQL.

#![allow(clippy::unwrap_used, reason = "clippy sees tests only in functions marked so, not in their helpers")]

mod carried;
mod hostile_database;
mod kept;
mod lying_postgres;
mod many;
mod runs;
mod schedules;
mod searched;
mod stage;
mod stored;
mod stored_run;

use goodput_testkit::databases::TestDatabase;
use goodput_testkit::{databases, must, tests};
use libtest_mimic::{Arguments, Failed};
use stage::Stage;
use std::pin::Pin;
use std::process::ExitCode;

pub type Told = Result<(), Failed>;

type Story = fn(Stage) -> Pin<Box<dyn Future<Output = Told>>>;

macro_rules! stories {
    ($($name:literal: $module:ident::$story:ident,)*) => {
        &[$(($name, |stage: Stage| Box::pin($module::$story(stage)) as Pin<Box<dyn Future<Output = Told>>>)),*]
    };
}

const BOTH: &[(&str, Story)] = stories![
    "refresh: new, changed and gone runs": kept::refreshed,
    "refresh: a run while it is being recorded": kept::running,
    "refresh: one bad folder does not hide the others": kept::trouble,
    "refresh: links, pipes and endless files hide no run": kept::hostile,
    "refresh: two programs with one index": kept::two_programs,
    "rebuild: finds what refresh found": kept::rebuilt,
    "tags: in the folder, in the index, in a search": kept::tagged,
    "search: by every part of a filter": searched::by_each_part,
    "search: pages meet without a gap": searched::pages,
    "search: what there is to filter by": searched::facets,
    "search: the newest figure of each pair of hosts": searched::pairs,
    "schedules: documents and their histories": schedules::kept,
    "move: to another store and back": carried::moved,
    "prune: tagged and running runs stay": carried::pruned,
    "backup: restores runs, tags and schedules": carried::backed_up,
    "form: a newer index is refused, an older one is brought up": kept::forms,
    "open: what is no index says why": kept::refused,
    "thousands of runs": many::thousands,
];

const POSTGRES: &[(&str, Story)] = stories![
    "stored: a run whose folder is gone is laid out again": stored::laid_out,
    "stored: what the database changed is refused": stored::changed,
    "stored: two machines share what they record": stored::two_machines,
];

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    // Timed searches need an idle machine.
    if args.test_threads.is_none() {
        args.test_threads = Some(1);
    }
    let mut plain = stored_run::all();
    plain.extend(tests![
        hostile_database::a_login_without_an_answer_ends_at_its_deadline,
        hostile_database::a_statement_without_an_answer_ends_at_its_deadline,
        hostile_database::an_upload_that_is_broken_off_is_an_error,
        hostile_database::garbage_for_a_login_is_an_error,
        hostile_database::garbage_for_rows_is_an_error,
        hostile_database::no_password_leaves_without_the_encryption_that_was_required,
    ]);
    databases::run_tests_on_databases(&args, plain, BOTH, POSTGRES, tell)
}

fn tell(story: Story, on: TestDatabase) -> Told {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(story(Stage::new(on)))
}
