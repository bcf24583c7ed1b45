//! The loop: messages in their order, answers, and what the threads found in between.

use super::documents::{Document, Kind};
use super::stream::{Sent, receive, send};
use super::text::Text;
use super::work::{Answer, Job, Told, Work};
use crate::term::Symbol;
use crossbeam_channel::{Receiver, Sender, select};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as note, Notification as _};
use lsp_types::request::{self as ask, Request as _};
use lsp_types::{
    ClientCapabilities, InitializeParams, InitializeResult, PublishDiagnosticsParams, ServerInfo,
    Uri,
};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// A document is checked when nothing came for so long, or at once where nobody writes.
const SETTLED: Duration = Duration::from_millis(5);

/// The strategies that loops are looked at under where the client wishes none: the default ones of a processor and
/// of a device.
const STRATEGIES: [&str; 2] = ["cpu", "gpu"];

/// Serves a client until it says that it is over. Gives whether it ended as the protocol has it: `exit` after
/// `shutdown`.
pub fn serve(from: impl BufRead + Send + 'static, to: impl Write + Send + 'static) -> bool {
    let (sender, writer) = send(to);
    let messages = receive(from, sender.clone());
    let ended_well = {
        let mut server = Server {
            sender: sender.clone(),
            documents: BTreeMap::new(),
            work: Work::start(),
            numbers: 0,
            stage: Stage::New,
            client: Client::default(),
            strategies: STRATEGIES.into(),
            requests: 0,
        };
        server.go_on(&messages)
    };
    // What was answered last is written before the process ends.
    let _ = sender.send(Sent::End);
    let _ = writer.join();
    ended_well
}

/// How far the talk with the client is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Initialized,
    ShutDown,
}

/// What the client can do.
#[derive(Clone, Copy, Default)]
pub(super) struct Client {
    pub(super) snippets: bool,
    related: bool,
    refreshes_inlays: bool,
}

impl Client {
    fn of(capabilities: &ClientCapabilities) -> Client {
        let text = capabilities.text_document.as_ref();
        let item = text.and_then(|t| t.completion.as_ref()?.completion_item.as_ref());
        let inlays = capabilities.workspace.as_ref();
        let inlays = inlays.and_then(|w| w.inlay_hint.as_ref());
        let published = text.and_then(|t| t.publish_diagnostics.as_ref());
        Client {
            snippets: item.and_then(|i| i.snippet_support) == Some(true),
            related: published.and_then(|p| p.related_information) == Some(true),
            refreshes_inlays: inlays.and_then(|i| i.refresh_support) == Some(true),
        }
    }
}

pub(super) struct Server {
    sender: Sender<Sent>,
    pub(super) documents: BTreeMap<String, Document>,
    work: Work,
    /// How many texts there were.
    numbers: u64,
    stage: Stage,
    pub(super) client: Client,
    /// The strategies that loops are looked at under.
    strategies: Arc<[&'static str]>,
    requests: i32,
}

/// Why a request has no answer.
pub(super) type Refused = (ErrorCode, String);

impl Server {
    fn go_on(&mut self, messages: &Receiver<Message>) -> bool {
        let told = self.work.told.clone();
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            waiting.extend(messages.try_iter());
            let message = match waiting.pop_front() {
                Some(message) => message,
                None => {
                    if self.documents.values().any(|d| d.is_new) {
                        match messages.recv_timeout(SETTLED) {
                            Ok(message) => {
                                waiting.push_back(message);
                                continue;
                            }
                            Err(_) => self.check_new(),
                        }
                    }
                    select! {
                        recv(messages) -> message => match message {
                            Ok(message) => message,
                            Err(_) => return false,
                        },
                        recv(told) -> told => {
                            if let Ok(told) = told {
                                self.tell(told);
                            }
                            continue;
                        }
                    }
                }
            };
            match message {
                Message::Request(request) => {
                    let is_cancelled = waiting.iter().any(|later| cancels(later, &request.id));
                    let response = match is_cancelled {
                        true => {
                            let code = ErrorCode::RequestCanceled as i32;
                            Response::new_err(request.id, code, "it was cancelled".into())
                        }
                        false => self.answer(request),
                    };
                    self.send(response.into());
                }
                Message::Notification(notification)
                    if notification.method == note::Exit::METHOD =>
                {
                    return self.stage == Stage::ShutDown;
                }
                Message::Notification(notification) => {
                    // A bug in one change is no reason to lose the others.
                    let work = AssertUnwindSafe(|| self.notified(notification));
                    let _ = catch_unwind(work);
                }
                Message::Response(_) => {}
            }
        }
    }

    fn send(&self, message: Message) {
        // A client that reads no longer will end the stream of its messages, too.
        let _ = self.sender.send(message.into());
    }

    fn notify<N: note::Notification>(&self, params: N::Params)
    where
        N::Params: serde::Serialize,
    {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        let work = AssertUnwindSafe(|| self.answered(request));
        let answered = catch_unwind(work).unwrap_or_else(|_| {
            Err((ErrorCode::InternalError, "this is a bug of glushkov".into()))
        });
        match answered {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn answered(&mut self, request: Request) -> Result<Json, Refused> {
        let method = request.method.as_str();
        match (self.stage, method) {
            (Stage::New, ask::Initialize::METHOD) => {
                let params: InitializeParams = parsed(request.params)?;
                self.client = Client::of(&params.capabilities);
                if let Some(strategies) = wished(params.initialization_options.as_ref()) {
                    self.strategies = strategies;
                }
                self.stage = Stage::Initialized;
                return Ok(json!(InitializeResult {
                    capabilities: super::capabilities::capabilities(),
                    server_info: Some(ServerInfo {
                        name: "glushkov".into(),
                        version: Some(env!("CARGO_PKG_VERSION").into()),
                    }),
                }));
            }
            (Stage::New, _) => {
                return Err((
                    ErrorCode::ServerNotInitialized,
                    "initialize comes first".into(),
                ));
            }
            (Stage::ShutDown, _) | (_, ask::Initialize::METHOD) => {
                return Err((
                    ErrorCode::InvalidRequest,
                    format!("{method} comes too late"),
                ));
            }
            (_, ask::Shutdown::METHOD) => {
                self.stage = Stage::ShutDown;
                return Ok(Json::Null);
            }
            _ => {}
        }
        self.asked(method, request.params)
    }

    fn notified(&mut self, notification: Notification) {
        if self.stage != Stage::Initialized {
            return;
        }
        let params = notification.params;
        match notification.method.as_str() {
            note::DidOpenTextDocument::METHOD => {
                let Ok(opened) = parsed::<lsp_types::DidOpenTextDocumentParams>(params) else {
                    return;
                };
                let item = opened.text_document;
                let key = item.uri.as_str().to_owned();
                self.numbers += 1;
                let mut document =
                    Document::new(item.uri, &item.language_id, item.version, item.text);
                document.changed(self.numbers);
                self.documents.insert(key, document);
            }
            note::DidChangeTextDocument::METHOD => {
                let Ok(changed) = parsed::<lsp_types::DidChangeTextDocumentParams>(params) else {
                    return;
                };
                let key = changed.text_document.uri.as_str();
                let Some(document) = self.documents.get_mut(key) else {
                    return;
                };
                for change in changed.content_changes {
                    document.text.change(change);
                }
                document.version = changed.text_document.version;
                self.numbers += 1;
                document.changed(self.numbers);
            }
            note::DidCloseTextDocument::METHOD => {
                let Ok(closed) = parsed::<lsp_types::DidCloseTextDocumentParams>(params) else {
                    return;
                };
                let uri = closed.text_document.uri;
                if self.documents.remove(uri.as_str()).is_some() {
                    self.publish(uri, None, Vec::new());
                }
            }
            // What a document uses may have been written anew.
            note::DidSaveTextDocument::METHOD => {
                for document in self.documents.values_mut() {
                    let uses =
                        document.kind == Kind::Schemes && document.text.as_str().contains(".saa");
                    if uses {
                        self.numbers += 1;
                        document.changed(self.numbers);
                    }
                }
            }
            _ => {}
        }
    }

    /// Has the documents checked that are new.
    fn check_new(&mut self) {
        let related = self.client.related;
        for document in self.documents.values_mut().filter(|d| d.is_new) {
            document.is_new = false;
            self.work.ask(Job {
                uri: document.uri.clone(),
                path: document.path.clone(),
                kind: document.kind,
                text: Arc::new(Text::new(document.text.as_str().to_owned())),
                number: document.number,
                stop: document.stop.clone(),
                strategies: self.strategies.clone(),
                related,
            });
        }
    }

    /// Takes what a thread found, and tells the client.
    fn tell(&mut self, told: Told) {
        let Some(document) = self.documents.get_mut(told.uri.as_str()) else {
            return;
        };
        if document.number != told.number {
            return;
        }
        match told.answer {
            Answer::Checked(checked) => document.checked = checked,
            Answer::Found(found) if found.is_empty() => return,
            Answer::Found(found) => document.found = found,
            Answer::Fates(fates) => {
                document.fates = fates;
                if self.client.refreshes_inlays {
                    self.requests += 1;
                    let id = RequestId::from(self.requests);
                    let method = ask::InlayHintRefreshRequest::METHOD.to_owned();
                    self.send(Request::new(id, method, Json::Null).into());
                }
                return;
            }
        }
        let shown = document.checked.iter().chain(&document.found);
        let shown = shown.map(|s| s.diagnostic.clone()).collect();
        let version = document.version;
        self.publish(told.uri, Some(version), shown);
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<lsp_types::Diagnostic>) {
        self.notify::<note::PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        });
    }
}

/// The strategies that a client wishes loops to be looked at under: `{"strategies": ["cpu"]}`.
fn wished(options: Option<&Json>) -> Option<Arc<[&'static str]>> {
    let all = options?.get("strategies")?.as_array()?;
    let names = all.iter().filter_map(Json::as_str);
    Some(names.map(|name| Symbol::new(name).as_str()).collect())
}

/// Whether a message says that the answer to a request is not wanted any more.
fn cancels(message: &Message, id: &RequestId) -> bool {
    let Message::Notification(notification) = message else {
        return false;
    };
    let wanted = notification.params.get("id");
    notification.method == note::Cancel::METHOD && wanted.is_some_and(|wanted| json!(id) == *wanted)
}

pub(super) fn parsed<P: serde::de::DeserializeOwned>(params: Json) -> Result<P, Refused> {
    serde_json::from_value(params).map_err(|e| (ErrorCode::InvalidParams, e.to_string()))
}
