//! A run's description in sentences and a table.

use crate::display_text::DisplayText;
use crate::page::{Block, Section};
use crate::table::{Align, Cell, Table, runs::format_start_time};
use goodput_model::run::RunHeader;
use goodput_model::summary::ResultDocument;
use goodput_words::message;

/// The same below every run.
const READING: &str = "Goodput is the user data that the receiver counts in the measurement window, each \
    byte once, divided by the window’s length. Half the RTT is not a one-way delay. Rates are decimal (1 Mbit/s is 1,000,000 bit/s), sizes binary (1 KiB is 1,024 bytes).";

pub(super) fn footer_lines(head: Option<&RunHeader>) -> Vec<DisplayText> {
    let told = |head: &RunHeader| -> [DisplayText; 2] {
        let (when, run) = (format_start_time(&head.started), head.id.to_string());
        let when = message!(report_when_program_run { when, version: &head.version, run });
        [when.into(), head.command.join(" ").into()]
    };
    head.map(told).into_iter().flatten().filter(|line| !line.is_empty()).collect()
}

pub(super) fn about_run_section(document: &ResultDocument, head: Option<&RunHeader>) -> Section {
    let mut table = Table::new("Run", &[("", Align::Left), ("", Align::Left)]);
    let mut row = |name: &str, value: Cell| table.add_row([name.into(), value]);
    if let Some(run) = document.run {
        row("run", run.to_string().into());
    }
    if let Some(head) = head {
        let (version, format) = (&head.version, head.format);
        row("command line", head.command.join(" ").into());
        row("started", format_start_time(&head.started).into());
        row("goodput version", message!(report_program_format { version, format }).into());
        row("random seed", head.seed.to_string().into());
        for (name, value) in &head.labels {
            table.add_row([message!(report_label_name { name }), value.into()]);
        }
    }
    table.add_row(["result format", &document.schema]);
    Section { title: "About this run".into(), blocks: vec![Block::table(table), Block::note(READING)] }
}
