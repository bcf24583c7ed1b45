//! Beginning and ending, messages that are none, work that nobody wants any more.

use crate::client::{Client, URI, about, place};
use serde_json::{Value, json};

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  a : REAL [N] OUTPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP a[i] := 1 END OF LOOP\nEND OF SCHEME \"s\"\n";

#[test]
fn it_ends_as_it_is_told() {
    assert_eq!(Client::with(SCHEME).end(), 0);
    let mut without_shutdown = Client::ready();
    without_shutdown.tell("exit", Value::Null);
    assert_eq!(without_shutdown.code(), 1);
    let mut without_exit = Client::ready();
    assert_eq!(without_exit.code(), 1);
}

#[test]
fn requests_come_between_initialize_and_shutdown() {
    let mut client = Client::silent();
    let answer = client.try_ask("textDocument/hover", about((0, 0)));
    assert_eq!(answer["error"]["code"], -32002);
    let answer = client.ask("initialize", json!({"capabilities": {}}));
    assert_eq!(answer["serverInfo"]["name"], "glushkov");
    let answer = client.try_ask("initialize", json!({"capabilities": {}}));
    assert_eq!(answer["error"]["code"], -32600);
    client.ask("shutdown", Value::Null);
    let answer = client.try_ask("textDocument/hover", about((0, 0)));
    assert_eq!(answer["error"]["code"], -32600);
    client.tell("exit", Value::Null);
    assert_eq!(client.code(), 0);
}

#[test]
fn what_is_no_message_is_passed_over() {
    let mut client = Client::with(SCHEME);
    client.raw(b"Content-Length: 9\r\n\r\n{nonsense");
    let answer = client.wait(|m| m["id"].is_null() && m.get("error").is_some());
    assert_eq!(answer["error"]["code"], -32700);
    client.raw(b"nonsense\r\n");
    client.raw("Content-Length: 4\r\n\r\n\"\u{457}\"".as_bytes());
    client.wait(|m| m["id"].is_null() && m.get("error").is_some());
    client.tell("no/such/notification", json!({"a": 1}));
    client.tell("textDocument/didChange", json!("nonsense"));
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": "no uri"}}),
    );
    let answer = client.try_ask("no/such/method", Value::Null);
    assert_eq!(answer["error"]["code"], -32601);
    let answer = client.try_ask("textDocument/hover", json!({"position": 7}));
    assert_eq!(answer["error"]["code"], -32602);
    let other = json!({"textDocument": {"uri": "file:///other.saa"}, "position": {"line": 0, "character": 0}});
    let answer = client.try_ask("textDocument/hover", other);
    assert_eq!(answer["error"]["code"], -32602);
    let far = client.at("hover", (9999, 9999));
    assert!(far.is_null(), "{far}");
    assert_eq!(client.end(), 0);
}

#[test]
fn a_request_that_is_cancelled_has_no_answer() {
    let mut client = Client::with(SCHEME);
    // The cancellation is there before the request is reached: they are sent as one piece.
    let frame = |text: String| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let mut all = String::new();
    for id in 100..120 {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": about(place(SCHEME, "FOR", 0))});
        all.push_str(&frame(request.to_string()));
    }
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 119}});
    all.push_str(&frame(cancel.to_string()));
    client.raw(all.as_bytes());
    for id in 100..119 {
        assert!(client.answer(id).get("error").is_none());
    }
    let answer = client.answer(119);
    // Where the cancellation came too late, there is an answer.
    let code = &answer["error"]["code"];
    assert!(
        *code == json!(-32800) || answer.get("result").is_some(),
        "{answer}"
    );
    assert_eq!(client.end(), 0);
}

#[test]
fn a_document_is_closed_while_it_is_checked() {
    let mut client = Client::ready();
    for _ in 0..20 {
        client.open(URI, SCHEME);
        client.tell(
            "textDocument/didClose",
            json!({"textDocument": {"uri": URI}}),
        );
    }
    // It is closed: nothing is said of it but that there is nothing.
    let answer = client.try_ask("textDocument/hover", about((0, 0)));
    assert_eq!(answer["error"]["code"], -32602);
    client.open(URI, SCHEME);
    assert!(client.diagnostics().is_empty());
    assert_eq!(client.end(), 0);
}

#[test]
fn deep_nesting_ends_nothing() {
    for (opens, closes) in [
        ("(", ")"),
        ("IF x > 0 THEN ", " END IF"),
        ("\"a (", ")\""),
        ("[", ""),
    ] {
        let depth = 30_000;
        let text = format!(
            "SCHEME \"s\" ====\n  {}x := 1{}\nEND OF SCHEME \"s\"\n",
            opens.repeat(depth),
            closes.repeat(depth)
        );
        let mut client = Client::with(&text);
        client.diagnostics();
        client.at("hover", (1, 40));
        client.ask(
            "textDocument/documentSymbol",
            json!({"textDocument": {"uri": URI}}),
        );
        client.ask(
            "textDocument/semanticTokens/full",
            json!({"textDocument": {"uri": URI}}),
        );
        let completion = about((1, 3));
        client.ask("textDocument/completion", completion);
        assert_eq!(client.end(), 0, "{opens}");
    }
}

/// Every prefix of a text is one that is being written: nothing that is asked of it may fail.
#[test]
fn a_text_that_is_being_written_is_answered_for() {
    let text = include_str!("../../schemes/nbody/leapfrog.saa");
    let mut client = Client::with("");
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for &at in starts.iter().step_by(7) {
        let prefix = &text[..at];
        client.change(None, prefix);
        let end = (prefix.matches('\n').count(), 9999);
        for method in ["hover", "completion", "documentHighlight", "definition"] {
            client.at(method, end);
        }
        let document = json!({"textDocument": {"uri": URI}});
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
            client.ask(&format!("textDocument/{method}"), document.clone());
        }
    }
    assert_eq!(client.end(), 0);
}
