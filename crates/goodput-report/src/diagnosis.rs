//! The report of `goodput why`: the sentence, the suspects, and the effects that decided about each.

use crate::display_text::DisplayText;
use crate::page::PageStatement;
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, nanos, optional_cell, ordinal, rate};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_analysis::diagnosis::{cause_name, intervention_name, intervention_of};
use goodput_model::diagnosis::{Diagnosis, Intervention, InterventionEffect, Suspect, SuspectState};
use goodput_model::summary::TrialSummary;
use goodput_model::trial::TcpStatistics;
use goodput_model::{Finding, Message, Severity};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use goodput_words::typed_message::message_without_args;

pub(crate) fn statement(diagnosis: &Diagnosis) -> PageStatement {
    PageStatement::from_finding(&Finding {
        id: "diagnosis".into(),
        severity: Severity::Note,
        text: diagnosis.sentence.clone(),
        evidence: Vec::new(),
        try_next: diagnosis.advice.clone(),
    })
}

/// Of the first limit, and of the next one.
pub(crate) fn suspects_tables(diagnosis: &Diagnosis) -> Vec<Table> {
    let mut tables = vec![suspects_table(diagnosis, "Suspected causes")];
    if let Some(next) = &diagnosis.then {
        let change = intervention_name(next.relieved_by, next.dose);
        let title = message!(report_suspected_causes_next { change });
        tables.push(suspects_table(&next.diagnosis, title));
    }
    if let Some(last) = tables.last_mut() {
        last.notes.push(
            "Effects are ratios to unchanged settings. The intervals of goodput hold for all of them together with 95 % \
             confidence; others are the range over the blocks. A cause is named if every predicted effect was measured."
                .into(),
        );
    }
    tables
}

/// Of a proven cause all effects, of an excluded one what contradicts it, else what is open.
fn suspects_table(diagnosis: &Diagnosis, title: impl Into<DisplayText>) -> Table {
    let rows = diagnosis.suspects.iter().flat_map(|suspect| {
        let effects = suspect.effects.iter().filter(|effect| match suspect.state {
            SuspectState::Named => true,
            SuspectState::Excluded => effect.agrees == Some(false),
            SuspectState::Possible => effect.agrees != Some(true),
        });
        let most = if suspect.state == SuspectState::Excluded { 1 } else { usize::MAX };
        let mut shown: Vec<Option<&InterventionEffect>> = effects.take(most).map(Some).collect();
        if shown.is_empty() {
            shown.push(None);
        }
        shown.into_iter().map(move |effect| (suspect, effect))
    });
    let columns: ColumnDefinitions<'_, (&Suspect, Option<&InterventionEffect>)> = &[
        ("cause", Left, &|(suspect, _)| cause_name(suspect.cause).into()),
        ("state", Left, &|(suspect, _)| state(suspect.state).into()),
        ("change", Left, &|(_, effect)| {
            effect.map(|e| intervention_name(e.intervention, e.dose)).unwrap_or_default().into()
        }),
        ("effect on", Left, &|(_, effect)| effect.map(quantity).unwrap_or_default().into()),
        ("predicted", Right, &|(_, effect)| effect.map(predicted).unwrap_or_default().into()),
        ("measured", Right, &|(_, effect)| {
            optional_cell(effect.and_then(|e| e.measured), |m| {
                let [ratio, low, high] = [m.ratio, m.low, m.high].map(ratio);
                message!(report_effect_interval { ratio, low, high })
            })
        }),
        ("agrees", Left, &|(_, effect)| effect.map_or("", |e| agrees(e.agrees)).into()),
    ];
    Table::from_items(title, rows, columns).without_repeated_row_labels()
}

/// In the order in which they were made.
pub(crate) fn trials_table(all: &[&TrialSummary]) -> Table {
    let changed = all.iter().filter_map(|summary| Some((*summary, intervention_of(&summary.probe)?)));
    let tcp = |s: &TrialSummary, of: fn(&TcpStatistics) -> Cell| {
        let first = s.direction_summaries().first().and_then(|d| d.sender_tcp.as_ref());
        optional_cell(first, of)
    };
    let columns: ColumnDefinitions<'_, (&TrialSummary, Intervention)> = &[
        ("trial", Right, &|(summary, _)| ordinal(summary.trial.0)),
        ("change", Left, &|(_, change)| intervention_name(change.kind, change.dose).into()),
        ("goodput", Right, &|(summary, _)| optional_cell(summary.goodput_bps, rate)),
        ("retransmitted", Right, &|(summary, _)| tcp(summary, |t| count(t.retransmits))),
        ("RTT", Right, &|(summary, _)| tcp(summary, |t| nanos(u64::from(t.rtt_us) * 1_000))),
    ];
    // A copy has no TCP figures.
    Table::from_items("Trial results", changed, columns).without_empty_columns()
}

fn state(state: SuspectState) -> &'static str {
    match state {
        SuspectState::Named => "proven",
        SuspectState::Excluded => "excluded",
        SuspectState::Possible => "possible",
    }
}

fn quantity(effect: &InterventionEffect) -> Message {
    message_without_args(&format!("quantity-{}", effect.quantity.id())).unwrap_or_default()
}

fn predicted(effect: &InterventionEffect) -> Message {
    let (low, high) = effect.predicted;
    match high >= 1e3 {
        true => message!(part_view_above { least: quantity_arg(low, "", low.to_string()) }),
        false => message!(part_from_to { least: ratio(low), most: ratio(high) }),
    }
}

fn ratio(value: f64) -> Cell {
    Cell::number(value, NumberFormat::Fixed(2))
}

fn agrees(agrees: Option<bool>) -> &'static str {
    match agrees {
        Some(true) => "yes",
        Some(false) => "no",
        None => "cannot tell",
    }
}
