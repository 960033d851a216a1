//! Generates WebSocket frames: some are arbitrary bytes, most are actions of every kind with interesting values.

use table::random::Chance;

/// Every action, with fields that the action may have.
const ACTIONS: [(&str, &str); 38] = [
    ("wager", "box amounts"),
    ("wager", "box amounts side behind"),
    ("withdraw", "box"),
    ("sit", "box"),
    ("consent", "box"),
    ("deal", ""),
    ("cut", "box at"),
    ("decline-cut", "box"),
    ("attack", "box amount"),
    ("insure", "box hand amounts"),
    ("even-money", "box"),
    ("decline", "box offer"),
    ("switch", "box"),
    ("decline-switch", "box"),
    ("revoke", "box"),
    ("stand", "box"),
    ("hit", "box"),
    ("double", "box amounts face_down"),
    ("double", "box"),
    ("split", "box"),
    ("surrender", "box"),
    ("not-double", "box"),
    ("cover", "box"),
    ("follow", "box hand"),
    ("sevens-card", "box take"),
    ("late-card", "box take"),
    ("perform", "step number"),
    ("perform", "step"),
    ("card", "card"),
    ("card", "card"),
    ("card", "card"),
    ("face-down", ""),
    ("close-wagers", ""),
    ("reader", "blackjack"),
    ("report", "irregularity card box"),
    ("reshuffle", ""),
    ("recut", ""),
    ("void", ""),
];
const STEPS: [&str; 8] =
    ["shuffle", "cut", "place-cutting-card", "load", "burn", "inspect", "spread", "empty-shoe"];
const OFFERS: [&str; 4] = ["attack", "second-attack", "third-attack", "insurance"];
const IRREGULARITIES: [&str; 8] = [
    "found-face-up",
    "drew-on-standing",
    "missed-box",
    "out-of-cards",
    "misdelivered",
    "light-failed",
    "exposed",
    "wrong-side",
];
const MONEY: [&str; 9] = ["10.00", "10.00", "20", "5", "0", "-1", "0.01", "10000000000.00", "x"];

/// Sends generated frames of players, a dealer and a supervisor to a table of a random preset.
///
/// No frame may cause a panic.
pub fn frames(bytes: &[u8]) {
    let mut chance = Chance::from_bytes(bytes);
    let (preset, _) = *chance.pick(&rules::preset::PRESETS).expect("presets");
    let mut lines = String::from_utf8_lossy(&bytes[bytes.len() / 2..]).into_owned();
    for n in 0..bytes.len().min(120) {
        lines.push('\n');
        lines.push_str(&frame(n, &mut chance));
    }
    server::carry_out_frames(preset, &lines);
}

fn frame(n: usize, chance: &mut Chance<'_>) -> String {
    let (name, fields) = *chance.pick(&ACTIONS).expect("actions");
    let mut text = format!("{{\"id\":\"f{n}\",\"do\":\"{name}\"");
    for field in fields.split_whitespace() {
        let value = value(field, chance);
        text.push_str(&format!(",\"{field}\":{value}"));
    }
    text.push('}');
    text
}

fn value(field: &str, chance: &mut Chance<'_>) -> String {
    let money = |chance: &mut Chance<'_>| format!("\"{}\"", chance.pick(&MONEY).expect("amounts"));
    let quoted =
        |words: &[&str], chance: &mut Chance<'_>| format!("\"{}\"", chance.pick(words).expect("words"));
    match field {
        "box" | "hand" => {
            if chance.one_in(20) {
                "255".into()
            } else {
                chance.below(8).to_string()
            }
        }
        "at" | "number" => chance.below(500).to_string(),
        "amount" => money(chance),
        "amounts" => {
            let many = [1, 1, 1, 2, 3, 0][chance.below(6)];
            let amounts: Vec<String> = (0..many).map(|_| money(chance)).collect();
            format!("[{}]", amounts.join(","))
        }
        "side" => {
            let bets = rules::SideBet::ALL;
            let bet = chance.pick(&bets).expect("side wagers").name();
            format!("{{\"{bet}\":{}}}", money(chance))
        }
        "offer" => quoted(&OFFERS, chance),
        "step" => quoted(&STEPS, chance),
        "irregularity" => quoted(&IRREGULARITIES, chance),
        "card" => {
            let card = rules::Card::from_index(chance.below(52) as u8).expect("a card");
            format!("\"{card}\"")
        }
        _ => chance.coin().to_string(),
    }
}

/// Returns the generated inputs of the target `frames`.
pub fn corpus() -> Vec<Vec<u8>> {
    (0..8).map(|seed: u8| (0..180).map(|at: u8| at.wrapping_mul(seed * 2 + 1)).collect()).collect()
}
