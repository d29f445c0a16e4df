//! Errors of a session's hosts and plans.

use goodput_model::load::ExcludedClient;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    #[error("{}", missing_clients(missing))]
    Missing { missing: Vec<ExcludedClient> },
    #[error("{name} is the server itself")]
    IsServer { name: String },
    #[error("{name} is the same agent as {other}")]
    Same { name: String, other: String },
    #[error("two clients are named {name}")]
    Twice { name: String },
    #[error("the plan specifies the client {name}, which is not in this session")]
    Unknown { name: String },
    #[error("{probe} measures between two hosts, not with {clients} clients")]
    TooMany { probe: &'static str, clients: usize },
}

fn missing_clients(missing: &[ExcludedClient]) -> String {
    match missing {
        [] => "no client is specified".to_string(),
        [one] => format!("the client {} is missing", one.host),
        many => {
            let names: Vec<&str> = many.iter().map(|e| e.host.as_str()).collect();
            format!("{} clients are missing: {}", names.len(), names.join(", "))
        }
    }
}

impl SessionError {
    /// The cause in one sentence; `None` when the error says it all.
    pub fn cause(&self) -> Option<String> {
        match self {
            SessionError::Missing { missing } if !missing.is_empty() => {
                let each: Vec<String> = missing.iter().map(|e| e.cause.clone()).collect();
                Some(each.join("; "))
            }
            SessionError::IsServer { .. } | SessionError::Same { .. } => {
                Some("both names refer to the same agent, so one host would be counted twice".into())
            }
            _ => None,
        }
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            SessionError::Missing { missing } => missing.first().map(|e| {
                format!(
                    "check whether `goodput agent` runs on {}; `goodput hosts` lists the agents found",
                    e.host
                )
            }),
            SessionError::IsServer { name } | SessionError::Same { name, .. } => {
                Some(format!("remove {name} from --clients"))
            }
            SessionError::Twice { name } => Some(format!("specify {name} only once")),
            SessionError::Unknown { .. } | SessionError::TooMany { .. } => None,
        }
    }
}
