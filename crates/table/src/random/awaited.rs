//! States which commands a table allows now, independently of `decide`, so that tests can check `decide`.
//!
//! The betting limits come from the crate `rules`. Whose turn it is, is determined here a second time.

use crate::command::{Command, Decision};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person, Role};
use crate::irregular::Irregularity;
use crate::round::{BettorPlay, BoxPlay, CoAsk, HandPlay, HandState, Hole, LateCard, SwitchState};
use crate::shoe::{self, Occasion, Procedure};
use crate::table::{Awaiting, SwitchOption, Table};
use rules::play::Doubled;
use rules::ruling::{CobettorAttack, SwitchRevocation};
use rules::script::{Offer, Slot, Step};
use rules::settle::Stake;
use rules::wager::bonus;
use rules::{
    Card, Cents, Deck, DoubleCard, HoleCard, Rank, Shoe, SideBet, SideWager, Variation, limit, play,
};

/// Returns whether the table awaits or allows this command.
pub fn is_awaited(table: &Table, command: Command) -> bool {
    let now = table.awaiting();
    let between_rounds = table.round().step == 0;
    match command {
        Command::Perform(procedure) => performs(table, procedure),
        Command::AcceptCut { box_id, at } => now == Some(Awaiting::Cut(box_id)) && cuts(table, at),
        Command::DeclineCut { box_id } => now == Some(Awaiting::Cut(box_id)),
        // a card has one face: the one shown, or one that may still be missing
        Command::DiscloseBurn(card) => match (table.custody().burned, table.custody().burned_face()) {
            (None, _) => false,
            (_, Some(shown)) => shown == card,
            (_, None) => table.custody().may_be_face_down(card),
        },
        Command::RelieveDealer(_) => between_rounds,
        Command::Admit(person) => between_rounds && !enters(table, person),
        Command::OrderReshuffle => table.is_idle(),
        Command::OrderRecut { role } => {
            let in_time = between_rounds || table.custody().occasion == Occasion::OutOfCards;
            role == Role::Supervisor && in_time && table.custody().may_be_recut
        }
        Command::FallIdle => {
            let has_idle = table.rules().text().opening.idle.is_some();
            has_idle && table.is_idle() && table.custody().is_ready()
        }
        Command::AskReshuffle(box_id) => {
            let device = table.rules().text().opening.idle.and_then(|idle| idle.device);
            let here = table.memory().wagered_boxes.contains(&box_id) || box_of(table, box_id).is_some();
            device.is_some_and(|device| device.on_request.is_some())
                && here
                && between_rounds
                && table.custody().holds_stored_batch()
        }
        Command::Sit { box_id, .. } => (1..=table.rules().positions).contains(&box_id.0),
        Command::Consent(box_id) => now == Some(Awaiting::Wagers) && box_of(table, box_id).is_some(),
        Command::Wager { .. } | Command::SideWager { .. } | Command::Withdraw { .. } => {
            now == Some(Awaiting::Wagers) && wagers(table, command)
        }
        Command::CloseWagers => now == Some(Awaiting::Wagers) && !table.round().boxes.is_empty(),
        Command::Card(card) => takes_card(table, card),
        Command::FaceDown => now == Some(Awaiting::Card(CardPlace::HoleDown)) && table.custody().stack() > 0,
        Command::Determinant(card, side) => {
            now == Some(Awaiting::Card(CardPlace::Determinant)) && table.custody().side_may_hold(side, card)
        }
        Command::Reader(_) => now == Some(Awaiting::Reader),
        Command::Attack { box_id, bettor, amount } => {
            let offer = match now {
                Some(Awaiting::Offers(offer)) if offer != Offer::Insurance => offer,
                _ => return false,
            };
            asked(table, box_id, bettor)
                .is_some_and(|who| limit::attack(table.rules(), offer, amount, who.main[0]).is_ok())
                && may_attack(table, box_id, bettor, offer)
        }
        Command::Insure { box_id, bettor, hand, amounts } => insures(table, box_id, bettor, hand, amounts),
        Command::TakeEvenMoney { box_id, bettor, spots } => {
            let free = |who: &BettorPlay| {
                let meant = |spot: &usize| spots.has(*spot) && who.main[*spot] > Cents::ZERO;
                let insured = (0..3).filter(meant).any(|spot| who.insurance[0][spot] > Cents::ZERO);
                !insured && (0..3).filter(meant).any(|spot| !who.even_money.has(spot))
            };
            now == Some(Awaiting::Offers(Offer::Insurance))
                && table.rules().even_money.is_yes()
                && asked(table, box_id, bettor).is_some_and(free)
                && box_of(table, box_id).is_some_and(|play| play.hands[0].hand.is_blackjack())
        }
        Command::Decline { box_id, bettor, offer } => {
            let made = now == Some(Awaiting::Offers(offer))
                || (now == Some(Awaiting::LateInsurance(box_id)) && offer == Offer::Insurance);
            made && asked(table, box_id, bettor).is_some()
        }
        Command::Switch(box_id) => switch_option(now, box_id) == SwitchOption::Switch,
        Command::DeclineSwitch(box_id) => {
            switch_option(now, box_id) == SwitchOption::Switch || now == Some(Awaiting::Revocation(box_id))
        }
        Command::Revoke(box_id) => {
            switch_option(now, box_id) == SwitchOption::Revoke || revocable_after_turn(table, box_id)
        }
        Command::Decide { box_id, bettor, decision } => decides(table, box_id, bettor, decision),
        Command::TakeSevensCard { box_id, .. } => now == Some(Awaiting::SevensCard(box_id)),
        Command::TakeLateCard { box_id, .. } => now == Some(Awaiting::LateCard(box_id)),
        Command::RefuseCard(box_id) => {
            let turn = match now {
                Some(Awaiting::Decision(ask)) => ask.box_id == box_id,
                Some(Awaiting::Card(CardPlace::Hand(to, _))) => to == box_id,
                _ => false,
            };
            turn && table.round().mishaps.exposed.is_some() && table.step() == Step::Play
        }
        Command::Approve { what, role, .. } => {
            now == Some(Awaiting::Approval(what)) && (role == what.role() || role == Role::Supervisor)
        }
        Command::Award { box_id, bettor, amount } => {
            now == Some(Awaiting::Award(box_id, bettor))
                && bettor_of(table, box_id, bettor).is_some_and(|who| {
                    let awards = table.rules().offer(SideWager::BlackjackBonus).map(|offer| &offer.awards);
                    let staked = who.side(SideBet::BlackjackBonus);
                    awards.is_some_and(|awards| bonus::shows(awards, staked, amount))
                })
        }
        Command::Report(irregularity) => can_have_happened(table, irregularity),
        Command::ClaimVoid { .. } => false,
        Command::VoidRound { role } => {
            !between_rounds && matches!(role, Role::Floorperson | Role::Supervisor)
        }
    }
}

/// Returns whether a bettor may make an attack bet (26.13(e), 36.12(e)).
///
/// By ruling, a co-bettor may attack alone, or only with the box owner.
pub(super) fn may_attack(table: &Table, box_id: BoxId, bettor: Bettor, offer: Offer) -> bool {
    let (rules, play) = (table.rules(), box_of(table, box_id));
    let stake = match offer {
        Offer::SecondAttack => Stake::SecondAttack,
        Offer::ThirdAttack => Stake::ThirdAttack,
        Offer::Attack | Offer::Insurance => Stake::Attack,
    };
    rules.rulings.cobettor_attack == CobettorAttack::OwnChoice
        || play.is_some_and(|play| play.box_owner == bettor.0 || table.box_owner_attacked(play, stake))
}

fn box_of(table: &Table, box_id: BoxId) -> Option<&BoxPlay> {
    table.round().boxes.iter().find(|play| play.id == box_id)
}

fn bettor_of(table: &Table, box_id: BoxId, bettor: Bettor) -> Option<&BettorPlay> {
    box_of(table, box_id)?.bettors.get(usize::from(bettor.0))
}

fn asked(table: &Table, box_id: BoxId, bettor: Bettor) -> Option<&BettorPlay> {
    bettor_of(table, box_id, bettor).filter(|who| !who.answered)
}

// the cards

fn performs(table: &Table, procedure: Procedure) -> bool {
    let Some(Awaiting::Procedure(expected)) = table.awaiting() else {
        return false;
    };
    match (expected, procedure) {
        (Procedure::Cut { .. }, Procedure::Cut { by, at }) => by.is_none() && cuts(table, at),
        (Procedure::PlaceCutCard { .. }, Procedure::PlaceCutCard { behind }) => {
            let stack = table.rules().stack_size() as u16;
            (shoe::least_behind(table.rules())..=stack).contains(&behind)
        }
        (Procedure::VerifyTens(_), Procedure::VerifyTens(_)) => true,
        (expected, performed) => expected == performed,
    }
}

/// Returns whether a cut is far enough from either end: ten cards, or one deck (2.5(c), MA 4(f)).
fn cuts(table: &Table, at: u16) -> bool {
    let stack = table.custody().to_cut() as u16;
    let least = table.rules().text().cut.least.min(stack / 2);
    (least..=stack - least).contains(&at)
}

fn takes_card(table: &Table, card: Card) -> bool {
    let Some(Awaiting::Card(place)) = table.awaiting() else {
        return false;
    };
    if table.rules().deck() == Deck::FORTY_EIGHT && card.rank() == Rank::Ten {
        return true;
    }
    let turns_hole = place == CardPlace::Dealer && table.round().hole == Hole::Down(None);
    if turns_hole {
        return table.custody().may_be_face_down(card);
    }
    let next = table.round().mishaps.exposed.is_none_or(|exposed| exposed == card);
    let there = match place {
        CardPlace::Determinant => {
            let side = crate::ids::Side::called_by(card);
            table.custody().side_may_hold(side, card)
        }
        _ => table.custody().may_hold(card),
    };
    next && there
}

// bets

fn wagers(table: &Table, command: Command) -> bool {
    let (rules, round) = (table.rules(), table.round());
    match command {
        Command::Wager { box_id, person, seated, amounts } => {
            let has = |play: &BoxPlay| play.bettors.iter().any(|bettor| bettor.person == person);
            let room = box_of(table, box_id).is_none_or(|play| {
                let shared = round.boxes.iter().filter(|play| play.bettors.len() > 1).count();
                let one_more = play.bettors.len() > 1 || rules.shared_boxes.is_none_or(|m| shared < m.into());
                let seat = !seated || play.bettors.iter().all(|bettor| !bettor.seated);
                let most = usize::from(rules.bettors_per_box);
                !has(play) && play.consent && play.bettors.len() < most && one_more && seat
            });
            let boxes = round.boxes.iter().filter(|play| has(play)).count();
            (1..=rules.positions).contains(&box_id.0)
                && enters(table, person)
                && room
                && boxes < usize::from(rules.boxes_per_player)
                && required(table, amounts)
        }
        Command::SideWager { box_id, person, bet, amount } => {
            let who = box_of(table, box_id)
                .and_then(|play| play.bettors.iter().find(|bettor| bettor.person == person));
            who.is_some_and(|who| side_wagers(table, box_id, who, bet, amount))
        }
        Command::Withdraw { box_id, person } => box_of(table, box_id)
            .is_some_and(|play| play.bettors.iter().any(|bettor| bettor.person == person)),
        _ => false,
    }
}

fn enters(table: &Table, person: Person) -> bool {
    let (rules, memory) = (table.rules(), table.memory());
    rules.mid_shoe_entry.is_yes()
        || memory.rounds_since_shuffle == 0
        || memory.wagered_last.contains(&person)
        || memory.admitted.contains(&person)
}

fn required(table: &Table, amounts: [Cents; 3]) -> bool {
    let rules = table.rules();
    let least = match rules.variation {
        Variation::MultipleAction => usize::from(rules.multiple_action_required),
        _ => 1,
    };
    let placed = amounts.iter().filter(|&&amount| amount != Cents::ZERO).count();
    let nowhere_else = amounts[rules.dealer_hands()..].iter().all(|&amount| amount == Cents::ZERO);
    let fits = |&&amount: &&Cents| amount == Cents::ZERO || limit::required_wager(rules, amount).is_ok();
    nowhere_else
        && (least..=rules.dealer_hands()).contains(&placed)
        && amounts.iter().filter(fits).count() == amounts.len()
}

fn side_wagers(table: &Table, box_id: BoxId, who: &BettorPlay, bet: SideBet, amount: Cents) -> bool {
    let placed = |bet: SideBet| who.side(bet) > Cents::ZERO;
    let smallest = who.main.iter().copied().filter(|&main| main > Cents::ZERO).min();
    let streak =
        table.memory().streaks.iter().find(|streak| streak.person == who.person && streak.box_id == box_id);
    let free = match bet {
        SideBet::Over13 | SideBet::Under13 => !placed(SideBet::Over13) && !placed(SideBet::Under13),
        SideBet::Progressive => !placed(bet) && table.memory().lights_out & (1 << box_id.0) == 0,
        _ => match (bet.streak(), streak) {
            (Some(hands), Some(streak)) => {
                streak.placed == table.memory().round_number
                    && streak.bets[usize::from(hands - 2)] == Cents::ZERO
            }
            (Some(_), None) => true,
            (None, _) => !placed(bet),
        },
    };
    free && smallest.is_some_and(|main| limit::side_wager(table.rules(), bet, amount, main).is_ok())
}

fn insures(table: &Table, box_id: BoxId, bettor: Bettor, hand: HandNumber, amounts: [Cents; 3]) -> bool {
    let rules = table.rules();
    let now = match table.awaiting() {
        Some(Awaiting::Offers(Offer::Insurance)) => true,
        Some(Awaiting::LateInsurance(asked)) => asked == box_id,
        _ => false,
    };
    let (Some(who), Some(play)) = (asked(table, box_id, bettor), box_of(table, box_id)) else {
        return false;
    };
    let group = usize::from(hand.0).wrapping_sub(1);
    if !now || group >= rules.hands_per_box() || who.insurance[group] != [Cents::ZERO; 3] {
        return false;
    }
    if play.hands[group].is_out() {
        return false;
    }
    let within = |spot: usize| {
        let staked = play.hands[0].stakes[usize::from(bettor.0)].laid(spot).insured(rules);
        let insured = !who.even_money.has(spot) && limit::insurance(rules, amounts[spot], staked).is_ok();
        amounts[spot] == Cents::ZERO || insured
    };
    amounts != [Cents::ZERO; 3] && (0..3).all(within)
}

// decisions

/// Returns whether a box's switch may still be revoked after its turn (2A.7(g)2).
///
/// The switch may be revoked if both hands were stood on after the switch, and nothing has been dealt since.
fn revocable_after_turn(table: &Table, box_id: BoxId) -> bool {
    let untouched = |play: &BoxPlay| {
        play.switch == SwitchState::Kept
            && play.hands.len() == 2
            && play.hands.iter().all(|hand| {
                let open = matches!(hand.state, HandState::Open | HandState::Complete);
                open && hand.hand.len() == 2 && hand.doubled == Doubled::No && !hand.card_due
            })
    };
    table.rules().rulings.switch_revocation == SwitchRevocation::UntilCard
        && table.round().dealer.len() == 1
        && table.round().void.is_none()
        && matches!(table.step(), Step::Play | Step::SecondCard)
        && box_of(table, box_id).is_some_and(untouched)
}

fn switch_option(now: Option<Awaiting>, box_id: BoxId) -> SwitchOption {
    match now {
        Some(Awaiting::Decision(ask)) if ask.box_id == box_id => ask.switch,
        Some(Awaiting::Switch(asked)) if asked == box_id => SwitchOption::Switch,
        Some(Awaiting::Revocation(asked)) if asked == box_id => SwitchOption::Revoke,
        _ => SwitchOption::Nothing,
    }
}

fn decides(table: &Table, box_id: BoxId, bettor: Bettor, decision: Decision) -> bool {
    let Some(play) = box_of(table, box_id) else {
        return false;
    };
    match table.awaiting() {
        Some(Awaiting::Decision(ask)) => {
            let listed = decision.action().is_some_and(|action| ask.actions.has(action));
            let amounts = match decision {
                Decision::Double { amounts, face_down } => {
                    doubles(table, play, ask.hand, bettor, amounts)
                        && !(face_down && table.rules().double_card == DoubleCard::Up)
                }
                _ => true,
            };
            ask.box_id == box_id && bettor.0 == play.box_owner && listed && amounts
        }
        Some(Awaiting::CoBettors(ask)) => {
            let (CoAsk::Double(at, _) | CoAsk::Split(at, ..)) = ask;
            let answers = match (ask, decision) {
                (CoAsk::Double(_, hand), Decision::Double { amounts, .. }) => {
                    doubles(table, play, hand, bettor, amounts)
                }
                (CoAsk::Double(..), decision) => matches!(decision, Decision::NotDouble | Decision::Stand),
                (CoAsk::Split(_, first, second), Decision::Follow(hand)) => hand == first || hand == second,
                (CoAsk::Split(..), decision) => matches!(decision, Decision::Cover | Decision::Split),
            };
            table.round().boxes[at].id == box_id && asked(table, box_id, bettor).is_some() && answers
        }
        _ => false,
    }
}

fn doubles(table: &Table, play: &BoxPlay, hand: HandNumber, bettor: Bettor, amounts: [Cents; 3]) -> bool {
    let Some(hand) = play.hands.iter().find(|other| other.number == hand) else {
        return false;
    };
    let Some(stakes) = hand.stakes.get(usize::from(bettor.0)) else {
        return false;
    };
    (0..3).all(|spot| match stakes.undoubled(spot) {
        Cents::ZERO => amounts[spot] == Cents::ZERO,
        staked => limit::double(table.rules(), amounts[spot], staked).is_ok(),
    })
}

// irregularities

/// Returns whether all cards due before the dealer's second card are second cards that players missed.
fn both_second_cards_missed(table: &Table) -> bool {
    let reader_failed = table.memory().reader_failed && table.rules().text().deal.face_down.is_some();
    let to_come = &table.script[table.round().step..];
    let own_next = to_come.contains(&Step::Deal(Slot::HoleUp))
        || to_come.contains(&Step::Deal(Slot::HoleDown)) && !reader_failed;
    let mut hands = table.round().boxes.iter().flat_map(|play| &play.hands);
    let late = |hand: &HandPlay| hand.late_card != LateCard::None;
    own_next && hands.all(|hand| hand.state != HandState::Open || hand.hand.len() == 2 || late(hand))
}

fn can_have_happened(table: &Table, irregularity: Irregularity) -> bool {
    let (rules, round, custody) = (table.rules(), table.round(), table.custody());
    let (now, step) = (table.awaiting(), table.step());
    let in_round = round.step > 0;
    let turns_hole = now == Some(Awaiting::Card(CardPlace::Dealer)) && round.hole == Hole::Down(None);
    let card_awaited = in_round && matches!(now, Some(Awaiting::Card(_))) && !turns_hole;
    let to = match now {
        Some(Awaiting::Card(CardPlace::Hand(box_id, _))) => Some(box_id),
        _ => None,
    };
    let position = |wanted: Step| table.script.iter().position(|&step| step == wanted);
    match irregularity {
        _ if round.mishaps.exposed.is_some() && crate::irregular::takes_a_card(irregularity) => false,
        Irregularity::Exposed(_) | Irregularity::Misdelivered(_)
            if now == Some(Awaiting::Card(CardPlace::Determinant)) =>
        {
            false
        }
        Irregularity::FoundFaceUp(card) => {
            (in_round || now == Some(Awaiting::Procedure(Procedure::Burn))) && custody.may_hold(card)
        }
        Irregularity::Misdelivered(card) => {
            let decision = in_round && matches!(now, Some(Awaiting::Decision(_)));
            (card_awaited || decision)
                && custody.may_hold(card)
                && rules.text().irregular.misdelivered_remedies.is_some()
        }
        Irregularity::TenFound(card) => {
            in_round && card.rank() == Rank::Ten && rules.deck() == Deck::FORTY_EIGHT
        }
        Irregularity::DrawnUnexposed => in_round,
        Irregularity::Exposed(card) => in_round && round.mishaps.exposed.is_none() && custody.may_hold(card),
        Irregularity::DrewOnStanding(card) => {
            round.dealer.len() >= 2
                && Some(round.step) > position(Step::Play)
                && !play::dealer_draws(rules, round.dealer.total())
                && custody.may_hold(card)
        }
        Irregularity::MissedOwnCard => match step {
            Step::Deal(Slot::Up) => now == Some(Awaiting::Card(CardPlace::Dealer)),
            Step::Deal(Slot::HoleDown | Slot::HoleUp) => {
                !rules.text().irregular.missed_own_voids
                    && matches!(now, Some(Awaiting::Card(CardPlace::HoleDown | CardPlace::Dealer)))
            }
            Step::Deal(Slot::EachBox) if rules.text().irregular.missed_own_voids => round.dealer.is_empty(),
            Step::Deal(Slot::EachBox) => now.is_some() && both_second_cards_missed(table),
            _ => false,
        },
        Irregularity::MissedBox(box_id) => matches!(step, Step::Deal(_)) && to == Some(box_id),
        Irregularity::MissedDraw(box_id) => step == Step::Play && to == Some(box_id),
        Irregularity::WrongSide => in_round && rules.shoe == Shoe::Double,
        Irregularity::ReaderMisused => {
            in_round
                && rules.hole_card == HoleCard::Reader
                && round.up().is_some_and(|up| !play::may_be_blackjack(up))
                && matches!(round.hole, Hole::Down(_))
        }
        Irregularity::ReaderFailed => rules.hole_card == HoleCard::Reader && !table.memory().reader_failed,
        Irregularity::UpCardNotMoved | Irregularity::UpCardDiscarded => {
            in_round && round.dealer_hand_index > 0
        }
        Irregularity::LightFailed(_) => !in_round && rules.offer(SideWager::Progressive).is_some(),
        Irregularity::BonusFailed(box_id) => {
            matches!(now, Some(Awaiting::Award(asked, _)) if asked == box_id)
        }
        Irregularity::DoubleDealtUp(box_id) => box_of(table, box_id).is_some_and(|play| {
            play.hands.iter().any(|hand| hand.face_down && hand.card_due && hand.state == HandState::Open)
        }),
        // not from an undealt shoe, and not without discards besides the one that is burned
        Irregularity::OutOfCards => {
            let used = table.memory().rounds_since_shuffle > 0 || custody.stack() == 0;
            card_awaited && used && custody.rack.len() > 1
        }
        Irregularity::ShufflerFailed => !in_round && custody.device_on_table,
        // 2.2(e): not at 6 to 5
        Irregularity::ShufflerRemoved => {
            !in_round && custody.device_on_table && rules.text().shuffle.device_only.is_none()
        }
        Irregularity::BurnForgotten => !in_round && rules.text().irregular.burn_forgotten.is_some(),
        Irregularity::SeenInMixing => !in_round && custody.may_be_remixed(rules),
        Irregularity::MovedForward(card) => {
            in_round
                && rules.text().irregular.misdelivered_remedies.is_some()
                && round.mishaps.exposed.is_none()
                && custody.may_hold(card)
        }
        Irregularity::LetOut(box_id) => {
            round.mishaps.misdelivered
                && matches!(step, Step::Play | Step::SecondCard | Step::DealerDraws)
                && rules.text().irregular.misdelivered_remedies.is_some()
                && round.co.is_none()
                && box_of(table, box_id).is_some()
        }
    }
}
