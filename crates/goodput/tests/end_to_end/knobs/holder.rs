//! A `goodput level-setter` process, driven as by `goodput run`.

use crate::stage::{Home, Lab};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(60);

pub struct Holder {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Holder {
    pub fn of(home: &Home, lab: &Lab<'_>, host: &str, others: &[&str]) -> Result<Holder, Failed> {
        let mut args = vec![lab.host(host)];
        for other in others {
            args.extend(["--towards".to_string(), lab.host(other)]);
        }
        Holder::start(home, &args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    pub fn start(home: &Home, args: &[&str]) -> Result<Holder, Failed> {
        let args = ["level-setter"].into_iter().chain(args.iter().copied());
        let mut command = home.command(args);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let lines = BufReader::new(child.stdout.take().ok_or("no standard output")?).lines();
        let (tell, answers) = channel();
        std::thread::spawn(move || {
            lines.map_while(Result::ok).for_each(|line| {
                let _ = tell.send(line);
            });
        });
        let holder = Holder { child, input, answers };
        let ready = holder.hear()?;
        if ready["answer"] == "ready" { Ok(holder) } else { Err(format!("not ready: {ready}").into()) }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn hear(&self) -> Result<Value, Failed> {
        Ok(serde_json::from_str(&self.answers.recv_timeout(LONGEST)?)?)
    }

    pub fn ask(&mut self, question: Value) -> Result<Value, Failed> {
        writeln!(self.input, "{question}")?;
        let answer = self.hear()?;
        match answer["answer"].as_str() {
            Some("refused") => Err(answer["why"].as_str().unwrap_or_default().into()),
            _ => Ok(answer),
        }
    }

    pub fn read(&mut self, subject: &Value) -> Result<String, Failed> {
        let answer = self.ask(json!({ "ask": "read", "subject": subject }))?;
        Ok(answer["value"].as_str().unwrap_or("not to be read").to_string())
    }

    pub fn set(&mut self, subject: &Value, value: &str) -> Result<Value, Failed> {
        let answer = self.ask(json!({ "ask": "set", "subject": subject, "value": value }))?;
        Ok(answer["put"].clone())
    }

    pub fn restore(&mut self) -> Result<Vec<Value>, Failed> {
        let answer = self.ask(json!({ "ask": "restore" }))?;
        Ok(answer["told"].as_array().cloned().unwrap_or_default())
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
