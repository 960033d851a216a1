//! Parses the text of a round file into statements. Knows the notation, not the rules.

use crate::ids::Role;
use crate::vocabulary::{LineCodec, Word};
use rules::card::NotACard;
use rules::wager::Prize;
use rules::{Card, Cents, SideBet};
use std::fmt;

/// The error for a line that does not follow the notation of round files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotUnderstood {
    /// The line number in the file, from one.
    pub line: usize,
    /// The error in the line, and what to write instead.
    pub message: String,
}

impl fmt::Display for NotUnderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for NotUnderstood {}

/// The line `table NAME K=V …` of a round file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLine {
    /// The line number in the file, from one.
    pub line: usize,
    /// The line as written in the round file.
    pub text: String,
    /// The name of a preset, or a path to a table file.
    pub table: String,
    /// The options that differ from the preset, such as `decks=6`.
    pub overrides: Vec<String>,
}

/// A statement of a round file, with its line number and text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The line number in the file, from one.
    pub line: usize,
    /// The line as written in the round file.
    pub text: String,
    /// The content of the statement.
    pub what: StatementKind,
}

/// The content of a statement: a bet, a player's line or an official's line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// A bet, written `bet BOX PLAYER AMOUNT …`.
    Bet {
        /// The number of the betting box.
        box_id: u8,
        /// The name of the person who bets.
        player: String,
        /// The amount of the bet, or the amounts of the bets in multiple action.
        amounts: Vec<Cents>,
        /// The side bets that are placed with the main bet, and their amounts.
        sides: Vec<(SideBet, Cents)>,
        /// Whether the line says that the player sits at the box.
        seated: Seated,
        /// The amount of a match play coupon that is bet with the chips, or `None` without a coupon.
        coupon: Option<Cents>,
    },
    /// A player's line, written `BOX [PLAYER] VERB …`.
    Say {
        /// The number of the betting box.
        box_id: u8,
        /// The words after the number of the box.
        words: Vec<String>,
    },
    /// An official's line, written `dealer …`, `floor …` or `supervisor …`.
    Official {
        /// The official's role.
        who: Role,
        /// The words after the role.
        words: Vec<String>,
    },
}

/// Whether the bettor sits at the box (2.13(b)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seated {
    /// The line does not say; the first bettor at a box then counts as seated there.
    Unsaid,
    /// The player sits at the box.
    Yes,
    /// The player does not sit at the box.
    No,
}

/// A parsed round file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundFile {
    /// The table that the file names.
    pub table: TableLine,
    /// The cards in dealing order, with `None` for unseen cards.
    pub cards: Vec<Option<Card>>,
    /// The statements, grouped into rounds.
    pub rounds: Vec<Vec<Statement>>,
}

/// Parses a round file. Returns an error for the first line that does not follow the notation.
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
            "table" if table.is_some() => {
                return Err(error("a round file has only one `table` line".to_string()));
            }
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

/// The word for an unseen face-down card in the `cards` line.
pub const UNSEEN: &str = "??";

fn card(word: &str) -> Result<Option<Card>, String> {
    match word {
        UNSEEN => Ok(None),
        _ => word.parse().map(Some).map_err(|bad: NotACard| bad.to_string()),
    }
}

/// Returns a line without its comment, which starts at a `#` outside quotes.
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

/// Splits a line into words at spaces; quotes and brackets keep spaces together.
///
/// An apostrophe quotes only at the start of a word.
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
        rest.split_first().ok_or("`table` must be followed by a preset or the path of a table file")?;
    if let Some(bad) = overrides.iter().find(|word| !word.contains('=')) {
        return Err(format!("invalid override `{bad}`; expected one such as decks=6"));
    }
    let overrides = overrides.iter().map(|word| unquoted(word).to_string()).collect();
    Ok(TableLine { line, text: uncommented(text).trim().to_string(), table: table.clone(), overrides })
}

/// Removes the shell quotes around an override such as `'bonus_payouts=["blackjack:As Ks"]'`.
fn unquoted(word: &str) -> &str {
    let inside = |quote| word.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('\'').or_else(|| inside('"')).unwrap_or(word)
}

fn statement(first: &str, rest: &[String]) -> Result<StatementKind, String> {
    let official = match first {
        "bet" => return bet(rest),
        "dealer" => Role::Dealer,
        "floor" => Role::Floorperson,
        "supervisor" => Role::Supervisor,
        _ => {
            let box_id = first.parse().map_err(|_| format!("unknown statement `{first}`"))?;
            if rest.is_empty() {
                return Err("expected a decision after the box".to_string());
            }
            nothing_left_over(rest)?;
            return Ok(StatementKind::Say { box_id, words: rest.to_vec() });
        }
    };
    if rest.is_empty() {
        return Err(format!("`{first}` must be followed by what happened"));
    }
    Ok(StatementKind::Official { who: official, words: rest.to_vec() })
}

/// Returns an error if the line `BOX [PLAYER] VERB …` has more words than the verb takes.
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
        Some(word) => Err(format!("unexpected `{word}` after `{}`", verb.word())),
        None => Ok(()),
    }
}

/// The word for a match play coupon; [`COUPON`] is the word for a coupon on the progressive bet.
const MATCH_PLAY: &str = "match-play";
const COUPON: &str = "coupon";

fn bet(rest: &[String]) -> Result<StatementKind, String> {
    let [box_id, player, amounts, more @ ..] = rest else {
        return Err("a bet needs a box, a player and an amount, such as `bet 1 ann 10`".to_string());
    };
    let box_id = box_id.parse().map_err(|_| format!("invalid box number `{box_id}`"))?;
    if verb_of(player).is_some() {
        return Err(format!("`{player}` is a verb of the notation and cannot be a player's name"));
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
            // 2.3(k): redeemed for one dollar, which is the bet
            (_, Some((name, amount))) => {
                let bet = SideBet::from_name(name).ok_or_else(|| unknown_side_bet(name))?;
                let redeemed = amount == COUPON && bet.kind().prize == Prize::Meter;
                let amount = if redeemed { Ok(Cents::dollars(1)) } else { amount.parse::<Cents>() };
                sides.push((bet, amount.map_err(|e| format!("{e}"))?));
            }
            _ => return Err(format!("invalid side bet `{word}`; expected one such as match=5")),
        }
    }
    Ok(StatementKind::Bet { box_id, player: player.clone(), amounts, sides, seated, coupon })
}

fn unknown_side_bet(name: &str) -> String {
    let names: Vec<&str> = SideBet::ALL.iter().map(|bet| bet.name()).collect();
    format!("unknown side bet `{name}`; expected {}", names.join(", "))
}

/// Parses one to three amounts, such as `10/5/5`.
pub fn amounts_of(text: &str) -> Result<Vec<Cents>, String> {
    let amounts: Result<Vec<Cents>, _> = text.split('/').map(str::parse).collect();
    let amounts = amounts.map_err(|error| error.to_string())?;
    if amounts.len() > 3 {
        return Err(format!("`{text}` has more than three amounts"));
    }
    Ok(amounts)
}

/// The word after the amount of a double that asks for a face-down double card.
pub const FACE_DOWN: &str = "face-down";

/// The verb of a player's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Makes an attack bet.
    Attack,
    /// Declines any offer.
    Pass,
    /// Insures the hand.
    Insurance,
    /// Takes even money.
    EvenMoney,
    /// Exchanges the second cards.
    Switch,
    /// Revokes the switch.
    Revoke,
    /// Declines the switch.
    Keep,
    /// Takes a card.
    Hit,
    /// Takes no more cards.
    Stand,
    /// Doubles the hand.
    Double,
    /// Splits the pair.
    Split,
    /// Surrenders the hand.
    Surrender,
    /// Covers both hands of a split.
    Cover,
    /// Follows one hand of a split.
    Follow,
    /// States the amount that the bonus button showed.
    Award,
    /// Refuses the exposed card.
    Refuse,
    /// Accepts a missed card that is dealt late.
    Accept,
    /// Declines a missed card, or declines to cut the cards or to share a box.
    Decline,
    /// Cuts the cards.
    Cut,
    /// Lets others bet at the box.
    Consent,
    /// Withdraws all bets at the box.
    Withdraw,
    /// Comes to the box, without a bet yet.
    Sits,
    /// Asks that the batch from a shuffling device be spread and shuffled again.
    AsksReshuffle,
}

/// Returns the verb that a word stands for, or `None` if the word is no verb.
///
/// A word that is no verb is a player's name, as in `1 bob double`.
pub fn verb_of(word: &str) -> Option<Verb> {
    Verb::from_line(word, &mut |_| None)
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
            assert!(error.line == 2 && error.message.contains("unexpected `"), "{line}: {error}");
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
