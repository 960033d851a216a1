//! Compiles a table and a chart into a [`Program`], which holds everything that a simulation looks up.

use crate::chart::{BadChart, Chart, Take, values_of};
use crate::class::{ATTACKS, BLACKJACK, ClassId, Classes, Ending, Finished, MoneyScale, original};
use crate::dealer::{self, Dealer};
use crate::face::{Classing, Faces, Symbol};
use crate::hand::{self, Ground, Hands, Next, Start};
use crate::moves::{Move, Stack, moves, second_card_always, stack};
use crate::side::{self, Side};
use crate::view::{View, ViewId, value_label, view_of, views};
use rules::odds::Cents;
use rules::play::{Doubled, peeks};
use rules::settle;
use rules::{Card, Choices, Hand, HoleCard, SideBet};

/// The options for compiling a table and a chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CompileOptions {
    /// The side bets that the player makes. Side bets that the table does not offer are ignored.
    pub bets: Vec<SideBet>,
    /// The initial bet, or `None` for the table minimum.
    ///
    /// It determines the highest insurance that can be bet in whole chips.
    pub stake: Option<Cents>,
}

/// A table and a strategy, compiled into flat lookup tables.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of the table.
    pub name: String,
    /// The scale of all amounts: the number of parts of the bet in which every payment is a whole number.
    pub money: MoneyScale,
    /// The faces of the deck: groups of cards that the table cannot tell apart.
    pub faces: Faces,
    /// The views of the dealer's cards that a player can have.
    pub views: Vec<View>,
    /// The classes of finished hands and their payoffs.
    pub classes: Classes,
    /// The unfinished hands of a player, with the next step of each hand for each card.
    pub hands: Hands,
    /// The unfinished hands of the dealer, with the next row of each hand for each card.
    pub dealer: Dealer,
    /// The moves of a round, in order.
    pub moves: Vec<Move>,
    /// The size of the stack of cards, and its use before a shuffle.
    pub stack: Stack,
    /// The number of decks.
    pub decks: u32,
    /// The number of boxes at the table.
    pub positions: usize,
    /// The number of initial hands at each box: two in Switch.
    pub hands_per_box: usize,
    /// The number of dealer hands in a round: three in multiple action.
    pub dealer_hands: usize,
    /// The maximum number of hands into which one hand can be split.
    pub split_hands: u8,
    /// The side bets that the player makes.
    pub sides: Vec<Side>,
    /// The strategy's decisions on attack bets, insurance, even money and switching cards.
    pub offers: Offers,
    /// Whether the dealer's second card is on the table when the players decide.
    pub has_hole: bool,
    /// Whether the dealer always receives a second card, even if no bet depends on that card.
    pub second_card_always: bool,
    /// The most that a box loses to a dealer blackjack, indexed by number of attack bets.
    pub original: [i32; ATTACKS],
    /// Whether each hand of a split loses its own share of the original bet to a dealer blackjack.
    ///
    /// If not, all hands of the split together lose one original bet: 36.9(d) by ruling.
    pub shared: bool,
    /// The class of a blackjack paid as even money, or `None` if the table does not offer even money.
    pub even_money: Option<ClassId>,
    symbols: usize,
    view_of: Vec<ViewId>,
    stood: Vec<ClassId>,
    /// Whether a hand of two cards totals less than 21 and so requires a decision, by first and second card.
    open: Vec<bool>,
}

/// The player's decisions on optional bets and on switching cards, looked up in the chart once for every case.
#[derive(Clone, Debug)]
pub struct Offers {
    /// Whether the player makes the attack bet, indexed by upcard.
    pub attack: Vec<bool>,
    /// Whether the player makes the second attack bet, indexed by the player's first card.
    pub second_attack: Vec<bool>,
    /// Whether the player makes the third attack bet, indexed by the player's first card, then by upcard.
    pub third_attack: Vec<bool>,
    /// Whether the player switches cards, by upcard, then by the cards of the first and the second hand.
    switch: Vec<bool>,
    /// The counts at which the player takes insurance.
    pub insurance: Take,
    /// The counts at which the player takes even money.
    pub even_money: Take,
    /// Whether insurance is offered, indexed by upcard.
    pub insurable: Vec<bool>,
    /// Whether the dealer peeks at the hole card with a reader, indexed by upcard.
    pub read: Vec<bool>,
    /// Whether the dealer can have a blackjack, indexed by upcard.
    pub high: Vec<bool>,
    /// The net win of insurance, by number of attack bets, upcard and second card.
    insurance_pay: Vec<i32>,
}

impl Program {
    /// Returns the number of symbols that the main game distinguishes.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Returns the total of one box's initial bets, in parts of the bet.
    pub fn initial(&self) -> i64 {
        i64::from(self.money.unit) * (self.hands_per_box * self.dealer_hands) as i64
    }

    /// Returns the player's view of the dealer's upcard `up` and hole card `hole`.
    #[inline]
    pub fn view(&self, up: Symbol, hole: Symbol) -> ViewId {
        self.view_of[usize::from(up) * self.symbols + usize::from(hole)]
    }

    /// Returns the index of a face that belongs to the symbol.
    pub fn face_of_symbol(&self, symbol: Symbol) -> usize {
        let card = self.faces.symbols[usize::from(symbol)].0;
        usize::from(self.faces.face_of[card.index() as usize])
    }

    /// Returns the class of a hand that stands on two cards.
    pub fn stood(&self, first: Symbol, second: Symbol) -> ClassId {
        self.stood[usize::from(first) * self.symbols + usize::from(second)]
    }

    /// Returns whether the player switches the second cards of two hands.
    #[inline]
    pub fn switches(&self, up: Symbol, first: [Symbol; 2], second: [Symbol; 2]) -> bool {
        let cards = [up, first[0], first[1], second[0], second[1]];
        self.offers.switch[cards.iter().fold(0, |at, &c| at * self.symbols + usize::from(c))]
    }

    /// Returns the [`Start`] of the second hand of a Switch box.
    ///
    /// The first hand has the start `first` and the two cards `cards`, after which its next step is `next`.
    pub fn second_start(&self, first: Start, next: Next, cards: [Symbol; 2]) -> Start {
        let decided = match next {
            // 2A.9(a)#2: a surrender does not count as another decision, and 21 leaves no decision
            Next::Done(class) => {
                let ending = self.classes.all[usize::from(class)].ending;
                ending != Ending::Surrendered
                    && self.open[usize::from(cards[0]) * self.symbols + usize::from(cards[1])]
            }
            _ => true,
        };
        match (first, decided) {
            (first, false) => first,
            (Start::Switched, true) => Start::SwitchedSecond,
            _ => Start::DealtSecond,
        }
    }

    /// Returns a box's total insurance bet and its net win if the dealer's second card is `second`.
    ///
    /// Both are in parts of the bet.
    pub fn insured(&self, attacks: u8, up: Symbol, second: Symbol) -> (i32, i32) {
        let (hands, attacks) = (self.hands_per_box as i32, usize::from(attacks));
        (self.money.insurance[attacks] * hands, self.insurance(attacks, up, second) * hands)
    }

    /// Returns the net win of insurance on one hand if the dealer's second card is `second`, in parts of the bet.
    pub fn insurance(&self, attacks: usize, up: Symbol, second: Symbol) -> i32 {
        self.offers.insurance_pay
            [(attacks * self.symbols + usize::from(up)) * self.symbols + usize::from(second)]
    }

    /// Returns whether the dealer's first two cards are a blackjack.
    #[inline]
    pub fn is_blackjack(&self, up: Symbol, second: Symbol) -> bool {
        self.dealer.next(self.dealer.up(up), second).last == Some(BLACKJACK as u8)
    }
}

/// Compiles a table and a chart into a [`Program`].
///
/// Returns an error if the chart cannot be used at the table, for example because it lacks a cell.
pub fn compile(choices: &Choices, chart: &Chart, options: &CompileOptions) -> Result<Program, BadChart> {
    let stake = options.stake.unwrap_or_else(|| rules::limit::least_wager(choices));
    let money = MoneyScale::new(choices, stake);
    let offered = side::offered(choices);
    let bets: Vec<SideBet> = options.bets.iter().copied().filter(|bet| offered.contains(bet)).collect();
    let classings: Vec<Box<dyn Fn(Card) -> u8>> = bets
        .iter()
        .map(|&bet| Box::new(move |card| side::class_of(bet, card)) as Box<dyn Fn(Card) -> u8>)
        .collect();
    let borrowed: Vec<Classing<'_>> = classings.iter().map(|class| class.as_ref() as Classing<'_>).collect();
    let insures = chart.insurance != Take::Never;
    // the symbols of the fused round must distinguish the cards that a bet on the dealer's third card distinguishes
    let third = |card: Card| {
        bets.iter().filter(|&&b| b.sees() == side::Sees::DealerThree).map(|&b| side::class_of(b, card)).sum()
    };
    let faces = Faces::new(choices, insures, &third, &borrowed);
    let views = views(choices);
    let mut classes = Classes::default();
    let ground = Ground { choices, chart, faces: &faces, views: &views, money };
    let hands = hand::walk(&ground, &mut classes)?;
    let even_money = choices.even_money.is_yes().then(|| classes.even_money(money));
    let offers = offers(&ground)?;
    let symbols = faces.symbols.len();
    let pairs = || faces.symbols.iter().flat_map(|up| faces.symbols.iter().map(move |hole| (up.0, hole.0)));
    let stood = pairs()
        .map(|(first, second)| {
            let hand =
                Finished { hand: Hand::dealt(&[first, second]), doubled: Doubled::No, surrendered: None };
            classes.of(choices, money, &hand)
        })
        .collect();
    let open = pairs().map(|(first, second)| Hand::dealt(&[first, second]).points() < 21).collect();
    let view_of = pairs().map(|(up, hole)| view_of(choices, &views, up, Some(hole))).collect();
    Ok(Program {
        name: choices.name.clone(),
        money,
        sides: bets.iter().map(|&bet| Side::new(choices, bet, &faces.faces)).collect(),
        dealer: dealer::walk(choices, &faces),
        moves: moves(choices),
        stack: stack(choices),
        decks: u32::from(choices.decks),
        positions: usize::from(choices.positions),
        hands_per_box: choices.hands_per_box(),
        dealer_hands: choices.dealer_hands(),
        split_hands: choices.split_hands,
        has_hole: choices.hole_card != HoleCard::None,
        second_card_always: second_card_always(choices),
        original: std::array::from_fn(|attacks| original(choices, money.unit, attacks)),
        shared: rules::settle::each_its_share(choices),
        even_money,
        offers,
        faces,
        views,
        classes,
        hands,
        symbols,
        view_of,
        stood,
        open,
    })
}

fn offers(ground: &Ground<'_>) -> Result<Offers, BadChart> {
    let Ground { choices, chart, money, .. } = *ground;
    let symbols = &ground.faces.symbols;
    let moves = moves(choices);
    let label = |card: Card| value_label(card.value()).to_string();
    let missing = |what: &str, of: &str| {
        BadChart(format!("the strategy does not say whether to make the {what} bet on {of}"))
    };
    let flags = |present: Move, map: &std::collections::BTreeMap<String, bool>, what: &str| {
        let needed = moves.contains(&present);
        let flag = |&(card, _): &(Card, u32)| match map.get(&label(card)) {
            Some(&flag) => Ok(needed && flag),
            None if needed => Err(missing(what, &label(card))),
            None => Ok(false),
        };
        symbols.iter().map(flag).collect::<Result<Vec<bool>, BadChart>>()
    };
    let mut third = Vec::new();
    for &(card, _) in symbols {
        let empty = Default::default();
        let row = chart.offers.third_attack.get(&label(card)).unwrap_or(&empty);
        third.extend(flags(Move::ThirdAttack, row, "third attack")?);
    }
    let mut insurance_pay = Vec::new();
    for amount in money.insurance {
        for &(up, _) in symbols {
            for &(second, _) in symbols {
                let net = settle::insurance(choices, up, second).net(Cents(i64::from(amount)));
                insurance_pay.push(net.map_or(0, |cents| cents.0 as i32));
            }
        }
    }
    let asks = moves.contains(&Move::Insurance);
    Ok(Offers {
        attack: flags(Move::Attack, &chart.offers.attack, "double attack")?,
        second_attack: flags(Move::SecondAttack, &chart.offers.second_attack, "second attack")?,
        third_attack: third,
        switch: switches(ground)?,
        insurance: if asks { chart.insurance } else { Take::Never },
        even_money: chart.even_money,
        insurable: symbols.iter().map(|s| asks && s.0.is_ace()).collect(),
        read: symbols.iter().map(|s| peeks(choices, s.0)).collect(),
        high: symbols.iter().map(|s| rules::play::may_be_blackjack(s.0)).collect(),
        insurance_pay,
    })
}

/// Returns whether the player switches the second cards, for every upcard and every two hands.
///
/// The player switches only if the sum of the two hands' values is greater after the switch.
fn switches(ground: &Ground<'_>) -> Result<Vec<bool>, BadChart> {
    let symbols = &ground.faces.symbols;
    if ground.choices.hands_per_box() < 2 {
        return Ok(Vec::new());
    }
    let count = symbols.len();
    let mut all = Vec::with_capacity(count.pow(5));
    for &(up, _) in symbols {
        let column = value_label(up.value()).to_string();
        let values = switch_values(ground, &column)?;
        for at in 0..count.pow(4) {
            let card = |place: u32| at / count.pow(3 - place) % count;
            let (a, b, c, d) = (card(0), card(1), card(2), card(3));
            let stay = values.dealt[a * count + b] + values.dealt[c * count + d];
            let change = values.switched[a * count + d] + values.switched[c * count + b];
            all.push(change > stay);
        }
    }
    Ok(all)
}

struct SwitchValues {
    dealt: Vec<f64>,
    switched: Vec<f64>,
}

fn switch_values(ground: &Ground<'_>, column: &str) -> Result<SwitchValues, BadChart> {
    let symbols = &ground.faces.symbols;
    let missing = |hand: &str| BadChart(format!("the strategy has no switch value for {hand} v {column}"));
    let table = ground.chart.offers.switch.get(column).ok_or_else(|| missing("any hand"))?;
    let mut by_values = std::collections::HashMap::new();
    for (hand, &value) in table {
        if let Some(mut values) = values_of(hand) {
            values.sort_unstable();
            by_values.insert(values, value);
        }
    }
    let (mut dealt, mut switched) = (Vec::new(), Vec::new());
    for &(first, _) in symbols {
        for &(second, _) in symbols {
            let mut values = vec![first.value(), second.value()];
            values.sort_unstable();
            let name: String = values.iter().map(|&v| value_label(v)).collect();
            let plain = *by_values.get(&values).ok_or_else(|| missing(&name))?;
            let natural = values == [1, 10];
            switched.push(plain);
            dealt.push(if natural { *table.get("BJ").ok_or_else(|| missing("BJ"))? } else { plain });
        }
    }
    Ok(SwitchValues { dealt, switched })
}
