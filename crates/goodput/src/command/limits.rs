//! `goodput limits`: the media and their theoretical limits.

use crate::args::limits::{Asked, Limits};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{language, output};
use goodput_analysis::limit::Framing;
use goodput_analysis::limit::allowance::{self, Allowance, Row};
use goodput_analysis::limit::catalogue::{Entry, Kind, MEDIA};
use goodput_report::table::limits::{media_table, parts};
use serde_json::{Value, json};

pub fn run(order: &Limits) -> Result<Exit, Failure> {
    if order.media.is_empty() {
        if order.json {
            let media: Vec<Value> = MEDIA.iter().map(medium).collect();
            output::json(&json!({ "schema": "goodput/media/1", "media": media }));
        } else {
            output::text(&language::table(media_table(MEDIA), &[]).to_text(output::width()));
        }
        return Ok(Exit::Done);
    }
    let all: Vec<Allowance> = order.media.iter().map(|m| allowed(m, order)).collect();
    if order.json {
        let bounded_by = allowance::least(&all).map(|a| a.medium.clone());
        let limits: Vec<Value> = all.iter().map(limit).collect();
        output::json(&json!({ "schema": "goodput/limits/1", "limits": limits, "bounded_by": bounded_by }));
    } else {
        output::text(&language::written(parts(&all), Vec::new(), output::width()));
    }
    Ok(Exit::Done)
}

fn allowed(asked: &Asked, order: &Limits) -> Allowance {
    match asked {
        Asked::Network(n) => allowance::of_link(&n.name, n.link, n.entry.as_ref(), &order.traffic),
        Asked::Bus { name, bus, entry } => allowance::of_bus(name, *bus, entry),
        Asked::Disk { name, rate } => allowance::of_disk(name, *rate),
    }
}

fn medium(entry: &Entry) -> Value {
    let (kind, rate, mtu) = match entry.kind {
        Kind::Network { rate, mtu, .. } => ("network", rate.0, Some(mtu)),
        Kind::Bus(bus) => ("bus", bus.peak().saturating_mul(8), None),
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

fn limit(a: &Allowance) -> Value {
    let vlan_tags = a.link.and_then(|l| match l.framing {
        Framing::Ethernet { vlan_tags } => Some(vlan_tags),
        _ => None,
    });
    let rows: Vec<Value> = a.rows.iter().map(row).collect();
    json!({
        "medium": a.medium,
        "rate_bps": a.rate.0,
        "mtu_bytes": a.link.map(|l| l.mtu),
        "vlan_tags": vlan_tags,
        "half_duplex": a.link.map(|l| l.half_duplex),
        "traffic": rows,
        "notes": a.notes,
        "source": a.source,
    })
}

fn row(row: &Row) -> Value {
    json!({
        "traffic": row.traffic,
        "user_bytes": row.share.map(|s| s.user_bytes),
        "wire_bytes": row.share.map(|s| s.wire_bytes),
        "goodput_bps": row.goodput.0,
        "bytes_per_second": row.goodput.0 / 8,
        "percent_of_rate": row.percent_of_rate,
        "packets_per_second": row.packets_per_second,
    })
}
