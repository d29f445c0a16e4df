//! A server that lies: a real one behind a proxy that passes every message on and alters chosen answers.
//! Messages have a prefix of four bytes with their length, in SMB (MS-SMB2 2.1) as in RPC (RFC 5531, 11).

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const PREFIX: usize = 4;
/// RPC's last-fragment bit.
pub const LAST: u32 = 1 << 31;

/// What the client receives instead of an answer, prefixes included.
pub enum Told {
    Bytes(Vec<u8>),
    /// Then the connection ends.
    Last(Vec<u8>),
    /// Repeated until the client closes the connection.
    Endlessly(Vec<u8>),
}

/// Of an answer without its prefix.
pub type Change = fn(&mut Vec<u8>);

/// Patience with answers that never come.
pub const SOON: Duration = Duration::from_millis(300);

/// From the latest request of the connection and an answer, both without prefix.
type Lie = dyn Fn(&[u8], Vec<u8>) -> Told + Send + Sync;

pub struct Liar {
    pub port: u16,
    over: Arc<AtomicBool>,
}

impl Liar {
    pub fn before(server: u16, lie: impl Fn(&[u8], Vec<u8>) -> Told + Send + Sync + 'static) -> Liar {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let liar = Liar { port: listener.local_addr().unwrap().port(), over: Arc::default() };
        let lie: Arc<Lie> = Arc::new(lie);
        let over = Arc::clone(&liar.over);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let lie = Arc::clone(&lie);
                thread::spawn(move || drop(relay(&client, server, lie.as_ref())));
            }
        });
        liar
    }
}

impl Drop for Liar {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes the listener.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
    }
}

fn relay(client: &TcpStream, server: u16, lie: &Lie) -> io::Result<()> {
    let server = &TcpStream::connect((Ipv4Addr::LOCALHOST, server))?;
    for end in [client, server] {
        end.set_nodelay(true)?;
    }
    let close = || [client, server].map(|end| drop(end.shutdown(Shutdown::Both)));
    let asked = &Mutex::new(Vec::new());
    thread::scope(|scope| {
        scope.spawn(move || {
            let _ = pass_requests(client, server, asked);
            close()
        });
        let _ = pass_answers(server, client, asked, lie);
        close();
    });
    Ok(())
}

fn pass_requests(client: &TcpStream, mut server: &TcpStream, asked: &Mutex<Vec<u8>>) -> io::Result<()> {
    loop {
        let frame = next_frame(client)?;
        *asked.lock().unwrap() = frame[PREFIX..].to_vec();
        server.write_all(&frame)?;
    }
}

fn pass_answers(
    server: &TcpStream,
    mut client: &TcpStream,
    asked: &Mutex<Vec<u8>>,
    lie: &Lie,
) -> io::Result<()> {
    loop {
        let answer = next_frame(server)?.split_off(PREFIX);
        let asked = asked.lock().unwrap().clone();
        match lie(&asked, answer) {
            Told::Bytes(bytes) => client.write_all(&bytes)?,
            Told::Last(bytes) => return client.write_all(&bytes),
            Told::Endlessly(bytes) => loop {
                client.write_all(&bytes)?;
            },
        }
    }
}

fn next_frame(mut from: &TcpStream) -> io::Result<Vec<u8>> {
    let mut prefix = [0; PREFIX];
    from.read_exact(&mut prefix)?;
    let mut frame = prefix.to_vec();
    frame.resize(PREFIX + (u32::from_be_bytes(prefix) & !LAST) as usize, 0);
    from.read_exact(&mut frame[PREFIX..])?;
    Ok(frame)
}

/// A message with its prefix; `mark` is [`LAST`] for RPC, 0 for SMB.
pub fn framed(mark: u32, message: &[u8]) -> Vec<u8> {
    [&(mark | message.len() as u32).to_be_bytes()[..], message].concat()
}

/// Runs a story in which no lie may cause a large allocation. Threads reserve 64 MiB of addresses each (malloc(3)).
pub fn bounded(story: fn()) {
    let before = ["VmPeak:", "VmHWM:"].map(peak_bytes);
    story();
    let grown = ["VmPeak:", "VmHWM:"].map(peak_bytes);
    let grown = [grown[0] - before[0], grown[1] - before[1]];
    assert!(grown[0] < 2 << 30 && grown[1] < 256 << 20, "{grown:?} bytes of addresses and of memory");
}

/// Proc_pid_status(5).
fn peak_bytes(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}
