"""Simulates the head lock and rows that shards share, for docs/decisions/past-one-writer.md: prints the tables of that page.

    python3 docs/decisions/past_one_writer.py

A shard is a journal with its own head and its own PostgreSQL primary. Its writer takes what waits, at most a batch, and holds the head
until the batch is durable. A batch that touches a row that all shards share waits for that row, and holds it to its end.
"""

from __future__ import annotations

import heapq
import random
from itertools import accumulate, repeat
from typing import NamedTuple

# Measured by tools/batch-times (PostgreSQL 15, two processors of a shared virtual machine beside other work, the better of two runs):
# the fastest tenth of all batches took 3.8, 8.0, 32 and 68 ms for 1, 40, 200 and 512 records.
FIXED_MS = 3.8
EACH_MS = 0.13
# Medians were 1.05 to 1.5 times that: a batch takes a random multiple from 1 to SLOWER.
SLOWER = 1.5
# The part of a batch from its first account to the end of its commit: 71 to 80 % measured.
HELD = 0.75
# crates/ledger/src/writer.rs
BATCH = 512
# Assumed: a round trip between node and database, two of them a batch, and the standby's sync.
NETWORK_MS = 2 * 0.2 + 1.0

SEED = 41
SECONDS = 4.0
# Assumed: a visit to a table has sixty actions, and costs four records more once chips travel between shards.
TRANSFERS = 4 / 60


class Outcome(NamedTuple):
    carried: float
    p50_ms: float
    p99_ms: float
    batch: float


def simulate(shards: int, rate: float, shared: float = 0.0) -> Outcome:
    """Plays SECONDS of records that arrive at random, `rate` a second over all shards; `shared` of them touch one common row."""
    rng = random.Random(SEED)
    arrivals: list[list[float]] = []
    for _ in range(shards):
        gaps = (rng.expovariate(rate / shards) for _ in repeat(None))
        times = []
        for time in accumulate(gaps):
            if time > SECONDS:
                break
            times.append(time)
        arrivals.append(times)
    taken = [0] * shards
    row_free = 0.0
    waits: list[float] = []
    batches = 0
    # (when, shard, records of the batch that has come to the common row, what is left of it)
    events = [(times[0], shard, 0, 0.0) for shard, times in enumerate(arrivals) if times]
    heapq.heapify(events)
    while events:
        now, shard, count, left = heapq.heappop(events)
        times = arrivals[shard]
        if count:
            row_free = end = max(now, row_free) + left
        else:
            first = taken[shard]
            while count < BATCH and first + count < len(times) and times[first + count] <= now:
                count += 1
            took = (FIXED_MS + NETWORK_MS + EACH_MS * count) * rng.uniform(1, SLOWER) / 1000
            if rng.random() < 1 - (1 - shared) ** count:
                heapq.heappush(events, (now + took * (1 - HELD), shard, count, took * HELD))
                continue
            end = now + took
        if end > SECONDS:
            continue
        first = taken[shard]
        waits += [end - time for time in times[first : first + count]]
        taken[shard] += count
        batches += 1
        if taken[shard] < len(times):
            heapq.heappush(events, (max(end, times[taken[shard]]), shard, 0, 0.0))
    waits.sort()
    of = len(waits)
    return Outcome(of / SECONDS, waits[of // 2] * 1000, waits[of * 99 // 100] * 1000, of / batches)


def line(head: str, rate: float, found: Outcome) -> str:
    """One row of a table; waiting times that grow for as long as the load lasts have no percentile."""
    waits = f"{found.p50_ms:8.0f} {found.p99_ms:8.0f}" if found.carried > 0.97 * rate else "   grows    grows"
    return f"{head} {found.carried:10,.0f} {waits} {found.batch:8.0f}"


def most(bound_ms: float) -> int:
    """The highest load, in steps of 250, at which one writer answers 99 of 100 within this time."""
    rate = 250
    while (found := simulate(1, rate + 250)).p99_ms <= bound_ms and found.carried > 0.97 * (rate + 250):
        rate += 250
    return rate


def main() -> None:
    heads = "carried/s   p50 ms   p99 ms  a batch"
    print(f"one writer            offered/s  {heads}")
    for rate in (1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000):
        print(line(f"{'':20} {rate:10,}", rate, simulate(1, rate)))
    for bound in (50, 100, 200):
        print(f"p99 of at most {bound} ms: up to {most(bound):,} a second")
    print()
    print(f"a row that all share     shards  {heads}")
    offered = 100_000
    for name, shared in (("in every action", 1.0), ("in one of 1,000", 0.001), ("in one of 100,000", 0.00001)):
        print(line(f"{name:20} {32:10}", offered, simulate(32, offered, shared)))
    offered = round(offered * (1 + TRANSFERS))
    print(f"none; {offered:,} records a second, with those of chips in transit")
    for shards in (16, 24, 32, 48):
        print(line(f"{'':20} {shards:10}", offered, simulate(shards, offered)))


if __name__ == "__main__":
    main()
