//! One mistake at a time in a valid file: error, line and advice.

use super::WHOLE;
use crate::experiment_file::ExperimentFile;

const REACHES: &str = "[[question]]\nask = \"reaches\"";

/// `change` is "before~old~new~after", once in the file. The error has the line of the change.
fn bad(change: &str, what: &str, hint: &str) {
    bad_at("", change, what, hint);
}

/// The error has the line of `marker` after the change.
fn bad_at(marker: &str, change: &str, what: &str, hint: &str) {
    let [before, old, new, after] = change.split('~').collect::<Vec<_>>()[..] else { panic!("{change}") };
    let (from, to) = (format!("{before}{old}{after}"), format!("{before}{new}{after}"));
    assert_eq!(WHOLE.matches(&from).count(), 1, "{from:?} stands once in the file");
    let text = WHOLE.replace(&from, &to);
    let place =
        if marker.is_empty() { WHOLE.find(&from).map(|at| at + before.len()) } else { text.find(marker) };
    let line = 1 + text[..place.unwrap_or_else(|| panic!("no {marker:?}"))].matches('\n').count();
    let Err(e) = ExperimentFile::parse("test", &text) else { panic!("{to:?} is taken") };
    let told = format!("{e}\nhint: {}", e.hint);
    assert!(e.what.contains(what), "{what:?} is not in: {told}");
    assert!(e.hint.contains(hint), "{hint:?} is not in: {told}");
    assert_eq!(e.line, line, "{told}");
    assert!(!e.what.ends_with('.') && !e.what.contains('\n'), "{told}");
}

#[test]
fn keys_that_are_not_there() {
    bad("~seed~sede~ = 7", "the key sede is not allowed in this table", "write seed; valid names: title");
    bad(r#"ask = "~pays~prices~""#, r#""prices" is not a valid value of this key"#, "pays");
    bad(r#"~knob~knobs~ = "mtu""#, "the key knobs is not allowed in this table", "write knob;");
    bad("~title = \"Cards and congestion control\"\n~~", "title is missing", "title = ");
    bad(r#"design = ~"full"~full~"#, "", "");
    bad_at("seed = 8", "seed = ~7~7\nseed = 8~", "duplicate key", "");
    bad(r#"name = ~"cc"~true~"#, "invalid type", "docs/experiments.md");
    bad("levels = [1500, ~9000~true~]", "boolean", "docs/experiments.md");
}

#[test]
fn names_that_stand_for_nothing_or_cannot_be() {
    bad("--congestion {~cc~cx~}", "{cx} is neither a host nor a factor", "write {cc};");
    bad(r#"on = ["client", "~server~sarver~"]"#, "no host sarver found", "write server; valid names:");
    bad(r#"{ card = "nec", ~cc~cx~ = "bbr" }"#, "factor cx not found", "write cc;");
    bad(r#"{ card = "~nec", cc = "bbr~neck~" }"#, "factor card does not have a level neck", "write nec;");
    bad_at("[[probe]]\nname = \"rr\"", "mtu = [1500, ~9000~4000~] }", "does not have a level 4000", "9000");
    bad_at("[[question]]", "than = ~1500~1501~", "factor mtu does not have a level 1501", "write 1500;");
    bad_at("[[question]]", "probe = \"~tcp~tpc~\"\nfactor = \"mtu\"", "probe tpc not found", "write tcp;");
    bad(r#""~goodput_bps~goodputs~", {"#, "no value named goodputs", "write goodput_bps; valid names:");
    bad_at("by_hand", r#"fact = "~interfaces.eth0.driver~~""#, "verify names no fact", "fact = ");
    bad_at("by_hand", r#"~nec~nek~ = "nicstar""#, "which is not a level", "write nec;");
    bad_at("by_hand", r#"~, nec = "nicstar"~~"#, "the value of interfaces.eth0.driver at nec", "every level");
    bad_at("name = \"mtu\"\nlevels = [1500", r#"name = "~cc~mtu~""#, "mtu is defined twice", "rename one of");
    bad(r#"name = "~cc~server~""#, "server is a host and a factor", "rename one of");
    bad(r#"name = "~cc~level~""#, "cannot be named level", "choose another name");
    bad(r#"name = "~cc~c c~""#, r#"cannot be named "c c""#, "letters");
    bad(r#"name = "~rr~tcp~""#, "probe tcp is defined twice", "rename one of");
    bad(r#"client = "~lab:a~ ~""#, "host client has no address", "lab:a");
    bad(r#"~client~1st~ = "lab:a""#, r#"cannot be named "1st""#, "letters");
}

#[test]
fn factors_that_change_nothing_or_cannot_be_set() {
    bad_at(r#"name = "cc""#, "~ --congestion {cc}~~", "nothing uses factor cc", "write {cc} into a probe");
    bad("[\"cubic\"~, \"bbr\"~~]\n", "factor cc has one level", "levels = [");
    bad("[~\"cubic\", \"bbr\"~~]\n", "factor cc has no level", "levels = [");
    bad("[1500, ~9000~\"1500\"~]\nknob", "level of mtu 1500 is defined twice", "rename one of");
    bad("frequency-set -g ~{level}~fast~", "set is the same for every level", "{level}");
    bad("put the ~{level} card~card~", "ask is the same for every level", "{level}");
    bad(r#"~, read = "cat gov"~~"#, "restore puts back {before}", "read = ");
    bad("knob = \"mtu\"~~\nlab = \"links.1.mtu\"~", "setting its levels, lab and knob", "keep one");
    bad_at(r#"lab = "links.1.medium""#, "~lab = \"topology.toml\"\n~~", "defines no lab", "topology.toml");
    bad(r#""links.~1~0~.medium""#, "is not a lab property", "links.1.medium");
    bad_at(
        r#"knob = "mtu""#,
        "~on = [\"client\", \"server\"]\n~~",
        "needs `on` with at least one host",
        "on = [",
    );
    bad("~knob = \"mtu\"\n~~", "on belongs to a knob", "knob = ");
    bad(r#"{ on = "~server~srv~", set"#, "no host srv found", "client, server");
}

#[test]
fn lines_that_cannot_run_in_an_experiment() {
    bad(r#""~stream~goodput stream~ {server}"#, "without the program name", "omit");
    bad("--congestion {cc}~~ --no-save~", "--no-save is not allowed", "omit --no-save");
    bad("--congestion {cc}~~ --runs=/tmp~", "--runs=/tmp is not allowed", "omit");
    bad("--congestion ~~'~{cc}", "is not closed", "write a second '");
    bad("--congestion {~cc~ cc ~}", "encloses no name", "{name}");
    bad(r#""~request {server} --from {client}~ ~""#, "the line is empty", "stream {server}");
    bad(r#"[~"latency_ns.p50"~~]"#, "no result value of this probe is selected", "measures = ");
    bad(r#"["latency_ns.~p50~p55~"]"#, "results have no value named latency_ns.p55", "write latency_ns.p50;");
    bad(r#"["~latency_ns.p50~points.goodput_bps~"]"#, "named points.goodput_bps", "points[].goodput_bps;");
    bad(r#"time_limit = "~2min~2m~""#, "two readings", "2min or 2ms");
    bad(r#"time_limit = "~2min~0s~""#, "time_limit must be greater than zero", "5min");
    bad_at("exclude", "\"~bbr~it's~\"]\n\n[[factor]]\nname = \"mtu\"", "does not have a level bbr", "cubic");
    bad_at("run = ", r#"["cubic", ~"bbr"~{ name = "bbr", value = "'" }~]"#, "is not closed", "second '");
}

#[test]
fn rules_that_cannot_be_kept() {
    bad(r#"design = "~full~fool~""#, "design fool not found", "write full;");
    bad(r#"design = ~"full"~{ fraction = ["E=ABC", "D=A"] }~"#, "the same", "three letters");
    bad(r#"design = ~"full"~{ fraction = [] }~"#, "a fraction without generators", "D=ABC");
    bad_at("design", r#"{ card = "nec"~, cc = "bbr~ }, { card = "fore~" }"#, "every combination", "exclude");
    bad(r#"{~ card = "nec", cc = "bbr" ~~}"#, "this entry does not exclude any combination", "exclude = ");
    bad(r#"~{ least = 5, most = 30, width = "3%" }~0~"#, "from 1 to 10000", "repeats = 10");
    bad(r#"~{ least = 5, most = 30, width = "3%" }~2.5~"#, "a whole number or a table", "repeats = 10");
    bad("least = ~5~2~", "least is below 3", "least = 5");
    bad("most = ~30~5~", "most is not above least", "most = 30");
    bad(r#"width = "~3%~3~""#, "width is not a share", "3%");
}

#[test]
fn what_the_result_is_held_to() {
    bad(">= 90 ~Mbit/s~ms~", r#""ms" is not a unit of rate"#, "write 900 Mbit/s");
    bad(r#"only = { cc = "~cubic~reno~" } },"#, "factor cc does not have a level reno", "cubic");
    bad_at(REACHES, r#"value = "100 ~Mbit/s~KiB~""#, "is not a unit of rate", "write 900 Mbit/s");
    bad_at("[[price]]", r#"currency = "~JPY~yen~""#, r#""yen" is not a currency"#, "JPY");
    bad_at("[[price]]", "nec = [~50000, 80000~80000, 50000~]", "the price of nec", "nec = ");
    bad_at("[[price]]", "~fore~four~ = 150000", "factor card does not have a level four", "write fore;");
    bad_at("[[question]]", "than = ~1500~9000~", "9000 is compared with itself", "another");
    bad_at(
        REACHES,
        r#"~mtu = 1500~card = "nec"~"#,
        "selects a single level of that factor",
        "remove card from",
    );
}

#[test]
fn a_quick_form_that_answers_nothing() {
    bad_at("[quick]", "repeats = ~3~3\nonly = { mtu = 9000 }~", "fewer than two levels", "two levels of mtu");
    bad(r#"words = ~"--time 1s"~{ tpc = "--time 1s" }~"#, "probe tpc not found", "write tcp;");
    bad_at("[quick]", r#"words = "--time ~1s~'1s~""#, "is not closed", "second '");
}

#[test]
fn questions_that_cannot_be_answered() {
    let asked = |rest: &str, what: &str, hint: &str| {
        let first = "\"better\"\nprobe = \"tcp\"\nfactor = \"mtu\"\nlevel = 9000\nthan = 1500";
        bad_at("[[question]]", &format!("ask = ~{first}~{rest}~\n"), what, hint);
    };
    let group = |levels: &str| {
        format!("\"group\"\nprobe = \"tcp\"\nfactor = \"mtu\"\nlevels = {levels}\nthan = 9000")
    };
    asked(&group("[1500]"), "a group needs at least two levels", "two levels");
    asked(&group("[1500, 1500]"), "level of mtu 1500 is defined twice", "rename one of");
    asked(&group("[1500, 9000]"), "9000 is compared with itself", "another");
    asked("\"pays\"\nprobe = \"tcp\"\nfactor = \"cc\"", "factor cc has no prices", "[[price]]");
    asked("\"beats\"\nprobe = \"tcp\"\nthan = \"rr\"", "different units", "same unit");
    let sum = "\"sum\"\nprobe = \"tcp.goodput\"\nfactor = \"mtu\"\nparts = [1500, 9000]\nwhole = 9000";
    asked(sum, "probe tcp.goodput not found", "tcp");
    // Its own `only` leaves the level out.
    let text = WHOLE
        .replace("levels = [1500, 9000]", "levels = [1500, 4000, 9000]")
        .replace("than = 1500\n", "than = 1500\nonly = { mtu = [1500, 4000] }\n");
    let e = ExperimentFile::parse("test", &text).unwrap_err();
    assert_eq!(e.what, "the question concerns level 9000 of mtu, but excludes that level itself");
    assert_eq!(e.hint, "remove mtu from `only`");
}
