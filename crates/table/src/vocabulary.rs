//! The vocabulary of a table: one word for every event, command, step, irregularity, offer and role.
//!
//! The round notation, the journal, the JSON and the page use these words. A variant without a word does not compile.
//!
//! A [`LineCodec`] value can also be written as a line, which is its word followed by its fields, and parsed back.
//! For special cases in round files, a variant may have alternative words, which are parsed but never written.

mod line;

pub use line::{LineCodec, LineParser, LineWriter, NOBODY};

use crate::command::{Command, Decision};
use crate::event::{Announcement, Approval, Ending, Finding, SettledAt};
use crate::ids::{BoxId, Person, Role, Side};
use crate::irregular::Irregularity;
use crate::notation::parse::Verb;
use crate::shoe::Procedure;
use line::parse_flag;
use rules::Card;
use rules::script::Offer;

/// A value with a fixed word, such as `hit`, in round files, the journal and JSON.
pub trait Word {
    /// The words for all values of this type.
    const WORDS: &'static [&'static str];

    /// Returns the word for this value.
    fn word(&self) -> &'static str;
}

/// Defines the word of each variant. A missing variant does not compile.
macro_rules! words {
    ($($type:ident { $($variant:ident = $word:literal),+ $(,)? })+) => { $(
        impl Word for $type {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn word(&self) -> &'static str {
                match self { $($type::$variant { .. } => $word),+ }
            }
        }
    )+ };
}

/// Defines the word of each variant, and the order of its fields in a line.
///
/// A flag may be written as one of two words.
macro_rules! lines {
    ($($type:ident { $(
        $variant:ident $(($($part:ident),+))? $({ $($field:ident $([$yes:literal $no:literal])?),+ })?
        = $word:literal $(| $also:literal)*
    ),+ $(,)? })+) => {
        words! { $($type { $($variant = $word),+ })+ }
        $(impl LineCodec for $type {
            fn write(&self, to: &mut LineWriter<'_>) {
                match self { $(
                    $type::$variant $(($($part),+))? $({ $($field),+ })? => {
                        to.push($word);
                        $($($part.write(to);)+)?
                        $($(lines!(@write to $field $($yes $no)?);)+)?
                    }
                )+ }
            }

            fn parse(from: &mut LineParser<'_, '_>) -> Option<$type> {
                Some(match from.words.next()? {
                    $($word $(| $also)* => {
                        $($(let $part = LineCodec::parse(from)?;)+)?
                        $($(let $field = lines!(@parse from $($yes $no)?);)+)?
                        $type::$variant $(($($part),+))? $({ $($field),+ })?
                    })+
                    _ => return None,
                })
            }

            #[cfg(test)]
            fn sample(number: usize) -> $type {
                let (at, _inner) = (number % Self::WORDS.len(), number / Self::WORDS.len());
                $(if Self::WORDS[at] == $word {
                    $($(let $part = LineCodec::sample(_inner);)+)?
                    $($(let $field = LineCodec::sample(_inner);)+)?
                    return $type::$variant $(($($part),+))? $({ $($field),+ })?;
                })+
                unreachable!("every word belongs to a variant")
            }
        })+
    };
    (@write $to:ident $field:ident) => { $field.write($to) };
    (@write $to:ident $field:ident $yes:literal $no:literal) => { $to.push(if *$field { $yes } else { $no }) };
    (@parse $from:ident) => { LineCodec::parse($from)? };
    (@parse $from:ident $yes:literal $no:literal) => { parse_flag($from, $yes, $no)? };
}

/// The values that complete the word of a preparation step or an irregularity, such as the card that was exposed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Fields {
    /// The card of an irregularity, or `None` if the irregularity names no card.
    pub card: Option<Card>,
    /// The box of an irregularity or of the player who cuts, or `None` if there is no such box.
    pub box_id: Option<BoxId>,
    /// The person who verifies that the tens are gone, or `None` for any other step.
    pub person: Option<Person>,
    /// The number of cards before the cut or behind the cut card, or `None` for any other step.
    pub number: Option<u16>,
}

/// A value that is part of a preparation step or an irregularity and is read from [`Fields`].
trait Field: Sized {
    fn of(fields: &Fields) -> Option<Self>;
}

impl Field for Card {
    fn of(fields: &Fields) -> Option<Card> {
        fields.card
    }
}

impl Field for BoxId {
    fn of(fields: &Fields) -> Option<BoxId> {
        fields.box_id
    }
}

/// Takes the box of the player who cuts the cards, or `None` if the dealer cuts.
impl Field for Option<BoxId> {
    fn of(fields: &Fields) -> Option<Option<BoxId>> {
        Some(fields.box_id)
    }
}

impl Field for Person {
    fn of(fields: &Fields) -> Option<Person> {
        fields.person
    }
}

impl Field for u16 {
    fn of(fields: &Fields) -> Option<u16> {
        fields.number
    }
}

/// Defines words and lines as `lines!` does, and a function that makes a value from its word and fields.
macro_rules! requested {
    ($($type:ident { $(
        $variant:ident $(($part:ident))? $({ $($field:ident),+ })? = $word:literal $(| $also:literal)*
    ),+ $(,)? })+) => {
        lines! { $($type { $(
            $variant $(($part))? $({ $($field),+ })? = $word $(| $also)*
        ),+ })+ }
        $(impl $type {
            /// Makes the value from its word and fields.
            ///
            /// Returns `None` if the word is unknown or a field is missing. Other fields are ignored.
            pub fn from_word(word: &str, fields: &Fields) -> Option<$type> {
                Some(match word {
                    $($word $(| $also)* => {
                        $(let $part = Field::of(fields)?;)?
                        $($(let $field = Field::of(fields)?;)+)?
                        $type::$variant $(($part))? $({ $($field),+ })?
                    })+
                    _ => return None,
                })
            }
        })+
    };
}

lines! {
    Command {
        Perform(step) = "perform",
        AcceptCut { box_id, at } = "cut",
        DeclineCut { box_id } = "decline-cut",
        DiscloseBurn(card) = "disclose-burn",
        RelieveDealer(person) = "relieve" | "relieved",
        OrderReshuffle = "reshuffle",
        OrderRecut { role } = "recut",
        FallIdle = "idle",
        AskReshuffle(box_id) = "ask-reshuffle",
        Sit { box_id, person } = "sit",
        Consent(box_id) = "consent",
        Admit(person) = "admit",
        Wager { box_id, person, seated ["seated" "behind"], amounts } = "wager",
        SideWager { box_id, person, bet, amount } = "side",
        Withdraw { box_id, person } = "withdraw",
        CloseWagers = "close-wagers",
        Card(card) = "card",
        FaceDown = "face-down",
        Determinant(card, side) = "determinant",
        Reader(finding) = "reader",
        Attack { box_id, bettor, amount } = "attack",
        Insure { box_id, bettor, hand, amounts } = "insure",
        TakeEvenMoney { box_id, bettor, spots } = "even-money",
        Decline { box_id, bettor, offer } = "decline",
        Switch(box_id) = "switch",
        DeclineSwitch(box_id) = "decline-switch",
        Revoke(box_id) = "revoke",
        Decide { box_id, bettor, decision } = "decide",
        TakeSevensCard { box_id, take } = "sevens-card",
        TakeLateCard { box_id, take } = "late-card",
        RefuseCard(box_id) = "refuse-card",
        Approve { what, role, person } = "approve",
        Award { box_id, bettor, amount } = "award",
        Report(irregularity) = "report",
        ClaimVoid { role } = "void",
        VoidRound { role } = "house-void",
    }

    Decision {
        Stand = "stand",
        Hit = "hit",
        Double { amounts, face_down ["down" "up"] } = "double",
        Split = "split",
        Surrender = "surrender",
        NotDouble = "not-double",
        Cover = "cover",
        Follow(hand) = "follow",
    }

    // what a player says in a round file
    Verb {
        Attack = "attack",
        Pass = "pass",
        Insurance = "insurance",
        EvenMoney = "even-money",
        Switch = "switch",
        Revoke = "revoke",
        Keep = "keep",
        Hit = "hit",
        Stand = "stand",
        Double = "double",
        Split = "split",
        Surrender = "surrender",
        Cover = "cover",
        Follow = "follow",
        Award = "award",
        Refuse = "refuse",
        Accept = "accept",
        Decline = "decline",
        Cut = "cut",
        Consent = "consent",
        Withdraw = "withdraw",
        Sits = "sits",
        AsksReshuffle = "asks-reshuffle",
    }

    Approval {
        Progressive(box_id, bettor) = "progressive",
        Bonus(box_id, bettor) = "bonus",
        QueensOfHearts(box_id, bettor) = "queens-of-hearts",
    }

    Offer {
        Attack = "attack",
        SecondAttack = "second-attack",
        ThirdAttack = "third-attack",
        Insurance = "insurance",
    }

    Role { Player = "player", Dealer = "dealer", Floorperson = "floorperson", Supervisor = "supervisor" }

    Side { Red = "red", Black = "black" }

    Finding { Blackjack = "blackjack", NoBlackjack = "nothing" }
}

requested! {
    Procedure {
        Inspect = "inspect",
        RemoveTens = "remove-tens",
        VerifyTens(person) = "verify-tens",
        DestroyTens = "destroy-tens",
        Spread = "spread",
        TurnUp = "turn-up",
        TurnDown = "turn-down",
        Wash = "wash",
        Stack = "stack",
        EmptyShoe = "empty-shoe",
        Shuffle = "shuffle",
        Plug = "plug",
        Riffle = "riffle",
        Turn = "turn",
        Strip = "strip",
        SwapBatches = "swap-batches",
        Cut { by, at } = "cut",
        PlaceCutCard { behind } = "place-cutting-card",
        CoverBottom = "cover-bottom",
        Load = "load",
        TakeInHand = "take-in-hand",
        Burn = "burn",
        InsertThreeStacks = "insert-three-stacks",
        ReturnToShuffler = "return-to-shuffler",
        ReshuffleDiscards = "reshuffle-discards",
    }

    // in the order in which a dealer looks for them
    Irregularity {
        FoundFaceUp(card) = "found-face-up",
        Exposed(card) = "exposed",
        DrawnUnexposed = "drawn-unexposed",
        DrewOnStanding(card) = "drew-on-standing",
        MissedBox(box_id) = "missed-box" | "missed-second-card",
        MissedDraw(box_id) = "missed-draw",
        MissedOwnCard = "missed-own-card" | "missed-own-second-card",
        Misdelivered(card) = "misdelivered",
        MovedForward(card) = "moved-forward",
        LetOut(box_id) = "let-out" | "lets-out",
        TenFound(card) = "ten-found",
        WrongSide = "wrong-side",
        ReaderMisused = "reader-misused",
        ReaderFailed = "reader-failed",
        UpCardNotMoved = "up-card-not-moved",
        UpCardDiscarded = "up-card-discarded",
        DoubleDealtUp(box_id) = "double-dealt-up",
        LightFailed(box_id) = "light-failed",
        BonusFailed(box_id) = "bonus-failed",
        OutOfCards = "out-of-cards",
        ShufflerFailed = "shuffler-failed",
        ShufflerRemoved = "shuffler-removed",
        BurnForgotten = "burn-forgotten",
        SeenInMixing = "seen-in-mixing",
    }
}

words! {
    // as shown, not as called out
    Announcement {
        NoMoreBets = "no more bets",
        DealersCard = "dealer's card",
        Blackjack = "blackjack",
        SplittingSevens = "splitting sevens",
        DealerTotal = "dealer's total",
        Bonus = "bonus",
        PlayerTotal = "total",
        OrSwitch = "total, or switch",
    }

    Ending {
        Win = "win",
        Lose = "lose",
        Push = "push",
        Surrender = "surrender",
        Void = "void",
        Abandoned = "abandoned",
    }

    SettledAt { Deal = "deal", Peek = "peek", Turn = "turn", Dealer = "dealer", End = "end", Bonus = "bonus" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Fact;
    use rules::SideBet;
    use std::collections::BTreeSet;

    fn name(person: Person) -> String {
        format!("c{}", person.0)
    }

    fn who(name: &str) -> Option<Person> {
        name.strip_prefix('c')?.parse().ok().map(Person)
    }

    /// Covers every command with every step, decision, irregularity, offer, role, side, side bet and approval.
    #[test]
    fn every_command_reads_back_as_what_it_was() {
        let inner = [Procedure::WORDS.len(), Irregularity::WORDS.len(), SideBet::ALL.len()];
        let most = inner.into_iter().max().expect("numbers") * 4;
        let mut words = BTreeSet::new();
        for command in (0..Command::WORDS.len() * most).map(Command::sample) {
            let line = command.to_line(&name);
            assert_eq!(Command::from_line(&line, &mut who), Some(command), "{line}");
            assert_eq!(Command::from_line(&format!("{line} 1"), &mut who), None, "{line}");
            words.extend(line.split(' ').map(str::to_string));
        }
        let kinds = [
            Command::WORDS,
            Decision::WORDS,
            Procedure::WORDS,
            Irregularity::WORDS,
            Approval::WORDS,
            Offer::WORDS,
            Role::WORDS,
            Side::WORDS,
            Finding::WORDS,
        ];
        for word in kinds.concat() {
            assert!(words.contains(word), "no line contains the word {word}");
        }
    }

    #[test]
    fn every_step_and_irregularity_is_asked_for_by_its_word() {
        let card = Card::from_index(0);
        let all = Fields { card, box_id: None, person: Some(Person(4)), number: Some(9) };
        for word in Procedure::WORDS {
            let step = Procedure::from_word(word, &all).expect(word);
            assert_eq!(step.word(), *word);
        }
        assert_eq!(Procedure::from_word("cut", &all), Some(Procedure::Cut { by: None, at: 9 }));
        let all = Fields { card, box_id: Some(BoxId(2)), ..Fields::default() };
        for word in Irregularity::WORDS {
            let found = Irregularity::from_word(word, &all).expect(word);
            assert_eq!(found.word(), *word);
            assert_eq!(found.card(), card.filter(|_| found.card().is_some()));
        }
        assert_eq!(Irregularity::from_word("let-out", &all), Some(Irregularity::LetOut(BoxId(2))));
        let (no_card, no_box) = (Fields { card: None, ..all }, Fields { box_id: None, ..all });
        assert_eq!(Procedure::from_word("cut", &all), None, "a cut needs a number");
        assert_eq!(Procedure::from_word("cut - 9", &all), None, "a whole line is not accepted as one word");
        assert_eq!(Irregularity::from_word("exposed", &no_card), None, "the word needs a card");
        assert_eq!(Irregularity::from_word("missed-box", &no_box), None, "the word needs a box");
    }

    #[test]
    fn one_word_means_one_thing() {
        fn differ<T: Word>() {
            assert_eq!(T::WORDS.iter().collect::<BTreeSet<_>>().len(), T::WORDS.len(), "{:?}", T::WORDS);
        }
        differ::<Command>();
        differ::<Decision>();
        differ::<Procedure>();
        differ::<Irregularity>();
        differ::<Fact>();
        differ::<Announcement>();
        differ::<Verb>();
        differ::<Ending>();
        differ::<SettledAt>();
    }

    /// Lines of every kind, separated by commas, as found in journals.
    ///
    /// All versions from 0.1.0 on must be able to read them.
    const LINES: &str = "perform cut - 200,perform cut 3 20,perform place-cutting-card 104,\
        perform verify-tens c57,perform destroy-tens,perform inspect,perform remove-tens,perform spread,perform wash,\
        perform stack,perform empty-shoe,perform shuffle,perform plug,perform riffle,perform turn,perform strip,\
        perform swap-batches,perform load,perform burn,perform insert-three-stacks,perform turn-up,perform turn-down,\
        perform cover-bottom,perform take-in-hand,perform return-to-shuffler,perform reshuffle-discards,cut 3 99,\
        disclose-burn As,relieve c57,reshuffle,recut supervisor,idle,sit 3 c57,consent 3,admit c58,\
        wager 3 c58 seated 100 50 0,wager 3 c57 behind 100 50 0,side 3 c57 over-13 5,withdraw 3 c57,card As,face-down,\
        determinant As red,determinant As black,reader blackjack,reader nothing,attack 3 1 700,insure 3 1 2 100 50 0,\
        even-money 3 1,decline 3 1 attack,decline 3 1 second-attack,decline 3 1 third-attack,decline 3 1 insurance,\
        switch 3,revoke 3,decide 3 1 stand,decide 3 1 hit,decide 3 1 split,decide 3 1 surrender,decide 3 1 not-double,\
        decide 3 1 cover,decide 3 1 follow 2,decide 3 1 double 100 50 0 down,decide 3 1 double 100 50 0 up,\
        approve progressive 3 1 supervisor c57,approve bonus 3 1 supervisor c57,\
        approve queens-of-hearts 3 1 floorperson c57,award 3 1 500,report seen-in-mixing,report drawn-unexposed,\
        report missed-own-card,report wrong-side,report reader-misused,report reader-failed,report up-card-not-moved,\
        report up-card-discarded,report out-of-cards,report shuffler-failed,report shuffler-removed,\
        report burn-forgotten,report found-face-up As,report ten-found As,report exposed As,report drew-on-standing As,\
        report misdelivered As,report moved-forward As,report let-out 3,report missed-box 3,report missed-draw 3,\
        report light-failed 3,report bonus-failed 3,report double-dealt-up 3,void player,void dealer,\
        void floorperson,void supervisor,house-void floorperson,house-void supervisor,\
        ask-reshuffle 3,decline-cut 3,cut 3 20,close-wagers,decline-switch 3,sevens-card 3 true,late-card 3 false,\
        refuse-card 3";

    #[test]
    fn journals_can_be_read() {
        let mut kinds = BTreeSet::new();
        for line in LINES.split(',') {
            let command = Command::from_line(line, &mut who)
                .unwrap_or_else(|| panic!("the line `{line}` cannot be parsed"));
            assert_eq!(command.to_line(&name), line);
            kinds.insert(command.word());
        }
        let missing: Vec<_> = Command::WORDS.iter().filter(|word| !kinds.contains(*word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn nonsense_is_not_read() {
        for line in [
            "",
            "dance",
            "card",
            "card Xx",
            "wager 1 z5 seated 1 1 1",
            "wager 1 c5 lying 1 1 1",
            "close now",
            "cut 1",
            "decide 1 0 think",
        ] {
            assert_eq!(Command::from_line(line, &mut who), None, "{line}");
        }
    }
}
