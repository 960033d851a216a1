"""Writes the verifier that the house does not serve: one HTML file with the page's own checks in it.

    python3 packaging/verifier.py >verify-shoe.html
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROOF = HERE.parent / "crates/server/web/page/shared/proof.js"


def main() -> None:
    page = (HERE / "verifier.html").read_text(encoding="utf-8")
    proof = PROOF.read_text(encoding="utf-8")
    if "import " in proof.split("/**", 1)[0] or "</script" in proof:
        sys.exit(f"{PROOF}: it must stand alone")
    proof = "\n".join(line.removeprefix("export ") for line in proof.splitlines())
    sys.stdout.write(page.replace("/*PROOF*/", proof))


if __name__ == "__main__":
    main()
