"""A software bill of materials in CycloneDX's JSON: every crate that the program is made of, from `cargo metadata`."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime

metadata = json.loads(
    subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", sys.argv[1]],
        check=True, capture_output=True, text=True,
    ).stdout
)  # fmt: skip
packages = {package["id"]: package for package in metadata["packages"]}
edges = {
    node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    for node in metadata["resolve"]["nodes"]
}
root = next(id for id, package in packages.items() if package["name"] == "cli")
reached, waiting = set(), [root]
while waiting:
    if (at := waiting.pop()) not in reached:
        reached.add(at)
        waiting += edges[at]


def told(package):
    """A crate as a component."""
    purl = f"pkg:cargo/{package['name']}@{package['version']}"
    component = {"type": "library", "bom-ref": package["id"], "name": package["name"], "version": package["version"], "purl": purl}
    if package["license"]:
        component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return component


program = packages[root]
document = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {
        "timestamp": datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "component": {"type": "application", "bom-ref": root, "name": "cutcard", "version": program["version"]},
    },
    "components": sorted((told(packages[id]) for id in reached - {root}), key=lambda component: component["purl"]),
    "dependencies": [{"ref": id, "dependsOn": sorted(set(edges[id]))} for id in sorted(reached)],
}
json.dump(document, sys.stdout, indent=1)
