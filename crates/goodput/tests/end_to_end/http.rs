//! A minimal HTTP/1.0 client: one request per connection, which ends with its answer, and event streams.

use crate::stage::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, channel};

const SOON: Duration = Duration::from_secs(60);

pub struct Server {
    pub address: String,
    /// Each with its end of line.
    pub headers: String,
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

    pub fn post(&self, path: &str, body: &Value) -> Result<Answer, Failed> {
        self.ask("POST", path, Some(body))
    }

    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Answer, Failed> {
        let (status, mut from) = self.open(method, path, body)?;
        let mut body = String::new();
        from.read_to_string(&mut body)?;
        Ok(Answer { status, body })
    }

    fn open(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(u16, BufReader<TcpStream>), Failed> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(SOON))?;
        let Server { address, headers } = self;
        let mut request = format!("{method} /api/v1{path} HTTP/1.0\r\nHost: {address}\r\n{headers}");
        let body = body.map(Value::to_string).unwrap_or_default();
        if !body.is_empty() {
            let length = body.len();
            request += &format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes())?;
        let mut from = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            must!(from.read_line(&mut head)? > 0, "no answer but {head:?}");
        }
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
        Ok((status.ok_or_else(|| format!("no status in {head:?}"))?, from))
    }

    pub fn events(&self) -> Result<Events, Failed> {
        let (status, from) = self.open("GET", "/live", None)?;
        must!(status == 200, "the stream of events answers {status}");
        let socket = from.get_ref().try_clone()?;
        // A stream may be silent for any time.
        socket.set_read_timeout(None)?;
        let (tell, told) = channel();
        std::thread::spawn(move || {
            let mut name = String::new();
            for line in from.lines().map_while(Result::ok) {
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
                self.told.recv_timeout(left).map_err(|e| format!("no event {name}: {e}; heard {all:?}"))?;
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
