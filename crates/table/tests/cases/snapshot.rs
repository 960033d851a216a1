//! A snapshot of everything the cases do, as text for people to read and compare.
//!
//! `cases/snapshot/` mirrors the folders of the cases: each file lists, case by case, every step with its clause, or
//! the refusal. `answers.txt` lists the answer to every possible command at every moment of every case: accepted, with
//! the clause and what is awaited next, or refused, with the clause and the reason. A change of the rules shows in the
//! diff of these files. UPDATE_CASES=1 rewrites them.

use crate::block::{Block, Kind, outcome};
use crate::sentences::sentences;
use rules::script::Offer;
use rules::{Cents, SideBet};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use table::command::{Command, Decision};
use table::event::{Approval, Event, Finding};
use table::ids::{Bettor, BoxId, HandNumber, Person, Role, Side, Spots};
use table::irregular::Irregularity;
use table::notation::{Played, Stop, show::show};
use table::shoe::Procedure;
use table::table::Table;

/// The name of the file that lists answers.
const ANSWERS: &str = "answers.txt";

/// Every answer to a command.
#[derive(Default)]
struct Answers(BTreeSet<String>);

impl Answers {
    /// Tries every command at this moment of the table.
    fn ask(&mut self, table: &Table, commands: &[Command]) {
        for &command in commands {
            let answer = match table.decide(command) {
                Err(refusal) => format!("refused by {}: {}", refusal.by.id(), refusal.why),
                Ok(event) => {
                    let mut after = table.clone();
                    after.apply(&event);
                    let next = match after.due() {
                        Some(due) => format!("then {} by {}", variant(&due.fact), due.by.id()),
                        None => format!("awaits {}", variant(&after.awaiting())),
                    };
                    format!("{} by {}, {next}", variant(&event.fact), event.by.id())
                }
            };
            self.0.insert(format!("{}: {answer}\n", variant(&command)));
        }
    }

    fn text(&self) -> String {
        self.0.iter().map(String::as_str).collect()
    }
}

/// Returns the names of a value's variants, outermost first, without their contents: `Report Exposed`.
fn variant(value: &impl std::fmt::Debug) -> String {
    let shown = format!("{value:?}");
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric()).collect::<String>();
    let outer = name(&shown);
    let inner = shown.strip_prefix(&outer).and_then(|rest| rest.strip_prefix('(')).map(name);
    let decision = shown.split_once("decision: ").map(|(_, rest)| name(rest));
    match inner.or(decision).filter(|inner| inner.starts_with(|c: char| c.is_ascii_uppercase())) {
        Some(inner) => format!("{outer} {inner}"),
        None => outer,
    }
}

/// Replays the table of a case from its beginning; calls `shown` with the table before each event.
pub fn along(block: &Block, played: &Played, mut shown: impl FnMut(&Table, &Event)) -> Table {
    let opens = block.lines.iter().any(|line| line.trim() == "dealer opens");
    let rules = std::sync::Arc::new(played.table.rules().clone());
    let mut table = if opens { Table::new(rules) } else { Table::prepared(rules) };
    for event in played.events.iter().flatten() {
        shown(&table, event);
        table.apply(event);
    }
    table
}

/// Returns what a case does: its steps with their clauses, its refusal, or the words that it asks about.
fn steps(block: &Block, commands: &[Command], answers: &mut Answers) -> Vec<String> {
    match block.kind {
        Kind::Words => match block.choices() {
            Ok(choices) => sentences(&choices, block.only()),
            Err(message) => vec![message],
        },
        Kind::Round => match outcome(block, None) {
            Ok(played) => {
                along(block, &played, |table, _| {
                    if table.due().is_none() {
                        answers.ask(table, commands);
                    }
                });
                // the drawing above the steps adds nothing to them
                let lines = show(&played);
                let lines = lines.lines().map(str::trim).filter(|line| !line.starts_with(['+', '|']));
                lines.filter(|line| !line.is_empty()).map(narrow).collect()
            }
            Err(Stop::Refused { line, text, clause, reason }) => {
                vec![format!("refused line {line}: {text} | {} {reason}", clause.id())]
            }
            Err(Stop::Error { line, message }) => vec![format!("error in line {line:?}: {message}")],
        },
    }
}

/// Returns a line with its columns separated by a bar instead of spaces.
fn narrow(line: &str) -> String {
    line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" | ")
}

/// Returns every kind of command, at two boxes and with a few cards and amounts.
pub fn commands() -> Vec<Command> {
    use Command::*;
    let dollars = Cents::dollars;
    let spots = |amount: i64| [dollars(amount), Cents::ZERO, Cents::ZERO];
    let card = |text: &str| text.parse::<rules::Card>().expect("a card");
    let mut all = vec![
        OrderReshuffle,
        OrderRecut { role: Role::Dealer },
        OrderRecut { role: Role::Supervisor },
        FallIdle,
        CloseWagers,
        FaceDown,
        Reader(Finding::Blackjack),
        Reader(Finding::NoBlackjack),
        DiscloseBurn(card("7s")),
        RelieveDealer(Person(9)),
        Admit(Person(2)),
        VoidRound { role: Role::Floorperson },
        VoidRound { role: Role::Supervisor },
        Determinant(card("Ah"), Side::Red),
        Determinant(card("4s"), Side::Red),
        Determinant(card("4s"), Side::Black),
        Perform(Procedure::Cut { by: None, at: 60 }),
        Perform(Procedure::PlaceCutCard { behind: 104 }),
        Perform(Procedure::VerifyTens(Person(8))),
        Perform(Procedure::Strip),
        Perform(Procedure::Shuffle),
        Perform(Procedure::Burn),
        Perform(Procedure::SwapBatches),
    ];
    all.extend(["Ah", "Td", "7h", "5c"].map(|text| Card(card(text))));
    use Irregularity as I;
    all.extend([I::FoundFaceUp(card("9s")), I::TenFound(card("Ts")), I::Exposed(card("9s"))].map(Report));
    all.extend(
        [I::DrewOnStanding(card("2s")), I::Misdelivered(card("2s")), I::MovedForward(card("2s"))].map(Report),
    );
    all.extend(
        [I::DrawnUnexposed, I::MissedOwnCard, I::WrongSide, I::ReaderMisused, I::ReaderFailed].map(Report),
    );
    all.extend([I::UpCardNotMoved, I::UpCardDiscarded, I::OutOfCards, I::ShufflerFailed].map(Report));
    all.extend([I::ShufflerRemoved, I::BurnForgotten, I::SeenInMixing].map(Report));
    for box_id in [BoxId(1), BoxId(2), BoxId(3)] {
        all.extend([I::MissedBox(box_id), I::MissedDraw(box_id), I::LightFailed(box_id)].map(Report));
        all.extend([I::BonusFailed(box_id), I::DoubleDealtUp(box_id), I::LetOut(box_id)].map(Report));
        all.extend([
            AcceptCut { box_id, at: 60 },
            AcceptCut { box_id, at: 3 },
            DeclineCut { box_id },
            AskReshuffle(box_id),
            Consent(box_id),
            Sit { box_id, person: Person(1) },
            Withdraw { box_id, person: Person(0) },
            Withdraw { box_id, person: Person(1) },
            Wager { box_id, person: Person(1), seated: false, amounts: spots(10) },
            Wager { box_id, person: Person(2), seated: true, amounts: [dollars(10); 3] },
            SideWager { box_id, person: Person(0), bet: SideBet::Match, amount: dollars(5) },
            SideWager { box_id, person: Person(0), bet: SideBet::Progressive, amount: dollars(1) },
            SideWager { box_id, person: Person(1), bet: SideBet::Streak2, amount: dollars(5) },
            Switch(box_id),
            DeclineSwitch(box_id),
            Revoke(box_id),
            RefuseCard(box_id),
        ]);
        for take in [true, false] {
            all.extend([TakeSevensCard { box_id, take }, TakeLateCard { box_id, take }]);
        }
        for bettor in [Bettor(0), Bettor(1)] {
            for what in [Approval::Progressive, Approval::Bonus, Approval::QueensOfHearts] {
                let what = what(box_id, bettor);
                for role in [Role::Dealer, Role::Floorperson, Role::Supervisor] {
                    all.push(Approve { what, role, person: Person(8) });
                }
            }
            all.extend([
                Award { box_id, bettor, amount: dollars(25) },
                Attack { box_id, bettor, amount: dollars(10) },
                TakeEvenMoney { box_id, bettor, spots: Spots::ALL },
                Decline { box_id, bettor, offer: Offer::Insurance },
                Decline { box_id, bettor, offer: Offer::Attack },
                Decline { box_id, bettor, offer: Offer::SecondAttack },
                Insure { box_id, bettor, hand: HandNumber(1), amounts: spots(5) },
                Insure { box_id, bettor, hand: HandNumber(2), amounts: spots(5) },
            ]);
            let decisions = [
                Decision::Stand,
                Decision::Hit,
                Decision::Double { amounts: spots(10), face_down: false },
                Decision::Double { amounts: spots(5), face_down: true },
                Decision::Split,
                Decision::Surrender,
                Decision::NotDouble,
                Decision::Cover,
                Decision::Follow(HandNumber(2)),
            ];
            all.extend(decisions.map(|decision| Decide { box_id, bettor, decision }));
        }
    }
    all
}

/// A case with the name of its file.
pub struct Named {
    pub file: String,
    pub block: Block,
}

/// Returns the text of every snapshot file, by name.
fn files(cases: &[Named]) -> BTreeMap<String, String> {
    let commands = commands();
    let mut answers = Answers::default();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for Named { file, block } in cases {
        let text = files.entry(file.replace(".md", ".txt")).or_default();
        let _ = writeln!(text, "# {}", block.heading);
        for step in steps(block, &commands, &mut answers) {
            let _ = writeln!(text, "{step}");
        }
        text.push('\n');
    }
    files.insert(ANSWERS.to_string(), answers.text());
    files
}

/// Writes the snapshot, and removes the files of deleted cases.
pub fn rewrite(folder: &Path, cases: &[Named]) {
    let _ = fs::remove_dir_all(folder);
    for (name, text) in files(cases) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the snapshot can be written");
    }
}

/// Returns the differences from the snapshot: the first changed lines of each file, before and after.
pub fn changed(folder: &Path, cases: &[Named]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, now) in files(cases) {
        let before = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        if before != now {
            found.push(format!("{name}:"));
            found.extend(difference(&before, &now));
        }
    }
    found
}

/// Returns the lines that only one of two texts has, at most a dozen of each, marked `-` and `+`.
fn difference(before: &str, now: &str) -> Vec<String> {
    let count = |text: &str| {
        let mut lines: BTreeMap<String, i32> = BTreeMap::new();
        text.lines().for_each(|line| *lines.entry(line.to_string()).or_default() += 1);
        lines
    };
    let (old, new) = (count(before), count(now));
    let only = |mark: &str, own: &BTreeMap<String, i32>, other: &BTreeMap<String, i32>| {
        let lines = own.iter().filter(|(line, times)| other.get(*line).unwrap_or(&0) < times);
        lines.map(|(line, _)| format!("  {mark} {line}")).take(12).collect::<Vec<_>>()
    };
    [only("-", &old, &new), only("+", &new, &old)].concat()
}
