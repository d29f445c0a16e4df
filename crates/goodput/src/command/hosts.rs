//! `goodput hosts`: lists the agents, once or continuously.

use super::credentials;
use crate::args::hosts::HostsArgs;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::{interrupt, language, output};
use goodput_control::registry::{AgentChange, ListedAgent};
use goodput_control::{AgentRegistry, CancelFlag};
use goodput_model::Message;
use goodput_model::agent::{AgentState, DiscoveredAgent};
use goodput_model::trial::TrialTimeouts;
use goodput_report::table::agents::{agents_table, format_agent_state};
use goodput_words::message;
use serde_json::json;
use std::io::{IsTerminal, Write};

/// The document of a list, and each line of `--watch --json`.
const SCHEMA: &str = "goodput/hosts/1";

const SEARCH_FAILED: &str = "cannot search for agents";

pub fn run_hosts(order: &HostsArgs) -> Result<ExitStatus, Failure> {
    let cancel = if order.watch { interrupt::create_signal_cancel_flag()? } else { CancelFlag::default() };
    let shown = credentials::find_credentials(&order.credentials)?;
    let (router, deadlines) = (order.router.clone(), TrialTimeouts::default());
    let registry = credentials::open_agent_registry(shown.as_ref(), router, deadlines, SEARCH_FAILED)?;
    if order.watch { watch(order, &registry, &cancel) } else { list(order, &registry, shown.is_some()) }
}

fn list(order: &HostsArgs, registry: &AgentRegistry, has_key: bool) -> Result<ExitStatus, Failure> {
    let listed =
        registry.list_agents().map_err(|e| failure::failure_from_control_error(SEARCH_FAILED, &e))?;
    let agents: Vec<&DiscoveredAgent> =
        listed.iter().map(|l| &l.agent).filter(|a| wanted(order, a)).collect();
    if order.json {
        let router = order.router.as_ref().map(ToString::to_string);
        output::print_json(&json!({ "schema": SCHEMA, "router": router, "hosts": agents }));
    } else if agents.is_empty() {
        no_agents_message(order, listed.len(), has_key).into_iter().for_each(language::print_message);
    } else {
        output::print_text(&shown(agents));
    }
    Ok(ExitStatus::Done)
}

/// Names and groups of agents are not translated.
fn shown(agents: Vec<&DiscoveredAgent>) -> String {
    let given = |agent: &&DiscoveredAgent| [agent.name.clone().unwrap_or_default(), agent.groups.join(" ")];
    let names: Vec<String> = agents.iter().flat_map(given).collect();
    output::table_text(agents_table(agents), &names)
}

/// With a hint.
fn no_agents_message(order: &HostsArgs, listed: usize, has_key: bool) -> [Message; 2] {
    let router = order.router.as_ref().map(ToString::to_string);
    let (what, said) = match (router, has_key) {
        _ if listed > 0 => {
            (message!(progress_none_in_that_group { count: listed }), message!(hint_hosts_lists_all))
        }
        (Some(router), _) => (
            message!(progress_no_agent_at_router { router: &router }),
            message!(hint_start_with_router { router }),
        ),
        (None, false) => (message!(progress_no_agent_on_network), message!(hint_agents_without_key)),
        (None, true) => (message!(progress_no_agent_on_network), message!(hint_start_agents)),
    };
    [what, message!(line_hint { said })]
}

/// Agents without a known group are shown only without a filter.
fn wanted(order: &HostsArgs, agent: &DiscoveredAgent) -> bool {
    let group = order.group.as_ref().is_none_or(|group| agent.groups.contains(group));
    group && order.labels.0.iter().all(|(key, value)| agent.labels.get(key) == Some(value))
}

fn watch(order: &HostsArgs, registry: &AgentRegistry, cancel: &CancelFlag) -> Result<ExitStatus, Failure> {
    let mut shown = HostListView::new(order.json);
    let mut tell = |change| shown.hear(order, change);
    registry
        .watch_agents(&mut tell, cancel)
        .map_err(|e| failure::failure_from_control_error("cannot watch agents", &e))?;
    // Ctrl-C is the normal end of `--watch`.
    Ok(ExitStatus::Done)
}

/// The list on screen: redrawn on a terminal, one line per change elsewhere.
struct HostListView {
    agents: Vec<DiscoveredAgent>,
    json: bool,
    terminal: bool,
    drawn: usize,
}

impl HostListView {
    fn new(json: bool) -> HostListView {
        let terminal = !json && std::io::stdout().is_terminal();
        HostListView { agents: Vec::new(), json, terminal, drawn: 0 }
    }

    fn hear(&mut self, order: &HostsArgs, change: AgentChange) {
        let Some((what, agent)) = self.take(order, change) else { return };
        if self.json {
            let line = json!({ "schema": SCHEMA, "change": what, "host": agent });
            output::print_text(&format!("{line}\n"));
        } else if self.terminal {
            self.draw();
        } else {
            output::print_text(&line(what, &agent));
        }
    }

    /// Records a change; returns its name and agent if it is to be shown.
    fn take(&mut self, order: &HostsArgs, change: AgentChange) -> Option<(&'static str, DiscoveredAgent)> {
        match change {
            AgentChange::Came(listed) => {
                let ListedAgent { agent, .. } = *listed;
                if !wanted(order, &agent) {
                    return None;
                }
                self.agents.retain(|a| a.id != agent.id);
                self.agents.push(agent.clone());
                self.agents.sort_by(|a, b| (a.display_name(), &a.id).cmp(&(b.display_name(), &b.id)));
                Some(("up", agent))
            }
            AgentChange::Went { id } => {
                let at = self.agents.iter().position(|a| a.id == id)?;
                Some(("down", self.agents.remove(at)))
            }
            AgentChange::State { id, state } => {
                let agent = self.agents.iter_mut().find(|a| a.id == id)?;
                let what = if state == AgentState::Idle { "idle" } else { "busy" };
                agent.state = Some(state);
                Some((what, agent.clone()))
            }
        }
    }

    /// Redraws the table in place. A table higher than the screen cannot be redrawn.
    fn draw(&mut self) {
        let text = if self.agents.is_empty() {
            format!("{}\n", language::format_message(&message!(progress_no_agents)))
        } else {
            shown(self.agents.iter().collect())
        };
        let height = terminal_size::terminal_size_of(std::io::stdout()).map_or(24, |(_, h)| usize::from(h.0));
        let up = self.drawn.min(height.saturating_sub(1));
        // ECMA-48: CUU moves up, ED erases from there to the end of the screen.
        let back = if up > 0 { format!("\u{1b}[{up}A\u{1b}[J") } else { String::new() };
        output::print_text(&format!("{back}{text}"));
        let _ = std::io::stdout().flush();
        self.drawn = text.lines().count();
    }
}

fn line(what: &str, agent: &DiscoveredAgent) -> String {
    let version = agent.version.as_deref().unwrap_or("");
    let said = match (&agent.trouble, what) {
        (Some(trouble), _) => trouble.error.to_string(),
        (None, "down") => String::new(),
        (None, _) => format_agent_state(agent).to_string(),
    };
    let words = [what, agent.display_name(), &agent.address, version, &said];
    let words: Vec<String> = words
        .iter()
        .filter(|w| !w.is_empty())
        .map(|w| goodput_report::escape::escape_for_terminal(w))
        .collect();
    format!("{}\n", words.join("  "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, tests::parsed};

    fn order(options: &str) -> HostsArgs {
        match parsed(&format!("goodput hosts --watch {options}")) {
            Ok(Command::Hosts(args)) => args,
            other => panic!("{other:?}"),
        }
    }

    fn agent_came(id: &str, name: &str, group: &str) -> AgentChange {
        let agent = DiscoveredAgent {
            id: id.into(),
            name: Some(name.into()),
            address: "10.0.0.9".into(),
            version: Some("0.1.0".into()),
            groups: vec![group.into()],
            state: Some(AgentState::Idle),
            ..DiscoveredAgent::default()
        };
        AgentChange::Came(Box::new(ListedAgent { agent, at: None }))
    }

    #[test]
    fn comings_and_goings_are_lines() {
        let mut shown = HostListView { agents: Vec::new(), json: false, terminal: false, drawn: 0 };
        let all = order("");
        let mut lines = Vec::new();
        let busy = AgentState::Busy { client: "c".into(), since_ms: 0, left_ms: None, waiting: 0 };
        for change in [
            agent_came("2", "b", "web"),
            agent_came("1", "a", "db"),
            AgentChange::State { id: "1".into(), state: busy },
            AgentChange::Went { id: "1".into() },
            AgentChange::Went { id: "9".into() },
        ] {
            lines.extend(shown.take(&all, change).map(|(what, agent)| line(what, &agent)));
        }
        let expected = "up  b  10.0.0.9  0.1.0  idle\nup  a  10.0.0.9  0.1.0  idle\n\
                        busy  a  10.0.0.9  0.1.0  busy for 0 s: c\ndown  a  10.0.0.9  0.1.0\n";
        assert_eq!(lines.concat(), expected);
    }

    #[test]
    fn nobody_is_told_with_what_to_type() {
        let told = |options: &str, listed, has_key| {
            no_agents_message(&order(options), listed, has_key).map(|line| line.to_string()).join("\n")
        };
        assert!(told("", 0, true).contains("goodput agent"));
        assert!(told("", 0, false).contains("goodput key new"));
        assert!(told("--group web", 3, true).contains("none of 3"));
    }
}
