//! Tests of the router without sockets: permissions and answers, on SQLite and on a real PostgreSQL started
//! here; skipped with a message without one.

#![allow(clippy::unwrap_used)]

mod described;
mod elsewhere;
mod hosts;
mod jobs;
mod logins;
mod pages;
mod refused;
mod runs;
mod schedules;
mod stage;

use goodput_testkit::databases::{self, TestDatabase};
use libtest_mimic::Arguments;
use stage::Stage;
use std::pin::Pin;
use std::process::ExitCode;

type Told = Pin<Box<dyn Future<Output = ()>>>;
type Story = fn(TestDatabase) -> Told;

/// Tests with their names, by module and the function of `Stage` that makes their stage. An unlisted test is unused
/// code, which the compiler reports.
macro_rules! stories {
    ($($module:ident($make:ident): $($story:ident),*);*) => {
        &[$($((
            concat!(stringify!($module), "::", stringify!($story)),
            |on: TestDatabase| Box::pin(async move { $module::$story(Stage::$make(on).await).await }) as Told,
        )),*),*]
    };
}

const BOTH: &[(&str, Story)] = stories![
    described(new): a_stranger_gets_nothing_but_the_session, a_reader_changes_nothing,
        a_change_by_cookie_needs_its_proof, whoever_may_ask_is_answered_without_a_fault,
        a_body_that_is_none_is_refused_in_words, the_description_is_served;
    hosts(new): the_matrix_has_the_last_figures_of_each_way,
        two_hosts_are_held_against_each_other_by_their_records, the_last_records_of_hosts_are_told_together;
    jobs(new): a_job_is_started_by_an_operator_and_seen_by_a_reader, what_is_no_job_and_no_line_is_refused,
        a_line_is_checked_and_not_started, too_many_readers_are_sent_away,
        whoever_has_logged_out_hears_nothing_more;
    logins(new): a_session_lasts_until_it_is_ended, a_cookie_is_for_this_site_alone, wrong_passwords_run_out,
        simultaneous_wrong_passwords_run_out, other_local_users_use_up_none_of_ours,
        a_token_is_known_or_nobodys;
    pages(new): a_stranger_gets_the_page_to_log_in_with;
    refused(new): another_host_is_meant, too_many_requests_of_one_address,
        every_answer_tells_browsers_to_be_careful, methods_and_paths_that_are_not_there;
    runs(new): runs_are_listed_filtered_and_paged, a_run_is_a_page_with_its_downloads,
        what_people_read_is_fetched_in_their_language, answers_are_in_the_language_of_the_request,
        what_is_not_there_is_said, runs_are_compared, tags_are_kept_with_the_run,
        an_experiment_is_told_cell_by_cell, a_damaged_run_is_told_and_hides_no_other;
    schedules(new): a_schedule_is_made_changed_and_taken_away, a_reader_does_not_see_where_it_posts,
        what_cannot_be_a_schedule_is_refused_in_words, the_history_is_that_of_the_runs_with_its_label,
        metrics_are_told_without_webhooks;
    logins(open): without_passwords_the_user_of_this_machine_is_the_operator
];

const POSTGRES: &[(&str, Story)] =
    stories![elsewhere(new): runs_of_another_machine_are_served_from_the_database];

fn main() -> ExitCode {
    databases::run_tests_on_databases(&Arguments::from_args(), Vec::new(), BOTH, POSTGRES, tell)
}

fn tell(story: Story, on: TestDatabase) -> Result<(), libtest_mimic::Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(story(on));
    Ok(())
}
