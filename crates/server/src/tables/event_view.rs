//! Events as people see them: machine-readable, with the clause, and without hidden cards.
//!
//! [`EventKind`] is generated from the list of facts in `table::event`, so that a new fact has its JSON and its
//! schema. A fact whose JSON differs from its own fields has a type of its own in [`own`].

use super::live::By;
use super::seats::Seats;
// the types of the facts' fields, as the JSON has them
use super::shown::{
    BettorNumber as Bettor, BoxNumber as BoxId, Face as Card, HandNumber, IrregularityWord as Irregularity,
    OfferWord as Offer, PersonNumber as Person, Place as CardPlace, ReaderFinding as Finding, Show,
    SpotAmounts as Amounts, SpotNumber as Spot, WagerWord as SideBet,
};
use crate::wire::Money as Cents;
use serde::Serialize;
use table::{Event, Fact};
use utoipa::ToSchema;

/// An event: what happened, and the clause that it follows from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Event)]
pub struct EventView {
    #[serde(flatten)]
    pub kind: EventKind,
    /// The citation of the clause that the event follows from.
    pub clause: &'static str,
    /// The actor that caused the event, if no person did: the house, or the platform for an absent player; absent
    /// for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by: Option<EventActor>,
}

/// An actor other than a person: the house, or the platform in place of an absent player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventActor {
    House,
    PlatformForAbsent,
}

impl EventActor {
    fn of(by: By) -> Option<EventActor> {
        match by {
            By::Person => None,
            By::House => Some(EventActor::House),
            By::Absent => Some(EventActor::PlatformForAbsent),
        }
    }
}

/// Defines `EventKind` from the list of facts.
macro_rules! define_kinds {
    ($(
        $(#[$($doc:tt)*])*
        $variant:ident
        $(($one:ident $([$one_named:tt])?: $one_type:ty))?
        $({ $($(#[$($field_doc:tt)*])* $field:ident $([$named:tt])?: $type:ty),* $(,)? })?
        $(as $own:ident
            $(($own_one:ident: $own_type:ty))?
            $({ $($(#[$($own_doc:tt)*])* $own_field:ident: $own_field_type:ty),* $(,)? })?
        )?
        = $word:tt
    ),* $(,)?) => {
        /// What happened: a fact of the rules engine, or a correction of the record.
        #[derive(Clone, Debug, Serialize, ToSchema)]
        #[serde(tag = "event")]
        pub enum EventKind {
            $(
                $(#[$($doc)*])*
                #[serde(rename = $word)]
                $variant
                $({ $(#[serde(rename = $one_named)])? $one: $one_type })?
                $({ $($(#[$($field_doc)*])* $(#[serde(rename = $named)])? $field: $type),* })?
                $((own::$own))?,
            )*
            /// The dealer corrected the last card that was recorded.
            #[serde(rename = "card-corrected")]
            CardCorrected(own::CardCorrected),
        }

        fn kind(fact: &Fact, seats: &Seats) -> EventKind {
            match fact { $(
                Fact::$variant
                $(($one))?
                $({ $($field),* })?
                $($(($own_one))? $({ $($own_field),* })?)?
                => EventKind::$variant
                $({ $one: $one.show(seats) })?
                $({ $($field: $field.show(seats)),* })?
                $((own::$own::of(seats $(, $own_one)? $($(, $own_field)*)?)))?,
            )* }
        }
    };
}

table::facts!(define_kinds);

/// The key of the event in which a card is corrected, which the rules engine does not have.
pub const CORRECTED: &str = "card-corrected";

/// Returns the view of an event; `hidden` leaves out the dealt card, because it lies face down.
pub fn view(by: By, event: &Event, seats: &Seats, hidden: bool) -> EventView {
    let mut kind = kind(&event.fact, seats);
    if let EventKind::Dealt(dealt) = &mut kind
        && hidden
    {
        dealt.card = None;
    }
    EventView { kind, clause: event.by.citation(), by: EventActor::of(by) }
}

/// The events whose JSON differs from the fact of the rules engine.
pub mod own {
    use super::super::correction::Corrected;
    use super::super::origins::Origin;
    use super::super::seats::Seats;
    use super::super::shown::{
        AnnouncementWord, ApprovalWord, BettorNumber, BoxNumber, EndingWord, Face, HandNumber, PersonNumber,
        Place, SettledAtWord, Show, SideWord, SpotNumber, StepWord, TableRole, WagerWord,
    };
    use crate::wire::Money;
    use serde::Serialize;
    use table::event::{Announcement, Approval};
    use table::shoe::Procedure;
    use table::{BoxId, CardPlace, Person, Role, Side, Spots};
    use utoipa::ToSchema;

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Performed {
        /// The step of preparing the cards.
        step: StepWord,
        /// The number of the box whose player cut the cards, null if no player did; absent for other steps.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<BoxNumber>)]
        r#box: Option<Option<BoxNumber>>,
        /// The number of cards above the cut; absent for other steps.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        at: Option<u16>,
        /// The number of cards behind the cut card; absent for other steps.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        behind: Option<u16>,
        /// The number by which views name the person who verified that the tens are removed; absent for other
        /// steps.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        person: Option<PersonNumber>,
    }

    impl Performed {
        pub fn of(seats: &Seats, step: &Procedure) -> Performed {
            let mut view =
                Performed { step: (*step).into(), r#box: None, at: None, behind: None, person: None };
            match step {
                Procedure::Cut { by, at } => {
                    (view.r#box, view.at) = (Some(by.map(|cutter| cutter.show(seats))), Some(*at));
                }
                Procedure::PlaceCutCard { behind } => view.behind = Some(*behind),
                Procedure::VerifyTens(person) => view.person = Some(person.show(seats)),
                _ => {}
            }
            view
        }
    }

    /// The event that a card was burned; the event does not disclose the card.
    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Burned {}

    impl Burned {
        pub fn of(_: &Seats, _: &Option<rules::Card>) -> Burned {
            Burned {}
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Determined {
        /// The determinant card: rank and suit, such as `As`.
        card: Face,
        /// The side of the double shoe that the determinant card was drawn from.
        drawn_from: SideWord,
        /// The side of the double shoe that deals the round.
        deals: SideWord,
        /// Whether the determinant card is burned.
        burned: bool,
        /// Where the determinant card came from; absent where a person deals.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pub origin: Option<Origin>,
    }

    impl Determined {
        pub fn of(_: &Seats, card: &rules::Card, drawn_from: &Side, deals: &Side) -> Determined {
            let burned = drawn_from != deals;
            let (drawn_from, deals) = ((*drawn_from).into(), (*deals).into());
            Determined { card: Face(*card), drawn_from, deals, burned, origin: None }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Dealt {
        /// The place that the card was dealt to.
        to: Place,
        /// The card; null while it is face down.
        #[schema(required)]
        pub card: Option<Face>,
        /// Where the card came from; absent where a person deals.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pub origin: Option<Origin>,
    }

    impl Dealt {
        pub fn of(seats: &Seats, to: &CardPlace, card: &Option<rules::Card>) -> Dealt {
            let card = card.filter(|_| *to != CardPlace::HoleDown).map(Face);
            Dealt { to: to.show(seats), card, origin: None }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct HoleTurned {
        /// The hole card: rank and suit, such as `As`.
        card: Face,
        /// Where the hole card came from; absent where a person deals.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pub origin: Option<Origin>,
    }

    impl HoleTurned {
        pub fn of(_: &Seats, card: &rules::Card) -> HoleTurned {
            HoleTurned { card: Face(*card), origin: None }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Announced {
        /// The key of the announcement that the dealer makes.
        words: AnnouncementWord,
        /// The number of the box that the announcement concerns; absent if it concerns none.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        r#box: Option<BoxNumber>,
        /// The number of the hand that the announcement concerns; absent if it concerns none.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        hand: Option<HandNumber>,
        /// The bettor whom the announcement concerns, by order of arrival at the box; absent if it concerns none.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        bettor: Option<BettorNumber>,
        /// The total that the dealer announces; absent from other announcements.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        total: Option<u8>,
        /// The amount of the bonus that the dealer announces; absent from other announcements.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        amount: Option<Money>,
    }

    impl Announced {
        pub fn of(seats: &Seats, said: &Announcement) -> Announced {
            let words = (*said).into();
            let bare = Announced { words, r#box: None, hand: None, bettor: None, total: None, amount: None };
            let at = |box_id: BoxId| Announced { r#box: Some(box_id.show(seats)), ..bare.clone() };
            match *said {
                Announcement::NoMoreBets | Announcement::DealersCard => bare,
                Announcement::Blackjack(box_id) | Announcement::SplittingSevens(box_id) => at(box_id),
                Announcement::DealerTotal(total) => Announced { total: Some(total), ..bare },
                Announcement::OrSwitch(box_id, hand, total)
                | Announcement::PlayerTotal(box_id, hand, total) => {
                    Announced { hand: Some(hand.show(seats)), total: Some(total), ..at(box_id) }
                }
                Announcement::Bonus(box_id, bettor, amount) => {
                    Announced { bettor: Some(bettor.show(seats)), amount: Some(Money(amount)), ..at(box_id) }
                }
            }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct EvenMoneyTaken {
        /// The number of the box.
        r#box: BoxNumber,
        /// The number of the bettor, by order of arrival at the box.
        bettor: BettorNumber,
    }

    impl EvenMoneyTaken {
        pub fn of(seats: &Seats, box_id: &BoxId, bettor: &table::Bettor, _: &Spots) -> EvenMoneyTaken {
            EvenMoneyTaken { r#box: box_id.show(seats), bettor: bettor.show(seats) }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Approved {
        /// The key of the payment that was approved.
        what: ApprovalWord,
        /// The number of the box.
        r#box: BoxNumber,
        /// The number of the bettor, by order of arrival at the box.
        bettor: BettorNumber,
        /// The role of the person who approved the payment.
        role: TableRole,
        /// The number by which views name the person who approved the payment.
        person: PersonNumber,
    }

    impl Approved {
        pub fn of(seats: &Seats, what: &Approval, by: &Role, person: &Person) -> Approved {
            let (box_id, bettor) = what.whose();
            Approved {
                what: (*what).into(),
                r#box: box_id.show(seats),
                bettor: bettor.show(seats),
                role: (*by).into(),
                person: person.show(seats),
            }
        }
    }

    /// The settlement of one bet of a player.
    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Settlement {
        /// The number of the box.
        r#box: BoxNumber,
        /// The number of the hand.
        hand: HandNumber,
        /// The number by which views name the person whose bet was settled.
        person: PersonNumber,
        /// The key of the bet, such as `main`.
        wager: WagerWord,
        /// The number of the dealer hand in Multiple Action; 1 elsewhere.
        spot: SpotNumber,
        /// The amount of the bet.
        amount: Money,
        /// The net win of the bet: positive if the person won, negative if the person lost.
        net: Money,
        /// How the bet ended.
        result: EndingWord,
        /// The stage of the round at which the bet was settled.
        when: SettledAtWord,
    }

    impl Settlement {
        pub fn of(seats: &Seats, settled: &table::Settlement) -> Settlement {
            Settlement {
                r#box: settled.box_id.show(seats),
                hand: settled.hand.show(seats),
                person: settled.person.show(seats),
                wager: settled.wager.show(seats),
                spot: settled.spot.show(seats),
                amount: Money(settled.staked),
                net: Money(settled.net),
                result: settled.ending.into(),
                when: settled.when.into(),
            }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Settled {
        #[serde(flatten)]
        settlement: Settlement,
        /// True if the hand was a blackjack; otherwise absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pub blackjack: Option<bool>,
    }

    impl Settled {
        pub fn of(seats: &Seats, settled: &table::Settlement) -> Settled {
            Settled { settlement: Settlement::of(seats, settled), blackjack: None }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct Voided {
        /// The name of the person who declared the round void; absent if no person did.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pub name: Option<String>,
        /// The reason that the person gave for voiding the round; absent if no person declared it void.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pub reason: Option<String>,
    }

    impl Voided {
        pub fn of(_: &Seats) -> Voided {
            Voided { name: None, reason: None }
        }
    }

    #[derive(Clone, Debug, Serialize, ToSchema)]
    pub struct CardCorrected {
        /// The card recorded before the correction; null while it is face down.
        #[schema(required)]
        was: Option<Face>,
        /// The right card; null while it is face down.
        #[schema(required)]
        card: Option<Face>,
        /// The place that the card was dealt to; null if the card was named but not dealt.
        #[schema(required)]
        to: Option<Place>,
    }

    impl CardCorrected {
        pub fn of(seats: &Seats, corrected: &Corrected, unseen: bool) -> CardCorrected {
            let seen = |card| Some(Face(card)).filter(|_| !unseen);
            let to = corrected.to.map(|to| to.show(seats));
            CardCorrected { was: seen(corrected.was), card: seen(corrected.is), to }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CORRECTED, view};
    use crate::openapi::openapi;
    use crate::tables::live::By;
    use crate::tables::seats::Seats;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;
    use table::random::{Chance, Driver, Style, tables};
    use table::{Fact, Irregularity, Word as _};

    fn schema(name: &str) -> &'static Value {
        &openapi()["components"]["schemas"][name]
    }

    #[test]
    fn every_event_has_a_schema() {
        let kinds = schema("Event")["discriminator"]["mapping"].as_object().expect("kinds");
        let typed: BTreeSet<&str> = kinds.keys().map(String::as_str).collect();
        let words: BTreeSet<&str> = Fact::WORDS.iter().copied().chain([CORRECTED]).collect();
        assert_eq!(typed, words);
    }

    /// Checks that every event of random shoes, with all irregularities, has the fields of its schema.
    #[test]
    fn events_have_the_fields_of_their_schemas() {
        let mut seen = BTreeSet::new();
        for seed in 0..400 {
            let mut chance = Chance::seeded(seed);
            let rules = tables::lawful(&mut chance);
            let mut driver = Driver::new(rules, Style::random(&mut chance));
            for _ in 0..500 {
                let event = driver.next(&mut chance);
                check(&json!(view(By::Person, &event, &Seats::default(), false)));
                seen.insert(event.fact.word());
                driver.apply(&event, &mut chance);
            }
        }
        assert!(seen.len() > 50, "{seen:?}");
    }

    fn check(told: &Value) {
        let name = &schema("Event")["discriminator"]["mapping"][told["event"].as_str().expect("a word")];
        let schema = self::schema(name.as_str().and_then(|place| place.rsplit('/').next()).expect("a name"));
        let properties = schema["properties"].as_object().expect("properties");
        for (field, value) in told.as_object().expect("an object") {
            let kind = properties
                .get(field)
                .unwrap_or_else(|| panic!("the schema of {name} has no field {field}: {told}"));
            assert!(fits(kind, value), "{name}.{field}: {value} does not match the schema {kind}");
        }
        for field in schema["required"].as_array().expect("required") {
            assert!(
                told.get(field.as_str().expect("a name")).is_some(),
                "required field {field} is missing in {told}"
            );
        }
    }

    fn resolved(schema: &Value) -> &Value {
        match schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
            Some(name) => resolved(self::schema(name)),
            None => schema,
        }
    }

    fn fits(kind: &Value, value: &Value) -> bool {
        let kind = resolved(kind);
        if let Some(kinds) = kind["oneOf"].as_array() {
            return kinds.iter().any(|kind| fits(kind, value));
        }
        if let Some(words) = kind["enum"].as_array() {
            return words.contains(value);
        }
        if let Some(word) = kind.get("const") {
            return word == value;
        }
        let types = match &kind["type"] {
            Value::Array(types) => types.clone(),
            one => vec![one.clone()],
        };
        types.iter().any(|kind| match kind.as_str() {
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("boolean") => value.is_boolean(),
            Some("string") => value.is_string(),
            Some("null") => value.is_null(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => false,
        })
    }

    /// Checks that the page describes every event, and no unknown one.
    #[test]
    fn the_page_tells_every_event_and_no_other() {
        let page = include_str!("../../web/page/shared/tell.js");
        let told: Vec<&str> =
            page.split("case '").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
        let words: Vec<&str> = Fact::WORDS.iter().copied().chain([CORRECTED]).collect();
        for word in &words {
            assert!(told.contains(word), "the page does not describe the event {word}");
        }
        for word in told {
            assert!(words.contains(&word), "the page describes {word}, which is not an event");
        }
    }

    #[test]
    fn the_page_names_every_irregularity() {
        let page = include_str!("../../web/page/words/en.json");
        for word in Irregularity::WORDS {
            let id = format!("\"term.irregularity.{}\": ", word.replace('-', "_"));
            assert!(page.contains(&id), "the irregularity {word} has no name in en.json");
        }
    }
}
