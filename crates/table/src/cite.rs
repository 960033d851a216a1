//! Which clause says it: the counterparts of one provision in the four games, for refusals, announcements and steps.

use crate::ids::Place;
use crate::table::Table;
use rules::play;
use rules::script::Offer;
use rules::wager::SideWager;
use rules::{Clause, Game, HoleCard, SideBet, Variation, clause};

pub(crate) fn dealing_by(table: &Table, place: Place) -> Clause {
    let game = table.rules.game;
    let initial = !table.round.initial_dealt;
    // the first of the two initial cards goes to a hand that is still empty
    let first = match place {
        Place::Hand(box_id, number) => table.round.box_at(box_id).is_none_or(|at| {
            let play = &table.round.boxes[at];
            play.hand_at(number).is_none_or(|index| play.hands[index].hand.is_empty())
        }),
        _ => false,
    };
    let doubled = match place {
        Place::Hand(box_id, number) => table.round.box_at(box_id).is_some_and(|at| {
            let play = &table.round.boxes[at];
            let index = play.hand_at(number);
            index.is_some_and(|index| play.hands[index].doubled == play::Doubled::Yes)
        }),
        _ => false,
    };
    match (game, table.rules.variation, place) {
        (Game::Switch, ..) if doubled => clause!("19:47-2A.10(b)"),
        (Game::DoubleAttack, ..) if doubled => clause!("19:47-26.9(a)#5"),
        (Game::TripleAttack, ..) if doubled => clause!("19:47-36.8(a)#5"),
        (Game::Blackjack, Variation::SixToFive, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-2.6A(c)1")
            } else {
                clause!("19:47-2.6A(c)3")
            }
        }
        (Game::Blackjack, Variation::SixToFive, Place::Hand(..)) => clause!("19:47-2.6A(e)"),
        (Game::Blackjack, Variation::SixToFive, Place::Dealer) if table.round.dealer.is_empty() => {
            clause!("19:47-2.6A(c)2")
        }
        (Game::Blackjack, Variation::SixToFive, Place::Dealer) if table.round.dealer.len() == 1 => {
            clause!("19:47-2.6A(f)")
        }
        (Game::Blackjack, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-2.6(e)1")
            } else {
                clause!("19:47-2.6(e)3")
            }
        }
        (Game::Blackjack, _, Place::Hand(..)) => clause!("19:47-2.6(g)"),
        (Game::Blackjack, _, Place::Dealer) if table.round.dealer.is_empty() => clause!("19:47-2.6(e)2"),
        (Game::Blackjack, _, Place::Dealer) if table.round.dealer.len() == 1 => match table.rules.hole_card {
            HoleCard::Up => clause!("19:47-2.6(k)"),
            _ => clause!("19:47-2.6(h)"),
        },
        (Game::Blackjack, _, Place::HoleDown) => clause!("19:47-2.6(j)"),
        (Game::Blackjack, _, Place::Determinant) => clause!("19:47-2.6(d)1"),
        (Game::Switch, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-2A.7(d)1")
            } else {
                clause!("19:47-2A.7(d)3")
            }
        }
        (Game::Switch, _, Place::Hand(..)) => clause!("19:47-2A.7(i)"),
        (Game::Switch, _, Place::Dealer) if table.round.dealer.is_empty() => clause!("19:47-2A.7(d)2"),
        (Game::Switch, _, Place::Dealer) if table.round.dealer.len() == 1 => clause!("19:47-2A.7(l)"),
        (Game::Switch, _, Place::HoleDown) => clause!("19:47-2A.7(l)1"),
        (Game::DoubleAttack, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-26.7(d)1")
            } else {
                clause!("19:47-26.7(d)2")
            }
        }
        (Game::DoubleAttack, _, Place::Hand(..)) => clause!("19:47-26.7(f)"),
        (Game::DoubleAttack, _, Place::Dealer) if table.round.dealer.is_empty() => clause!("19:47-26.7(d)#2"),
        (Game::DoubleAttack, _, Place::Dealer) if table.round.dealer.len() == 1 => clause!("19:47-26.7(g)"),
        (Game::DoubleAttack, _, Place::HoleDown) => clause!("19:47-26.7(i)"),
        (Game::TripleAttack, _, Place::Hand(..)) if initial => {
            if first {
                clause!("19:47-36.7(d.1)#3")
            } else {
                clause!("19:47-36.7(e)#3")
            }
        }
        (Game::TripleAttack, _, Place::Hand(..)) => clause!("19:47-36.7(h)"),
        (Game::TripleAttack, _, Place::Dealer) if table.round.dealer.is_empty() => {
            clause!("19:47-36.7(d.2)#2")
        }
        (Game::TripleAttack, _, Place::HoleDown) => clause!("19:47-36.7(e)#3"),
        _ => play::dealer_draws_by(&table.rules),
    }
}

pub(crate) fn closed_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(c)"),
        Game::Switch => clause!("19:47-2A.5(e)"),
        Game::DoubleAttack => clause!("19:47-26.5(d)"),
        Game::TripleAttack => clause!("19:47-36.5(d.2)"),
    }
}

/// Where each side wager is made to depend on a main wager.
pub(crate) fn beside_main_by(bet: SideBet, game: Game) -> Clause {
    match bet {
        SideBet::Over13 | SideBet::Under13 | SideBet::SameSuit | SideBet::Sevens => clause!("19:47-2.17(b)"),
        SideBet::Progressive => clause!("19:47-2.19(f)"),
        SideBet::BlackjackBonus => clause!("19:47-2.20(c)"),
        SideBet::Streak2 | SideBet::Streak3 | SideBet::Streak4 | SideBet::Streak5 => {
            clause!("19:47-2.22(b)")
        }
        SideBet::MatchTheDealer => clause!("19:47-2.23(c)"),
        SideBet::TwentyPoint => clause!("19:47-2.24(c)"),
        SideBet::DealerBust if game == Game::Blackjack => clause!("19:47-2.25(b)"),
        SideBet::DealerBust | SideBet::Match | SideBet::SuitedRoyals | SideBet::TripleMatch => {
            bet.wager().info().by
        }
    }
}

pub(crate) fn entry_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(i)"),
        Game::Switch => clause!("19:47-2A.5(h)"),
        Game::DoubleAttack => clause!("19:47-26.5(h)"),
        Game::TripleAttack => clause!("19:47-36.5(h)"),
    }
}

/// What ends the bar: 2.3(i), 2A.5(h)#2, 26.5(h)#2, 36.5(h)#2.
pub(crate) fn admission_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(i)"),
        Game::Switch => clause!("19:47-2A.5(h)#2"),
        Game::DoubleAttack => clause!("19:47-26.5(h)#2"),
        Game::TripleAttack => clause!("19:47-36.5(h)#2"),
    }
}

/// Each new dealer burns a card too.
pub(crate) fn burn_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.6(c)#2"),
        Game::Switch => clause!("19:47-2A.7(c)#3"),
        Game::DoubleAttack => clause!("19:47-26.7(c)#3"),
        Game::TripleAttack => clause!("19:47-36.7(c)#3"),
    }
}

pub(crate) fn sharing_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(a)"),
        Game::Switch => clause!("19:47-2A.13(a)"),
        Game::DoubleAttack => clause!("19:47-26.13(a)"),
        Game::TripleAttack => clause!("19:47-36.12(a)"),
    }
}

pub(crate) fn caller_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(b)"),
        Game::Switch => clause!("19:47-2A.13(b)"),
        Game::DoubleAttack => clause!("19:47-26.13(b)"),
        Game::TripleAttack => clause!("19:47-36.12(b)"),
    }
}

pub(crate) fn co_double_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(d)"),
        Game::Switch => clause!("19:47-2A.13(d)"),
        Game::DoubleAttack => clause!("19:47-26.13(d)"),
        Game::TripleAttack => clause!("19:47-36.12(d)"),
    }
}

/// Switch has no clause of its own for splits on a shared spot; A17 reads it like 2.13(e).
pub(crate) fn co_split_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.13(e)"),
        Game::Switch => clause!("19:47-2A.13(b)"),
        Game::DoubleAttack => clause!("19:47-26.13(f)"),
        Game::TripleAttack => clause!("19:47-36.12(f)"),
    }
}

pub(crate) fn cut_order_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.5(e)"),
        Game::Switch => clause!("19:47-2A.4(d)1"),
        Game::DoubleAttack => clause!("19:47-26.4(d)"),
        Game::TripleAttack => clause!("19:47-36.4(d)"),
    }
}

pub(crate) fn cut_refused_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.5(f)"),
        Game::Switch => clause!("19:47-2A.4(e)"),
        Game::DoubleAttack => clause!("19:47-26.4(c)#2"),
        Game::TripleAttack => clause!("19:47-36.4(c)#2"),
    }
}

pub(crate) fn attack_by(game: Game, offer: Option<Offer>) -> Clause {
    match (game, offer) {
        (Game::DoubleAttack, _) => clause!("19:47-26.7(d)#3"),
        (Game::TripleAttack, Some(Offer::ThirdAttack)) => clause!("19:47-36.7(e)"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(d.2)"),
        (Game::Blackjack, _) => clause!("19:47-2.3(c)"),
        (Game::Switch, _) => clause!("19:47-2A.5(e)"),
    }
}

pub(crate) fn insurance_time_by(game: Game, read: bool) -> Clause {
    match (game, read) {
        (Game::Blackjack, false) => clause!("19:47-2.9(b)#3"),
        (Game::Blackjack, true) => clause!("19:47-2.9(b)#5"),
        (Game::Switch, false) => clause!("19:47-2A.8(a)2"),
        (Game::Switch, true) => clause!("19:47-2A.8(a)3"),
        (Game::DoubleAttack, false) => clause!("19:47-26.11(b)#3"),
        (Game::DoubleAttack, true) => clause!("19:47-26.11(b)#4"),
        (Game::TripleAttack, false) => clause!("19:47-36.10(b)#3"),
        (Game::TripleAttack, true) => clause!("19:47-36.10(b)#4"),
    }
}

/// 2.3(g), 2A.5(f), 26.5(g), 36.5(g): a wager that the dealer has confirmed.
pub(crate) fn confirmed_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.3(g)"),
        Game::Switch => clause!("19:47-2A.5(f)"),
        Game::DoubleAttack => clause!("19:47-26.5(g)"),
        Game::TripleAttack => clause!("19:47-36.5(g)"),
    }
}

pub(crate) fn refused_card_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(c)#2"),
        Game::Switch => clause!("19:47-2A.15(c)#2"),
        Game::DoubleAttack => clause!("19:47-26.15(e)#2"),
        Game::TripleAttack => clause!("19:47-36.14(e)#2"),
    }
}

pub(crate) fn late_surrender_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.8(a)#2"),
        Game::Switch => clause!("19:47-2A.9(a)#2"),
        Game::DoubleAttack => clause!("19:47-26.8(a)#5"),
        Game::TripleAttack => clause!("19:47-36.7(g)"),
    }
}

pub(crate) fn blackjack_ends_by(game: Game, hole_card: HoleCard) -> Clause {
    match (game, hole_card) {
        (Game::Blackjack, HoleCard::Up) => clause!("19:47-2.6(k)6"),
        (Game::Blackjack, _) => clause!("19:47-2.6(j)1"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)2#3"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(i)#6"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(k)#5"),
    }
}

/// 2.19(b)#4, 2.20(b)#3, 2.24(d): where the words "no more bets" are prescribed.
pub(crate) fn no_more_bets_by(rules: &rules::Rules) -> Option<Clause> {
    let offered = |wager| rules.offer(wager).is_some();
    if offered(SideWager::Progressive) {
        Some(clause!("19:47-2.19(b)#4"))
    } else if offered(SideWager::BlackjackBonus) {
        Some(clause!("19:47-2.20(b)#3"))
    } else if offered(SideWager::TwentyPoint) {
        Some(clause!("19:47-2.24(d)"))
    } else {
        None
    }
}

pub(crate) fn pick_up_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(i)"),
        (Game::Blackjack, Variation::MultipleAction) => clause!("19:47-2.18(j)"),
        (Game::Blackjack, _) => clause!("19:47-2.6(i)"),
        (Game::Switch, _) => clause!("19:47-2A.7(m)"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(h)"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(j)"),
    }
}

pub(crate) fn cutting_card_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(j)"),
        (Game::Blackjack, _) => clause!("19:47-2.6(l)"),
        (Game::Switch, _) => clause!("19:47-2A.7(n)"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(j)"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(l)"),
    }
}

/// 2.15(j), 2A.15(k), 26.15(l), 36.14(l): the supervisor is told first.
pub(crate) fn reader_notice_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(j)"),
        Game::Switch => clause!("19:47-2A.15(k)"),
        Game::DoubleAttack => clause!("19:47-26.15(l)"),
        Game::TripleAttack => clause!("19:47-36.14(l)"),
    }
}

pub(crate) fn turned_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.6(j)#2"),
        Game::Switch => clause!("19:47-2A.7(l)1#2"),
        Game::DoubleAttack => clause!("19:47-26.7(i)#2"),
        Game::TripleAttack => clause!("19:47-36.7(i)"),
    }
}

pub(crate) fn dealers_card_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(f)#2"),
        (Game::Blackjack, _) => clause!("19:47-2.6(h)#2"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)#2"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(g)#2"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(i)"),
    }
}

pub(crate) fn dealer_total_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.6A(f)#3"),
        (Game::Blackjack, _) => clause!("19:47-2.6(h)#3"),
        (Game::Switch, _) => clause!("19:47-2A.7(l)#4"),
        (Game::DoubleAttack, _) => clause!("19:47-26.7(g)#4"),
        (Game::TripleAttack, _) => clause!("19:47-36.7(i)#2"),
    }
}

/// The new total after a card that a player drew; 2.6A knows no such announcement.
pub(crate) fn new_total_by(game: Game, variation: Variation) -> Option<Clause> {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => None,
        (Game::Blackjack, _) => Some(clause!("19:47-2.6(g)#2")),
        (Game::Switch, _) => Some(clause!("19:47-2A.7(i)#2")),
        (Game::DoubleAttack, _) => Some(clause!("19:47-26.7(f)#2")),
        (Game::TripleAttack, _) => Some(clause!("19:47-36.7(h)#2")),
    }
}

/// The total of a split hand with its second card.
pub(crate) fn split_total_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.11(c)"),
        Game::Switch => clause!("19:47-2A.11(c)"),
        Game::DoubleAttack => clause!("19:47-26.10(c)"),
        Game::TripleAttack => clause!("19:47-36.9(c)"),
    }
}

/// The first of the reshuffled discards is burned before the round goes on.
pub(crate) fn reshuffle_burn_by(game: Game, variation: Variation) -> Clause {
    match (game, variation) {
        (Game::Blackjack, Variation::SixToFive) => clause!("19:47-2.15(f)#2"),
        (Game::Blackjack, _) => clause!("19:47-2.15(f)"),
        (Game::Switch, _) => clause!("19:47-2A.15(f)#2"),
        (Game::DoubleAttack, _) => clause!("19:47-26.15(g)#2"),
        (Game::TripleAttack, _) => clause!("19:47-36.14(g)#2"),
    }
}

pub(crate) fn exposed_burned_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(c)#3"),
        Game::Switch => clause!("19:47-2A.15(c)#3"),
        Game::DoubleAttack => clause!("19:47-26.15(e)#3"),
        Game::TripleAttack => clause!("19:47-36.14(e)#3"),
    }
}

/// 2.15(i) and counterparts: the hand of a requested card that was not dealt and is not wanted any more.
pub(crate) fn missed_card_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(i)"),
        Game::Switch => clause!("19:47-2A.15(h)"),
        Game::DoubleAttack => clause!("19:47-26.15(i)"),
        Game::TripleAttack => clause!("19:47-36.14(i)"),
    }
}

pub(crate) fn dead_hand_by(game: Game) -> Clause {
    match game {
        Game::Blackjack => clause!("19:47-2.15(g)"),
        Game::Switch => clause!("19:47-2A.15(g)"),
        Game::DoubleAttack => clause!("19:47-26.15(h)"),
        Game::TripleAttack => clause!("19:47-36.14(h)"),
    }
}
