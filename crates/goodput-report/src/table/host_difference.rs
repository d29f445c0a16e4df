//! Tables of host differences for `goodput compare`.

use super::cell::optional_cell;
use super::{Align, Cell, Table};
use goodput_model::host::HostDifference;
use goodput_model::host::host_difference::ComparedHost;
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

pub fn host_difference_tables(hosts: &[HostDifference]) -> Vec<Table> {
    labeled_host_difference_tables(hosts, ("the first run", "the second run"))
}

pub fn labeled_host_difference_tables(hosts: &[HostDifference], names: (&str, &str)) -> Vec<Table> {
    hosts.iter().map(|host| difference(host, names)).collect()
}

fn difference(host: &HostDifference, names: (&str, &str)) -> Table {
    let title = match host.role {
        EndpointRole::Connect => "The connecting end",
        EndpointRole::Listen => "The listening end",
    };
    let mut table = Table::new(title, &[("", Align::Left)]);
    let column = |run: &str, side: &Option<ComparedHost>| {
        let what: MessageArg = match side {
            Some(side) => (&side.host).into(),
            None => message!(report_not_reported).into(),
        };
        let parts = Message::from(run.trim_start_matches("the "));
        (message!(part_with_parts { what, parts }).into(), Align::Left)
    };
    table.columns.push(column(names.0, &host.first));
    table.columns.push(column(names.1, &host.second));
    for one in host.differences.iter().flatten() {
        let cell = |value: &Option<String>| optional_cell(value.as_deref(), Cell::from);
        table.add_row([Cell::from(&one.name), cell(&one.first), cell(&one.second)]);
    }
    match &host.differences {
        None => table.notes.push("One of the runs contains no inventory of the host at this end.".into()),
        Some(all) if all.is_empty() => table.notes.push("No differences.".into()),
        Some(_) => {}
    }
    for (run, side) in [(names.0, &host.first), (names.1, &host.second)] {
        if side.as_ref().is_some_and(|s| s.changed_within_run) {
            table.notes.push(message!(report_record_changed { run: Message::from(run) }).into());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::host::InventoryFactDifference;

    #[test]
    fn what_differs_stands_side_by_side() {
        let side = |host: &str, changed| {
            Some(ComparedHost { host: host.into(), inventory_hash: None, changed_within_run: changed })
        };
        let (name, first) = ("interfaces.eth0.mtu".into(), Some("1500".into()));
        let mtu = InventoryFactDifference { name, first, second: None };
        let hosts = [HostDifference {
            role: EndpointRole::Listen,
            first: side("b", true),
            second: side("b2", false),
            differences: Some(vec![mtu]),
        }];
        let table = &host_difference_tables(&hosts)[0];
        assert_eq!(table.rows, [["interfaces.eth0.mtu", "1500", "–"]]);
        assert_eq!(table.columns[2].0, "b2 (second run)");
        assert_eq!(table.notes.len(), 1);
    }
}
