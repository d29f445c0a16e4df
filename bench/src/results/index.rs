//! Writes `bench/RESULTS.md` from the pages alone, so that a part can be measured separately.

use crate::plan::BenchPart;
use std::fmt::Write;

pub const CLAIMS_HEAD: &str =
    "| claim | peer | asked | median ratio | 95 % interval | resolution | pairs | ours | peer's | verdict |";

struct ClaimRow<'a> {
    text: &'a str,
    peer: &'a str,
    asked: &'a str,
    median: &'a str,
    verdict: &'a str,
}

pub fn index(pages: &[(BenchPart, Option<String>)]) -> String {
    let mut index = String::from(
        "# Results of the bench\n\nWritten by `make bench` from the pages of the parts, each of which says on what machine it was measured, and how.\n\n",
    );
    index.push_str("| part | holds | fails | not decided | machine |\n|---|---|---|---|---|\n");
    for (part, page) in pages {
        let name = part.name();
        let _ = match page {
            None => writeln!(index, "| {name} | – | – | – | not measured |"),
            Some(page) => {
                let claims = claims(page);
                let count = |verdict: &str| claims.iter().filter(|c| c.verdict.starts_with(verdict)).count();
                let (holds, fails, open) = (count("**holds**"), count("**fails**"), count("not decided"));
                let machine = machine(page);
                writeln!(index, "| [{name}](results/{name}.md) | {holds} | {fails} | {open} | {machine} |")
            }
        };
    }
    for (title, verdict) in [("Fails", "**fails**"), ("Not decided", "not decided")] {
        let of_page = |(part, page): &(BenchPart, Option<String>)| -> Vec<String> {
            let claims = page.as_deref().map(claims).unwrap_or_default();
            let chosen = claims.iter().filter(|c| c.verdict.starts_with(verdict));
            let line = |c: &ClaimRow<'_>| {
                format!("| {} | {} | {} | {} | {} |\n", part.name(), c.text, c.peer, c.asked, c.median)
            };
            chosen.map(line).collect()
        };
        let lines: Vec<String> = pages.iter().flat_map(of_page).collect();
        if !lines.is_empty() {
            let _ = write!(
                index,
                "\n## {title}\n\n| part | claim | peer | asked | median ratio |\n|---|---|---|---|---|\n"
            );
            lines.iter().for_each(|l| index.push_str(l));
        }
    }
    index
}

/// Without further columns.
fn claims(page: &str) -> Vec<ClaimRow<'_>> {
    let table = page.lines().skip_while(|l| *l != CLAIMS_HEAD).skip(2).take_while(|l| l.starts_with('|'));
    let told = |line| {
        let cells: Vec<&str> = str::split(line, " | ").map(|c| c.trim_matches([' ', '|'])).collect();
        let [text, peer, asked, median, .., verdict] = cells[..] else { return None };
        Some(ClaimRow { text, peer, asked, median, verdict })
    };
    table.filter_map(told).collect()
}

fn machine(page: &str) -> &str {
    let mut lines = page.lines().skip_while(|l| *l != "## Machine and programs");
    lines.find_map(|l| l.strip_prefix("- ")).unwrap_or("–")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_made_from_the_pages() {
        let page = format!(
            "# Bench: request\n\n## Machine and programs\n\n- 2 × CPU, kernel 6\n- qperf: 0.4\n\n## Claims\n\n{CLAIMS_HEAD}\n\
             |---|---|---|---|---|---|---|---|---|---|\n\
             | median | qperf | not above 1 | 0.900 | 0.8 to 1.0 | ± 2.0 % | 16 | 1 µs | 2 µs | **holds** |\n\
             | rate, spinning | qperf | ≥ 2 | 1.900 | 1.8 to 2.0 | ± 2.0 % | 16 | 1 /s | 2 /s | **fails**: the median |\n\
             | other | qperf | ≥ 2 | 2.000 | 1.8 to 2.1 | ± 200.0 % | 16 | 1 /s | 2 /s | not decided: coarse |\n\
             \nBeside the claims:\n\n| ratio | peer |\n|---|---|\n| aside | x | y | 1 | **fails** |\n"
        );
        let index = index(&[(BenchPart::Stream, None), (BenchPart::Request, Some(page))]);
        assert!(index.contains("| stream | – | – | – | not measured |"), "{index}");
        let counted = "| [request](results/request.md) | 1 | 1 | 1 | 2 × CPU, kernel 6 |";
        assert!(index.contains(counted), "{index}");
        assert!(index.contains("## Fails\n\n| part | claim | peer | asked | median ratio |\n|---|---|---|---|---|\n| request | rate, spinning | qperf | ≥ 2 | 1.900 |\n\n## Not"), "{index}");
        assert!(index.ends_with("| request | other | qperf | ≥ 2 | 2.000 |\n"), "{index}");
    }
}
