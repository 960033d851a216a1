#!/usr/bin/env python3
"""Compares the program with the oracles on random rounds of all five texts."""
import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402


def batch(cutcard, folder, jobs):
    """Checks several files in one worker."""
    return [compare.check(cutcard, folder, text, seed) for text, seed in jobs]


def main():
    """Runs for the time asked and reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--text", choices=list(compare.TEXTS))
    parser.add_argument("--cutcard", default="target/debug/cutcard")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else int.from_bytes(os.urandom(4), "big")
    print(f"seed {seed}", flush=True)
    folder = os.path.join("target", "oracles")
    os.makedirs(folder, exist_ok=True)
    texts = [args.text] if args.text else list(compare.TEXTS)
    begun, at, failed = time.monotonic(), 0, 0
    rounds, files, seen = Counter(), Counter(), Counter()
    kinds = Counter()
    with ProcessPoolExecutor(2) as pool:
        running = set()
        while True:
            over = time.monotonic() - begun > args.seconds or failed and not args.all
            while len(running) < 4 and not over:
                jobs = [(text, f"{seed}/{at + i}") for i in range(6) for text in texts]
                at += 6
                running.add(pool.submit(batch, args.cutcard, folder, jobs))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for job in done:
                for text, number, count, features, found, written in job.result():
                    rounds[text] += count
                    files[text] += 1
                    seen.update({f"{text}: {name}": times for name, times in features.items()})
                    if found:
                        failed += 1
                        kinds[text + " " + found[0][:90]] += 1
                        if failed <= 40:
                            path = os.path.join(folder, f"{text}-{number.replace('/', '-')}.round")
                            with open(path, "w", encoding="ascii") as file:
                                file.write(written)
                            print(f"\nDISAGREE {path}", *found, sep="\n  ")
    for name, times in sorted(seen.items()):
        print(f"{times:8} {name}")
    for name, times in kinds.most_common(30):
        print(times, name)
    for text in texts:
        print(f"{text}: {rounds[text]} rounds in {files[text]} files")
    print(f"{sum(files.values()) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
