"""The licences of everything that the program and the Python module are made of, in one text.

    python3 packaging/licences.py >THIRD-PARTY-LICENSES.txt

The texts are those that each crate's source brings; a text that several bring stands once, under all of them.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from crates import Crate, made_of

FILES = re.compile(r"(licen[sc]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
LINE = "=" * 100


def texts(crate: Crate) -> list[str]:
    """The licence texts and notices in a crate's source."""
    package = crate.package
    source = Path(package["manifest_path"]).parent
    files = {path for path in source.iterdir() if path.is_file() and FILES.match(path.name)}
    if package["license_file"]:
        files.add((source / package["license_file"]).resolve())
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in sorted(files)]


def document() -> str:
    """All texts, each under the crates that bring it."""
    others = [crate for crate in made_of("cli", "python").values() if not crate.own]
    by_text: dict[str, list[str]] = defaultdict(list)
    without = []
    for crate in others:
        name = f"{crate.package['name']} {crate.package['version']} ({crate.package['license']})"
        found = texts(crate)
        for text in dict.fromkeys(found):
            by_text[text].append(name)
        if not found:
            without.append(name)
    parts = [f"Cutcard includes the following {len(others)} packages, under the licences below."]
    parts += ["\n".join([LINE, *names, LINE, "", text]) for text, names in sorted(by_text.items(), key=lambda at: at[1])]
    if without:
        parts.append("\n".join([LINE, *without, LINE, "", "The source brings no text; the licence is the one in brackets."]))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
