//! Sentences for people, each with a stable code under which a page finds its translation.

use std::borrow::Cow;

/// A sentence without placeholders, with its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The unique code under which a page finds the sentence's translation.
    pub code: &'static str,
    /// The sentence in English.
    pub text: &'static str,
}

/// A sentence with its code and the values of its placeholders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The unique code under which a page finds the sentence's translation.
    pub code: &'static str,
    /// The sentence in English.
    pub text: Cow<'static, str>,
    /// The placeholder names in the sentence, with their values.
    pub params: Vec<(&'static str, String)>,
}

impl From<Fixed> for Message {
    fn from(Fixed { code, text }: Fixed) -> Message {
        Message { code, text: Cow::Borrowed(text), params: Vec::new() }
    }
}

impl Message {
    /// Returns the message with the value of the placeholder `name` replaced by an id.
    ///
    /// A page translates the id into a word of its language.
    pub fn id(mut self, name: &str, id: &str) -> Message {
        for (_, value) in self.params.iter_mut().filter(|(known, _)| *known == name) {
            *value = id.to_string();
        }
        self
    }
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns an error or a refusal as a sentence with its code and the values of its placeholders.
///
/// A sentence without placeholders is a constant ([`message::Fixed`](crate::message::Fixed)). A test reads every
/// call in the source and checks that each language of the page has `error.CODE` with the same placeholders.
///
/// ```
/// let most = 4;
/// let refusal = rules::message!("split-limit", "at most {most} of {decks} decks", most, decks = 2 * most);
/// assert_eq!(refusal.text, "at most 4 of 8 decks");
/// assert_eq!(refusal.params, [("most", "4".to_string()), ("decks", "8".to_string())]);
/// ```
#[macro_export]
macro_rules! message {
    (@value $name:ident) => {
        $name.to_string()
    };
    (@value $name:ident = $value:expr) => {
        $value.to_string()
    };
    ($code:literal, $text:literal $(,)?) => {
        $crate::message::Fixed { code: $code, text: $text }
    };
    ($code:literal, $text:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        match ($($crate::message!(@value $name $(= $value)?),)+) {
            // `concat!` keeps the sentence from naming a variable that is not among its values
            ($($name,)+) => $crate::message::Message {
                code: $code,
                text: format!(concat!($text), $($name = $name),+).into(),
                params: vec![$((stringify!($name), $name)),+],
            },
        }
    };
}

/// Returns a rule of the game as a sentence with its code; a page translates the sentence under `rule.CODE`.
///
/// The arguments are those of [`message!`](crate::message!).
#[macro_export]
macro_rules! rule {
    ($($words:tt)+) => {
        $crate::message!($($words)+)
    };
}
