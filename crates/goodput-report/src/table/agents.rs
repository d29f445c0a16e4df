//! The table of `hosts`: one row per agent.

use super::Align::{Left, Right};
use super::cell::{optional_cell, ordinal};
use super::{Cell, ColumnDefinitions, Table};
use crate::display_text::{comma_list, semicolon_list};
use crate::number_format::MISSING_VALUE;
use goodput_model::agent::{AgentState, DiscoveredAgent};
use goodput_model::{Message, MessageArg};
use goodput_words::message;

pub fn agents_table<'a>(agents: impl IntoIterator<Item = &'a DiscoveredAgent>) -> Table {
    let agents: Vec<&DiscoveredAgent> = agents.into_iter().collect();
    let columns: ColumnDefinitions<'_, &&DiscoveredAgent> = &[
        ("name", Left, &|a| optional_cell(a.name.as_deref(), Cell::from)),
        ("address", Left, &|a| (&a.address).into()),
        ("version", Left, &|a| match (&a.version, a.protocol) {
            (Some(version), _) => version.into(),
            (None, Some(protocol)) => message!(report_agent_protocol { number: protocol.to_string() }).into(),
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
            let host: MessageArg = match &agent.name {
                Some(name) => name.into(),
                None => message!(part_agent_unnamed).into(),
            };
            let parts = [Some(&trouble.error), trouble.cause.as_ref(), trouble.hint.as_ref()];
            let trouble = semicolon_list(parts.into_iter().flatten().map(Message::from));
            let note = message!(report_agent_trouble { host, address: &agent.address, trouble });
            table.notes.push(note.into());
        }
    }
    table.without_empty_columns()
}

pub fn format_agent_state(agent: &DiscoveredAgent) -> Message {
    match (&agent.trouble, &agent.state) {
        (Some(_), _) => message!(report_takes_no_orders),
        (None, None) => MISSING_VALUE.into(),
        (None, Some(AgentState::Idle)) => message!(report_idle),
        (None, Some(AgentState::Busy { client, since_ms, left_ms, waiting })) => {
            let busy = message!(report_agent_busy { time: span(*since_ms), client });
            let left = left_ms.map(|ms| message!(part_agent_time_left { time: span(ms) }));
            let waiting = (*waiting > 0).then(|| message!(part_agent_waiting { count: *waiting }));
            comma_list([busy].into_iter().chain(left).chain(waiting))
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
        let error = Message::from("10.0.0.9:5303 uses a different lab key");
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
