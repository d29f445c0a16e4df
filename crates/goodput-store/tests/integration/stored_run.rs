//! Runs on a real disk: round trips, crashes, old formats, tampering.

mod append;
mod crash;
mod hostile;
mod old_formats;
mod round_trip;
pub mod sample;

use goodput_testkit::tests;
use libtest_mimic::Trial;

pub fn all() -> Vec<Trial> {
    let mut all = tests![
        append::what_several_write_is_one_run,
        append::two_writers_exclude_each_other,
        append::a_torn_last_line_is_cut_off,
        append::long_lines_are_cut_off_as_well,
        append::nothing_is_added_to_a_run_of_another_format,
        crash::a_torn_last_line_takes_nothing_with_it,
        crash::a_tail_of_zeros_takes_nothing_with_it,
        crash::a_damaged_line_in_the_middle_is_named,
        crash::chunks_that_no_line_names_are_ignored,
        hostile::a_reference_out_of_the_run_is_refused,
        hostile::a_changed_chunk_is_named,
        hostile::a_log_that_lies_about_a_chunk_is_caught,
        hostile::a_link_instead_of_a_chunk_is_refused,
        hostile::a_link_or_a_pipe_instead_of_a_file_is_refused,
        hostile::one_chunk_belongs_to_one_series,
        hostile::a_later_format_is_refused_with_a_sentence,
        hostile::any_log_is_answered,
        old_formats::each_version_is_read_as_it_was,
        round_trip::a_run_comes_back_as_it_was,
        round_trip::lists_open_no_samples,
        round_trip::glimpses_are_not_kept,
        round_trip::hosts_with_odd_names_keep_apart,
        round_trip::what_would_not_read_back_is_refused_at_once,
        round_trip::a_run_is_written_once,
    ];
    all.extend(tests![old_formats::write_the_fixture].into_iter().map(|write| write.with_ignored_flag(true)));
    all
}
