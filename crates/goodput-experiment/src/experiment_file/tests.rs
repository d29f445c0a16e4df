mod refused;

use super::*;
use goodput_model::experiment::{
    BetterDirection, ComparisonOperator, ExperimentDesign, ExperimentQuestion, LevelSettingMethod,
};

/// Has every element that a file may have.
pub(super) const WHOLE: &str = r#"title = "Cards and congestion control"
lab = "topology.toml"
design = "full"
exclude = [{ card = "nec", cc = "bbr" }]
order = "random"
seed = 7
repeats = { least = 5, most = 30, width = "3%" }
warm_up = 1
require = [
  "tcp.goodput_bps >= 90 Mbit/s",
  { that = "rr.latency_ns.p50 < 1 ms", only = { cc = "cubic" } },
]

[hosts]
client = "lab:a"
server = "lab:b"

[[factor]]
name = "card"
levels = [{ name = "fore", value = "FORE PCA-200E" }, "nec"]
by_hand = { ask = "put the {level} card into the server", verify = [
  { on = "server", fact = "interfaces.eth0.driver", is = { fore = "fore_200e", nec = "nicstar" } },
] }

[[factor]]
name = "cc"
levels = ["cubic", "bbr"]

[[factor]]
name = "mtu"
levels = [1500, 9000]
knob = "mtu"
on = ["client", "server"]
hard_to_change = true

[[factor]]
name = "medium"
levels = ["100base-tx", "1000base-t"]
lab = "links.1.medium"

[[factor]]
name = "governor"
levels = ["powersave", "performance"]
command = { on = "server", set = "cpupower frequency-set -g {level}", read = "cat gov", restore = "set {before}" }

[[probe]]
name = "tcp"
run = "stream {server} --from {client} --congestion {cc}"
measures = ["goodput_bps", { figure = "hosts[].cpu.busy_percent", better = "higher" }]
time_limit = "2min"

[[probe]]
name = "rr"
run = "request {server} --from {client}"
measures = ["latency_ns.p50"]
only = { cc = "cubic", mtu = [1500, 9000] }

[[price]]
factor = "card"
currency = "JPY"
levels = { fore = 150000, nec = [50000, 80000] }

[[question]]
ask = "better"
probe = "tcp"
factor = "mtu"
level = 9000
than = 1500

[[question]]
ask = "reaches"
probe = "tcp"
factor = "card"
value = "100 Mbit/s"
only = { mtu = 1500 }

[[question]]
ask = "pays"
probe = "tcp"
factor = "card"

[quick]
repeats = 3
words = "--time 1s"
"#;

fn read(text: &str) -> ExperimentFile {
    ExperimentFile::parse("studies/Cards & CC", text).unwrap_or_else(|e| panic!("{e}; {}", e.hint))
}

#[test]
fn everything_has_its_place() {
    let file = read(WHOLE);
    let e = &file.experiment;
    assert_eq!((e.name.as_str(), e.title.as_str()), ("studies-cards-cc", "Cards and congestion control"));
    assert_eq!((file.lab_file.as_deref(), e.lab.as_deref()), (Some("topology.toml"), None));
    assert_eq!(e.hosts["server"], "lab:b");
    assert_eq!((e.order.shuffled, e.order.seed, &e.design), (true, 7, &ExperimentDesign::Full));
    assert_eq!((e.repeats.least, e.repeats.most, e.repeats.width_percent), (5, 30, Some(3.0)));
    let factors: Vec<_> = e.factors.iter().map(|f| (f.name.as_str(), f.hard_to_change)).collect();
    let hard = [("card", true), ("cc", false), ("mtu", true), ("medium", false), ("governor", false)];
    assert_eq!((factors, e.factors[0].levels[0].value.as_str()), (hard.to_vec(), "FORE PCA-200E"));
    let [card, cc, mtu, medium, governor] = [0, 1, 2, 3, 4].map(|at| &e.factors[at].means);
    assert!(matches!(card, LevelSettingMethod::ByHand { verify, .. } if verify[0].is["nec"] == "nicstar"));
    assert_eq!(cc, &LevelSettingMethod::Argument);
    assert!(matches!(mtu, LevelSettingMethod::Knob { on, knob, .. } if on.len() == 2 && knob == "mtu"));
    assert_eq!(medium, &LevelSettingMethod::Lab { paths: vec!["links.1.medium".into()] });
    assert!(matches!(governor, LevelSettingMethod::Command { restore: Some(_), .. }));
    let better =
        e.probes.iter().map(|p| p.measures.iter().map(|m| m.better).collect()).collect::<Vec<Vec<_>>>();
    assert_eq!(better, [vec![BetterDirection::Higher; 2], vec![BetterDirection::Lower]]);
    assert_eq!(e.probes.iter().map(|p| p.time_limit.0 / 1_000_000_000).collect::<Vec<_>>(), [120, 600]);
    assert_eq!(e.probes[1].only["mtu"], ["1500", "9000"]);
    assert_eq!(e.excluded[0]["cc"], "bbr");
    assert_eq!((e.requirements[1].relation, e.requirements[1].value), (ComparisonOperator::Below, 1e6));
    assert_eq!(e.requirements[1].only["cc"], ["cubic"]);
    assert_eq!((e.prices[0].from, e.prices[1].from, e.prices[1].to), (150_000.0, 50_000.0, 80_000.0));
    assert!(matches!(&e.questions[0], ExperimentQuestion::Better { level, .. } if level == "9000"));
    assert!(matches!(&e.questions[1], ExperimentQuestion::Reaches { value, .. } if *value == 1e8));
    assert_eq!(file.quick.repeats.most, 3);
    assert_eq!(file.quick.probes[1].run, "request {server} --from {client} --time 1s");
    assert_eq!((file.quick.questions.clone(), file.quick.repeats.warm_up), (e.questions.clone(), 0));
    // A checked experiment survives its log.
    assert_eq!(serde_json::from_str::<Experiment>(&serde_json::to_string(e).unwrap()).unwrap(), *e);
}

#[test]
fn what_is_left_out_has_a_usual_value() {
    let text = "title = \"t\"\n[hosts]\nb = \"lab:b\"\n[[probe]]\nname = \"tcp\"\nrun = \"stream {b}\"\nmeasures = [\"goodput_bps\"]\n";
    let file = read(text);
    let e = file.experiment;
    assert_eq!((e.repeats.least, e.repeats.most, e.repeats.warm_up), (6, 6, 0));
    assert_eq!((e.order.shuffled, e.order.seed, e.design), (true, 1, ExperimentDesign::Full));
    assert_eq!(file.quick.repeats.most, 2);
    // Names are made fit for files.
    let names: Vec<String> = ["jumbo-frames", "My NIC", "--", "ÄÖ x"].map(slug).into();
    assert_eq!(names, ["jumbo-frames", "my-nic", "experiment", "x"]);
}

#[test]
fn a_topology_may_stand_in_the_file() {
    let text = WHOLE.replace("lab = \"topology.toml\"\n", "")
        + "\n[[lab.host]]\nname = \"a\"\n[[lab.host]]\nname = \"b\"\n[[lab.link]]\nhosts = [\"a\", \"b\"]\nmtu = 1500\n";
    let mut file = read(&text);
    let lab: toml::Table = file.experiment.lab.as_ref().unwrap().parse().unwrap();
    assert_eq!(lab["link"][0]["mtu"].as_integer(), Some(1500));
    assert_eq!((lab["host"].as_array().unwrap().len(), file.lab_file.as_ref()), (2, None));
    file.set_lab_topology("other");
    assert_eq!((file.experiment.lab.as_deref(), file.quick.lab.as_deref()), (Some("other"), Some("other")));
}
