//! Nine addresses with 64 idle connections each, to both ports of an agent and to the page, and another user's to a
//! page on loopback: each request of the owner is answered within 1 s.

use super::replay::{Coordinator, opened};
use super::stranger;
use crate::serve::Serving;
use crate::stage::*;
use goodput_control::LabKey;
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};

const REQUESTS: usize = 100;
const MOST: Duration = Duration::from_secs(1);
/// Of an agent of a lab's first link.
const AGENT: Ipv4Addr = Ipv4Addr::new(10, 53, 0, 2);
/// They are killed before.
const SECONDS: &str = "300";
const SOON: Duration = Duration::from_secs(30);
const NOBODY: &str = "65534";

/// The seconds that each request to an agent took, a line each.
pub fn ask(what: &str, key_file: &str) -> Result<String, Box<dyn std::error::Error>> {
    let key = LabKey::read_file(Path::new(key_file))?;
    let took = each(|| match what {
        "control" => Coordinator::at(&key, (AGENT, 5303).into()).map(Some),
        _ => {
            must!(opened((AGENT, 5304).into(), [0; 16])?.len() == 1, "no status");
            Ok(None)
        }
    });
    let took = took.map_err(|e| e.message().unwrap_or("failed").to_string())?;
    Ok(took.iter().map(|took| took.as_secs_f64().to_string()).collect::<Vec<_>>().join("\n"))
}

fn each<T>(mut request: impl FnMut() -> Result<T, Failed>) -> Result<Vec<Duration>, Failed> {
    let timed = |_| {
        let began = Instant::now();
        let answer = request()?;
        let took = began.elapsed();
        drop(answer);
        Ok(took)
    };
    (0..REQUESTS).map(timed).collect()
}

fn check(what: &str, took: &[Duration]) -> CommandOutput {
    let answered = took.iter().filter(|took| **took <= MOST).count();
    println!("{what}: {answered} of {REQUESTS} within {MOST:?}, the slowest {:?}", took.iter().max());
    must!(answered == REQUESTS, "{what}: {took:?}");
    Ok(())
}

/// The first word of each line, in seconds.
fn read(text: &str) -> Result<Vec<Duration>, Failed> {
    let first = |line: &str| line.split(' ').next().unwrap_or_default().parse().map(Duration::from_secs_f64);
    Ok(text.lines().map(first).collect::<Result<_, _>>()?)
}

/// In a lab of the hosts a, b and c on one link.
pub fn nine_addresses(lab: &Lab) -> CommandOutput {
    let addresses: Vec<String> = (101..110).map(|n| format!("10.53.0.{n}")).collect();
    for address in &addresses {
        lab.exec("a", ["ip", "address", "add", &format!("{address}/24"), "dev", "eth0"])?;
    }
    let token = lab.home.line("serve token operator script").ended(0)?.stdout.trim().to_string();
    let itself = std::env::current_exe()?.to_string_lossy().into_owned();
    let (itself, addresses) = (itself.as_str(), addresses.join(","));
    let inside = |host: &str, words: &[&str]| {
        lab.home.start([&["lab", "exec", &lab.host(host), "--"][..], words].concat())
    };
    let page = format!("{AGENT}:5380");
    let mut server = inside("b", &[PROGRAM, "serve", "--listen", &page, "--tls-self"]);
    server.says("://", SOON)?;
    let mut strangers = Vec::new();
    for to in [format!("{AGENT}:5303"), format!("{AGENT}:5304"), page.clone()] {
        let mut idle = inside("a", &[itself, stranger::WORD, "idle", "0", SECONDS, &addresses, &to]);
        idle.says("ready", SOON)?;
        strangers.push(idle);
    }

    let key_file = lab.key_file()?;
    for what in ["control", "data"] {
        let answers = lab.exec("c", [itself, stranger::WORD, "ask", what, &key_file])?;
        check(what, &read(&answers)?)?;
    }
    // A new connection for each, by the server's wish.
    let token = format!("Authorization: Bearer {token}");
    let urls = format!("https://{page}/api/v1/session#[1-{REQUESTS}]");
    let curl = ["curl", "-sk", "-o", "/dev/null", "-H", &token, "-H", "Connection: close"];
    let written = ["-w", "%{time_total} %{http_code}\\n", &urls];
    let answers = lab.exec("c", curl.into_iter().chain(written))?;
    must!(answers.lines().filter(|line| line.ends_with(" 200")).count() == REQUESTS, "{answers}");
    check("page", &read(&answers)?)?;
    drop(strangers);
    open_page()
}

/// Without a login, for its own user only.
fn open_page() -> CommandOutput {
    let home = Home::new();
    let server = Serving::start(&home, &[])?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args([stranger::WORD, "idle", NOBODY, SECONDS, "127.0.0.1", &server.address]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut idle = running(command);
    idle.says("ready", SOON)?;
    let owner = server.with("");
    let took = each(|| {
        let session = owner.get("/session")?.is(200)?.json()?;
        must!(session["role"] == "operator", "{session}");
        Ok(())
    })?;
    check("open page", &took)
}
