#!/usr/bin/env python3
"""Compares the program with the oracles on random rounds of all five texts.

Prints the seed first, so that a run can be repeated, and `N passed, M failed` last: files of one to eight rounds.
Exit status: 0 all agree, 1 a disagreement or a feature that was never covered, 2 the program cannot be run.
"""
import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import coverage  # noqa: E402

FOLDER = os.path.join("target", "oracles")


def batch(cutcard, jobs):
    """Checks several files in one worker."""
    return [compare.check(cutcard, FOLDER, text, seed) for text, seed in jobs]


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="how long to play (default 60)")
    parser.add_argument("--seed", type=int, help="repeat the rounds of an earlier run")
    parser.add_argument("--text", choices=list(compare.TEXTS), help="one text only")
    parser.add_argument("--cutcard", default="target/debug/cutcard", help="the program (default target/debug/cutcard)")
    parser.add_argument("--all", action="store_true", help="go on after a disagreement")
    args = parser.parse_args()
    if not os.access(args.cutcard, os.X_OK):
        print(f"{args.cutcard} cannot be run: build it with `cargo build --workspace --bin cutcard`, or give --cutcard",
              file=sys.stderr)
        sys.exit(2)
    return args


def report(text, number, found, written):
    """Prints a disagreement with its round file, and keeps the file."""
    path = os.path.join(FOLDER, f"{text}-{number.replace('/', '-')}.round")
    with open(path, "w", encoding="ascii") as file:
        file.write(written)
    print(f"\nDISAGREE {path}", *found, sep="\n  ")
    print("".join(f"    {at:3} {line}\n" for at, line in enumerate(written.splitlines(), 1)), flush=True)


def main():
    """Plays for the time asked and reports."""
    args = arguments()
    seed = args.seed if args.seed is not None else int.from_bytes(os.urandom(4), "big")
    print(f"seed {seed}", flush=True)
    os.makedirs(FOLDER, exist_ok=True)
    texts = [args.text] if args.text else list(compare.TEXTS)
    rounds, files, seen = Counter(), Counter(), Counter()
    begun, at, failed = time.monotonic(), 0, 0
    with ProcessPoolExecutor(2) as pool:
        running = set()
        while True:
            spent = time.monotonic() - begun
            # a slow or busy machine gets up to five times as much to cover everything
            over = spent > args.seconds and (spent > 5 * args.seconds or args.seconds < 60
                                             or not coverage.missing(texts, seen)) or failed and not args.all
            while len(running) < 4 and not over:
                # 19:47-2 has the most to cover
                jobs = [(text, f"{seed}/{at + i}") for i in range(6) for text in texts
                        if i < 2 or text == "nj-blackjack"]
                at += 6
                running.add(pool.submit(batch, args.cutcard, jobs))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for job in done:
                for text, number, count, features, found, written in job.result():
                    rounds[text] += count
                    files[text] += 1
                    seen.update({(text, name): times for name, times in features.items()})
                    if found:
                        failed += 1
                        report(text, number, found, written)
    for text in texts:
        print(f"\n{text}: {rounds[text]} rounds in {files[text]} files")
        counts = sorted((name, times) for (of, name), times in seen.items() if of == text)
        print("  " + ", ".join(f"{name} {times}" for name, times in counts))
    missing = coverage.missing(texts, seen)
    if args.seconds >= 60 and not failed:
        for text, name in missing:
            print(f"{text}: never covered: {name}")
        failed += len(missing)
    print(f"\n{sum(files.values()) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
