//! One mistake at a time in a valid file: error, line and advice.

use super::WHOLE;
use crate::file::ExperimentFile;

/// Changes the file in one place. Sentence and hint must contain these texts; the line is that of `marker`
/// after the change.
fn refused(from: &str, to: &str, marker: &str, what: &str, hint: &str) {
    assert_eq!(WHOLE.matches(from).count(), 1, "{from:?} stands once in the file");
    let text = WHOLE.replace(from, to);
    let line = 1 + text[..text.find(marker).unwrap_or_else(|| panic!("no {marker:?}"))].matches('\n').count();
    match ExperimentFile::read("test", &text) {
        Ok(_) => panic!("{to:?} is taken"),
        Err(e) => {
            let told = format!("{e}\nhint: {}", e.hint);
            assert!(e.what.contains(what), "{what:?} is not in:\n{told}");
            assert!(e.hint.contains(hint), "{hint:?} is not in:\n{told}");
            assert_eq!(e.line, line, "{told}");
            assert!(!e.what.ends_with('.') && !e.what.contains('\n'), "{told}");
        }
    }
}

#[test]
fn keys_that_are_not_there() {
    refused("seed = 7", "sede = 7", "sede", "there is no key sede here", "write seed; there are title");
    refused("ask = \"pays\"", "ask = \"prices\"", "ask = \"prices\"", "\"prices\" is not known here", "pays");
    refused("knob = \"mtu\"", "knobs = \"mtu\"", "knobs", "there is no key knobs here", "write knob;");
    refused("order = \"random\"", "order = \"rendom\"", "rendom", "\"rendom\" is not known here", "random");
    refused("title = \"Cards and congestion control\"\n", "", "lab =", "title is missing", "title = ");
    refused("design = \"full\"", "design = full", "design = full", "", "");
    refused("seed = 7", "seed = 7\nseed = 8", "seed = 8", "duplicate key", "");
    refused("name = \"cc\"", "name = true", "name = true", "invalid type", "docs/experiments.md");
    refused(
        "levels = [1500, 9000]",
        "levels = [1500, true]",
        "[1500, true]",
        "boolean",
        "docs/experiments.md",
    );
}

#[test]
fn names_that_stand_for_nothing() {
    refused(
        "--congestion {cc}",
        "--congestion {cx}",
        "--congestion",
        "{cx} is neither a host nor a factor",
        "write {cc};",
    );
    refused("stream {server}", "stream {sever}", "stream {sever}", "{sever} is neither", "write {server}");
    refused(
        "on = [\"client\", \"server\"]",
        "on = [\"client\", \"sarver\"]",
        "on = [\"client\"",
        "there is no host sarver",
        "write server; there are client, server",
    );
    refused(
        "{ card = \"nec\", cc = \"bbr\" }",
        "{ card = \"nec\", cx = \"bbr\" }",
        "exclude",
        "there is no factor cx",
        "write cc;",
    );
    refused(
        "{ card = \"nec\", cc = \"bbr\" }",
        "{ card = \"neck\" }",
        "exclude",
        "factor card has no level neck",
        "write nec;",
    );
    refused(
        "mtu = [1500, 9000] }",
        "mtu = [1500, 4000] }",
        "[[probe]]\nname = \"rr\"",
        "factor mtu has no level 4000",
        "1500, 9000",
    );
    refused(
        "than = 1500",
        "than = 1501",
        "[[question]]\nask = \"better\"",
        "factor mtu has no level 1501",
        "write 1500;",
    );
    refused(
        "probe = \"tcp\"\nfactor = \"mtu\"",
        "probe = \"tpc\"\nfactor = \"mtu\"",
        "[[question]]",
        "there is no probe tpc",
        "write tcp;",
    );
    refused(
        "\"goodput_bps\", {",
        "\"goodputs\", {",
        "\"goodputs\"",
        "a result has no figure goodputs",
        "write goodput_bps; there are",
    );
    refused("fact = \"interfaces.eth0.driver\"", "fact = \"\"", "by_hand", "verify names no fact", "fact = ");
    refused("nec = \"nicstar\"", "nek = \"nicstar\"", "by_hand", "which is no level", "write nec;");
    refused(
        ", nec = \"nicstar\"",
        "",
        "by_hand",
        "verify does not say what interfaces.eth0.driver must be at nec",
        "every level",
    );
}

#[test]
fn factors_that_change_nothing() {
    refused(
        " --congestion {cc}",
        "",
        "name = \"cc\"",
        "nothing uses factor cc",
        "write {cc} into a probe line",
    );
    refused(
        "[\"cubic\", \"bbr\"]\n",
        "[\"cubic\"]\n",
        "[\"cubic\"]",
        "factor cc has one level",
        "levels = [",
    );
    refused("[\"cubic\", \"bbr\"]\n", "[]\n", "levels = []", "factor cc has no level", "levels = [");
    refused(
        "[1500, 9000]\nknob",
        "[1500, \"1500\"]\nknob",
        "[1500, \"1500\"]",
        "level of mtu 1500 is there twice",
        "another name",
    );
    refused(
        "frequency-set -g {level}",
        "frequency-set -g fast",
        "command = ",
        "set is the same for every level",
        "{level}",
    );
    refused("put the {level} card", "put the card", "by_hand", "ask is the same for every level", "{level}");
    refused(", read = \"cat gov\"", "", "command = ", "restore puts back {before}", "read = ");
}

#[test]
fn means_that_cannot_be() {
    refused(
        "knob = \"mtu\"",
        "knob = \"mtu\"\nlab = \"links.1.mtu\"",
        "knob = \"mtu\"",
        "two means, lab and knob",
        "keep one",
    );
    refused(
        "lab = \"topology.toml\"\n",
        "",
        "lab = \"links.1.medium\"",
        "the experiment has no lab",
        "lab = \"topology.toml\"",
    );
    refused(
        "\"links.1.medium\"",
        "\"links.0.medium\"",
        "links.0",
        "is no property of a lab",
        "links.1.medium",
    );
    refused(
        "on = [\"client\", \"server\"]\n",
        "",
        "knob = \"mtu\"",
        "the knob of factor mtu is on no host",
        "on = [\"client\", \"server\"]",
    );
    refused("knob = \"mtu\"\n", "", "on = [\"client\"", "on belongs to a knob", "knob = ");
    refused(
        "{ on = \"server\", set",
        "{ on = \"srv\", set",
        "command = ",
        "there is no host srv",
        "client, server",
    );
}

#[test]
fn names_that_cannot_be() {
    refused(
        "name = \"cc\"",
        "name = \"mtu\"",
        "name = \"mtu\"\nlevels = [1500",
        "factor mtu is there twice",
        "another name",
    );
    refused(
        "name = \"cc\"",
        "name = \"server\"",
        "name = \"server\"",
        "server is a host and a factor",
        "another name",
    );
    refused("name = \"cc\"", "name = \"level\"", "name = \"level\"", "cannot be called level", "otherwise");
    refused("name = \"cc\"", "name = \"c c\"", "name = \"c c\"", "cannot be called \"c c\"", "letters");
    refused(
        "name = \"rr\"",
        "name = \"tcp\"",
        "name = \"tcp\"\nrun = \"request",
        "probe tcp is there twice",
        "another name",
    );
    refused("client = \"lab:a\"", "client = \" \"", "client = ", "host client stands for nothing", "lab:a");
    refused("client = \"lab:a\"", "1st = \"lab:a\"", "1st = ", "cannot be called \"1st\"", "letters");
}

#[test]
fn lines_that_cannot_run_in_an_experiment() {
    refused(
        "\"stream {server}",
        "\"goodput stream {server}",
        "\"goodput stream",
        "run begins after the word goodput",
        "leave out",
    );
    refused(
        "--congestion {cc}",
        "--congestion {cc} --no-save",
        "--no-save",
        "--no-save has no place",
        "leave out --no-save",
    );
    refused(
        "--congestion {cc}",
        "--congestion {cc} --runs=/tmp",
        "--runs",
        "--runs=/tmp has no place",
        "leave out",
    );
    refused("--congestion {cc}", "--congestion '{cc}", "--congestion", "is not closed", "write a second '");
    refused("--congestion {cc}", "--congestion { cc }", "--congestion", "encloses no name", "{name}");
    refused(
        "\"request {server} --from {client}\"",
        "\" \"",
        "run = \" \"",
        "the line is empty",
        "stream {server}",
    );
    refused("[\"latency_ns.p50\"]", "[]", "measures = []", "no figure is taken", "measures = ");
    refused(
        "[\"latency_ns.p50\"]",
        "[\"latency_ns.p55\"]",
        "p55",
        "a result has no figure latency_ns.p55",
        "write latency_ns.p50;",
    );
    refused(
        "[\"latency_ns.p50\"]",
        "[\"points.goodput_bps\"]",
        "points.",
        "no figure points.goodput_bps",
        "write points[].goodput_bps;",
    );
    refused("time_limit = \"2min\"", "time_limit = \"2m\"", "time_limit", "two readings", "2min or 2ms");
    refused("time_limit = \"2min\"", "time_limit = \"0s\"", "time_limit", "leaves no time", "5min");
}

#[test]
fn a_value_that_breaks_its_line() {
    refused(
        "\"bbr\"]\n\n[[factor]]\nname = \"mtu\"",
        "\"it's\"]\n\n[[factor]]\nname = \"mtu\"",
        "exclude",
        "factor cc has no level bbr",
        "cubic",
    );
    refused(
        "levels = [\"cubic\", \"bbr\"]",
        "levels = [\"cubic\", { name = \"bbr\", value = \"'\" }]",
        "run = \"stream",
        "is not closed",
        "write a second '",
    );
}

#[test]
fn rules_that_cannot_be_kept() {
    refused("design = \"full\"", "design = \"fool\"", "design", "there is no design fool", "write full;");
    refused(
        "design = \"full\"",
        "design = { fraction = [\"E=ABC\", \"D=A\"] }",
        "design",
        "the same",
        "three letters",
    );
    refused(
        "design = \"full\"",
        "design = { fraction = [\"E=ABC\", \"D=XY\"] }",
        "design",
        "names X",
        "from A to E",
    );
    refused(
        "design = \"full\"",
        "design = { fraction = [] }",
        "design",
        "a fraction without generators",
        "D=ABC",
    );
    refused(
        "{ card = \"nec\", cc = \"bbr\" }",
        "{ card = \"nec\" }, { card = \"fore\" }",
        "design",
        "every combination is excluded",
        "exclude",
    );
    refused("{ card = \"nec\", cc = \"bbr\" }", "{}", "exclude", "this excludes nothing", "exclude = ");
    refused(
        "{ least = 5, most = 30, width = \"3%\" }",
        "0",
        "repeats = 0",
        "from 1 to 10000",
        "repeats = 10",
    );
    refused(
        "{ least = 5, most = 30, width = \"3%\" }",
        "2.5",
        "repeats = 2.5",
        "a whole number or a table",
        "repeats = 10",
    );
    refused("least = 5", "least = 2", "least = 2", "least is below 3", "least = 5");
    refused("most = 30", "most = 5", "most = 5", "most is not above least", "most = 30");
    refused("width = \"3%\"", "width = \"3\"", "width", "width is not a share", "3%");
}

#[test]
fn what_the_result_is_held_to() {
    refused(
        ">= 90 Mbit/s",
        ">= 90 ms",
        "\"tcp.goodput_bps",
        "\"ms\" is not a unit of rate",
        "write 900 Mbit/s",
    );
    refused(
        "tcp.goodput_bps >=",
        "udp.goodput_bps >=",
        "\"udp.goodput_bps",
        "no probe measures udp.goodput_bps",
        "tcp.goodput_bps",
    );
    refused(
        "only = { cc = \"cubic\" } },",
        "only = { cc = \"reno\" } },",
        "{ that",
        "factor cc has no level reno",
        "cubic",
    );
    refused(
        "value = \"100 Mbit/s\"",
        "value = \"100 KiB\"",
        "[[question]]\nask = \"reaches\"",
        "is not a unit of rate",
        "write 900 Mbit/s",
    );
    refused("currency = \"JPY\"", "currency = \"yen\"", "[[price]]", "\"yen\" is no currency", "JPY");
    refused("nec = [50000, 80000]", "nec = [80000, 50000]", "[[price]]", "the price of nec", "nec = ");
    refused("fore = 150000", "four = 150000", "[[price]]", "factor card has no level four", "write fore;");
    refused("than = 1500", "than = 9000", "[[question]]", "9000 is set against itself", "another");
    refused(
        "only = { mtu = 1500 }",
        "only = { card = \"nec\" }",
        "[[question]]\nask = \"reaches\"",
        "only leaves one level of it",
        "take card out",
    );
    refused(
        "[[question]]\nask = \"pays\"\nprobe = \"tcp\"\nfactor = \"card\"",
        "[[question]]\nask = \"pays\"\nprobe = \"tcp\"\nfactor = \"cc\"",
        "[[question]]\nask = \"pays\"",
        "factor cc has no prices",
        "[[price]]",
    );
    refused(
        "[[question]]\nask = \"pays\"\nprobe = \"tcp\"\nfactor = \"card\"",
        "[[question]]\nask = \"beats\"\nprobe = \"tcp\"\nthan = \"rr\"",
        "[[question]]\nask = \"beats\"",
        "different units",
        "same unit",
    );
}

#[test]
fn a_quick_form_that_answers_nothing() {
    refused(
        "repeats = 3",
        "repeats = 3\nonly = { mtu = 9000 }",
        "[quick]",
        "quick leaves factor mtu fewer than two levels",
        "two levels of mtu",
    );
    refused(
        "words = \"--time 1s\"",
        "words = { tpc = \"--time 1s\" }",
        "words",
        "there is no probe tpc",
        "write tcp;",
    );
    refused("words = \"--time 1s\"", "words = \"--time '1s\"", "[quick]", "is not closed", "second '");
    refused("words = \"--time 1s\"", "words = \"--label {x}\"", "words", "{x} is neither", "{cc}");
}

const FIRST: &str = "ask = \"better\"\nprobe = \"tcp\"\nfactor = \"mtu\"\nlevel = 9000\nthan = 1500\n";

#[test]
fn questions_about_several_levels() {
    let asked = |rest: &str, what: &str, hint: &str| {
        refused(FIRST, &format!("ask = {rest}\n"), "[[question]]", what, hint);
    };
    let group = "\"group\"\nprobe = \"tcp\"\nfactor = \"mtu\"\n";
    asked(&format!("{group}levels = [1500]\nthan = 9000"), "one level is no group", "two levels");
    asked(
        &format!("{group}levels = [1500, 1500]\nthan = 9000"),
        "level of mtu 1500 is there twice",
        "another",
    );
    asked(&format!("{group}levels = [1500, 9000]\nthan = 9000"), "9000 is set against itself", "another");
    let sum = "\"sum\"\nprobe = \"tcp.goodput\"\nfactor = \"mtu\"\n";
    asked(&format!("{sum}parts = [1500, 9000]\nwhole = 9000"), "there is no probe tcp.goodput", "tcp");
}

#[test]
fn a_question_whose_own_only_leaves_it_out() {
    let text = WHOLE
        .replace("levels = [1500, 9000]", "levels = [1500, 4000, 9000]")
        .replace("than = 1500\n", "than = 1500\nonly = { mtu = [1500, 4000] }\n");
    let e = ExperimentFile::read("test", &text).unwrap_err();
    assert_eq!(e.what, "the question is about level 9000 of mtu, and only leaves it out");
    assert_eq!(e.hint, "take mtu out of only");
}
