//! Schedules of `goodput serve`: repeated lines, an alert to a receiver on loopback, and a killed server.

use crate::serve::{Serving, received};
use crate::stage::{Home, list, until};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(60);

fn receiver() -> Result<(String, Receiver<Value>), Failed> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}/alerts", listener.local_addr()?);
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        let Some((letter, _)) = received(&mut stream) else { return };
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
        let _ = tell.send(letter);
    });
    Ok((address, told))
}

pub fn repeated_told_and_broken_off() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = |time: &str| -> Vec<String> {
        let line = agent.probe("stream", &format!("--time {time} --warm-up 0s"));
        line.split_whitespace().map(str::to_string).collect()
    };
    let every = json!({ "kind": "every", "seconds": 10 });
    let (address, letters) = receiver()?;

    let server = Serving::start(&home, &["--webhook-loopback"])?;
    let api = server.operator()?;
    let short = json!({
        "name": "short", "line": line("200ms"), "when": every, "jitter_seconds": 0,
        "alerts": [{ "kind": "above", "value": 1 }], "webhook": address,
    });
    api.post("/schedules", &short)?.is(201)?;
    let letter = letters.recv_timeout(SOON).map_err(|_| "no letter came")?;
    must!(letter["schema"] == "goodput/alert/1" && letter["state"] == "raised", "{letter}");
    let run = letter["run"].as_str().ok_or_else(|| letter.to_string())?;
    let found = api.get("/runs?label=schedule%3Dshort")?.is(200)?.json()?;
    must!(list(&found["runs"]).iter().any(|r| r["id"] == run), "{found}");
    let history = api.get("/schedules/short/history")?.is(200)?.json()?;
    must!(history["values"][0]["run"] == run, "{history}");
    must!(history["values"][0]["value"] == letter["figure"]["value"], "{history} {letter}");
    api.delete("/schedules/short")?.is(204)?;

    let long = json!({ "name": "long", "line": line("60s"), "when": every, "jitter_seconds": 0 });
    api.post("/schedules", &long)?.is(201)?;
    let begun = || Ok(api.get("/schedules/long")?.is(200)?.json()?["job"].is_string());
    until("a job of the schedule", SOON, begun)?;
    server.end("KILL")?;
    let back = Serving::start(&home, &[])?;
    let schedule = back.operator()?.get("/schedules/long")?.is(200)?.json()?;
    let said = |m: &Value| m["reason"] == "the server ended while it was measured";
    must!(list(&schedule["missed"]).iter().any(said) && schedule["failed"] == 0, "{schedule}");
    Ok(())
}
