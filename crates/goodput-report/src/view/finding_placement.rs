//! Places findings beside the figure or table that they concern.

use crate::figure::Figure;
use crate::page::Block;
use crate::table::Table;
use crate::text::text_block::sort_by_severity;
use goodput_analysis::finding::{FindingSection, section_of_finding};
use goodput_model::{Finding, Severity};
use goodput_words::message;

pub(super) struct FindingPlacement<'a> {
    left: Vec<&'a Finding>,
    placed: [usize; 2],
    blocks: Vec<Block>,
}

impl<'a> FindingPlacement<'a> {
    pub(super) fn new(findings: &'a [Finding]) -> FindingPlacement<'a> {
        FindingPlacement { left: sort_by_severity(findings), placed: [0, 0], blocks: Vec::new() }
    }

    pub(super) fn add_figure(&mut self, figure: Figure) {
        let id = figure.id.clone();
        let is =
            |name: &&str| id.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        let cpu = is(&"size-cpu");
        if figure.is_empty() {
            return;
        }
        self.blocks.push(Block::figure(figure));
        self.take(|s| match s {
            FindingSection::Figures(names) => names.iter().any(is),
            FindingSection::Cpu => cpu,
            _ => false,
        });
    }

    pub(super) fn add_table(&mut self, table: Table, shown: FindingSection) {
        if table.rows.is_empty() {
            return;
        }
        self.blocks.push(Block::table(table));
        self.take(|s| s == shown);
    }

    fn take(&mut self, of: impl Fn(FindingSection) -> bool) {
        // An error means that the result is wrong, so it goes first.
        let (mine, left): (Vec<&Finding>, Vec<&Finding>) =
            self.left.drain(..).partition(|f| f.severity != Severity::Error && of(section_of_finding(&f.id)));
        self.left = left;
        for finding in &mine {
            self.placed[usize::from(finding.severity == Severity::Warning)] += 1;
        }
        if !mine.is_empty() {
            self.blocks.push(Block::findings(mine));
        }
    }

    pub(super) fn into_blocks(self) -> Vec<Block> {
        let mut all = Vec::new();
        if !self.left.is_empty() {
            all.push(Block::findings(self.left));
        }
        match self.placed {
            [0, 0] => {}
            [count, 0] => all.push(Block::note(message!(report_view_notes_beside { count }))),
            [0, count] => all.push(Block::note(message!(report_view_warnings_beside { count }))),
            [notes, warnings] => {
                let more = message!(part_view_warnings { count: warnings });
                let what = message!(part_list_and { more, last: message!(part_view_notes { count: notes }) });
                all.push(Block::note(message!(report_view_stand_beside { what })));
            }
        }
        all.extend(self.blocks);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::table::Align;

    fn finding(id: &str, severity: Severity) -> Finding {
        documents::finding(id, severity, id, &[], "")
    }

    fn goodput_figure() -> Figure {
        crate::trial_figures(&documents::stream_100(), None).remove(0)
    }

    fn kinds(blocks: &[Block]) -> Vec<String> {
        let told = |b: &Block| match b {
            Block::Statements { statements } => {
                statements.iter().map(|s| s.id.as_str()).collect::<Vec<_>>().join("+")
            }
            Block::Figure(f) => format!("figure {}", f.id),
            Block::Table(t) => format!("table {}", t.whole.title),
            Block::Note { text } => text.to_string(),
            other => format!("{other:?}"),
        };
        blocks.iter().map(told).collect()
    }

    #[test]
    fn a_finding_stands_right_after_what_it_speaks_of_and_an_error_at_the_top() {
        let all = [
            finding("retransmits", Severity::Note),
            finding("above-limit", Severity::Error),
            finding("steal", Severity::Warning),
            finding("shared-run", Severity::Warning),
        ];
        let mut beside = FindingPlacement::new(&all);
        beside.add_figure(goodput_figure());
        let mut table = Table::new("CPU", &[("", Align::Left)]);
        table.add_row(["busy"]);
        beside.add_table(table, FindingSection::Cpu);
        let placed = [
            "above-limit+shared-run",
            "1 warning and 1 note are shown next to the related charts or tables.",
            "figure goodput",
            "retransmits",
            "table CPU",
            "steal",
        ];
        assert_eq!(kinds(&beside.into_blocks()), placed);
        let all = [finding("retransmits", Severity::Warning), finding("retransmits", Severity::Error)];
        let beside = FindingPlacement::new(&all);
        assert_eq!(kinds(&beside.into_blocks()), ["retransmits+retransmits"]);
        let mut beside = FindingPlacement::new(&all[1..]);
        beside.add_figure(goodput_figure());
        assert_eq!(kinds(&beside.into_blocks()), ["retransmits", "figure goodput"]);
    }

    /// Guards against renamed rules.
    #[test]
    fn every_rule_that_has_a_place_exists() {
        let known: Vec<&str> = goodput_analysis::finding::FINDING_RULES.iter().map(|r| r.id).collect();
        for id in "retransmits cap-reached steal lost-on-path interface-drops client-excluded".split(' ') {
            assert!(known.contains(&id), "{id}");
            assert_ne!(section_of_finding(id), FindingSection::Whole, "{id}");
        }
        for id in known.iter().filter(|id| id.starts_with("datagrams-") || id.starts_with("lost-")) {
            assert_eq!(section_of_finding(id), FindingSection::Result, "{id}");
        }
    }
}
