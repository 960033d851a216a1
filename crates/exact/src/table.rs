//! The judge of a table, which puts every question about the rules to the functions of `rules`.
//!
//! The questions have real cards and real amounts, so that no rule is written a second time here.

use crate::assume::Assumptions;
use crate::cards::{Counts, Points, Shoe, each_card};
use crate::dealer::DealerTree;
use crate::dealers::Dealers;
use crate::hands::{Hand, SIX_SEVEN_EIGHT, Suits};
use crate::judge::{Blackjack, Ending, Finish, Judge, LegalActions, Net, Origin, Stake};
use crate::num::Real;
use crate::result::At22;
use crate::seen::Seen;
use crate::stack::{Stack, Unsolvable, refused};
use crate::vocabulary::{ACE, BLACKJACK, DealerResult, RANKS, RESULTS, Rank, TEN, Upcard};
use rules::message;
use rules::play::{self, Action, Doubled, Situation};
use rules::settle::{self, Outcome, SplitHand, SurrenderTo};
use rules::{Card, Cents, Choices, HoleCard, Suit, Total};
use std::sync::Arc;

/// Whether the attack bet of Double Attack has been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attacked {
    /// Only the initial bet has been made.
    No,
    /// The initial bet and an equal attack bet have been made (26.1).
    Yes,
}

/// A table with its shoe, as the judge that answers the solver's questions about the rules.
pub struct Table<'c> {
    choices: &'c Choices,
    attacked: Attacked,
    /// For each result of the dealer, one finished hand with that result.
    dealer: [rules::Hand; RESULTS],
    designated: Vec<[Card; 2]>,
    third_suited: (i64, i64),
    /// The fraction of dealt blackjacks that is designated to pay more.
    designated_share: (i64, i64),
    shoe: Shoe,
    seen: Seen,
    dealers: Dealers,
    assumed: Assumptions,
}

/// The amount of one initial bet, large enough that all odds and halves are whole numbers of cents.
const UNIT: Cents = Cents(60_000);

impl<'c> Table<'c> {
    /// Returns the judge of the table with these options.
    pub fn new(choices: &'c Choices, attacked: Attacked) -> Self {
        use rules::Rank::*;
        let dealt = |ranks: &[rules::Rank]| rules::Hand::dealt(&cards_of(ranks));
        let mut designated: Vec<[Card; 2]> = choices.bonus_payouts.blackjacks.clone();
        designated.iter_mut().for_each(|pair| pair.sort_by_key(|c| c.value()));
        designated.sort_by_key(|pair| pair.map(|c| c.index()));
        designated.dedup();
        designated.retain(|[a, b]| a.is_ace() && b.is_ten_value() && choices.deck().holds(*b));
        let designated_share = share_of(&designated, &Stack::full(choices));
        Table {
            choices,
            attacked,
            designated_share,
            dealers: Dealers::default(),
            assumed: Assumptions::default(),
            // in the order of `DealerResult::ALL`
            dealer: [
                dealt(&[King, Seven]),
                dealt(&[King, Eight]),
                dealt(&[King, Nine]),
                dealt(&[King, Queen]),
                dealt(&[Seven, Eight, Six]),
                dealt(&[King, Six, Six]),
                dealt(&[King, Six, Seven]),
                dealt(&[Ace, King]),
            ],
            designated,
            // From a full shoe every suit is equally likely.
            third_suited: (1, 4),
            shoe: choices.deck().values().map(|n| n as u16 * u16::from(choices.decks)),
            seen: if choices.hole_card == HoleCard::Up { Seen::BothCards } else { Seen::UpCard },
        }
    }

    /// Sets the chance that the third card of 6-7-8 has the suit of the other two.
    ///
    /// The chance differs from that of the full shoe when some cards are known. `None` leaves the chance
    /// unchanged.
    pub fn set_third_suited(&mut self, chance: Option<(i64, i64)>) {
        self.third_suited = chance.unwrap_or(self.third_suited);
    }

    /// Returns the shoe of the table, which is the full shoe unless it was replaced.
    pub fn shoe(&self) -> Shoe {
        self.shoe
    }

    /// Makes the table use a shared cache of the dealer's finished hands.
    pub fn sharing(mut self, dealers: &Dealers) -> Self {
        self.dealers = dealers.clone();
        self
    }

    /// Puts the table under assumed rules, which its regulation does not have.
    pub fn assuming(mut self, assumed: Assumptions) -> Self {
        self.assumed = assumed;
        self
    }

    /// Replaces the shoe of the table.
    pub fn with_shoe(mut self, shoe: Shoe) -> Self {
        self.shoe = shoe;
        self
    }

    /// Returns a copy of the table that deals from another shoe.
    pub(crate) fn dealt_from(&self, shoe: Shoe) -> Table<'c> {
        let mut table = Table::new(self.choices, self.attacked).sharing(&self.dealers).with_shoe(shoe);
        table.designated_share = self.designated_share;
        table.assuming(self.assumed.clone())
    }

    /// Replaces the shoe by the cards left in `stack`.
    ///
    /// Returns an error if these cards are not enough for a round, or if suits matter and were removed unevenly.
    pub fn with_stack(mut self, stack: &Stack) -> Result<Self, Unsolvable> {
        stack.suffices(self.choices)?;
        if self.third_suited().is_some() && !stack.is_even_in(&SIX_SEVEN_EIGHT) {
            return refused(message!(
                "remove-without-suits",
                "this table pays suited 6-7-8, so sixes, sevens and eights must be removed evenly from all suits; \
                    give the removed cards without suits"
            ));
        }
        self.shoe = stack.values();
        self.designated_share = share_of(&self.designated, stack);
        Ok(self)
    }

    /// Fixes both face-up cards of the dealer, so that only their visible state is computed.
    pub fn set_seen(&mut self, cards: (Rank, Rank)) {
        self.seen = Seen::TheseCards(cards.0.min(cards.1), cards.0.max(cards.1));
    }

    /// Returns how the table counts a dealer's 22.
    pub fn at_22(&self) -> At22 {
        if self.choices.text().settle.at_22 { At22::Apart } else { At22::Over }
    }

    /// Returns the dealer's finished hands for all visible states.
    pub fn dealer<R: Real, const U: usize>(&self) -> Arc<DealerTree<R, U>> {
        self.dealers.tree(self.seen(), self.at_22(), |c| self.dealer_stands(c))
    }

    /// Returns the dealer's finished hands for one visible state only.
    pub fn dealer_against<R: Real, const U: usize>(&self, u: Upcard) -> DealerTree<R, U> {
        DealerTree::against(u, self.seen(), self.at_22(), |c| self.dealer_stands(c))
    }

    /// Returns the table's options.
    pub fn choices(&self) -> &Choices {
        self.choices
    }

    /// Converts a solver's hand to a hand of the `rules` crate.
    pub(crate) fn hand(&self, hand: &Hand, origin: Origin) -> rules::Hand {
        let mut ranks: Vec<rules::Rank> = each_card(&hand.cards).map(Rank::face).collect();
        if origin != Origin::SplitAce {
            ranks.reverse();
        }
        let natural = hand.size == 2 && hand.cards[ACE] == 1 && hand.cards[TEN] == 1;
        let cards = match hand.suits {
            Suits::Suited if natural => self.designated.first().map_or_else(Vec::new, |pair| pair.to_vec()),
            Suits::Any if natural && origin == Origin::Dealt => self.plain_blackjack(),
            Suits::Any => cards_of(&ranks),
            Suits::Suited | Suits::MaybeSuited => ranks.iter().map(|&r| Card::new(r, Suit::Spades)).collect(),
        };
        rules::Hand::new(rules_origin(origin), &cards)
    }

    /// Returns a blackjack that is not designated to pay more.
    fn plain_blackjack(&self) -> Vec<Card> {
        let all = Suit::ALL.into_iter().flat_map(|a| Suit::ALL.into_iter().map(move |b| (a, b)));
        let pairs = all.map(|(a, b)| [Card::new(ACE.face(), a), Card::new(TEN.face(), b)]);
        let mut plain = pairs.filter(|pair| !self.designated.contains(pair));
        plain.next().map_or_else(Vec::new, |pair| pair.to_vec())
    }

    /// Returns the bets on a hand, in the order in which they are settled.
    fn stakes(&self, finish: &Finish) -> Vec<(settle::Stake, Cents)> {
        let attack = if self.attacked == Attacked::Yes { UNIT } else { Cents::ZERO };
        let base = settle::HandBets { wager: UNIT, attacks: attack }.split();
        let mut stakes = match finish.origin {
            Origin::Dealt | Origin::Switched => {
                vec![(settle::Stake::Main, UNIT), (settle::Stake::Attack, attack)]
            }
            Origin::Split | Origin::SplitAce => vec![(settle::Stake::Split, base)],
        };
        if finish.stake == Stake::Doubled {
            stakes.push((settle::Stake::Double, base));
        }
        stakes.retain(|(_, amount)| *amount > Cents::ZERO);
        stakes
    }

    fn surrendered(&self, finish: &Finish, result: DealerResult) -> Net {
        let to = if result == BLACKJACK { SurrenderTo::Blackjack } else { SurrenderTo::NoBlackjack };
        let of = |stake| settle::surrender(self.choices, to, stake);
        let split = matches!(finish.origin, Origin::Split | Origin::SplitAce);
        // A split hand that gets its doubling bet back loses no more than its part of the original bet.
        if split && result == BLACKJACK && of(settle::Stake::Double).outcome == Outcome::Void {
            return Net::Original;
        }
        let nets = self.stakes(finish).into_iter().map(|(stake, amount)| of(stake).net(amount));
        amount(nets.map(|n| n.unwrap_or(Cents::ZERO).0).sum())
    }

    /// Converts a finished hand of the player to a hand of the `rules` crate.
    pub(crate) fn finished(&self, finish: &Finish) -> rules::Hand {
        match finish.ending {
            Ending::Busted | Ending::BustedUnseen | Ending::Surrendered => {
                let cards = cards_of(&[rules::Rank::King, rules::Rank::Six, rules::Rank::Seven]);
                rules::Hand::new(rules_origin(finish.origin), &cards)
            }
            Ending::Stood => self.hand(&finish.hand, finish.origin),
        }
    }

    /// Returns the net of a finished hand against a dealer result.
    pub(crate) fn net_of(&self, finish: &Finish, player: &rules::Hand, result: DealerResult) -> Net {
        if let Some(net) = self.assumed.net(finish, result == BLACKJACK) {
            return net;
        }
        if finish.ending == Ending::Surrendered {
            return self.surrendered(finish, result);
        }
        if result == BLACKJACK {
            return self.against_blackjack(finish, player);
        }
        let verdict = |stake| match finish.ending {
            Ending::Busted | Ending::BustedUnseen => settle::bust(self.choices),
            _ => settle::compare(self.choices, player, &self.dealer[result], stake),
        };
        let nets = self.stakes(finish).into_iter().map(|(stake, amount)| verdict(stake).net(amount));
        amount(nets.map(|n| n.unwrap_or(Cents::ZERO).0).sum())
    }

    fn against_blackjack(&self, finish: &Finish, player: &rules::Hand) -> Net {
        let stakes = self.stakes(finish);
        let unseen = finish.ending == Ending::BustedUnseen && finish.stake == Stake::Doubled;
        let held = SplitHand { unseen, ..SplitHand::played(*player, &stakes) };
        let settled = |original: Cents, hands: &[SplitHand]| {
            settle::against_blackjack(self.choices, &self.dealer[BLACKJACK], original, hands)
        };
        let net = |original| {
            let collected = settled(original, &[held]).swap_remove(0);
            let of = |&(stake, amount): &(settle::Stake, Cents)| {
                let collected = collected[stake as usize];
                match collected.verdict.outcome {
                    Outcome::Lose => -collected.taken.0,
                    _ => collected.verdict.net(amount).unwrap_or(Cents::ZERO).0,
                }
            };
            stakes.iter().map(of).sum()
        };
        let (with, without) = (net(UNIT), net(Cents::ZERO));
        if !matches!(finish.origin, Origin::Split | Origin::SplitAce) {
            return amount(with);
        }
        // whether another hand still loses the original bet shows what was collected before
        let nines = rules::Hand::dealt(&cards_of(&[rules::Rank::Nine; 2]));
        let other = SplitHand::played(nines, &[(settle::Stake::Split, UNIT)]);
        let spares = |held: SplitHand| {
            settled(UNIT, &[held, other])[1][settle::Stake::Split as usize].taken == Cents::ZERO
        };
        let first = SplitHand::played(*player, &[(settle::Stake::Main, UNIT)]);
        if with != without {
            Net::Original
        } else if spares(held) {
            Net::Collected(with, UNIT.0)
        } else if player.is_bust() && spares(first) {
            Net::CollectedFirst(with, UNIT.0)
        } else {
            amount(with)
        }
    }
}

impl Judge for Table<'_> {
    fn seen(&self) -> Seen {
        self.seen
    }

    fn blackjack(&self) -> Blackjack {
        let ace = Card::new(ACE.face(), Suit::Spades);
        let peeks = play::peeks(self.choices, ace) && !self.assumed.found_last();
        if peeks || self.choices.hole_card == HoleCard::Up {
            Blackjack::BeforePlay
        } else {
            Blackjack::AfterPlay
        }
    }

    fn dealer_stands(&self, count: Points) -> bool {
        let total = if count.soft { Total::Soft(count.total) } else { Total::Hard(count.total) };
        !play::dealer_draws(self.choices, total)
    }

    fn may(&self, hand: &Hand, origin: Origin) -> LegalActions {
        if hand.size < 2 {
            return LegalActions::default();
        }
        let cards = self.hand(hand, origin);
        let now = Situation::of_split(&cards, self.choices.split_hands);
        let doubled = Situation { doubled: Doubled::Yes, ..now };
        let may = |situation: &Situation<'_>, action| play::allows(self.choices, situation, action).is_ok();
        // Losing half of the bet is never better than a 21, where that could be surrendered: 2A.9(a), 26.8(a).
        let never = cards.points() == 21;
        let open = LegalActions {
            hit: may(&now, Action::Hit),
            double: may(&now, Action::Double),
            surrender: !never && may(&now, Action::Surrender),
            surrender_doubled: !never && may(&doubled, Action::Surrender),
        };
        self.assumed.may(hand, origin, open)
    }

    fn split_hands(&self, rank: Rank) -> u8 {
        let pair = cards_of(&[rank.face(); 2]);
        let dealt = rules::Hand::dealt(&pair);
        if play::allows(self.choices, &Situation::fresh(&dealt), Action::Split).is_err() {
            return 1;
        }
        let again = rules::Hand::new(rules::Origin::Split, &pair);
        let more = |&hands: &u8| {
            play::allows(self.choices, &Situation::of_split(&again, hands), Action::Split).is_ok()
        };
        let hands = (2..8).take_while(more).last().map_or(2, |hands| hands + 1);
        self.assumed.hands_of(hands, rank != ACE || self.choices.resplit_aces.is_yes())
    }

    fn net(&self, finish: &Finish, result: DealerResult) -> Net {
        self.net_of(finish, &self.finished(finish), result)
    }

    fn original(&self) -> (i64, i64) {
        // bets that are all lost, each by itself, do not answer for the original bet together
        (i64::from(!self.assumed.takes_all), 1)
    }

    fn shares(&self) -> bool {
        settle::each_its_share(self.choices)
    }

    fn unseen(&self) -> (i64, i64) {
        // the double cards are turned over when the first dealer hand is settled: 2.18(f)
        (i64::from(settle::can_bust_unseen(self.choices)), self.choices.dealer_hands().max(1) as i64)
    }

    fn third_suited(&self) -> Option<(i64, i64)> {
        self.choices.bonus_payouts.suited_678.is_yes().then_some(self.third_suited)
    }

    fn designated(&self) -> Option<(i64, i64)> {
        (!self.designated.is_empty()).then_some(self.designated_share)
    }

    fn wager(&self) -> (i64, i64) {
        if self.attacked == Attacked::Yes { (2, 1) } else { (1, 1) }
    }

    fn even_money(&self) -> Option<(i64, i64)> {
        let net = settle::even_money().net(UNIT).unwrap_or(UNIT);
        self.choices.even_money.is_yes().then_some((net.0, UNIT.0))
    }
}

fn amount(cents: i64) -> Net {
    Net::Amount(cents, UNIT.0)
}

fn rules_origin(origin: Origin) -> rules::Origin {
    match origin {
        Origin::Dealt => rules::Origin::Dealt,
        Origin::Switched => rules::Origin::Switched,
        Origin::Split | Origin::SplitAce => rules::Origin::Split,
    }
}

/// Returns the fraction (numerator, denominator) of the blackjacks in `stack` that are `designated` ones.
fn share_of(designated: &[[Card; 2]], stack: &Stack) -> (i64, i64) {
    let blackjacks = |[ace, ten]: &[Card; 2]| (stack.share(*ace), stack.share(*ten));
    let of = |pair: &[Card; 2]| blackjacks(pair).0.1 * blackjacks(pair).1.1;
    let ways = designated.iter().map(|pair| blackjacks(pair).0.0 * blackjacks(pair).1.0).sum();
    (ways, designated.first().map_or(1, of).max(1))
}

/// Returns cards of these ranks in mixed suits.
fn cards_of(ranks: &[rules::Rank]) -> Vec<Card> {
    let suits = [Suit::Clubs, Suit::Diamonds];
    ranks.iter().enumerate().map(|(i, &r)| Card::new(r, suits[i % 2])).collect()
}

/// Returns the numbers of cards, by rank.
pub fn counts(cards: &[Card]) -> Counts {
    let mut counts = [0; RANKS];
    cards.iter().for_each(|&c| counts[Rank::of(c)] += 1);
    counts
}
