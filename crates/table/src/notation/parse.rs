//! Reads the text of a round file into statements. Knows the notation, not the rules.

use crate::ids::Role;
use crate::vocabulary::{Spoken, Word};
use rules::card::NotACard;
use rules::{Card, Cents, SideBet};
use std::fmt;

/// A line that is not in the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotUnderstood {
    /// The line of the file, from one.
    pub line: usize,
    /// What is wrong with the line, and what would be right.
    pub message: String,
}

impl fmt::Display for NotUnderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for NotUnderstood {}

/// `table NAME K=V …`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLine {
    /// The line of the file, from one.
    pub line: usize,
    /// The line as it was written.
    pub text: String,
    /// A preset, or the path of a table file.
    pub table: String,
    /// Options that differ from the preset: `decks=6`.
    pub overrides: Vec<String>,
}

/// A statement with its line number and text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The line of the file, from one.
    pub line: usize,
    /// The line as the statement was written.
    pub text: String,
    /// What the statement says.
    pub what: What,
}

/// What a statement says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// `bet BOX PLAYER AMOUNT …`
    Bet {
        /// The box.
        box_id: u8,
        /// Who wagers.
        player: String,
        /// The wager, or those of multiple action.
        amounts: Vec<Cents>,
        /// Side wagers beside it.
        sides: Vec<(SideBet, Cents)>,
        /// Whether the player is said to sit there.
        seated: Seated,
        /// A match play coupon beside the chips.
        coupon: Option<Cents>,
    },
    /// `BOX [PLAYER] VERB …`
    Say {
        /// The box.
        box_id: u8,
        /// What is said there.
        words: Vec<String>,
    },
    /// `dealer …`, `floor …`, `supervisor …`
    Official {
        /// In which role somebody speaks.
        who: Role,
        /// What is said.
        words: Vec<String>,
    },
}

/// Whether the bettor sits at the box: 2.13(b).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seated {
    /// The file does not say; the first bettor at a box sits there.
    Unsaid,
    /// This player sits at the box.
    Yes,
    /// The player does not sit at the box.
    No,
}

/// A whole file: the table, the shoe, and the statements of each round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundFile {
    /// The table that the rounds are played at.
    pub table: TableLine,
    /// The cards in dealing order; `None` for a card that nobody saw.
    pub cards: Vec<Option<Card>>,
    /// What is said in each round, in order.
    pub rounds: Vec<Vec<Statement>>,
}

/// Reads a round file.
pub fn parse(file: &str) -> Result<RoundFile, NotUnderstood> {
    let mut table = None;
    let mut cards = Vec::new();
    let mut rounds = vec![Vec::new()];
    for (index, text) in file.lines().enumerate() {
        let line = index + 1;
        let error = |message: String| NotUnderstood { line, message };
        let words = words(text).map_err(error)?;
        let Some(first) = words.first() else { continue };
        let rest = &words[1..];
        match first.as_str() {
            "table" if table.is_some() => return Err(error("a file has one `table` line".to_string())),
            "table" => table = Some(table_line(line, text, rest).map_err(error)?),
            _ if table.is_none() => {
                return Err(error("a round file must start with a `table` line".to_string()));
            }
            "cards" => {
                for word in rest {
                    cards.push(card(word).map_err(error)?);
                }
            }
            "next" if rest.is_empty() => rounds.push(Vec::new()),
            _ => {
                let what = statement(first, rest).map_err(error)?;
                let text = uncommented(text).trim().to_string();
                if let Some(round) = rounds.last_mut() {
                    round.push(Statement { line, text, what });
                }
            }
        }
    }
    let table = table.ok_or(NotUnderstood {
        line: 1,
        message: "a round file must start with a `table` line".to_string(),
    })?;
    Ok(RoundFile { table, cards, rounds })
}

/// Stands among the cards for one that went face down and that nobody ever saw.
pub const UNSEEN: &str = "??";

fn card(word: &str) -> Result<Option<Card>, String> {
    match word {
        UNSEEN => Ok(None),
        _ => word.parse().map(Some).map_err(|bad: NotACard| bad.to_string()),
    }
}

/// The part of a line before `#`, unless the sign stands in quotes.
fn uncommented(text: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Words separated by spaces; quotes and brackets hold spaces together. An apostrophe quotes only where a word begins.
fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let (mut quoted, mut whole, mut depth) = (false, false, 0usize);
    for letter in uncommented(text).chars() {
        match letter {
            '\'' if word.is_empty() && !quoted => whole = true,
            '\'' if whole => whole = false,
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter.is_whitespace() && !quoted && !whole && depth == 0 {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(letter);
        }
    }
    if quoted || whole {
        return Err("missing closing quote".to_string());
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

fn table_line(line: usize, text: &str, rest: &[String]) -> Result<TableLine, String> {
    let (table, overrides) =
        rest.split_first().ok_or("`table` needs a preset or the path of a table file")?;
    if let Some(bad) = overrides.iter().find(|word| !word.contains('=')) {
        return Err(format!("`{bad}` is not an override like decks=6"));
    }
    let overrides = overrides.iter().map(|word| unquoted(word).to_string()).collect();
    Ok(TableLine { line, text: uncommented(text).trim().to_string(), table: table.clone(), overrides })
}

/// An override as it is quoted for a shell: 'bonus_payouts=["blackjack:As Ks"]'.
fn unquoted(word: &str) -> &str {
    let inside = |quote| word.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('\'').or_else(|| inside('"')).unwrap_or(word)
}

fn statement(first: &str, rest: &[String]) -> Result<What, String> {
    let official = match first {
        "bet" => return bet(rest),
        "dealer" => Role::Dealer,
        "floor" => Role::Floorperson,
        "supervisor" => Role::Supervisor,
        _ => {
            let box_id = first.parse().map_err(|_| format!("unknown statement `{first}`"))?;
            if rest.is_empty() {
                return Err("a decision is missing after the box".to_string());
            }
            nothing_left_over(rest)?;
            return Ok(What::Say { box_id, words: rest.to_vec() });
        }
    };
    if rest.is_empty() {
        return Err(format!("`{first}` needs to say what happened"));
    }
    Ok(What::Official { who: official, words: rest.to_vec() })
}

/// `BOX [PLAYER] VERB …`: no more words than the verb takes.
fn nothing_left_over(rest: &[String]) -> Result<(), String> {
    let named = usize::from(verb_of(&rest[0]).is_none());
    let Some(verb) = rest.get(named).and_then(|word| verb_of(word)) else {
        return Ok(());
    };
    let takes = match verb {
        Verb::EvenMoney => 3,
        Verb::Double | Verb::Insurance => 2,
        Verb::Attack | Verb::Award | Verb::Cut | Verb::Follow => 1,
        _ => 0,
    };
    match rest.get(named + 1 + takes) {
        Some(word) => Err(format!("`{word}` is one word too many after `{}`", verb.word())),
        None => Ok(()),
    }
}

/// A match play coupon, and a coupon for the progressive wager.
const MATCH_PLAY: &str = "match-play";
const COUPON: &str = "coupon";

fn bet(rest: &[String]) -> Result<What, String> {
    let [box_id, player, amounts, more @ ..] = rest else {
        return Err("a bet needs a box, a player and an amount, such as `bet 1 ann 10`".to_string());
    };
    let box_id = box_id.parse().map_err(|_| format!("invalid box number `{box_id}`"))?;
    if verb_of(player).is_some() {
        return Err(format!("`{player}` is a verb of the notation and cannot name a player"));
    }
    let amounts = amounts_of(amounts)?;
    let mut sides = Vec::new();
    let (mut seated, mut coupon) = (Seated::Unsaid, None);
    for word in more {
        match (word.as_str(), word.split_once('=')) {
            ("seated", _) => seated = Seated::Yes,
            ("unseated", _) => seated = Seated::No,
            (_, Some((MATCH_PLAY, amount))) => {
                coupon = Some(amount.parse().map_err(|e| format!("{e}"))?);
            }
            // 2.3(k): redeemed for the one dollar that the wager is
            (_, Some(("progressive", COUPON))) => sides.push((SideBet::Progressive, Cents::dollars(1))),
            (_, Some((name, amount))) => {
                let bet = SideBet::from_name(name).ok_or_else(|| unknown_side_bet(name))?;
                sides.push((bet, amount.parse().map_err(|e| format!("{e}"))?));
            }
            _ => return Err(format!("`{word}` is not a side wager like match=5")),
        }
    }
    Ok(What::Bet { box_id, player: player.clone(), amounts, sides, seated, coupon })
}

fn unknown_side_bet(name: &str) -> String {
    let names: Vec<&str> = SideBet::ALL.iter().map(|bet| bet.name()).collect();
    format!("`{name}` is no side wager; there are {}", names.join(", "))
}

/// Returns one amount, or several with a stroke between them.
pub fn amounts_of(text: &str) -> Result<Vec<Cents>, String> {
    let amounts: Result<Vec<Cents>, _> = text.split('/').map(str::parse).collect();
    let amounts = amounts.map_err(|error| error.to_string())?;
    if amounts.len() > 3 {
        return Err(format!("`{text}` has more than three amounts"));
    }
    Ok(amounts)
}

/// Stands behind the amount of a double whose card is asked for face down.
pub const FACE_DOWN: &str = "face-down";

/// What a player says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Makes an attack wager.
    Attack,
    /// Declines any offer.
    Pass,
    /// Insures the hand.
    Insurance,
    /// Has a blackjack paid at once.
    EvenMoney,
    /// Exchanges the second cards.
    Switch,
    /// Takes the exchange back.
    Revoke,
    /// No switch.
    Keep,
    /// Takes a card.
    Hit,
    /// Takes no more cards.
    Stand,
    /// Doubles.
    Double,
    /// Splits.
    Split,
    /// Gives the hand up.
    Surrender,
    /// Covers both hands of a split.
    Cover,
    /// Follows one hand of a split.
    Follow,
    /// The bonus button shows an amount.
    Award,
    /// The exposed card.
    Refuse,
    /// A missed card, late.
    Accept,
    /// A missed card, or the cut.
    Decline,
    /// Cuts the cards.
    Cut,
    /// Lets others wager at the box.
    Consent,
    /// Takes the wagers back.
    Withdraw,
    /// Comes to the box.
    Sits,
    /// That the batch out of a shuffling device be spread and shuffled again.
    AsksReshuffle,
}

/// Returns the verb that a word stands for, to distinguish `1 bob double` from `1 double`.
pub fn verb_of(word: &str) -> Option<Verb> {
    Verb::heard(word, &mut |_| None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_may_be_quoted_as_for_a_shell() {
        let plain = r#"table nj-blackjack decks=6 bonus_payouts=["blackjack:As Ks"] name="Table 12""#;
        let quoted = r#"table nj-blackjack "decks=6" 'bonus_payouts=["blackjack:As Ks"]' 'name="Table 12"'"#;
        assert_eq!(parse(plain).unwrap().table.overrides, parse(quoted).unwrap().table.overrides);
        assert!(parse("table nj-blackjack 'decks=6").is_err());
        assert_eq!(words("bet 1 o'neil 10").unwrap()[2], "o'neil");
    }

    #[test]
    fn no_word_is_passed_over() {
        for line in ["1 hit 5", "1 stand now", "1 ann split 10", "1 follow 2 3", "1 double 5 face-down 5"] {
            let error = parse(&format!("table nj-blackjack\n{line}\n")).unwrap_err();
            assert!(error.line == 2 && error.message.contains("too many"), "{line}: {error}");
        }
        for line in [
            "1 hit",
            "1 ann double 5 face-down",
            "1 insurance 5 first",
            "1 even-money first third",
            "1 attack",
            "1 award 20",
        ] {
            assert!(parse(&format!("table nj-blackjack\n{line}\n")).is_ok(), "{line}");
        }
    }
}
