"""Trains MaskablePPO of sb3-contrib at a table and scores it in the benchmark, against exact play.

    pip install sb3-contrib
    python examples/train_sb3.py [--steps 200000] [--task blackjack] [--out score.json]

On Linux, PyPI has PyTorch only with CUDA, 3 GB in all; sb3-contrib takes any PyTorch that is installed before it.

The environment says which actions the rules allow (`action_masks`), and MaskablePPO takes no other.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import cutcard as cc
from cutcard.benchmark.scores import score_file
from cutcard.gym import SeatEnv, VectorEnv


def train(task: cc.benchmark.Task, steps: int, seed: int = 1) -> Any:
    """Trains a policy at the first table of a task."""
    from sb3_contrib import MaskablePPO

    env = SeatEnv(
        task.training[0],
        stakes=task.stakes,
        side_wagers=task.side_wagers,
        count=task.count,
        fresh_shoes=task.fresh_shoes,
        strict=True,
    )
    # an episode has a reward at its end only, and few decisions before it
    how = {"gamma": 1.0, "n_steps": 1024, "batch_size": 256, "ent_coef": 0.01}
    return MaskablePPO("MlpPolicy", env, seed=seed, device="cpu", **how).learn(steps)


def agent_of(model: Any) -> cc.benchmark.Agent:
    """The agent that takes the most likely action of a model."""

    def agent(env: VectorEnv) -> cc.benchmark.Policy:
        def policy(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
            actions, _ = model.predict(seen, deterministic=True, action_masks=masks == 1)
            return np.asarray(actions, dtype=np.int64)

        return policy

    return agent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--task", default="blackjack", choices=list(cc.benchmark.TASKS))
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    task = cc.benchmark.TASKS[given.task]
    found = cc.benchmark.score(agent_of(train(task, given.steps)), task, rounds=100_000, seed=1)
    print(f"{task.name}: regret {100 * found.regret:.3f} % ± {100 * found.std_error:.3f}")
    if given.out is not None:
        given.out.write_text(score_file("maskable-ppo", [{"task": task.name, **found.to_dict()}]))


if __name__ == "__main__":
    main()
