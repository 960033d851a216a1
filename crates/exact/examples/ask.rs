use exact::ev::{Question, ev};
use exact::table::Attacked;
use rules::card::parse_cards;
fn main() {
    for (name, hand, other, up) in [
        ("nj-blackjack", "As 7d", "", "6h"),
        ("nj-blackjack", "2s 2d", "", "Kh"),
        ("nj-blackjack", "8s 8d", "", "Kh"),
        ("nj-blackjack-reader", "8s 8d", "", "Kh"),
        ("nj-blackjack-face-up", "8s 8d", "", "Kh 6c"),
        ("nj-switch", "Ts 5d", "6s Td", "6h"),
        ("nj-switch", "8s 8d", "As Td", "Ah"),
        ("nj-double-attack", "Ks 6d", "", "Kh"),
        ("nj-double-attack", "", "", "6h"),
        ("nj-triple-attack", "As", "", "6h"),
        ("nj-triple-attack", "8s 8d", "", "Ah"),
        ("nj-triple-attack", "2s 2d", "", "Ah"),
        ("nj-six-to-five", "As Kd", "", "Ah"),
    ] {
        let rules = rules::Rules::new(rules::preset::preset(name).unwrap()).unwrap();
        let (h, o, u) = (parse_cards(hand).unwrap(), parse_cards(other).unwrap(), parse_cards(up).unwrap());
        let t = std::time::Instant::now();
        let a = ev(&rules, &Question { hand: &h, other: &o, up: &u, removed: &[], attacked: Attacked::No });
        println!("{name} {hand} | {other} v {up} {:?}\n   {a:?}", t.elapsed());
    }
}
