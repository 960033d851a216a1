//! Mutants of a text with one row changed, for every row: a citation becomes one that no case expects, a number becomes
//! another, a flag is inverted, an optional part is removed, a script loses a step or has two swapped. The patterns
//! name every field, so that a new row does not compile until somebody says how to change it.

mod sides;

use rules::card::Deck;
use rules::choice::{Choices, HoleCard};
use rules::script::{Offer, Step};
use rules::settle::Stake;
use rules::text::*;
use rules::{Cents, Clause, Odds, clause};
use std::cell::Cell;
use std::fmt::Debug;

/// A clause that no case expects.
const NOWHERE: Clause = clause!("19:47-2.1 \"Dealer\"");

/// No words.
const UNSAID: rules::message::Fixed = rules::message!("unsaid", "");
/// A sentence that no case expects.
const OTHER: CitedRule = (rules::rule!("other", "Another sentence."), NOWHERE);

/// A text with one row changed.
pub struct Mutant {
    pub row: String,
    /// The row's value, to distinguish a variation's from its base's.
    pub was: String,
    pub text: Text,
    /// The row's clause, if it is a citation.
    pub by: Option<Clause>,
    script: Option<Edited>,
}

type Script = fn(&Choices) -> &'static [Step];

/// A change to one of the scripts that a text has.
#[derive(Clone, Copy)]
struct Edited {
    script: Script,
    whole: &'static [Step],
    edit: Edit,
}

#[derive(Clone, Copy)]
enum Edit {
    Without(usize),
    Exchanged(usize),
}

thread_local! {
    /// A script is selected by a function, which cannot know the mutant it is called for.
    static EDITED: Cell<Option<Edited>> = const { Cell::new(None) };
}

/// Makes this thread play by the mutant's script.
pub fn play_by(mutant: &Mutant) {
    EDITED.set(mutant.script);
}

fn edited(choices: &Choices) -> &'static [Step] {
    let Some(Edited { script, whole, edit }) = EDITED.get() else { return &[] };
    let found = script(choices);
    if !std::ptr::eq(found, whole) {
        return found;
    }
    let mut steps = whole.to_vec();
    match edit {
        Edit::Without(at) => {
            steps.remove(at);
        }
        Edit::Exchanged(at) => steps.swap(at, at + 1),
    }
    steps.leak()
}

struct Found {
    of: &'static Text,
    mutants: Vec<Mutant>,
}

impl Found {
    fn change(&mut self, row: impl Into<String>, was: impl Debug, change: impl FnOnce(&mut Text)) {
        let mut text = *self.of;
        change(&mut text);
        let was = format!("{was:?}");
        self.mutants.push(Mutant { row: row.into(), was, text, by: None, script: None });
    }

    fn cite(&mut self, row: impl Into<String>, by: Clause, change: impl FnOnce(&mut Text)) {
        self.change(row, by, change);
        if let Some(last) = self.mutants.last_mut() {
            last.by = Some(by);
        }
    }
}

/// Makes a mutant of each citation of a part; other fields are named too, and changed separately below.
macro_rules! citations {
    ($found:ident, $part:ident: $kind:ident { $($by:ident)* } besides { $($other:ident)* }) => {
        let $kind { $($by,)* $($other: _,)* } = $found.of.$part;
        $($found.cite(concat!(stringify!($part), ".", stringify!($by)), $by, |text| text.$part.$by = NOWHERE);)*
    };
}

/// Makes a mutant of each row that is not a citation.
macro_rules! others {
    ($found:ident, $($($path:ident).+ => $change:expr;)*) => { $(
        let old = $found.of.$($path).+;
        $found.change(stringify!($($path).+).replace(' ', ""), old, |text| text.$($path).+ = $change(old));
    )* };
}

/// Removes each optional part.
macro_rules! optional {
    ($found:ident, $($($path:ident).+)*) => { $(
        if $found.of.$($path).+.is_some() {
            $found.change(stringify!($($path).+).replace(' ', ""), "there", |text| text.$($path).+ = None);
        }
    )* };
}

/// Makes a mutant of each citation in an optional part.
macro_rules! within {
    ($found:ident, $($path:ident).+: $kind:ident { $($by:ident)* } besides { $($other:ident)* }) => {
        if let Some(old) = $found.of.$($path).+ {
            let $kind { $($by: _,)* $($other: _,)* } = old;
            let part = stringify!($($path).+).replace(' ', "");
            let others = [$((stringify!($by), old.$by, $kind { $by: NOWHERE, ..old }),)*];
            for (field, by, other) in others {
                $found.cite(format!("{part}.{field}"), by, |text| text.$($path).+ = Some(other));
            }
        }
    };
}

/// Makes two mutants of each optional clause: removed, and replaced.
macro_rules! clauses {
    ($found:ident, $($($path:ident).+)*) => { $(
        optional!($found, $($path).+);
        if let Some(old) = $found.of.$($path).+ {
            $found.cite(stringify!($($path).+).replace(' ', "") + ".by", old, |text| text.$($path).+ = Some(NOWHERE));
        }
    )* };
}

fn dearer(odds: Odds) -> Odds {
    Odds::new(odds.pays() + odds.per(), odds.per())
}

/// Returns odds that cannot pay every amount in whole cents, unless these already are such.
fn halved(odds: Odds) -> Odds {
    Odds::new(odds.pays() * 2 + odds.per(), odds.per() * 2)
}

fn not(old: bool) -> bool {
    !old
}

/// Makes a mutant of everything in the text that is not a function; functions are code, not rows.
pub fn mutants(of: &'static Text) -> Vec<Mutant> {
    let found = &mut Found { of, mutants: Vec::new() };
    let Text {
        name: _,
        title: _,
        game: _,
        jurisdiction: _,
        variations: _,
        preset: _,
        cards: _,
        wagers: _,
        opening: _,
        shuffle: _,
        cut: _,
        deal: _,
        surrender: _,
        insurance: _,
        double: _,
        split: _,
        switch: _,
        draw: _,
        sharing: _,
        irregular: _,
        settle: _,
        sides: _,
        licensee: _,
        felt: _,
        results: _,
        rulings: _,
        check: _,
        values: _,
    } = of;
    found.change("title", of.title, |text| text.title = "Other");
    cards_and_wagers(found);
    before_the_deal(found);
    play(found);
    after_play(found);
    words(found);
    scripts(found);
    sides::sides(found);
    std::mem::take(&mut found.mutants)
}

fn cards_and_wagers(found: &mut Found) {
    let of = found.of;
    citations!(found, cards: Cards { by } besides { deck removed });
    let other = if of.cards.deck == Deck::FIFTY_TWO { Deck::FORTY_EIGHT } else { Deck::FIFTY_TWO };
    others! { found, cards.deck => |_| other; }
    optional!(found, cards.removed);
    within!(found, cards.removed: Removed { remove verify destroy found found_again } besides { sentence });
    citations!(found, wagers: Wagers { required below_minimum chips coupon closed confirmed entry admission }
        besides { hands dealer_hands several called_bet one_amount unit attacks original areas });
    others! { found,
        wagers.hands => |hands| 3 - hands;
        wagers.dealer_hands => |hands| 4 - hands;
        wagers.original => |old| if old == Original::Required { Original::WithAttacks } else { Original::Required };
    }
    optional!(found, wagers.unit wagers.several);
    within!(found, wagers.several: SeveralDealerHands { all double_on_all second third } besides {});
    if let Some((unit, by)) = of.wagers.unit {
        found.change("wagers.unit.amount", unit, |text| text.wagers.unit = Some((Cents(unit.0 * 2), by)));
        found.cite("wagers.unit.by", by, |text| text.wagers.unit = Some((unit, NOWHERE)));
    }
    for (at, &attack) in of.wagers.attacks.iter().enumerate() {
        let Attack { offer, stake, by, up_to, shared, sentence, equal_sentence } = attack;
        let mut put = |field: &str, was: &dyn Debug, other: Attack| {
            let mut attacks = of.wagers.attacks.to_vec();
            attacks[at] = other;
            found.change(format!("wagers.attacks.{at}.{field}"), was, |text| {
                text.wagers.attacks = attacks.leak()
            });
        };
        put("offer", &offer, Attack { offer: Offer::Insurance, ..attack });
        put("stake", &stake, Attack { stake: Stake::Double, ..attack });
        put("by", &by, Attack { by: NOWHERE, ..attack });
        put("up_to", &up_to, Attack { up_to: NOWHERE, ..attack });
        put("shared", &shared, Attack { shared: NOWHERE, ..attack });
        put("sentence", &sentence, Attack { sentence: UNSAID, ..attack });
        put("equal_sentence", &equal_sentence, Attack { equal_sentence: UNSAID, ..attack });
    }
}

fn before_the_deal(found: &mut Found) {
    let of = found.of;
    citations!(found, opening: Opening { inspect spread spread_for_device wash seen } besides { stack idle double_shoe });
    clauses!(found, opening.stack);
    optional!(found, opening.idle opening.double_shoe);
    within!(found, opening.idle: Idle { spread turn_up turn_down wash } besides { device });
    if let Some((idle, device)) = of.opening.idle.and_then(|idle| Some((idle, idle.device?))) {
        let IdleDevice { stack, swap, on_request } = device;
        let put = |text: &mut Text, device| text.opening.idle = Some(Idle { device, ..idle });
        found.change("opening.idle.device", "there", |text| put(text, None));
        let device = |stack, swap, on_request| Some(IdleDevice { stack, swap, on_request });
        let row = |name: &str| format!("opening.idle.device.{name}");
        found.cite(row("stack"), stack, |text| put(text, device(NOWHERE, swap, on_request)));
        found.cite(row("swap"), swap, |text| put(text, device(stack, NOWHERE, on_request)));
        if let Some(by) = on_request {
            found.cite(row("on_request"), by, |text| put(text, device(stack, swap, None)));
            found.cite(row("on_request.by"), by, |text| put(text, device(stack, swap, Some(NOWHERE))));
        }
    }
    within!(found, opening.double_shoe: DoubleShoe { spread wash empty same_side other_side } besides {});
    citations!(found, shuffle: Shuffling { by at_cut_card on_order strip_early empty_shoe ordered }
        besides { swap swap_each_round by_device parts bart_carter device_only own });
    clauses!(found, shuffle.swap shuffle.swap_each_round shuffle.by_device shuffle.device_only shuffle.own);
    optional!(found, shuffle.bart_carter);
    if let Some(by) = of.shuffle.bart_carter {
        for at in 0..by.len() {
            let mut other = by;
            other[at] = NOWHERE;
            found.cite(format!("shuffle.bart_carter.{at}"), by[at], |text| {
                text.shuffle.bart_carter = Some(other)
            });
        }
    }
    for (at, &part) in of.shuffle.parts.iter().enumerate() {
        let mut parts = of.shuffle.parts.to_vec();
        parts.remove(at);
        found.change(format!("shuffle.parts.{at}"), part, |text| text.shuffle.parts = parts.leak());
        let mut parts = of.shuffle.parts.to_vec();
        parts[at].1 = NOWHERE;
        found.cite(format!("shuffle.parts.{at}.by"), part.1, |text| text.shuffle.parts = parts.leak());
    }
    citations!(found, cut: Cutting { by order first_player at_player at_dealer after_ordered_shuffle offered_to_next
        declined by_dealer recut recut_by place load card_out }
        besides { not_after_device dealer_instead least clockwise behind hand });
    clauses!(found, cut.not_after_device cut.dealer_instead);
    optional!(found, cut.hand);
    others! { found,
        cut.least => |least| least + 1;
        cut.clockwise => not;
        cut.behind => |behind| behind - 1;
    }
    for at in 0..of.cut.hand.map_or(0, |hand| hand.len()) {
        if let Some(mut hand) = of.cut.hand {
            let by = std::mem::replace(&mut hand[at], NOWHERE);
            found.cite(format!("cut.hand.{at}"), by, |text| text.cut.hand = Some(hand));
        }
    }
}

fn play(found: &mut Found) {
    let of = found.of;
    citations!(found, deal: Dealing { burn burn_again burn_shown first_card up_card next_card hole_card total decisions
        turns drawn dealer_total reader turned turned_blackjack blackjack_ends pick_up }
        besides { script face_down blackjacks new_total second read_under sevens_card });
    clauses!(found, deal.new_total deal.sevens_card);
    optional!(found, deal.face_down deal.blackjacks deal.second);
    within!(found, deal.face_down: FaceDown { burned split thrown_in turned } besides {});
    within!(found, deal.blackjacks: DealtBlackjacks { announced waiting removed } besides {});
    within!(found, deal.second: DealersSecond { by announced } besides { always });
    if let Some(second) = of.deal.second {
        let always = !second.always;
        found.change("deal.second.always", second.always, |text| {
            text.deal.second = Some(DealersSecond { always, ..second });
        });
    }
    optional!(found, surrender);
    within!(found, surrender: Surrender { by low high too_late }
        besides { may at_once to_blackjack notice halves_all until_standing if_offered if_not });
    surrender(found);
    if let Some(rule) = of.surrender {
        let Surrender { notice, halves_all, until_standing, if_offered, if_not, .. } = rule;
        let mut put = |row: &str, was: &dyn Debug, rule: Surrender| {
            found.change(format!("surrender.{row}"), was, |text| text.surrender = Some(rule));
        };
        if let Some(by) = notice {
            put("notice", &"there", Surrender { notice: None, ..rule });
            put("notice.by", &by, Surrender { notice: Some(NOWHERE), ..rule });
        }
        put("halves_all", &halves_all, Surrender { halves_all: !halves_all, ..rule });
        put("until_standing", &until_standing, Surrender { until_standing: !until_standing, ..rule });
        put("if_offered", &if_offered, Surrender { if_offered: OTHER, ..rule });
        put("if_not", &if_not, Surrender { if_not: OTHER, ..rule });
    }
    citations!(found, insurance: Insurance { by most in_time before_reader won lost even_money }
        besides { none cites_before_reader after_losers pays suited sentence });
    optional!(found, insurance.none insurance.suited);
    if let Some((odds, by)) = of.insurance.suited {
        found.change("insurance.suited.pays", odds, |text| text.insurance.suited = Some((dearer(odds), by)));
        found.cite("insurance.suited.by", by, |text| text.insurance.suited = Some((odds, NOWHERE)));
    }
    citations!(found, double: Doubling { by after_split not_blackjack not_after_split amount card face_up returned }
        besides { two_cards plain_21 split_21 split_ace totals turned sentence });
    clauses!(found, double.two_cards double.turned);
    optional!(found, double.totals);
    let (by, kinds) = match of.double.split_ace {
        OnSplitAce::Refused(by) => (by, [OnSplitAce::Refused(NOWHERE), OnSplitAce::Allowed(by)]),
        OnSplitAce::Ruled(by) => (by, [OnSplitAce::Ruled(NOWHERE), OnSplitAce::Refused(by)]),
        OnSplitAce::Allowed(by) => (by, [OnSplitAce::Allowed(NOWHERE), OnSplitAce::Refused(by)]),
    };
    for (row, kind) in ["double.split_ace.by", "double.split_ace"].into_iter().zip(kinds) {
        found.cite(row, by, |text| text.double.split_ace = kind);
    }
    citations!(found, split: Splitting { by again limit limit_at_seven ace aces_again total returned }
        besides { switched once sevens may_share_original ace_sentence });
    clauses!(found, split.once split.switched split.sevens);
    optional!(found, switch);
    within!(found, switch: Switching { by switched switched_total revoked once revocation_declined second_total }
        besides {});
    others! { found,
        insurance.pays => dearer;
        insurance.cites_before_reader => not;
        insurance.after_losers => not;
        double.plain_21 => not;
        double.split_21 => not;
        split.may_share_original => not;
    }
}

/// Changes the parts of surrender that a text may lack.
fn surrender(found: &mut Found) {
    let Some(rule) = found.of.surrender else { return };
    if let MaySurrender::First(first) = rule.may {
        let FirstDecision { by, not_offered, after_split } = first;
        let put = |text: &mut Text, first| {
            text.surrender = Some(Surrender { may: MaySurrender::First(first), ..rule });
        };
        found.cite("surrender.first", by, |text| put(text, FirstDecision { by: NOWHERE, ..first }));
        found.cite("surrender.first.not_offered", not_offered, |text| {
            put(text, FirstDecision { not_offered: NOWHERE, ..first });
        });
        found.cite("surrender.first.after_split", after_split, |text| {
            put(text, FirstDecision { after_split: NOWHERE, ..first });
        });
    }
    if let Some(at_once) = rule.at_once {
        let SettledAtOnce { ruled_out, waits } = at_once;
        let put = |text: &mut Text, at_once| text.surrender = Some(Surrender { at_once, ..rule });
        found.change("surrender.at_once", "there", |text| put(text, None));
        found.cite("surrender.at_once.ruled_out", ruled_out, |text| {
            put(text, Some(SettledAtOnce { ruled_out: NOWHERE, ..at_once }));
        });
        found.cite("surrender.at_once.waits", waits, |text| {
            put(text, Some(SettledAtOnce { waits: NOWHERE, ..at_once }));
        });
    }
}

fn after_play(found: &mut Found) {
    citations!(found, draw: Drawing { by at_21 at_soft_21 doubled bust dealer_stands dealer_hits needless } besides {});
    citations!(found, sharing: Sharing { by limited consent box_owner double split boxes more_boxes } besides {});
    citations!(found, irregular: Irregular { face_up face_up_again unexposed exposed refused burned drew_on_standing
        missed_own missed_box late_card missed_draw out_of_cards reshuffle_burn shuffler_failed shuffler_removed
        reader_notice reader_seen reader_unseen reader_failed misdelivered void }
        besides { second_voids missed_own_voids burn_forgotten misdelivered_remedies wrong_side up_card
        light_failed bonus_failed double_dealt_up });
    clauses!(found, irregular.burn_forgotten irregular.wrong_side irregular.light_failed irregular.bonus_failed
        irregular.double_dealt_up);
    optional!(found, irregular.misdelivered_remedies irregular.up_card);
    within!(found, irregular.up_card: UpCardMove { missed discarded notified found put_back } besides {});
    within!(found, irregular.misdelivered_remedies: MisdeliveredRemedies { card withdraw } besides {});
    citations!(found, settle: Settling { bust } besides { attack_returned compare collects_bust takes_cards
        holds_busted_added_bets pays_at_turn dealer_can_change blackjack at_22 most_cards });
    clauses!(found, settle.attack_returned);
    others! { found,
        irregular.second_voids => not;
        irregular.missed_own_voids => not;
        settle.collects_bust => not;
        settle.takes_cards => not;
        settle.holds_busted_added_bets => not;
        settle.blackjack => halved;
        settle.at_22 => not;
        settle.most_cards => |cards| cards + 1;
    }
}

/// Changes the texts that people read: sentences, the felt, the betting areas.
fn words(found: &mut Found) {
    let of = found.of;
    others! { found,
        wagers.one_amount => |_| UNSAID;
        deal.read_under => |_| UNSAID;
        insurance.sentence => |_| OTHER;
        double.sentence => |_| OTHER;
        split.ace_sentence => |_| OTHER;
    }
    if let Some(removed) = of.cards.removed {
        found.change("cards.removed.sentence", removed.sentence, |text| {
            text.cards.removed = Some(Removed { sentence: OTHER, ..removed });
        });
    }
    clauses!(found, licensee);
    macro_rules! rows {
        ($($path:ident).+, $field:literal, $was:expr, $other:expr) => {
            for (at, &row) in of.$($path).+.iter().enumerate() {
                let mut rows = of.$($path).+.to_vec();
                rows[at] = $other(row);
                let name = stringify!($($path).+).replace(' ', "");
                found.change(format!("{name}.{at}.{}", $field), $was(row), |text| text.$($path).+ = rows.leak());
            }
        };
    }
    rows!(felt, "by", |felt: Felt| felt.by, |felt| Felt { by: NOWHERE, ..felt });
    rows!(felt, "text", |felt: Felt| felt.text, |felt| Felt { text: UNSAID, ..felt });
    rows!(results, "said", |said: CitedRule| said, |_| OTHER);
    rows!(wagers.areas, "by", |area: Area| area.by, |area| Area { by: NOWHERE, ..area });
    rows!(wagers.areas, "name", |area: Area| area.name, |area| Area { name: "", ..area });
    rows!(rulings, "by", |(_, by): (&str, Clause)| by, |(key, _)| (key, NOWHERE));
}

/// Changes every script of a text: without one of its steps, and with two neighbors swapped.
fn scripts(found: &mut Found) {
    let script = found.of.deal.script;
    let mut seen: Vec<&'static [Step]> = Vec::new();
    for &hole_card in HoleCard::ALL {
        let whole = script(&Choices { hole_card, ..(found.of.preset)() });
        if seen.iter().any(|other| std::ptr::eq(*other, whole)) {
            continue;
        }
        seen.push(whole);
        // every round begins with bets and ends when the cards are picked up: without this frame no round ends
        let inner = 1..whole.len() - 1;
        let without = inner.clone().map(Edit::Without);
        let exchanged = inner
            .take_while(|at| at + 2 < whole.len())
            .filter(|&at| whole[at] != whole[at + 1])
            .map(Edit::Exchanged);
        for edit in without.chain(exchanged) {
            let row = match edit {
                Edit::Without(at) => format!("script {}: without {at} {:?}", seen.len(), whole[at]),
                Edit::Exchanged(at) => {
                    format!("script {}: {at} {:?} after {:?}", seen.len(), whole[at], whole[at + 1])
                }
            };
            found.change(row, whole, |text| text.deal.script = edited);
            if let Some(last) = found.mutants.last_mut() {
                last.script = Some(Edited { script, whole, edit });
            }
        }
    }
}
