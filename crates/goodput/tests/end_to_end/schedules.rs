//! Schedules of `goodput serve`: repeated lines, an alert to a receiver on loopback, and a killed server.

use crate::http::Server;
use crate::serve::Serving;
use crate::stage::Home;
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(60);

fn operator(server: &Serving) -> Result<Server, Failed> {
    let session = server.with(&[]).get("/session")?.is(200)?.json()?;
    let csrf = session["csrf"].as_str().ok_or("no csrf")?.to_string();
    Ok(server.with(&[("X-CSRF-Token", &csrf)]))
}

fn receiver() -> Result<(String, Receiver<Value>), Failed> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}/alerts", listener.local_addr()?);
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        let (mut text, mut part) = (Vec::new(), [0; 4096]);
        let letter = loop {
            match stream.read(&mut part) {
                Ok(0) | Err(_) => return,
                Ok(n) => text.extend_from_slice(&part[..n]),
            }
            let body = text.windows(4).position(|w| w == b"\r\n\r\n").map(|at| &text[at + 4..]);
            if let Some(letter) = body.and_then(|body| serde_json::from_slice(body).ok()) {
                break letter;
            }
        };
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
        let _ = tell.send(letter);
    });
    Ok((address, told))
}

fn until(api: &Server, name: &str, is: impl Fn(&Value) -> bool) -> Result<Value, Failed> {
    let end = Instant::now() + SOON;
    loop {
        let schedule = api.get(&format!("/schedules/{name}"))?.is(200)?.json()?;
        if is(&schedule) {
            return Ok(schedule);
        }
        must_not_be_over(end, &schedule)?;
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn must_not_be_over(end: Instant, schedule: &Value) -> CommandOutput {
    must!(Instant::now() < end, "it never came: {schedule}");
    Ok(())
}

pub fn repeated_told_and_broken_off() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = |time: &str| -> Vec<String> {
        let line = format!("stream 127.0.0.1 {} --time {time} --warm-up 0s", agent.ports());
        line.split_whitespace().map(str::to_string).collect()
    };
    let every = json!({ "kind": "every", "seconds": 10 });
    let (address, letters) = receiver()?;

    let server = Serving::start(&home, &["--webhook-loopback"])?;
    let api = operator(&server)?;
    let short = json!({
        "name": "short", "line": line("200ms"), "when": every, "jitter_seconds": 0,
        "alerts": [{ "kind": "above", "value": 1 }], "webhook": address,
    });
    api.post("/schedules", &short)?.is(201)?;
    let letter = letters.recv_timeout(SOON).map_err(|_| "no letter came")?;
    must!(letter["schema"] == "goodput/alert/1" && letter["state"] == "raised", "{letter}");
    let run = letter["run"].as_str().ok_or_else(|| letter.to_string())?;
    let found = api.get("/runs?label=schedule%3Dshort")?.is(200)?.json()?;
    must!(found["runs"].as_array().is_some_and(|runs| runs.iter().any(|r| r["id"] == run)), "{found}");
    let history = api.get("/schedules/short/history")?.is(200)?.json()?;
    must!(history["values"][0]["run"] == run, "{history}");
    must!(history["values"][0]["value"] == letter["figure"]["value"], "{history} {letter}");
    api.delete("/schedules/short")?.is(204)?;

    let long = json!({ "name": "long", "line": line("60s"), "when": every, "jitter_seconds": 0 });
    api.post("/schedules", &long)?.is(201)?;
    until(&api, "long", |s| s["job"].is_string())?;
    server.end("KILL")?;
    let back = Serving::start(&home, &[])?;
    let schedule = operator(&back)?.get("/schedules/long")?.is(200)?.json()?;
    let missed = schedule["missed"].as_array().cloned().unwrap_or_default();
    let said = |m: &Value| m["reason"] == "the server ended while it was measured";
    must!(missed.iter().any(said) && schedule["failed"] == 0, "{schedule}");
    Ok(())
}
