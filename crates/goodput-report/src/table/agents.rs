//! The table of `hosts`: one row per agent.

use super::Align::{Left, Right};
use super::cell::{optional_cell, ordinal};
use super::{Cell, ColumnDefinitions, Table};
use crate::number_format::MISSING_VALUE;
use goodput_model::agent::{AgentState, DiscoveredAgent};

pub fn agents_table<'a>(agents: impl IntoIterator<Item = &'a DiscoveredAgent>) -> Table {
    let agents: Vec<&DiscoveredAgent> = agents.into_iter().collect();
    let columns: ColumnDefinitions<'_, &&DiscoveredAgent> = &[
        ("name", Left, &|a| optional_cell(a.name.as_deref(), Cell::from)),
        ("address", Left, &|a| (&a.address).into()),
        ("version", Left, &|a| match (&a.version, a.protocol) {
            (Some(version), _) => version.into(),
            (None, Some(protocol)) => format!("protocol {protocol}").into(),
            (None, None) => Cell::Missing,
        }),
        ("state", Left, &|a| {
            let known = a.trouble.is_some() || a.state.is_some();
            if known { format_agent_state(a).into() } else { Cell::Missing }
        }),
        ("agent groups", Left, &|a| a.groups.join(" ").into()),
        ("labels", Left, &|a| {
            let labels: Vec<String> = a.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
            labels.join(" ").into()
        }),
        ("kernel", Left, &|a| optional_cell(a.facts.as_ref(), |f| &f.kernel)),
        ("CPUs", Right, &|a| optional_cell(a.facts.as_ref(), |f| ordinal(f.cpus))),
    ];
    let mut table = Table::from_items("Agents", &agents, columns);
    for agent in agents {
        if let Some(trouble) = &agent.trouble {
            let whose = agent.name.as_deref().unwrap_or("a host");
            let parts = [Some(&trouble.error), trouble.cause.as_ref(), trouble.hint.as_ref()];
            let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
            table.notes.push(format!("{whose} at {}: {}", agent.address, parts.join("; ")));
        }
    }
    table.without_empty_columns()
}

pub fn format_agent_state(agent: &DiscoveredAgent) -> String {
    match (&agent.trouble, &agent.state) {
        (Some(_), _) => "rejects requests from this host".into(),
        (None, None) => MISSING_VALUE.into(),
        (None, Some(AgentState::Idle)) => "idle".into(),
        (None, Some(AgentState::Busy { client, since_ms, left_ms, waiting })) => {
            let mut text = format!("busy for {}: {client}", span(*since_ms));
            if let Some(left) = left_ms {
                text.push_str(&format!(", {} left", span(*left)));
            }
            if *waiting > 0 {
                text.push_str(&format!(", {waiting} waiting"));
            }
            text
        }
    }
}

fn span(ms: u64) -> String {
    match ms / 1000 {
        s @ 0..120 => format!("{s} s"),
        s @ 120..7200 => format!("{} min", s / 60),
        s => format!("{} h", s / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::agent::AgentError;

    #[test]
    fn an_agent_says_who_has_it_for_how_long_or_why_it_cannot_be_asked() {
        let error = "10.0.0.9:5303 uses a different lab key".to_string();
        let stranger = DiscoveredAgent {
            address: "10.0.0.9".into(),
            protocol: Some(1),
            trouble: Some(AgentError { error, cause: None, hint: Some("copy the key file".into()) }),
            ..DiscoveredAgent::default()
        };
        let table = agents_table([&stranger]);
        let row = [MISSING_VALUE, "10.0.0.9", "protocol 1", "rejects requests from this host"];
        assert_eq!(table.rows[0], row);
        let note = "a host at 10.0.0.9: 10.0.0.9:5303 uses a different lab key; copy the key file";
        assert_eq!(table.notes, [note]);
        let busy = |since_ms, left_ms, waiting| DiscoveredAgent {
            state: Some(AgentState::Busy { client: "a".into(), since_ms, left_ms, waiting }),
            ..DiscoveredAgent::default()
        };
        assert_eq!(format_agent_state(&busy(3_900, None, 0)), "busy for 3 s: a");
        let queued = busy(180_000, Some(9_000_000), 2);
        assert_eq!(format_agent_state(&queued), "busy for 3 min: a, 2 h left, 2 waiting");
    }
}
