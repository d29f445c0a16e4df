//! `goodput level-setter` (internal): sets an experiment's levels on one host while its input is open.
//! `goodput run` and `goodput why` start it; questions and answers are lines of JSON.

use super::{credentials, resolve_host};
use crate::args::host_name::HostName;
use crate::args::level_setter::LevelSetterArgs;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::lab_exec::{self, LabContext};
use goodput_control::AgentRegistry;
use goodput_control::knobs::{AppliedSetting, HostKnobs, HostSettingSpec, RestoredSetting};
use goodput_model::Message;
use goodput_model::trial::TrialTimeouts;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, Write};
use std::net::{IpAddr, ToSocketAddrs};

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum LevelSetterRequest {
    Read {
        subject: HostSettingSpec,
    },
    Set {
        subject: HostSettingSpec,
        value: String,
    },
    /// Restore everything.
    Restore,
    Inventory,
}

#[derive(Debug, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum LevelSetterResponse {
    /// The host is reached; sent once, before any question.
    Ready {
        host: String,
    },
    Value {
        /// `None` where it cannot be read.
        value: Option<String>,
    },
    Put {
        put: AppliedSetting,
    },
    Back {
        told: Vec<RestoredSetting>,
    },
    Inventory {
        /// As in `goodput host --json`.
        inventory: Value,
    },
    Refused {
        why: Message,
    },
}

pub fn run_level_setter(order: &LevelSetterArgs) -> Result<ExitStatus, Failure> {
    let ended = answer_requests(order);
    if let Err(failure) = &ended {
        // Standard error is in the language of this process; the starter chooses its own.
        let _ = write_answer(&LevelSetterResponse::Refused { why: failure.one_line_message() });
    }
    ended
}

fn answer_requests(order: &LevelSetterArgs) -> Result<ExitStatus, Failure> {
    let place = lab_exec::current_lab();
    let shown = credentials::find_lab_or_user_credentials(&order.credentials, place.as_ref())?;
    let deadlines = TrialTimeouts::default();
    let router = order.router.clone();
    let registry =
        credentials::open_agent_registry(shown.as_ref(), router, deadlines, "cannot search for hosts")?;
    let knobs = match (&order.host, &order.journal) {
        (Some(name), _) => {
            let host =
                resolve_host::resolve_host_address("HOST", name, order.port, place.as_ref(), &registry)?;
            HostKnobs::connect(&host, shown.as_ref(), &deadlines, &order.client)
        }
        (None, Some(journal)) => HostKnobs::for_local_host(journal, &deadlines, &order.client),
        (None, None) => {
            return Err(
                Failure::usage_error("neither HOST nor --journal is named").with_hint("goodput run FILE")
            );
        }
    };
    let knobs = knobs.map_err(|e| failure::failure_from_control_error("levels cannot be set", &e))?;
    let towards = addresses(order, place.as_ref(), &registry);
    write_answer(&LevelSetterResponse::Ready { host: knobs.name().to_string() })?;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let answer = match serde_json::from_str(&line) {
            Ok(question) => answered(&knobs, &towards, question),
            Err(e) => {
                LevelSetterResponse::Refused { why: format!("the question is not understood: {e}").into() }
            }
        };
        write_answer(&answer)?;
    }
    Ok(ExitStatus::Done)
}

fn answered(knobs: &HostKnobs, towards: &[IpAddr], question: LevelSetterRequest) -> LevelSetterResponse {
    let done = match question {
        LevelSetterRequest::Read { subject } => {
            knobs.read(&subject, towards).map(|value| LevelSetterResponse::Value { value })
        }
        LevelSetterRequest::Set { subject, value } => {
            knobs.set(&subject, towards, &value).map(|put| LevelSetterResponse::Put { put })
        }
        LevelSetterRequest::Restore => knobs.restore().map(|told| LevelSetterResponse::Back { told }),
        LevelSetterRequest::Inventory => knobs.inventory().and_then(|inventory| {
            let inventory = serde_json::to_value(inventory).map_err(|e| Message::from(e.to_string()))?;
            Ok(LevelSetterResponse::Inventory { inventory })
        }),
    };
    done.unwrap_or_else(|why| LevelSetterResponse::Refused { why })
}

fn write_answer(answer: &LevelSetterResponse) -> Result<(), Failure> {
    let gone = |e: io::Error| Failure::from_error(ExitStatus::BrokeOff, "nobody hears the answers", &e);
    let mut line = serde_json::to_vec(answer).map_err(|e| {
        Failure::from_foreign_error(ExitStatus::CannotMeasure, "an answer cannot be written", &e)
    })?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line).and_then(|()| out.flush()).map_err(gone)
}

/// The known addresses of the other hosts, by which an unnamed interface is found.
fn addresses(order: &LevelSetterArgs, place: Option<&LabContext>, registry: &AgentRegistry) -> Vec<IpAddr> {
    let one = |name: &HostName| -> Option<IpAddr> {
        // A router's agents are known by name only; a lookup of each costs a second.
        let address = match name {
            HostName::Name(name) => return resolved(name),
            other => resolve_host::resolve_host_address("--towards", other, None, place, registry).ok()?,
        };
        resolved(&address.host)
    };
    order.towards.iter().flatten().filter_map(one).collect()
}

fn resolved(host: &str) -> Option<IpAddr> {
    (host, 0).to_socket_addrs().ok()?.next().map(|address| address.ip())
}
