//! Texts: how wide they are, and how they are broken into lines.

use super::widths::{OTHER, WIDTHS};

/// Height of a line, in sizes of the font.
pub const LINE: f64 = 1.3;

/// How wide a text is, in the units of the font's size.
pub fn width(text: &str, size: f64) -> f64 {
    let one = |c: char| {
        // A mark that stands over the character before it takes no room.
        if ('\u{300}'..'\u{370}').contains(&c) {
            return 0;
        }
        let range = WIDTHS.iter().find_map(|(first, widths)| {
            let at = (u32::from(c)).checked_sub(u32::from(*first))?;
            widths.get(at as usize)
        });
        range.copied().unwrap_or(OTHER)
    };
    let sum: u32 = text.chars().map(|c| u32::from(one(c))).sum();
    f64::from(sum) * size / 1000.0
}

/// Size of the font of headings, which are bold.
pub const TITLE: f64 = 16.0;

/// How wide a text is that stands in no shape. Bold letters are wider than others.
pub fn label_width(text: &str, size: f64) -> f64 {
    let bold = if size >= TITLE { 1.14 } else { 1.0 };
    width(text, size) * bold
}

/// The lines of a text, none wider than `most` unless a single character is.
pub fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = match line.is_empty() {
            true => word.to_owned(),
            false => format!("{line} {word}"),
        };
        if width(&longer, size) <= most {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        // A word that is too wide by itself is cut.
        for c in word.chars() {
            line.push(c);
            if width(&line, size) > most && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::take(&mut line));
                line.push(c);
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// A text of so many characters at most.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_all_scripts_are_measured() {
        assert!(width("W", 10.0) > 2.0 * width("i", 10.0));
        assert!(width("Щ", 10.0) > width("г", 10.0));
        assert!(width("ʼ", 10.0) < width("ї", 10.0) + 1.0);
        assert_eq!(width("∨̇", 10.0), width("∨", 10.0));
    }

    #[test]
    fn lines_keep_to_their_width() {
        let text = "Обчислити прискорення (a0) та ривок тіла непередбачуванодовгеслово";
        let lines = wrap(text, 12.0, 100.0);
        assert!(lines.iter().all(|l| width(l, 12.0) <= 100.0));
        let joined: String = lines.concat();
        assert_eq!(joined.replace(' ', ""), text.replace(' ', ""));
    }
}
