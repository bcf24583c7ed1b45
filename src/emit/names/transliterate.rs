//! Letters of other scripts in ASCII.

/// How Cyrillic letters that Ukrainian and Russian share are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// By the Ukrainian government's table of 2010.
    Ukrainian,
    /// By the table of Russian passports, with `y` for й and ы.
    Russian,
}

impl Alphabet {
    /// The alphabet of texts: Russian if they have more letters that only Russian has.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Alphabet {
        let (mut ukrainian, mut russian) = (0u32, 0u32);
        for c in texts.into_iter().flat_map(str::chars) {
            match c {
                'і' | 'ї' | 'є' | 'ґ' | 'І' | 'Ї' | 'Є' | 'Ґ' => ukrainian += 1,
                'ы' | 'э' | 'ё' | 'ъ' | 'Ы' | 'Э' | 'Ё' | 'Ъ' => russian += 1,
                _ => {}
            }
        }
        match russian > ukrainian {
            true => Alphabet::Russian,
            false => Alphabet::Ukrainian,
        }
    }
}

/// A text in ASCII letters, digits and `_`: letters are transliterated, characters of other scripts
/// stand as `u` and their number in base 16, everything else becomes `_`.
pub fn transliterate(text: &str, alphabet: Alphabet) -> String {
    let mut ascii = String::with_capacity(text.len());
    let mut first = true;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            ascii.push(c);
        } else if let Some(letters) = letter(c, alphabet, first) {
            ascii.push_str(&letters);
        } else if c.is_alphanumeric() {
            ascii.push_str(&format!("_u{:x}_", c as u32));
        } else {
            ascii.push('_');
        }
        first = !c.is_alphanumeric() && c != '\'' && c != 'ʼ' && c != '’';
    }
    ascii
}

/// The ASCII letters of a letter; a capital one's first letter is a capital.
fn letter(c: char, alphabet: Alphabet, first: bool) -> Option<String> {
    let small = c.to_lowercase().next().unwrap_or(c);
    let letters = cyrillic(small, alphabet, first)
        .or_else(|| greek(small))
        .or_else(|| latin(small))?;
    if small == c {
        return Some(letters.to_owned());
    }
    let mut capital = letters.to_owned();
    if let Some(head) = capital.get_mut(..1) {
        head.make_ascii_uppercase();
    }
    Some(capital)
}

fn cyrillic(c: char, alphabet: Alphabet, first: bool) -> Option<&'static str> {
    let ukrainian = alphabet == Alphabet::Ukrainian;
    Some(match c {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' if ukrainian => "h",
        'г' | 'ґ' => "g",
        'д' => "d",
        'е' | 'э' | 'ё' => "e",
        'є' if first => "ye",
        'є' => "ie",
        'ж' => "zh",
        'з' => "z",
        'и' if ukrainian => "y",
        'и' | 'і' => "i",
        'ї' if first => "yi",
        'ї' => "i",
        'й' if ukrainian && !first => "i",
        'й' | 'ы' => "y",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ь' | 'ъ' | 'ʼ' => "",
        'ю' if ukrainian && !first => "iu",
        'ю' => "yu",
        'я' if ukrainian && !first => "ia",
        'я' => "ya",
        'ў' => "u",
        _ => return None,
    })
}

fn greek(c: char) -> Option<&'static str> {
    Some(match c {
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' => "delta",
        'ε' | 'ϵ' => "epsilon",
        'ζ' => "zeta",
        'η' => "eta",
        'θ' | 'ϑ' => "theta",
        'ι' => "iota",
        'κ' => "kappa",
        'λ' => "lambda",
        'μ' | 'µ' => "mu",
        'ν' => "nu",
        'ξ' => "xi",
        'ο' => "omicron",
        'π' => "pi",
        'ρ' => "rho",
        'σ' | 'ς' => "sigma",
        'τ' => "tau",
        'υ' => "upsilon",
        'φ' | 'ϕ' => "phi",
        'χ' => "chi",
        'ψ' => "psi",
        'ω' => "omega",
        _ => return None,
    })
}

fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' => "s",
        'ß' => "ss",
        'þ' => "th",
        'ţ' | 'ť' | 'ŧ' => "t",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ukrainian_and_russian() {
        let uk = |t| transliterate(t, Alphabet::Ukrainian);
        let ru = |t| transliterate(t, Alphabet::Russian);
        assert_eq!(uk("Згурський"), "Zhurskyi");
        assert_eq!(uk("Єнакієве"), "Yenakiieve");
        assert_eq!(uk("Щербухи"), "Shcherbukhy");
        assert_eq!(uk("ґава"), "gava");
        assert_eq!(ru("скорость"), "skorost");
        assert_eq!(ru("объём"), "obem");
        assert_eq!(ru("Цыплёнок"), "Tsyplenok");
        assert_eq!(uk("ε_0"), "epsilon_0");
        assert_eq!(uk("naïve"), "naive");
        assert_eq!(uk("力"), "_u529b_");
    }

    #[test]
    fn the_alphabet_is_that_of_the_texts() {
        assert_eq!(Alphabet::of(["сумма", "объём"]), Alphabet::Russian);
        assert_eq!(Alphabet::of(["сума", "тіло"]), Alphabet::Ukrainian);
    }
}
