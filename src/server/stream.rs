//! Messages over a pair of streams: `Content-Length: n`, an empty line, and n bytes of JSON.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, Message};
use serde_json::json;
use std::io::{BufRead, Write};
use std::thread::JoinHandle;

/// A message of more bytes is passed over.
const MOST_BYTES: usize = 256 << 20;
/// So many lines that belong to no message end the stream.
const MOST_STRAY: usize = 1000;

/// What is sent: a message, or the answer to one that could not be understood, which has no number.
pub(super) enum Sent {
    Message(Message),
    NotUnderstood(String),
    /// Nothing comes after it.
    End,
}

impl From<Message> for Sent {
    fn from(message: Message) -> Sent {
        Sent::Message(message)
    }
}

/// What came of reading.
enum Read {
    Message(Box<Message>),
    /// A message of the right length that is none.
    Wrong(String),
    /// A line that belongs to no message.
    Stray,
    End,
}

/// Reads messages on a thread of its own until the stream ends. Those that cannot be understood are answered.
pub(super) fn receive(
    mut from: impl BufRead + Send + 'static,
    answers: Sender<Sent>,
) -> Receiver<Message> {
    let (sender, receiver) = unbounded();
    std::thread::spawn(move || {
        let mut stray = 0;
        loop {
            let gone = match read(&mut from) {
                Read::Message(message) => {
                    // A client that ends the server goes on to hold its end of the stream.
                    let is_exit =
                        matches!(&*message, Message::Notification(n) if n.method == "exit");
                    sender.send(*message).is_err() || is_exit
                }
                Read::Wrong(why) => answers.send(Sent::NotUnderstood(why)).is_err(),
                Read::Stray => {
                    stray += 1;
                    stray > MOST_STRAY
                }
                Read::End => true,
            };
            if gone {
                return;
            }
        }
    });
    receiver
}

fn read(from: &mut impl BufRead) -> Read {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // Lines of headers are short; of others, some bytes after the other are read.
        let mut short = std::io::Read::take(&mut *from, 4096);
        match short.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return Read::End,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            match length {
                Some(length) => return body(from, length),
                None => continue,
            }
        }
        match line.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<usize>().ok();
            }
            Some((name, _)) if name.trim().eq_ignore_ascii_case("content-type") => {}
            _ => return Read::Stray,
        }
    }
}

fn body(from: &mut impl BufRead, length: usize) -> Read {
    let mut rest = std::io::Read::take(from, length as u64);
    if length > MOST_BYTES {
        return match std::io::copy(&mut rest, &mut std::io::sink()) {
            Ok(read) if read == length as u64 => {
                Read::Wrong(format!("a message has at most {MOST_BYTES} bytes"))
            }
            _ => Read::End,
        };
    }
    // As much room as there are bytes, whatever is announced.
    let mut bytes = Vec::new();
    match std::io::Read::read_to_end(&mut rest, &mut bytes) {
        Ok(read) if read == length => {}
        _ => return Read::End,
    }
    match serde_json::from_slice(&bytes) {
        Ok(message) => Read::Message(Box::new(message)),
        Err(e) => Read::Wrong(format!("this is no message: {e}")),
    }
}

/// Writes messages on a thread of its own, which ends when nobody can send any more or nobody reads.
pub(super) fn send(mut to: impl Write + Send + 'static) -> (Sender<Sent>, JoinHandle<()>) {
    let (sender, receiver) = unbounded::<Sent>();
    let writer = std::thread::spawn(move || {
        for sent in receiver {
            let written = match sent {
                Sent::Message(message) => message.write(&mut to),
                Sent::NotUnderstood(why) => not_understood(&mut to, &why),
                Sent::End => return,
            };
            if written.is_err() {
                return;
            }
        }
    });
    (sender, writer)
}

fn not_understood(to: &mut impl Write, why: &str) -> std::io::Result<()> {
    let error = json!({"code": ErrorCode::ParseError as i32, "message": why});
    let answer = json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string();
    write!(to, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut from = bytes;
        let mut told = Vec::new();
        loop {
            told.push(match read(&mut from) {
                Read::Message(message) => match *message {
                    Message::Notification(n) => n.method,
                    _ => "a request".into(),
                },
                Read::Wrong(_) => "wrong".into(),
                Read::Stray => "stray".into(),
                Read::End => return told,
            });
        }
    }

    #[test]
    fn messages_are_read_one_after_the_other() {
        let good = "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}";
        let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let text = format!("{}{}", framed(good), framed(good));
        assert_eq!(all(text.as_bytes()), ["a", "a"]);
        let text = format!("nonsense\r\n{}{}", framed("{nonsense"), framed(good));
        assert_eq!(all(text.as_bytes()), ["stray", "wrong", "a"]);
        let text = format!("content-length: 31\nContent-Type: x\n\n{good}");
        assert_eq!(good.len(), 30);
        assert!(all(text.as_bytes()).is_empty(), "it ends within a message");
        assert!(all(b"Content-Length: 99999999999999999999\r\n\r\n").is_empty());
    }
}
