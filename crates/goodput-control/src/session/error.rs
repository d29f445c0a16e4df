//! Errors of a session's hosts and plans.

use goodput_model::load::ExcludedClient;
use goodput_words::{Message, error_messages, message, non_empty_semicolon_list};

#[derive(Debug, Clone, PartialEq)]
pub enum SessionError {
    Missing { missing: Vec<ExcludedClient> },
    IsServer { name: String },
    Same { name: String, other: String },
    Twice { name: String },
    Unknown { name: String },
    TooMany { probe: &'static str, clients: usize },
}

error_messages! {
    SessionError {
        SessionError::Missing { missing } => missing_clients(missing),
        SessionError::IsServer { name } => message!(error_is_the_server { name }),
        SessionError::Same { name, other } => message!(error_same_agent { name, other }),
        SessionError::Twice { name } => message!(error_two_clients_called { name }),
        SessionError::Unknown { name } => message!(error_plan_wants_client { name }),
        SessionError::TooMany { probe, clients } =>
            message!(error_between_two_hosts { probe: *probe, clients: *clients }),
    }
}

fn missing_clients(missing: &[ExcludedClient]) -> Message {
    match missing {
        [] => "no client is specified".into(),
        [one] => message!(error_client_missing { name: &one.host }),
        many => {
            let names: Vec<&str> = many.iter().map(|e| e.host.as_str()).collect();
            message!(error_clients_missing { count: names.len(), names })
        }
    }
}

impl SessionError {
    /// The cause in one sentence; `None` when the error says it all.
    pub fn cause(&self) -> Option<Message> {
        match self {
            SessionError::Missing { missing } => {
                non_empty_semicolon_list(missing.iter().map(|e| e.cause.clone()))
            }
            SessionError::IsServer { .. } | SessionError::Same { .. } => {
                Some("both names refer to the same agent, so one host would be counted twice".into())
            }
            _ => None,
        }
    }

    pub fn hint(&self) -> Option<Message> {
        match self {
            SessionError::Missing { missing } => {
                missing.first().map(|e| message!(hint_agent_runs_on { host: &e.host }))
            }
            SessionError::IsServer { name } | SessionError::Same { name, .. } => {
                Some(message!(hint_leave_out_of_clients { name }))
            }
            SessionError::Twice { name } => Some(message!(hint_name_once { name })),
            SessionError::Unknown { .. } | SessionError::TooMany { .. } => None,
        }
    }
}
