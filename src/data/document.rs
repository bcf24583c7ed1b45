//! The table of generators → `docs/data.md`.

use super::generators::{GENERATORS, Generator};
use std::fmt::Write;

/// The page of the manual on generators, in Markdown.
pub fn document() -> String {
    let mut page = String::from(
        "# Initial conditions\n\n\
         Generators make the arrays of a scheme's `DEFAULT INPUT \"name\" (options)`, and \
         `glushkov data NAME -o DIR` writes them as `.npy` files. The same \
         options give the same bytes on every machine.\n\n\
         This page is made from the table in `src/data/generators/table.rs`; \
         `UPDATE=1 cargo test data` writes it anew.\n",
    );
    for generator in GENERATORS {
        section(&mut page, generator);
    }
    page
}

fn section(page: &mut String, generator: &Generator) {
    let mut line = |text: String| {
        page.push_str(&text);
        page.push('\n');
    };
    line(format!("\n## `{}`\n", generator.name));
    line(format!("Makes {}.\n", generator.about));
    line(format!("{}\n", generator.details));
    line(format!(
        "n, the number of {}: {}.\n",
        generator.counted,
        generator.size.rule()
    ));
    line("| array | type | meaning |\n|---|---|---|".into());
    for array in generator.arrays {
        let kind = format!("`{} {}`", array.kind.name(), array.extent.text());
        line(format!("| `{}` | {kind} | {} |", array.name, array.meaning));
    }
    if generator.options.is_empty() {
        return;
    }
    line("\n| option | default | range | meaning |\n|---|---|---|---|".into());
    for option in generator.options {
        let mut row = String::new();
        let (name, range) = (option.name, option.range());
        // Writing to a string cannot fail.
        let _ = write!(
            row,
            "| `{name}` | {} | {range} | {} |",
            option.default, option.meaning
        );
        line(row);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_that_of_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/data.md");
        let page = super::document();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let held = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(
            held, page,
            "docs/data.md is stale: run UPDATE=1 cargo test data"
        );
    }
}
