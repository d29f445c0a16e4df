use super::*;
use crate::tests::receiver;
use tokio::net::TcpListener;

fn target(addr: SocketAddr) -> HttpTarget {
    HttpTarget::parse(&format!("http://{addr}/hooks/abc?x=1")).unwrap()
}

fn poster() -> WebhookClient {
    WebhookClient { attempt: Duration::from_secs(5), ..WebhookClient::new(true) }
}

#[tokio::test]
async fn a_post_is_json_to_the_path_with_its_length() {
    let (addr, mut taken) = receiver(&["204 No Content"]).await;
    let status = poster().post(&target(addr), br#"{"a":1}"#.to_vec()).await.unwrap();
    assert_eq!(status, 204);
    let taken = taken.recv().await.unwrap();
    let head = taken.to_ascii_lowercase();
    assert!(head.starts_with("post /hooks/abc?x=1 http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("\r\nhost: {addr}\r\n")), "{head}");
    assert!(head.contains("\r\ncontent-type: application/json\r\n"), "{head}");
    assert!(head.contains("\r\ncontent-length: 7\r\n"), "{head}");
    assert!(taken.ends_with("\r\n\r\n{\"a\":1}"));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (other, mut taken) = receiver(&["200 OK"]).await;
    let answer = format!("307 Temporary Redirect\r\nLocation: http://{other}/\r\nContent-Length: 0");
    let (addr, _kept) = receiver(&[answer.as_str()]).await;
    let answered = poster().post(&target(addr), b"{}".to_vec()).await;
    assert!(
        matches!(&answered, Err(PostError::Never(why)) if why.contains("redirects are not followed")),
        "{answered:?}"
    );
    assert!(taken.try_recv().is_err(), "it was followed");
}

#[tokio::test]
async fn this_host_is_posted_to_only_with_leave() {
    let (addr, mut taken) = receiver(&["200 OK"]).await;
    let port = addr.port();
    let strict = WebhookClient { loopback: false, ..poster() };
    // Numeric, by name, and IPv4-mapped.
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1.2.3"] {
        let target = HttpTarget::parse(&format!("http://{host}:{port}/")).unwrap();
        let answered = strict.post(&target, b"{}".to_vec()).await;
        assert!(
            matches!(&answered, Err(PostError::Never(why)) if why.contains("--webhook-loopback")),
            "{host}: {answered:?}"
        );
    }
    assert!(taken.try_recv().is_err(), "it was posted to");
}

#[test]
fn addresses_of_nobody_are_refused_even_with_leave() {
    for ip in [
        "169.254.169.254",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "fe80::1",
        "::",
        "ff02::1",
        "::ffff:169.254.169.254",
    ] {
        assert!(!poster().may(ip.parse().unwrap()), "{ip}");
    }
    for ip in ["192.168.1.7", "10.0.0.1", "203.0.113.9", "2001:db8::1", "fd00::1"] {
        assert!(WebhookClient::new(false).may(ip.parse().unwrap()), "{ip}");
    }
}

#[test]
fn faults_of_the_receiver_are_worth_another_attempt_and_ours_are_not() {
    let again = |status| matches!(judged(StatusCode::from_u16(status).unwrap()), Err(PostError::Again(_)));
    let never = |status| matches!(judged(StatusCode::from_u16(status).unwrap()), Err(PostError::Never(_)));
    assert!([408, 425, 429, 500, 502, 503, 599].into_iter().all(again));
    assert!([300, 301, 308, 400, 401, 404, 410, 422].into_iter().all(never));
    assert!([200, 201, 202, 204].into_iter().all(|s| judged(StatusCode::from_u16(s).unwrap()).is_ok()));
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_costs_one_attempt() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = HttpTarget::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let impatient = WebhookClient { attempt: Duration::from_millis(50), ..poster() };
    let answered = impatient.post(&target, b"{}".to_vec()).await;
    assert!(
        matches!(&answered, Err(PostError::Again(why)) if why.contains("no answer within")),
        "{answered:?}"
    );
    drop(listener);
    let answered = poster().post(&target, b"{}".to_vec()).await;
    assert!(matches!(&answered, Err(PostError::Again(_))), "{answered:?}");
}

#[test]
fn addresses_are_read_and_their_secrets_not_shown() {
    let target = HttpTarget::parse("https://hooks.example.com/T0/B0/secret?k=v").unwrap();
    assert_eq!((target.secure, target.port, target.path.as_str()), (true, 443, "/T0/B0/secret?k=v"));
    assert_eq!(target.redacted_url(), "https://hooks.example.com/…");
    let plain = HttpTarget::parse("http://[2001:db8::7]:8080").unwrap();
    assert_eq!((plain.host.as_str(), plain.port, plain.path.as_str()), ("2001:db8::7", 8080, "/"));
    assert_eq!(HttpTarget::parse("http://a:b@example.com/"), Err(HttpTargetError::Login));
    for bad in [
        "",
        "example.com/hook",
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://",
        "http:///x",
        "gopher://x",
        "http://h:0/",
        "http://h:99999/",
    ] {
        assert!(matches!(HttpTarget::parse(bad), Err(HttpTargetError::Unreadable { .. })), "{bad}");
    }
}
