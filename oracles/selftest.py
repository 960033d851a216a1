#!/usr/bin/env python3
"""Tests the oracles themselves: with one rule broken on purpose, an oracle has to disagree with the program.

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
                for one in got["rounds"]:
                    one["wagers"] = {name: entry[:3] + [""] for name, entry in one["wagers"].items()}
                records.append({"text": text, "rule": rule, "seed": seed, "file": mark(right), "answer": got})
                break
            else:
                sys.exit(f"{text}: no round file decides by the rule `{rule}`")
    with open(RECORDED, "w", encoding="ascii") as file:
        file.write("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in records) + "\n]\n")
    print(f"{len(records)} answers recorded")


def plain(sheet):
    """Returns what the oracle expects, for comparison with another."""
    return [(one["dealer"], one["hands"], [(s.key(), s.result, s.net) for s in one["stakes"]]) for one in sheet.rounds]


def main():
    """Checks every recorded answer with the rule in order and with the rule broken."""
    if sys.argv[1:2] == ["--record"]:
        return record(sys.argv[2] if len(sys.argv) > 2 else "target/debug/cutcard")
    with open(RECORDED, encoding="ascii") as file:
        records = json.load(file)
    failures = [f"{text}: the rule `{rule}` has no recorded answer" for text, rules in RULES.items() for rule in rules
                if not any(one["text"] == text and one["rule"] == rule for one in records)]
    for one in records:
        name = f"{one['text']}: `{one['rule']}`"
        right = compare.make(one["text"], one["seed"])
        if mark(right) != one["file"]:
            failures.append(f"{name}: the oracle writes another round file now; record anew with --record")
            continue
        found = compare.differences(right, one["answer"])
        if found:
            failures.append(f"{name}: the oracle disagrees with the recorded answer: {found[0]}")
        if not compare.differences(broken(one["text"], one["seed"], one["rule"]), one["answer"]):
            failures.append(f"{name}: broken, and nothing disagrees")
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{len(records) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
