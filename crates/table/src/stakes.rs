//! The money on a hand: bets, attack bets and doubles, and which of them are unsettled.

use rules::Cents;
use rules::settle::{HandBets, Stake};

/// The money that one bettor has on one hand.
///
/// Spots above zero are used only in multiple action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stakes {
    /// The kind of the base bet: `Main` for a required bet, `Split` for a bet on the new hand of a split.
    pub base_kind: Stake,
    /// The base bet on each spot.
    pub base: [Cents; 3],
    /// The double attack bet (26.1), the second attack bet and the third attack bet (36.1), in order.
    pub attack: [Cents; 3],
    /// The amount added by doubling on each spot.
    pub double: [Cents; 3],
    /// The unsettled stakes, one bit for each kind and spot.
    open: u32,
}

impl Stakes {
    /// The stakes of a hand without money.
    pub const NONE: Stakes = Stakes {
        base_kind: Stake::Main,
        base: [Cents::ZERO; 3],
        attack: [Cents::ZERO; 3],
        double: [Cents::ZERO; 3],
        open: 0,
    };

    /// Returns stakes with only base bets, of this kind and with these amounts by spot.
    pub fn new(kind: Stake, base: [Cents; 3]) -> Stakes {
        let mut stakes = Stakes { base_kind: kind, base, ..Stakes::NONE };
        stakes.put(kind, base);
        stakes
    }

    /// Adds an attack bet: the double attack bet if `offer` is 0, the second if it is 1, the third if it is 2.
    pub fn put_attack(&mut self, offer: usize, amount: Cents) {
        let stake = [Stake::Attack, Stake::SecondAttack, Stake::ThirdAttack][offer];
        self.attack[offer] = amount;
        self.put(stake, [amount, Cents::ZERO, Cents::ZERO]);
    }

    /// Adds the amounts of a double, one for each spot.
    pub fn put_double(&mut self, amounts: [Cents; 3]) {
        self.double = amounts;
        self.put(Stake::Double, amounts);
    }

    fn put(&mut self, stake: Stake, amounts: [Cents; 3]) {
        for (spot, &amount) in amounts.iter().enumerate() {
            if amount > Cents::ZERO {
                self.open |= Stakes::bit(stake, spot);
            }
        }
    }

    /// Marks the stake of this kind on this spot as settled.
    pub fn settle(&mut self, stake: Stake, spot: usize) {
        self.open &= !Stakes::bit(stake, spot);
    }

    const fn bit(stake: Stake, spot: usize) -> u32 {
        1 << (stake as u32 * 3 + spot as u32)
    }

    /// Returns whether the stake of this kind on this spot is unsettled.
    pub const fn is_open(&self, stake: Stake, spot: usize) -> bool {
        self.open & Stakes::bit(stake, spot) != 0
    }

    /// Returns whether at least one stake is unsettled.
    pub const fn any_open(&self) -> bool {
        self.open != 0
    }

    /// Returns the unsettled stakes, each as its kind and the index of its spot.
    pub fn open(&self) -> impl Iterator<Item = (Stake, usize)> + use<> {
        let mut open = self.open;
        std::iter::from_fn(move || {
            let bit = open.trailing_zeros() as usize;
            open &= open.wrapping_sub(1);
            Stake::ALL.get(bit / 3).map(|&stake| (stake, bit % 3))
        })
    }

    /// Returns the kinds of the unsettled stakes on one spot.
    pub fn open_at(&self, spot: usize) -> impl Iterator<Item = Stake> + use<> {
        self.open().filter(move |&(_, at)| at == spot).map(|(stake, _)| stake)
    }

    /// Returns the amount of the stake of this kind on this spot, or zero if there is no such stake.
    ///
    /// A hand's base bet is a stake of the kind `Main` or of the kind `Split`, never of both.
    pub fn amount(&self, stake: Stake, spot: usize) -> Cents {
        match stake {
            Stake::Main | Stake::Split if stake == self.base_kind => self.base[spot],
            Stake::Attack => self.attack[0],
            Stake::SecondAttack => self.attack[1],
            Stake::ThirdAttack => self.attack[2],
            Stake::Double => self.double[spot],
            _ => Cents::ZERO,
        }
    }

    /// Returns the base bet and attack bets on a spot, without money added by doubling (26.9(a), 36.8(a)).
    pub fn undoubled(&self, spot: usize) -> Cents {
        self.laid(spot).split()
    }

    /// Returns the base bet and the attack bets on a spot; attack bets lie only on the first spot.
    pub fn laid(&self, spot: usize) -> HandBets {
        let attacks = if spot == 0 { self.attack.iter().copied().sum() } else { Cents::ZERO };
        HandBets { wager: self.base[spot], attacks }
    }

    /// Returns whether there is no money on the hand.
    pub fn is_empty(&self) -> bool {
        self.base == [Cents::ZERO; 3]
    }
}
