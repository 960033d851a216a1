//! Words for every schema and every parameter that has none of its own.

use serde_json::{Map, Value, json};

/// Schemas: name and what it is.
const SCHEMAS: &[(&str, &str)] = &[
    ("Action", "A command at a table, under an id of the client's."),
    ("ActionAnswer", "What a command at a table came to."),
    ("Authenticator", "A second factor to be confirmed: the secret for an authenticator."),
    ("Awaiting", "What a table waits for."),
    ("BalanceView", "Somebody's chips before and after a step."),
    ("CageOrder", "Chips for cash, or cash for chips."),
    ("CageReceipt", "What the cage has done."),
    ("CardAsked", "A table, and the size of its strategy card."),
    ("CashWagerOrder", "A cash wager that a dealer calls."),
    ("CashWagerView", "A cash wager, and whether the floor has confirmed it."),
    ("Change", "What changes for somebody who works here."),
    ("Changed", "What has changed for somebody who works here."),
    ("ChipsChoice", "The chips to wager with."),
    ("ClassView", "The sums of one class of chips on a gaming day."),
    ("ClockView", "The house's time, and what is in doubt about it."),
    ("CoachQuestion", "A hand and the dealer's card that the coach is asked about."),
    ("CompareAsked", "Two tables to compare."),
    ("Confirmation", "A supervisor's word on the time."),
    ("CountAsked", "A table and a count."),
    ("CountOrder", "The chips in a table's bank, counted."),
    ("CountView", "A count of the chips in a table's bank."),
    ("Credentials", "A name and a password."),
    ("DayView", "The report of a gaming day."),
    ("DoubtView", "The time that the clock shows, and the time that was expected."),
    ("DrillMemory", "What the trainer remembers of somebody at one table."),
    ("DrillNews", "What the trainer is to remember, under an id of the client's."),
    ("Due", "An entry that the register lacks."),
    ("EntryKind", "The kind of an entry in the register."),
    ("EntryView", "An entry of the register."),
    ("ErrorDetail", "What is wrong, in a word and in a sentence, with the clause where one is the reason."),
    ("Event", "Something that happened at a table."),
    ("Exclusion", "For how long somebody excludes themselves."),
    ("HandState", "Where a hand stands."),
    ("HeadView", "The last record of the journal."),
    ("Health", "Whether the house runs."),
    ("Readiness", "Whether the house can play now, and how far its self-check is."),
    ("Hire", "Somebody who is to work here."),
    ("Hired", "Somebody who works here from now on, with a password for one time."),
    ("HouseView", "The house."),
    ("LegView", "A posting: an account and what it gains or loses."),
    ("LimitChange", "A limit that somebody sets for themselves."),
    ("LimitView", "A limit, and what it will be."),
    ("MeView", "Who is signed in."),
    ("MeasureName", "What a limit measures."),
    ("MovementView", "What one kind of record moved on a gaming day."),
    ("NewPassword", "The password until now, and the next."),
    ("NextCards", "The cards that come next at a training table."),
    ("NodeView", "A node of the house."),
    ("NodesView", "The nodes of the house and the tables that none of them owns."),
    ("OwnedView", "A table that a node owns."),
    ("PatronView", "A patron's chips, as the cage sees them."),
    ("People", "A page of those who have accounts."),
    ("PersonView", "Somebody who has an account."),
    ("PlayedRound", "A round that somebody played."),
    ("Protections", "Somebody's limits and exclusion, and what they have played today."),
    ("PublishedShare", "What a player added to a shoe's order, once it is told."),
    ("RampAsked", "A table, a count, and the stakes to spread over it."),
    ("RecordView", "A record of the journal."),
    ("Refill", "Play chips for somebody who has none left."),
    ("RegisterOrder", "An entry for the register."),
    ("Request", "A command at a table."),
    ("Role", "What somebody does here."),
    ("RoundView", "A finished round, step by step."),
    ("Shown", "A code that an authenticator shows."),
    ("SimulationAsked", "A table to simulate, and for how long."),
    ("SpanName", "The time over which a limit counts."),
    ("StatementLine", "A line of somebody's statement."),
    ("StepView", "A step of a round: a record and what happened with it."),
    ("TableDayView", "What a table took and paid on a gaming day."),
    ("TableView", "A table: its card, what everyone sees, and what only I see."),
    ("TagsAsked", "A table, and the kind of count to look for."),
    ("TrainingAction", "A command at a training table, which may ask the coach too."),
    ("TrainingTable", "The rules of a training table."),
    ("Wanted", "The password of whoever wants a second factor."),
];

/// Schemas of several kinds: name, and what one of them is, before its word.
const KINDS: &[(&str, &str)] = &[
    ("Action", "The command"),
    ("Awaiting", "The table waits for this:"),
    ("Event", "The event"),
    ("Request", "The command"),
    ("TrainingAction", "The command"),
];

/// Fields that mean the same wherever they occur.
const FIELDS: &[(&str, &str)] = &[
    ("action", "The word of the action, as a command has it."),
    ("amounts", "An amount for each spot."),
    ("bettor", "Whose wager on the box, by order of arrival."),
    ("bettors_per_box", "The most people who may wager on one box."),
    ("box", "The number of the box."),
    ("boxes", "The boxes with wagers."),
    ("boxes_per_player", "The most boxes that one person may play."),
    ("card", "A card: rank and suit, such as `As`."),
    ("clause", "The clause that says so."),
    ("command", "The client's id of the command."),
    ("commitment", "The commitment to the shoe's order, in hexadecimal."),
    ("deck", "The cards of one deck of this game."),
    ("decks", "How many decks are in the shoe."),
    ("do", "The word of the command."),
    ("event", "The word of the event."),
    ("events", "What happened, in order."),
    ("game", "The game, by its word."),
    ("guest", "Whether it is a guest, who has play chips only."),
    ("house_edge", "What the house wins of each initial wager on average."),
    ("irregularity", "The word of the irregularity."),
    ("items", "What this page holds."),
    ("jurisdiction", "Whose regulation it is."),
    ("key", "A key of the table file."),
    ("keys", "Keys of the table file."),
    ("left", "How many cards are left in the shoe."),
    ("message", "What is wrong, in a sentence."),
    ("meter", "What the progressive meter shows."),
    ("nonce", "The random number behind a share, in hexadecimal."),
    ("offer", "The word of the offer."),
    ("one_time_password", "A password that must be changed at the first sign-in."),
    ("per", "What the figures are a part of."),
    ("person", "The number of a person."),
    ("positions", "How many boxes the table has."),
    ("reason", "Why, in somebody's own words."),
    ("result", "How the wager ended."),
    ("round", "The number of the round."),
    ("seq", "The number of the record in the journal."),
    ("settled", "The wagers that were settled, in order."),
    ("signature", "The house's signature, in hexadecimal."),
    ("spot", "Which wager, or which hand of the dealer's, in multiple action."),
    ("std_dev", "The standard deviation, in initial wagers."),
    ("std_error", "The standard error of the mean, in initial wagers."),
    ("step", "The step of the procedure."),
    ("streaks", "The streak wagers that go on."),
    ("take", "Whether the card is taken."),
    ("token", "The token of the session, for `Authorization: Bearer`."),
    ("wager", "The word of the wager: `main`, or that of a side wager."),
    ("when", "At which moment of the round."),
];

/// Parameters of addresses and questions, where their handler does not describe them.
const PARAMETERS: &[(&str, &str)] = &[
    ("call", "The number of the call."),
    ("day", "A gaming day such as `2026-11-15`, or `today`."),
    ("id", "The number that beginning it answered."),
    ("kind", "Only those of this kind."),
    ("name", "The patron's name."),
    ("person", "The person's number."),
    ("round", "The round's number."),
    ("shoe", "The shoe's number."),
    ("state", "Only those in this state."),
    ("table", "The table's number; for a trainer's memory the name of its rules."),
];

fn words<'w>(list: &'w [(&str, &'w str)], name: &str) -> Option<&'w str> {
    list.iter().find(|(known, _)| *known == name).map(|(_, about)| *about)
}

fn put(schema: &mut Value, about: &str) {
    if schema.is_object() && schema["description"].as_str().is_none_or(str::is_empty) {
        schema["description"] = json!(about);
    }
}

/// Describes schemas and their fields.
pub fn schemas(schemas: &mut Map<String, Value>) {
    for (name, about) in KINDS {
        let kinds = schemas.get(*name).and_then(|all| all["discriminator"]["mapping"].as_object()).cloned();
        for (word, place) in kinds.into_iter().flatten() {
            let own = place.as_str().and_then(|place| place.rsplit('/').next()).unwrap_or_default();
            if let Some(schema) = schemas.get_mut(own) {
                put(schema, &format!("{about} `{word}`."));
            }
        }
    }
    for (name, schema) in schemas {
        if let Some(about) = words(SCHEMAS, name) {
            put(schema, about);
        }
        let fields = schema.pointer_mut("/properties").and_then(Value::as_object_mut);
        for (name, field) in fields.into_iter().flatten() {
            // words beside a reference are not for every generator
            if let (Some(about), None) = (words(FIELDS, name), field.get("$ref")) {
                put(field, about);
            }
        }
    }
}

/// Describes the parameters of an operation.
pub fn parameters(operation: &mut Value) {
    let all = operation.pointer_mut("/parameters").and_then(Value::as_array_mut);
    for parameter in all.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        if let Some(about) = words(PARAMETERS, &name) {
            put(parameter, about);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::described::openapi;
    use serde_json::Value;

    fn is_described(value: &Value) -> bool {
        value["description"].as_str().is_some_and(|words| !words.is_empty())
    }

    #[test]
    fn every_schema_and_every_parameter_is_described() {
        let schemas = openapi()["components"]["schemas"].as_object().expect("schemas");
        let mut lacking: Vec<String> = schemas
            .iter()
            .filter(|(_, schema)| !is_described(schema))
            .map(|(name, _)| name.clone())
            .collect();
        for (path, item) in openapi()["paths"].as_object().expect("paths") {
            for operation in item.as_object().expect("operations").values() {
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    if !is_described(parameter) {
                        lacking.push(format!("{path} {}", parameter["name"]));
                    }
                }
            }
        }
        assert!(lacking.is_empty(), "{}", lacking.join("\n"));
    }

    #[test]
    fn what_is_described_here_is_there() {
        let schemas = openapi()["components"]["schemas"].as_object().expect("schemas");
        for (name, about) in super::SCHEMAS {
            assert!(schemas.contains_key(*name), "{name}: {about}");
        }
    }
}
