//! An unreachable host is an error within its deadline, with exit code 3.

use crate::stage::{Home, ProcessRun, free_port};
use crate::{CommandOutput, must};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

/// Time for the program's start and a slow machine.
const SLACK: Duration = Duration::from_millis(2500);

fn refused(ran: ProcessRun, within: Duration, words: &[&str]) -> CommandOutput {
    let took = ran.took;
    let ran = ran.ended(3)?;
    must!(took < within + SLACK, "took {took:?}");
    let document = ran.json()?;
    must!(document["error"]["exit_code"] == 3, "{document}");
    must!(document["error"]["hint"].is_string(), "{document}");
    let text = document["error"].to_string().to_lowercase();
    for word in words {
        must!(text.contains(word), "no {word:?} in {text}");
    }
    Ok(())
}

pub fn port_closed() -> CommandOutput {
    let line = format!("stream 127.0.0.1 --port {} --json", free_port());
    refused(Home::new().line(&line), Duration::from_secs(1), &["refuses", "goodput agent"])
}

pub fn unknown_name() -> CommandOutput {
    let line = "stream no-such-host.invalid --deadline 5s --json";
    refused(Home::new().line(line), Duration::from_secs(5), &["no-such-host.invalid"])
}

pub fn silent() -> CommandOutput {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    let home = Home::new();
    let line = format!("stream 127.0.0.1 --port {port} --deadline 1s --json");
    refused(home.line(&line), Duration::from_secs(3), &["127.0.0.1"])?;
    home.line("key new").ended(0)?;
    refused(home.line(&line), Duration::from_secs(3), &["127.0.0.1"])
}

pub fn another_protocol() -> CommandOutput {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut stream = stream;
                let mut some = [0; 64];
                let _ = stream.read(&mut some);
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            });
        }
    });
    let home = Home::new();
    let line = format!("stream 127.0.0.1 --port {port} --deadline 2s --json");
    refused(home.line(&line), Duration::from_secs(4), &["127.0.0.1"])?;
    home.line("key new").ended(0)?;
    refused(home.line(&line), Duration::from_secs(4), &["127.0.0.1"])
}
