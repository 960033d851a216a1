//! The questions that the solver asks about the rules, and the book that stores the settlements as numbers.
//!
//! This module contains no rules: a [`Judge`] decides them, and the book asks the judge once per class of hands.

use crate::cards::{Counts, Points};
use crate::hands::{Hand, Suits};
use crate::num::Real;
use crate::seen::Seen;
use crate::vocabulary::{ACE, BLACKJACK, DealerResult, RANKS, RESULTS, Rank, TEN, by_result};

/// How the first two cards of a hand came together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The hand is the first two cards of a box.
    Dealt,
    /// The hand was made by exchanging second cards in Switch.
    ///
    /// An ace and a ten-value card are then not a blackjack.
    Switched,
    /// The hand comes from a split pair other than aces.
    Split,
    /// The hand comes from a split pair of aces.
    SplitAce,
}

/// How a hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The hand stood and is compared with the dealer's hand.
    Stood,
    /// The hand went over 21.
    Busted,
    /// The hand busted on a face-down double card, so that nobody has seen the bust (2.10(c)).
    BustedUnseen,
    /// The hand was surrendered.
    Surrendered,
}

/// The size of the bet on a hand: single or doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stake {
    /// The bet with which the hand began.
    Single,
    /// The bet after doubling down.
    Doubled,
}

/// A finished hand, with everything that settlement depends on.
#[derive(Clone, Copy, Debug)]
pub struct Finish {
    /// The hand with its cards.
    pub hand: Hand,
    /// How the hand came about.
    pub origin: Origin,
    /// How the hand ended.
    pub ending: Ending,
    /// Whether the bet on the hand is single or doubled.
    pub stake: Stake,
}

/// The net result of a finished hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Net {
    /// A fraction of the initial bet, as numerator and denominator: positive if won, negative if lost.
    Amount(i64, i64),
    /// The loss of the original bet, which all such hands of a box lose only once together.
    Original,
    /// The loss of a bet that was collected when the hand went over 21, as a fraction of the initial bet.
    ///
    /// The other hands of the box then lose no original bet.
    Collected(i64, i64),
    /// Like [`Net::Collected`] for the first hand of the box, and an ordinary loss for any other hand.
    ///
    /// The first hand holds the original bet. Any other hand loses this amount in addition to the original bet.
    CollectedFirst(i64, i64),
}

/// How a split hand relates to the original bet, which a dealer's blackjack takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginalBet {
    /// The hand does not lose to the blackjack, and its bet was not collected before.
    Nothing,
    /// The hand loses to the blackjack. All such hands of a box together lose one original bet.
    Answers,
    /// The hand's bet was collected before, so that no hand of the box loses the original bet.
    Collected,
    /// The hand's bet was collected before. If this is the first hand of the box, no hand loses the original bet.
    ///
    /// If it is another hand, the remaining hands can still lose the original bet.
    CollectedFirst,
}

/// The actions that a hand may take besides standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegalActions {
    /// Whether the hand may draw a card.
    pub hit: bool,
    /// Whether the hand may be doubled.
    pub double: bool,
    /// Whether the hand may be surrendered now.
    pub surrender: bool,
    /// Whether the hand may be surrendered after doubling.
    pub surrender_doubled: bool,
}

/// When a dealer's blackjack is discovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blackjack {
    /// The blackjack is discovered before any decision, by a hole-card reader or because both cards are face up.
    BeforePlay,
    /// The blackjack is discovered after all players' hands are played.
    AfterPlay,
}

/// A source of the rules that affect values.
pub trait Judge {
    /// Returns which of the dealer's cards the players see.
    fn seen(&self) -> Seen;
    /// Returns when the dealer's blackjack is discovered.
    fn blackjack(&self) -> Blackjack;
    /// Returns whether the dealer stands on this total of at most 21.
    fn dealer_stands(&self, count: Points) -> bool;
    /// Returns the actions that the player may take with this hand.
    fn may(&self, hand: &Hand, origin: Origin) -> LegalActions;
    /// Returns the maximum number of hands into which a pair of this value may be split, or 1 if it may not.
    fn split_hands(&self, rank: Rank) -> u8;
    /// Returns the net of a finished hand against a dealer's result, in units of the initial bet.
    fn net(&self, finish: &Finish, result: DealerResult) -> Net;
    /// Returns the original bet that a box loses to a dealer's blackjack, in units of the initial bet.
    fn original(&self) -> (i64, i64);
    /// Returns whether each hand of a split loses its own equal share of the original bet (36.9(d), by ruling).
    fn shares(&self) -> bool {
        false
    }
    /// Returns the fraction of a box's bets that is settled while busts of doubled hands lie face down.
    ///
    /// This fraction matters against a dealer's blackjack (2.10(b), (c)). For such a bust, [`Judge::net`] is asked
    /// with the ending [`Ending::BustedUnseen`].
    fn unseen(&self) -> (i64, i64) {
        (0, 1)
    }
    /// Returns the chance, as a fraction, that the third card of 6-7-8 has the suit of two suited cards.
    ///
    /// Returns `None` if a suited 6-7-8 has no odds of its own.
    fn third_suited(&self) -> Option<(i64, i64)>;
    /// Returns the fraction of dealt blackjacks that is designated to pay more (2.3(e)3).
    ///
    /// Returns `None` if no blackjack is designated. For a designated one, [`Judge::net`] is asked about a hand
    /// whose `suits` are `Suited`.
    fn designated(&self) -> Option<(i64, i64)>;
    /// Returns the net win of even money against an ace, or `None` if it is not offered (2.7(c)).
    fn even_money(&self) -> Option<(i64, i64)>;
    /// Returns the total bets on a hand that is neither doubled nor split, in units of the initial bet.
    fn wager(&self) -> (i64, i64);
}

/// The net of a hand with a single and with a doubled bet, indexed by the dealer's result.
#[derive(Clone, Debug)]
pub struct Pay<R> {
    /// The net with a single bet.
    pub single: [R; RESULTS],
    /// The net with a doubled bet.
    pub doubled: [R; RESULTS],
    /// The hand's relation to the original bet against a dealer's blackjack, with a single and a doubled bet.
    owes: [OriginalBet; 2],
}

/// The index of a [`Pay`] in a [`Book`].
pub type PayId = u16;

/// A quantity that is summed over the finished hands of a round.
///
/// Every measure is a sum over hands, so its expected value is exact for splits too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The net win of each hand, negative if it is lost.
    Net,
    /// The total bet on each hand.
    Staked,
    /// The square of each hand's net.
    Squared,
    /// The net of hands that meet one of the dealer's results.
    ///
    /// Busted and surrendered hands count against the first result.
    NetAgainst(DealerResult),
    /// The net of busted and surrendered hands, if the dealer has no blackjack.
    NetFallen,
    /// The number of hands that won.
    Won,
    /// The number of hands that neither won nor lost.
    Pushed,
    /// The number of hands that lost, busts included.
    Lost,
    /// The number of hands that went over 21.
    Busted,
    /// The number of hands that were surrendered.
    Surrendered,
    /// The number of hands that ended in one way with one net.
    Ended(Ended),
}

/// How a hand ended, with its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ended {
    /// The way the hand ended.
    pub way: EndedAs,
    /// The net in units of the initial bet, as a fraction in lowest terms: numerator and denominator.
    pub net: (i64, i64),
}

/// How a hand ends, in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EndedAs {
    /// The hand was dealt as a blackjack.
    Blackjack,
    /// The hand stood with a single bet.
    Stood,
    /// The hand was doubled, even if it busted.
    Doubled,
    /// The hand went over 21 with a single bet.
    Busted,
    /// The hand was surrendered.
    Surrendered,
}

impl Ended {
    /// Returns how a finished hand with the net `n / d` is reported.
    pub fn of(finish: &Finish, (n, d): (i64, i64)) -> Ended {
        let cards = &finish.hand.cards;
        let natural = finish.hand.size == 2 && cards[ACE] == 1 && cards[TEN] == 1;
        let way = match (finish.ending, finish.stake) {
            (Ending::Surrendered, _) => EndedAs::Surrendered,
            (_, Stake::Doubled) => EndedAs::Doubled,
            (Ending::Busted | Ending::BustedUnseen, _) => EndedAs::Busted,
            (Ending::Stood, _) if natural && finish.origin == Origin::Dealt => EndedAs::Blackjack,
            (Ending::Stood, _) => EndedAs::Stood,
        };
        let divisor = gcd(n.unsigned_abs(), d.unsigned_abs()).max(1) as i64;
        Ended { way, net: (n / divisor, d / divisor) }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Measure {
    /// Returns the power to which a hand's share of the original bet is raised: 2 for squared nets, otherwise 1.
    pub(crate) fn power(self) -> u32 {
        if self == Measure::Squared { 2 } else { 1 }
    }

    fn is_of_money(self) -> bool {
        matches!(self, Measure::Net | Measure::Squared | Measure::NetAgainst(_))
    }

    pub(crate) fn of<R: Real>(self, finish: &Finish, against: DealerResult, net: R, wager: &R) -> R {
        let zero = R::zero();
        let surrendered = finish.ending == Ending::Surrendered;
        let is = |yes: bool| if yes { R::one() } else { R::zero() };
        match self {
            Measure::Net => net,
            Measure::NetAgainst(result) if result == against => net,
            Measure::NetAgainst(_) => zero,
            Measure::NetFallen if finish.ending != Ending::Stood && against != BLACKJACK => net,
            Measure::NetFallen => zero,
            Measure::Staked if finish.stake == Stake::Doubled => wager.clone() + wager.clone(),
            Measure::Staked => wager.clone(),
            Measure::Squared => net.clone() * net,
            Measure::Won => is(net > zero),
            Measure::Pushed => is(net == zero),
            Measure::Lost => is(net < zero && !surrendered),
            Measure::Busted => is(matches!(finish.ending, Ending::Busted | Ending::BustedUnseen)),
            Measure::Surrendered => is(surrendered),
            Measure::Ended(ended) => {
                let (n, d) = ended.net;
                is(net == R::ratio(n, d.max(1)) && Ended::of(finish, ended.net).way == ended.way)
            }
        }
    }
}

/// The judge's settlements of hands, converted to numbers under one measure.
#[derive(Clone)]
pub struct Book<R> {
    /// Settlements of hands that stood, one per class of hands.
    pub pays: Vec<Pay<R>>,
    /// Average settlements of a busted hand: first for dealt hands, then for split hands.
    pub bust: [Pay<R>; 2],
    /// Settlements of busted split hands, each with the fraction of the bets that it covers.
    ///
    /// A single bet has the same settlement in all fractions.
    pub busts: Vec<(R, Pay<R>)>,
    /// Settlements of a surrendered hand: first for dealt hands, then for split hands.
    pub surrender: [Pay<R>; 2],
    /// The joint contribution to the measure of all split hands that lose the original bet to a dealer's
    /// blackjack.
    ///
    /// It is minus one original bet for the net, its square for the squares, and zero for other measures or if
    /// the blackjack is settled before play.
    pub together: R,
    /// The contribution to the measure of one split hand that loses its own share of the original bet, per unit
    /// of share.
    ///
    /// Zero unless each hand loses its own share.
    pub share: R,
    measure: Measure,
    /// The settlement of each class of hands, or `None` until it is requested.
    ids: Vec<Option<PayId>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    total: u8,
    size: u8,
    origin: Origin,
    special: u8,
}

/// The mark that distinguishes a hand of an ace and a ten-value card in the key of its class.
const NATURAL: u8 = 1;

/// The number of hand sizes that settlement distinguishes: one to five cards, and six or more.
const SIZES: u8 = 6;

/// The number of classes of hands: the product of the numbers of totals, sizes, origins and marks.
const CLASSES: usize = 32 * 8 * 4 * 4;

impl Key {
    fn class(self) -> usize {
        let Key { total, size, origin, special } = self;
        assert!(total < 32 && size < 8 && special < 4, "no class matches the hand {self:?}");
        ((usize::from(total) * 8 + usize::from(size)) * 4 + origin as usize) * 4 + usize::from(special)
    }

    fn of(hand: &Hand, origin: Origin) -> Self {
        let cards: &Counts = &hand.cards;
        let natural = hand.size == 2 && cards[ACE] == 1 && cards[TEN] == 1;
        let sevens = cards[Rank::Seven] == 3 && hand.size == 3;
        let special = match hand.suits {
            Suits::MaybeSuited => 3,
            _ => NATURAL * u8::from(natural) + 2 * u8::from(sevens),
        };
        let origin = match origin {
            Origin::SplitAce => Origin::Split,
            Origin::Switched if !natural => Origin::Dealt,
            other => other,
        };
        Key { total: hand.points.total, size: hand.size.min(SIZES), origin, special }
    }
}

impl<R: Real> Book<R> {
    /// Returns the measure of this book.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns a book with the settlements of busted and surrendered hands only.
    pub fn new(judge: &impl Judge, measure: Measure) -> Self {
        let (n, d) = judge.original();
        let together = match (judge.blackjack(), measure) {
            (Blackjack::AfterPlay, Measure::Net | Measure::NetAgainst(BLACKJACK)) => R::ratio(-n, d.max(1)),
            (Blackjack::AfterPlay, Measure::Squared) => R::ratio(n * n, (d * d).max(1)),
            _ => R::zero(),
        };
        let (together, share) = if judge.shares() { (R::zero(), together) } else { (together, R::zero()) };
        let mut book = Book {
            pays: Vec::new(),
            bust: std::array::from_fn(|_| Pay::none()),
            busts: Vec::new(),
            surrender: std::array::from_fn(|_| Pay::none()),
            together,
            share,
            measure,
            ids: vec![None; CLASSES],
        };
        let points = Points { total: 22, soft: false };
        let hand = Hand { cards: [0; RANKS], points, size: 3, suits: Suits::Any };
        for (i, origin) in [Origin::Dealt, Origin::Split].into_iter().enumerate() {
            book.busts = book.ask_busts(judge, &hand, origin);
            book.bust[i] = Pay::average(&book.busts);
            book.surrender[i] = book.ask(judge, &hand, origin, Ending::Surrendered);
        }
        book
    }

    /// Returns the index of the settlement of a hand that stood, adding the settlement if it is new.
    pub fn pay(&mut self, judge: &impl Judge, hand: &Hand, origin: Origin) -> PayId {
        let key = Key::of(hand, origin);
        let class = key.class();
        if let Some(id) = self.ids[class] {
            return id;
        }
        let mut pay = self.ask(judge, hand, origin, Ending::Stood);
        if let (Suits::MaybeSuited, Some((n, d))) = (hand.suits, judge.third_suited()) {
            let unlike = Hand { suits: Suits::Any, ..*hand };
            pay = self.ask(judge, &unlike, origin, Ending::Stood).mixed(&pay, R::ratio(n, d.max(1)));
        }
        if let (NATURAL, Origin::Dealt, Some((n, d))) = (key.special, key.origin, judge.designated()) {
            let designated = Hand { suits: Suits::Suited, ..*hand };
            pay = pay.mixed(&self.ask(judge, &designated, origin, Ending::Stood), R::ratio(n, d.max(1)));
        }
        let id = self.pays.len() as PayId;
        self.pays.push(pay);
        self.ids[class] = Some(id);
        id
    }

    /// Returns the settlements of a busted hand, each with the fraction of the bets that it covers.
    fn ask_busts(&self, judge: &impl Judge, hand: &Hand, origin: Origin) -> Vec<(R, Pay<R>)> {
        let (n, d) = judge.unseen();
        let parts = [(Ending::Busted, d - n), (Ending::BustedUnseen, n)];
        let asked = |(ending, n)| (R::ratio(n, d.max(1)), self.ask(judge, hand, origin, ending));
        parts.into_iter().filter(|(_, n)| *n > 0).map(asked).collect()
    }

    fn ask(&self, judge: &impl Judge, hand: &Hand, origin: Origin, ending: Ending) -> Pay<R> {
        let wager = R::ratio(judge.wager().0, judge.wager().1.max(1));
        let original = R::ratio(judge.original().0, judge.original().1.max(1));
        let of_split = matches!(origin, Origin::Split | Origin::SplitAce);
        let row = |stake| {
            let mut owes = OriginalBet::Nothing;
            let nets = by_result(|o| {
                if o == BLACKJACK && judge.blackjack() == Blackjack::BeforePlay {
                    return R::zero();
                }
                let finish = Finish { hand: *hand, origin, ending, stake };
                let net = match judge.net(&finish, o) {
                    Net::Amount(n, d) => R::ratio(n, d.max(1)),
                    Net::Original => {
                        owes = OriginalBet::Answers;
                        // the joint loss of several hands is added once, see `together`
                        if of_split && self.measure.is_of_money() {
                            return R::zero();
                        }
                        R::zero() - original.clone()
                    }
                    Net::Collected(n, d) => {
                        owes = OriginalBet::Collected;
                        R::ratio(n, d.max(1))
                    }
                    Net::CollectedFirst(n, d) => {
                        owes = OriginalBet::CollectedFirst;
                        R::ratio(n, d.max(1))
                    }
                };
                self.measure.of(&finish, o, net, &wager)
            });
            (nets, owes)
        };
        let ((single, of_single), (doubled, of_doubled)) = (row(Stake::Single), row(Stake::Doubled));
        Pay { single, doubled, owes: [of_single, of_doubled] }
    }
}

impl<R> Pay<R> {
    /// Returns how the hand with this `stake` relates to the original bet against a dealer's blackjack.
    pub fn owes(&self, stake: Stake) -> OriginalBet {
        self.owes[stake as usize]
    }
}

impl<R: Real> Pay<R> {
    /// Returns the average of settlements, with the first one's relation to the original bet.
    fn average(parts: &[(R, Pay<R>)]) -> Self {
        let [(_, first), others @ ..] = parts else {
            return Pay::none();
        };
        others.iter().fold(first.clone(), |all, (part, pay)| all.mixed(pay, part.clone()))
    }

    /// Returns a mixture of two settlements: the fraction `q` of `other`, and the rest of this one.
    fn mixed(self, other: &Self, q: R) -> Self {
        let mix = |a: &[R; RESULTS], b: &[R; RESULTS]| {
            by_result(|o| a[o].clone() + q.clone() * (b[o].clone() - a[o].clone()))
        };
        let (single, doubled) = (mix(&self.single, &other.single), mix(&self.doubled, &other.doubled));
        Pay { single, doubled, owes: self.owes }
    }

    fn none() -> Self {
        let row = || std::array::from_fn(|_| R::zero());
        Pay { single: row(), doubled: row(), owes: [OriginalBet::Nothing; 2] }
    }
}
