//! The CPU table: one column per host, or one if both ends share a kernel.

use super::{Align, Cell, Table};
use crate::table::cell::{count, or_none, percent};
use crate::wording::shared;
use goodput_model::CpuScope;
use goodput_model::summary::{CpuSummary, HostSummary, Summary};
use goodput_model::trial::Role;

pub fn hosts_table(summary: &Summary) -> Option<Table> {
    let known: Vec<&HostSummary> = summary.hosts.iter().filter(|h| h.cpu.is_some()).collect();
    let mut table = Table::new("CPU over the window", &[("", Align::Left)]);
    let one_kernel = shared(summary);
    let columns: Vec<Option<&CpuSummary>> = if one_kernel {
        table.columns.push(("both ends, one kernel".into(), Align::Right));
        vec![known.first()?.cpu.as_ref()]
    } else {
        if known.is_empty() {
            return None;
        }
        for h in &summary.hosts {
            let role = if h.role == Role::Connect { "connects" } else { "listens" };
            let pinned = match &h.cpu {
                Some(c) if c.scope == CpuScope::Pinned => ", pinned",
                _ => "",
            };
            table.columns.push((format!("{} ({role}{pinned})", h.name), Align::Right));
        }
        summary.hosts.iter().map(|h| h.cpu.as_ref()).collect()
    };
    let mut row = |name: &str, f: &dyn Fn(&CpuSummary) -> Cell| {
        let mut cells = vec![Cell::from(name)];
        cells.extend(columns.iter().map(|c| or_none(*c, f)));
        table.row_if_known(cells);
    };
    row("logical CPUs", &|c| count(c.cpus.into()));
    row("busy", &|c| percent(c.busy_percent));
    // In a pinned lab only some CPUs count, and their index is not their number.
    let pinned = summary.hosts.iter().filter_map(|h| h.cpu.as_ref()).any(|c| c.scope == CpuScope::Pinned);
    row("busiest CPU", &|c| busiest(c, !pinned));
    row("user, sampled", &|c| percent(c.user_percent));
    row("system, sampled", &|c| percent(c.system_percent));
    row("softirq, sampled", &|c| percent(c.softirq_percent));
    row("unattributed", &|c| percent(c.unattributed_percent));
    row("stolen by hypervisor", &|c| percent(c.steal_percent));
    row("waiting for disk", &|c| percent(c.iowait_percent));
    row("of its quota", &quota);
    if !one_kernel {
        row("measuring threads, of one CPU", &|c| percent(c.probe_threads_percent));
    } else {
        for h in known {
            let share = or_none(h.cpu.as_ref(), |c| percent(c.probe_threads_percent));
            table.row_if_known(vec![format!("measuring threads of {}, of one CPU", h.name).into(), share]);
        }
    }
    table.notes.push(
        "In per cent of all logical CPUs unless said otherwise; stolen and waiting are not in busy.".into(),
    );
    Some(table)
}

/// Use of a CPU quota, and throttling.
fn quota(c: &CpuSummary) -> Cell {
    or_none(c.quota, |q| {
        or_none(q.used_percent, percent).followed(format_args!(
            " of {:.2} CPUs, had to wait in {} of its periods",
            q.cpus,
            percent(q.throttled_percent)
        ))
    })
}

fn busiest(c: &CpuSummary, numbered: bool) -> Cell {
    let most = c.busy_percent_per_cpu.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    or_none(most, |(i, busy)| {
        let share = percent(*busy);
        if numbered { share.followed(format_args!(" (CPU {i})")) } else { share }
    })
}
