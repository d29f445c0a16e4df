//! The program: arguments, commands, screen, exit codes. Everything that another front end would need is in
//! the libraries.

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
mod screen;

use args::{Command, NotACommand};
use exit::Exit;
use failure::Failure;
use nix::sys::signal::Signal;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::file::load_file::install_load_reader();
    let words: Vec<OsString> = std::env::args_os().collect();
    language::choose(&words);
    let form = output::Form::of(&words);
    let json = form == output::Form::Document;
    match args::parse(&words) {
        Ok(command) => ended(perform(command, &words), form),
        Err(NotACommand::Text(text)) if json => {
            // A program gets the document; the text is for the user.
            eprint!("{text}");
            output::json(&serde_json::json!({ "schema": goodput_model::summary::SCHEMA, "run": null }));
            ExitCode::SUCCESS
        }
        Err(NotACommand::Text(text)) => {
            output::text(&text);
            ExitCode::SUCCESS
        }
        Err(NotACommand::Refused(failure)) => ended(Err(failure), form),
    }
}

fn perform(command: Command, words: &[OsString]) -> Result<u8, Failure> {
    if lab_exec::place().is_none() {
        if command.adds_to_a_run() {
            command::run::child::end_with_the_runner(Signal::SIGKILL)?;
        } else if command.is_watched() {
            // The child must be able to restore settings and remove labs.
            command::run::child::end_with_the_runner(Signal::SIGTERM)?;
        }
    }
    if let Command::Measure(order) = &command
        && let Some(code) = lab_exec::enter(order, words)?
    {
        events::set_nested();
        return Ok(code);
    }
    if let Command::Load(order) = &command {
        // The run itself reports warnings about an .icf.
        let course = command::load::load_plan(order, &mut |_| {})?;
        if let Some(code) = lab_exec::enter_load(&course.server, &course.clients, words)? {
            events::set_nested();
            return Ok(code);
        }
    }
    if let Command::File(order) = &command
        && let Some(code) = lab_exec::enter_file(order, words)?
    {
        events::set_nested();
        return Ok(code);
    }
    if let Command::LevelSetter(order) = &command
        && let Some(code) = lab_exec::enter_level_setter(order, words)?
    {
        return Ok(code);
    }
    lab_exec::raise_priority();
    // The program's path is not part of the command, and differs inside a lab.
    let typed = words.iter().skip(1).map(|w| w.to_string_lossy().into_owned());
    command::run(command, ["goodput".to_string()].into_iter().chain(typed).collect()).map(Exit::code)
}

fn ended(result: Result<u8, Failure>, form: output::Form) -> ExitCode {
    let events = form == output::Form::Events;
    let code = match &result {
        Ok(code) => *code,
        Err(failure) if events => failure.exit.code(),
        Err(failure) => {
            output::failure(failure, form == output::Form::Document);
            failure.exit.code()
        }
    };
    if events {
        events::finished(code, result.err().as_ref());
    }
    ExitCode::from(code)
}
