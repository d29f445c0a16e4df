//! What does a unit of the metric cost with each priced level, and which levels are not worth it? The others
//! are compared with the cheapest level. A more expensive level *pays* at a combination where its highest
//! price a unit is below the cheapest's lowest, and *does not pay* where its lowest is above the cheapest's
//! highest.

use super::better::ComparedPairs;
use super::cells::{MeasuredCell, select_cells};
use super::contrast::ContrastResult;
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::experiment::{BetterDirection, LevelPrices};

struct PricedLevel<'a> {
    name: String,
    price: &'a LevelPrices,
    pairs: ComparedPairs,
    pays: usize,
    does_not: usize,
}

/// Yes means that a more expensive level pays wherever it was measured, no that none pays anywhere.
pub(super) fn answer_price_performance(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    only: &LevelFilter,
) -> Conclusion {
    let what = wording::format_probe_lines(data, measures);
    let context = format!("for {what}{}", wording::format_level_filter(data, only));
    let all = select_cells(data, measures, only);
    let measured =
        |price: &&LevelPrices| all.iter().any(|c| c.place.levels.get(factor) == Some(&price.level));
    let mut priced: Vec<&LevelPrices> =
        data.prices.iter().filter(|p| p.factor == factor).filter(measured).collect();
    priced.sort_by(|a, b| (a.from + a.to).total_cmp(&(b.from + b.to)));
    let higher =
        measures.iter().all(|m| data.measures.get(*m).is_some_and(|h| h.better == BetterDirection::Higher));
    let one_currency = priced.windows(2).all(|p| p[0].currency == p[1].currency);
    let (Some(cheapest), true, true) = (priced.first(), priced.len() >= 2 && higher, one_currency) else {
        let why = match (higher, one_currency) {
            (false, _) => "lower values are better, so there is no price per unit",
            (_, false) => "their prices are in different currencies",
            _ => "at least two levels with a price and a value are required",
        };
        let text = format!("it cannot be determined which {factor} is cost-effective {context}: {why}");
        return ConclusionDraft::unknown("pays", text, "specify the cost of each level under [[price]]")
            .done();
    };
    let of = |price: &LevelPrices| -> Vec<&MeasuredCell> {
        all.iter().filter(|c| c.place.levels.get(factor) == Some(&price.level)).collect()
    };
    let dearer: Vec<PricedLevel<'_>> =
        priced[1..].iter().map(|price| against(data, measures, factor, (*price, *cheapest), only)).collect();
    let compared: usize = dearer.iter().map(|d| d.pairs.0.len()).sum();
    let (pays, does_not): (usize, usize) =
        dearer.iter().fold((0, 0), |(p, n), d| (p + d.pays, n + d.does_not));
    let base = wording::format_level(data, factor, &cheapest.level);
    if compared == 0 {
        let text = format!(
            "it cannot be determined which {factor} is cost-effective {context}: no measurement compares {base} \
             with a more expensive level with all else equal"
        );
        return ConclusionDraft::unknown(
            "pays",
            text,
            "measure both levels with the same levels of all other factors",
        )
        .done();
    }
    let names: Vec<&str> = dearer.iter().map(|d| d.name.as_str()).collect();
    let always = dearer.iter().any(|d| !d.pairs.0.is_empty() && d.pays == d.pairs.0.len());
    let answer = match (always, pays, does_not) {
        (true, ..) => ConclusionAnswer::Yes,
        (_, 0, n) if n == compared => ConclusionAnswer::No,
        _ => ConclusionAnswer::Mixed,
    };
    let verdict = match answer {
        ConclusionAnswer::No => format!(
            "{} {} not more cost-effective than {base}",
            wording::join_list(&names, "and"),
            is_or_are(&names)
        ),
        ConclusionAnswer::Yes => {
            let winners: Vec<&str> = dearer
                .iter()
                .filter(|d| d.pays > 0 && d.pays == d.pairs.0.len())
                .map(|d| d.name.as_str())
                .collect();
            format!(
                "{} {} more cost-effective than {base}",
                wording::join_list(&winners, "and"),
                is_or_are(&winners)
            )
        }
        _ => format!(
            "only under some conditions {} {} more cost-effective than {base}",
            is_or_are(&names),
            wording::join_list(&names, "and")
        ),
    };
    let unit = unit(data, measures);
    let mut said = vec![format!("{verdict} {context}")];
    let cost = |price: &LevelPrices| {
        format!(
            "{} for {}",
            wording::format_level(data, factor, &price.level),
            cost_of(&of(price), price, &unit)
        )
    };
    said.push(format!("one {unit} costs: {}", priced.iter().map(|p| cost(p)).collect::<Vec<_>>().join(", ")));
    said.extend(dearer.iter().filter(|d| !d.pairs.0.is_empty()).map(|d| gain(d, cheapest)));
    let try_next = match answer {
        ConclusionAnswer::No => {
            format!("buy {base}, unless a criterion other than {what} favours another level")
        }
        ConclusionAnswer::Yes => "buy the more expensive level".to_string(),
        _ => "compare the price you are offered with the measured value of your own combination".to_string(),
    };
    let tally = format!(
        "{} of {compared} comparisons cost more per unit at every price, {pays} cost less at every price, \
         {} undetermined",
        does_not,
        compared - pays - does_not
    );
    let mut draft = ConclusionDraft::new("pays", said.join("; "))
        .says(answer)
        .on(dearer.iter().flat_map(|d| d.pairs.compared_cells()), compared)
        .showing(data, dearer.iter().flat_map(|d| d.pairs.extreme_ratio_cells()))
        .try_this(try_next);
    draft.evidence.insert(0, tally);
    draft.done()
}

fn against<'a>(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (price, cheapest): (&'a LevelPrices, &LevelPrices),
    only: &LevelFilter,
) -> PricedLevel<'a> {
    let pairs = ComparedPairs::from_levels(data, measures, factor, &price.level, &cheapest.level, only);
    // A unit costs price over value: more expensive where the value grows less than the price.
    let pays = pairs.0.iter().filter(|p| p.contrast.ratio > price.to / cheapest.from).count();
    let does_not = pairs.0.iter().filter(|p| p.contrast.ratio < price.from / cheapest.to).count();
    PricedLevel { name: wording::format_level(data, factor, &price.level), price, pairs, pays, does_not }
}

/// Unit of the price: as the source prints the metric, else Mbit/s for rates.
fn unit(data: &DataSet, measures: &[usize]) -> Unit {
    let measure = measures.first().copied().unwrap_or_default();
    let head = data.measures.get(measure).map_or("", |h| h.unit.as_str());
    let printed = data.printed.iter().find(|p| p.measure == measure);
    let (name, scale) = match (printed, head) {
        (Some(p), _) => (p.unit.clone(), p.scale),
        (None, "bit/s") => ("Mbit/s".to_string(), 1e6),
        (None, "") => ("unit".to_string(), 1.0),
        (None, other) => (other.to_string(), 1.0),
    };
    Unit { name, scale }
}

struct Unit {
    name: String,
    scale: f64,
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// From the lowest price with the best value to the highest with the worst: `126 to 654 JPY`.
fn cost_of(cells: &[&MeasuredCell], price: &LevelPrices, unit: &Unit) -> String {
    let (least, most) = wording::min_and_max(cells.iter().map(|c| c.value() / unit.scale));
    let (low, high) = (wording::format_price(price.from / most), wording::format_price(price.to / least));
    format!("{} {}", if low == high { high } else { format!("{low} to {high}") }, price.currency)
}

fn is_or_are(names: &[&str]) -> &'static str {
    if names.len() == 1 { "is" } else { "are" }
}

fn gain(dearer: &PricedLevel<'_>, cheapest: &LevelPrices) -> String {
    let (low, high) = (dearer.price.from / cheapest.to, dearer.price.to / cheapest.from);
    let ahead = dearer.pairs.count_with_result(ContrastResult::Better);
    let lead = wording::format_ratio(dearer.pairs.max_ratio());
    let gives = match (ahead, dearer.pairs.0.len()) {
        (0, 1) => "is not better in the one comparison".to_string(),
        (0, all) => format!("is better in none of {all} comparisons"),
        (_, 1) => format!("is better in the one comparison, by {lead}"),
        (n, all) => format!("is better in {n} of {all} comparisons, by {lead} at most"),
    };
    format!("{} costs {} as much and {gives}", dearer.name, wording::format_ratio_range([low, high]))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::data;
    use super::*;

    fn price(level: &str, from: f64, to: f64) -> LevelPrices {
        LevelPrices { factor: "link".into(), level: level.into(), from, to, currency: "JPY".into() }
    }

    fn ask(faster: f64, prices: Vec<LevelPrices>) -> (ConclusionAnswer, String) {
        let mut data = data(|link, _, _| Some(if link == "faster" { faster } else { 50e6 }));
        data.prices = prices;
        let found = answer_price_performance(&data, &[0], "link", &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn it_pays_or_not_by_figure_and_price() {
        let dear = || vec![price("faster", 150_000.0, 200_000.0), price("fast", 10_000.0, 20_000.0)];
        let (answer, text) = ask(75e6, dear());
        assert_eq!(answer, ConclusionAnswer::No);
        assert_eq!(
            text,
            "faster is not more cost-effective than fast for tcp; one Mbit/s costs: fast for 200 to 400 JPY, faster for \
                2,000 to 2,667 JPY; faster costs 7.50 to 20 times as much and is better in 6 of 6 comparisons, by 1.50 times at most"
        );
        // Twenty-one times as fast for at most twenty times the money.
        assert_eq!(ask(1.05e9, dear()).0, ConclusionAnswer::Yes);
        assert_eq!(ask(0.5e9, dear()).0, ConclusionAnswer::Mixed);
        let (_, text) = ask(25e6, dear());
        assert!(text.ends_with("is better in none of 6 comparisons"), "{text}");
    }

    #[test]
    fn without_two_prices_of_one_currency_nothing_is_said() {
        let (answer, text) = ask(1.0, vec![price("fast", 1.0, 1.0)]);
        assert_eq!(
            (answer, text.contains("two levels with a price")),
            (ConclusionAnswer::Unknown, true),
            "{text}"
        );
        let euro = LevelPrices { currency: "EUR".into(), ..price("faster", 1.0, 1.0) };
        assert!(ask(1.0, vec![price("fast", 1.0, 1.0), euro]).1.contains("different currencies"));
    }
}
