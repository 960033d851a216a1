"""The benchmark: its regret is exact, and the committed baselines are what the command makes."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cutcard as cc
from cutcard.benchmark import TASKS, __main__ as command, agents, score
from cutcard.benchmark.play import best_value, chart_value
from cutcard.benchmark.tasks import by_count, references

BASELINES = Path(__file__).parents[1] / "baselines"


def committed(agent: str) -> dict[str, dict[str, Any]]:
    document = json.loads((BASELINES / f"{agent}.json").read_text())
    assert document["agent"] == agent and document["made_by"]["version"] == cc.__version__
    return {told["task"]: told for told in document["tasks"]}


def test_the_regret_of_the_chart_is_exact() -> None:
    for task in ("blackjack", "blackjack-stakes"):
        found = score("chart", task, rounds=5000, seed=3)
        table = cc.Table("nj-blackjack")
        assert found.std_error == 0 and found.regret == pytest.approx(best_value(table) - chart_value(table), abs=1e-15)


def test_playing_beside_the_chart_takes_luck_away_and_nothing_else() -> None:
    """A policy that errs in one decision only is measured far better, and to the same value."""

    def stands_on_sixteen(env: Any) -> Any:
        def policy(seen: Any, masks: Any) -> Any:
            hard = (seen[:, 0] == 7) & (seen[:, 1] == 16) & (seen[:, 2] == 0) & (seen[:, 3] == 0)
            return np.where(hard, 0, env.expert())

        return policy

    found = score(stands_on_sixteen, "blackjack", rounds=40_000, seed=2)
    table = cc.Table("nj-blackjack")
    plain = cc.evaluate("expert", table, rounds=40_000)
    assert found.std_error < plain.std_error / 3
    assert 0 < found.regret < 0.01 and abs(found.tables[0]["mean"] - plain.mean) < 5 * plain.std_error


def test_every_task_is_lawful_and_no_held_out_table_is_trained_at() -> None:
    games = {task.scored[0].to_dict()["game"] for task in TASKS.values()}
    assert games == {"blackjack", "switch", "double-attack", "triple-attack"}
    for task in TASKS.values():
        assert all(table.check().lawful for table in [*task.training, *task.scored])
        assert not {*task.training} & {*(task.scored if task.held_out else [])}
    # rules that an agent has not met, in every game
    assert {name.removesuffix("-rules") for name, task in TASKS.items() if task.held_out} == games
    for part in ("-count", "-stakes", "-side-wagers", "-rules"):
        assert any(name.endswith(part) for name in TASKS)


def test_the_best_stake_is_the_greatest_only_where_the_player_wins() -> None:
    least, most = TASKS["blackjack-stakes"], TASKS["blackjack-single-deck-stakes"]
    assert least.best(least.scored[0]) == best_value(least.scored[0]) < 0
    assert most.best(most.scored[0]) == 8 * best_value(most.scored[0]) > 0


def test_the_values_by_count_are_frequencies_and_means() -> None:
    for name in references()["tables"]:
        rows = by_count(name)
        assert sum(row["frequency"] for row in rows) == pytest.approx(1, abs=1e-5)
        # on average a round is worth about what one from a full shoe is: index plays gain a little
        mean = sum(row["frequency"] * row["ev"] for row in rows)
        exact = committed("chart")[name.removeprefix("nj-")]["tables"][0]["best"]
        assert abs(mean - exact) < 0.003, name
        assert sum(row["frequency"] * row["ev_error"] for row in rows) < 1e-4


@pytest.mark.parametrize("agent", ["mimic", "chart"])
def test_a_committed_baseline_is_what_the_command_makes(agent: str) -> None:
    assert command.baseline(agent, TASKS["blackjack"], 1) == committed(agent)["blackjack"]


@pytest.mark.parametrize("agent", agents.LEARNERS)
def test_a_learner_learns_what_is_committed(agent: str) -> None:
    """The first two points of the curve, which are soon reached."""
    training = agents.LEARNERS[agent](TASKS["blackjack"], 1, command.TRAINING, agents.stops_of(command.TRAINING))
    curve = []
    for done, made in islice(training, 2):
        point = score(made, "blackjack", rounds=command.CURVE, seed=2).to_dict()
        curve.append([done, point["regret"], point["std_error"]])
    assert curve == committed(agent)["blackjack"]["curve"][:2]


def test_every_baseline_is_committed_in_every_task() -> None:
    for agent in [*agents.FIXED, *agents.LEARNERS]:
        told = committed(agent)
        assert list(told) == [name for name, task in TASKS.items() if command.plays_in(agent, task)]
        for name, entry in told.items():
            rows = entry["tables"]
            assert len(rows) == len(TASKS[name].scored)
            regret = sum(row["best"] - row["mean"] for row in rows) / len(rows)
            assert entry["regret"] == pytest.approx(regret, abs=2e-9)
    tasks = [name for name, task in TASKS.items() if task.count is None]
    order = [committed(agent) for agent in ("chart", "policy-gradient", "random")]
    for name in tasks:
        regrets = [told[name]["regret"] for told in order]
        assert regrets == sorted(regrets), name


@pytest.mark.parametrize("name", ["blackjack-single-deck-stakes", "blackjack-side-wagers", "switch-count"])
def test_the_committed_values_of_the_best_play_are_those_of_the_solver(name: str) -> None:
    values = [round(TASKS[name].best(table), 9) for table in TASKS[name].scored]
    for agent in ("chart", "random"):
        assert [row["best"] for row in committed(agent)[name]["tables"]] == values


def test_the_summary_is_that_of_the_score_files(tmp_path: Path) -> None:
    for path in BASELINES.glob("*.json"):
        (tmp_path / path.name).write_text(path.read_text())
    command.summary(tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_text() for path in BASELINES.iterdir()}
    assert sum(name.endswith(".svg") for name in made) == len(agents.LEARNERS)


def test_an_agent_of_ones_own_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (tmp_path / "mine.py").write_text("def agent(env):\n    return lambda seen, masks: env.expert()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    asked = ["run", "mine:agent", "--task", "blackjack", "--rounds", "5e3", "--out", "mine.json"]
    assert command.main(asked) == 0
    assert json.loads((tmp_path / "mine.json").read_text())["tasks"][0]["rounds"] == 5000
    for wrong in (["run", "nobody"], ["run", "mine:nobody"], ["run", "chart", "--task", "poker"]):
        assert command.main(wrong) == 2
    told = capsys.readouterr().err.splitlines()
    assert "there is no baseline `nobody`" in told[0] and "mine:nobody cannot be imported" in told[1]
    assert "there is no task `poker`" in told[2]
