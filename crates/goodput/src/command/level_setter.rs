//! `goodput level-setter` (internal): sets an experiment's levels on one host while its input is open.
//! `goodput run` starts it; questions and answers are lines of JSON.

use super::{credentials, resolve_host};
use crate::args::host_name::HostName;
use crate::args::level_setter::LevelSetterArgs;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::lab_exec::{self, LabContext};
use goodput_control::identity::LocalRole;
use goodput_control::knobs::{Back, HostKnobs, Put, Subject};
use goodput_control::{Credentials, Registry};
use goodput_model::trial::Deadlines;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, Write};
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Question {
    Read {
        subject: Subject,
    },
    Set {
        subject: Subject,
        value: String,
    },
    /// Restore everything.
    Restore,
    Inventory,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The host is reached; sent once, before any question.
    Ready {
        host: String,
    },
    Value {
        /// `None` where it cannot be read.
        value: Option<String>,
    },
    Put {
        put: Put,
    },
    Back {
        told: Vec<Back>,
    },
    Inventory {
        /// As in `goodput host --json`.
        inventory: Value,
    },
    Refused {
        why: String,
    },
}

impl Answer {
    pub fn unexpected(&self) -> String {
        "the answer is to another question".to_string()
    }
}

pub fn run(order: &LevelSetterArgs) -> Result<Exit, Failure> {
    let place = lab_exec::place();
    let shown = credentials::find_in(&order.credentials, place.as_ref())?;
    let deadlines = Deadlines::default();
    let registry = registry(order, shown.as_ref(), deadlines)?;
    let knobs = match (&order.host, &order.journal) {
        (Some(name), _) => {
            let host = resolve_host::within("HOST", name, order.port, place.as_ref(), &registry)?;
            HostKnobs::reach(&host, shown.as_ref(), &deadlines, &order.client)
        }
        (None, Some(journal)) => HostKnobs::here(journal, &deadlines, &order.client),
        (None, None) => {
            return Err(Failure::usage("neither HOST nor --journal is named").try_this("goodput run FILE"));
        }
    };
    let knobs = knobs.map_err(|e| failure::control("levels cannot be set", &e))?;
    let towards = addresses(&order.towards(), place.as_ref(), &registry);
    write_answer(&Answer::Ready { host: knobs.name().to_string() })?;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let answer = match serde_json::from_str(&line) {
            Ok(question) => answered(&knobs, &towards, question),
            Err(e) => Answer::Refused { why: format!("the question is not understood: {e}") },
        };
        write_answer(&answer)?;
    }
    Ok(Exit::Done)
}

fn answered(knobs: &HostKnobs, towards: &[IpAddr], question: Question) -> Answer {
    let done = match question {
        Question::Read { subject } => knobs.read(&subject, towards).map(|value| Answer::Value { value }),
        Question::Set { subject, value } => {
            knobs.set(&subject, towards, &value).map(|put| Answer::Put { put })
        }
        Question::Restore => knobs.restore().map(|told| Answer::Back { told }),
        Question::Inventory => knobs.inventory().and_then(|inventory| {
            let inventory = serde_json::to_value(inventory).map_err(|e| e.to_string())?;
            Ok(Answer::Inventory { inventory })
        }),
    };
    done.unwrap_or_else(|why| Answer::Refused { why })
}

fn write_answer(answer: &Answer) -> Result<(), Failure> {
    let gone = |e: io::Error| Failure::from_error(Exit::BrokeOff, "nobody hears the answers", &e);
    let mut line = serde_json::to_vec(answer)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "an answer cannot be written", &e))?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line).and_then(|()| out.flush()).map_err(gone)
}

fn registry(
    order: &LevelSetterArgs,
    shown: Option<&Credentials>,
    deadlines: Deadlines,
) -> Result<Registry, Failure> {
    let identity = shown.map(|s| s.identity(LocalRole::Coordinator, "coordinator")).transpose();
    let identity = identity.map_err(|e| failure::control("cannot look for hosts", &e.into()))?.map(Arc::new);
    Ok(Registry::new(identity, order.router.clone(), deadlines))
}

/// The known addresses of the other hosts, by which an unnamed interface is found.
fn addresses(towards: &[HostName], place: Option<&LabContext>, registry: &Registry) -> Vec<IpAddr> {
    let one = |name: &HostName| -> Option<IpAddr> {
        // A router's agents are known by name only; a lookup of each costs a second.
        let address = match name {
            HostName::Name(name) => return resolved(name),
            other => resolve_host::within("--towards", other, None, place, registry).ok()?,
        };
        resolved(&address.host)
    };
    towards.iter().filter_map(one).collect()
}

fn resolved(host: &str) -> Option<IpAddr> {
    (host, 0).to_socket_addrs().ok()?.next().map(|address| address.ip())
}
