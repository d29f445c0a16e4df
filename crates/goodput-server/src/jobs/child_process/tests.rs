//! Processes of a shell script in place of the program.

use super::*;
use std::sync::mpsc::channel;

fn command(script: &str, grace: Duration) -> ChildCommand {
    ChildCommand {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        input: None,
        environment: vec![("GOODPUT_ROUTER", "hub".into())],
        withheld: vec!["HOME"],
        runs: "/nowhere".into(),
        grace,
    }
}

fn told_by(
    script: &str,
    grace: Duration,
    mut act: impl FnMut(&ChildOutput, &Sender<SupervisorEvent>),
) -> (Vec<String>, JobExit) {
    let (tell, told) = channel();
    let mut all = Vec::new();
    let end = run_child(&command(script, grace), &tell.clone(), &told, &mut |heard| {
        act(&heard, &tell);
        all.push(match heard {
            ChildOutput::Line(line) => serde_json::to_value(line).unwrap()["event"].as_str().unwrap().into(),
            ChildOutput::Said(sentence) => sentence,
        });
    });
    (all, end)
}

const MINUTE: Duration = Duration::from_secs(60);

/// A killed orphan remains until init reaps it.
fn is_gone(pid: &str) -> bool {
    let until = Instant::now() + MINUTE;
    let lives = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ") && !stat.contains(") X ")
    };
    while lives() && Instant::now() < until {
        std::thread::sleep(SOON);
    }
    !lives()
}

#[test]
fn a_first_line_longer_than_a_pipe_arrives_before_answers() {
    let script = r#"read -r line; echo "${#line}" >&2; read -r answer; echo "$answer" >&2"#;
    let launch = ChildCommand { input: Some("x".repeat(300_000)), ..command(script, MINUTE) };
    let (tell, told) = channel();
    let answering = tell.clone();
    let mut said = Vec::new();
    run_child(&launch, &tell, &told, &mut |heard| {
        let ChildOutput::Said(sentence) = heard else { return };
        if said.is_empty() {
            let answer = ManualStepAnswer { prompt: "1".into(), answer: "done".into() };
            answering.send(SupervisorEvent::Answer(answer)).unwrap();
        }
        said.push(sentence);
    });
    assert_eq!(said, ["300000", r#"{"prompt":"1","answer":"done"}"#]);
}

fn nothing(_: &ChildOutput, _: &Sender<SupervisorEvent>) {}

#[test]
fn lines_and_sentences_are_heard_to_the_last() {
    let script = r#"echo '{"event":"started","run":null,"trials":1}'
        echo 'no json'
        echo '{"event":"finished","run":null,"exit":3,"failure":null}'
        echo 'why it is so' >&2
        exit 3"#;
    let (mut all, end) = told_by(script, MINUTE, nothing);
    all.sort();
    assert_eq!(all, ["finished", "started", "why it is so"]);
    assert_eq!(end.exit, Some(3));
}

#[test]
fn a_process_is_told_its_surroundings_without_what_is_withheld() {
    assert!(std::env::var_os("HOME").is_some() && std::env::var_os("PATH").is_some());
    let script = "echo $GOODPUT_RUNS $GOODPUT_RUNNER $GOODPUT_ROUTER ${HOME-none} ${PATH:+some} >&2";
    let (all, _) = told_by(script, MINUTE, nothing);
    assert_eq!(all, [format!("/nowhere {} hub none some", std::process::id())]);
}

#[test]
fn what_does_not_end_is_killed_with_all_that_belongs_to_it() {
    let script = r#"trap '' INT
        sh -c 'trap "" INT; while :; do sleep 1; done' &
        echo $! >&2
        while :; do sleep 0.05; done"#;
    let (all, end) =
        told_by(script, Duration::from_millis(100), |_, tell| tell.send(SupervisorEvent::Stop).unwrap());
    assert_eq!(end.exit, None);
    assert!(end.how.contains('9'), "{}", end.how);
    assert!(is_gone(&all[0]), "{} is still there", all[0]);
}

#[test]
fn what_it_leaves_behind_is_killed_too_and_holds_up_nothing() {
    let began = Instant::now();
    let (all, end) = told_by("sleep 300 & echo $! >&2", MINUTE, nothing);
    assert_eq!(end.exit, Some(0));
    assert!(began.elapsed() < MINUTE);
    assert!(is_gone(&all[0]), "{} is still there", all[0]);
}

#[test]
fn a_program_that_is_not_there_is_an_end() {
    let launch = ChildCommand { program: "/no/such".into(), ..command("", MINUTE) };
    let (tell, told) = channel();
    let end = run_child(&launch, &tell, &told, &mut |_| ());
    assert!(end.exit.is_none() && end.how.contains("/no/such"), "{}", end.how);
}
