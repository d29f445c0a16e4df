//! A minimal HTTP/1.1 client: one request per connection, and event streams.

use libtest_mimic::Failed;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(60);

pub struct Server {
    pub address: String,
    pub headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Result<Value, Failed> {
        serde_json::from_str(&self.body).map_err(|e| format!("{e} in {self:?}").into())
    }

    pub fn is(self, status: u16) -> Result<Answer, Failed> {
        if self.status == status { Ok(self) } else { Err(format!("{status} was expected: {self:?}").into()) }
    }
}

impl Server {
    pub fn get(&self, path: &str) -> Result<Answer, Failed> {
        self.ask("GET", path, None)
    }

    pub fn delete(&self, path: &str) -> Result<Answer, Failed> {
        self.ask("DELETE", path, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Result<Answer, Failed> {
        self.ask("POST", path, Some(body))
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Answer, Failed> {
        let (status, mut body) = self.open(method, path, body)?;
        let mut text = String::new();
        body.read_to_string(&mut text)?;
        Ok(Answer { status, body: text })
    }

    fn open(&self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Body), Failed> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(SOON))?;
        let mut head =
            format!("{method} /api/v1{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let body = body.map(Value::to_string);
        if let Some(body) = &body {
            head.push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut to = stream.try_clone()?;
        to.write_all(head.as_bytes())?;
        to.write_all(body.unwrap_or_default().as_bytes())?;
        let mut from = BufReader::new(stream);
        let mut line = String::new();
        from.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|s| s.parse().ok());
        let status = status.ok_or_else(|| format!("no status in {line:?}"))?;
        let mut chunked = false;
        loop {
            line.clear();
            from.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            let lower = line.to_ascii_lowercase();
            chunked |= lower.starts_with("transfer-encoding:") && lower.contains("chunked");
        }
        Ok((status, Body { from, chunked, left: 0, over: false }))
    }

    pub fn events(&self) -> Result<Events, Failed> {
        let (status, body) = self.open("GET", "/live", None)?;
        if status != 200 {
            return Err(format!("the stream of events answers {status}").into());
        }
        let socket = body.from.get_ref().try_clone()?;
        // A stream may be silent for any time.
        socket.set_read_timeout(None)?;
        let (tell, told) = channel();
        std::thread::spawn(move || {
            let mut name = String::new();
            for line in BufReader::new(body).lines().map_while(Result::ok) {
                if let Some(event) = line.strip_prefix("event: ") {
                    name = event.to_string();
                } else if let Some(data) = line.strip_prefix("data: ") {
                    let data = serde_json::from_str(data).unwrap_or(Value::String(data.to_string()));
                    if tell.send((name.clone(), data)).is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Events { told, socket })
    }
}

/// Chunked or not (RFC 9112, section 7.1).
struct Body {
    from: BufReader<TcpStream>,
    chunked: bool,
    left: usize,
    over: bool,
}

impl Read for Body {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if !self.chunked {
            return self.from.read(into);
        }
        if self.left == 0 && !self.over {
            let mut line = String::new();
            self.from.read_line(&mut line)?;
            let size = line.trim().split(';').next().unwrap_or("");
            self.left = usize::from_str_radix(size, 16).map_err(|_| io::ErrorKind::InvalidData)?;
            self.over = self.left == 0;
        }
        if self.over {
            return Ok(0);
        }
        let most = self.left.min(into.len());
        let read = self.from.read(&mut into[..most])?;
        self.left -= read;
        if read == 0 {
            self.over = true;
        } else if self.left == 0 {
            let mut end = [0; 2];
            self.from.read_exact(&mut end)?;
        }
        Ok(read)
    }
}

pub struct Events {
    told: Receiver<(String, Value)>,
    socket: TcpStream,
}

impl Events {
    /// All events up to the first of this name that matches, inclusive.
    pub fn until(&self, name: &str, fits: impl Fn(&Value) -> bool) -> Result<Vec<(String, Value)>, Failed> {
        let until = Instant::now() + SOON;
        let mut all = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (event, data) =
                self.told.recv_timeout(left).map_err(|e| format!("no event {name}: {e}; heard {:?}", all))?;
            let found = event == name && fits(&data);
            all.push((event, data));
            if found {
                return Ok(all);
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let _ = self.socket.shutdown(Shutdown::Both);
    }
}
