//! The tables of `limits`: the media, and what each allows.

use super::{Align, Cell, Format, Table};
use crate::table::cell::{count, limit_rate, or_none, peak, rate_setting};
use crate::text::block::TextBlock;
use goodput_analysis::limit::allowance::{Allowance, least};
use goodput_analysis::limit::catalogue::{Duplex, Entry, Kind};

pub fn media_table(media: &[Entry]) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let mut table = Table::new(
        "Media",
        &[("medium", left), ("rate", right), ("MTU", right), ("duplex", left), ("description", left)],
    );
    for entry in media {
        let (rate, mtu, duplex) = match entry.kind {
            Kind::Network { rate, mtu, duplex, .. } => {
                let duplex = match duplex {
                    Duplex::Full => "full",
                    Duplex::UsuallyFull => "full or half",
                    Duplex::UsuallyHalf => "half or full",
                };
                (rate_setting(rate), count(mtu.into()), Cell::from(duplex))
            }
            Kind::Bus(bus) => (peak(bus.peak()), Cell::Missing, Cell::Missing),
        };
        table.row(vec![entry.name.into(), rate, mtu, duplex, entry.what.into()]);
    }
    table.notes.push(
        "Also: ethernet:RATE for any other, disk:SIZE for what a disk was measured to move a second.".into(),
    );
    table.notes.push("ATM: what is left of 155.52 Mbit/s for cells.".into());
    table
}

pub fn allowance_table(allowance: &Allowance) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let mut table = Table::new(
        title(allowance),
        &[
            ("traffic", left),
            ("user bytes", right),
            ("of", right),
            ("goodput", right),
            ("MB/s", right),
            ("% of link rate", right),
            ("packets per second", right),
        ],
    );
    let network = allowance.link.is_some();
    for row in &allowance.rows {
        table.row(vec![
            row.traffic.as_str().into(),
            or_none(row.share, |s| count(s.user_bytes)),
            or_none(row.share, |s| count(s.wire_bytes)),
            limit_rate(row.goodput),
            if network { Cell::Missing } else { peak(row.goodput.0 / 8) },
            Cell::number(row.percent_of_rate, Format::FixedPercent(3)),
            or_none(row.packets_per_second, |v| Cell::number(v, Format::Fixed(1))),
        ]);
    }
    table.notes = allowance.notes.clone();
    table.notes.push(format!("Source: {}. Formulas: docs/methods/limits.md.", allowance.source));
    table.without_empty_columns()
}

fn title(allowance: &Allowance) -> String {
    let Some(link) = allowance.link else { return allowance.medium.clone() };
    let duplex = if link.half_duplex { "half duplex" } else { "full duplex, each direction" };
    format!(
        "{}: {}, MTU {}, {duplex}",
        allowance.medium,
        rate_setting(allowance.rate),
        count(link.mtu.into())
    )
}

/// All tables, and which of several media limits a transfer over all.
pub fn parts(all: &[Allowance]) -> Vec<TextBlock> {
    let mut out = Vec::new();
    for allowance in all {
        let table = allowance_table(allowance);
        out.push(TextBlock::Text(format!("{}\n", crate::escape::plain(&table.title))));
        out.extend([TextBlock::Table(table), TextBlock::Text("\n".into())]);
    }
    if all.len() > 1
        && let Some(bound) = least(all)
    {
        out.push(TextBlock::Text(format!(
            "A transfer over all of them is bounded by {}: {}.\n",
            crate::escape::plain(&bound.medium),
            limit_rate(bound.rows[0].goodput)
        )));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::block::written;
    use goodput_analysis::limit::allowance::{Traffic, of_bus, of_link};
    use goodput_analysis::limit::{Ip, catalogue};

    fn gigabit() -> Allowance {
        let entry = catalogue::find("1000base-t").unwrap();
        let traffic =
            Traffic { ip: Ip::V4, timestamps: true, datagram: None, round_trip: None, window: None };
        of_link("1000base-t", entry.link(None, 0, None).unwrap(), Some(&entry), &traffic)
    }

    fn pci() -> Allowance {
        let entry = catalogue::find("pci-32-33").unwrap();
        let Kind::Bus(bus) = entry.kind else { panic!() };
        of_bus("pci-32-33", bus, &entry)
    }

    #[test]
    fn a_network_shows_what_its_tables_print() {
        let table = allowance_table(&gigabit());
        assert_eq!(table.title, "1000base-t: 1 Gbit/s, MTU 1,500, full duplex, each direction");
        let cells = &table.rows[0];
        assert_eq!(cells[1..], ["1,448", "1,538", "941.48 Mbit/s", "94.148 %", "81,274.4"]);
    }

    #[test]
    fn of_several_the_least_is_named() {
        let words = written(&parts(&[gigabit(), pci()]), Some(100));
        assert!(words.ends_with("bounded by 1000base-t: 941.48 Mbit/s.\n"), "{words}");
        assert!(words.contains("133 MB/s"), "{words}");
        assert!(!written(&parts(&[pci()]), None).contains("bounded"));
    }
}
