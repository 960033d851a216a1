"""The crates that a binary is made of, from `cargo metadata` and `Cargo.lock`."""

import json
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Crate:
    """A crate, the crates that it is built with, and its checksum where it comes from a registry."""

    package: dict
    needs: tuple[str, ...]
    checksum: str | None

    @property
    def purl(self) -> str:
        return purl(self.package)

    @property
    def own(self) -> bool:
        """Whether it belongs to this repository."""
        return self.package["source"] is None


def purl(package: dict) -> str:
    """The address of a package, which is the same on every machine."""
    return f"pkg:cargo/{package['name']}@{package['version']}"


def host() -> str:
    """The platform that this machine compiles for."""
    told = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return next(line.removeprefix("host: ") for line in told.splitlines() if line.startswith("host: "))


def made_of(*roots: str) -> dict[str, Crate]:
    """Returns the crates that these crates of the workspace are built with, themselves among them, by purl."""
    # the same crates whatever machine looks: that of the compiler, and the features of a release
    told = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host(), "--features", "python/module"],
        check=True, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    metadata = json.loads(told.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    edges = {
        node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in locked}
    found: dict[str, Crate] = {}
    waiting = [id for id, package in packages.items() if package["name"] in roots and package["source"] is None]
    while waiting:
        at = waiting.pop()
        package = packages[at]
        if purl(package) in found:
            continue
        needs = tuple(sorted({purl(packages[id]) for id in edges[at]}))
        found[purl(package)] = Crate(package, needs, checksums[package["name"], package["version"]])
        waiting += edges[at]
    return dict(sorted(found.items()))
