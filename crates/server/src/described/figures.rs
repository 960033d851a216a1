//! What the lab, the rules of a table and the analysis of a round answer, by name.

use super::fields::{named, object};
use serde_json::{Map, Value, json};

/// Objects: name, what it is, fields.
const OBJECTS: &[(&str, &str, &str)] = &[
    (
        "LabKeys",
        "What can be asked of the lab: presets, the keys of a table file, rulings, side wagers.",
        "presets=LabPreset[] keys=LabKey[] rulings=LabRuling[] side_wagers=LabSideWager[] most_rounds=number",
    ),
    ("LabPreset", "A table to begin from.", "name about"),
    (
        "LabKey",
        "A key of a table file, and the words that it takes where it takes words.",
        "key about words=word[]~",
    ),
    (
        "LabRuling",
        "An ambiguous clause and its readings, the literal one first.",
        "key about readings=word[] clause",
    ),
    ("LabSideWager", "A side wager by the name of its section.", "wager title"),
    (
        "CheckAnswer",
        "Whether a table is lawful, its options, its file, and what would stand at it.",
        "lawful violations=LawFinding[] warnings=LawFinding[] values=TableValues file layout=TableRules",
    ),
    (
        "LawFinding",
        "What a clause has to say against a table, and by which keys.",
        "clause keys=word[] message",
    ),
    (
        "TableRules",
        "Everything that is written at a table, each with its clause.",
        "name licensee? inscriptions=Inscription[] areas=BettingArea[] signs=Inscription[] paytables=PostedPayTable[] \
         words=Sentence[]",
    ),
    ("Inscription", "Words on the layout or on a sign.", "text clause"),
    ("BettingArea", "A marked area of each betting position.", "name clause"),
    (
        "PostedPayTable",
        "The pay table of a side wager as it is posted.",
        "wager title lines=PostedLine[] minimum maximum",
    ),
    ("PostedLine", "A line of it.", "hand=word pays clause"),
    ("Sentence", "A rule in plain words.", "topic text clause"),
    (
        "EdgeAnswer",
        "Exact figures of the main game, of every side wager and of insurance.",
        "main=MainEdge side_wagers=SideEdge[] insurance=InsuranceEdge?",
    ),
    (
        "MainEdge",
        "The main game under the best play from a full shoe, in initial wagers.",
        "ev=Figure house_edge=Figure per std_dev=Figure std_dev_of element_of_risk=Figure staked=Figure outcomes=Shares \
         shares=Shares strategy seconds=Figure",
    ),
    (
        "SideEdge",
        "A side wager, in units of it.",
        "wager paytable house_edge=Figure exact_edge~ std_dev=Figure outcomes=SideOutcome[] loses=Figure notes=word[] stake~",
    ),
    (
        "SideOutcome",
        "A line that wins, with its chance, as a fraction too where it is one.",
        "outcome probability=Figure pays clause exact~",
    ),
    ("InsuranceEdge", "Insurance of which only the dealer's ace is known.", "house_edge=Figure exact_edge"),
    ("OptionEffect", "What a lawful change of one option does.", "key value house_edge=Figure change=Figure"),
    (
        "StrategyAnswer",
        "The best play by totals, as charts.",
        "table=word strategy columns=word[] charts=StrategyChart[] even_money?",
    ),
    (
        "StrategyChart",
        "A chart: hard totals, soft totals, pairs, or an offer.",
        "chart legend rows=StrategyRow[]",
    ),
    ("StrategyRow", "A row, with a cell for each of the dealer's cards.", "row cells=StrategyCell[]"),
    (
        "StrategyCell",
        "What to do, its value, the second best, what that costs, and exact cards to be played otherwise.",
        "action ev=Figure~ second~ loss=Figure~ exceptions=word[]",
    ),
    ("SimulationBegun", "A simulation that was begun.", "id=number"),
    (
        "SimulationState",
        "How far a simulation is; once it is done what it came to, with pictures as SVG by their names, or why it failed.",
        "id=number done rounds=number? of=number? seconds=Figure? ev=Figure? std_error=Figure? stopped? \
         result=SimulationResult? pictures=Pictures? failed?",
    ),
    (
        "SimulationResult",
        "What a simulation came to, as `cutcard simulate --json` prints it, in initial wagers.",
        "rounds=number rounds_per_second=Figure threads=count seconds=Figure cpu_seconds=Figure seed=number ev=Figure \
         std_error=Figure confidence_95=Figure[]? std_dev=Figure std_dev_100=Figure? house_edge=Figure element_of_risk=Figure? \
         initial_wagers_per_round=Figure? staked_per_round=Figure? side_wagers=SimulatedSide[] hands_per_round=Figure \
         cards_per_round=Figure shoes=number? rounds_per_shoe=Figure? void_rounds=number? boxes=count? fresh_shoes? \
         devices=word[]? engine~ instruction_set?~ hands=HandEndings? distribution=Pair[]? stopped? peak_memory=number?~ \
         chunks=Pair[] by_count=SimulatedCount[]?",
    ),
    (
        "SimulatedSide",
        "A side wager of a simulation, and its exact edge where that is known.",
        "wager house_edge=Figure std_error=Figure~ exact_edge=Figure~ std_dev=Figure~ wagers=number outcomes=SimulatedLine[]",
    ),
    ("SimulatedLine", "How often a line came.", "outcome frequency=Figure"),
    (
        "SimulatedCount",
        "Rounds that began at a count.",
        "count=Whole frequency=Figure stake=number ev=Figure std_error=Figure~ std_dev=Figure~",
    ),
    ("EndingShares", "How hands that ended so fared.", "win=Figure push=Figure lose=Figure"),
    (
        "RoundAnalysis",
        "What my choices of a finished round cost against the best ones; what the game is worth by itself, and what was luck. \
         Costs are in initial wagers.",
        "table round wager=amount net decisions=JudgedChoice[] side_wagers=SideCost[] cost=Share expected=Share~ luck=Share~",
    ),
    (
        "JudgedChoice",
        "A choice: what could be seen, the value of every lawful action, the best, the one that was made, what it cost.",
        "about at box hand=word other up values=ValuedAction[] best chosen cost=Share wager=amount",
    ),
    ("SideCost", "What a side wager costs by its own odds.", "wager amount cost=Share~"),
];

/// Adds all of them.
pub fn add(schemas: &mut Map<String, Value>) {
    let mut put = |name: &str, schema: Value| schemas.insert(name.to_owned(), schema);
    let by_name = |about: &str, of: Value| json!({ "type": "object", "description": about, "additionalProperties": of });
    put("Figure", json!({ "type": "number" }));
    put("Whole", json!({ "type": "integer", "format": "int32" }));
    put("Pair", json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }));
    put("Shares", by_name("Parts of all rounds or hands, by name.", named("Figure")));
    put("Pictures", by_name("Pictures as SVG, by name.", json!({ "type": "string" })));
    put("HandEndings", by_name("By how hands ended.", named("EndingShares")));
    put("TableValues", by_name("The options of a table, by the keys of its file.", json!(true)));
    for (name, description, fields) in OBJECTS {
        put(name, object(description, fields));
    }
}
