"""The recipes of docs/cluster, tried as an array would: every part by its number, one of them lost and made again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import printed, timeless

from cutcard.__main__ import find_program

RECIPES = Path(__file__).parents[2] / "docs" / "cluster"
TABLE, CHUNKS, PARTS = "nj-triple-attack", 2, 4
FLAGS = "--strategy quick --seed 6"


@pytest.mark.parametrize("number", ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"])
def test_an_array_comes_to_the_same_as_one_machine(number: str, tmp_path: Path) -> None:
    script = RECIPES / ("array.sbatch" if number.startswith("SLURM") else "part.sh")
    path = f"{Path(find_program()).parent}:{os.environ['PATH']}"
    given = {"TABLE": TABLE, "CHUNKS": str(CHUNKS), "PLACE": str(tmp_path), "FLAGS": FLAGS, "PATH": path}
    given["PART"] = str(RECIPES / "part.sh")

    def part(index: int) -> None:
        subprocess.run(["sh", str(script)], env={**given, number: str(index)}, check=True)

    for index in reversed(range(PARTS)):
        part(index)
    (tmp_path / "part-2.json").unlink()
    part(2)
    merged = printed("merge", *(str(file) for file in sorted(tmp_path.glob("part-*.json"))))
    whole = printed(
        "simulate", TABLE, "--chunks", f"0..{CHUNKS * PARTS}", "--out", str(tmp_path / "whole.json"), *FLAGS.split()
    )
    made = {"threads", "engine", "instruction_set", "stopped"}
    assert {k: v for k, v in timeless(merged).items() if k not in made} == {
        k: v for k, v in timeless(whole).items() if k not in made
    }


def test_the_job_runs_the_same_script() -> None:
    job = (RECIPES / "job.yaml").read_text()
    assert 'command: ["part.sh"]' in job and "completionMode: Indexed" in job
    for name in ("TABLE", "CHUNKS", "PLACE"):
        assert f"name: {name}," in job
