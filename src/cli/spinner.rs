//! A spinner on standard error, where that is a terminal.

use crate::term::visible_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// Says what is going on and for how long, and is gone when it is dropped. Draws nothing away from a terminal.
pub struct Spinner(ProgressBar);

impl Spinner {
    /// A spinner with a message.
    pub fn start(message: &str) -> Spinner {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(visible_line(message).into_owned());
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Spinner(bar)
    }

    /// Shows another message.
    pub fn say(&self, message: &str) {
        self.0
            .set_message(visible_line(message.trim()).into_owned());
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
