//! Which known name was meant by one that nobody knows.

/// The known name that is nearest to a name, if it is near enough to be meant.
pub fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(1);
    known
        .filter(|k| k.len().abs_diff(name.len()) <= 4 * most && name.len() <= 200)
        .map(|k| (strsim::damerau_levenshtein(name, k), k))
        .filter(|&(d, k)| d <= most && k != name)
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k)
}

/// The nearest known name or, where none is near, those that hold the name or stand in it: a hint.
pub fn names_like(name: &str, known: &[&str]) -> Option<String> {
    let wanted = name.to_lowercase().replace('-', "_");
    if let Some(near) = did_you_mean(&wanted, known.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let is_alike = |k: &&&str| wanted.len() > 2 && (k.contains(&wanted) || wanted.contains(**k));
    let mut alike: Vec<&str> = known.iter().filter(is_alike).copied().collect();
    alike.sort_by_key(|k| k.len());
    let alike: Vec<String> = alike.iter().take(4).map(|k| format!("`{k}`")).collect();
    match alike.split_last() {
        None => None,
        Some((last, [])) => Some(format!("did you mean {last}?")),
        Some((last, rest)) => Some(format!("did you mean {} or {last}?", rest.join(", "))),
    }
}
