//! Simulates people who answer whatever the table awaits with a random legal command.

use super::awaited::may_attack;
use super::cards::Cards;
use super::{Chance, Style};
use crate::command::{Command, Decision};
use crate::event::{Approval, Finding};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person, Role, Side, Spots};
use crate::round::{BettorPlay, CoAsk};
use crate::shoe::Procedure;
use crate::table::{Awaiting, Decide, SwitchOption, Table};
use rules::script::{Offer, Step};
use rules::{Action, AttackAmount, Cents, DoubleCard, SideBet, SideWager, Variation, limit};

/// Returns the unit of bets in cents: the smallest chip, but at least five dollars at 6 to 5.
///
/// At 6 to 5 this avoids payouts with fractions of a cent.
fn unit(table: &Table) -> i64 {
    match table.rules().variation {
        Variation::SixToFive => table.rules().chip.0.max(500),
        _ => table.rules().chip.0,
    }
}

/// Returns a random amount of whole units in this range, or the least amount if the range has none.
fn amount(table: &Table, least: Cents, most: Cents, chance: &mut Chance<'_>) -> Cents {
    let unit = unit(table);
    let (least, most) = ((least.0 + unit - 1) / unit, most.0 / unit);
    Cents(chance.between(least.max(1), most.max(least).max(1)) * unit)
}

/// Returns a random legal command.
///
/// Returns `None` if the cards have run out.
pub fn command(table: &Table, cards: &mut Cards, style: &Style, chance: &mut Chance<'_>) -> Option<Command> {
    Some(match table.awaiting()? {
        Awaiting::Procedure(procedure) => Command::Perform(performed(table, procedure, style, chance)),
        Awaiting::Cut(box_id) if style.plain || chance.coin() => {
            Command::AcceptCut { box_id, at: cut(table, chance) }
        }
        Awaiting::Cut(box_id) => Command::DeclineCut { box_id },
        Awaiting::Wagers => wager(table, style, chance),
        Awaiting::Card(place) => card(table, place, cards, style, chance)?,
        Awaiting::Reader => Command::Reader(finding(table, cards)),
        Awaiting::Offers(offer) => offered(table, offer, chance),
        Awaiting::LateInsurance(box_id) => {
            answer(table, box_id, asked_at(table, box_id), Offer::Insurance, chance)
        }
        Awaiting::Switch(box_id) if chance.coin() => Command::Switch(box_id),
        Awaiting::Switch(box_id) => Command::DeclineSwitch(box_id),
        Awaiting::Revocation(box_id) if chance.one_in(3) => Command::Revoke(box_id),
        Awaiting::Revocation(box_id) => Command::DeclineSwitch(box_id),
        Awaiting::Decision(ask) => decision(table, ask, chance),
        Awaiting::CoBettors(ask) => co_bettor(table, ask, chance),
        Awaiting::SevensCard(box_id) => Command::TakeSevensCard { box_id, take: chance.coin() },
        Awaiting::LateCard(box_id) => Command::TakeLateCard { box_id, take: chance.coin() },
        Awaiting::Award(box_id, bettor) => {
            Command::Award { box_id, bettor, amount: award(table, box_id, bettor, chance) }
        }
        Awaiting::Approval(what) => {
            Command::Approve { what, role: approver(what, chance), person: Person(9_000) }
        }
    })
}

fn approver(what: Approval, chance: &mut Chance<'_>) -> Role {
    if chance.coin() { Role::Supervisor } else { what.role() }
}

// the cards

fn performed(table: &Table, procedure: Procedure, style: &Style, chance: &mut Chance<'_>) -> Procedure {
    match procedure {
        Procedure::Cut { .. } => Procedure::Cut { by: None, at: cut(table, chance) },
        Procedure::PlaceCutCard { .. } => {
            let usual = table.cards_behind();
            let deeper = if style.plain { 0 } else { chance.below(6) as u16 };
            Procedure::PlaceCutCard { behind: (usual + deeper).min(table.rules().stack_size() as u16) }
        }
        Procedure::VerifyTens(_) => Procedure::VerifyTens(Person(9_001)),
        other => other,
    }
}

fn cut(table: &Table, chance: &mut Chance<'_>) -> u16 {
    let stack = table.custody().to_cut() as i64;
    let least = i64::from(table.rules().text().cut.least).min(stack / 2);
    chance.between(least, stack - least) as u16
}

fn card(
    table: &Table,
    place: CardPlace,
    cards: &mut Cards,
    style: &Style,
    chance: &mut Chance<'_>,
) -> Option<Command> {
    match place {
        CardPlace::Determinant => {
            let side = if chance.coin() { Side::Red } else { Side::Black };
            let card = cards.draw_from(side, chance)?;
            Some(Command::Determinant(card, side))
        }
        CardPlace::Dealer if cards.hidden().is_some() => cards.hidden().map(Command::Card),
        CardPlace::HoleDown
            if !style.plain && table.round().mishaps.exposed.is_none() && chance.one_in(4) =>
        {
            let card = cards.draw(table, chance)?;
            cards.hide(card);
            Some(Command::FaceDown)
        }
        CardPlace::Hand(box_id, _) if may_refuse(table) && chance.one_in(4) => {
            Some(Command::RefuseCard(box_id))
        }
        _ => cards.draw(table, chance).map(Command::Card),
    }
}

/// Returns whether a player may refuse the exposed card (2.15(c)#2).
fn may_refuse(table: &Table) -> bool {
    table.round().mishaps.exposed.is_some() && table.step() == Step::Play
}

fn finding(table: &Table, cards: &Cards) -> Finding {
    let mut hand = table.round().dealer;
    if let Some(card) = cards.hidden() {
        hand.push(card);
    }
    if hand.is_blackjack() { Finding::Blackjack } else { Finding::NoBlackjack }
}

// bets

/// Returns a bet, a side bet, a step that makes a bet possible, or the command that closes betting.
fn wager(table: &Table, style: &Style, chance: &mut Chance<'_>) -> Command {
    let round = table.round();
    let bettors: usize = round.boxes.iter().map(|play| play.bettors.len()).sum();
    if bettors >= style.bettors || (bettors > 0 && !style.plain && chance.one_in(style.bettors + 1)) {
        if !style.sides || chance.one_in(4) {
            return Command::CloseWagers;
        }
        return side_wager(table, chance).unwrap_or(Command::CloseWagers);
    }
    if style.plain {
        let next = bettors as u8 + 1;
        if next > table.rules().positions {
            return Command::CloseWagers;
        }
        return main_wager(table, BoxId(next), Person(u32::from(next)), true, chance);
    }
    if chance.one_in(40) {
        return between_bets(table, chance);
    }
    new_bettor(table, chance)
}

/// Returns a command that is rare while bets are placed.
fn between_bets(table: &Table, chance: &mut Chance<'_>) -> Command {
    let placed: Vec<(BoxId, Person)> = table
        .round()
        .boxes
        .iter()
        .flat_map(|play| play.bettors.iter().map(move |bettor| (play.id, bettor.person)))
        .collect();
    match (chance.below(7), chance.pick(&placed)) {
        (3, _) if table.custody().may_be_recut => Command::OrderRecut { role: Role::Supervisor },
        (4, _) => Command::Sit {
            box_id: BoxId(1 + chance.below(usize::from(table.rules().positions)) as u8),
            person: Person(1 + chance.below(12) as u32),
        },
        (5, None) if table.is_idle() && table.rules().text().opening.idle.is_some() => Command::FallIdle,
        (6, _) if asks_reshuffle(table).is_some() => asks_reshuffle(table).expect("possible"),
        (0, _) => Command::RelieveDealer(Person(9_002)),
        (2, None) if table.is_idle() => Command::OrderReshuffle,
        (_, Some(&(box_id, person))) => Command::Withdraw { box_id, person },
        _ => new_bettor(table, chance),
    }
}

/// Returns a request to reshuffle the batch from an idle table's device, or `None` if it is illegal (2.5(j)2#3).
fn asks_reshuffle(table: &Table) -> Option<Command> {
    let command = Command::AskReshuffle(*table.memory().wagered_boxes.first()?);
    table.decide(command).is_ok().then_some(command)
}

/// Returns a bet by a new bettor, or the command that must come before it.
fn new_bettor(table: &Table, chance: &mut Chance<'_>) -> Command {
    let (rules, round) = (table.rules(), table.round());
    let box_id = BoxId(1 + chance.below(usize::from(rules.positions)) as u8);
    let play = round.box_at(box_id).map(|at| &round.boxes[at]);
    if let Some(play) = play {
        if play.bettors.len() >= usize::from(rules.bettors_per_box) {
            return Command::CloseWagers;
        }
        if !play.consent {
            return Command::Consent(box_id);
        }
        let shared = round.boxes.iter().filter(|play| play.bettors.len() > 1).count();
        if play.bettors.len() == 1 && rules.shared_boxes.is_some_and(|most| shared >= usize::from(most)) {
            return Command::CloseWagers;
        }
    }
    let free = play.is_none_or(|play| play.bettors.iter().all(|bettor| !bettor.seated));
    let sits = |person: Person| {
        let on = |play: &&crate::round::BoxPlay| play.bettors.iter().any(|b| b.person == person);
        let here = play.as_ref().is_some_and(on);
        here || round.boxes.iter().filter(on).count() >= usize::from(rules.boxes_per_player)
    };
    let known = Person(1 + chance.below(8) as u32);
    let person = if sits(known) { fresh_person(table) } else { known };
    if table.bars(person) {
        return Command::Admit(person);
    }
    main_wager(table, box_id, person, free && chance.coin(), chance)
}

fn fresh_person(table: &Table) -> Person {
    let boxes = &table.round().boxes;
    let highest = boxes.iter().flat_map(|play| &play.bettors).map(|b| b.person.0).max();
    Person(highest.unwrap_or(0).max(100) + 1)
}

fn main_wager(
    table: &Table,
    box_id: BoxId,
    person: Person,
    seated: bool,
    chance: &mut Chance<'_>,
) -> Command {
    let rules = table.rules();
    let one = |chance: &mut Chance<'_>| amount(table, rules.minimum, rules.maximum, chance);
    let mut amounts = [one(chance), Cents::ZERO, Cents::ZERO];
    if rules.variation == Variation::MultipleAction {
        amounts[1] = one(chance);
        if rules.multiple_action_required == 3 || chance.coin() {
            amounts[2] = one(chance);
        } else if chance.one_in(3) {
            amounts.swap(chance.below(2), 2);
        }
    }
    Command::Wager { box_id, person, seated, amounts }
}

/// Returns a random side bet, or `None` if nobody may make it now.
fn side_wager(table: &Table, chance: &mut Chance<'_>) -> Option<Command> {
    let (rules, round) = (table.rules(), table.round());
    let offers: Vec<_> = rules.side_wagers.iter().collect();
    let (wager, offer) = chance.pick(&offers)?;
    let bets: Vec<SideBet> = wager.bets().collect();
    let bet = *chance.pick(&bets)?;
    let play = chance.pick(&round.boxes)?;
    let bettor = chance.pick(&play.bettors)?;
    let main = bettor.main.iter().copied().filter(|&m| m > Cents::ZERO).min()?;
    let most = offer.maximum.min(main).max(offer.minimum);
    let denominations: Vec<Cents> = offer.awards.keys().copied().collect();
    let amount = match bet {
        SideBet::BlackjackBonus => *chance.pick(&denominations)?,
        SideBet::Sevens | SideBet::Progressive => Cents::dollars(1),
        _ => amount(table, offer.minimum, most, chance),
    };
    let command = Command::SideWager { box_id: play.id, person: bettor.person, bet, amount };
    table.decide(command).is_ok().then_some(command)
}

fn award(table: &Table, box_id: BoxId, bettor: Bettor, chance: &mut Chance<'_>) -> Cents {
    let Some(who) = bettor_at(table, box_id, bettor) else {
        return Cents::ZERO;
    };
    let offer = table.rules().offer(SideWager::BlackjackBonus);
    let awards = offer.and_then(|offer| offer.awards.get(&who.side(SideBet::BlackjackBonus)));
    let shown: Vec<Cents> = awards.into_iter().flatten().map(|(award, _)| *award).collect();
    chance.pick(&shown).copied().unwrap_or(Cents::ZERO)
}

fn bettor_at(table: &Table, box_id: BoxId, bettor: Bettor) -> Option<&BettorPlay> {
    let at = table.round().box_at(box_id)?;
    table.round().boxes[at].bettors.get(usize::from(bettor.0))
}

// offers

fn asked_at(table: &Table, box_id: BoxId) -> Bettor {
    let asked = table.round().box_at(box_id).and_then(|at| {
        let bettors = &table.round().boxes[at].bettors;
        bettors.iter().position(|bettor| !bettor.answered)
    });
    Bettor(asked.unwrap_or(0) as u8)
}

/// Returns a reply to an offer, at a random box with a bettor who has not replied yet.
fn offered(table: &Table, offer: Offer, chance: &mut Chance<'_>) -> Command {
    let boxes = &table.round().boxes;
    let open = |at: usize| boxes[at].bettors.iter().any(|bettor| !bettor.answered);
    let start = chance.below(boxes.len());
    let at = (start..boxes.len()).chain(0..start).find(|&at| open(at));
    let box_id = boxes[at.unwrap_or(0)].id;
    answer(table, box_id, asked_at(table, box_id), offer, chance)
}

fn answer(table: &Table, box_id: BoxId, bettor: Bettor, offer: Offer, chance: &mut Chance<'_>) -> Command {
    let decline = Command::Decline { box_id, bettor, offer };
    let Some(who) = bettor_at(table, box_id, bettor) else {
        return decline;
    };
    match offer {
        _ if chance.coin() => decline,
        Offer::Insurance => insure(table, box_id, bettor, who, chance).unwrap_or(decline),
        _ if offer != Offer::Insurance && !may_attack(table, box_id, bettor, offer) => decline,
        Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack => {
            let amount = match table.rules().attack_amount {
                AttackAmount::Equal => who.main[0],
                AttackAmount::UpTo => amount(table, Cents::ZERO, who.main[0], chance),
            };
            Command::Attack { box_id, bettor, amount }
        }
    }
}

fn insure(
    table: &Table,
    box_id: BoxId,
    bettor: Bettor,
    who: &BettorPlay,
    chance: &mut Chance<'_>,
) -> Option<Command> {
    let rules = table.rules();
    let play = &table.round().boxes[table.round().box_at(box_id)?];
    let at_once = table.awaiting() == Some(Awaiting::Offers(Offer::Insurance));
    let even_money = rules.even_money.is_yes()
        && at_once
        && play.hands[0].hand.is_blackjack()
        && !who.any_insurance_open()
        && !who.even_money.any();
    if even_money && chance.coin() {
        let spots = if rules.dealer_hands() > 1 && chance.coin() { Spots::FIRST } else { Spots::ALL };
        return Some(Command::TakeEvenMoney { box_id, bettor, spots });
    }
    let open = |hand: &usize| who.insurance[*hand] == [Cents::ZERO; 3] && !play.hands[*hand].is_out();
    let hands: Vec<usize> = (0..rules.hands_per_box()).filter(open).collect();
    let hand = *chance.pick(&hands)?;
    let mut amounts = [Cents::ZERO; 3];
    for (spot, insured) in amounts.iter_mut().enumerate() {
        let staked = play.hands[0].stakes[usize::from(bettor.0)].laid(spot).insured(rules);
        if staked > Cents::ZERO && !who.even_money.has(spot) && (spot == 0 || chance.coin()) {
            *insured = amount(table, Cents::ZERO, limit::most_insurance(rules, staked), chance);
        }
    }
    let any = amounts != [Cents::ZERO; 3];
    any.then_some(Command::Insure { box_id, bettor, hand: HandNumber(hand as u8 + 1), amounts })
}

// decisions

fn decision(table: &Table, ask: Decide, chance: &mut Chance<'_>) -> Command {
    match ask.switch {
        SwitchOption::Switch if chance.one_in(3) => return Command::Switch(ask.box_id),
        SwitchOption::Switch if chance.one_in(10) => return Command::DeclineSwitch(ask.box_id),
        SwitchOption::Revoke if chance.one_in(4) => return Command::Revoke(ask.box_id),
        _ => {}
    }
    if may_refuse(table) && chance.one_in(4) {
        return Command::RefuseCard(ask.box_id);
    }
    let mut left = chance.below(Action::ALL.into_iter().filter(|&a| ask.actions.has(a)).count());
    let mut chosen = Action::Stand;
    for action in ask.actions.iter() {
        chosen = action;
        if left == 0 {
            break;
        }
        left -= 1;
    }
    let at = table.round().box_at(ask.box_id).unwrap_or(0);
    let bettor = Bettor(table.round().boxes[at].box_owner);
    let decision = match chosen {
        Action::Stand => Decision::Stand,
        Action::Hit => Decision::Hit,
        Action::Split => Decision::Split,
        Action::Surrender => Decision::Surrender,
        Action::Double => double(table, ask.box_id, ask.hand, bettor, chance),
    };
    Command::Decide { box_id: ask.box_id, bettor, decision }
}

fn double(
    table: &Table,
    box_id: BoxId,
    hand: HandNumber,
    bettor: Bettor,
    chance: &mut Chance<'_>,
) -> Decision {
    let full = table.cost(box_id, hand, bettor);
    let less = chance.one_in(3);
    let amounts = full.map(|most| match most {
        Cents::ZERO => Cents::ZERO,
        _ if less => amount(table, Cents::ZERO, most, chance),
        _ => most,
    });
    let face_down = match table.rules().double_card {
        DoubleCard::Up => false,
        DoubleCard::Down => true,
        DoubleCard::OnRequest => chance.coin(),
    };
    Decision::Double { amounts, face_down }
}

fn co_bettor(table: &Table, ask: CoAsk, chance: &mut Chance<'_>) -> Command {
    let (CoAsk::Double(at, _) | CoAsk::Split(at, ..)) = ask;
    let box_id = table.round().boxes[at].id;
    let bettor = asked_at(table, box_id);
    let decision = match (ask, chance.below(3)) {
        (CoAsk::Double(..), 0) => Decision::NotDouble,
        (CoAsk::Double(_, hand), _) => double(table, box_id, hand, bettor, chance),
        (CoAsk::Split(..), 0) => Decision::Cover,
        (CoAsk::Split(_, first, _), 1) => Decision::Follow(first),
        (CoAsk::Split(_, _, second), _) => Decision::Follow(second),
    };
    Command::Decide { box_id, bettor, decision }
}
