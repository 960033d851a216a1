//! All that a case does, down to what no expectation names: every event with its clause, the words of a refusal, the round
//! as it is drawn and written down, what the table keeps, and at every moment what everybody could have asked for instead
//! and would have been told. `cases/snapshot.txt` has a figure for it, a line a case: who changes what a table does sees
//! which cases do something else, looks at them (`cutcard replay`), and writes the file anew with UPDATE_CASES=1.

use crate::block::{Block, Kind, outcome};
use crate::told::told;
use rules::script::Offer;
use rules::{Cents, SideBet};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use table::command::{Command, Decision};
use table::event::{Approval, Event, Finding};
use table::ids::{Bettor, BoxId, HandNumber, Person, Role, Side, Spots};
use table::irregular::Irregularity;
use table::notation::{Played, Stop, Style, show::show, write, write_alone};
use table::shoe::Procedure;
use table::table::Table;

/// What is said, as one number (FNV-1a).
struct Digest(u64);

impl Digest {
    fn say(&mut self, words: &str) {
        for byte in words.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn show(&mut self, value: &impl Debug) {
        self.say(&format!("{value:?}"));
    }
}

/// The figure of a case.
fn figure(block: &Block) -> String {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    match block.kind {
        Kind::Words => match block.choices() {
            Ok(choices) => told(&choices, block.only()).iter().for_each(|line| digest.say(line)),
            Err(message) => digest.say(&message),
        },
        Kind::Round => match outcome(block, None) {
            Ok(played) => round_file(&mut digest, block, &played),
            Err(Stop::Refused { line, text, clause, reason }) => {
                digest.say(&format!("{line} {text} {} {reason}", clause.id()));
            }
            Err(Stop::Error { line, message }) => digest.say(&format!("{line:?} {message}")),
        },
    }
    format!("{:016x}", digest.0)
}

/// The table of a case from its beginning: before each event it is shown, with the event.
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

fn round_file(digest: &mut Digest, block: &Block, played: &Played) {
    let commands = commands();
    let table = along(block, played, |table, event| {
        if table.due().is_none() {
            digest.show(&table.awaiting());
            asked(digest, table, &commands);
        }
        digest.say(event.by.id());
        digest.show(&event.fact);
    });
    digest.show(&table.kept());
    digest.show(&played.rounds);
    digest.say(&show(played));
    let name = |person: Person| played.people.get(person.0 as usize).cloned().unwrap_or_default();
    let (choices, log) = (played.table.rules().choices(), played.events.concat());
    let style = Style { name: &name, remark: &|at| (at % 7 == 0).then_some("a remark") };
    digest.say(&write(choices, &log, style));
    digest.show(&write_alone(choices, &log, style));
}

/// What each of these comes to at this moment, or is refused by; and what would follow at once.
fn asked(digest: &mut Digest, table: &Table, commands: &[Command]) {
    for &command in commands {
        match table.decide(command) {
            Err(refusal) => {
                digest.say(refusal.by.id());
                digest.say(&refusal.why);
            }
            Ok(event) => {
                digest.say(event.by.id());
                digest.show(&event.fact);
                let mut after = table.clone();
                after.apply(&event);
                digest.show(&(after.awaiting(), after.due(), after.kept()));
            }
        }
    }
}

/// Everything that anybody could ask for, at two boxes and with a few cards and amounts.
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
        Perform(Procedure::PlaceCuttingCard { behind: 104 }),
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

/// The file: a figure and a name a line.
fn lines(cases: &[(String, Block)]) -> BTreeMap<String, String> {
    let mut figures = BTreeMap::new();
    for (name, block) in cases {
        let mut own = name.clone();
        while figures.contains_key(&own) {
            own.push_str(", another");
        }
        figures.insert(own, figure(block));
    }
    figures
}

pub fn rewrite(path: &Path, cases: &[(String, Block)]) {
    let text: String = lines(cases).iter().map(|(name, figure)| format!("{figure} {name}\n")).collect();
    fs::write(path, text).expect("the snapshot can be rewritten");
}

/// The cases that do something else than they did.
pub fn changed(path: &Path, cases: &[(String, Block)]) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let before: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.split_once(' ')).map(|(figure, name)| (name, figure)).collect();
    let now = lines(cases);
    let other = now.iter().filter(|(name, figure)| before.get(&***name) != Some(&&***figure));
    let mut changed: Vec<String> = other.map(|(name, _)| name.clone()).collect();
    changed
        .extend(before.keys().filter(|name| !now.contains_key(**name)).map(|name| format!("gone: {name}")));
    changed
}
