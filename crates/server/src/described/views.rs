//! What tables show, by name: the live view, the entry of the lobby, training tables, calls for the floor.

use super::fields::{named, object, one_of};
use serde_json::{Map, Value, json};

/// What a table waits for, by its word.
const AWAITING: &[(&str, &str)] = &[
    ("nothing", ""),
    ("procedure", "step"),
    ("cut", "box"),
    ("wagers", "placed"),
    ("card", "to"),
    ("reader", ""),
    ("offer", "offer asked=Offered[]"),
    ("switch", "box becomes=ExchangedHand[]"),
    ("revocation", "box"),
    ("decision", "box hand actions=LawfulAction[] not_now=RefusedAction[]"),
    ("co-bettors", "on asked=AskedBettor[]"),
    ("sevens-card", "box"),
    ("late-card", "box"),
    ("award", "box bettor"),
    ("approval", "of=approval box bettor by"),
];

/// Objects: name, what it is, fields.
const OBJECTS: &[(&str, &str, &str)] = &[
    (
        "LawfulAction",
        "An action that is lawful now, and what it costs in chips where it costs something.",
        "action cost? becomes=ExchangedHand[]?",
    ),
    (
        "RefusedAction",
        "An action that the table offers but not for this hand: why, and by which clause.",
        "action why clause",
    ),
    ("ExchangedHand", "What a hand would come to with the second cards exchanged.", "total"),
    ("AskedBettor", "Somebody who is asked.", "box bettor"),
    (
        "Offered",
        "What an offer comes to for somebody who is asked: the most of an attack wager and whether it must be all of that; or \
         insurance by hand, and even money.",
        "box bettor most? whole? insurance=InsuredHand[]? even_money?",
    ),
    ("InsuredHand", "A hand that may be insured, and the most on each spot.", "hand amounts"),
    ("Settlement", "A wager settled.", "box hand person~ wager spot amount net result when"),
    ("DealerView", "The dealer's cards that lie face up.", "cards total~ blackjack hole spot"),
    (
        "BoxView",
        "A box: who wagers there, and its hands. Cards that lie face down are counted, not shown.",
        "box bettors=BettorView[] consent hands=HandView[]",
    ),
    (
        "BettorView",
        "Somebody with a wager on a box.",
        "person~ name~ caller answered main side insurance even_money",
    ),
    (
        "HandView",
        "A hand. The cards of one that is collected lie in the discard rack by now.",
        "hand cards face_down=face_down_cards total soft blackjack state=HandState collected stakes=StakeView[]",
    ),
    ("StakeView", "What lies on a hand for one bettor.", "base attack double"),
    (
        "ShoeView",
        "The shoe in play, with the commitment to its order.",
        "number commitment~ signature~ cut=CutView~ shares=ShareView[] list=signature~ after=left~ withheld left discards cutting_card_out behind_cutting_card takes_shares may_reshuffle=spots[]? side=drawn_from? other=OtherShoe?",
    ),
    (
        "OtherShoe",
        "The other side of a double shoe.",
        "side=drawn_from number commitment~ signature~ cut=CutView~ shares=ShareView[] list=signature~ after=left~ withheld left",
    ),
    (
        "CutView",
        "Where the stack was cut, and by whose box; by none where the place follows from the commitment.",
        "at by=box~",
    ),
    (
        "ShareView",
        "What a player adds to the order: the hash of a nonce, and the house's acknowledgement until all are mixed in.",
        "hash=commitment signature? revealed",
    ),
    ("StreakView", "A streak wager that goes on.", "box person~ wins bets"),
    ("CorrectableCard", "The last card that the dealer recorded, while it may be corrected.", "card~ to~"),
    ("CallView", "The floor was called; who comes, once somebody does.", "by at=time coming~"),
    (
        "DealtBy",
        "Who deals at a table that a person deals: the dealer who came to it last, and whether the table is in that dealer's view.",
        "person name since=time here=flag",
    ),
    ("WagerLimits", "The least and the most of a side wager, and its bets.", "minimum maximum bets=word[]"),
    (
        "Remedy",
        "An irregularity that a dealer can report: what must be named, and the clause.",
        "name=irregularity needs clause",
    ),
    (
        "FloorCall",
        "A table that waits for the floor.",
        "table table_name round reason caller at_ms=number answered=FloorAnswer~",
    ),
    ("FloorAnswer", "Who comes, and how long the call had waited.", "name after_ms=number"),
    (
        "Verdict",
        "A choice at a training table: the best, the one that was made, and what it cost.",
        "about best chosen cost=Share",
    ),
    ("ValuedAction", "An action and its expected value in units of the initial wager.", "action ev=Share"),
    (
        "CoachAnswer",
        "The exact value of every lawful action, best first; or why there is none.",
        "actions=ValuedAction[]? other_actions=ValuedAction[]? switch=ValuedAction[]? attack=ValuedAction[]? insurance=Share?~ \
         even_money=Share?~ dealer_blackjack=Share? refused?",
    ),
    (
        "ClauseSearch",
        "Clauses that were found, a page of them, with how many there are by state.",
        "total=number counts=Counts kinds=word[] games=word[] states=word[] clauses=ClauseEntry[] next=number~",
    ),
    (
        "ClauseEntry",
        "A clause of the catalogue: what it says in our own words, how it is honoured, and what shows it.",
        "id jurisdiction game section topic kind force actor summary honoured state cited_in=word[] proven_by=word[] recorded_by=word[]",
    ),
];

/// What a table shows of itself to everyone.
const STATE: &str = "table round awaiting=Awaiting dealer=DealerView boxes=BoxView[] shoe=ShoeView meter~ streaks=StreakView[] \
                     settled=Settlement[] exposed? last_card=CorrectableCard? events=Event[]";

/// What a table is.
const FACTS: &str = "table name game variation jurisdiction preset decks positions minimum maximum chip bettors_per_box \
                     boxes_per_player dealing spots hands=spots side_wagers decisions=word[] deck double_face_down \
                     absent_rule rules irregularities=Remedy[]~ solo=flag?";

/// Adds all of them.
pub fn add(schemas: &mut Map<String, Value>) {
    let mut put = |name: &str, schema: Value| schemas.insert(name.to_owned(), schema);
    put(
        "Card",
        json!({ "type": "string", "pattern": "^(10|[2-9AJQKT])[cdhs]$", "description": "A card: rank and suit.", "example": "As" }),
    );
    put("Share", json!({ "type": "number", "description": "A part of the initial wager." }));
    put(
        "Counts",
        json!({ "type": "object", "description": "How many clauses there are in each state.", "additionalProperties": true }),
    );
    put(
        "HandState",
        json!({ "type": "string", "enum": ["open", "complete", "bust", "surrendered", "done"] }),
    );
    let open = json!({ "type": "string", "enum": ["dealer", "hole", "determinant"] });
    let hand = object("", "box hand");
    put(
        "Place",
        json!({ "description": "Where a card lies: a hand of a box, or a place of the dealer's.", "oneOf": [open, hand] }),
    );
    for (name, description, fields) in OBJECTS {
        put(name, object(description, fields));
    }
    let view = format!(
        "version at=time deadline_ms~ grace_ms? reveal=flag? call=CallView? dealt_by=DealtBy? {STATE}"
    );
    let mut view =
        object("A version of a table, the same for everyone. Whoever reads slowly skips versions.", &view);
    view["properties"]["type"] = json!({ "type": "string", "const": "view" });
    put("View", view);
    put(
        "TrainingView",
        object(
            "A training table.",
            &format!("{STATE} training won decisions cost=Share coach=Verdict[]? card=TableFacts?"),
        ),
    );
    let version = "version rehearsal";
    put(
        "RehearsalView",
        object("A table that somebody deals as a rehearsal.", &format!("{STATE} {version}")),
    );
    put(
        "Rehearsal",
        object(
            "A rehearsal as it is opened: its card, and what is seen.",
            "card=TableFacts view=RehearsalView",
        ),
    );
    for (name, about, more) in [
        ("TableCard", "A table as the lobby shows it.", " taken attended"),
        ("TableFacts", "A table by itself: what is played and for how much.", ""),
    ] {
        let mut card = object(about, &format!("{FACTS}{more}"));
        card["properties"]["side_wagers"] =
            json!({ "type": "object", "additionalProperties": named("WagerLimits") });
        card["properties"]["dealing"] = json!({ "type": "string", "enum": ["automatic", "dealer"] });
        put(name, card);
    }
    let kinds = AWAITING.iter().map(|(word, fields)| ((*word).to_owned(), object("", fields)));
    one_of(schemas, "Awaiting", "what", kinds.collect());
}
