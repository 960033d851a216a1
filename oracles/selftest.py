#!/usr/bin/env python3
"""Tests the oracles themselves: with one rule broken on purpose, an oracle has to disagree with the program.

The other way round, a program that cites another clause, settles at another moment or in another order, or refuses by
another clause has to be found out: the recorded answers are spoilt so.

The program's answers are recorded in recorded.json, so that no program is needed. `--record` makes that file anew:
for every rule it looks for a round file in which the rule decides, and keeps what the program answers to it.
"""
import hashlib
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import book  # noqa: E402
import compare  # noqa: E402
import irregular  # noqa: E402

RECORDED = os.path.join(HERE, "recorded.json")
RULES = {
    "nj-blackjack": ["over-13 wins on 13", "match the dealer", "soft 17", "insurance odds", "split after blackjack",
                     "6 to 5", "face-up ties", "streak odds"],
    "nj-switch": ["two pairs", "push on 22", "insurance odds", "switched blackjack"],
    "ma-switch": ["two pairs", "push on 22", "insurance odds", "switched blackjack"],
    "nj-double-attack": ["insurance odds", "push", "split after blackjack", "blackjack v 21"],
    "nj-triple-attack": ["six cards", "suited insurance", "push on 22"],
}


def broken(text, seed, rule):
    """Plays a file with this rule broken."""
    book.broken = rule
    try:
        return compare.make(text, seed)
    finally:
        book.broken = None


def mark(sheet):
    """Returns a short hash of the round file."""
    return hashlib.sha256(sheet.write().encode()).hexdigest()[:16]


def record(cutcard):
    """Looks for round files in which the rules decide, and keeps the program's answers."""
    records = []
    path = os.path.join("target", "selftest.round")
    for text, rules in RULES.items():
        for rule in rules:
            for seed in range(20000):
                right, wrong = compare.make(text, seed), broken(text, seed, rule)
                if right.refused or len(right.rounds) > 2 or mark(right) != mark(wrong) or plain(right) == plain(wrong):
                    continue
                with open(path, "w", encoding="ascii") as file:
                    file.write(right.write())
                got = compare.digest(*compare.ask(cutcard, path))
                if compare.differences(right, got):
                    continue
                records.append({"text": text, "rule": rule, "seed": seed, "file": mark(right), "answer": got})
                break
            else:
                sys.exit(f"{text}: no round file decides by the rule `{rule}`")
        for seed in range(2000):
            sheet = compare.make(text, seed)
            if sheet.refused and sheet.refused[2][0].isdigit():
                with open(path, "w", encoding="ascii") as file:
                    file.write(sheet.write())
                got = compare.digest(*compare.ask(cutcard, path))
                if compare.differences(sheet, got):
                    continue
                records.append({"text": text, "rule": "refusal", "seed": seed, "file": mark(sheet), "answer": got})
                break
    with open(RECORDED, "w", encoding="ascii") as file:
        file.write("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in records) + "\n]\n")
    print(f"{len(records)} answers recorded")


def plain(sheet):
    """Returns what the oracle expects, for comparison with another."""
    return [(one["dealer"], one["hands"], [(s.key(), s.result, s.net) for s in one["stakes"]]) for one in sheet.rounds]


def spoilt(sheet, answer):
    """Yields the answer of a program that is wrong in one point, with a name for that point."""
    if sheet.refused:
        yield "clause of a refusal", {**answer, "refused": {**answer["refused"], "clause": "19:47-99.9"}}
        return
    for at, (want, one) in enumerate(zip(sheet.rounds, answer["rounds"])):
        def instead(wagers):
            return {**answer, "rounds": answer["rounds"][:at] + [{**one, "wagers": wagers}] + answer["rounds"][at + 1:]}

        moments = {f"{s.box}#{s.hand} {s.player} {s.name} {s.spot or ''}".strip(): s.when for s in want["stakes"]}
        for name, entry in one["wagers"].items():
            yield f"clause of {name}", instead({**one["wagers"], name: entry[:3] + ["19:47-99.9", entry[4]]})
            if moments[name]:
                other = next(moment for moment in book.MOMENTS if moment not in moments[name].split("|"))
                yield f"moment of {name}", instead({**one["wagers"], name: entry[:4] + [other]})
        yield "order", instead(dict(reversed(one["wagers"].items())))


def main():
    """Checks every recorded answer with the rule in order and with the rule broken."""
    if sys.argv[1:2] == ["--record"]:
        return record(sys.argv[2] if len(sys.argv) > 2 else "target/debug/cutcard")
    with open(RECORDED, encoding="ascii") as file:
        records = json.load(file)
    recorded = {(one["text"], one["rule"]) for one in records}
    failures = [f"{text}: the rule `{rule}` has no recorded answer" for text, rules in RULES.items()
                for rule in rules + ["refusal"] if (text, rule) not in recorded]
    ordered, checks = set(), len(RULES)
    for one in records:
        name = f"{one['text']}: `{one['rule']}`"
        checks += 1 if one["rule"] == "refusal" else 2
        right = compare.make(one["text"], one["seed"])
        if mark(right) != one["file"]:
            failures.append(f"{name}: the oracle writes another round file now; record anew with --record")
            continue
        found = compare.differences(right, one["answer"])
        if found:
            failures.append(f"{name}: the oracle disagrees with the recorded answer: {found[0]}")
        if one["rule"] != "refusal" \
                and not compare.differences(broken(one["text"], one["seed"], one["rule"]), one["answer"]):
            failures.append(f"{name}: broken, and nothing disagrees")
        for what, answer in spoilt(right, one["answer"]):
            checks += what != "order"
            found = compare.differences(right, answer)
            if found and what == "order":
                ordered.add(one["text"])
            elif not found and what != "order":
                failures.append(f"{name}: the program's {what} is wrong, and nothing disagrees")
    for text in RULES:
        for word, right in (("exposed", True), ("drawn-unexposed", False)):
            by = irregular.clauses(text, {word}).pop()
            checks += 1
            if bool(irregular.differences(text, [{"exposed"}], f"Round 1\n  a step  {by}\n")) == right:
                failures.append(f"{text}: the clause {by} of a step is not compared with that of `exposed`")
    failures += [f"{text}: no order of settlements is ever wrong" for text in RULES if text not in ordered]
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{checks - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
