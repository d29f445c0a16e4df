use super::*;
use crate::tests::receiver;
use tokio::net::TcpListener;

fn target(authority: impl std::fmt::Display) -> HttpTarget {
    HttpTarget::parse(&format!("http://{authority}/hooks/abc?x=1")).unwrap()
}

fn poster() -> WebhookClient {
    WebhookClient { attempt: Duration::from_secs(5), ..WebhookClient::new(true) }
}

/// Why a post is not to be tried again.
async fn refused(client: WebhookClient, target: HttpTarget) -> Message {
    match client.post(&target, b"{}".to_vec()).await {
        Err(PostError::Never(why)) => why,
        answered => panic!("{answered:?}"),
    }
}

#[tokio::test]
async fn a_post_is_json_to_the_path_with_its_length() {
    let (addr, mut taken) = receiver(&["204 No Content"]).await;
    let status = poster().post(&target(addr), br#"{"a":1}"#.to_vec()).await.unwrap();
    assert_eq!(status, 204);
    let taken = taken.recv().await.unwrap();
    let head = taken.to_ascii_lowercase();
    assert!(head.starts_with("post /hooks/abc?x=1 http/1.1\r\n"), "{head}");
    for line in ["content-type: application/json", "content-length: 7", &format!("host: {addr}")] {
        assert!(head.contains(&format!("\r\n{line}\r\n")), "{head}");
    }
    assert!(taken.ends_with("\r\n\r\n{\"a\":1}"));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (other, mut taken) = receiver(&["200 OK"]).await;
    let answer = format!("307 Temporary Redirect\r\nLocation: http://{other}/\r\nContent-Length: 0");
    let (addr, _kept) = receiver(&[answer.as_str()]).await;
    assert!(refused(poster(), target(addr)).await.contains("redirects are not followed"));
    assert!(taken.try_recv().is_err(), "it was followed");
}

#[tokio::test]
async fn this_host_is_posted_to_only_with_leave() {
    let (addr, mut taken) = receiver(&["200 OK"]).await;
    // Numeric in every notation of inet_aton(3), by name, and IPv4-mapped.
    let notations = ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1"];
    for host in ["localhost", "[::ffff:127.0.0.1]", "127.1.2.3"].into_iter().chain(notations) {
        let strict = WebhookClient { loopback: false, ..poster() };
        let why = refused(strict, target(format!("{host}:{}", addr.port()))).await;
        assert!(why.contains("--webhook-loopback"), "{host}: {why}");
    }
    assert!(taken.try_recv().is_err(), "it was posted to");
}

#[test]
fn addresses_of_nobody_are_refused_even_with_leave() {
    let refusal = |ip: &str| poster().refusal_reason(ip.parse().unwrap());
    let linked = ["169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254", "fe80::1"];
    let carried = ["::169.254.169.254", "64:ff9b:1::169.254.169.254", "2002:a9fe:a9fe::1"];
    let metadata = ["100.100.100.200", "::ffff:100.100.100.200", "168.63.129.16", "192.0.0.192"];
    let by_ipv6 = [
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:c1::a9fe:a9fe",
        "fd00:100::100:200",
        "fd00:a9fe:a9fe::1",
        "fd00:42::42",
    ];
    let nobody = ["0.0.0.0", "255.255.255.255", "224.0.0.1", "::", "ff02::1"];
    for ip in nobody.iter().chain(&linked).chain(&carried).chain(&metadata).chain(&by_ipv6) {
        assert!(refusal(ip).is_some(), "{ip}");
    }
    for ip in ["203.0.113.9", "2001:db8::1", "fd00:42::41", "100.100.100.201", "2002:cb00:7109::1"] {
        assert_eq!(WebhookClient::new(false).refusal_reason(ip.parse().unwrap()), None, "{ip}");
    }
}

#[test]
fn every_address_of_this_host_needs_leave() {
    // Addresses for documentation (RFC 5737, RFC 3849), to which nothing is sent.
    let own = ["203.0.113.9:9", "[2001:db8::1]:9"].iter().filter_map(|far| {
        let far: SocketAddr = far.parse().unwrap();
        let any = if far.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(any).ok()?;
        socket.connect(far).ok()?;
        Some(socket.local_addr().ok()?.ip())
    });
    for ip in own.chain(["127.0.0.1".parse().unwrap(), "127.1.2.3".parse().unwrap()]) {
        let refused = WebhookClient::new(false).refusal_reason(ip);
        assert!(refused.is_some_and(|why| why.contains("--webhook-loopback")), "{ip}");
        assert_eq!(WebhookClient::new(true).refusal_reason(ip), None, "{ip}");
    }
}

#[test]
fn faults_of_the_receiver_are_worth_another_attempt_and_ours_are_not() {
    let judge = |status| judged(StatusCode::from_u16(status).unwrap());
    assert!([408, 425, 429, 500, 599].into_iter().all(|s| matches!(judge(s), Err(PostError::Again(_)))));
    assert!([300, 308, 400, 410, 422].into_iter().all(|s| matches!(judge(s), Err(PostError::Never(_)))));
    assert!([200, 202, 204].into_iter().all(|s| judge(s).is_ok()));
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_costs_one_attempt() {
    let mut listener = Some(TcpListener::bind("127.0.0.1:0").await.unwrap());
    let target = target(listener.as_ref().unwrap().local_addr().unwrap());
    for (milliseconds, why) in [(50, "no answer within"), (5_000, "")] {
        let client = WebhookClient { attempt: Duration::from_millis(milliseconds), ..poster() };
        let answered = client.post(&target, b"{}".to_vec()).await;
        assert!(matches!(&answered, Err(PostError::Again(told)) if told.contains(why)), "{answered:?}");
        drop(listener.take());
    }
}

#[test]
fn addresses_are_read_and_their_secrets_not_shown() {
    let target = HttpTarget::parse("https://hooks.example.com/T0/B0/secret?k=v").unwrap();
    assert_eq!((target.secure, target.port, target.path.as_str()), (true, 443, "/T0/B0/secret?k=v"));
    assert_eq!(target.redacted_url(), "https://hooks.example.com/…");
    let plain = HttpTarget::parse("http://[2001:db8::7]:8080").unwrap();
    assert_eq!((plain.host.as_str(), plain.port, plain.path.as_str()), ("2001:db8::7", 8080, "/"));
    assert_eq!(HttpTarget::parse("http://a:b@example.com/"), Err(HttpTargetError::Login));
    for bad in ["", "example.com/hook", "file:///etc/passwd", "http:///x", "http://h:0/", "http://h:99999/"] {
        assert!(matches!(HttpTarget::parse(bad), Err(HttpTargetError::Unreadable { .. })), "{bad}");
    }
}
