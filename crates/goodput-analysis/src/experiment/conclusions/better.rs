//! Is one level of a factor, or one probe line, better than another, by how much, and at every combination?

use super::cells::{Cell, CellKey, cells, groups};
use super::contrast::{Contrast, ContrastResult, contrast};
use super::level_subsets::level_subsets;
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::Question;
use goodput_model::experiment::conclusion::{Answer, Conclusion};
use goodput_model::experiment::data::DataSet;

pub(super) struct Pair {
    pub place: CellKey,
    pub one: Cell,
    pub other: Cell,
    pub contrast: Contrast,
}

pub(super) struct Pairs(pub Vec<Pair>);

impl Pairs {
    /// Two levels of a factor, wherever everything else was equal.
    pub(super) fn of_levels(
        data: &DataSet,
        measures: &[usize],
        factor: &str,
        one: &str,
        other: &str,
        only: &LevelFilter,
    ) -> Pairs {
        let axis = data.factors.iter().find(|a| a.name == factor);
        let index = |level: &str| axis.and_then(|a| a.levels.iter().position(|l| l == level));
        let (Some(one), Some(other)) = (index(one), index(other)) else { return Pairs(Vec::new()) };
        let found = groups(data, &cells(data, measures, only), factor);
        let sides = found.into_iter().filter_map(|group| {
            let of = |level: usize| group.cells.iter().find(|(l, _)| *l == level).map(|(_, c)| c.clone());
            Some((group.place.clone(), of(one)?, of(other)?))
        });
        Pairs::of(data, sides.collect())
    }

    /// Two measures with one unit, wherever both were taken at the same combination.
    fn of_measures(data: &DataSet, one: usize, other: usize, only: &LevelFilter) -> Pairs {
        let others = cells(data, &[other], only);
        let sides = cells(data, &[one], only).into_iter().filter_map(|cell| {
            let like = |c: &&Cell| c.place.levels == cell.place.levels && c.place.size == cell.place.size;
            let partner = others.iter().find(like)?.clone();
            Some((cell.place.clone(), cell, partner))
        });
        Pairs::of(data, sides.collect())
    }

    /// "Better everywhere" is an intersection-union test (Berger 1982, Technometrics 24:295–300): each
    /// comparison has the whole error probability. To say where it is better and where not, they share it.
    fn of(data: &DataSet, sides: Vec<(CellKey, Cell, Cell)>) -> Pairs {
        let judged = |one: &Cell, other: &Cell, comparisons: usize| {
            contrast(one, other, data.measures.get(one.place.measure)?.better, comparisons)
        };
        let comparisons = sides.len();
        let alone = |(place, one, other): (CellKey, Cell, Cell)| {
            let contrast = judged(&one, &other, 1)?;
            Some(Pair { place, one, other, contrast })
        };
        let mut all = Pairs(sides.into_iter().filter_map(alone).collect());
        if all.count(ContrastResult::Better) < all.0.len() {
            for pair in &mut all.0 {
                if let Some(shared) = judged(&pair.one, &pair.other, comparisons) {
                    pair.contrast = shared;
                }
            }
        }
        all
    }

    pub(super) fn count(&self, told: ContrastResult) -> usize {
        self.with(told).count()
    }

    fn with(&self, told: ContrastResult) -> impl Iterator<Item = &Pair> {
        self.0.iter().filter(move |p| p.contrast.told == told)
    }

    pub(super) fn places(&self, data: &DataSet, told: ContrastResult) -> String {
        let places: Vec<(CellKey, bool)> =
            self.0.iter().map(|p| (p.place.clone(), p.contrast.told == told)).collect();
        wording::parts(data, &level_subsets(data, &places))
    }

    /// Smallest to largest ratio of the pairs with this result.
    pub(super) fn ratios(&self, told: ContrastResult) -> String {
        wording::times_span(self.with(told).map(|p| p.contrast.ratio))
    }

    pub(super) fn most(&self) -> f64 {
        self.0.iter().map(|p| p.contrast.ratio).fold(0.0, f64::max)
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.0.iter().flat_map(|p| [&p.one, &p.other])
    }

    pub(super) fn ends(&self) -> Vec<&Cell> {
        let by_ratio = |a: &&Pair, b: &&Pair| a.contrast.ratio.total_cmp(&b.contrast.ratio);
        let ends = [self.0.iter().max_by(by_ratio), self.0.iter().min_by(by_ratio)];
        ends.into_iter().flatten().flat_map(|p| [&p.one, &p.other]).collect()
    }

    /// Yes where it is always better, no where it is significantly not; else unknown.
    pub(super) fn answer(&self) -> Answer {
        let count = |told| self.count(told);
        let against = count(ContrastResult::Even) + count(ContrastResult::Worse);
        match (count(ContrastResult::Better), against, count(ContrastResult::Open)) {
            (0, _, 0) if against > 0 => Answer::No,
            (better, 0, 0) if better > 0 => Answer::Yes,
            (_, 0, _) | (0, _, _) => Answer::Unknown,
            _ => Answer::Mixed,
        }
    }

    /// For example `ahead in 3 of 5 combinations (where; 1.10 to 1.30 times), level in 1 (where), …`
    pub(super) fn tally(&self, data: &DataSet) -> String {
        let total = self.0.len();
        let of = |told: ContrastResult, name: &str, ratios: bool| {
            let count = self.count(told);
            if count == 0 {
                return None;
            }
            if count == total {
                let by = if ratios { format!(": {}", self.ratios(told)) } else { String::new() };
                return Some(format!("{name} {}{by}", wording::in_combinations(count, total)));
            }
            let mut details = vec![self.places(data, told)];
            if ratios {
                details.push(self.ratios(told));
            }
            details.retain(|d| !d.is_empty());
            Some(format!("{name} in {count} of {total} ({})", details.join(": ")))
        };
        let sides = [
            (ContrastResult::Better, "ahead", true),
            (ContrastResult::Even, "level", false),
            (ContrastResult::Worse, "behind", true),
            (ContrastResult::Open, "not told apart", true),
        ];
        let said: Vec<String> =
            sides.into_iter().filter_map(|(told, name, ratios)| of(told, name, ratios)).collect();
        said.join(", ")
    }
}

pub(super) fn level(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (one, other): (&str, &str),
    only: &LevelFilter,
) -> Conclusion {
    let pairs = Pairs::of_levels(data, measures, factor, one, other, only);
    let names = (wording::level(data, factor, one), wording::level(data, factor, other));
    let subject = format!("for {}", wording::probes(data, measures));
    statement(data, "better", &names, &subject, &wording::only(data, only), &pairs).done()
}

pub(super) fn probe(data: &DataSet, (one, other): (&str, &str), only: &LevelFilter) -> Conclusion {
    let place = wording::only(data, only);
    let (first, second) = (super::measures(data, one), super::measures(data, other));
    let unit =
        |m: &[usize]| m.first().and_then(|m| data.measures.get(*m)).map(|h| (h.unit.clone(), h.better));
    if unit(&first).is_some() && unit(&second).is_some() && unit(&first) != unit(&second) {
        let why =
            format!("{one} and {other} cannot be set against each other: their figures have different units");
        return ConclusionDraft::unknown("beats", why, "ask about two probe lines with one figure").done();
    }
    let pairs = match (first.first(), second.first()) {
        (Some(one), Some(other)) => Pairs::of_measures(data, *one, *other, only),
        _ => Pairs(Vec::new()),
    };
    statement(data, "beats", &(one.to_string(), other.to_string()), "", &place, &pairs).done()
}

pub(super) fn every_pair(data: &DataSet) -> Vec<Conclusion> {
    let measures = super::measures_like_first(data);
    let asked = |factor: &str| {
        data.questions.iter().any(|q| matches!(q, Question::Better { factor: f, .. } if f == factor))
    };
    let two = data.factors.iter().filter(|a| a.levels.len() == 2 && !asked(&a.name));
    let each = two.filter_map(|axis| {
        let (first, second) = (axis.levels[0].as_str(), axis.levels[1].as_str());
        let of = |one: &str, other: &str| {
            Pairs::of_levels(data, &measures, &axis.name, one, other, &LevelFilter::new())
        };
        let forward = of(second, first);
        let ahead = forward.count(ContrastResult::Better) >= forward.count(ContrastResult::Worse);
        let (one, other) = if ahead { (second, first) } else { (first, second) };
        let worth = !forward.0.is_empty();
        worth.then(|| level(data, &measures, &axis.name, (one, other), &LevelFilter::new()))
    });
    each.collect()
}

fn statement(
    data: &DataSet,
    id: &'static str,
    (one, other): &(String, String),
    subject: &str,
    place: &str,
    pairs: &Pairs,
) -> ConclusionDraft {
    let subject = if subject.is_empty() { String::new() } else { format!(" {subject}") };
    if pairs.0.is_empty() {
        let text = format!(
            "whether {one} is better than {other}{subject}{place} cannot be told: they were nowhere measured with everything else equal"
        );
        return ConclusionDraft::unknown(id, text, &format!("measure {one} and {other} at one combination"));
    }
    let total = pairs.0.len();
    let text = match pairs.answer() {
        Answer::Yes => format!(
            "{one} is better than {other}{subject}{place} {}: {}",
            wording::in_combinations(total, total),
            pairs.ratios(ContrastResult::Better)
        ),
        Answer::No => format!("{one} is not better than {other}{subject}{place}: {}", pairs.tally(data)),
        Answer::Unknown => format!(
            "whether {one} is better than {other}{subject}{place} cannot be told from these repeats: {}",
            pairs.tally(data)
        ),
        _ => format!("{one} is not always better than {other}{subject}{place}: {}", pairs.tally(data)),
    };
    let try_next = match pairs.answer() {
        Answer::Yes => format!("take {one}, unless something else speaks for {other}"),
        Answer::No if pairs.count(ContrastResult::Worse) == total => format!("take {other}"),
        Answer::No => format!("let something else decide between {one} and {other}"),
        Answer::Unknown => "measure more repeats, or longer windows".to_string(),
        _ => format!("choose between {one} and {other} by the combination that you have"),
    };
    ConclusionDraft::new(id, text)
        .says(pairs.answer())
        .on(pairs.cells(), total)
        .showing(data, pairs.ends())
        .try_this(try_next)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{data, repeated, two_probes};
    use super::*;
    use goodput_model::experiment::data::Observed;

    fn ask(data: &DataSet, one: &str, other: &str) -> (Answer, String) {
        let found = level(data, &[0], "os", (one, other), &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn always_better_and_its_opposite() {
        let quicker = data(|_, os, _| Some(if os == "new" { 2e6 } else { 1e6 }));
        let (answer, text) = ask(&quicker, "new", "old");
        assert_eq!(
            (answer, text.as_str()),
            (Answer::Yes, "new is better than old for tcp in all 9 of 9 combinations: 2.00 times")
        );
        let (answer, text) = ask(&quicker, "old", "new");
        assert_eq!(answer, Answer::No);
        assert_eq!(text, "old is not better than new for tcp: behind in all 9 of 9 combinations: 0.50 times");
    }

    #[test]
    fn exceptions_are_named() {
        let mixed = data(|link, os, _| {
            Some(match (link, os) {
                ("slow", _) => 1e6,
                ("fast", "new") | ("faster", "old") => 3e6,
                _ => 2e6,
            })
        });
        let (answer, text) = ask(&mixed, "new", "old");
        assert_eq!(answer, Answer::Mixed);
        assert_eq!(
            text,
            "new is not always better than old for tcp: ahead in 3 of 9 (fast: 1.50 times), level in 3 of 9 (slow), behind in 3 of 9 (faster: 0.67 times)"
        );
    }

    #[test]
    fn repeats_decide_what_is_level() {
        let near = data(|_, os, _| Some(if os == "new" { 1.03e6 } else { 1e6 }));
        let steady = repeated(&near, &[1.0, 0.7, 1.4, 1.1]);
        assert_eq!(ask(&steady, "new", "old").0, Answer::Yes);
        // The same medians, but blocks no longer agree.
        let mut scattered = repeated(&near, &[1.0, 0.7, 1.4, 1.1]);
        for row in scattered.rows.iter_mut().filter(|r| r.levels["os"] == "new") {
            row.block = row.block % 4 + 1;
        }
        let (answer, text) = ask(&scattered, "new", "old");
        assert_eq!(
            (answer, text.contains("not told apart in all 9 of 9")),
            (Answer::Unknown, true),
            "{text}"
        );
    }

    #[test]
    fn better_everywhere_is_as_sure_as_where_it_is_least_sure() {
        let level = |except: &'static str| {
            let same = data(|_, _, _| Some(1e6));
            let mut repeats = repeated(&same, &[1.0, 1.0, 1.0, 1.0]);
            // Logarithms of mean 0.0344 and deviation 0.0124 over four blocks: t is 5.5. One comparison needs
            // 3.18 at three degrees of freedom, one of nine needs 7.2.
            let noise = [1.05, 1.03, 1.04, 1.02];
            for row in
                repeats.rows.iter_mut().filter(|r| r.levels["os"] == "new" && r.levels["link"] != except)
            {
                row.value = Observed::Value(1e6 * noise[row.block as usize - 1]);
            }
            ask(&repeats, "new", "old").0
        };
        assert_eq!(level("no link"), Answer::Yes);
        assert_eq!(level("slow"), Answer::Unknown);
    }

    #[test]
    fn lines_are_set_against_each_other() {
        let both =
            two_probes(|probe, link, _, _| Some(if probe == "udp" && link != "slow" { 2.0 } else { 1.0 }));
        let text = probe(&both, ("udp", "tcp"), &LevelFilter::new()).finding.text;
        assert_eq!(
            text,
            "udp is not always better than tcp: ahead in 12 of 18 (fast or faster: 2.00 times), level in 6 of 18 (slow)"
        );
        let only = [("link".to_string(), vec!["fast".to_string()])].into();
        let found = probe(&both, ("udp", "tcp"), &only);
        assert_eq!(
            found.finding.text,
            "udp is better than tcp with link fast in all 6 of 6 combinations: 2.00 times"
        );
        assert_eq!(found.rows.len(), 12);
    }

    #[test]
    fn what_was_never_measured_together_is_not_compared() {
        let apart = data(|link, os, _| Some(1.0).filter(|_| (link == "slow") == (os == "old")));
        let (answer, text) = ask(&apart, "new", "old");
        assert_eq!(answer, Answer::Unknown);
        assert!(text.ends_with("nowhere measured with everything else equal"), "{text}");
    }
}
