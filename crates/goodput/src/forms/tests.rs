//! The forms compared with the parser.

use super::*;

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}

fn required_permissions(line: &[String]) -> Result<Vec<JobPermission>, CommandRefusal> {
    check_command(line).map(|checked| checked.permissions)
}

fn form(command: &str) -> Form {
    build_command_web_forms().into_iter().find(|form| form.command == command).unwrap()
}

fn option(command: &str, name: &str) -> FormOption {
    form(command).options.into_iter().find(|o| o.name == name).unwrap_or_else(|| panic!("{command} {name}"))
}

fn shortest(command: &str) -> String {
    match command {
        "load" => "load s --clients a,b".to_string(),
        "file replay" => "file replay office nas:null".to_string(),
        "file" | "file copy" | "file disk" => format!("{command} nas:null"),
        "run" => "run x.toml".to_string(),
        command => format!("{command} h"),
    }
}

#[test]
fn every_measuring_command_has_a_form() {
    let forms = build_command_web_forms();
    assert!(forms.iter().map(|f| f.command.as_str()).eq(measuring_commands()));
    for form in &forms {
        assert!(!form.about.is_empty() && !form.options.is_empty(), "{}", form.command);
        for option in &form.options {
            assert!(!option.help.is_empty(), "{} {}", form.command, option.name);
            assert!(!["--events", "--into", "--json", "--check"].contains(&option.name.as_str()));
        }
    }
}

#[test]
fn an_option_is_what_the_help_says() {
    let time = option("stream", "--time");
    assert_eq!((time.kind, time.default.as_deref()), (OptionValueKind::Time, Some("10s")));
    assert_eq!(
        (time.help.as_str(), time.value_name.unwrap().as_str()),
        ("Duration of the measurement", "TIME")
    );
    let host = option("stream", "HOST");
    assert_eq!((host.kind, host.group, host.required), (OptionValueKind::Host, OptionGroup::Hosts, true));
    let label = option("stream", "--label");
    assert_eq!(
        (label.kind, label.group, label.repeated),
        (OptionValueKind::Label, OptionGroup::Common, true)
    );
    assert_eq!(option("stream", "--shared").kind, OptionValueKind::Flag);
    for (command, name, group) in [
        ("stream", "--time", OptionGroup::Measurement),
        ("stream", "--from", OptionGroup::Hosts),
        ("load", "--clients", OptionGroup::Hosts),
        ("file replay", "--clients", OptionGroup::Measurement),
    ] {
        assert_eq!(option(command, name).group, group, "{command} {name}");
    }
    let list = option("load", "--direction");
    assert_eq!((list.kind, list.choices.len()), (OptionValueKind::List, 0));
    assert!(option("request", "--no-delay").joined && !option("request", "--time").joined);
    assert_eq!(option("request", "--no-delay").choices, ["on", "off"]);
    assert_eq!(option("stream", "--direction").kind, OptionValueKind::Choice);
    let leave = |name: &str| option("stream", name).leave;
    assert_eq!((leave("--runs"), leave("--time")), (Some(JobPermission::Write), None));
}

#[test]
fn choices_are_those_of_the_parser() {
    for form in build_command_web_forms() {
        for option in form.options.iter().filter(|option| !option.choices.is_empty()) {
            let line = |word: &str| words(&format!("{} {}={word}", shortest(&form.command), option.name));
            for word in &option.choices {
                assert_eq!(required_permissions(&line(word)), Ok(Vec::new()), "{:?}", line(word));
            }
            let refused = required_permissions(&line("nothing-known")).unwrap_err();
            let expected = format!("type {}", option.choices.join(" or "));
            assert_eq!(refused.hint.as_deref(), Some(&*expected), "{} {}", form.command, option.name);
        }
    }
    assert_eq!(option("stream", "--direction").choices, ["send", "receive", "both"]);
    assert_eq!(option("file disk", "--profile").choices.len(), 6);
}

/// The same options need permission in forms and in lines.
#[test]
fn leave_is_needed_where_the_form_says_so() {
    for form in build_command_web_forms().iter().filter(|form| form.command != "run") {
        let files = |o: &&FormOption| {
            o.name.starts_with("--") && matches!(o.kind, OptionValueKind::File | OptionValueKind::Folder)
        };
        for option in form.options.iter().filter(files) {
            let with = match option.name.as_str() {
                "--ca" => "--certificate /tmp/c --private-key /tmp/p",
                "--certificate" => "--ca /tmp/c --private-key /tmp/p",
                "--private-key" => "--ca /tmp/c --certificate /tmp/p",
                "--server-folder" => "--server nas2",
                _ => "",
            };
            let start = match (form.command.as_str(), option.name.as_str()) {
                ("load", "--icf") => "load".to_string(),
                // The server's folder does not apply to an agent's own sink.
                (command, "--server-folder") => shortest(command).replace("nas:null", "smb://nas/x"),
                (command, _) => shortest(command),
            };
            let line = words(&format!("{start} {} /tmp/x {with}", option.name));
            let asked = required_permissions(&line).unwrap_or_else(|e| panic!("{line:?}: {e:?}"));
            let leave = if option.name == "--local" { Some(JobPermission::Folders) } else { option.leave };
            assert_eq!(asked, leave.into_iter().collect::<Vec<_>>(), "{line:?}");
        }
    }
}

#[test]
fn folders_of_this_machine_need_leave_and_those_of_others_do_not() {
    for (line, leave) in [
        ("file /mnt/nas", vec![JobPermission::Folders]),
        ("file copy smb://nas/media --local /home", vec![JobPermission::Folders]),
        ("file /mnt/nas --from lab:a", vec![JobPermission::Folders]),
        ("file /mnt/nas --from pc1", vec![]),
        ("file smb://nas/media", vec![]),
        ("file replay /etc/passwd nas:null", vec![JobPermission::Files]),
        ("file replay office nas:null", vec![]),
        ("file lab:a:disk=/home", vec![JobPermission::Folders]),
        ("why lab:a:disk=/home", vec![JobPermission::Folders]),
        ("why nas:disk=/home", vec![]),
        ("file smb://nas/media --server lab:a --server-folder /home", vec![JobPermission::Folders]),
        ("file smb://nas/media --server pc1 --server-folder /home", vec![]),
        ("icf from-plan /etc/cron.d/x nas --clients pc1 --size 1KiB", vec![JobPermission::Write]),
    ] {
        assert_eq!(required_permissions(&words(line)), Ok(leave), "{line}");
    }
}

#[test]
fn a_diagnosis_that_changes_hosts_needs_leave() {
    assert_eq!(required_permissions(&words("why nas --from pc1")), Ok(vec![]));
    for line in
        ["why nas --allow-knob", "why nas --from pc1 --allow-knob", "why lab:b --from lab:a --allow-knob"]
    {
        assert_eq!(required_permissions(&words(line)), Ok(vec![JobPermission::Knobs]), "{line}");
    }
}

#[test]
fn what_measures_nothing_is_refused() {
    for line in [
        &["lab up", "lab exec a -- rm x", "agent", "show last", "file clean /x", "key new", "serve"][..],
        &[
            "export last --format csv --output /etc/x",
            "level-setter",
            "",
            "--help",
            "stream --help",
            "stream",
        ],
        &["stream b --congestoin cubic", "stream b --json", "stream b --events", "stream b --into /tmp/run"],
        &["run x.toml --check", "run x.toml --json", "run /etc/shadow"],
    ]
    .concat()
    {
        assert!(!required_permissions(&words(line)).unwrap_err().error.is_empty(), "{line}");
    }
}

#[test]
fn an_experiment_that_runs_commands_needs_leave() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |means: &str| {
        let text = format!(
            "title = 'x'\nhosts = {{ server = 'b' }}\n[[factor]]\nname = 'x'\nlevels = ['1', '2']\n{means}\n\
             [[probe]]\nname = 'tcp'\nrun = 'stream {{server}} --time 1s'\nmeasures = ['goodput_bps']\n"
        );
        let file = folder.path().join("story.toml");
        std::fs::write(&file, text).unwrap();
        required_permissions(&["run".to_string(), file.display().to_string()])
            .unwrap_or_else(|e| panic!("{means}: {e:?}"))
    };
    assert_eq!(asked("knob = \"mtu\"\non = \"server\""), []);
    let command = "[factor.command]\non = \"server\"\nset = \"set {level}\"\nread = \"read\"";
    assert_eq!(asked(command), [JobPermission::Commands]);
    let missing = folder.path().join("other.toml").display().to_string();
    assert!(required_permissions(&["run".to_string(), missing]).is_err());
}

/// Lines and factors of an experiment need what they would need by themselves, at every combination of levels.
#[test]
fn an_experiment_needs_the_permissions_of_all_its_lines_and_factors() {
    use JobPermission::{Files, Folders, Knobs, Write};
    let folder = tempfile::tempdir().unwrap();
    let check = |host: &str, levels: &str, line: &str, quick: &str, more: &[&str]| {
        let text = format!(
            "title = 'x'\nhosts = {{ server = '{host}' }}\n[[factor]]\nname = 'x'\nlevels = [{levels}]\n\
             [[probe]]\nname = 'line'\nrun = '{line}'\nmeasures = ['goodput_bps']\n{quick}"
        );
        let file = folder.path().join("story.toml");
        std::fs::write(&file, text).unwrap();
        let run = ["run".to_string(), file.display().to_string()];
        let all: Vec<String> = run.into_iter().chain(more.iter().map(|word| word.to_string())).collect();
        required_permissions(&all)
    };
    let asked = |host: &str, levels: &str, line: &str, quick: &str, more: &[&str]| {
        check(host, levels, line, quick, more).unwrap_or_else(|e| panic!("{line} {levels}: {e:?}"))
    };
    let plain = "'1', '2'";
    let stream = "stream {server} --connections {x} --time 1s";
    assert_eq!(asked("b", plain, stream, "", &[]), []);
    assert_eq!(asked("b", plain, &format!("{stream} --key-file /etc/shadow"), "", &[]), [Files]);
    let pingpong = "pingpong {server} --repeat {x}";
    assert_eq!(asked("b", plain, &format!("{pingpong} --np-out /etc/cron.d/x"), "", &[]), [Write]);
    let hidden = "'--clients 1', '--clients 1 --local /home'";
    let replay = "file replay office smb://{server}/media {x}";
    assert_eq!(asked("nas", hidden, replay, "", &[]), [Folders]);
    assert_eq!(
        asked("nas", plain, "file replay /etc/passwd smb://{server}/m --clients {x}", "", &[]),
        [Files]
    );
    let quick = "[quick]\nrepeats = 2\nwords = { line = '--key-file /etc/shadow' }\n";
    assert_eq!(asked("b", plain, stream, quick, &[]), []);
    for form in [&["--quick"][..], &["--resume"], &["--resume", "last"]] {
        assert_eq!(asked("b", plain, stream, quick, form), [Files], "{form:?}");
    }
    assert_eq!(asked("b", plain, stream, "", &["--resume", "/tmp/run"]), [Write]);
    let means = |host: &str| {
        let levels = "'0', '1']\nknob = 'sysctl net.ipv4.tcp_sack'\non = ['server'";
        asked(host, levels, "stream {server} --time 1s", "", &[])
    };
    for (host, leave) in [("localhost", vec![Knobs]), ("[::1]", vec![Knobs]), ("10.0.0.7", vec![])] {
        assert_eq!(means(host), leave, "{host}");
    }
    // A line that cannot be measured.
    let refused = check("b", "'1', '2 --json'", "stream {server} --connections {x}", "", &[]).unwrap_err();
    assert!(refused.error.contains("at x = 2 --json"), "{refused:?}");
}
