//! Tests whole tables: published figures, the direction of every option, reports and charts.

use crate::dealer::DealerTree;
use crate::edge::{edge, effects, insurance};
use crate::ev::{Question, ev};
use crate::game::{Strategy, figures, value};
use crate::judge::{Judge, Measure};
use crate::play::AfterSplit;
use crate::result::At22;
use crate::round::Solved;
use crate::seen::Seen;
use crate::solve::Solver;
use crate::strategy::strategy;
use crate::table::Attacked;
use crate::tests::plain::Plain;
use rules::card::parse_cards;
use rules::preset::{PRESETS, preset};
use rules::{Choices, DoubleCard, HoleCard, Offered, Rules, Soft17};

fn table(name: &str) -> Choices {
    preset(name).expect("a preset")
}

fn best(choices: &Choices) -> f64 {
    value(choices, &Strategy::CompositionDependent)
}

fn plain(judge: &Plain, decks: u16) -> f64 {
    let dealer = DealerTree::<f64, 10>::new(Seen::UpCard, At22::Over, |c| judge.dealer_stands(c));
    let mut shoe = [4 * decks; 10];
    shoe[9] = 16 * decks;
    let solver = Solver::new(judge, &dealer, shoe, &[0; 10]);
    Solved::best(&solver, &dealer, AfterSplit::AsDealt).round(Measure::Net).iter().sum()
}

/// Checks common tables of casino blackjack, to the hundredth of a percent that is usually printed.
#[test]
fn published_house_edges() {
    let s17 = Plain::default();
    let h17 = Plain { hit_soft_17: true, ..Plain::default() };
    for (judge, decks, percent) in
        [(&s17, 8, 0.43), (&s17, 6, 0.40), (&s17, 1, -0.18), (&h17, 8, 0.65), (&h17, 6, 0.62)]
    {
        let edge = -100.0 * plain(judge, decks);
        assert!((edge - percent).abs() < 0.01, "{decks} decks: {edge}");
    }
}

/// A doubled hand that busts face down before a dealer's blackjack costs one bet less (2.10(b), (c)).
///
/// The hand is ten and six against a ten. Of the three bets of multiple action, only the first costs less
/// (2.18(f)).
#[test]
fn a_double_that_busts_face_down_keeps_its_money_before_a_blackjack() {
    let (hand, up) = (parse_cards("Tc 6d").unwrap(), parse_cards("Ts").unwrap());
    let question = Question { hand: &hand, other: &[], up: &up, removed: &[], attacked: Attacked::No };
    for (name, wagers) in
        [("nj-six-to-five", 1.0), ("nj-multiple-action", 3.0), ("nj-blackjack", f64::INFINITY)]
    {
        let doubled = |card| {
            let choices = Choices { double_card: card, ..table(name) };
            let answer = ev(&choices, &question).unwrap();
            answer.actions.iter().find(|option| option.action == "double").unwrap().ev
        };
        let decks = f64::from(table(name).decks);
        // sixes to tens bust, an ace gives the dealer a blackjack
        let (left, busting, aces) = (52.0 * decks - 3.0, 32.0 * decks - 3.0, 4.0 * decks);
        let both = busting / left * aces / (left - 1.0);
        let gained = doubled(DoubleCard::Down) - doubled(DoubleCard::Up);
        assert!((gained - both / wagers).abs() < 1e-12, "{name}: {gained} {both}");
        // the best play doubles nothing that can bust
        let edge = |card| best(&Choices { double_card: card, ..table(name) });
        assert_eq!(edge(DoubleCard::Down), edge(DoubleCard::Up), "{name}");
        // our charts never request a face-down card
        assert_eq!(doubled(DoubleCard::OnRequest), doubled(DoubleCard::Up), "{name}");
    }
}

/// Tests both readings of what a dealer's blackjack takes in Triple Attack without a hole-card reader.
///
/// The clauses are 36.9(d) and 36.5(e.2).
#[test]
fn readings_of_triple_attack() {
    let read = |key: &str, word: &str| {
        let mut choices = table("nj-triple-attack");
        choices.rulings.set(key, word).expect("a reading");
        -100.0 * best(&choices)
    };
    let literal = -100.0 * best(&table("nj-triple-attack"));
    let shares = read("split_hands_v_dealer_blackjack", "each-its-share");
    let busted = read("busted_v_dealer_blackjack", "busted-too");
    assert!((literal - 0.2849).abs() < 5e-5, "{literal}");
    // every hand answers for its part, including a busted one
    assert!((shares - 0.2828).abs() < 5e-5, "{shares}");
    assert!((busted - literal - 0.0187).abs() < 5e-5, "{busted}");
    // with a reader, no hand busts or splits before the blackjack is known
    let mut reader = table("nj-triple-attack");
    reader.hole_card = HoleCard::Reader;
    let plain = best(&reader);
    reader.rulings.set("split_hands_v_dealer_blackjack", "each-its-share").expect("a reading");
    reader.rulings.set("busted_v_dealer_blackjack", "busted-too").expect("a reading");
    assert!((best(&reader) - plain).abs() < 1e-15);
}

/// The rulebook, read as casinos play, gives the same numbers as an independent judge.
#[test]
fn the_rulebook_agrees_with_a_plain_judge() {
    for hole_card in [HoleCard::None, HoleCard::Reader] {
        let mut choices = table("nj-blackjack");
        choices.hole_card = hole_card;
        choices.rulings.set("split_two_card_21", "push").expect("a reading");
        let peek = hole_card == HoleCard::Reader;
        let expected = plain(&Plain { peek, ..Plain::default() }, 8);
        assert!((best(&choices) - expected).abs() < 1e-14);
    }
    let mut six_to_five = table("nj-six-to-five");
    six_to_five.rulings.set("split_two_card_21", "push").expect("a reading");
    let judge = Plain {
        hit_soft_17: true,
        natural: (6, 5),
        peek: false,
        busted_too: true,
        hands: six_to_five.split_hands,
        ..Plain::default()
    };
    assert!((best(&six_to_five) - plain(&judge, u16::from(six_to_five.decks))).abs() < 1e-14);
}

/// The cap on the amount that a dealer's blackjack takes (2.11(d)) moves the edges as docs/exact.md tells.
///
/// The earlier reading made the hands that stood lose one original bet besides the busts that were collected.
#[test]
fn the_cap_on_the_amount_moves_the_edge_as_documented() {
    let page = include_str!("../../../../docs/exact.md");
    let six_to_five = Plain { hit_soft_17: true, natural: (6, 5), ..Plain::default() };
    for (label, name, earlier) in [
        ("`nj-six-to-five`, 2 decks, no reader", "nj-six-to-five", six_to_five),
        ("`nj-multiple-action`", "nj-multiple-action", Plain::default()),
        ("`nj-blackjack`, ruling `busted-too`", "nj-blackjack", Plain::default()),
    ] {
        let mut choices = table(name);
        choices.rulings.set("busted_v_dealer_blackjack", "busted-too").expect("a reading");
        let earlier = Plain {
            peek: false,
            busted_too: true,
            beside: true,
            split_21_wins: true,
            hands: choices.split_hands,
            ..earlier
        };
        let before = -100.0 * plain(&earlier, u16::from(choices.decks));
        let now = -100.0 * best(&choices);
        let row = format!("\n| {label} | {before:.4} | {now:.4} | {:.4} |\n", now - before);
        assert!(page.contains(&row), "{row}");
    }
}

/// Pins the edges of the presets, because any change here is a change of the games.
#[test]
fn presets() {
    for (name, house_edge) in [
        ("nj-blackjack", 0.004_045_515_188),
        ("nj-blackjack-reader", 0.004_045_515_188),
        ("nj-blackjack-face-up", 0.006_336_010_101),
        ("nj-six-to-five", 0.017_740_528_126),
        ("nj-multiple-action", 0.004_611_958_545),
        ("nj-double-attack", 0.004_804_640_458),
        ("nj-triple-attack", 0.002_849_103_961),
    ] {
        let edge = -best(&table(name));
        assert!((edge - house_edge).abs() < 1e-11, "{name}: {edge:.12}");
    }
}

/// The published edge of Double Attack, 0.62 %, holds without resplits and with surrender of two cards only.
///
/// With both rights it has the figure of the rulebook.
#[test]
fn published_double_attack() {
    let rulebook =
        Plain { natural: (1, 1), double_cards: u8::MAX, any_time: true, peek: false, ..Plain::default() };
    let printed = Plain { any_time: false, surrender: true, hands: 2, ..rulebook.clone() };
    for (judge, percent) in [(&rulebook, 0.480_464), (&printed, 0.62)] {
        let dealer = DealerTree::<f64, 10>::new(Seen::UpCard, At22::Over, |c| judge.dealer_stands(c));
        let mut shoe = [4 * 8; 10];
        shoe[9] = 12 * 8;
        let solver = Solver::new(judge, &dealer, shoe, &[0; 10]);
        let by_up_card = Solved::best(&solver, &dealer, AfterSplit::AsDealt).round(Measure::Net);
        let edge = -100.0 * by_up_card.iter().map(|&value| value + value.max(0.0)).sum::<f64>();
        assert!((edge - percent).abs() < 0.002, "{edge}");
    }
}

/// The published edge of Blackjack Switch is 0.58 % for eight decks with a peek and up to four hands of a split.
#[test]
fn switch() {
    let peeked = |decks, split_hands| Choices {
        hole_card: HoleCard::Reader,
        decks,
        split_hands,
        ..table("nj-switch")
    };
    for (choices, house_edge) in [
        (peeked(6, 2), 0.005_651_539_039),
        (peeked(8, 4), 0.005_851_829_381),
        (table("nj-switch"), 0.004_283_583_517),
    ] {
        let edge = -best(&choices);
        assert!((edge - house_edge).abs() < 1e-11, "{edge:.12}");
    }
}

/// An option that helps the player lowers the house edge, and one that hurts raises it.
#[test]
fn long_every_option_moves_the_edge_as_it_must() {
    let less = |name: &str, key: &str, value: &str| -> bool {
        match (key, value) {
            ("decks", d) => d.parse::<u8>().expect("a number") < table(name).decks,
            ("split_hands", n) => n.parse::<u8>().expect("a number") > table(name).split_hands,
            ("soft_17", v) => v == "stand",
            ("surrender" | "resplit_aces" | "double_after_split" | "even_money", v) => v == "true",
            ("bonus_payouts", _) => true,
            ("rulings.face_up_soft_doubles" | "rulings.split_ace_double", _) => true,
            ("rulings.split_hands_v_dealer_blackjack", v) => v == "each-its-share",
            // In Triple Attack, a reader ends the round before a hand can win against the blackjack.
            ("hole_card", v) => {
                name != "nj-triple-attack" && (name == "nj-blackjack-face-up" || v == "reader")
            }
            _ => false,
        }
    };
    for name in
        ["nj-blackjack", "nj-blackjack-face-up", "nj-six-to-five", "nj-double-attack", "nj-triple-attack"]
    {
        let rules = Rules::new(table(name)).expect("a legal preset");
        let found = effects(&rules, &Strategy::CompositionDependent);
        assert!(found.len() >= 3, "{name}");
        for effect in found {
            let falls = less(name, &effect.key, &effect.value);
            assert_eq!(
                effect.change < 0.0,
                falls,
                "{name} {} {} {}",
                effect.key,
                effect.value,
                effect.change
            );
        }
    }
}

/// A strategy with more freedom is never worth less.
#[test]
fn better_strategies_are_worth_more() {
    for name in ["nj-blackjack", "nj-six-to-five", "nj-double-attack"] {
        let choices = table(name);
        let worth = |strategy| value(&choices, &strategy);
        let dealt = worth(Strategy::CompositionDependent);
        assert!(worth(Strategy::TotalDependent) < dealt, "{name}");
        assert!(worth(Strategy::AfterFirstSplit) >= dealt - 1e-12, "{name}");
        assert!(worth(Strategy::AfterPairsSeen) >= worth(Strategy::AfterFirstSplit) - 1e-12, "{name}");
    }
}

#[test]
fn insurance_is_never_worth_taking_from_a_full_shoe() {
    for (name, _) in PRESETS {
        for decks in 1..=8 {
            let choices = Choices { decks, ..table(name) };
            if let Some(insurance) = insurance(&choices) {
                assert!(insurance.house_edge > 0.0 && !insurance.is_ever_taken(), "{name} {decks}");
            }
        }
    }
}

/// At 6 to 5, even money on a blackjack against an ace is better; at 3 to 2 it is not.
#[test]
fn even_money() {
    for (name, helps) in [("nj-six-to-five", true), ("nj-blackjack", false)] {
        let with = best(&Choices { even_money: Offered::Yes, ..table(name) });
        assert_eq!(with > best(&table(name)), helps, "{name}");
    }
}

#[test]
fn reports_add_up() {
    for name in [
        "nj-blackjack",
        "nj-blackjack-reader",
        "nj-blackjack-face-up",
        "nj-double-attack",
        "nj-triple-attack",
    ] {
        let rules = Rules::new(table(name)).expect("a legal preset");
        let report = edge(&rules, &Strategy::CompositionDependent);
        assert!((report.ev - best(rules.choices())).abs() < 1e-13, "{name}");
        let of = |what: &str| report.outcomes.iter().find(|(name, _)| *name == what).map_or(0.0, |(_, x)| *x);
        let hands = of("won") + of("pushed") + of("lost") + of("surrendered");
        assert!((1.0..1.1).contains(&hands), "{name}: {hands} hands");
        assert!(report.std_dev > 1.0 && report.std_dev < 2.2, "{name}: {}", report.std_dev);
        assert!(report.staked > 1.0 && report.element_of_risk < report.house_edge, "{name}");
    }
    // The usual standard deviation of a blackjack hand with doubles and splits.
    let usual = figures(&table("nj-blackjack"), &Strategy::CompositionDependent).variance.sqrt();
    assert!((usual - 1.155).abs() < 0.005, "{usual}");
}

/// The value and the spread do not depend on when a dealer's blackjack is discovered.
///
/// Only the original bet is lost to a blackjack.
#[test]
fn the_spread_is_the_same_with_and_without_a_reader() {
    let of = |name| figures(&table(name), &Strategy::CompositionDependent);
    let (without, with) = (of("nj-blackjack"), of("nj-blackjack-reader"));
    assert!((without.ev - with.ev).abs() < 1e-12, "{} {}", without.ev, with.ev);
    assert!((without.variance - with.variance).abs() < 1e-6, "{} {}", without.variance, with.variance);
}

fn ask(choices: Choices, hand: &str, other: &str, up: &str, removed: &str) -> crate::ev::Answer {
    let cards = |text| parse_cards(text).expect("cards");
    let (hand, other, up, removed) = (cards(hand), cards(other), cards(up), cards(removed));
    let rules = Rules::new(choices).expect("a legal table");
    let question =
        Question { hand: &hand, other: &other, up: &up, removed: &removed, attacked: Attacked::No };
    ev(&rules, &question).expect("an answer")
}

#[test]
fn decisions() {
    let first = |answer: &crate::ev::Answer| answer.actions[0].action;
    let sixteen = ask(table("nj-blackjack"), "Ts 6d", "", "Kh", "");
    assert_eq!(first(&sixteen), "hit");
    let rich = ask(table("nj-blackjack"), "Ts 6d", "", "Kh", "4s 5s 5d 5c 4d 4c");
    assert_eq!(first(&rich), "stand");
    let surrender = Choices { surrender: Offered::Yes, ..table("nj-blackjack") };
    assert_eq!(first(&ask(surrender, "Ts 6d", "", "Kh", "")), "surrender");
    assert_eq!(first(&ask(table("nj-blackjack"), "8s 8d", "", "Kh", "")), "split");
    assert_eq!(first(&ask(table("nj-blackjack-face-up"), "9s 2d", "", "6h Kc", "")), "double");
    let switch = ask(table("nj-switch"), "Ts 5d", "6s Td", "6h", "");
    assert_eq!((switch.switch[0].action, switch.switch.len()), ("switch", 2));
    assert_eq!(ask(table("nj-double-attack"), "", "", "6h", "").attack[0].action, "attack");
    assert_eq!(ask(table("nj-double-attack"), "", "", "Kh", "").attack[0].action, "pass");
    assert_eq!(ask(table("nj-triple-attack"), "As", "", "6h", "").attack[0].action, "attack");
    let insured = ask(table("nj-blackjack"), "Ts 9d", "", "Ah", "2s 2d 2c 3s 3d 3c");
    assert!(insured.insurance.is_some_and(|x| x < 0.0));
}

/// The value of Triple Attack is the average, over the first card, of the better decision on the second attack
/// bet.
#[test]
fn the_second_attack_is_worth_the_whole_game() {
    let choices = table("nj-triple-attack");
    let rules = Rules::new(choices.clone()).expect("legal");
    let mut average = 0.0;
    for card in choices.deck().cards() {
        let question = Question { hand: &[card], other: &[], up: &[], removed: &[], attacked: Attacked::No };
        average +=
            ev(&rules, &question).expect("an answer").attack[0].ev / choices.deck().cards().count() as f64;
    }
    assert!((average - best(&choices)).abs() < 1e-12, "{average}");
    assert_eq!(ask(choices.clone(), "As", "", "", "").attack[0].action, "attack");
    assert_eq!(ask(choices, "6s", "", "", "").attack[0].action, "pass");
}

/// The value of a hand is the average over the next card, whichever function computes it.
#[test]
fn decisions_agree_with_the_whole_game() {
    let answer = ask(table("nj-blackjack-reader"), "Ts 6d", "", "Kh", "");
    let charts =
        strategy(&Rules::new(table("nj-blackjack-reader")).expect("legal"), &Strategy::CompositionDependent);
    let hard = charts.sections.iter().find(|s| s.title == "hard").expect("a chart");
    let row = hard.rows.iter().find(|r| r.label == "16").expect("a row");
    assert!((row.boxes[9].ev - answer.actions[0].ev).abs() < 0.005);
    assert_eq!(row.boxes[9].action, "H");
}

#[test]
fn impossible_questions_are_refused() {
    let rules = Rules::new(table("nj-double-attack")).expect("legal");
    let cards = |text| parse_cards(text).expect("cards");
    for (hand, up) in [
        ("Ts 6d", "Kh"),
        ("Ks 6d", "Th"),
        ("Ks 6d Kd", "Kh"),
        ("Ks", "Kh"),
        ("Ks 6d", "Kh Qh"),
        ("Ks 6d", ""),
    ] {
        let (hand, up) = (cards(hand), cards(up));
        let question = Question { hand: &hand, other: &[], up: &up, removed: &[], attacked: Attacked::No };
        assert!(ev(&rules, &question).is_err(), "{hand:?} {up:?}");
    }
    let one_deck = Rules::new(Choices { decks: 1, ..table("nj-six-to-five") }).expect("legal");
    let all: Vec<rules::Card> = rules::Deck::FIFTY_TWO.cards().collect();
    for gone in 0..50 {
        let question = Question {
            hand: &all[50..],
            other: &[],
            up: &all[gone..=gone],
            removed: &all[..gone],
            attacked: Attacked::No,
        };
        if let Ok(answer) = ev(&one_deck, &question) {
            assert!(answer.actions.iter().all(|a| a.ev.is_finite()), "{gone} gone");
        }
    }
}

/// A question whose values assume no dealer's blackjack is an error if the blackjack is certain.
#[test]
fn a_certain_blackjack_leaves_nothing_to_decide() {
    let cards = |text| parse_cards(text).expect("cards");
    let face_up = Rules::new(table("nj-blackjack-face-up")).expect("legal");
    let hand = cards("Ks 3h");
    for (up, by) in [("Ad Ks", true), ("Th Ac", true), ("Ad 9s", false), ("Ts Kd", false)] {
        let up = cards(up);
        let question = Question { hand: &hand, other: &[], up: &up, removed: &[], attacked: Attacked::No };
        match ev(&face_up, &question) {
            Ok(answer) => assert!(!by && answer.actions.iter().all(|a| a.ev.abs() <= 2.0), "{up:?}"),
            Err(refused) => assert!(by && refused.to_string().contains("19:47-2.6(k)6"), "{refused}"),
        }
    }
    // only ten-value cards are left, so the reader would have shown the blackjack
    let reader = Rules::new(table("nj-blackjack-reader")).expect("legal");
    let small = rules::Deck::FIFTY_TWO.cards().filter(|card| !card.is_ten_value());
    let mut gone: Vec<rules::Card> = small.flat_map(|card| [card; 8]).collect();
    for taken in cards("3h As") {
        gone.remove(gone.iter().position(|card| *card == taken).expect("one of eight"));
    }
    let (hand, up) = (cards("Ks 3h"), cards("As"));
    let question = Question { hand: &hand, other: &[], up: &up, removed: &gone, attacked: Attacked::No };
    assert!(ev(&reader, &question).is_err());
}

#[test]
fn charts_have_every_form() {
    for name in ["nj-blackjack", "nj-triple-attack", "nj-double-attack"] {
        let rules = Rules::new(table(name)).expect("legal");
        let charts = strategy(&rules, &Strategy::CompositionDependent);
        assert!(charts.to_text().contains("pairs"));
        assert!(charts.to_html().ends_with("</html>\n"));
        assert!(charts.to_svg().starts_with("<svg"));
        assert!(charts.to_json().contains("\"chart\":\"soft\""));
        assert_eq!(charts.sections.len() > 3, name != "nj-blackjack", "{name}");
    }
}

/// The same question gives the same result twice, bit for bit.
#[test]
fn results_repeat() {
    let choices = Choices { soft_17: Soft17::Hit, ..table("nj-blackjack") };
    assert_eq!(best(&choices).to_bits(), best(&choices).to_bits());
}

/// Returns the cards of a chart row that holds only one hand, or `None` for other rows.
///
/// Such rows are pairs, soft totals and the lowest totals of three cards.
fn only_cards<'c>(title: &str, label: &'c str) -> Option<&'c str> {
    match (title, label) {
        ("soft", "AA") => None,
        ("soft" | "pairs", cards) => Some(cards),
        ("soft, 3 cards", "A2") => Some("AAA"),
        ("soft, 3 cards", "A3") => Some("AA2"),
        ("hard, 3 cards", "6") => Some("222"),
        ("hard, 3 cards", "7") => Some("223"),
        _ => None,
    }
}

/// Checks that each letter of a cell is the best of the actions that are left. Returns the number of letters.
fn check_letters(cell: &str, mut left: Vec<(char, f64)>, slack: f64, what: &str) -> usize {
    for (nth, choice) in cell.to_ascii_uppercase().chars().enumerate() {
        let best = left.iter().map(|(_, ev)| *ev).fold(f64::MIN, f64::max);
        let value = left.iter().find(|(letter, _)| *letter == choice).map(|(_, ev)| *ev);
        let value =
            value.unwrap_or_else(|| panic!("{what}: {cell} has an action that is not allowed: {left:?}"));
        assert!(value >= best - slack, "{what}: {cell} {left:?}");
        left.retain(|(letter, _)| *letter != choice);
        // letters after a hit are for split aces, which may not draw
        if matches!(choice, 'H' | 'S' | 'P') {
            return nth + 1;
        }
    }
    cell.len()
}

/// Every letter of a cell is the best action that the letters before it leave, according to `ev`.
///
/// Only rows with a single composition are tested.
#[test]
fn second_choices_are_the_best_that_are_left() {
    // a king stands for all ten-value cards, since the attack games have no tens
    let card = |(letter, suit): (char, char)| {
        let letter = if letter == 'T' { 'K' } else { letter };
        format!("{letter}{suit}").parse::<rules::Card>().unwrap()
    };
    let letter = |action: &str| match action {
        "stand" => 'S',
        "hit" => 'H',
        "double" => 'D',
        "split" => 'P',
        "surrender" => 'R',
        other => panic!("{other} has no letter"),
    };
    let (by_cards, by_totals) = (Strategy::CompositionDependent, Strategy::TotalDependent);
    for (name, sets, plays) in [
        ("nj-blackjack", &["surrender=true", "soft_17=hit"][..], &[&by_cards, &by_totals][..]),
        ("nj-blackjack-reader", &["surrender=true", "decks=2"], &[&by_cards, &by_totals]),
        ("nj-multiple-action", &[], &[&by_totals]),
        ("nj-switch", &[], &[&by_totals]),
        ("nj-double-attack", &[], &[&by_cards, &by_totals]),
        ("nj-triple-attack", &[], &[&by_totals]),
    ] {
        let mut choices = table(name);
        sets.iter().for_each(|set| rules::file::set(&mut choices, set).unwrap());
        let (mut second, mut of_three) = (0, 0);
        for play in plays {
            let charts = strategy(&choices, play);
            // a total-dependent chart averages over all its hands, of which this is one
            let slack = if **play == by_totals { 0.02 } else { 1e-9 };
            let rows = charts.sections.iter().flat_map(|s| s.rows.iter().map(move |row| (&s.title, row)));
            for (title, row) in rows {
                let Some(cards) = only_cards(title, &row.label) else { continue };
                let hand: Vec<rules::Card> = cards.chars().zip(['s', 'h', 'c']).map(card).collect();
                for (at, up) in charts.columns.iter().enumerate() {
                    let cell = &row.boxes[at].action;
                    if hand.len() == 2 && cell.len() < 2 {
                        continue;
                    }
                    let up = [card((up.chars().next().unwrap(), 'd'))];
                    let attacked = match &charts.sections.iter().find(|s| s.title == "attack") {
                        Some(attack) if attack.rows[0].boxes[at].action == "yes" => Attacked::Yes,
                        _ => Attacked::No,
                    };
                    let question = Question { hand: &hand, other: &[], up: &up, removed: &[], attacked };
                    let answer = ev(&choices, &question).unwrap();
                    let left = answer.actions.iter().map(|a| (letter(a.action), a.ev)).collect();
                    let what = format!("{name} {title} {} v {up:?}", row.label);
                    second += check_letters(cell, left, slack, &what) - 1;
                    of_three += usize::from(hand.len() == 3);
                }
            }
        }
        assert!(second > 4, "{name}: {second}");
        // only the attack games have rows for three cards
        assert_eq!(of_three > 9, name.ends_with("attack"), "{name}: {of_three}");
        if name == "nj-blackjack" {
            for play in plays {
                let charts = strategy(&choices, play);
                let pairs = charts.sections.iter().find(|section| section.title == "pairs").unwrap();
                let eights = pairs.rows.iter().find(|row| row.label == "88").unwrap();
                let ace = charts.columns.iter().position(|column| column == "A").unwrap();
                assert_eq!(eights.boxes[ace].action, "Rp");
            }
        }
    }
}
