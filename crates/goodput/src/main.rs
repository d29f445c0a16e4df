//! The program: arguments, subcommands, screen, exit codes. What another front door would need as well
//! stands in the libraries.

mod args;
mod command;
mod config;
mod exit;
mod failure;
mod inside;
mod interrupt;
mod output;
mod screen;

use args::{Command, NotACommand};
use exit::Exit;
use failure::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::file::load_file::teach();
    let words: Vec<OsString> = std::env::args_os().collect();
    let json = args::wants_json(&words);
    match args::parse(&words) {
        Ok(command) => ended(perform(command, &words), json),
        Err(NotACommand::Text(text)) if json => {
            // Whoever reads JSON gets a document; the text is for the person beside.
            eprint!("{text}");
            output::json(&serde_json::json!({ "schema": goodput_model::summary::SCHEMA, "run": null }));
            ExitCode::SUCCESS
        }
        Err(NotACommand::Text(text)) => {
            output::text(&text);
            ExitCode::SUCCESS
        }
        Err(NotACommand::Refused(failure)) => ended(Err(failure), json),
    }
}

/// Does what was asked, here or inside a lab.
fn perform(command: Command, words: &[OsString]) -> Result<u8, Failure> {
    if command.adds_to_a_run() && inside::place().is_none() {
        command::run::child::end_with_the_runner()?;
    }
    if let Command::Measure(order) = &command
        && let Some(code) = inside::enter(order, words)?
    {
        return Ok(code);
    }
    if let Command::Load(order) = &command {
        // Warnings about an .icf are told by the run itself.
        let course = command::load::course(order, &mut |_| {})?;
        if let Some(code) = inside::enter_load(&course.server, &course.clients, words)? {
            return Ok(code);
        }
    }
    if let Command::File(order) = &command
        && let Some(code) = inside::enter_file(order, words)?
    {
        return Ok(code);
    }
    if let Command::Hands(order) = &command
        && let Some(code) = inside::enter_hands(order, words)?
    {
        return Ok(code);
    }
    inside::settle();
    // The program's path says nothing of the measurement, and inside a lab it is another than the one typed.
    let typed = words.iter().skip(1).map(|w| w.to_string_lossy().into_owned());
    command::run(command, ["goodput".to_string()].into_iter().chain(typed).collect()).map(Exit::code)
}

fn ended(result: Result<u8, Failure>, json: bool) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            output::failure(&failure, json);
            ExitCode::from(failure.exit.code())
        }
    }
}
