//! The CPU table: one column per host, or one if both ends share a kernel.

use super::{Align, Cell, NumberFormat, Table};
use crate::table::cell::{count, optional_cell, percent};
use crate::wording::hosts_share_kernel;
use goodput_model::summary::{CpuSummary, HostSummary, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{CpuAccountingScope, Message};
use goodput_words::message;

/// `a (connects)`.
pub(crate) fn host_with_role(host: &str, role: EndpointRole) -> Message {
    match role {
        EndpointRole::Connect => message!(report_host_connects { host }),
        EndpointRole::Listen => message!(report_host_listens { host }),
    }
}

pub fn host_cpu_usage_table(summary: &TrialSummary) -> Option<Table> {
    let known: Vec<&HostSummary> = summary.hosts.iter().filter(|h| h.cpu.is_some()).collect();
    let mut table = Table::new("CPU usage in the measurement window", &[("", Align::Left)]);
    let one_kernel = hosts_share_kernel(summary);
    let columns: Vec<Option<&CpuSummary>> = if one_kernel {
        table.columns.push(("both ends (same kernel)".into(), Align::Right));
        vec![known.first()?.cpu.as_ref()]
    } else {
        if known.is_empty() {
            return None;
        }
        for h in &summary.hosts {
            let host = match (is_pinned(h), h.role) {
                (false, role) => host_with_role(&h.name, role),
                (true, EndpointRole::Connect) => message!(report_host_connects_pinned { host: &h.name }),
                (true, EndpointRole::Listen) => message!(report_host_listens_pinned { host: &h.name }),
            };
            table.columns.push((host.into(), Align::Right));
        }
        summary.hosts.iter().map(|h| h.cpu.as_ref()).collect()
    };
    let mut row = |name: &str, f: &dyn Fn(&CpuSummary) -> Cell| {
        table.add_row_unless_empty(name, columns.iter().map(|c| optional_cell(*c, f)));
    };
    row("logical CPUs", &|c| count(c.cpus.into()));
    row("busy", &|c| percent(c.busy_percent));
    // In a pinned lab only some CPUs count, and their index is not their number.
    let pinned = summary.hosts.iter().any(is_pinned);
    row("usage of the busiest CPU", &|c| busiest(c, !pinned));
    row("user time (sampled)", &|c| percent(c.user_percent));
    row("system time (sampled)", &|c| percent(c.system_percent));
    row("softirq time (sampled)", &|c| percent(c.softirq_percent));
    row("unattributed CPU time", &|c| percent(c.unattributed_percent));
    row("steal", &|c| percent(c.steal_percent));
    row("iowait", &|c| percent(c.iowait_percent));
    row("CPU quota usage", &quota);
    if !one_kernel {
        row("measurement threads (% of one CPU)", &|c| percent(c.probe_threads_percent));
    } else {
        for h in known {
            let name = message!(report_measuring_threads_of_host_of_one { host: &h.name });
            let share = optional_cell(h.cpu.as_ref(), |c| percent(c.probe_threads_percent));
            table.add_row_unless_empty(name, [share]);
        }
    }
    table.notes.push(
        "Values are percentages of all logical CPUs unless stated otherwise; busy excludes steal and \
         iowait."
            .into(),
    );
    Some(table)
}

fn is_pinned(host: &HostSummary) -> bool {
    host.cpu.as_ref().is_some_and(|c| c.scope == CpuAccountingScope::Pinned)
}

/// Use of a CPU quota, and throttling.
fn quota(c: &CpuSummary) -> Cell {
    optional_cell(c.quota, |q| {
        let quota = Cell::number(q.cpus, NumberFormat::Fixed(2));
        let share = percent(q.throttled_percent);
        optional_cell(q.used_percent, percent)
            .worded(|used| message!(report_used_of_quota { used, quota, share }))
    })
}

fn busiest(c: &CpuSummary, numbered: bool) -> Cell {
    let most = c.busy_percent_per_cpu.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    optional_cell(most, |(i, busy)| {
        let share = percent(*busy);
        if !numbered {
            return share;
        }
        share.worded(|share| message!(report_busy_on_cpu { share, number: i.to_string() }))
    })
}
