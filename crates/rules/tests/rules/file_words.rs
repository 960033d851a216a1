//! Error messages about table files, word by word, because the words are all that the file's author has.

use crate::table;
use rules::{Cents, Clause, file, limit, preset, wager};

/// Returns the error about one assignment.
fn wrong(assignment: &str) -> String {
    let mut choices = preset::preset("nj-blackjack").expect("a preset");
    file::set(&mut choices, assignment).expect_err(assignment).to_string()
}

#[test]
fn a_value_of_the_wrong_kind_is_called_what_it_is() {
    for (assignment, words) in [
        ("decks=[1]", "expected an integer, found a list"),
        ("decks=true", "expected an integer, found true or false"),
        ("decks={a=1}", "expected an integer, found a table"),
        ("decks=300", "invalid number `300`; expected a whole number from 0 to 255"),
        ("even_money=3", "expected true or false, found a number"),
        ("minimum=[1]", "expected an amount such as \"12.50\", found a list"),
        (
            "minimum=1.234",
            "invalid amount `1.234`; expected dollars with at most two decimals, such as 10 or 12.50",
        ),
        ("bonus_payouts=3", "expected a list such as [\"suited-678\"], found a number"),
        (
            "bonus_payouts=[\"nonsense\"]",
            "expected \"suited-678\", \"three-sevens\", \"five-card-21\" or \"blackjack:As Ks\"",
        ),
        ("bonus_payouts=[\"blackjack:As\"]", "`blackjack:As` must name two cards"),
        (
            "bonus_payouts=[\"blackjack:1s Ks\"]",
            "unknown card `1s`; expected a rank A 2..9 T J Q K and a suit c d h s, such as As or Td",
        ),
        ("shoe=\"hat\"", "invalid value `hat`; expected "),
        ("side_wagers=3", "`side_wagers` must be a section, not a number"),
        ("side_wagers.sevens=3", "`side_wagers.sevens` must be a section, not a number"),
        (
            "side_wagers.blackjack-bonus.awards=3",
            "expected a table such as { \"1\" = { \"5\" = 60, \"20\" = 40 } }, found a number",
        ),
        (
            "side_wagers.blackjack-bonus.awards={\"1\"=3}",
            "expected awards with weights such as { \"5\" = 60 }, found a number",
        ),
        (
            "side_wagers.blackjack-bonus.awards={\"1\"={\"5\"=true}}",
            "expected a whole number as the weight, found true or false",
        ),
        ("side_wagers.blackjack-bonus.awards={\"1\"={\"5\"=1000000001}}", "invalid weight `1000000001`"),
        (
            "side_wagers.streak.odds=3",
            "expected lines with their odds such as { \"four-of-a-kind\" = \"60 to 1\" }, found a number",
        ),
        ("own_procedures=3", "expected a list such as [\"no-cutting-card\"], found a number"),
        ("cut_behind=true", "expected a number such as 0.25, from 0 to 1, found true or false"),
        ("cut_behind=1.000001", "invalid number `1.000001`; expected a number such as 0.25, from 0 to 1"),
        ("cut_behind=.5", "invalid number `.5`; expected a number such as 0.25, from 0 to 1"),
        ("cut_behind=\"0.x\"", "invalid number `0.x`; expected a number such as 0.25, from 0 to 1"),
        ("cut_behind=\"x.5\"", "invalid number `x.5`; expected a number such as 0.25, from 0 to 1"),
        ("cut_behind=0.1234567", "invalid number `0.1234567`; expected a number such as 0.25, from 0 to 1"),
    ] {
        let said = wrong(assignment);
        assert!(said.contains(words), "{assignment}: {said}");
        let key = assignment.split('=').next().expect("a key");
        assert!(said.starts_with(&format!("{key}: ")), "{assignment}: {said}");
    }
}

/// A key of one side bet is not accepted for another.
#[test]
fn a_key_of_another_side_wager_is_told_whose_it_is() {
    for (assignment, words) in [
        ("side_wagers.streak.meter=5", "`meter` is a key of progressive, not of streak"),
        ("side_wagers.streak.seed=5", "`seed` is a key of progressive, not of streak"),
        ("side_wagers.streak.rate=5", "`rate` is a key of progressive, not of streak"),
        ("side_wagers.streak.awards={}", "`awards` is a key of blackjack-bonus, not of streak"),
        ("side_wagers.streak.cap=5", "`cap` is a key of twenty-point, not of streak"),
        ("side_wagers.streak.maximun=5", "the nearest is `maximum`"),
        ("side_wagers.streak.od=5", "unknown key `od` in a table file"),
    ] {
        let said = wrong(assignment);
        assert!(said.contains(words), "{assignment}: {said}");
    }
    let choices = table("nj-blackjack", &["side_wagers.blackjack-bonus.awards.5={\"50\"=1}"]);
    let awards = &choices.side_wagers[&rules::SideWager::BlackjackBonus].awards;
    assert_eq!(awards[&Cents::dollars(5)], [(Cents::dollars(50), 1)].into());
}

/// Invalid TOML is reported with a line and no key; an unknown section is named.
#[test]
fn what_cannot_be_read_is_named() {
    let said = file::parse("decks = 6\n\n= 7\n").expect_err("no key").to_string();
    assert!(said.starts_with("line 3: the table file is not valid TOML: "), "{said}");
    let said = file::parse("decks = 6\nmatch = { minimum = 5 }\n").expect_err("no section");
    assert_eq!((said.line, &*said.key), (Some(2), "match"), "{said}");
}

#[test]
fn a_key_that_does_not_exist_is_told_the_nearest() {
    for (assignment, nearest) in [
        ("deks=6", "the nearest is `decks`"),
        ("insurence_colected=\"x\"", "the nearest is `insurance_collected`"),
        ("side_wagers.streek=true", "the nearest is `streak`"),
        ("rulings.lone_sevn=\"either\"", "lone_seven"),
        ("multiple_action.requird=2", "multiple_action.required"),
    ] {
        let said = wrong(assignment);
        assert!(said.contains(nearest), "{assignment}: {said}");
    }
}

#[test]
fn numbers_to_the_last_digit() {
    for (assignment, shown) in [
        ("cut_behind=1", "cut_behind = 1"),
        ("cut_behind=0.999999", "0.999999"),
        ("minimum=0x10", "minimum = \"16.00\""),
    ] {
        let choices = table("nj-blackjack", &[assignment]);
        assert!(file::show(&choices).contains(shown), "{assignment}: {}", file::show(&choices));
    }
}

/// The wrong line is named.
#[test]
fn a_wrong_line_is_named_by_its_number() {
    let file = file::show(&table("nj-blackjack", &[])).replace("even_money = false", "even_money = 3");
    let at = file.lines().position(|line| line == "even_money = 3").expect("the line") + 1;
    let said = rules::file::parse(&file).expect_err("no number");
    assert_eq!(said.line, Some(at), "{said}");
    assert!(said.to_string().contains("expected true or false, found a number"), "{said}");
}

/// Written choices parse back, including every key of every side bet.
#[test]
fn side_wagers_are_written_with_all_their_keys() {
    let awards = "side_wagers.blackjack-bonus.awards={\"1\"={\"5\"=60,\"20\"=40},\"5\"={\"50\"=1}}";
    let choices = table(
        "nj-blackjack",
        &[
            awards,
            "side_wagers.progressive.meter=12345.67",
            "side_wagers.progressive.seed=5000",
            "side_wagers.progressive.rate=72.05",
            "side_wagers.twenty-point.cap=30000",
            "side_wagers.streak.odds.two=4 to 1",
            "bonus_payouts=[\"suited-678\",\"blackjack:As Ks\"]",
        ],
    );
    let shown = file::show(&choices);
    for words in [
        "awards = { \"1.00\" = { \"5.00\" = 60, \"20.00\" = 40 }, \"5.00\" = { \"50.00\" = 1 } }",
        "meter = \"12345.67\"",
        "seed = \"5000.00\"",
        "rate = 72.05",
        "cap = \"30000.00\"",
        "= \"4 to 1\"",
        "bonus_payouts = [\"suited-678\", \"blackjack:As Ks\"]",
    ] {
        assert!(shown.contains(words), "{words}:\n{shown}");
    }
    assert_eq!(rules::file::parse(&shown).expect("its own words"), choices);
}

/// A side bet that the chips cannot make gives a warning; one that they can does not.
#[test]
fn chips_that_make_no_side_wager_are_warned_of() {
    let warned = |chip: &str, least: &str, most: &str| {
        let [chip, least, most] = [
            format!("chip={chip}"),
            format!("side_wagers.over-under-13.minimum={least}"),
            format!("side_wagers.over-under-13.maximum={most}"),
        ];
        let choices = table("nj-blackjack", &[&chip, &least, &most]);
        let report = rules::lawful::check(&choices);
        report.warnings.iter().any(|finding| finding.message.contains("no multiple of the"))
    };
    assert!(warned("5", "6", "9"), "neither 5 nor 10");
    assert!(warned("5", "6", "6"), "6 alone");
    assert!(!warned("5", "5", "9"), "5");
    assert!(!warned("5", "6", "10"), "10");
    assert!(!warned("1", "1", "1"));
    assert!(!warned("2", "3", "4"), "4, though 4 by 2 by 2 is less than 3");
}

/// The smallest bet that the table takes and its chips can make.
#[test]
fn the_least_wager_in_chips() {
    let least = |preset: &str, chip: &str, minimum: &str| {
        let choices = table(preset, &[&format!("chip={chip}"), &format!("minimum={minimum}")]);
        limit::least_wager(&choices)
    };
    assert_eq!(least("nj-blackjack", "5", "10"), Cents::dollars(10));
    assert_eq!(least("nj-blackjack", "5", "12"), Cents::dollars(15));
    assert_eq!(least("nj-six-to-five", "2", "5"), Cents::dollars(10), "tens are made of twos and are fives");
    let refused =
        limit::required_wager(&table("nj-six-to-five", &[]), Cents::dollars(12)).expect_err("no five");
    assert!(format!("{refused:?}").contains("five dollars"), "{refused:?}");
}

/// At exactly the maximum everything is paid in full: 2.24(h)#3.
#[test]
fn a_maximum_that_is_just_reached_takes_nothing() {
    let cents = Cents::dollars;
    let cap = Some(cents(1_000));
    assert_eq!(wager::twenty::capped(cents(700), cents(1), cents(1_000), cents(3), cap), cents(700));
    assert_eq!(wager::twenty::capped(cents(700), cents(1), cents(1_001), cents(4), cap), cents(250));
}

/// A clause has all its rows, and a clause outside the catalogue has its own.
#[test]
fn a_clause_knows_its_rows() {
    for row in rules::clause::catalogue() {
        let clause = Clause::find(row.id).expect("a row");
        assert!(clause.rows().count() >= 1, "{}", row.id);
        assert!(clause.rows().all(|found| found.id == row.id), "{}", row.id);
    }
    let shared = Clause::find("19:46-1.17(a)").expect("a clause of two texts");
    assert_eq!(shared.rows().count(), 2);
    static OWN: rules::clause::Row = rules::clause::Row::new("HARBOUR 1", "harbour", "of another text");
    assert_eq!(OWN.clause().rows().map(|row| row.id).collect::<Vec<_>>(), ["HARBOUR 1"]);
    assert!(rules::clause::catalogue().len() > 1_400, "{}", rules::clause::catalogue().len());
}

/// The same holds for a line inside a section, not the line where the section begins.
#[test]
fn a_wrong_line_of_a_section_is_named_by_its_number() {
    let file = file::show(&table("nj-blackjack", &["side_wagers.streak.maximum=25"]));
    let section = file.lines().position(|line| line == "[side_wagers.streak]").expect("the section");
    let inside =
        file.lines().skip(section).position(|line| line.starts_with("maximum = ")).expect("its line");
    let at = section + inside;
    assert!(inside > 0);
    let lines = file.lines().enumerate();
    let wrong: Vec<&str> = lines.map(|(n, line)| if n == at { "maximum = [1]" } else { line }).collect();
    let said = rules::file::parse(&wrong.join("\n")).expect_err("no list");
    assert_eq!((said.line, &*said.key), (Some(at + 1), "side_wagers.streak.maximum"), "{said}");
}

/// A word that is far too long for any key is not quoted whole; one that could be a misspelled key is.
#[test]
fn a_very_long_word_is_not_repeated() {
    for letters in (20..200).chain([5_000]) {
        let said = wrong(&format!("{}=3", "k".repeat(letters)));
        let told = said.split("unknown key `").nth(1).expect("what there is not");
        let repeated = told.chars().take_while(|letter| *letter == 'k').count();
        assert!(repeated < 150, "{told}");
        assert_eq!(told.contains("k…` in a table file"), repeated < letters, "{letters}: {told}");
    }
}

#[test]
fn the_largest_weight_and_a_word_for_all_boxes() {
    let mut choices = preset::preset("nj-blackjack").expect("a preset");
    let largest = "side_wagers.blackjack-bonus.awards={\"1\"={\"5\"=1000000000}}";
    assert_eq!(file::set(&mut choices, largest), Ok(()));
    assert!(
        wrong("shared_boxes=\"some\"").contains("expected a whole number or \"all\", found a text"),
        "{}",
        wrong("shared_boxes=\"some\"")
    );
    file::set(&mut choices, "shared_boxes=\"all\"").expect("all of them");
    assert_eq!(choices.shared_boxes, None);
}

/// If the minimum equals the maximum, exactly one amount may be bet. Proves 19:47-2.3(a).
#[test]
fn the_minimum_may_be_the_maximum() {
    let choices = table("nj-blackjack", &["minimum=25", "maximum=25"]);
    assert!(rules::lawful::check(&choices).violations.is_empty());
    assert!(limit::required_wager(&choices, Cents::dollars(25)).is_ok());
    assert!(limit::required_wager(&choices, Cents::dollars(24)).is_err());
    assert!(limit::required_wager(&choices, Cents::dollars(26)).is_err());
}
