"""Runs the program on a round file and compares its answer with the oracle's."""
import json
import os
import random
import subprocess
from types import SimpleNamespace

import book
import irregular
import ma_switch
import nj_blackjack
import nj_double_attack
import nj_switch
import nj_triple_attack

TEXTS = {text.NAME: text for text in (nj_blackjack, nj_switch, ma_switch, nj_double_attack, nj_triple_attack)}


def make(text, seed):
    """Plays the rounds of one file: the same for the same seed."""
    rng = random.Random(f"{seed} {text}")
    trap = rng.randint(1, 25) if rng.random() < 0.4 else None
    table = TEXTS[text].Table(rng, trap)
    rounds = rng.choice([1, 2, 3]) if trap else rng.choice([1, 2, 4, 30, 30, 30])
    return table.play(30 if "streak" in getattr(table.o, "side", {}) and not trap else rounds)


def ask(cutcard, path):
    """Returns the program's exit status and its JSON document, or its error."""
    done = subprocess.run([cutcard, "replay", path, "--json"], capture_output=True, text=True, timeout=60)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"error": (done.stderr or done.stdout).strip()}


def report(cutcard, path):
    """Returns the program's report of every step, in words."""
    return subprocess.run([cutcard, "replay", path], capture_output=True, text=True, timeout=60).stdout


def digest(status, answer):
    """Keeps what is compared of the program's answer."""
    if "rounds" not in answer:
        return {"status": status, **answer} if "error" in answer else {"status": status, "refused": answer["refused"]}
    rounds = []
    for one in answer["rounds"]:
        dealer = [hand["cards"] for hand in one.get("dealer_hands") or [one["dealer"]]]
        hands = {f"{hand['box']}#{hand['hand']}": hand["cards"] for hand in one["hands"]}
        # in the order in which the program settles them
        wagers = {f"{w['box']}#{w['hand']} {w['player']} {w['wager']} {w.get('spot') or ''}".strip():
                  [w["amount"], w["result"], w["net"], w["clause"], w["when"]] for w in one["wagers"]}
        rounds.append({"dealer": dealer, "hands": hands, "wagers": wagers, "net": one["net"],
                       "count": len(one["wagers"])})
    return {"status": status, "rounds": rounds}


def differences(sheet, got):
    """Returns every point on which the program and the oracle disagree, in words."""
    if sheet.refused:
        number, line, clause = sheet.refused
        if got["status"] != 1 or "refused" not in got or got["refused"]["line"] != number:
            says = got.get("refused") or got.get("error") or "it is legal"
            return [f"line {number}, `{line}`: the oracle refuses it by {clause}; the program says: {says}"]
        if not cites(clause, got["refused"]["clause"]):
            return [f"line {number}, `{line}`: the oracle refuses it by {clause}, the program by {got['refused']}"]
        return []
    if got["status"] != 0 or "rounds" not in got:
        return [f"the oracle settles every round; the program says: {got.get('refused') or got.get('error')}"]
    found = []
    if len(got["rounds"]) != len(sheet.rounds):
        found.append(f"the oracle plays {len(sheet.rounds)} rounds, the program {len(got['rounds'])}")
    for at, (want, one) in enumerate(zip(sheet.rounds, got["rounds"]), 1):
        found += [f"round {at}: {words}" for words in round_differences(want, one)]
        if not want["loose"]:
            found += [f"round {at}: {words}" for words in disorder(sheet.order, one["wagers"], want["late"])]
    return found


def cites(clauses, got):
    """Says whether the program's clause is one of the oracle's, which is open where it does not begin with a number."""
    clauses = clauses.split(":")[0].split("|")
    plain = got.removeprefix("19:47-").removeprefix("MA-BJS ").split(" ")[0]
    return not clauses[0][:1].isdigit() or plain in clauses


def disorder(rules, wagers, late):
    """Returns the sentences on the order of settlements that the program's order breaks; `late` boxes came last."""
    settled = []
    for name, (_, result, _, clause, when) in wagers.items():
        place, player, wager, spot = (name.split(" ") + [""])[:4]
        settled.append(SimpleNamespace(box=int(place.split("#")[0]), player=player, wager=wager, spot=spot,
                                       result=result, clause=clause, when=when,
                                       late=int(place.split("#")[0]) in late))
    found = []
    for clause, key in rules:
        keys = [at for at in map(key, settled) if at is not None]
        if keys != sorted(keys):
            order = ", ".join(f"{one.box} {one.player} {one.wager} {one.result}" for one in settled
                              if key(one) is not None)
            found.append(f"order of settlements: {clause}; the program settles {order}")
    return found


def round_differences(want, got):
    """Compares one round."""
    found = []
    if not want["loose"]:
        dealer = want["dealer"] if isinstance(want["dealer"][0], list) else [want["dealer"]]
        dealer = [" ".join(cards) for cards in dealer]
        if dealer != got["dealer"]:
            found.append(f"dealer's cards: oracle {dealer}, program {got['dealer']}")
        hands = {f"{box}#{hand}": cards for (box, hand), cards in want["hands"].items() if cards}
        if hands != {name: cards for name, cards in got["hands"].items() if cards}:
            found.append(f"hands: oracle {hands}, program {got['hands']}")
    wagers = {}
    for stake in want["stakes"]:
        name = f"{stake.box}#{stake.hand} {stake.player} {stake.name} {stake.spot or ''}".strip()
        wagers[name] = [book.decimal(stake.amount), stake.result, book.decimal(stake.net), stake.clause, stake.when]
    for name in sorted(wagers.keys() | got["wagers"].keys()):
        mine, its = wagers.get(name), got["wagers"].get(name)
        if mine is None or its is None or mine[:3] != its[:3]:
            found.append(f"wager {name}: oracle {say(mine)}; program {say(its)}")
        elif not cites(mine[3], its[3]):
            found.append(f"clause of {name}: oracle {say(mine)}; program {say(its)}")
        elif mine[4] and its[4] not in mine[4].split("|"):
            found.append(f"moment of {name}: oracle {say(mine)}; program {say(its)}")
    if len(want["stakes"]) != got["count"]:
        found.append(f"wagers: oracle {len(want['stakes'])}, program {got['count']}")
    net = {player: book.decimal(cents) for player, cents in want["net"].items()}
    for player in sorted(net.keys() | got["net"].keys()):
        if net.get(player, "0.00") != got["net"].get(player, "0.00"):
            found.append(f"net of {player}: oracle {net.get(player)}, program {got['net'].get(player)}")
    return found


def say(entry):
    """Writes how a wager ended."""
    return "knows no such wager" if entry is None else f"{entry[0]} {entry[1]} {entry[2]} by {entry[3]} at {entry[4]}"


def check(cutcard, folder, text, seed):
    """Makes one file, asks the program, and returns what was seen and how they differ."""
    sheet = make(text, seed)
    path = os.path.join(folder, f"{text}-{os.getpid()}.round")
    written = sheet.write()
    with open(path, "w", encoding="ascii") as file:
        file.write(written)
    found = list(differences(sheet, digest(*ask(cutcard, path))))
    if not (found or sheet.refused) and any(irregular.clauses(text, one) for one in sheet.upsets):
        found = irregular.differences(text, sheet.upsets, report(cutcard, path))
        sheet.saw("clauses of irregularities")
    return text, seed, len(sheet.rounds) + bool(sheet.refused), dict(sheet.seen), found, written if found else None
