//! A file-server mix beside dbench and tbench, as in `docs/methods/file.md`:
//!
//! ```text
//! mix counts LOADFILE
//! mix folder DIR LOADFILE PLAYERS SECONDS
//! mix dbench DIR LOADFILE PLAYERS SECONDS ROUNDS [DBENCH OPTION …]
//! mix tbench LOADFILE PLAYERS SECONDS ROUNDS [HOST]
//! ```
//!
//! LOADFILE is a dbench load file or `office`. Warm-up is a fifth of SECONDS, as in dbench.

use goodput_file::location::{WorkspaceOpenMode, open_workspace_at_location};
use goodput_file::operation_mix::{TbenchTransport, create_tbench_job, office_profile};
use goodput_file::{
    FileError, FileErrorKind, FileJob, FileJobSpec, JobObserver, JobProgress, JobResult, clock,
};
use goodput_interop::dbench;
use goodput_model::file::{
    CacheMode, DbenchLoadFile, File, FileLocation, FileOpClass, FileOperationMixSource, FileWorkload,
    SinkStorageKind, WORKSPACE_PREFIX,
};
use goodput_model::probe::ProbeSettings;
use goodput_model::{Bytes, Nanos};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["counts", file] => counts(load(file)?.as_ref()),
        ["folder", dir, file, players, seconds] => {
            let run = in_folder(dir, &load(file)?, players.parse()?, seconds.parse()?)?;
            println!("{}", run.line);
        }
        ["dbench", dir, file, players, seconds, rounds, ref options @ ..] => {
            let (load, players, seconds) = (load(file)?, players.parse()?, seconds.parse()?);
            take_turns(
                rounds.parse()?,
                || in_folder(dir, &load, players, seconds),
                || {
                    let mut dbench = Command::new("dbench");
                    dbench.args(["-D", dir, "-c", file, "-t", &seconds.to_string()]).args(options);
                    foreign(dbench.arg(players.to_string()))
                },
            )?;
        }
        ["tbench", file, players, seconds, rounds, ref host @ ..] => {
            let (load, players, seconds) = (load(file)?, players.parse()?, seconds.parse()?);
            let host = host.first().copied();
            let _server = match host {
                Some(_) => None,
                None => Some(Server(Command::new("tbench_srv").stdout(Stdio::null()).spawn()?)),
            };
            std::thread::sleep(Duration::from_millis(500));
            let host = host.unwrap_or("127.0.0.1");
            take_turns(
                rounds.parse()?,
                || on_wire(host, &load, players, seconds),
                || {
                    let mut tbench = Command::new("tbench");
                    tbench.args(["-c", file, "-t", &seconds.to_string(), &players.to_string(), host]);
                    foreign(&mut tbench)
                },
            )?;
        }
        _ => return Err("see the head of examples/mix.rs for what to type".into()),
    }
    Ok(())
}

fn load(file: &str) -> Outcome<Arc<DbenchLoadFile>> {
    if file == "office" {
        return Ok(Arc::new(office_profile::generate_office_load(7)));
    }
    let (bytes, begun) = (std::fs::read(file)?, Instant::now());
    let (load, warnings) = dbench::read_load_file(&bytes).map_err(|e| format!("{file}: {e}"))?;
    warnings.iter().take(5).for_each(|warning| eprintln!("{file}: {warning}"));
    eprintln!("{file}: {} operations read in {:?}", load.ops.len(), begun.elapsed());
    Ok(Arc::new(load))
}

fn counts(load: &DbenchLoadFile) {
    for class in FileOpClass::ALL {
        let of = load.ops.iter().filter(|op| op.op.class() == Some(class));
        let (count, bytes) = of.fold((0u64, 0u64), |sum, op| (sum.0 + 1, sum.1 + op.op.payload_bytes().0));
        println!("{:<12} {count:>8} {bytes:>12} B", class.name());
    }
    let failing = load.ops.iter().filter(|op| {
        use goodput_model::file::ExpectedOpStatus::{Failure, Status};
        matches!(op.expect, Failure | Status(_))
    });
    println!("operations   {:>8}, {} of them to fail", load.ops.len(), failing.count());
    println!("paths        {:>8}, handles {}", load.paths.len(), load.handles);
}

struct Run {
    /// 10^6 bytes per second.
    rate: f64,
    /// User CPU time per operation, including the warm-up.
    user_ns: f64,
    line: String,
}

fn take_turns(
    rounds: usize,
    mut ours: impl FnMut() -> Outcome<Run>,
    mut theirs: impl FnMut() -> Outcome<Run>,
) -> Outcome<()> {
    let (mut rates, mut users) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        // The first side alternates between rounds.
        let (a, b) = if round % 2 == 1 {
            let a = ours()?;
            (a, theirs()?)
        } else {
            let b = theirs()?;
            (ours()?, b)
        };
        println!("{round}: ours   {}  {:.0} ns user an operation", a.line, a.user_ns);
        println!("{round}: theirs {}  {:.0} ns user an operation", b.line, b.user_ns);
        rates.push((a.rate, b.rate));
        users.push((a.user_ns, b.user_ns));
    }
    for (what, pairs) in [("MB/s", rates), ("ns user", users)] {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let ratio = median(pairs.iter().map(|(a, b)| a / b).collect());
        println!("median {what}: ours {:.1}, theirs {:.1}, ratio {ratio:.3}", median(a), median(b));
    }
    Ok(())
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    let middle = of.len() / 2;
    match of.len() % 2 {
        1 => of[middle],
        _ => (of[middle - 1] + of[middle]) / 2.0,
    }
}

fn settings(place: FileLocation, workspace: &str, players: u16, seconds: u64) -> File {
    let work = FileWorkload::Mix {
        load: FileOperationMixSource::Office { seed: 7 },
        players,
        warm_up: Nanos(seconds * 200_000_000),
        time: Nanos(seconds * 1_000_000_000),
        max_errors: 1_000,
        rate: None,
    };
    let file = File::new(vec!["here".into()], place, workspace.into(), work);
    File { access: CacheMode::Cached, seed: 7, ..file }
}

fn in_folder(dir: &str, load: &Arc<DbenchLoadFile>, players: u16, seconds: u64) -> Outcome<Run> {
    let workspace = format!("{WORKSPACE_PREFIX}{}", uuid::Uuid::now_v7());
    let place = FileLocation::Folder { path: std::path::absolute(dir)?.to_string_lossy().into_owned() };
    let settings = settings(place.clone(), &workspace, players, seconds);
    let share = open_workspace_at_location(&place, &workspace, WorkspaceOpenMode::Make)?;
    let order = FileJobSpec { settings: &settings, client: 0, share, load: Some(load.clone()) };
    let run = run(goodput_file::create_file_job(order)?, &settings, players);
    let remove = File { work: FileWorkload::Remove, ..settings };
    let share = open_workspace_at_location(&place, &workspace, WorkspaceOpenMode::Existing)?;
    let mut job =
        goodput_file::create_file_job(FileJobSpec { settings: &remove, client: 0, share, load: None })?;
    let removed = job.run(clock::now_ns(), None, Nanos(60_000_000_000), &Blind);
    removed.broken.map_or(run, |e| Err(e.into()))
}

fn on_wire(host: &str, load: &Arc<DbenchLoadFile>, players: u16, seconds: u64) -> Outcome<Run> {
    let settings = settings(FileLocation::Sink { sink: SinkStorageKind::Net }, "", players, seconds);
    let wire = |_| -> Outcome<Box<dyn TbenchTransport>> {
        let stream = TcpStream::connect((host, 7003))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        Ok(Box::new(Tbench { stream, buffer: vec![0; 70_000 << 1] }))
    };
    let wires = (0..players).map(wire).collect::<Outcome<Vec<_>>>()?;
    run(create_tbench_job(&settings, 0, Some(load.clone()), wires)?, &settings, players)
}

fn run(mut job: Box<dyn FileJob>, settings: &File, players: u16) -> Outcome<Run> {
    let (warm_up, time) = settings.measurement_window();
    let before = user(UsageWho::RUSAGE_SELF)?;
    let t0 = clock::now_ns() + warm_up.0;
    let t1 = t0 + time.unwrap_or_default().0;
    let mut ran = job.run(t0, Some(t1), Nanos(10_000_000_000), &Blind);
    let used = user(UsageWho::RUSAGE_SELF)? - before;
    let settled = job.finish(&mut ran.report);
    told(&ran);
    settled?;
    if let Some(broken) = ran.broken {
        return Err(format!("{broken}: {}", broken.source).into());
    }
    let moved = Bytes(ran.report.bytes_read + ran.report.bytes_written);
    let window = Nanos(ran.t1_ns - t0);
    let longest =
        ran.series.iter().filter_map(|s| s.column("value_ns")).flatten().max().copied().unwrap_or(0);
    let line = dbench::format_result_line(moved, window, u32::from(players), Nanos(longest as u64));
    let operations = ran.operations as f64 * (warm_up.0 + window.0) as f64 / window.0 as f64;
    let rate = moved.0 as f64 / 1e6 / window.as_secs_f64();
    Ok(Run { rate, user_ns: used.as_nanos() as f64 / operations, line })
}

fn told(ran: &JobResult) {
    for class in &ran.report.classes {
        eprintln!(
            "  {:<12} {:>9}, {} failed as expected, {} unexpected",
            class.class.name(),
            class.count,
            class.failed_as_expected,
            class.unexpected
        );
    }
    ran.report.surprises.iter().chain(&ran.notes).for_each(|text| eprintln!("  {text}"));
    let on_cpu = ran.threads_ns as f64 / ran.operations.max(1) as f64;
    eprintln!("  {} operations, {on_cpu:.0} ns of CPU each in the players' threads", ran.operations);
}

/// Runs another program that prints results like dbench, and reads its result and operation count.
fn foreign(command: &mut Command) -> Outcome<Run> {
    let before = user(UsageWho::RUSAGE_CHILDREN)?;
    let output = command.stderr(Stdio::inherit()).output()?;
    let used = user(UsageWho::RUSAGE_CHILDREN)? - before;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| line.starts_with("Throughput ")).ok_or("it printed no Throughput")?;
    let word = |at: usize| line.split_whitespace().nth(at).ok_or("its result is short");
    let (rate, clients): (f64, f64) = (word(1)?.parse()?, word(3)?.parse()?);
    // "   4    123456  1234.56 MB/sec  execute   9 sec …": lines of each client since the beginning.
    let last = text.lines().rfind(|line| line.contains("  execute ")).ok_or("it executed nothing")?;
    let lines: f64 = last.split_whitespace().nth(1).ok_or("its progress is short")?.parse()?;
    Ok(Run { rate, user_ns: used.as_nanos() as f64 / (lines * clients), line: line.into() })
}

fn user(who: UsageWho) -> Outcome<Duration> {
    let time = Usage::user_time(&getrusage(who)?);
    Ok(Duration::from_micros(time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64))
}

/// tbench's server: messages begin with their length (4 bytes), requests also with the answer's.
struct Tbench {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl TbenchTransport for Tbench {
    fn exchange_messages(&mut self, request: u32, response: u32) -> Result<(), FileError> {
        let lost = |e| FileError {
            trouble: FileErrorKind::Gone,
            ..FileError::from_io_error("exchange with tbench_srv", e)
        };
        let most = request.max(response) as usize;
        if self.buffer.len() < most {
            self.buffer.resize(most, 0);
        }
        self.buffer[..4].copy_from_slice(&(request - 4).to_be_bytes());
        self.buffer[4..8].copy_from_slice(&(response - 4).to_be_bytes());
        self.stream.write_all(&self.buffer[..request as usize]).map_err(lost)?;
        self.stream.read_exact(&mut self.buffer[..response as usize]).map_err(lost)
    }
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Blind;

impl JobObserver for Blind {
    fn measurement_window_opened(&self, _: u64) {}
    fn progress_updated(&self, _: JobProgress) {}
    fn measurement_window_closed(&self, _: u64) {}
    fn is_cancelled(&self) -> bool {
        false
    }
}
