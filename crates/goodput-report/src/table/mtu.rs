//! The tables of a path-MTU probe: a row a direction, with the header sums and why nothing larger passes.

use super::{Align, Cell, Table};
use crate::headline::way;
use crate::table::cell::{bytes, count, nanos, or_none};
use goodput_model::mtu::{MtuOutcome, PathMtuReport};
use goodput_model::probe::Direction;
use goodput_model::summary::{PathMtuDirection, Summary};

/// One row a direction.
pub fn mtu_table(summary: &Summary) -> Table {
    let mut table = Table::new(
        "Path MTU, whole IP packets",
        &[
            ("direction", Align::Left),
            ("passes", Align::Right),
            ("fails", Align::Right),
            ("why nothing larger", Align::Left),
            ("own interface", Align::Left),
            ("TCP MSS", Align::Right),
        ],
    );
    for d in directions(summary) {
        table.row(vec![
            way(summary, d.direction).into(),
            or_none(d.found.passes, bytes),
            or_none(d.found.fails, bytes),
            reason(&d.found.outcome).into(),
            interface(&d.found),
            or_none(d.found.tcp, |t| bytes(t.send_mss)),
        ]);
    }
    let back = summary.path_mtu().and_then(|p| p.reverse_not_available.as_ref());
    table.notes.extend(back.map(|why| format!("{}: {why}.", way(summary, Direction::Receive))));
    // Without an agent there is no TCP connection to look at.
    if back.is_some() { table.without_empty_columns() } else { table }
}

/// The same sizes as an application sees them: less the headers.
pub fn sums_table(summary: &Summary) -> Table {
    let echo = directions(summary).iter().any(|d| d.found.echo.is_some());
    let columns = [
        ("direction", Align::Left),
        (if echo { "largest payload of ICMP echo" } else { "largest UDP payload" }, Align::Left),
        ("largest TCP segment", Align::Left),
    ];
    let mut table = Table::new("Header sums", &columns);
    for d in directions(summary) {
        let Some(passes) = d.found.passes else { continue };
        table.row(vec![way(summary, d.direction), udp_sum(&d.found, passes), tcp_sum(&d.found, passes)]);
    }
    let packets = |d: &PathMtuDirection| {
        format!(
            "{}: {} packets, {} answered, settled after {}",
            way(summary, d.direction),
            count(d.found.sent.into()),
            count(d.found.answered.into()),
            nanos(d.found.took.0)
        )
    };
    table.notes.extend(directions(summary).iter().map(packets));
    table
}

fn directions(summary: &Summary) -> &[PathMtuDirection] {
    summary.path_mtu().map_or(&[], |p| &p.directions)
}

/// `7,150 − 28 = 7,122 passes, 7,123 does not`.
fn udp_sum(found: &PathMtuReport, passes: u32) -> String {
    let headers = found.ip_version.udp_headers();
    let payload = passes.saturating_sub(headers);
    let sum = format!("{} − {headers} = {} passes", count(passes.into()), count(payload.into()));
    match found.fails.map(|f| f.saturating_sub(headers)) {
        Some(fails) => format!("{sum}, {} does not", count(fails.into())),
        None => sum,
    }
}

/// `1,500 − 40 = 1,460`, and with timestamps 12 less, as the connection has them.
fn tcp_sum(found: &PathMtuReport, passes: u32) -> String {
    let headers = found.ip_version.tcp_headers();
    let payload = passes.saturating_sub(headers);
    format!("{} − {headers} = {}", count(passes.into()), count(payload.into()))
}

fn interface(found: &PathMtuReport) -> Cell {
    match (&found.interface.name, found.interface.mtu) {
        (Some(name), Some(mtu)) => format!("{name} {}", bytes(mtu)).into(),
        (Some(name), None) => name.into(),
        (None, Some(mtu)) => bytes(mtu),
        (None, None) => Cell::Missing,
    }
}

/// Why nothing larger passes, in a few words.
pub(crate) fn reason(outcome: &MtuOutcome) -> String {
    match outcome {
        MtuOutcome::Told { by, next_hop_mtu: 0 } => format!("{by} said \"too big\" without a size"),
        MtuOutcome::Told { by, next_hop_mtu } => {
            format!("{by} said \"too big\", takes {}", bytes(*next_hop_mtu))
        }
        MtuOutcome::BlackHole => "black hole: silence above this size".into(),
        MtuOutcome::OwnInterface { mtu } => format!("own interface, {}", bytes(*mtu)),
        MtuOutcome::NothingLarger => "nothing larger was tried".into(),
        MtuOutcome::Undecided { why } => format!("not settled: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn the_header_sums_are_written_out() {
        let table = sums_table(&documents::mtu_jumbo());
        assert_eq!(table.rows[0][1], "7,150 − 28 = 7,122 passes, 7,123 does not");
        assert_eq!(table.rows[0][2], "7,150 − 40 = 7,110");
    }

    #[test]
    fn by_echo_the_way_back_is_not_known() {
        let echo = documents::mtu_echo();
        let table = mtu_table(&echo);
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0][0], "a → printer");
        assert_eq!(table.notes, ["printer → a: not available without an agent on printer."]);
        let sums = sums_table(&echo);
        assert_eq!(sums.columns[1].0, "largest payload of ICMP echo");
        assert_eq!(sums.rows[0][1], "1,400 − 28 = 1,372 passes, 1,373 does not");
    }

    #[test]
    fn every_reason_is_said() {
        let table = mtu_table(&documents::mtu_narrow());
        assert_eq!(table.rows[0][3], "10.53.0.2 said \"too big\", takes 1,400 B");
        assert_eq!(table.rows[1][3], "black hole: silence above this size");
        assert_eq!(table.rows[1][1], "1,400 B");
        assert_eq!(table.rows[1][4], "eth0 1,500 B");
    }
}
