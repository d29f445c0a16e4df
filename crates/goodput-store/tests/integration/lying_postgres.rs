//! A server that speaks PostgreSQL's protocol 3.0 as far as the index needs it, until it lies.
//! <https://www.postgresql.org/docs/current/protocol-message-formats.html>

use std::collections::HashMap;
use std::io::{self, Read, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

pub const PASSWORD: &str = "geheim-7";
const INT8: u32 = 20;
const TEXT: u32 = 25;

/// Runs a `lie` on each connection; returns the address of a database.
pub fn serve(lie: impl Fn(TcpStream) -> Result<()> + Clone + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let lie = lie.clone();
            // It ends when the client closes.
            thread::spawn(move || lie(stream));
        }
    });
    format!("postgres://lab:{PASSWORD}@127.0.0.1:{port}/goodput?sslmode=disable")
}

pub fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    [&[kind][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat()
}

/// A `DataRow`.
pub fn row(values: &[&[u8]]) -> Vec<u8> {
    let mut body = (values.len() as u16).to_be_bytes().to_vec();
    for value in values {
        body.extend((value.len() as u32).to_be_bytes());
        body.extend(*value);
    }
    message(b'D', &body)
}

/// Until the client closes.
pub fn wait_for_end(stream: &mut TcpStream) -> Result<()> {
    io::copy(stream, &mut io::sink()).map(|_| ())
}

/// A message without its kind, such as the first of a client.
pub fn read_body(stream: &mut TcpStream) -> Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
    stream.read_exact(&mut body)?;
    Ok(body)
}

/// The texts of a message end with NUL.
fn text(body: &[u8], number: usize) -> String {
    String::from_utf8(body.split(|byte| *byte == 0).nth(number).unwrap().to_vec()).unwrap()
}

/// The `RowDescription` of an empty database's answer to a statement, and its row.
fn answer(statement: &str) -> (Vec<u8>, Vec<u8>) {
    let (types, row): (&[u32], Vec<u8>) =
        if statement.starts_with("SELECT COALESCE(MAX(version)") || statement.starts_with("SELECT number") {
            (&[INT8], row(&[&0i64.to_be_bytes()]))
        } else if statement.starts_with("SELECT f.run") {
            (&[TEXT, TEXT, TEXT, INT8], Vec::new())
        } else {
            (&[], Vec::new())
        };
    let mut body = (types.len() as u16).to_be_bytes().to_vec();
    for kind in types {
        body.extend(b"column\0\0\0\0\0\0\0");
        body.extend(kind.to_be_bytes());
        body.extend(b"\xff\xff\xff\xff\xff\xff\0\0");
    }
    (message(b'T', &body), row)
}

/// Serves an empty database that needs no password and whose writes succeed. Before a statement that begins with
/// `target` is executed, `lie` takes the connection over.
pub fn serve_until(
    target: &'static str,
    lie: impl Fn(&mut TcpStream) -> Result<()> + Clone + Send + 'static,
) -> String {
    serve(move |mut stream| {
        read_body(&mut stream)?;
        // Always within a transaction: sqlx looks only after BEGIN.
        let ready = message(b'Z', b"T");
        stream.write_all(&[message(b'R', &[0; 4]), ready.clone()].concat())?;
        let (mut statements, mut bound) = (HashMap::new(), String::new());
        loop {
            let mut kind = [0];
            stream.read_exact(&mut kind)?;
            let body = read_body(&mut stream)?;
            let told = match kind[0] {
                b'Q' => [message(b'C', b"OK\0"), ready.clone()].concat(),
                b'P' => {
                    statements.insert(text(&body, 0), text(&body, 1));
                    message(b'1', b"")
                }
                // No parameter is described: sqlx knows what it binds.
                b'D' => [message(b't', &[0; 2]), answer(&statements[&text(&body[1..], 0)]).0].concat(),
                b'B' => {
                    bound = statements[&text(&body, 1)].clone();
                    message(b'2', b"")
                }
                b'E' if bound.starts_with(target) => return lie(&mut stream),
                b'E' => [answer(&bound).1, message(b'C', b"OK 1\0")].concat(),
                b'C' => message(b'3', b""),
                b'S' => ready.clone(),
                _ => return Ok(()),
            };
            stream.write_all(&told)?;
        }
    })
}
