//! Checks a finished shoe, and describes the result of each check in one sentence.
//!
//! The page has the same checks in `proof.js`. Both must give the same verdicts on the test vectors in
//! `vectors.json`, which model a dishonest house.

use super::notes::{BrowserNotes, SeenCard};
use super::opening::{CUT_RULE, MIX_RULE, Opening, Statement};
use super::order::{MOST_BURNED, Mixed, Share, bytes_of, derived_cut, sequence};
use ledger::keys::from_hex;
use rules::Card;
use rules::card::parse_cards;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The evidence that an opening is checked against: a browser's notes, a commitment and a nonce.
///
/// Each of the three is optional.
#[derive(Clone, Copy, Default)]
pub struct Against<'a> {
    pub log: Option<&'a BrowserNotes>,
    pub commitment: Option<&'a str>,
    pub nonce: Option<&'a str>,
}

/// The result of checking a shoe: whether it passes, the result of each check, and what could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// The checks that were made.
    pub checks: Vec<Check>,
    /// Whether every check passed.
    pub holds: bool,
    /// The checks that could not be made, because evidence is missing.
    pub unchecked: Vec<Unchecked>,
}

/// One check of a finished shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Check {
    /// The name of the check, such as `commitment`.
    pub check: String,
    /// Whether the check passed.
    pub holds: bool,
    /// What the check found, or what is wrong, in one sentence.
    pub message: String,
}

/// A check that was not made, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unchecked {
    /// The name of the check.
    pub check: String,
    /// Why the check was not made, in one sentence.
    pub message: String,
}

/// The result of a check: a sentence about what was found, or about what is wrong.
type Found = Result<String, String>;

const UNREADABLE: &str = "the cards of the opening cannot be read";
const UNSEEN: &str = "no log was given, so the cards were not compared with those that a browser saw";
/// Why an observer who gave no nonce of their own cannot trust that nobody chose the order.
///
/// Whoever makes up all shares before the list closes knows all nonces, and can try orders until one suits.
const UNPROVEN_WITHOUT_OWN_NONCE: &str =
    "your nonce was not given: whoever made the shares could have chosen the order after the commitment";
const UNPROVEN_OWN_NONCE_WITHHELD: &str = "your nonce was never revealed: whoever made the other shares could have \
                                           chosen the order after the commitment";
const UNPROVEN_WITHOUT_NONCES: &str =
    "nobody added a nonce: the house alone chose the order, before the commitment";

/// An opening with its cards parsed, and the notes that a player's browser kept if there are any.
struct Shoe<'a> {
    opening: &'a Opening,
    order: Vec<Card>,
    drawn: Vec<Card>,
    log: Option<&'a BrowserNotes>,
}

/// Checks that the parts of an opening agree with each other and with the evidence in `against`.
pub fn verify(opening: &Opening, against: Against<'_>) -> Verdict {
    let (order, drawn) = (parse_cards(&opening.committed.order), parse_cards(&opening.drawn));
    let readable = order.is_ok() && drawn.is_ok();
    let (order, drawn) = (order.unwrap_or_default(), drawn.unwrap_or_default());
    let shoe = Shoe { opening, order, drawn, log: against.log };
    let read = |check: &dyn Fn() -> Found| if readable { check() } else { Err(UNREADABLE.into()) };
    let found: [(&str, Option<Found>); 9] = [
        ("composition", Some(read(&|| shoe.composition()))),
        ("commitment", Some(read(&|| shoe.commitment(against.commitment)))),
        ("cut", Some(read(&|| shoe.cut()))),
        ("shares", Some(shoe.shares())),
        ("nonce", shoe.nonce(against.nonce).transpose()),
        ("mix", Some(read(&|| shoe.mix()))),
        ("drawn", Some(read(&|| shoe.drawn()))),
        ("seen", against.log.map(|log| read(&|| shoe.seen(log)))),
        ("signature", Some(shoe.signature())),
    ];
    let (mut checks, mut unchecked) = (Vec::new(), Vec::new());
    for (check, found) in found {
        let check = check.to_owned();
        match found {
            Some(Ok(message)) => checks.push(Check { check, holds: true, message }),
            Some(Err(message)) => checks.push(Check { check, holds: false, message }),
            None => {
                let message = if check == "nonce" { shoe.without_own_nonce() } else { UNSEEN };
                unchecked.push(Unchecked { check, message: message.into() });
            }
        }
    }
    Verdict { holds: checks.iter().all(|check| check.holds), checks, unchecked }
}

fn held(holds: bool, wrong: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(wrong()) }
}

impl Shoe<'_> {
    fn composition(&self) -> Found {
        let committed = &self.opening.committed;
        let (decks, deck) = (committed.decks, committed.deck);
        held(matches!(deck, 48 | 52), || format!("invalid deck of {deck} cards: a deck has 52 or 48 cards"))?;
        let layout = parse_cards(&committed.on_layout).map_err(|_| UNREADABLE.to_owned())?;
        let mut held_cards = [0u32; 52];
        for card in self.order.iter().chain(&layout) {
            held_cards[usize::from(card.index())] += 1;
        }
        for (index, has) in (0u8..).zip(held_cards) {
            let Some(card) = Card::from_index(index) else { continue };
            let ten = card.to_string().starts_with('T');
            let should = if deck == 48 && ten { 0 } else { decks };
            held(has == should, || {
                format!("number of {card} in the shoe: {has}; {decks} decks of {deck} cards have {should}")
            })?;
        }
        if let Some(log) = self.log {
            held((log.decks, log.deck) == (decks, deck), || {
                let (told, cards) = (log.decks, log.deck);
                format!(
                    "the table announced {told} decks of {cards} cards; the opening has {decks} of {deck}"
                )
            })?;
            if !layout.is_empty() {
                let (claimed, seen) = (layout.len(), log.layout.len().saturating_add(log.face_down));
                held(claimed == seen, || {
                    format!(
                        "the shoe opening says that {claimed} cards were on the layout when the shoe was \
                         shuffled, but this browser saw {seen}"
                    )
                })?;
                let mut left: Vec<String> = layout.iter().map(Card::to_string).collect();
                for card in &log.layout {
                    let at = left.iter().position(|other| other == card);
                    let at = at.ok_or_else(|| {
                        format!(
                            "{card} was on the layout when the shoe was shuffled, but the shoe opening lists \
                             it in the shoe"
                        )
                    })?;
                    left.swap_remove(at);
                }
            }
        }
        Ok(match layout.len() {
            0 => format!("{decks} decks of {deck} cards"),
            n => {
                format!("{decks} decks of {deck} cards, {n} of them on the layout when the shoe was shuffled")
            }
        })
    }

    fn commitment(&self, noted: Option<&str>) -> Found {
        let found = self.opening.committed.commitment();
        held(found == self.opening.commitment, || {
            format!(
                "the commitment computed from the order and its nonce is {found}; the opening has {}",
                self.opening.commitment
            )
        })?;
        if let Some(noted) = noted {
            held(noted.eq_ignore_ascii_case(&found), || {
                format!("the recorded commitment is {noted}; that of the opening is {found}")
            })?;
        }
        if let Some(log) = self.log {
            let (table, shoe) = (log.table, log.shoe);
            held((table, shoe) == (self.opening.committed.table, self.opening.committed.shoe), || {
                format!("the log is for another shoe: shoe {shoe} of table {table}")
            })?;
            let told = &log.commitment.commitment;
            held(*told == found, || {
                format!("the commitment in the log is {told}; that of the opening is {found}")
            })?;
            let gone = self.order.len().saturating_sub(log.commitment.left);
            held(gone <= MOST_BURNED, || {
                format!(
                    "the log recorded the commitment only after {gone} cards had left the shoe, so it does not show \
                     that the order was fixed before the first card"
                )
            })?;
        }
        Ok(match (noted, self.log) {
            (None, None) => {
                "the card order matches the commitment in the opening, which was not compared with one recorded \
                 beforehand"
                    .into()
            }
            _ => "the card order matches the commitment recorded before the first card".into(),
        })
    }

    fn cut(&self) -> Found {
        let Opening { committed, commitment, cut, cut_by, .. } = self.opening;
        let (cut, size) = (*cut, self.order.len());
        held(committed.cut_rule == CUT_RULE, || {
            format!("unknown cut rule `{}`; expected `{CUT_RULE}`", committed.cut_rule)
        })?;
        let least = committed.cut_least.min(size / 2);
        held((least..=size - least).contains(&cut), || {
            format!("the cut at {cut} leaves fewer than {least} of {size} cards on one side")
        })?;
        if cut_by.is_none() {
            let derived = derived_cut(commitment, size, committed.cut_least);
            held(cut == derived, || {
                format!("the house cut at {cut}; the commitment requires a cut at {derived}")
            })?;
        }
        if let Some(log) = self.log {
            let seen = log.cut.ok_or("the log does not record the cut")?;
            held((seen.at, seen.by) == (cut, *cut_by), || {
                format!(
                    "this browser saw {} cut at {}, but the shoe opening says that {} cut at {cut}",
                    cutter_name(seen.by),
                    seen.at,
                    cutter_name(*cut_by)
                )
            })?;
        }
        Ok(format!("{} cut at {cut}", cutter_name(*cut_by)))
    }

    fn shares(&self) -> Found {
        let shares = &self.opening.mixed.shares;
        let signed_list = self.opening.signatures.as_ref().and_then(|all| all.list.as_ref());
        let in_mid_round = !self.opening.committed.on_layout.is_empty();
        held(!in_mid_round || shares.is_empty(), || {
            "a shoe shuffled in mid-round must not have nonce shares".into()
        })?;
        held(in_mid_round || signed_list.is_some(), || {
            "the opening has no signature of the closed list of shares".into()
        })?;
        for (at, share) in shares.iter().enumerate() {
            let place = at + 1;
            let nonce = share.nonce.as_deref().map(bytes_of);
            held(bytes_of(&share.hash).is_some() && nonce != Some(None), || {
                format!("the hash and the nonce of share {place} must each be 64 hexadecimal digits")
            })?;
            let same = shares[..at].iter().position(|other| other.hash == share.hash);
            held(same.is_none(), || {
                format!("share {place} has the same hash as share {}", same.unwrap_or_default() + 1)
            })?;
            let fits = nonce.flatten().is_none_or(|nonce| Share::hash_of(&nonce).to_string() == share.hash);
            held(fits, || format!("the nonce of share {place} does not match its hash"))?;
        }
        if let Some(log) = self.log.filter(|_| !in_mid_round) {
            let list = log.list.as_ref().ok_or("the log does not record the closed list of shares")?;
            let (noted, many) = (list.hashes.len(), shares.len());
            held(noted == many, || {
                format!("the list of shares was closed with {noted} entries, but the shoe opening has {many}")
            })?;
            for (at, (noted, share)) in list.hashes.iter().zip(shares).enumerate() {
                held(*noted == share.hash, || {
                    let place = at + 1;
                    format!(
                        "share {place} of the closed list is {noted}, but the shoe opening has {}",
                        share.hash
                    )
                })?;
            }
            held((list.cut, list.cut_by) == (self.opening.cut, self.opening.cut_by), || {
                format!(
                    "{} cut at {} when the list of shares was closed, but the shoe opening gives a different \
                     cut",
                    cutter_name(list.cut_by),
                    list.cut
                )
            })?;
            held(list.after == self.opening.mixed.after, || {
                format!(
                    "the list of shares was closed when {} cards had left the shoe, but the shoe opening \
                     says that the nonces were mixed in after {}",
                    list.after, self.opening.mixed.after
                )
            })?;
            if let Some(own) = &log.share {
                let there = own.place.checked_sub(1).and_then(|at| shares.get(at));
                held(there.is_some_and(|share| share.hash == own.hash), || {
                    format!(
                        "the house acknowledged {} as share {}, but the shoe opening does not have it there",
                        own.hash, own.place
                    )
                })?;
            }
        }
        let withheld = self.opening.shares().1;
        Ok(match (shares.len(), withheld) {
            (0, _) => "no player added a nonce".into(),
            (all, 0) => format!("{all} shares, all of them revealed"),
            (all, withheld) => format!("{all} shares, {withheld} of them withheld"),
        })
    }

    /// Checks that the observer's own nonce was mixed into the order, and returns the result as a sentence.
    ///
    /// Returns `Ok(None)` if no own nonce is known, or if the observer never revealed it. Such an observer has no
    /// proof that nobody chose the order.
    fn nonce(&self, given: Option<&str>) -> Result<Option<String>, String> {
        let noted = self.log.and_then(|log| log.nonce.as_deref());
        let log = self.log.filter(|_| given.is_none());
        let unanswered = log.is_some_and(|log| log.sent && !log.revealed);
        let withheld_oneself = log.is_some_and(|log| !log.sent && !log.revealed);
        let mut found = None;
        for nonce in [given, noted].into_iter().flatten() {
            let bytes =
                bytes_of(nonce).ok_or_else(|| format!("the nonce {nonce} must be 64 hexadecimal digits"))?;
            let hash = Share::hash_of(&bytes).to_string();
            let share = self.opening.mixed.shares.iter().find(|share| share.hash == hash);
            let share =
                share.ok_or_else(|| format!("the nonce {nonce} was not mixed into the order of the shoe"))?;
            match share.nonce {
                Some(_) => found = Some("your nonce was mixed into the order".to_owned()),
                None if unanswered => {
                    return Err(format!(
                        "this browser sent the nonce {nonce}; the house never acknowledged it, and the opening says \
                         that it was withheld"
                    ));
                }
                None if withheld_oneself => {}
                None => return Err(format!("the opening says that the nonce {nonce} was withheld")),
            }
        }
        Ok(found)
    }

    /// Returns the reason why an observer whose own nonce was not mixed in has no proof of the order.
    fn without_own_nonce(&self) -> &'static str {
        if self.opening.mixed.shares.is_empty() {
            UNPROVEN_WITHOUT_NONCES
        } else if self.log.is_some_and(|log| log.nonce.is_some()) {
            UNPROVEN_OWN_NONCE_WITHHELD
        } else {
            UNPROVEN_WITHOUT_OWN_NONCE
        }
    }

    fn mix(&self) -> Found {
        let Opening { committed, commitment, cut, mixed, .. } = self.opening;
        held(committed.mix_rule == MIX_RULE, || {
            format!("unknown mixing rule `{}`; expected `{MIX_RULE}`", committed.mix_rule)
        })?;
        let after = mixed.after;
        held(after <= MOST_BURNED, || {
            format!(
                "the nonces were mixed in after {after} cards had left the shoe; only the burn card may leave earlier"
            )
        })?;
        let mixed = Mixed::of(mixed).ok_or("every hash and nonce must be 64 hexadecimal digits")?;
        let right = sequence(&self.order, commitment, *cut, &mixed);
        let wrong = self.drawn.iter().zip(&right).position(|(drawn, right)| drawn != right);
        if let Some(at) = wrong {
            let cut_only = sequence(&self.order, commitment, *cut, &Mixed::default());
            held(!cut_only.starts_with(&self.drawn), || {
                "the cards were dealt without the players' nonces".into()
            })?;
            return Err(format!(
                "card {} was {}; the order, the cut and the nonces give {}",
                at + 1,
                self.drawn[at],
                right[at]
            ));
        }
        Ok(format!("all {} drawn cards match the order, the cut and the nonces", self.drawn.len()))
    }

    fn drawn(&self) -> Found {
        let (drawn, size) = (self.drawn.len(), self.order.len());
        held(drawn > 0, || "the opening lists no drawn cards".into())?;
        held(drawn <= size, || format!("{drawn} cards were drawn from a shoe of {size}"))?;
        let mut dealt: Vec<Card> = Vec::new();
        let mut last = None;
        for round in &self.opening.rounds {
            held(last.is_none_or(|last| last < round.round), || {
                format!("round {} is out of order: round numbers must increase", round.round)
            })?;
            last = Some(round.round);
            dealt.extend(parse_cards(&round.cards).map_err(|_| UNREADABLE.to_owned())?);
        }
        held(dealt == self.drawn, || {
            format!("the {} cards of the rounds are not the {drawn} that were drawn", dealt.len())
        })?;
        let rounds = self.opening.rounds.len();
        let Some(log) = self.log else {
            return Ok(format!(
                "{drawn} cards in {rounds} rounds; no log was given, so the rounds were not compared with those that a \
                 browser saw"
            ));
        };
        for SeenCard { round, left, .. } in &log.cards {
            held(self.opening.rounds.iter().any(|opened| opened.round == *round), || {
                format!("this browser saw cards in round {round}; the opening has no such round")
            })?;
            let gone = left.map_or(0, |left| size.saturating_sub(left));
            held(gone <= drawn, || {
                format!(
                    "this browser saw {gone} cards leave the shoe; the opening says that {drawn} were drawn"
                )
            })?;
        }
        Ok(format!("{drawn} cards in {rounds} rounds, including every round that this browser saw"))
    }

    fn seen(&self, log: &BrowserNotes) -> Found {
        held(!log.cards.is_empty(), || "the log has no card from this shoe".into())?;
        for (n, seen) in log.cards.iter().enumerate() {
            let (card, drawn) = (&seen.card, self.drawn.len());
            let left = seen.left.ok_or_else(|| {
                format!("the house showed {card} without saying how many cards were left in the shoe")
            })?;
            let at = self.order.len().checked_sub(left).and_then(|drawn| drawn.checked_sub(1));
            let at = at.ok_or_else(|| format!("the log places {card} before the first card"))?;
            let place = at + 1;
            let twice = log.cards[..n].iter().find(|other| other.left == seen.left);
            held(twice.is_none(), || {
                let other = twice.map_or("", |other| other.card.as_str());
                format!("the house showed two cards as card {place}: {other} and {card}")
            })?;
            let there = self.drawn.get(at).ok_or_else(|| {
                format!("this browser saw {card} as card {place}; the opening says that {drawn} were drawn")
            })?;
            held(there.to_string() == *card, || {
                format!("this browser saw {card} as card {place}; the opening has {there}")
            })?;
            let mut before = 0;
            let round = self.opening.rounds.iter().find(|round| {
                before += round.cards.split_whitespace().count();
                at < before
            });
            let opened = round.map_or(0, |round| round.round);
            held(opened == seen.round, || {
                format!(
                    "this browser saw card {place} in round {}; the opening has it in round {opened}",
                    seen.round
                )
            })?;
        }
        Ok(format!("all {} cards that this browser saw match the opening", log.cards.len()))
    }

    fn signature(&self) -> Found {
        let signatures = self.opening.signatures.as_ref().ok_or("the opening is not signed")?;
        let house = &signatures.house;
        let signed = |what: &str, text: &[u8], signature: &str| {
            held(is_signed(house, text, signature), || {
                format!("the signature of {what} was not made with the house's key {house}")
            })
        };
        if let Some(log) = self.log {
            held(log.house == *house, || {
                format!("the log is from a house with the key {}; the opening's house has {house}", log.house)
            })?;
        }
        signed("the commitment", &self.opening.commitment_text(), &signatures.commitment)?;
        if let Some(list) = &signatures.list {
            signed("the closed list", &self.opening.list_text(), list)?;
        }
        signed("the opening", &self.opening.signed_text(), &signatures.opening)?;
        if let Some(log) = self.log {
            let (table, shoe, commitment) = (log.table, log.shoe, log.commitment.commitment.as_str());
            let text = Statement::Commitment { table, shoe, commitment }.text();
            signed("the commitment in the log", &text, &log.commitment.signature)?;
            if let Some(list) = &log.list {
                let hashes = list.hashes.iter().map(String::as_str).collect();
                let (cut, cut_by, after) = (list.cut, list.cut_by, list.after);
                let text = Statement::List { table, shoe, commitment, cut, cut_by, after, hashes }.text();
                signed("the closed list in the log", &text, &list.signature)?;
            }
            if let Some(share) = &log.share {
                let (place, hash) = (share.place, share.hash.as_str());
                let text = Statement::Share { table, shoe, commitment, place, hash }.text();
                signed("the acknowledgement in the log", &text, &share.signature)?;
            }
        }
        Ok(format!("signed with the house's key {house}"))
    }
}

/// Names who cut.
fn cutter_name(by: Option<u8>) -> String {
    by.map_or("the house".into(), |by| format!("box {by}"))
}

fn is_signed(house: &str, text: &[u8], signature: &str) -> bool {
    let signature = from_hex(signature).and_then(|bytes| bytes.try_into().ok());
    let (Some(house), Some(signature)) = (bytes_of(house), signature) else { return false };
    ledger::seal::is_signed(&house, text, &signature)
}
