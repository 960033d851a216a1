//! What a dealer's blackjack takes from doubled, split and attacked hands: Q2 of the notes on blackjack, A2 of those on
//! Switch, A2, A8 and A9 of those on the attack games.

use crate::{dealt, split, switched, table};
use rules::settle::{
    HandEnd, Outcome, SplitHand, Stake, StakeResult, against_blackjack, bust_waits, original_left,
};
use rules::{Cents, Choices, Hand};

/// One stake of a hand: its kind, and dollars.
type Money = (Stake, i64);

/// Settles the hands of one initial hand against a dealer's blackjack, in order.
fn against(choices: &Choices, original: i64, hands: &[(Hand, &[Money])]) -> Vec<StakeResult> {
    let held = |(hand, stakes): &(Hand, &[Money])| {
        let cents = |&(stake, dollars): &Money| (stake, Cents::dollars(dollars));
        SplitHand::played(*hand, &stakes.iter().map(cents).collect::<Vec<_>>())
    };
    let all: Vec<SplitHand> = hands.iter().map(held).collect();
    let collected = against_blackjack(choices, &dealt("Kd As"), Cents::dollars(original), &all);
    let stakes = hands.iter().zip(&collected);
    stakes.flat_map(|((_, stakes), all)| stakes.iter().map(|(stake, _)| all[*stake as usize])).collect()
}

/// Returns the dollars taken from each stake, and the citation for each returned one.
fn taken(choices: &Choices, original: i64, hands: &[(Hand, &[Money])]) -> (Vec<i64>, Vec<&'static str>) {
    let all = against(choices, original, hands);
    let returned = all.iter().filter(|c| c.verdict.outcome == Outcome::Void).map(|c| c.verdict.by.id());
    (all.iter().map(|c| c.taken.0 / 100).collect(), returned.collect())
}

const DOUBLED: &[Money] = &[(Stake::Main, 10), (Stake::Double, 10)];
const SPLIT: &[Money] = &[(Stake::Split, 10)];
const MAIN: &[Money] = &[(Stake::Main, 10)];
const SPLIT_DOUBLED: &[Money] = &[(Stake::Split, 10), (Stake::Double, 10)];

/// Proves 19:47-2.10(b), 19:47-2A.10(c), MA-BJS 10(c), 19:47-26.9(c), 19:47-36.8(c).
#[test]
fn doubling_money_goes_back() {
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.10(b)"),
        ("nj-six-to-five", "19:47-2.10(b)"),
        ("nj-multiple-action", "19:47-2.10(b)"),
        ("nj-switch", "19:47-2A.10(c)"),
        ("ma-switch", "MA-BJS 10(c)"),
        ("nj-double-attack", "19:47-26.9(c)"),
        ("nj-triple-attack", "19:47-36.8(c)"),
    ] {
        let choices = table(preset, &[]);
        assert_eq!(
            taken(&choices, 10, &[(dealt("6c 5d 9h"), DOUBLED)]),
            (vec![10, 0], vec![clause]),
            "{preset}"
        );
    }
}

/// Proves 19:47-2.11(d), 19:47-2A.11(d), MA-BJS 11(d), 19:47-26.10(d), 19:47-36.9(d).
#[test]
fn split_hands_lose_one_original_wager_together() {
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.11(d)"),
        ("nj-six-to-five", "19:47-2.11(d)"),
        ("nj-switch", "19:47-2A.11(d)"),
        ("ma-switch", "MA-BJS 11(d)"),
        ("nj-double-attack", "19:47-26.10(d)"),
        ("nj-triple-attack", "19:47-36.9(d)"),
    ] {
        let choices = table(preset, &[]);
        let hands = [(split("8c 9d"), MAIN), (split("8d 3h"), SPLIT), (split("8h Kc"), SPLIT)];
        assert_eq!(taken(&choices, 10, &hands), (vec![10, 0, 0], vec![clause; 2]), "{preset}");
    }
}

#[test]
fn doubled_and_split_hands_that_busted() {
    let hands =
        [(split("8c 3d Kh 5s"), DOUBLED), (split("8d 9h"), SPLIT), (split("8h 2h 9d 7s"), SPLIT_DOUBLED)];
    // original-only: one original for all; busted-too: a busted hand loses everything on it; the first was the
    // original, so the survivor loses nothing more
    for preset in ["nj-blackjack", "nj-switch", "ma-switch"] {
        let literal = table(preset, &[]);
        assert_eq!(taken(&literal, 10, &hands).0, [10, 0, 0, 0, 0], "{preset}");
        let other = table(preset, &["rulings.busted_v_dealer_blackjack=busted-too"]);
        assert_eq!(taken(&other, 10, &hands).0, [10, 10, 0, 10, 10], "{preset}");
        for stake in [Stake::Split, Stake::Double] {
            assert!(
                bust_waits(&literal, &split("8c 9d Th"), stake)
                    && !bust_waits(&other, &split("8c 9d Th"), stake)
            );
        }
        assert!(!bust_waits(&literal, &split("8c 9d Th"), Stake::Main));
    }
}

/// At 6 to 5 and in multiple action a busted hand is collected at once and nothing waits (2.6A(e)3, 2.18(f)#2, Q2); the
/// amount collected equals the original bet, so that no other hand loses anything.
/// Proves 19:47-2.11(d).
#[test]
fn busted_hands_are_collected_at_once_at_six_to_five_and_in_multiple_action() {
    for preset in ["nj-six-to-five", "nj-multiple-action"] {
        let choices = table(preset, &[]);
        let hands = [(split("8c 3d Kh 5s"), DOUBLED), (split("8d 9h"), SPLIT)];
        assert_eq!(taken(&choices, 10, &hands), (vec![10, 10, 0], vec!["19:47-2.11(d)"]), "{preset}");
        // the second hand busts and the first, which holds the original bet, stands
        let hands = [(split("8d 9h"), MAIN), (split("8c 3d Kh 5s"), SPLIT)];
        assert_eq!(taken(&choices, 10, &hands), (vec![0, 10], vec!["19:47-2.11(d)"]), "{preset}");
        // two of four hands bust, one of them doubled: what was collected stays collected
        let hands = [
            (split("8s 9d"), DOUBLED),
            (split("8c 6d Kh"), SPLIT),
            (split("8d 3d Kh 5s"), SPLIT_DOUBLED),
            (split("8h 9h"), SPLIT),
        ];
        let expected = (vec![0, 0, 10, 10, 10, 0], vec!["19:47-2.11(d)", "19:47-2.10(b)", "19:47-2.11(d)"]);
        assert_eq!(taken(&choices, 10, &hands), expected, "{preset}");
        assert!(Stake::ALL.into_iter().all(|stake| !bust_waits(&choices, &split("8c 9d Th"), stake)));
    }
}

/// A1, A2 of Switch: a split ace and ten-value card pushes by the literal text and leaves the original to another hand.
#[test]
fn two_card_21_in_switch() {
    let hands = [(split("As Kd"), MAIN), (split("Ad 5h"), SPLIT)];
    for preset in ["nj-switch", "ma-switch"] {
        let literal = table(preset, &[]);
        assert_eq!(taken(&literal, 10, &hands).0, [0, 10]);
        let other = table(preset, &["rulings.two_card_21_v_dealer_blackjack=lose"]);
        assert_eq!(taken(&other, 10, &hands).0, [10, 0]);
        assert_eq!(against(&literal, 10, &[(switched("As Kd"), MAIN)])[0].verdict.outcome, Outcome::Push);
    }
}

const ATTACKED: &[Money] = &[(Stake::Main, 10), (Stake::Attack, 10), (Stake::Double, 20)];

/// Proves 19:47-26.5(b)#3, 19:47-26.5(b)#4.
#[test]
fn double_attack_loses_the_initial_wager_only() {
    let choices = table("nj-double-attack", &[]);
    let (amounts, returned) = taken(&choices, 10, &[(dealt("6c 5d 9h"), ATTACKED)]);
    assert_eq!(amounts, [10, 0, 0]);
    assert_eq!(returned, ["19:47-26.5(b)#4", "19:47-26.9(c)"]);
    // A8, A9: after a split, one initial bet for the whole box, whose second hand holds both bets as its split money
    let hands = [
        (split("8c 9d"), &[(Stake::Main, 10), (Stake::Attack, 10)][..]),
        (split("8d 3h"), &[(Stake::Split, 20)]),
    ];
    assert_eq!(taken(&choices, 10, &hands).0, [10, 0, 0]);
}

#[test]
fn double_attack_hands_that_busted() {
    let busted = [(dealt("6c 5d 2h 9s"), ATTACKED)];
    let literal = table("nj-double-attack", &[]);
    assert_eq!(taken(&literal, 10, &busted).0, [10, 0, 0]);
    let other = table("nj-double-attack", &["rulings.busted_v_dealer_blackjack=busted-too"]);
    assert_eq!(taken(&other, 10, &busted).0, [10, 10, 20]);
    for stake in [Stake::Attack, Stake::Split, Stake::Double] {
        assert!(
            bust_waits(&literal, &split("8c 9d Th"), stake) && !bust_waits(&other, &split("8c 9d Th"), stake)
        );
    }
}

const ALL_ATTACKS: &[Money] =
    &[(Stake::Main, 10), (Stake::SecondAttack, 10), (Stake::ThirdAttack, 5), (Stake::Double, 25)];

/// A8: nothing voids the second and third attack bets; A9: a winning hand is paid, the loser pays one original.
#[test]
fn triple_attack_loses_every_attack_wager() {
    let choices = table("nj-triple-attack", &[]);
    assert_eq!(taken(&choices, 25, &[(dealt("6c 5d 9h"), ALL_ATTACKS)]).0, [10, 10, 5, 0]);
    let hands = [(split("8c 9d"), &ALL_ATTACKS[..3]), (split("8d 3h"), &[(Stake::Split, 25)][..])];
    assert_eq!(taken(&choices, 25, &hands).0, [10, 10, 5, 0]);
    let first_wins = [(split("8c 9d 4h"), &ALL_ATTACKS[..3]), (split("8d 3h"), &[(Stake::Split, 25)][..])];
    assert_eq!(taken(&choices, 25, &first_wins).0, [0, 0, 0, 25]);
}

/// A2: a busted hand's attack bets were collected at once (36.5(e.2)) and stay lost, but they are the one original.
#[test]
fn triple_attack_hands_that_busted() {
    let choices = table("nj-triple-attack", &[]);
    let hands: [(Hand, &[Money]); 2] =
        [(split("8c 9d Th"), &[(Stake::Main, 25)]), (split("8d 3h"), &[(Stake::Split, 25)])];
    assert_eq!(taken(&choices, 25, &hands), (vec![25, 0], vec!["19:47-36.9(d)"]));
    for stake in [Stake::Main, Stake::SecondAttack, Stake::ThirdAttack] {
        assert!(!bust_waits(&choices, &split("8c 9d Th"), stake));
    }
    assert!(bust_waits(&choices, &split("8c 9d Th"), Stake::Double));
    let too = table("nj-triple-attack", &["rulings.busted_v_dealer_blackjack=busted-too"]);
    assert_eq!(taken(&too, 25, &hands), (vec![25, 0], vec!["19:47-36.9(d)"]));
    // the second hand busts: its splitting money goes back, or was lost in addition to the original bet
    let hands: [(Hand, &[Money]); 2] =
        [(split("8d 3h"), &[(Stake::Main, 25)]), (split("8c 9d Th"), &[(Stake::Split, 25)])];
    assert_eq!(taken(&choices, 25, &hands).0, [25, 0]);
    assert_eq!(taken(&too, 25, &hands).0, [25, 25]);
}

/// A dead hand's bets were returned, so another hand loses the amount of the original bet: 2.15(i) and counterparts.
/// Proves 19:47-2.11(d), 19:47-2A.11(d), MA-BJS 11(d), 19:47-26.10(d), 19:47-36.9(d).
#[test]
fn a_dead_hand_leaves_the_original_wager_to_the_others() {
    let ten = Cents::dollars(10);
    for preset in
        ["nj-blackjack", "nj-six-to-five", "nj-switch", "ma-switch", "nj-double-attack", "nj-triple-attack"]
    {
        let choices = table(preset, &[]);
        let dead =
            SplitHand { end: HandEnd::Dead, ..SplitHand::played(split("8c 2d"), &[(Stake::Main, ten)]) };
        for cards in ["8d 9h", "8d 9h Ks"] {
            let other = |kind| SplitHand::played(split(cards), &[(kind, ten)]);
            let hands = [dead, other(Stake::Split), other(Stake::Split)];
            let collected = against_blackjack(&choices, &dealt("Kd As"), ten, &hands);
            let taken: Vec<Cents> =
                collected.iter().map(|all| all.iter().map(|one| one.taken).sum()).collect();
            // at 6 to 5 both were collected when they busted
            let both = preset == "nj-six-to-five" && cards == "8d 9h Ks";
            assert_eq!(taken, [Cents::ZERO, ten, if both { ten } else { Cents::ZERO }], "{preset} {cards}");
        }
    }
}

/// A face-down bust was not collected when it happened, so the doubling money goes back: 2.10(c).
/// Proves 19:47-2.10(b).
#[test]
fn a_bust_that_nobody_saw_was_not_collected() {
    let ten = Cents::dollars(10);
    for preset in ["nj-six-to-five", "nj-multiple-action"] {
        let choices = table(preset, &["double_card=down"]);
        let doubled = [(Stake::Main, ten), (Stake::Double, ten)];
        for (unseen, expected) in [(true, [ten, Cents::ZERO]), (false, [ten, ten])] {
            let held = SplitHand { unseen, ..SplitHand::played(dealt("8c 8h Ks"), &doubled) };
            let all = against_blackjack(&choices, &dealt("Kd As"), ten, &[held]).swap_remove(0);
            let [main, double] = [Stake::Main, Stake::Double].map(|stake| all[stake as usize]);
            assert_eq!([main.taken, double.taken], expected, "{preset}");
            assert_eq!(double.verdict.by.id() == "19:47-2.10(b)", unseen, "{preset}");
        }
    }
}

/// Where busted hands are settled at the end, a face-down double card changes nothing under either ruling (Q2).
/// Proves 19:47-2.10(b), 19:47-2.10(c).
#[test]
fn a_bust_that_nobody_saw_is_settled_like_one_that_was_seen() {
    let ten = Cents::dollars(10);
    for (ruling, expected) in [("original-only", [ten, Cents::ZERO]), ("busted-too", [ten, ten])] {
        let ruling = format!("rulings.busted_v_dealer_blackjack={ruling}");
        let choices = table("nj-blackjack", &["double_card=down", &ruling]);
        for unseen in [true, false] {
            let held = SplitHand {
                unseen,
                ..SplitHand::played(dealt("8c 8h Ks"), &[(Stake::Main, ten), (Stake::Double, ten)])
            };
            let all = against_blackjack(&choices, &dealt("Td As"), ten, &[held]).swap_remove(0);
            let taken = [Stake::Main, Stake::Double].map(|stake| all[stake as usize].taken);
            assert_eq!(taken, expected, "{ruling}, unseen: {unseen}");
        }
    }
}

#[test]
fn what_is_left_of_the_original_wager() {
    assert_eq!([0, 4, 10, 25].map(|collected| original_left(10, collected)), [10, 6, 0, 0]);
}

/// Both readings of 36.9(d): one original if any hand loses, or each hand its share; cents that cannot be shared
/// equally go to the first hands. Proves 19:47-36.9(d).
#[test]
fn split_hands_of_triple_attack_lose_one_original_or_each_its_share() {
    let shares = "rulings.split_hands_v_dealer_blackjack=each-its-share";
    let attacked: &[Money] = &[(Stake::Main, 10), (Stake::SecondAttack, 10), (Stake::ThirdAttack, 5)];
    let two = [(split("8c 9d"), attacked), (split("8d Th"), &[(Stake::Split, 25)][..])];
    let one_wins = [(split("8c 9d"), attacked), (split("8d 3h Th"), &[(Stake::Split, 25)][..])];
    let cents = |table: &Choices, hands: &[(Hand, &[Money])]| -> Vec<i64> {
        against(table, 25, hands).iter().map(|collected| collected.taken.0).collect()
    };
    let (one, each) = (table("nj-triple-attack", &[]), table("nj-triple-attack", &[shares]));
    assert_eq!(cents(&one, &two), [1000, 1000, 500, 0]);
    assert_eq!(cents(&one, &one_wins), [1000, 1000, 500, 0]);
    assert_eq!(cents(&each, &two), [1000, 250, 0, 1250]);
    assert_eq!(cents(&each, &one_wins), [1000, 250, 0, 0]);
    let split_hand: &[Money] = &[(Stake::Split, 25)];
    let three = [(split("8c 9d"), attacked), (split("8d Th"), split_hand), (split("8h Jh"), split_hand)];
    assert_eq!(cents(&each, &three), [834, 0, 0, 833, 833]);
    // no other text can be read this way
    let other = table("nj-double-attack", &[shares]);
    let halves = [(split("8c 9d"), MAIN), (split("8d Th"), SPLIT)];
    assert_eq!(taken(&other, 10, &halves).0, [10, 0]);
}
