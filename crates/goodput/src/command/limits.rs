//! `goodput limits`: the media and their theoretical limits.

use crate::args::limits::{LimitsInvocation, MediumSelection};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::{language, output};
use goodput_analysis::medium_limit::Framing;
use goodput_analysis::medium_limit::limit_table::{self, MediumLimitRow, MediumLimitTable};
use goodput_analysis::medium_limit::medium_catalog::{KNOWN_MEDIA, MediumKind, MediumSpec};
use goodput_report::table::medium_limits::{medium_limit_text_blocks, medium_limits_table};
use serde_json::{Value, json};

pub fn run_limits(order: &LimitsInvocation) -> Result<ExitStatus, Failure> {
    if order.media.is_empty() {
        if order.json {
            let media: Vec<Value> = KNOWN_MEDIA.iter().map(medium).collect();
            output::print_json(&json!({ "schema": "goodput/media/1", "media": media }));
        } else {
            output::print_text(&output::table_text(medium_limits_table(KNOWN_MEDIA), &[]));
        }
        return Ok(ExitStatus::Done);
    }
    let all: Vec<MediumLimitTable> = order.media.iter().map(|m| allowed(m, order)).collect();
    if order.json {
        let bounded_by = limit_table::slowest_medium(&all).map(|a| a.medium.clone());
        let limits: Vec<Value> = all.iter().map(limit).collect();
        output::print_json(
            &json!({ "schema": "goodput/limits/1", "limits": limits, "bounded_by": bounded_by }),
        );
    } else {
        output::print_text(&language::translate_text_blocks(
            medium_limit_text_blocks(&all),
            Vec::new(),
            output::terminal_width(),
        ));
    }
    Ok(ExitStatus::Done)
}

fn allowed(asked: &MediumSelection, order: &LimitsInvocation) -> MediumLimitTable {
    match asked {
        MediumSelection::Network(n) => {
            limit_table::link_limit_table(&n.name, n.link, n.entry.as_ref(), &order.traffic)
        }
        MediumSelection::Bus { name, bus, entry } => limit_table::bus_limit_table(name, *bus, entry),
        MediumSelection::Disk { name, rate } => limit_table::disk_limit_table(name, *rate),
    }
}

fn medium(entry: &MediumSpec) -> Value {
    let (kind, rate, mtu) = match entry.kind {
        MediumKind::Network { rate, mtu, .. } => ("network", rate.0, Some(mtu)),
        MediumKind::Bus(bus) => ("bus", bus.peak_bytes_per_second().saturating_mul(8), None),
    };
    json!({
        "name": entry.name,
        "aliases": entry.aliases,
        "what": entry.what,
        "kind": kind,
        "rate_bps": rate,
        "mtu_bytes": mtu,
        "source": entry.source,
    })
}

fn limit(a: &MediumLimitTable) -> Value {
    let vlan_tags = a.link.and_then(|l| match l.framing {
        Framing::Ethernet { vlan_tags } => Some(vlan_tags),
        _ => None,
    });
    let rows: Vec<Value> = a.rows.iter().map(row).collect();
    let notes: Vec<&str> = a.notes.iter().map(|note| note.as_str()).collect();
    json!({
        "medium": a.medium,
        "rate_bps": a.rate.0,
        "mtu_bytes": a.link.map(|l| l.mtu),
        "vlan_tags": vlan_tags,
        "half_duplex": a.link.map(|l| l.half_duplex),
        "traffic": rows,
        "notes": notes,
        "source": a.source,
    })
}

fn row(row: &MediumLimitRow) -> Value {
    json!({
        "traffic": row.traffic.as_str(),
        "user_bytes": row.share.map(|s| s.user_bytes),
        "wire_bytes": row.share.map(|s| s.wire_bytes),
        "goodput_bps": row.goodput.0,
        "bytes_per_second": row.goodput.0 / 8,
        "percent_of_rate": row.percent_of_rate,
        "packets_per_second": row.packets_per_second,
    })
}
