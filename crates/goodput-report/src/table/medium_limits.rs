//! The tables of `limits`: the media, and what each allows.

use super::Align::{Left, Right};
use super::{Cell, ColumnDefinitions, NumberFormat, Table};
use crate::display_text::DisplayText;
use crate::table::cell::{count, limit_rate, optional_cell, peak, rate_setting};
use crate::text::text_block::TextBlock;
use goodput_analysis::medium_limit::limit_table::{MediumLimitRow, MediumLimitTable, slowest_medium};
use goodput_analysis::medium_limit::medium_catalog::{DuplexSupport, MediumKind, MediumSpec};
use goodput_model::Message;
use goodput_words::message;

pub fn medium_limits_table(media: &[MediumSpec]) -> Table {
    let columns: ColumnDefinitions<'_, &MediumSpec> = &[
        ("medium", Left, &|entry| entry.name.into()),
        ("rate", Right, &|entry| match entry.kind {
            MediumKind::Network { rate, .. } => rate_setting(rate),
            MediumKind::Bus(bus) => peak(bus.peak_bytes_per_second()),
        }),
        ("MTU", Right, &|entry| match entry.kind {
            MediumKind::Network { mtu, .. } => count(mtu.into()),
            MediumKind::Bus(_) => Cell::Missing,
        }),
        ("duplex", Left, &|entry| match entry.kind {
            MediumKind::Network { duplex: DuplexSupport::Full, .. } => "full".into(),
            MediumKind::Network { duplex: DuplexSupport::UsuallyFull, .. } => "full or half".into(),
            MediumKind::Network { duplex: DuplexSupport::UsuallyHalf, .. } => "half or full".into(),
            MediumKind::Bus(_) => Cell::Missing,
        }),
        ("description", Left, &|entry| entry.what.into()),
    ];
    let mut table = Table::from_items("Network media and host buses", media, columns);
    table.notes.push(
        "Also: ethernet:RATE for any other, disk:SIZE for what a disk was measured to move a second.".into(),
    );
    table.notes.push("ATM: what is left of 155.52 Mbit/s for cells.".into());
    table
}

pub fn goodput_limits_table(allowance: &MediumLimitTable) -> Table {
    let network = allowance.link.is_some();
    let columns: ColumnDefinitions<'_, &MediumLimitRow> = &[
        ("traffic", Left, &|row| (&row.traffic).into()),
        ("user bytes", Right, &|row| optional_cell(row.share, |s| count(s.user_bytes))),
        ("of", Right, &|row| optional_cell(row.share, |s| count(s.wire_bytes))),
        ("goodput", Right, &|row| limit_rate(row.goodput)),
        ("MB/s", Right, &|row| if network { Cell::Missing } else { peak(row.goodput.0 / 8) }),
        ("% of link rate", Right, &|row| Cell::number(row.percent_of_rate, NumberFormat::FixedPercent(3))),
        ("packets per second", Right, &|row| {
            optional_cell(row.packets_per_second, |v| Cell::number(v, NumberFormat::Fixed(1)))
        }),
    ];
    let mut table = Table::from_items(title(allowance), &allowance.rows, columns);
    table.notes = allowance.notes.iter().map(DisplayText::from).collect();
    let source = Message::from(&allowance.source);
    table.notes.push(message!(report_limits_source { source }).into());
    table.without_empty_columns()
}

fn title(allowance: &MediumLimitTable) -> Message {
    let medium = &allowance.medium;
    let Some(link) = allowance.link else { return medium.into() };
    let rate = rate_setting(allowance.rate);
    if link.half_duplex {
        message!(report_limits_title_half_duplex { medium, rate, mtu: link.mtu })
    } else {
        message!(report_limits_title_full_duplex { medium, rate, mtu: link.mtu })
    }
}

/// All tables, and which of several media limits a transfer over all.
pub fn medium_limit_text_blocks(all: &[MediumLimitTable]) -> Vec<TextBlock> {
    let mut out = Vec::new();
    for allowance in all {
        let table = goodput_limits_table(allowance);
        out.push(TextBlock::Message(table.title.message().clone()));
        out.extend([TextBlock::Table(table), TextBlock::Text("\n".into())]);
    }
    if all.len() > 1
        && let Some(bound) = slowest_medium(all)
    {
        let rate = limit_rate(bound.rows[0].goodput);
        out.push(TextBlock::Message(message!(report_limits_bound { medium: &bound.medium, rate })));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::text_block::blocks_to_text;
    use goodput_analysis::medium_limit::limit_table::{
        TrafficAssumptions, bus_limit_table, link_limit_table,
    };
    use goodput_analysis::medium_limit::{IpVersion, medium_catalog};

    fn gigabit() -> MediumLimitTable {
        let entry = medium_catalog::find_medium("1000base-t").unwrap();
        let (ip, timestamps) = (IpVersion::V4, true);
        let traffic = TrafficAssumptions { ip, timestamps, datagram: None, round_trip: None, window: None };
        link_limit_table("1000base-t", entry.to_link(None, 0, None).unwrap(), Some(&entry), &traffic)
    }

    fn pci() -> MediumLimitTable {
        let entry = medium_catalog::find_medium("pci-32-33").unwrap();
        let MediumKind::Bus(bus) = entry.kind else { panic!() };
        bus_limit_table("pci-32-33", bus, &entry)
    }

    #[test]
    fn a_network_shows_what_its_tables_print_and_of_several_the_least_is_named() {
        let table = goodput_limits_table(&gigabit());
        assert_eq!(table.title, "1000base-t: 1 Gbit/s, MTU 1,500, full duplex, each direction");
        assert_eq!(table.rows[0][1..], ["1,448", "1,538", "941.48 Mbit/s", "94.148 %", "81,274.4"]);
        let words = blocks_to_text(&medium_limit_text_blocks(&[gigabit(), pci()]), Some(100));
        assert!(words.ends_with("bounded by 1000base-t: 941.48 Mbit/s.\n"), "{words}");
        assert!(words.contains("133 MB/s"), "{words}");
        assert!(!blocks_to_text(&medium_limit_text_blocks(&[pci()]), None).contains("bounded"));
    }
}
