"""Every notebook of the guide runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs/site/guide"


@pytest.mark.parametrize("notebook", sorted(path.name for path in GUIDE.glob("*.py")))
def test_a_notebook_runs(notebook: str, tmp_path: Path) -> None:
    environment = {**os.environ, "GUIDE_ROUNDS": "3e6", "MPLBACKEND": "agg", "RAY_worker_niceness": "0"}
    done = subprocess.run([sys.executable, GUIDE / notebook], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    cells = (GUIDE / notebook).read_text().split("# %%")
    assert len(cells) > 4 and cells[1].lstrip().startswith("[markdown]")
