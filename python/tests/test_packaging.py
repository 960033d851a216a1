"""What is shipped: the bill of materials, the licences of others, the wheel's metadata, and the words of ./package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def written(script: str) -> str:
    """What a script of packaging/ prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / script)],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(written("sbom.py"))
    return told


def test_the_bill_of_materials_names_no_path_of_this_machine(bill: dict[str, Any]) -> None:
    text = json.dumps(bill)
    assert "file://" not in text and str(ROOT) not in text and str(Path.home()) not in text
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    refs = [component["bom-ref"] for component in bill["components"]]
    assert refs == [component["purl"] for component in bill["components"]] and len(set(refs)) == len(refs) > 50
    named = {*refs, bill["metadata"]["component"]["bom-ref"]}
    assert {edge["ref"] for edge in bill["dependencies"]} == named
    assert {ref for edge in bill["dependencies"] for ref in edge["dependsOn"]} <= named


def test_what_comes_from_a_registry_has_its_checksum(bill: dict[str, Any]) -> None:
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in locked}
    hashed = 0
    for component in bill["components"]:
        checksum = checksums[component["name"], component["version"]]
        wanted = None if checksum is None else [{"alg": "SHA-256", "content": checksum}]
        assert component.get("hashes") == wanted, component
        hashed += checksum is not None
        assert component["licenses"], component
    assert hashed > 50


def test_every_dependency_has_its_licence(bill: dict[str, Any]) -> None:
    text = written("licences.py")
    named = set(re.findall(r"^(\S+ \S+) \(.+\)$", text, flags=re.MULTILINE))
    others = {f"{one['name']} {one['version']}" for one in bill["components"] if "hashes" in one}
    assert others <= named, others - named
    for words in ("Permission is hereby granted", "Apache License", "Redistribution and use in source and binary forms"):
        assert words in text
    assert str(ROOT) not in text and str(Path.home()) not in text


def test_the_wheel_says_what_it_is() -> None:
    told = metadata.metadata("cutcard")
    assert told["License-Expression"] == "Apache-2.0"
    assert told.get_all("License-File") == ["LICENSE", "THIRD-PARTY-LICENSES.txt"]
    assert told["Description"].startswith("# Cutcard")
    assert {"Typing :: Typed", "Operating System :: POSIX :: Linux"} <= set(told.get_all("Classifier") or [])
    # no address that does not exist
    assert told.get_all("Project-URL") is None and told["Home-page"] is None
    files = {file.name: file for file in metadata.files("cutcard") or [] if "licenses" in file.parts}
    assert set(files) == {"LICENSE", "THIRD-PARTY-LICENSES.txt"}
    assert files["LICENSE"].read_text() == (ROOT / "LICENSE").read_text()


def test_the_wheel_has_its_bill_of_materials_and_no_other() -> None:
    (file,) = [file for file in metadata.files("cutcard") or [] if "sboms" in file.parts]
    text = file.read_text()
    assert "file://" not in text and str(ROOT) not in text and str(Path.home()) not in text
    components = {one["name"]: one for one in json.loads(text)["components"]}
    assert components["pyo3"]["hashes"][0]["alg"] == "SHA-256" and "axum" in components


def package(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({} if path is None else {"PATH": path})}
    return subprocess.run([str(ROOT / "package"), *arguments], capture_output=True, text=True, env=environment)


def test_a_package_that_there_is_not() -> None:
    for arguments in (["rpm"], ["--test", "rpm"], ["archive", "rpm"]):
        done = package(*arguments)
        assert done.returncode == 2
        assert done.stderr == "there is no package `rpm`; there are archive deb oci wheel, and all of them: all\n"


def bare(place: Path) -> None:
    """Puts everything there that the script itself needs, and neither curl nor debootstrap nor umoci."""
    for tool in ("bash", "env", "dirname", "sed", "head", "uname", "git", "date", "id", "python3"):
        found = subprocess.run(["sh", "-c", f"command -v {tool}"], capture_output=True, text=True).stdout.strip()
        if found.startswith("/"):
            (place / tool).symlink_to(found)


@pytest.mark.skipif(os.getuid() != 0, reason="only root installs")
def test_what_is_missing_is_installed_from_debian(tmp_path: Path) -> None:
    bare(tmp_path)
    said = tmp_path / "said"
    (tmp_path / "apt-get").write_text(f'#!/bin/sh\necho "$@" >>{said}\nexit 3\n')
    (tmp_path / "apt-get").chmod(0o755)
    assert package("--test", "wheel", path=str(tmp_path)).returncode == 3
    assert said.read_text() == "update -qq\n"
    (tmp_path / "apt-get").write_text(f'#!/bin/sh\necho "$@" >>{said}\n[ "$1" = update ] || exit 4\n')
    assert package("--test", "wheel", path=str(tmp_path)).returncode == 4
    assert {"curl", "binutils"} <= set(said.read_text().splitlines()[-1].split())
    # the image is started as two nodes on a PostgreSQL, whose programs are in no path
    assert package("--test", "oci", path=str(tmp_path)).returncode == 4
    asked = said.read_text().splitlines()[-1].split()
    assert "umoci" in asked and ("postgresql" in asked) is not any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def test_what_is_missing_is_told_first_and_in_one_sentence(tmp_path: Path) -> None:
    bare(tmp_path)
    done = package("--test", "wheel", path=str(tmp_path))
    assert done.returncode == 2
    missing = done.stderr.removeprefix("Please install: ").split()
    assert "curl" in missing and "python3" not in missing and done.stderr.count("\n") == 1


def test_the_maintainer_of_the_debian_package_exists_in_form() -> None:
    told = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]["metadata"]["deb"]
    assert re.fullmatch(r"[\w ]+ <[\w.+-]+@[\w-]+(\.[\w-]+)+>", told["maintainer"])


def test_the_debian_package_ships_all_of_this() -> None:
    told = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]["metadata"]["deb"]
    papers, staged = "usr/share/doc/cutcard/", "target/packages/stage/deb/"
    shipped = {
        "target/release/cutcard": "usr/bin/",
        "packaging/debian/default": "etc/default/cutcard",
        "target/packages/verify-shoe.html": f"{papers}verify-shoe.html",
        "target/packages/THIRD-PARTY-LICENSES.txt": papers,
        f"{staged}sbom.json": papers,
        f"{staged}man/*.1": "usr/share/man/man1/",
        f"{staged}completions/cutcard": "usr/share/bash-completion/completions/",
        f"{staged}completions/_cutcard": "usr/share/zsh/vendor-completions/",
        f"{staged}completions/cutcard.fish": "usr/share/fish/vendor_completions.d/",
        "README.md": papers,
        "CHANGELOG.md": papers,
        "docs/*.md": papers,
        "docs/house/*.md": f"{papers}house/",
        "docs/decisions/*.md": f"{papers}decisions/",
    }
    assert {source.removeprefix("../../"): place for source, place, _ in told["assets"]} == shipped
    modes = {place: mode for _, place, mode in told["assets"]}
    assert modes.pop("usr/bin/") == "755" and set(modes.values()) == {"644"}
    assert told["license-file"][0] == "../../LICENSE" and told["conf-files"] == ["/etc/default/cutcard"]
    # cargo-deb takes the unit from the folder of the maintainer's scripts
    assert told["maintainer-scripts"] == "../../packaging/debian" and "systemd-units" in told
    assert (ROOT / "packaging/debian/cutcard.service").exists()
    for source in shipped:
        assert source.startswith("target/") or list(ROOT.glob(source)), source
