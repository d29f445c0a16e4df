//! What does a unit of the metric cost with each priced level, and which are not worth it? Others are
//! compared with the cheapest level. A more expensive level *pays* at a combination where its highest price a
//! unit is below the cheapest's lowest, and *does not pay* where its lowest is above the cheapest's highest.

use super::cells::{MeasuredCell, select_cells};
use super::contrast::ContrastResult;
use super::pairwise_comparison::ComparedCellPairs;
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::experiment::{BetterDirection, FactorLevelPrice};
use goodput_model::{Message, MessageArg};
use goodput_words::message;

struct PricedLevel<'a> {
    name: MessageArg,
    price: &'a FactorLevelPrice,
    pairs: ComparedCellPairs,
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
    let lines = wording::metric_names_arg(data, measures);
    let what = wording::append_filter_condition(data, lines.clone(), only);
    let all = select_cells(data, measures, only);
    let measured =
        |price: &&FactorLevelPrice| all.iter().any(|c| c.place.levels.get(factor) == Some(&price.level));
    let mut priced: Vec<&FactorLevelPrice> =
        data.prices.iter().filter(|p| p.factor == factor).filter(measured).collect();
    priced.sort_by(|a, b| (a.from + a.to).total_cmp(&(b.from + b.to)));
    let higher =
        measures.iter().all(|m| data.measures.get(*m).is_some_and(|h| h.better == BetterDirection::Higher));
    let one_currency = priced.windows(2).all(|p| p[0].currency == p[1].currency);
    let (Some(cheapest), true, true) = (priced.first(), priced.len() >= 2 && higher, one_currency) else {
        let text = match (higher, one_currency) {
            (false, _) => message!(rule_pays_lower_is_better { factor, what }),
            (_, false) => message!(rule_pays_currencies { factor, what }),
            _ => message!(rule_pays_too_few { factor, what }),
        };
        return ConclusionDraft::unknown("pays", text, message!(rule_pays_try_prices)).done();
    };
    let of = |price: &FactorLevelPrice| -> Vec<&MeasuredCell> {
        all.iter().filter(|c| c.place.levels.get(factor) == Some(&price.level)).collect()
    };
    let dearer: Vec<PricedLevel<'_>> =
        priced[1..].iter().map(|price| against(data, measures, factor, (*price, *cheapest), only)).collect();
    let compared: usize = dearer.iter().map(|d| d.pairs.0.len()).sum();
    let (pays, does_not): (usize, usize) =
        dearer.iter().fold((0, 0), |(p, n), d| (p + d.pays, n + d.does_not));
    let base = wording::level_name_arg(data, factor, &cheapest.level);
    if compared == 0 {
        let text = message!(rule_pays_no_pairs { factor, what, base });
        return ConclusionDraft::unknown("pays", text, message!(rule_pays_try_measure)).done();
    }
    let always = dearer.iter().any(|d| !d.pairs.0.is_empty() && d.pays == d.pairs.0.len());
    let answer = match (always, pays, does_not) {
        (true, ..) => ConclusionAnswer::Yes,
        (_, 0, n) if n == compared => ConclusionAnswer::No,
        _ => ConclusionAnswer::Mixed,
    };
    let try_next = match answer {
        ConclusionAnswer::No => message!(rule_pays_try_base { base: base.clone(), what: lines }),
        ConclusionAnswer::Yes => message!(rule_pays_try),
        _ => message!(rule_pays_try_offer),
    };
    let pays_always = |d: &&PricedLevel<'_>| d.pays > 0 && d.pays == d.pairs.0.len();
    let named: Vec<MessageArg> = match answer {
        ConclusionAnswer::Yes => dearer.iter().filter(pays_always).map(|d| d.name.clone()).collect(),
        _ => dearer.iter().map(|d| d.name.clone()).collect(),
    };
    let (n, names) = (named.len(), wording::join_with_and(named));
    let verdict = match answer {
        ConclusionAnswer::No => message!(rule_pays_no { names, n, base, what }),
        ConclusionAnswer::Yes => message!(rule_pays_yes { names, n, base, what }),
        _ => message!(rule_pays_mixed { n, names, base, what }),
    };
    let (unit, scale) = unit(data, measures);
    let cost = |price: &&FactorLevelPrice| {
        let name = wording::level_name_arg(data, factor, &price.level);
        let cost = cost_of(&of(price), price, scale);
        message!(rule_pays_level_cost { name, cost, currency: &price.currency })
    };
    let costs: Vec<Message> = priced.iter().map(cost).collect();
    let said = [verdict, message!(rule_pays_unit_costs { unit, costs })].into_iter();
    let gains = dearer.iter().filter(|d| !d.pairs.0.is_empty()).map(|d| gain(d, cheapest));
    let text = wording::join_with_semicolons(said.chain(gains)).unwrap_or_default();
    let open = compared - pays - does_not;
    let tally = message!(report_dearer_a_unit { n: does_not, all: compared, cheaper: pays, open });
    let mut draft = ConclusionDraft::new("pays", text)
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
    (price, cheapest): (&'a FactorLevelPrice, &FactorLevelPrice),
    only: &LevelFilter,
) -> PricedLevel<'a> {
    let pairs = ComparedCellPairs::from_levels(data, measures, factor, &price.level, &cheapest.level, only);
    // A unit costs price over value: more expensive where the value grows less than the price.
    let pays = pairs.0.iter().filter(|p| p.contrast.ratio > price.to / cheapest.from).count();
    let does_not = pairs.0.iter().filter(|p| p.contrast.ratio < price.from / cheapest.to).count();
    PricedLevel { name: wording::level_name_arg(data, factor, &price.level), price, pairs, pays, does_not }
}

/// Unit of the price and its size: as the source prints the metric, else Mbit/s for rates.
fn unit(data: &DataSet, measures: &[usize]) -> (String, f64) {
    let measure = measures.first().copied().unwrap_or_default();
    let head = data.measures.get(measure).map_or("", |h| h.unit.as_str());
    let printed = data.printed.iter().find(|p| p.measure == measure);
    match (printed, head) {
        (Some(p), _) => (p.unit.clone(), p.scale),
        (None, "bit/s") => ("Mbit/s".to_string(), 1e6),
        (None, "") => ("unit".to_string(), 1.0),
        (None, other) => (other.to_string(), 1.0),
    }
}

/// From the lowest price with the best value to the highest with the worst: `126 to 654`.
fn cost_of(cells: &[&MeasuredCell], price: &FactorLevelPrice, scale: f64) -> MessageArg {
    let (least, most) = wording::min_and_max(cells.iter().map(|c| c.median_value() / scale));
    wording::range_arg(wording::price_arg(price.from / most), wording::price_arg(price.to / least))
}

fn gain(dearer: &PricedLevel<'_>, cheapest: &FactorLevelPrice) -> Message {
    let (low, high) = (dearer.price.from / cheapest.to, dearer.price.to / cheapest.from);
    let ahead = dearer.pairs.count_pairs_with_result(ContrastResult::Better);
    let (name, times) = (dearer.name.clone(), wording::ratio_range_message([low, high]));
    let lead = wording::ratio_message(dearer.pairs.max_ratio());
    match (ahead, dearer.pairs.0.len()) {
        (0, 1) => message!(rule_pays_gain_not_one { name, times }),
        (0, all) => message!(rule_pays_gain_none { name, times, all }),
        (_, 1) => message!(rule_pays_gain_one { name, times, lead }),
        (n, all) => message!(rule_pays_gain { name, times, n, all, lead }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    fn price(level: &str, from: f64, to: f64) -> FactorLevelPrice {
        FactorLevelPrice { factor: "link".into(), level: level.into(), from, to, currency: "JPY".into() }
    }

    fn ask(faster: f64, prices: Vec<FactorLevelPrice>) -> (ConclusionAnswer, String) {
        let mut data = tcp_data_set(|link, _, _| Some(if link == "faster" { faster } else { 50e6 }));
        data.prices = prices;
        let found = answer_price_performance(&data, &[0], "link", &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn it_pays_or_not_by_figure_and_price() {
        let dear = || vec![price("faster", 150_000.0, 200_000.0), price("fast", 10_000.0, 20_000.0)];
        let told = "faster is not more cost-effective than fast for tcp; one Mbit/s costs 200 to 400 JPY with \
                    fast, 2,000 to 2,667 JPY with faster; faster costs 7.50 to 20 times as much and is better in \
                    6 of 6 comparisons, by 1.50 times at most";
        assert_eq!(ask(75e6, dear()), (ConclusionAnswer::No, told.to_string()));
        // Twenty-one times as fast for at most twenty times the money.
        assert_eq!(ask(1.05e9, dear()).0, ConclusionAnswer::Yes);
        assert_eq!(ask(0.5e9, dear()).0, ConclusionAnswer::Mixed);
        let (_, text) = ask(25e6, dear());
        assert!(text.ends_with("is better in none of 6 comparisons"), "{text}");
    }

    #[test]
    fn without_two_prices_of_one_currency_nothing_is_said() {
        let (answer, text) = ask(1.0, vec![price("fast", 1.0, 1.0)]);
        assert_eq!((answer, text.contains("two levels with a price")), (ConclusionAnswer::Unknown, true));
        let euro = FactorLevelPrice { currency: "EUR".into(), ..price("faster", 1.0, 1.0) };
        assert!(ask(1.0, vec![price("fast", 1.0, 1.0), euro]).1.contains("different currencies"));
    }
}
