//! `GET /live`: server-sent events (WHATWG HTML, section 9.2).

use crate::api::runs::LanguageCode;
use crate::live_events::{EventMessage, EventReader, LiveEvent, MAX_EVENT_READERS, ServerVersionEvent};
use crate::problem::{Problem, ProblemKind};
use crate::route::{ApiRequest, EventStream, GET, NoInput, Routes};
use crate::security::AccessLevel::Reader;
use crate::security::Caller;
use crate::server_state::ServerState;
use crate::translate::translator;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::future::{Either, select};
use futures_util::stream::{self, Stream, StreamExt};
use goodput_words::{Language, Translator, message};
use schemars::JsonSchema;
use serde::Deserialize;
use std::convert::Infallible;
use std::pin::pin;
use std::time::{Duration, Instant};

/// Interval of comments in a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Clients reconnect after this, with a new check of their session.
const LONGEST: Duration = Duration::from_secs(3600);

/// How events are wanted.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiveQuery {
    /// The language of texts for people; English when nothing is said. Pages cannot choose the headers of a stream.
    lang: Option<LanguageCode>,
}

pub fn routes() -> Routes {
    Routes::new("live").add(GET, "/live", Reader, "Events as they happen; the first is always hello", live)
}

async fn live(call: ApiRequest<NoInput, LiveQuery>) -> Result<EventStream<LiveEvent>, Problem> {
    let reader = call.state.hub.subscribe().ok_or_else(|| {
        Problem::new(ProblemKind::Busy, "too many live streams are open")
            .with_cause(message!(served_at_most_streams { count: MAX_EVENT_READERS }))
            .with_retry_after(Duration::from_secs(30))
    })?;
    let hello = LiveEvent::Hello(ServerVersionEvent { version: call.state.door.version().to_string() });
    let words = translator(call.query.lang.map_or(Language::English, Language::from));
    let hello = stream::once(async move { Ok(written(&EventMessage::from_event(&hello), words)) });
    let events = hello.chain(events(reader, call.state, call.caller, words));
    let beat = KeepAlive::new().interval(HEARTBEAT).text("here");
    Ok(EventStream::new(Sse::new(events).keep_alive(beat)))
}

fn events(
    reader: EventReader,
    state: ServerState,
    caller: Caller,
    words: &'static Translator,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let until = Instant::now() + LONGEST;
    stream::unfold((reader, state, caller), move |(reader, state, caller)| async move {
        let left = until.saturating_duration_since(Instant::now());
        let message = {
            let (next, end) = (pin!(reader.next()), pin!(state.stopped.wait()));
            match tokio::time::timeout(left, select(next, end)).await {
                Ok(Either::Left((message, _))) => message?,
                Ok(Either::Right(_)) | Err(_) => return None,
            }
        };
        // A logout in another window ends this stream as well.
        if !state.security.has_session(&caller, Instant::now()) {
            return None;
        }
        Some((Ok(written(&message, words)), (reader, state, caller)))
    })
}

fn written(message: &EventMessage, words: &Translator) -> Event {
    Event::default().event(&message.name).data(message.localized_data(words))
}
