//! Table files from outside: mangled by the thousand, and written and parsed again.

use crate::table;
use proptest::prelude::*;
use proptest::sample::select;
use rules::choice::*;
use rules::file::{self, FileError};
use rules::ruling::RULINGS;
use rules::text::{self, TEXTS};
use rules::wager::SideWager;
use rules::{Card, Cents, Choices, Rules, lawful, preset};

/// The number of files for each of three ways of mangling: more than the ten thousand that the parser must survive.
const FILES: u32 = 4_000;

/// Fragments of table files, and fragments that are not.
const SCRAPS: [&str; 40] = [
    "decks",
    "=",
    "6",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "\n",
    ".",
    ",",
    "'''",
    "\"\"\"",
    "side_wagers",
    "rulings",
    "true",
    "-1",
    "1e999",
    "99999999999999999999",
    "0x10",
    "inf",
    "nan",
    "\\u0000",
    "\u{0}",
    "é",
    "🂡",
    "#",
    "match",
    "awards",
    "bonus_payouts",
    "[\"blackjack:As\"]",
    "1979-05-27",
    "multiple_action",
    "side_wagers.match.minimum = ",
    "game = \"switch\"",
    "[[side_wagers]]",
    "= = =",
    "\t",
    "\r\n",
    "name = \"\\\"\"",
];

/// Parses a file; the result must be a clear error, or a table that is legal, or illegal with reasons.
fn read(text: &str) {
    match file::parse(text) {
        Err(error) => clear(&error, text.lines().count()),
        Ok(choices) => {
            judged(choices.clone());
            assert_eq!(file::parse(&file::show(&choices)), Ok(choices), "{text}");
        }
    }
}

/// Checks that an error says where, and what would be right, in one line.
fn clear(error: &FileError, lines: usize) {
    let said = error.to_string();
    assert!(!error.message.is_empty() && !error.message.ends_with(['.', '\n', ' ']), "{said}");
    assert!(said.chars().count() < 2_000, "{said}");
    let line = error.line.unwrap_or(1);
    assert!((1..=lines + 1).contains(&line), "line {line} of {lines}");
}

fn judged(choices: Choices) {
    let report = lawful::check(&choices);
    for finding in report.violations.iter().chain(&report.warnings) {
        assert!(!finding.message.is_empty() && !finding.keys.is_empty(), "{finding:?}");
    }
    assert_eq!(Rules::new(choices).is_ok(), report.is_lawful());
}

fn presets() -> impl Strategy<Value = String> {
    select(preset::PRESETS.to_vec()).prop_map(|(name, _)| file::show(&table(name, &[])))
}

/// Returns a change at a position: characters removed, and a fragment inserted.
fn damage() -> impl Strategy<Value = (prop::sample::Index, usize, String)> {
    let scrap = prop_oneof![
        3 => select(SCRAPS.to_vec()).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        1 => "[ -~]{0,12}",
    ];
    (any::<prop::sample::Index>(), 0..12_usize, scrap)
}

fn damaged(text: &str, damages: &[(prop::sample::Index, usize, String)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (place, taken, scrap) in damages {
        let at = place.index(letters.len() + 1);
        let end = (at + taken).min(letters.len());
        letters.splice(at..end, scrap.chars());
    }
    letters.into_iter().collect()
}

/// Returns a value that a person might write for a key.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        (-3..300_i32).prop_map(|n| n.to_string()),
        (0..400_u32).prop_map(|n| format!("{}.{:02}", n / 100, n % 100)),
        (0..100_000_u32).prop_map(|n| format!("\"{}.{:02}\"", n / 100, n % 100)),
        Just("true".to_string()),
        Just("false".to_string()),
        select(words()).prop_map(|word| format!("\"{word}\"")),
        Just("[\"blackjack:As Ks\", \"three-sevens\"]".to_string()),
        Just("{ \"1\" = { \"16\" = 1 } }".to_string()),
        Just("[]".to_string()),
        Just("{}".to_string()),
    ]
}

fn words() -> Vec<&'static str> {
    let mut words = vec!["A", "B", "6-deck", ""];
    words.extend(TEXTS.iter().flat_map(|text| [text.game, text.jurisdiction]));
    words.extend(Variation::WORDS.iter().chain(HoleCard::WORDS));
    words.extend(Soft17::WORDS.iter().chain(Shoe::WORDS).chain(Shuffle::WORDS).chain(DoubleCard::WORDS));
    words.extend(RULINGS.iter().flat_map(|ruling| ruling.readings));
    words
}

/// Returns every key of a table file, dotted.
fn keys() -> Vec<String> {
    let mut keys: Vec<String> = file::KEYS.iter().map(|key| key.name.to_string()).collect();
    keys.push("multiple_action.required".to_string());
    keys.extend(RULINGS.iter().map(|ruling| format!("rulings.{}", ruling.key)));
    for wager in SideWager::WORDS {
        let inner = [
            "",
            ".paytable",
            ".minimum",
            ".maximum",
            ".meter",
            ".seed",
            ".rate",
            ".awards",
            ".cap",
            ".colour",
        ];
        keys.extend(inner.map(|inner| format!("side_wagers.{wager}{inner}")));
    }
    keys
}

proptest! {
    #![proptest_config(ProptestConfig { cases: FILES, failure_persistence: None, ..ProptestConfig::default() })]

    /// Presets with letters lost, doubled and replaced.
    #[test]
    fn damaged_files((text, damages) in (presets(), prop::collection::vec(damage(), 1..6))) {
        read(&damaged(&text, &damages));
    }

    /// Known keys with values of every kind, in any number and order.
    #[test]
    fn any_value_for_any_key(lines in prop::collection::vec((select(keys()), value()), 0..8)) {
        let text: String = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        read(&text);
        let mut choices = table("nj-blackjack", &[]);
        for (key, value) in &lines {
            if let Err(error) = file::set(&mut choices, &format!("{key}={value}")) {
                clear(&error, 1);
            }
        }
        judged(choices);
    }

    /// Arbitrary fragments.
    #[test]
    fn no_table_file_at_all(text in prop::collection::vec(select(SCRAPS.to_vec()), 0..30)) {
        read(&text.concat());
    }

    /// Random choices are written and parsed back unchanged.
    #[test]
    fn what_is_shown_reads_back(choices in any_choices()) {
        let shown = file::show(&choices);
        prop_assert_eq!(file::parse(&shown), Ok(choices), "{}", shown);
    }

    #[test]
    fn any_bytes(text in any::<String>()) {
        read(&text);
        let mut choices = table("nj-switch", &[]);
        if let Err(error) = file::set(&mut choices, &text) {
            assert!(!error.message.is_empty());
        }
    }
}

fn cents() -> impl Strategy<Value = Cents> {
    (0..=1_000_000_000_000_i64).prop_map(Cents)
}

fn offered() -> impl Strategy<Value = Offered> {
    any::<bool>().prop_map(Offered::from)
}

fn one<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    select(all.to_vec())
}

fn bonus_payouts() -> impl Strategy<Value = BonusPayouts> {
    let card = || (0..52_u8).prop_map(|index| Card::from_index(index).expect("a card"));
    let pairs = prop::collection::vec((card(), card()).prop_map(|(a, b)| [a, b]), 0..3);
    (offered(), offered(), offered(), pairs).prop_map(
        |(suited_678, three_sevens, five_card_21, blackjacks)| BonusPayouts {
            suited_678,
            three_sevens,
            five_card_21,
            blackjacks,
        },
    )
}

/// Returns a side bet with every key of its section.
fn side_offer() -> impl Strategy<Value = (SideWager, SideOffer)> {
    let weights = prop::collection::btree_map(cents(), 0..1_000_000_000_u32, 0..4);
    let awards = prop::collection::btree_map(cents(), weights, 0..3);
    let amounts = (cents(), cents(), prop::option::of(cents()), cents(), prop::option::of(cents()));
    (one(SideWager::ALL), prop::option::of(".{0,6}"), amounts, 0..=1_000_000_u32, awards).prop_map(
        |(wager, paytable, (minimum, maximum, meter, seed, cap), rate, awards)| {
            let plain = SideOffer::of(wager);
            let mut offer = SideOffer { paytable, minimum, maximum, ..plain };
            match wager {
                SideWager::Progressive => (offer.meter, offer.seed, offer.rate) = (meter, seed, rate),
                SideWager::BlackjackBonus => offer.awards = awards,
                SideWager::TwentyPoint => offer.cap = cap,
                _ => {}
            }
            (wager, offer)
        },
    )
}

prop_compose! {
    fn words_of_a_table()(
        game in one(&TEXTS), variation in one(Variation::ALL), place in one(&TEXTS),
        hole_card in one(HoleCard::ALL), soft_17 in one(Soft17::ALL), double_card in one(DoubleCard::ALL),
        shoe in one(Shoe::ALL), shuffle in one(Shuffle::ALL), attack_amount in one(AttackAmount::ALL),
        cut_by in one(CutBy::ALL), hand_burn in one(HandBurn::ALL), surrender_settled in one(SurrenderSettled::ALL),
    ) -> Choices {
        let jurisdiction = place.jurisdiction;
        let text = text::find(&TEXTS, game.game, jurisdiction).expect("a text of the game");
        Choices {
            text, variation, jurisdiction, hole_card, soft_17, double_card, shoe, shuffle, attack_amount, cut_by,
            hand_burn, surrender_settled,
            ..table("nj-blackjack", &[])
        }
    }
}

prop_compose! {
    fn any_choices()(
        base in words_of_a_table(),
        name in ".{0,20}",
        counts in prop::array::uniform6(any::<u8>()),
        flags in prop::array::uniform6(offered()),
        bonus_payouts in bonus_payouts(),
        cut_behind in 0..=1_000_000_u32,
        (minimum, maximum, chip) in (cents(), cents(), cents()),
        wagers in prop::collection::vec(side_offer(), 0..5),
        readings in prop::collection::vec(any::<prop::sample::Index>(), RULINGS.len()),
    ) -> Choices {
        let cut_behind = Millionths(cut_behind);
        let mut choices = Choices { name, bonus_payouts, minimum, maximum, chip, cut_behind, ..base };
        [choices.decks, choices.positions, choices.split_hands, choices.bettors_per_box, choices.boxes_per_player,
            choices.multiple_action_required] = counts;
        [choices.surrender, choices.even_money, choices.late_insurance, choices.resplit_aces,
            choices.double_after_split, choices.mid_shoe_entry] = flags;
choices.side_wagers = wagers.into_iter().collect();
        for (ruling, reading) in RULINGS.iter().zip(readings) {
            let word: &str = ruling.readings[reading.index(ruling.readings.len())];
            choices.rulings.set(ruling.key, word).expect("a reading");
        }
        choices
    }
}

/// The errors about a table file name the line, the key and what would be right.
#[test]
fn errors_say_what_would_be_right() {
    for (text, expected) in [
        ("decks = 6\ndeks = 8\n", "line 2: deks: unknown key `deks` in a table file; the nearest is `decks`"),
        ("decks = \"six\"\n", "line 1: decks: expected an integer, found a text"),
        ("decks = 300\n", "line 1: decks: invalid number `300`; expected a whole number from 0 to 255"),
        ("decks = -1\n", "line 1: decks: invalid number `-1`; expected a whole number from 0 to 255"),
        (
            "game = \"poker\"\n",
            "line 1: game: invalid value `poker`; expected \"blackjack\", \"switch\", \
             \"double-attack\" or \"triple-attack\"",
        ),
        ("\n\nsurrender = \"yes\"\n", "line 3: surrender: expected true or false, found a text"),
        (
            "minimum = \"12.345\"\n",
            "line 1: minimum: invalid amount `12.345`; expected dollars with at most two decimals, such as 10 or 12.50, up to 10000000000",
        ),
        (
            "[side_wagers.mach]\n",
            "line 1: side_wagers.mach: unknown key `mach` in a table file; the nearest is `match`",
        ),
        (
            "[side_wagers.match]\nminmum = 1\n",
            "line 2: side_wagers.match.minmum: unknown key `minmum` in a table file; the nearest is `minimum`",
        ),
        (
            "[rulings]\nlone_seven = \"both\"\n",
            "line 2: rulings.lone_seven: unknown reading `both`; expected \"first-card\" or \"either\"",
        ),
        (
            "bonus_payouts = [\"four-sevens\"]\n",
            "line 1: bonus_payouts: unknown special payout `four-sevens`; expected \"suited-678\", \
             \"three-sevens\", \"five-card-21\" or \"blackjack:As Ks\"",
        ),
    ] {
        assert_eq!(file::parse(text).map_err(|error| error.to_string()), Err(expected.to_string()));
    }
    assert_eq!(file::parse("decks = 6\ndecks = 8\n").map_err(|error| error.line), Err(Some(2)));
}

/// Omitted keys come from the preset of the game, variation and jurisdiction, wherever in the file these are.
#[test]
fn what_is_left_out_comes_from_the_preset() {
    for (text, preset) in [
        ("", "nj-blackjack"),
        ("variation = \"six-to-five\"", "nj-six-to-five"),
        ("variation = \"multiple-action\"", "nj-multiple-action"),
        ("game = \"switch\"", "nj-switch"),
        ("jurisdiction = \"ma\"\ngame = \"switch\"", "ma-switch"),
        ("game = \"double-attack\"", "nj-double-attack"),
        ("game = \"triple-attack\"", "nj-triple-attack"),
    ] {
        let mut read = file::parse(text).expect(text);
        read.name = preset.to_string();
        assert_eq!(read, table(preset, &[]), "{text}");
    }
    let late = file::parse("decks = 8\nname = \"x\"\ngame = \"switch\"").expect("a table");
    assert_eq!((late.decks, late.positions, late.soft_17), (8, 5, Soft17::Hit));
}

/// Setting any key of a side bet offers it; `false` withdraws it.
#[test]
fn setting_a_key_offers_the_wager() {
    assert!(table("nj-blackjack", &["side_wagers.streak.minimum=2"]).offer(SideWager::Streak).is_some());
    assert!(table("nj-switch", &["side_wagers.match=false"]).offer(SideWager::Match).is_none());
    let file = file::parse("[side_wagers.streak]\n").expect("a table");
    assert!(file.offer(SideWager::Streak).is_some());
}

/// `docs/table.md` names every key with its words, and every ruling with its readings.
#[test]
fn the_document_of_the_table_file_is_whole() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/table.md");
    let document = std::fs::read_to_string(path).expect("docs/table.md");
    let row = |name: &str| {
        let begins = format!("| `{name}` |");
        document
            .lines()
            .find(|line| line.starts_with(&begins))
            .unwrap_or_else(|| panic!("{name} is not told"))
    };
    for key in file::KEYS {
        let told = row(key.name);
        for word in key.words.unwrap_or_default() {
            assert!(told.contains(&format!("`{word}`")), "{} takes {word}", key.name);
        }
    }
    for ruling in RULINGS {
        let told = row(ruling.key);
        assert!(told.contains(ruling.question) && told.contains(ruling.clause.id()), "{}", ruling.key);
        for reading in ruling.readings {
            assert!(told.contains(&format!("`{reading}`")), "{} is read as {reading}", ruling.key);
        }
    }
    for own in OwnProcedure::WORDS {
        row(own);
    }
}
