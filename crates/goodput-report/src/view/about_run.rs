//! A run's description in sentences and a table.

use crate::page::{Block, Section};
use crate::table::{Align, Table, runs::format_start_time};
use goodput_model::run::RunHeader;
use goodput_model::summary::ResultDocument;

/// The same below every run.
const READING: &str = "Goodput is the user data that the receiver counts in the measurement window, each \
    byte once, divided by the window’s length. Half the RTT is not a one-way delay. Rates are decimal (1 Mbit/s is 1,000,000 bit/s), sizes binary (1 KiB is 1,024 bytes).";

pub(super) fn footer_lines(head: Option<&RunHeader>) -> Vec<String> {
    let told = |head: &RunHeader| {
        let when = format!("{}, goodput {}, run {}", format_start_time(&head.started), head.version, head.id);
        [when, head.command.join(" ")].into_iter().filter(|line| !line.is_empty()).collect()
    };
    head.map(told).unwrap_or_default()
}

pub(super) fn about_run_section(document: &ResultDocument, head: Option<&RunHeader>) -> Section {
    let mut table = Table::new("Run", &[("", Align::Left), ("", Align::Left)]);
    let mut row = |name: String, value: String| table.add_row(vec![name, value]);
    if let Some(run) = document.run {
        row("run".into(), run.to_string());
    }
    if let Some(head) = head {
        row("command line".into(), head.command.join(" "));
        row("started".into(), format_start_time(&head.started));
        row("goodput version".into(), format!("goodput {}, run format {}", head.version, head.format));
        row("random seed".into(), head.seed.to_string());
        for (key, value) in &head.labels {
            row(format!("label {key}"), value.clone());
        }
    }
    row("result format".into(), document.schema.clone());
    Section { title: "About this run".into(), blocks: vec![Block::table(table), Block::note(READING)] }
}
