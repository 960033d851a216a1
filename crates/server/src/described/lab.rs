//! What the lab, a table's rules and the look back at a round answer, by name.

use super::fields::{named, object};
use serde_json::{Map, Value, json};

/// Objects: name, what it is, fields.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("WrittenLine", "What stands on a felt or a sign, by which clause.", "text clause"),
    ("BettingArea", "An area of a felt.", "name clause"),
    ("PayLine", "A hand of a pay table and what it pays.", "hand=word pays clause"),
    (
        "PayTable",
        "The pay table of a side wager that is offered.",
        "wager title lines=PayLine[] minimum maximum",
    ),
    ("RuleSentence", "A rule of a table in plain words.", "topic text clause"),
    (
        "TableRules",
        "What a table says of itself: felt, areas, signs, pay tables, rules in plain words.",
        "name inscriptions=WrittenLine[] areas=BettingArea[] signs=WrittenLine[] paytables=PayTable[] words=RuleSentence[] licensee?",
    ),
    (
        "LabKey",
        "A key of a table file: what it is and the words that it takes, where it takes words.",
        "key about words=word[]~",
    ),
    ("LabRuling", "A clause that can be read in several ways.", "key about readings=word[] clause"),
    ("LabWager", "A side wager by its word, with the title of its area.", "wager title"),
    (
        "LabPreset",
        "A table that comes with the program: its deck, how many cards its dealer shows, and what can be drilled there.",
        "name about deck dealer_shows=spots drills=word[]",
    ),
    (
        "LabKnown",
        "What the lab knows.",
        "presets=LabPreset[] keys=LabKey[] rulings=LabRuling[] side_wagers=LabWager[] most_rounds=number",
    ),
    ("Finding", "What a clause says about a table.", "clause keys=word[] message"),
    (
        "Lawfulness",
        "Whether a table is lawful, what would stand at it, the cards of its deck, how many hands a box has, and whether attack wagers are offered.",
        "lawful=flag violations=Finding[] warnings=Finding[] values=Values file layout=TableRules deck hands=spots attacks=flag",
    ),
    (
        "MainFigures",
        "The exact figures of the main game, for each initial wager.",
        "ev=Share house_edge=Share per std_dev=Share std_dev_of element_of_risk=Share staked=Share outcomes=Shares shares=Shares \
         strategy seconds=Share",
    ),
    ("SideOutcome", "What a side wager may come to.", "outcome probability=Share pays clause exact~"),
    (
        "SideFigures",
        "The exact figures of a side wager.",
        "wager paytable house_edge=Share exact_edge~ std_dev=Share outcomes=SideOutcome[] loses=Share notes=word[] stake~",
    ),
    ("InsuranceFigures", "The exact figures of insurance.", "house_edge=Share exact_edge"),
    (
        "EdgeAnswer",
        "The exact edge of a table and of every side wager.",
        "main=MainFigures side_wagers=SideFigures[] insurance=InsuranceFigures?",
    ),
    (
        "OptionEffect",
        "What a change of one option does to the edge.",
        "key value house_edge=Share change=Share",
    ),
    ("ChartCell", "What to do there.", "action ev=Share~ second~ loss=Share~ exceptions=word[]"),
    ("ChartRow", "A row of a chart.", "row cells=ChartCell[]"),
    (
        "StrategyChart",
        "A chart: a row for each hand, a cell for each card of the dealer's.",
        "chart legend rows=ChartRow[]",
    ),
    (
        "StrategyAnswer",
        "The strategy of a table as charts.",
        "table=word strategy columns=word[] even_money charts=StrategyChart[]",
    ),
    ("SimulationBegun", "A simulation that was begun.", "id=number"),
    ("SimulatedWager", "A side wager as it came out.", "wager house_edge=Share std_error=Share"),
    (
        "SimulationResult",
        "What a simulation came to; more figures than are named here.",
        "rounds=number ev=Share? house_edge=Share std_error=Share std_dev=Share rounds_per_second=Share hands_per_round=Share \
         cards_per_round=Share side_wagers=SimulatedWager[] distribution=Pairs",
    ),
    (
        "SimulationState",
        "How far a simulation is, or what it came to.",
        "id=number done=flag rounds=number? of=number? seconds=Share? ev=Share? std_error=Share? failed? stopped=flag? \
         result=SimulationResult? pictures=Pictures?",
    ),
    (
        "JudgedChoice",
        "A choice in a finished round: the best one, the one that was made, what it cost in initial wagers, and every value.",
        "about at box hand=word other up dealt best chosen cost=Share wager=amount values=ValuedAction[]",
    ),
    ("JudgedWager", "A side wager in a finished round and what it cost.", "wager amount cost=Share~"),
    (
        "RoundAnalysis",
        "What my choices in a finished round were worth, in initial wagers.",
        "table round wager=amount net decisions=JudgedChoice[] side_wagers=JudgedWager[] cost=Share expected=Share~ luck=Share~",
    ),
];

/// Adds all of them.
pub fn add(schemas: &mut Map<String, Value>) {
    for (name, description, fields) in OBJECTS {
        let mut schema = object(description, fields);
        if *name == "SimulationResult" {
            schema["additionalProperties"] = true.into();
        }
        schemas.insert((*name).to_owned(), schema);
    }
    let mut map = |name: &str, about: &str, of: Value| {
        let schema = json!({ "type": "object", "description": about, "additionalProperties": of });
        schemas.insert(name.to_owned(), schema);
    };
    map("Shares", "Parts of all rounds, by what happened.", named("Share"));
    map("Values", "The value of every key of a table file.", true.into());
    map("Pictures", "Pictures as SVG, by name.", json!({ "type": "string" }));
    let pair = json!({ "type": "array", "items": named("Share") });
    let pairs =
        json!({ "type": "array", "description": "A result and its share of all rounds.", "items": pair });
    schemas.insert("Pairs".into(), pairs);
}
