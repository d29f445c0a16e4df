//! The reading of published figures: what is taken, and what is refused with its line.

use super::*;
use goodput_model::experiment::ExperimentQuestion;
use goodput_model::experiment::data_set::ObservedValue;

const DESCRIPTION: &str = r#"
title = "Two links"
source = "a test"
figures = "two.csv"
factor = [
    { name = "link", columns = ["link"], levels = ["10base-t", "atm"] },
    { name = "cpu", columns = ["cpu", "mhz"], number = "mhz", levels = ["pentium 75", "pentium 100"] },
]
medium = [{ factor = "link", level = "10base-t", medium = "10base-t" }]
price = [{ factor = "link", currency = "JPY", levels = { "10base-t" = 5000, atm = [50_000, 80_000] } }]
table = [{ name = "Table 1", title = "TCP", rows = ["link"], columns = ["cpu"], only = { probe = "tcp" } }]
question = [{ ask = "reaches", probe = "*", factor = "link", value = "9 Mbit/s" }]

[measure]
column = "mbps"
figure = "goodput_bps"
unit = "Mbit/s"
better = "higher"
decimals = 2

[probes]
column = "protocol"
lines = [{ name = "tcp", transport = "tcp" }, { name = "udp", transport = "udp" }]

[evidence]
column = "table"
text = "Table {}"
"#;

const FIGURES: &str = "\
# a comment
table,protocol,link,cpu,mhz,mbps
1,tcp,10base-t,pentium,75,8.65
1,tcp,10base-t,pentium,100,8.77

1,tcp,atm,pentium,75,31.27
1,udp,atm,pentium,100,
1,udp,atm,pentium,,112.15
";

fn read(description: &str, figures: &str) -> Result<DataSet, PublishedDataError> {
    PublishedDataDescription::parse(description)?.build_data_set(figures)
}

fn refused(description: &str, figures: &str) -> String {
    read(description, figures).unwrap_err().to_string()
}

#[test]
fn lines_become_observations_with_the_bounds_of_their_medium() {
    let data = read(DESCRIPTION, FIGURES).unwrap();
    assert_eq!(data.factors[1].numbers, [75.0, 100.0]);
    let value = |row: usize| data.rows[row].value.clone();
    assert_eq!(value(0), ObservedValue::Value(8_650_000.0));
    assert_eq!(value(3), ObservedValue::NotMeasured);
    // A CPU without a clock is no level of the factor.
    assert_eq!((data.rows[4].levels.get("cpu"), value(4)), (None, ObservedValue::Value(112_150_000.0)));
    assert_eq!((data.rows[4].measure, data.rows[4].evidence.as_str()), (1, "Table 1"));
    assert_eq!((data.prices[0].from, data.prices[0].to), (5_000.0, 5_000.0));
    assert!(matches!(&data.questions[0], ExperimentQuestion::Reaches { value, .. } if *value == 9e6));
    assert_eq!((data.printed[1].scale, data.printed[1].decimals), (1e6, 2));
    // 10BASE-T half duplex, acknowledgements on the medium, no timestamps: 9.24; one-way UDP 9.57.
    let bounds: Vec<String> = data.bounds.iter().map(|b| format!("{:.2}", b.value / 1e6)).collect();
    assert_eq!(bounds, ["9.24", "9.57"]);
}

#[test]
fn an_empty_cell_of_a_table_was_not_measured() {
    let data = read(DESCRIPTION, FIGURES).unwrap();
    assert_eq!(data.rows.len(), 6);
    let gap = &data.rows[5];
    assert_eq!((&gap.value, gap.measure), (&ObservedValue::NotMeasured, 0));
    let (link, cpu) = (&gap.levels["link"], &gap.levels["cpu"]);
    assert_eq!([gap.evidence.as_str(), link, cpu], ["empty in Table 1", "atm", "pentium 100"]);
}

#[test]
fn what_is_ambiguous_is_refused_with_its_line() {
    for (from, to, words) in [
        ("8.65", "8.6", "line 3 of the figures: 8.6 has 1 digits after the point"),
        ("8.65", "8;65", "no number in digits with a point"),
        ("8.65", "8,65", "7 fields, where the columns are 6"),
        ("8.65", "\"8.65\"", "quoted fields are not read"),
        ("pentium,75", "penitum,75", "factor cpu does not have a level \"penitum 75\""),
        ("tcp,10base-t", "sctp,10base-t", "[probes] has no line \"sctp\""),
        ("100,8.77", "75,8.77", "line 4 of the figures: the same combination stands on line 3"),
        ("table,", "table,table,", "two columns are called \"table\""),
    ] {
        let found = refused(DESCRIPTION, &FIGURES.replacen(from, to, 1));
        assert!(found.contains(words), "{to}: {found}");
    }
    assert!(refused(DESCRIPTION, "# nothing\na,b\n").contains("there are no figures in it"));
}

#[test]
fn a_description_must_fit_the_figures() {
    let evidence = "[evidence]\ncolumn = \"table\"\ntext = \"Table {}\"\n";
    for (from, to, words) in [
        ("\"Mbit/s\"", "\"Mbps\"", "several readings"),
        ("unit = ", "units = ", "line 17 of the description: unknown field `units`"),
        ("\"table\"", "\"sheet\"", "there is no column \"sheet\"; there are table, protocol"),
        ("\"table\"", "\"link\"", "has a meaning already: [evidence]"),
        ("\"atm\"]", "\"atm\", \"fddi\"]", "no line of the figures has level \"fddi\""),
        ("medium = \"10base-t\"", "medium = \"10base-tx\"", "near to it: 10base-t"),
        ("rows = [\"link\"]", "rows = []", "two figures belong to one of its cells"),
        ("\"9 Mbit/s\"", "\"9 ms\"", "is no value of the measure"),
        ("atm = [50_000", "fddi = [50_000", "factor link does not have a level \"fddi\""),
        ("JPY", "yen", "no currency of three letters"),
        (evidence, "", "nothing says what column \"table\" is"),
    ] {
        let found = refused(&DESCRIPTION.replacen(from, to, 1), FIGURES);
        assert!(found.contains(words), "{to}: {found}");
    }
}

#[test]
fn curves_have_sizes() {
    let size = "[size]\ncolumn = \"table\"";
    let description = DESCRIPTION.replace("[evidence]\ncolumn = \"table\"\ntext = \"Table {}\"", size);
    let data = read(&description, &FIGURES.replace("1,udp,atm,pentium,,", "2,udp,atm,pentium,,")).unwrap();
    assert_eq!((data.rows[0].size_bytes, data.measures[0].over_size), (Some(1), true));
    let no_size = FIGURES.replace("1,tcp,10base-t,pentium,75", "1K,tcp,10base-t,pentium,75");
    assert!(refused(&description, &no_size).contains("no size in whole bytes"));
}

proptest::proptest! {
    #[test]
    fn no_text_panics(description in ".{0,200}", figures in "[a-z0-9,.#\n]{0,200}") {
        let _ = read(&description, &figures);
        let _ = read(DESCRIPTION, &figures);
    }
}

#[test]
fn a_table_has_a_number_of_cells() {
    let numbers = 0..400;
    let levels: Vec<String> = numbers.clone().map(|n| n.to_string()).collect();
    let factor = |name: &str| format!("{{ name = {name:?}, columns = [{name:?}], levels = {levels:?} }}");
    let description = format!(
        "title = \"t\"\nsource = \"s\"\nfigures = \"f\"\nfactor = [{}, {}]\n\
         table = [{{ name = \"T\", title = \"t\", rows = [\"a\"], columns = [\"b\"] }}]\n\
         probes = {{ lines = [{{ name = \"tcp\" }}] }}\n[measure]\ncolumn = \"v\"\nfigure = \"goodput_bps\"\n\
         unit = \"bit/s\"\nbetter = \"higher\"\ndecimals = 0\n",
        factor("a"),
        factor("b")
    );
    let diagonal: String = numbers.map(|n| format!("{n},{n},1\n")).collect();
    let why = refused(&description, &format!("a,b,v\n{diagonal}"));
    assert!(why.contains("T of the description: it has more than 20000 cells"), "{why}");
}
