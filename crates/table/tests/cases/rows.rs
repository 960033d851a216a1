//! Mutants of data: every row of every text is changed by itself, and some case must fail. A row is a citation, a number, a
//! switch, a line of a pay table, a step of a script. The cases are written from the regulations, so a row that is held by
//! a case is held by the law and not by a copy of the row. The lines of pay tables are held by the catalogue too, which
//! says in words what each of them pays.
//!
//! `cases/unheld.md` lists the rows that no case can hold, with the reason.

use crate::block::{Block, run, run_under};
use crate::odds;
use libtest_mimic::{Failed, Trial};
use rules::script::Step;
use rules::text::*;
use rules::wager::{Amounts, Line, PayTable, Pays, Side};
use rules::{Cents, Choices, Clause, Odds, clause};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The law in which nobody is cited for anything: no case expects it.
const NOWHERE: Clause = clause!("19:47-2.1 \"Dealer\"");

/// A text with one row changed.
struct Mutant {
    row: String,
    text: Text,
    /// The clause that the row had, if it is a citation: cases that expect it are tried first.
    by: Option<Clause>,
    /// Which step of the script is missing: see [`shortened`].
    step: Option<usize>,
}

pub fn trials(blocks: &Arc<Vec<Block>>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for text in TEXTS {
        trials.push(trial(text.name.to_string(), text, None, blocks));
        for (at, amendment) in text.variations.iter().enumerate() {
            let name = format!("{} variation {}", text.name, at + 1);
            trials.push(trial(name, amendment.text, Some((text, at)), blocks));
        }
    }
    trials
}

/// One text, or a variation of one: the rows that differ from it.
fn trial(
    name: String,
    text: &'static Text,
    of: Option<(&'static Text, usize)>,
    blocks: &Arc<Vec<Block>>,
) -> Trial {
    let blocks = Arc::clone(blocks);
    Trial::test(format!("every row of {name} is held by a case"), move || {
        // a case that fails anyway holds nothing
        let own: Vec<&Block> =
            blocks.iter().filter(|block| plays(block, text) && run(block).is_empty()).collect();
        let mut unheld = unheld(&name);
        let mut faults = Vec::new();
        let base: BTreeMap<String, String> = of
            .map(|(base, _)| mutants(base).into_iter().map(|m| (m.row.clone(), shown(&m))).collect())
            .unwrap_or_default();
        for mutant in mutants(text) {
            // a variation says only what differs
            if base.get(&mutant.row).is_some_and(|same| *same == shown(&mutant)) {
                continue;
            }
            let excused = unheld.remove(&mutant.row);
            match (is_held(&mutant, of, &own), excused) {
                (true, _) | (false, Some(_)) => {}
                (false, None) => faults.push(format!("{name}: {} is held by no case", mutant.row)),
            }
        }
        faults.extend(unheld.keys().map(|row| format!("{name}: there is no row {row}")));
        if faults.is_empty() { Ok(()) } else { Err(Failed::from(faults.join("\n"))) }
    })
}

/// What a row is, so that a variation's can be told from its base's.
fn shown(mutant: &Mutant) -> String {
    format!("{:?}", mutant.by)
}

/// Whether the block is about a table of this text.
fn plays(block: &Block, text: &Text) -> bool {
    let first = block.lines.iter().find_map(|line| line.strip_prefix("table "));
    let preset = first.and_then(|line| line.split_whitespace().next()).and_then(rules::preset::preset);
    preset.is_some_and(|choices| choices.text == text)
}

/// Whether some case fails under the mutant.
fn is_held(mutant: &Mutant, of: Option<(&'static Text, usize)>, blocks: &[&Block]) -> bool {
    let text: &'static Text = Box::leak(Box::new(mutant.text));
    let text = match of {
        None => text,
        Some((base, at)) => {
            let mut variations = base.variations.to_vec();
            variations[at].text = text;
            Box::leak(Box::new(Text { variations: Box::leak(variations.into_boxed_slice()), ..*base }))
        }
    };
    if !odds::agree(mutant.text.sides.rows) {
        return true;
    }
    SHORTENED.set(mutant.step.map(|step| (text_script(mutant), step)));
    let mut order: Vec<&Block> = blocks.to_vec();
    if let Some(by) = mutant.by {
        order.sort_by_key(|block| {
            !block.lines.iter().any(|line| line.starts_with("=>") && line.contains(by.id()))
        });
    }
    order.iter().any(|block| {
        let result = catch_unwind(AssertUnwindSafe(|| run_under(block, Some(text))));
        result.map_or(true, |missed| !missed.is_empty())
    })
}

/// The rows that no case can hold, of one text, with the reason.
fn unheld(name: &str) -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/unheld.md");
    let file = std::fs::read_to_string(path).expect("cases/unheld.md");
    let mut rows = BTreeMap::new();
    let mut here = false;
    for line in file.lines() {
        match (line.strip_prefix("## "), line.strip_prefix("- `")) {
            (Some(heading), _) => here = heading == name,
            (_, Some(rest)) if here => {
                let (row, reason) = rest.split_once("`: ").unwrap_or((rest, ""));
                assert!(!reason.is_empty(), "{name} {row} has no reason");
                rows.insert(row.to_string(), reason.to_string());
            }
            _ => {}
        }
    }
    rows
}

type Script = fn(&Choices) -> &'static [Step];

thread_local! {
    /// The script of the mutant that is tried on this thread, and the step that it lacks.
    static SHORTENED: Cell<Option<(Script, usize)>> = const { Cell::new(None) };
}

/// A script with one step gone, whichever of the text's scripts the table has.
fn shortened(choices: &Choices) -> &'static [Step] {
    let Some((script, step)) = SHORTENED.get() else { return &[] };
    let whole = script(choices);
    let kept = whole.iter().enumerate().filter(|(at, _)| *at != step).map(|(_, step)| *step);
    Box::leak(kept.collect::<Vec<_>>().into_boxed_slice())
}

fn text_script(mutant: &Mutant) -> Script {
    ORIGINALS.with(|originals| originals.borrow()[mutant.text.name])
}

thread_local! {
    static ORIGINALS: std::cell::RefCell<BTreeMap<&'static str, Script>> = const { std::cell::RefCell::new(BTreeMap::new()) };
}

/// Makes a mutant of each citation of a part; the fields besides are changed below, each in its own way.
macro_rules! citations {
    ($found:ident, $text:ident, $part:ident: $kind:ident { $($by:ident)* } besides { $($other:ident)* }) => {
        let $kind { $($by: _,)* $($other: _,)* .. } = $text.$part;
        $($found.cite(concat!(stringify!($part), ".", stringify!($by)), $text.$part.$by, |text| &mut text.$part.$by);)*
    };
}

/// Makes a mutant of each row that is no citation.
macro_rules! others {
    ($found:ident, $($($path:ident).+ => $change:expr;)*) => {
        $($found.change(stringify!($($path).+).replace(' ', ""), |text| { let old = text.$($path).+; text.$($path).+ = $change(old); });)*
    };
}

struct Found {
    of: &'static Text,
    mutants: Vec<Mutant>,
}

impl Found {
    fn cite(&mut self, row: &str, by: Clause, place: fn(&mut Text) -> &mut Clause) {
        let mut text = *self.of;
        *place(&mut text) = NOWHERE;
        self.mutants.push(Mutant { row: row.to_string(), text, by: Some(by), step: None });
    }

    fn change(&mut self, row: String, change: impl FnOnce(&mut Text)) {
        let mut text = *self.of;
        change(&mut text);
        self.mutants.push(Mutant { row, text, by: None, step: None });
    }
}

fn dearer(odds: Odds) -> Odds {
    Odds::new(odds.pays() + odds.per(), odds.per())
}

fn mutants(of: &'static Text) -> Vec<Mutant> {
    let mut found = Found { of, mutants: Vec::new() };
    citations!(found, of, cards: Cards { by } besides { deck removed });
    citations!(found, of, wagers: Wagers { required below_minimum chips coupon closed confirmed entry admission }
        besides { hands spots one_amount unit attacks original areas });
    citations!(found, of, opening: Opening { inspect spread spread_for_device wash seen } besides { stack idle double_shoe });
    citations!(found, of, shuffle: Shuffling { by at_cutting_card on_order strip_early swap_each_round empty_shoe ordered }
        besides { swap by_device parts bart_carter });
    citations!(found, of, cut: Cutting { by order first_player at_player at_dealer otherwise offered_on declined by_dealer
        dealer_instead recut recut_by place load card_out } besides { not_after_device least clockwise behind hand });
    citations!(found, of, deal: Dealing { shoe burn burn_again burn_shown first_card up_card next_card hole_card total decisions
        turns drawn second_card dealers_card dealer_total reader turned turned_blackjack blackjack_ends pick_up }
        besides { shoes script face_down new_total second_always read_under });
    citations!(found, of, surrender: Surrender { by first not_offered after_split low high ruled_out waits too_late }
        besides { may to_blackjack notice halves_all if_offered if_not });
    citations!(found, of, insurance: Insurance { by most in_time before_reader won lost even_money }
        besides { none reader_first late pays suited sentence });
    citations!(found, of, double: Doubling { by after_split not_blackjack not_after_split amount card face_up returned }
        besides { two_cards plain_21 split_ace totals cards sentence });
    citations!(found, of, split: Splitting { by switched again limit limit_at_seven ace aces_again total returned }
        besides { once ace_sentence });
    citations!(found, of, draw: Drawing { by at_21 doubled bust dealer_stands dealer_hits needless } besides {});
    citations!(found, of, sharing: Sharing { by limited consent caller double split boxes more_boxes } besides {});
    citations!(found, of, irregular: Irregular { face_up face_up_again unexposed exposed refused burned drew_on_standing
        missed_own missed_box late_card missed_draw out_of_cards reshuffle_burn shuffler_failed shuffler_removed
        reader_notice reader_seen reader_unseen reader_failed burn_forgotten misdelivered void }
        besides { second_voids missed_own_voids forward });
    citations!(found, of, settle: Settling { bust attack_returned } besides { compare collects_bust spares_busted pays_at_turn
        depends blackjack at_22 most_cards });
    idle(&mut found);
    optional(&mut found);
    let flip = |old: bool| !old;
    others! { found,
        wagers.hands => |hands| 3 - hands;
        cut.least => |least: u16| least + 1;
        cut.clockwise => flip;
        cut.behind => |behind: usize| behind - 1;
        deal.face_down => flip;
        deal.second_always => flip;
        surrender.halves_all => flip;
        insurance.pays => dearer;
        insurance.reader_first => flip;
        insurance.late => flip;
        double.plain_21 => flip;
        irregular.second_voids => flip;
        irregular.missed_own_voids => flip;
        settle.collects_bust => flip;
        settle.spares_busted => flip;
        settle.blackjack => dearer;
    }
    scripts(&mut found);
    sides(&mut found);
    found.mutants
}

fn idle(found: &mut Found) {
    let of = found.of;
    let Idle { spread, turn_up, turn_down, wash, .. } = of.opening.idle;
    found.cite("opening.idle.spread", spread, |text| &mut text.opening.idle.spread);
    found.cite("opening.idle.turn_up", turn_up, |text| &mut text.opening.idle.turn_up);
    found.cite("opening.idle.turn_down", turn_down, |text| &mut text.opening.idle.turn_down);
    found.cite("opening.idle.wash", wash, |text| &mut text.opening.idle.wash);
}

/// Rows that a text may lack: each is taken away, and each citation in it is changed.
fn optional(found: &mut Found) {
    let of = found.of;
    macro_rules! maybe {
        ($($($path:ident).+)*) => { $(
            if of.$($path).+.is_some() {
                found.change(stringify!($($path).+).replace(' ', ""), |text| text.$($path).+ = None);
            }
        )* };
    }
    maybe!(opening.stack opening.idle.device shuffle.swap shuffle.device_only shuffle.own cut.not_after_device cards.removed wagers.unit opening.double_shoe shuffle.by_device shuffle.bart_carter deal.new_total
        insurance.suited double.two_cards double.totals split.once irregular.forward switch);
    if let Some(new) = of.deal.new_total {
        found.change("deal.new_total.by".into(), |text| text.deal.new_total = Some(NOWHERE));
        found.last_by(new);
    }
    if let Some((odds, by)) = of.insurance.suited {
        found.change("insurance.suited.pays".into(), |text| text.insurance.suited = Some((dearer(odds), by)));
        found.change("insurance.suited.by".into(), |text| text.insurance.suited = Some((odds, NOWHERE)));
    }
    if let Some((unit, by)) = of.wagers.unit {
        found.change("wagers.unit.amount".into(), |text| text.wagers.unit = Some((Cents(unit.0 * 2), by)));
        found.change("wagers.unit.by".into(), |text| text.wagers.unit = Some((unit, NOWHERE)));
    }
    if let Some(removed) = of.cards.removed {
        macro_rules! removed {
            ($($field:ident)*) => { $(
                found.change(concat!("cards.removed.", stringify!($field)).into(), |text| {
                    text.cards.removed = Some(Removed { $field: NOWHERE, ..removed });
                });
            )* };
        }
        removed!(remove verify destroy found found_again);
    }
    if let Some(double) = of.opening.double_shoe {
        macro_rules! double_shoe {
            ($($field:ident)*) => { $(
                found.change(concat!("opening.double_shoe.", stringify!($field)).into(), |text| {
                    text.opening.double_shoe = Some(DoubleShoe { $field: NOWHERE, ..double });
                });
            )* };
        }
        double_shoe!(spread wash empty);
    }
    if let Some(switch) = of.switch {
        macro_rules! switching {
            ($($field:ident)*) => { $(
                found.change(concat!("switch.", stringify!($field)).into(), |text| {
                    text.switch = Some(Switching { $field: NOWHERE, ..switch });
                });
            )* };
        }
        switching!(by switched switched_total revoked once kept second_total);
    }
    if let Some(forward) = of.irregular.forward {
        found.change("irregular.forward.card".into(), |text| {
            text.irregular.forward = Some(Forward { card: NOWHERE, ..forward });
        });
        found.change("irregular.forward.let_out".into(), |text| {
            text.irregular.forward = Some(Forward { let_out: NOWHERE, ..forward });
        });
    }
    if let Some(by) = of.shuffle.bart_carter {
        for at in 0..by.len() {
            let mut other = by;
            other[at] = NOWHERE;
            found.change(format!("shuffle.bart_carter.{at}"), |text| text.shuffle.bart_carter = Some(other));
        }
    }
    for at in 0..of.shuffle.parts.len() {
        let mut parts = of.shuffle.parts.to_vec();
        parts.remove(at);
        found.change(format!("shuffle.parts.{at}"), |text| text.shuffle.parts = parts.leak());
        let mut parts = of.shuffle.parts.to_vec();
        parts[at].1 = NOWHERE;
        found.change(format!("shuffle.parts.{at}.by"), |text| text.shuffle.parts = parts.leak());
    }
    for (at, attack) in of.wagers.attacks.iter().enumerate() {
        for (field, other) in
            [("by", Attack { by: NOWHERE, ..*attack }), ("up_to", Attack { up_to: NOWHERE, ..*attack })]
        {
            let mut attacks = of.wagers.attacks.to_vec();
            attacks[at] = other;
            found.change(format!("wagers.attacks.{at}.{field}"), |text| text.wagers.attacks = attacks.leak());
        }
    }
}

impl Found {
    /// The last mutant changed this citation.
    fn last_by(&mut self, by: Clause) {
        if let Some(last) = self.mutants.last_mut() {
            last.by = Some(by);
        }
    }
}

/// The scripts of a text without one of their steps; the last step is the end of every round and is not taken away.
fn scripts(found: &mut Found) {
    let script = found.of.deal.script;
    ORIGINALS.with(|originals| originals.borrow_mut().insert(found.of.name, script));
    let longest = script(&(found.of.preset)()).len();
    for step in 0..longest.saturating_sub(1) {
        let mut text = *found.of;
        text.deal.script = shortened;
        found.mutants.push(Mutant { row: format!("deal.script.{step}"), text, by: None, step: Some(step) });
    }
}

/// The side wagers: their citations, and every line of every pay table.
fn sides(found: &mut Found) {
    for (at, side) in found.of.sides.rows.iter().enumerate() {
        let name = side.wager.word();
        let mut put = |row: String, other: Side, by: Option<Clause>| {
            let mut rows = found.of.sides.rows.to_vec();
            rows[at] = other;
            found.change(format!("sides.{name}.{row}"), |text| text.sides.rows = rows.leak());
            if let Some(by) = by {
                found.last_by(by);
            }
        };
        put("beside_main".into(), Side { beside_main: NOWHERE, ..*side }, Some(side.beside_main));
        put("least".into(), Side { least: NOWHERE, ..*side }, Some(side.least));
        put("most".into(), Side { most: NOWHERE, ..*side }, Some(side.most));
        put("lost".into(), Side { lost: NOWHERE, ..*side }, Some(side.lost));
        if let Some(by) = side.within_main {
            put("within_main".into(), Side { within_main: None, ..*side }, None);
            put("within_main.by".into(), Side { within_main: Some(NOWHERE), ..*side }, Some(by));
        }
        if let Some(by) = side.lost_on_two {
            put("lost_on_two".into(), Side { lost_on_two: Some(NOWHERE), ..*side }, Some(by));
        }
        if !matches!(side.amounts, Amounts::Any) {
            put("amounts".into(), Side { amounts: Amounts::Any, ..*side }, None);
        }
        for (n, table) in side.paytables.iter().enumerate() {
            for (line, row) in table.lines.iter().enumerate() {
                let pays = match row.pays {
                    Pays::Odds(odds) => Pays::Odds(dearer(odds)),
                    Pays::Amount(amount) => Pays::Amount(Cents(amount.0 + 100)),
                    Pays::Meter | Pays::Award => Pays::Odds(Odds::EVEN),
                };
                for (what, other) in [("pays", Line { pays, ..*row }), ("by", Line { by: NOWHERE, ..*row })] {
                    let mut lines = table.lines.to_vec();
                    lines[line] = other;
                    let mut tables = side.paytables.to_vec();
                    tables[n] = PayTable { lines: lines.leak(), ..*table };
                    let decks = table.decks.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
                    let row = format!("{}[{decks}].{line}.{what}", table.name);
                    put(
                        row,
                        Side { paytables: tables.leak(), ..*side },
                        (what == "by").then_some(row_by(table, line)),
                    );
                }
            }
        }
    }
}

fn row_by(table: &PayTable, line: usize) -> Clause {
    table.lines[line].by
}
