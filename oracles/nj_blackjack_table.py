"""Random legal tables of N.J.A.C. 19:47-2: every key that the oracle relies on is written out."""
from types import SimpleNamespace

SINGLE = ["over-under-13", "same-suit", "sevens"]  # 2.17(a): one of them
LATER = ["progressive", "blackjack-bonus", "streak", "twenty-point", "dealer-bust"]  # bar each other


def options(rng):
    """Returns the options of a legal table."""
    kind = rng.choices(["none", "down", "reader", "up", "six-to-five", "multiple-action"], [5, 4, 5, 4, 4, 4])[0]
    o = SimpleNamespace(kind=kind, hole=kind, six_to_five=False, multiple=False, rulings={})
    o.decks = rng.choice([1, 2, 4, 6, 6, 8, 8, 8])
    o.soft_17 = rng.choice(["stand", "hit"])
    o.surrender = rng.random() < 0.6
    o.even_money = rng.random() < 0.5
    o.positions = rng.choice([5, 6, 7])
    o.split_hands = rng.choice([2, 3, 4, 4])
    o.das = True
    o.double_card = rng.choice(["up", "up", "up", "down", "on-request"])
    o.chip = rng.choice([100, 100, 50, 250, 500])
    o.bettors = rng.choice([1, 1, 2, 3])
    o.boxes_each = rng.choice([1, 1, 2])
    o.bonus = [name for name in ("suited-678", "three-sevens", "five-card-21") if rng.random() < 0.3]
    if rng.random() < 0.3:
        o.bonus.append(f"blackjack:A{rng.choice('cdhs')} {rng.choice('JQK')}{rng.choice('cdhs')}")
    if kind == "six-to-five":
        # 2.2(a)1, 2.3(d), 2.8(c), 2.10(d), 2.12(d), 2.3(e), 2.6A(h)
        o.six_to_five, o.hole = True, rng.choice(["none", "reader"])
        o.decks, o.chip, o.soft_17, o.surrender, o.bonus = rng.choice([1, 2]), 500, "hit", False, []
        o.das = rng.random() < 0.5
    if kind == "multiple-action":
        # 2.8(c), 2.11(e), 2.18(e)
        o.multiple, o.hole, o.surrender, o.split_hands = True, "none", False, 2
        o.required = rng.choice([2, 3])
    if kind == "up":
        # 2.6(k)3 and 5
        o.surrender = o.even_money = False
        o.split_hands = 2
    if o.positions == 7:
        o.split_hands = min(o.split_hands, 3)  # 2.11(e)
    o.resplit_aces = o.split_hands > 2 and rng.random() < 0.5
    o.late_insurance = o.hole in ("none", "down") and rng.random() < 0.2  # 2.9(b): without a reader
    o.reveals = "hole-card" if o.hole == "reader" and rng.random() < 0.5 else "nothing"
    # 2.8(a)2, 2.9(d): what a reader has made safe may be settled at once
    o.surrender_at_once = o.hole == "reader" and o.surrender and rng.random() < 0.3
    o.insurance_at_once = o.hole == "reader" and rng.random() < 0.3
    o.shoe = "double" if not o.six_to_five and rng.random() < 0.15 else "single"  # 2.2(c)
    o.side = {}
    side_wagers(o, rng)
    rulings(o, rng)
    # a full table with one deck may run out of cards (2.15(f))
    o.full = o.decks == 1 and o.shoe == "single" and not o.six_to_five and not o.multiple
    o.bettors = 1 if o.full else o.bettors
    return o


def side_wagers(o, rng):
    """Chooses side wagers that may stand together (2.2(a), 2.17(a), 2.18(a), 2.20(l), 2.22(l), 2.24, 2.25)."""
    if o.six_to_five:
        if rng.random() < 0.4:
            o.side["streak"] = {}
        return
    later = None
    if not o.multiple:
        later = rng.choice(LATER + [None, None])
        if o.hole == "none" and o.decks >= 4 and rng.random() < 0.3:
            later = "progressive"
        if later == "progressive" and (o.decks < 4 or o.hole != "none"):
            later = None
        if later == "twenty-point" and o.hole not in ("down", "reader"):
            # 2.24(d) deals by 2.6(e) and (j); read leniently it goes with any dealing (regulations/notes.md Q11)
            if rng.random() < 0.5:
                o.rulings["twenty_point_dealing"] = "any"
            else:
                later = None
        if later == "twenty-point" and o.decks < 2:
            later = None
        if later == "dealer-bust" and o.decks not in (6, 8):
            later = None
        if later:
            o.side[later] = {}
        if later != "dealer-bust" and o.decks in (6, 8) and rng.random() < 0.3:
            o.side["match-the-dealer"] = {}
    single = rng.choice(SINGLE + [None])
    if single == "sevens" and o.decks < 4:
        single = None
    if single and later != "progressive":
        o.side[single] = {}
    if "same-suit" in o.side:
        o.side["same-suit"]["paytable"] = rng.choice("123" if o.decks == 8 else "1234")
    if "twenty-point" in o.side:
        o.side["twenty-point"]["paytable"] = rng.choice("AB")
    if "match-the-dealer" in o.side and rng.random() < 0.4:
        o.side["match-the-dealer"]["odds.non-matching-suit"] = "5 to 1"  # 2.23(f): no less than 4 or 3 to 1
    if "streak" in o.side and rng.random() < 0.4:
        o.side["streak"]["odds.two"] = "7 to 2"  # 2.22(j): no less than 3 to 1
    if "progressive" in o.side:
        # 2.8(c), 2.13(a), 2.19(i)
        o.surrender, o.bettors, o.meter = False, 1, rng.choice([500000, 1234567])
        o.side["progressive"].update(meter=f"{o.meter / 100:.2f}", seed="5000.00", rate=rng.choice([70, 80, 100]))
    if "sevens" in o.side or "blackjack-bonus" in o.side or "progressive" in o.side:
        o.chip = 100  # wagers of one dollar


def rulings(o, rng):
    """Chooses another reading now and then: regulations/notes.md says what each of them is."""
    for name, other in (("split_two_card_21", "push"), ("face_up_soft_doubles", "allowed"),
                        ("progressive_pays", "to-one")):
        if rng.random() < 0.15:
            o.rulings[name] = other
    for name, other, decides in (
            ("busted_v_dealer_blackjack", "busted-too", not (o.six_to_five or o.multiple)),
            ("face_up_blackjack_v_21", "loses", o.hole == "up"),
            ("lone_seven", "either", "sevens" in o.side),
            ("streak_splits", "majority", "streak" in o.side),
            ("progressive_split_aces", "continue", "progressive" in o.side),
            ("bonus_pays", "for-one", "blackjack-bonus" in o.side),
            ("ace_nine_twenty", "does-not-count", "twenty-point" in o.side),
            ("special_odds_on", "original", bool(o.bonus)),
            ("second_dealer_card", "always", o.hole == "none" and not o.multiple)):
        if decides and rng.random() < (0.5 if o.hole == "up" else 0.3):
            o.rulings[name] = other


def line(o):
    """Writes the table line of a round file."""
    preset = {"six-to-five": "nj-six-to-five", "multiple-action": "nj-multiple-action", "reader": "nj-blackjack-reader",
              "up": "nj-blackjack-face-up"}.get(o.kind, "nj-blackjack")
    low = {True: "true", False: "false"}
    words = [preset, f"decks={o.decks}", f"hole_card={o.hole}", f"reader_reveals={o.reveals}", f"soft_17={o.soft_17}",
             f"surrender={low[o.surrender]}", f"even_money={low[o.even_money]}",
             f"late_insurance={low[o.late_insurance]}", f"split_hands={o.split_hands}",
             f"resplit_aces={low[o.resplit_aces]}", f"double_after_split={low[o.das]}", f"double_card={o.double_card}",
             f"positions={o.positions}", f"bettors_per_box={o.bettors}", f"boxes_per_player={o.boxes_each}",
             f"minimum=10 maximum=500 chip={o.chip / 100:.2f}"]
    if o.surrender_at_once:
        words.append("surrender_settled=at-once")
    if o.insurance_at_once:
        words.append("insurance_collected=after-reader")
    if o.shoe == "double":
        words.append("shoe=double")
    if o.bonus:
        words.append("'bonus_payouts=[" + ", ".join(f'"{name}"' for name in o.bonus) + "]'")
    if o.multiple:
        words.append(f"multiple_action.required={o.required}")
    for name, keys in o.side.items():
        least = 5 if o.six_to_five else 1
        most = {"sevens": 1, "progressive": 1, "blackjack-bonus": 5}.get(name, 25)
        words.append(f"side_wagers.{name}.minimum={least} side_wagers.{name}.maximum={most}")
        words += [f"'side_wagers.{name}.{key}={value}'" for key, value in keys.items()]
    words += [f"rulings.{name}={value}" for name, value in o.rulings.items()]
    return " ".join(words)
