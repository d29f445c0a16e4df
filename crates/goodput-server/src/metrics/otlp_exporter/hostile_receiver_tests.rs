//! What a collector that lies can do: nothing but lose the metrics that it is sent, with a sentence in the log.

use super::*;
use crate::schedule::webhook::PostError;
use crate::tests::{soon, until};
use std::io::{ErrorKind, Read, Result as IoResult, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// More than the buffers of the kernel hold.
const FEW: usize = 64 << 20;

/// Runs `lie` on each connection once it has brought its request, and gives it the number of earlier ones.
fn receiver(lie: impl Fn(&mut TcpStream, usize) -> IoResult<()> + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    let lie = Arc::new(lie);
    thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let (mut stream, lie) = (stream, Arc::clone(&lie));
            // It ends when the client closes.
            thread::spawn(move || {
                read_request(&mut stream)?;
                lie(&mut stream, number)
            });
        }
    });
    addr
}

fn read_request(stream: &mut TcpStream) -> IoResult<()> {
    let (mut request, mut byte) = (Vec::new(), [0]);
    while !request.ends_with(b"\r\n\r\n{}") {
        stream.read_exact(&mut byte)?;
        request.extend(byte);
    }
    Ok(())
}

/// Answers with `head` and then `rest` until the client closes; counts the bytes.
fn endless(head: &'static str, rest: &'static str) -> (SocketAddr, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let (count, rest) = (Arc::clone(&sent), rest.repeat(1000));
    let addr = receiver(move |stream, _| {
        stream.write_all(head.as_bytes())?;
        loop {
            stream.write_all(rest.as_bytes())?;
            count.fetch_add(rest.len(), Ordering::SeqCst);
        }
    });
    (addr, sent)
}

/// Bytes of the answer to one push.
async fn push_once(addr: SocketAddr, attempt: Duration) -> Result<usize, PostError> {
    let target = HttpTarget::parse(&format!("http://{addr}/v1/metrics")).unwrap();
    let client = WebhookClient { attempt, ..WebhookClient::new(true) };
    let answered = soon(client.post_for_answer(&target, b"{}".to_vec(), LONGEST_ANSWER)).await;
    answered.map(|(status, answer)| {
        assert_eq!(status, 200);
        answer.len()
    })
}

const UNHURRIED: Duration = Duration::from_secs(50);
/// Enough for sending the request.
const SOON_OVER: Duration = Duration::from_millis(500);

/// What is logged until there are so many sentences.
async fn logged(addr: SocketAddr, sentences: usize) -> Vec<String> {
    let said = Arc::new(Mutex::new(Vec::<String>::new()));
    let keep = Arc::clone(&said);
    let exporter = OtlpExporter::new(&format!("http://{addr}"), Duration::from_millis(1)).unwrap();
    let client = WebhookClient { attempt: UNHURRIED, ..WebhookClient::new(true) };
    let pushing = tokio::spawn(async move {
        let say = |sentence: &str| keep.lock().unwrap().push(sentence.to_string());
        exporter.push(&client, &|| b"{}".to_vec(), &say).await;
    });
    until(|| said.lock().unwrap().len() >= sentences).await;
    pushing.abort();
    said.lock().unwrap().clone()
}

#[tokio::test]
async fn no_answer_ends_at_the_deadline_and_leaves_no_connection() {
    let (tell, told) = mpsc::channel();
    let addr = receiver(move |stream, _| {
        let ended = stream.read(&mut [0]);
        let _ = tell.send(());
        ended.map(|_| ())
    });
    let failed = push_once(addr, SOON_OVER).await;
    assert!(matches!(&failed, Err(PostError::Again(why)) if *why == "no answer within 0.5 s"), "{failed:?}");
    until(|| told.try_recv().is_ok()).await;
}

#[tokio::test]
async fn informational_answers_without_end_do_not_outlast_the_deadline() {
    let (addr, _) = endless("", "HTTP/1.1 103 Early Hints\r\n\r\n");
    let failed = push_once(addr, SOON_OVER).await;
    assert!(matches!(&failed, Err(PostError::Again(why)) if *why == "no answer within 0.5 s"), "{failed:?}");
}

#[tokio::test]
async fn of_an_endless_body_only_the_start_is_read() {
    for (head, rest) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", "{\"partialSuccess\":"),
        ("HTTP/1.1 200 OK\r\n\r\n", "[[[[[[[["),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nmore\r\n"),
    ] {
        let (addr, sent) = endless(head, rest);
        assert_eq!(push_once(addr, UNHURRIED).await, Ok(LONGEST_ANSWER), "{head}");
        assert!(sent.load(Ordering::SeqCst) < FEW, "{head}: {sent:?}");
    }
}

#[tokio::test]
async fn endless_heads_break_the_connection() {
    for (head, rest) in [
        ("HTTP/1.1 200 OK\r\n", "A: b\r\n"),
        ("HTTP/1.1 200 OK\r\nA: ", "bbbbbbbbbbbbbbbb"),
        ("HTTP/1.1 200 ", "OK OK OK "),
    ] {
        let (addr, sent) = endless(head, rest);
        let failed = push_once(addr, UNHURRIED).await.unwrap_err().to_string();
        assert!(failed.starts_with(&format!("the connection to http://{addr}/… broke")), "{failed}");
        assert!(sent.load(Ordering::SeqCst) < FEW, "{head}: {sent:?}");
    }
}

#[tokio::test]
async fn redirects_are_followed_nowhere() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let near = format!("http://{}/", other.local_addr().unwrap());
    for place in ["http://169.254.169.254/latest/meta-data/".to_string(), near] {
        for status in [301, 302, 303, 307, 308] {
            let place = place.clone();
            let addr = receiver(move |stream, _| {
                write!(stream, "HTTP/1.1 {status} Go\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n")
            });
            let said = logged(addr, 1).await;
            assert!(said[0].contains("redirects are not followed, give the last address"), "{said:?}");
        }
    }
    assert_eq!(other.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "it was followed");
}

#[tokio::test]
async fn rejected_points_are_logged_once_and_their_end_too() {
    for points in ["\"3\"", "3"] {
        let addr = receiver(move |stream, number| {
            let rejects = format!(
                "{{\"partialSuccess\":{{\"rejectedDataPoints\":{points},\"errorMessage\":\"\\u001b[2Jquota {}\"}}}}",
                "!".repeat(10_000)
            );
            let answer = if number < 3 { rejects.as_str() } else { "{\"partialSuccess\":{}}" };
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len())
        });
        let said = logged(addr, 2).await;
        let start = format!("metrics are not taken by http://{addr}/…: the server rejected 3 data points: ");
        assert!(said[0].starts_with(&format!("{start}\"[2Jquota !!!")), "{said:?}");
        assert!(said[0].len() < 500 && !said[0].contains('\u{1b}'), "{said:?}");
        assert_eq!(said[1], format!("metrics are taken again by http://{addr}/…"));
    }
}

#[tokio::test]
async fn a_connection_that_closes_at_once_is_logged() {
    for answer in ["", "HTTP/1.1 2", "\0\0\0\0\r\n\r\n"] {
        let addr = receiver(move |stream, _| stream.write_all(answer.as_bytes()));
        let said = logged(addr, 1).await;
        let start =
            format!("metrics are not taken by http://{addr}/…: the connection to http://{addr}/… broke: ");
        assert!(said[0].starts_with(&start) && said[0].contains("; tried again every "), "{said:?}");
    }
}

#[test]
fn only_a_partial_success_is_a_rejection() {
    let taken = ["", "{}", "[]", "null", "{\"partialSuccess\":null}", "{\"partialSuccess\":[1]}"];
    let none = [
        "{\"partialSuccess\":{\"rejectedDataPoints\":\"0\",\"errorMessage\":\"a warning\"}}",
        "{\"partialSuccess\":{\"rejectedDataPoints\":-1}}",
        "{\"partialSuccess\":{\"rejectedDataPoints\":\"many\"}}",
    ];
    for answer in taken.iter().chain(&none) {
        assert_eq!(otlp::rejection(answer.as_bytes()), None, "{answer}");
    }
    let nested = "[".repeat(LONGEST_ANSWER);
    assert_eq!(otlp::rejection(nested.as_bytes()), None, "depth is bounded");
}
