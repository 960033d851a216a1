"""`python -m cutcard`: the program that came with the package."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def find_program() -> str:
    """Returns the path of the program: in this Python's scripts, the user's scripts, or next to the package."""
    name = "cutcard" + (sysconfig.get_config_var("EXE") or "")
    places = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    places.append(str(Path(sys.executable).parent))
    for place in places:
        path = Path(place) / name
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"the program cutcard was not found in {', '.join(places)}")


def main() -> None:
    program = find_program()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
