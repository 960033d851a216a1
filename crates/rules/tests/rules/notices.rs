//! What the law leaves to a notice or an approval: `check` names it for every table that needs one, and for no other.

use crate::{table, warned, warnings};

/// Proves 19:47-2.6(k)#2, 19:47-2.7(c)#2, 19:47-2.8(c)#5, 19:47-2.11(e)#3, 19:47-2.21#2, 19:47-26.7(i)#7,
/// 19:47-36.7(k)#6.
#[test]
fn an_option_that_needs_notice_or_approval_is_named() {
    let rows: [(&str, &str, &[&str], &[&str]); 8] = [
        ("19:47-2.6(k)#2", "nj-blackjack-face-up", &[], &["hole_card=none"]),
        ("19:47-2.7(c)#2", "nj-blackjack", &["even_money=true"], &["even_money=false"]),
        ("19:47-2.8(c)#5", "nj-blackjack", &["surrender=true"], &["surrender=false"]),
        ("19:47-2.11(e)#3", "nj-blackjack", &["split_hands=3"], &["split_hands=2"]),
        ("19:47-2.21#2", "nj-blackjack", &["shoe=continuous"], &["shoe=single"]),
        ("19:47-26.7(i)#7", "nj-double-attack", &["hole_card=down"], &["hole_card=none"]),
        ("19:47-26.7(i)#7", "nj-double-attack", &["hole_card=reader"], &["hole_card=none"]),
        ("19:47-36.7(k)#6", "nj-triple-attack", &["hole_card=reader"], &["hole_card=down"]),
    ];
    for (id, preset, with, without) in rows {
        warned(preset, with, id);
        assert!(!warnings(&table(preset, without)).contains(id), "{preset} {without:?} needs no notice");
    }
}
