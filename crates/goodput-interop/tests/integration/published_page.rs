//! The example of the page about published values is valid, and its questions are answered.

use goodput_analysis::experiment::conclusions::draw_conclusions;
use goodput_interop::published_data::PublishedDataDescription;
use goodput_model::experiment::conclusion::ConclusionAnswer;
use goodput_model::experiment::data_set::ObservedValue;
use std::path::PathBuf;

fn block<'a>(page: &'a str, kind: &str) -> &'a str {
    let (_, after) = page.split_once(&format!("```{kind}\n")).unwrap();
    after.split_once("```").unwrap().0
}

#[test]
fn the_example_of_the_page_is_taken_and_answered() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/published-figures.md");
    let page = std::fs::read_to_string(path).unwrap();
    let description = PublishedDataDescription::parse(block(&page, "toml")).unwrap_or_else(|e| panic!("{e}"));
    assert!(page.contains(&format!("`{}`", description.data_path())));
    let data = description.build_data_set(block(&page, "csv")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((data.rows.len(), data.measures.len(), data.slices.len()), (6, 2, 1));
    let empty: Vec<_> = data.rows.iter().filter(|r| r.value == ObservedValue::NotMeasured).collect();
    assert_eq!((empty.len(), empty[0].levels["adapter"].as_str()), (1, "card"));
    let said = draw_conclusions(&data);
    let answer = |question: usize| said.iter().find(|c| c.question == Some(question)).unwrap().answer;
    assert_eq!((answer(0), answer(1)), (Some(ConclusionAnswer::Yes), Some(ConclusionAnswer::No)));
}
