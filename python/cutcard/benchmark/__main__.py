"""`python -m cutcard.benchmark`: scores agents and reproduces the baselines in python/baselines."""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import _given
from ..__main__ import find_program
from ..errors import Error, NotUnderstood
from .play import chart_value
from .scores import Agent, curves_svg, score, score_file
from .tasks import TASKS, Task

TRAINING = 500_000
"""The number of rounds that a baseline is trained for."""
CURVE = 25_000
"""The number of rounds at each table for a point of the learning curve."""


def baseline(agent: str, task: Task, seed: int) -> dict[str, Any]:
    """Scores a baseline on a task, after training if it learns; returns an entry of a score file."""
    from .agents import FIXED, LEARNERS, stops_of

    if agent in FIXED:
        return {"task": task.name, **score(FIXED[agent], task, seed=seed).to_dict()}
    curve: list[list[float]] = []
    made: Agent | None = None
    for done, made in LEARNERS[agent](task, seed, TRAINING, stops_of(TRAINING)):
        point = score(made, task, rounds=CURVE, seed=seed + 1).to_dict()
        curve.append([done, point["regret"], point["std_error"]])
    assert made is not None
    return {"task": task.name, "trained_rounds": curve[-1][0], **score(made, task, seed=seed).to_dict(), "curve": curve}


def plays_in(agent: str, task: Task) -> bool:
    """Returns whether a baseline can play a task: the counter needs a count."""
    return agent != "counter" or task.count is not None


def _agents() -> list[str]:
    from .agents import FIXED, LEARNERS

    return [*FIXED, *LEARNERS]


def _tasks(names: Sequence[str] | None) -> list[Task]:
    for name in names or ():
        _given.known("task", name, TASKS)
    return [TASKS[name] for name in names or TASKS]


def _named(agent: str) -> Agent:
    """Returns a user's agent, named `module:function`."""
    module, _, function = agent.partition(":")
    try:
        return getattr(importlib.import_module(module), function)  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as error:
        raise NotUnderstood(f"agent: {agent} cannot be imported: {error}") from None


def list_tasks(given: argparse.Namespace) -> None:
    """Prints the tasks with their exact values."""
    print(f"{'task':30} {'best play':>12} {'chart':>12}  tables")
    for task in _tasks(given.task):
        for table in task.scored:
            known = f"{chart_value(table):12.6f}" if task.fresh_shoes else f"{'':12}"
            print(f"{task.name:30} {task.best(table):12.6f} {known}  {table!r}")


def run(given: argparse.Namespace) -> None:
    """Scores one agent."""
    scores = []
    for task in _tasks(given.task):
        if ":" in given.agent:
            found = score(_named(given.agent), task, rounds=given.rounds, seed=given.seed)
            told = {"task": task.name, **found.to_dict()}
        else:
            _given.known("baseline", given.agent, _agents())
            if not plays_in(given.agent, task):
                continue
            told = baseline(given.agent, task, given.seed)
        print(f"{task.name:30} regret {told['regret']:.6f} ± {told['std_error']:.6f}", flush=True)
        scores.append(told)
    if given.out is not None:
        given.out.write_text(score_file(given.agent, scores))


def baselines(given: argparse.Namespace) -> None:
    """Writes the score file of every baseline, the learning curves, and a summary table."""
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.agent or _agents():
        _given.known("baseline", name, _agents())
        print(name, flush=True)
        run(argparse.Namespace(agent=name, task=None, seed=1, rounds=None, out=given.out / f"{name}.json"))
    summary(given.out)


def summary(folder: Path) -> None:
    """Draws the learning curves of a folder's score files, and writes a table of their regrets."""
    files = {name: folder / f"{name}.json" for name in _agents()}
    read = {name: json.loads(path.read_text()) for name, path in files.items() if path.exists()}
    for name, document in read.items():
        curves = {told["task"]: told["curve"] for told in document["tasks"] if "curve" in told}
        shown = {task: curve for task, curve in curves.items() if task in ("blackjack", "switch", "blackjack-rules")}
        shown |= {task: curve for task, curve in curves.items() if task.endswith("-attack")}
        if shown:
            (folder / f"{name}.svg").write_text(curves_svg(shown, f"{name}: regret a round by rounds of training"))
    rows = [f"| task | {' | '.join(read)} |", f"|---|{'---|' * len(read)}"]
    for task in TASKS:
        cells = []
        for document in read.values():
            told = next((told for told in document["tasks"] if told["task"] == task), None)
            cells.append("" if told is None else f"{100 * told['regret']:.3f} ± {100 * told['std_error']:.3f}")
        rows.append(f"| {task} | {' | '.join(cells)} |")
    (folder / "README.md").write_text(
        "# Baselines\n\nRegret in percent of the initial bet a round, with its standard error. "
        "`python -m cutcard.benchmark baselines --out python/baselines` makes this folder.\n\n" + "\n".join(rows) + "\n"
    )


def by_count(given: argparse.Namespace) -> None:
    """Values every hi-lo count of the tables with `cutcard ramp`. Takes minutes."""
    answers: dict[str, Any] = {}
    for table in given.table:
        command = [find_program(), "ramp", table, "--count", "hi-lo", "--json"]
        answers[table] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    given.out.write_text(references_of(answers))


def references_of(answers: dict[str, Any]) -> str:
    """Returns the values by count from the output of `cutcard ramp` for each table."""
    keys = ("count", "frequency", "ev", "ev_error")
    tables = {
        name: [{key: round(row[key], 9) for key in keys} for row in told["ramp"]] for name, told in answers.items()
    }
    told = next(iter(answers.values()))
    document = {"made_by": told["made_by"], "method": told["method"], "count": "hi-lo", "tables": tables}
    lines = json.dumps(document, indent=1)
    return lines + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m cutcard.benchmark", description=__doc__)
    commands = parser.add_subparsers(required=True)
    listing = commands.add_parser("tasks", help="list the tasks with their exact values")
    listing.add_argument("--task", action="append", help="only this task")
    listing.set_defaults(do=list_tasks)
    one = commands.add_parser("run", help="score an agent: a baseline, or module:function")
    one.add_argument("agent", help=f"{', '.join(_agents())}, or module:function")
    one.add_argument("--task", action="append", help="only this task; may be repeated")
    one.add_argument("--rounds", type=float, help="rounds at each table, for an agent of your own")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--out", type=Path, help="write a score file")
    one.set_defaults(do=run)
    every = commands.add_parser("baselines", help="reproduce every baseline")
    every.add_argument("--agent", action="append", help="only this baseline")
    every.add_argument("--out", type=Path, default=Path("baselines"))
    every.set_defaults(do=baselines)
    counts = commands.add_parser("by-count", help="value every count of tables by `cutcard ramp`")
    counts.add_argument("table", nargs="+")
    counts.add_argument("--out", type=Path, default=Path("by_count.json"))
    counts.set_defaults(do=by_count)
    given = parser.parse_args(arguments)
    try:
        given.do(given)
    except Error as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
