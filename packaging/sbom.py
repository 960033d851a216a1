"""A software bill of materials in CycloneDX's JSON: every crate that the program is made of.

    python3 packaging/sbom.py >sbom.json                the program
    python3 packaging/sbom.py python >cutcard.cdx.json  the wheel: the program and the module of the Python package

It names no path of the machine that makes it. A crate of the registry has the checksum that `Cargo.lock` holds it to.
"""

import json
import os
import sys
from datetime import UTC, datetime

from crates import Crate, made_of


def component(crate: Crate) -> dict:
    """A crate as a component."""
    package = crate.package
    told = {
        "type": "library",
        "bom-ref": crate.purl,
        "name": package["name"],
        "version": package["version"],
        "purl": crate.purl,
    }
    if crate.checksum:
        told["hashes"] = [{"alg": "SHA-256", "content": crate.checksum}]
    if package["license"]:
        told["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return told


def document(*others: str) -> dict:
    """The bill of materials of the program, and of other crates that are shipped with it."""
    crates = made_of("cli", *others)
    program = next(crate for crate in crates.values() if crate.own and crate.package["name"] == "cli")
    made = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": made,
            "component": {
                "type": "application",
                "bom-ref": program.purl,
                "name": "cutcard",
                "version": program.package["version"],
                "licenses": [{"expression": program.package["license"]}],
            },
        },
        "components": [component(crate) for crate in crates.values() if crate is not program],
        "dependencies": [{"ref": crate.purl, "dependsOn": list(crate.needs)} for crate in crates.values()],
    }


if __name__ == "__main__":
    json.dump(document(*sys.argv[1:]), sys.stdout, indent=1)
