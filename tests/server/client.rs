//! A small client: frames, requests, notifications, and a document that is written in.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Nothing is waited for longer.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    process: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// Messages that came while another was waited for.
    kept: Vec<Value>,
    requests: i64,
    version: i64,
}

/// What a client that can do everything says of itself.
fn capable() -> Value {
    json!({
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "publishDiagnostics": {"relatedInformation": true},
        },
        "workspace": {"inlayHint": {"refreshSupport": true}},
    })
}

pub const URI: &str = "file:///nowhere/open.saa";

impl Client {
    /// A server that nothing was said to.
    pub fn silent() -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let to = process.stdin.take();
        let mut out = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, from) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut out) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            process,
            to,
            from,
            kept: Vec::new(),
            requests: 0,
            version: 0,
        }
    }

    /// A server that is ready.
    pub fn ready() -> Client {
        Client::wishing(Value::Null)
    }

    /// A server that is ready, told of wishes.
    pub fn wishing(wishes: Value) -> Client {
        let mut client = Client::silent();
        client.ask(
            "initialize",
            json!({"capabilities": capable(), "initializationOptions": wishes}),
        );
        client.tell("initialized", json!({}));
        client
    }

    /// A server with an open document.
    pub fn with(text: &str) -> Client {
        let mut client = Client::ready();
        client.open(URI, text);
        client
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("the stream is open");
        to.write_all(bytes).expect("the server reads");
        to.flush().expect("the server reads");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request without waiting for its answer; gives its number.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub fn answer(&mut self, id: i64) -> Value {
        self.wait(|m| m.get("method").is_none() && m["id"] == json!(id))
    }

    /// The whole answer to a request.
    pub fn try_ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The result of a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The first message that came, or comes, of which something holds.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        let start = Instant::now();
        loop {
            let rest = PATIENCE.saturating_sub(start.elapsed());
            let message = self.from.recv_timeout(rest).expect("a message comes");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.version += 1;
        let language = if uri.ends_with("rules") {
            "glushkov-rules"
        } else {
            "glushkov"
        };
        let version = self.version;
        let item = json!({"uri": uri, "languageId": language, "version": version, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Replaces a part of the document, or all of it.
    pub fn change(&mut self, range: Option<Value>, text: &str) {
        self.version += 1;
        let mut change = json!({"text": text});
        if let Some(range) = range {
            change["range"] = range;
        }
        let document = json!({"uri": URI, "version": self.version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        self.tell("textDocument/didChange", params);
    }

    /// What is said of the newest text of a document, when something first is.
    pub fn diagnostics_of(&mut self, uri: &str) -> Vec<Value> {
        let version = self.version;
        let message = self.wait(|m| {
            m["method"] == "textDocument/publishDiagnostics"
                && m["params"]["uri"] == uri
                && m["params"]["version"] == json!(version)
        });
        message["params"]["diagnostics"]
            .as_array()
            .cloned()
            .expect("a list")
    }

    pub fn diagnostics(&mut self) -> Vec<Value> {
        self.diagnostics_of(URI)
    }

    /// Asks about a place of the document.
    pub fn at(&mut self, method: &str, place: (usize, usize)) -> Value {
        self.ask(&format!("textDocument/{method}"), about(place))
    }

    /// Ends the server as the protocol has it; gives its exit code.
    pub fn end(mut self) -> i32 {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.code()
    }

    /// The exit code of a server that ends.
    pub fn code(&mut self) -> i32 {
        self.to = None;
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().expect("a process") {
                return status.code().expect("no signal ended it");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            header => {
                let number = header.strip_prefix("Content-Length: ")?;
                length = number.parse().ok()?;
            }
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Parameters about a place of the document, a line and a character.
pub fn about((line, character): (usize, usize)) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

/// The line and the character of the n-th place of a word in a text, from 0; characters count units of UTF-16.
pub fn place(text: &str, word: &str, n: usize) -> (usize, usize) {
    let (at, _) = text.match_indices(word).nth(n).expect("the word is there");
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    (line, text[start..at].encode_utf16().count())
}

/// What stands in a range of a text.
pub fn shown(text: &str, range: &Value) -> String {
    let byte = |position: &Value| {
        let (line, character) = (
            position["line"].as_u64().expect("a line") as usize,
            position["character"].as_u64().expect("a character") as usize,
        );
        let start = text
            .split_inclusive('\n')
            .take(line)
            .map(str::len)
            .sum::<usize>();
        let mut units = 0;
        let after = text[start..].char_indices().find(|(_, c)| {
            let here = units >= character;
            units += c.len_utf16();
            here
        });
        after.map_or(text.len(), |(at, _)| start + at)
    };
    text[byte(&range["start"])..byte(&range["end"])].to_owned()
}

/// A text after changes, which do not overlap.
pub fn changed(text: &str, edits: &[Value]) -> String {
    let mut all: Vec<(&Value, &str)> = edits
        .iter()
        .map(|e| (&e["range"], e["newText"].as_str().expect("a text")))
        .collect();
    let key = |range: &Value| {
        let start = &range["start"];
        (start["line"].as_u64(), start["character"].as_u64())
    };
    all.sort_by_key(|(range, _)| key(range));
    let mut out = text.to_owned();
    for (range, new) in all.into_iter().rev() {
        let (line, character) = (
            range["start"]["line"].as_u64().expect("a line") as usize,
            range["start"]["character"].as_u64().expect("a character") as usize,
        );
        let old = shown(&out, range);
        let start: usize = out.split_inclusive('\n').take(line).map(str::len).sum();
        let rest = &out[start..];
        let mut units = 0;
        let at = rest.char_indices().find(|(_, c)| {
            let here = units >= character;
            units += c.len_utf16();
            here
        });
        let from = at.map_or(out.len(), |(at, _)| start + at);
        out.replace_range(from..from + old.len(), new);
    }
    out
}
