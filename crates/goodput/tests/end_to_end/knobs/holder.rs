//! A `goodput level-setter` process, driven as by `goodput run`.

use crate::must;
use crate::stage::{Home, Lab, Running, running};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(60);

pub struct Holder(Running);

impl Holder {
    pub fn of(home: &Home, lab: &Lab<'_>, host: &str, other: &str) -> Result<Holder, Failed> {
        let mut command = home.command(["level-setter", &lab.host(host), "--towards", &lab.host(other)]);
        command.stdin(Stdio::piped()).stderr(Stdio::inherit());
        let mut holder = Holder(running(command));
        let ready = holder.hear()?;
        must!(ready["answer"] == "ready", "{ready}");
        Ok(holder)
    }

    fn hear(&mut self) -> Result<Value, Failed> {
        Ok(serde_json::from_str(&self.0.says("", LONGEST)?)?)
    }

    pub fn ask(&mut self, question: Value) -> Result<Value, Failed> {
        self.0.input(question)?;
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
