//! The program: arguments, commands, screen, exit codes. What any front end needs is in the libraries.

mod args;
mod command;
mod config;
mod events;
mod exit;
mod failure;
mod forms;
mod interrupt;
mod lab_exec;
mod language;
mod output;
mod own_args;
mod screen;

use args::{Command, ParseOutcome};
use exit::ExitStatus;
use failure::Failure;
use nix::sys::signal::Signal;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    goodput_host::bound_unused_memory();
    command::file::dbench_load_file::register_load_file_reader();
    let words: Vec<OsString> = std::env::args_os().collect();
    language::choose_language(&words);
    let form = output::OutputFormat::from_args(&words);
    let json = form == output::OutputFormat::Document;
    match args::parse(&words) {
        Ok(command) => ended(perform(command, &words), form),
        Err(ParseOutcome::Text(text)) if json => {
            // A program gets the document; the text is for the user.
            eprint!("{text}");
            output::print_json(
                &serde_json::json!({ "schema": goodput_model::summary::RESULT_SCHEMA, "run": null }),
            );
            ExitCode::SUCCESS
        }
        Err(ParseOutcome::Text(text)) => {
            output::print_text(&text);
            ExitCode::SUCCESS
        }
        Err(ParseOutcome::Refused(failure)) => ended(Err(failure), form),
    }
}

fn perform(command: Command, words: &[OsString]) -> Result<u8, Failure> {
    if lab_exec::current_lab().is_none() {
        if command.appends_to_run() {
            command::run::measurement_process::set_parent_death_signal(Signal::SIGKILL)?;
        } else if command.emits_events() {
            // The child must be able to restore settings and remove labs.
            command::run::measurement_process::set_parent_death_signal(Signal::SIGTERM)?;
        }
    }
    if let Some(code) = command::rerun_in_lab_if_needed(&command, words)? {
        events::suppress_finished_event();
        return Ok(code);
    }
    lab_exec::raise_coordinator_priority();
    // The program's path is not part of the command, and differs inside a lab.
    let typed = words.iter().skip(1).map(|w| w.to_string_lossy().into_owned());
    command::run_command(command, ["goodput".to_string()].into_iter().chain(typed).collect())
        .map(ExitStatus::code)
}

fn ended(result: Result<u8, Failure>, form: output::OutputFormat) -> ExitCode {
    let events = form == output::OutputFormat::Events;
    let code = match &result {
        Ok(code) => *code,
        Err(failure) if events => failure.exit.code(),
        Err(failure) => {
            output::print_failure(failure, form == output::OutputFormat::Document);
            failure.exit.code()
        }
    };
    if events {
        events::write_finished_event(code, result.err().as_ref());
    }
    ExitCode::from(code)
}
