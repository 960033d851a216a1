"""What the program prints is what the schemas beside this file say: `./test schema` builds the one and runs the other."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pyarrow import parquet

SCHEMAS = Path(__file__).parent


def program() -> str:
    """The program is named by `CUTCARD`, or the one on the path."""
    found = os.environ.get("CUTCARD") or shutil.which("cutcard")
    assert found, "the program is not built; ./test schema builds it"
    return found


def printed(*arguments: str, status: int = 0) -> dict[str, Any]:
    """What the program prints with `--json`."""
    done = subprocess.run([program(), *arguments, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


COMMANDS: list[tuple[str, list[str], int]] = [
    ("tables", ["tables"], 0),
    ("tables", ["tables", "ma-switch"], 0),
    ("check", ["check", "nj-blackjack"], 0),
    ("check", ["check", "nj-blackjack", "--set", "decks=4", "--set", "side_wagers.match-the-dealer=true"], 1),
    ("error", ["check", "nj-poker"], 2),
    ("edge", ["edge", "nj-double-attack"], 0),
    ("edge", ["edge", "nj-blackjack", "--set", "side_wagers.match-the-dealer=true"], 0),
    ("ev", ["ev", "nj-blackjack", "--hand", "Ts 6d", "--up", "As"], 0),
    ("ev", ["ev", "nj-switch", "--hand", "Js 6d", "--hand2", "9s 5d", "--up", "Jh"], 0),
    ("ev", ["ev", "nj-double-attack", "--up", "6h"], 0),
    ("strategy", ["strategy", "nj-triple-attack"], 0),
    ("simulate", ["simulate", "nj-triple-attack", "--rounds", "1e5", "--strategy", "quick"], 0),
    ("simulate", ["simulate", "nj-blackjack", "--rounds", "1e5", "--strategy", "quick", "--count", "ko"], 0),
    ("simulate", ["simulate", "nj-switch", "--rounds", "1e4", "--side-count", "match=hi-lo", "--side-ramp", "match=1:0,2:3"], 0),
    ("clauses", ["clauses", "--game", "switch"], 0),
    ("report", ["report", "nj-six-to-five", "--verify", "1e5"], 0),
    ("report", ["report", "nj-triple-attack"], 0),
    ("indices", ["indices", "nj-six-to-five", "--count", "hi-lo"], 0),
    ("ramp", ["ramp", "nj-blackjack", "--count", "hi-lo", "--rounds", "1e6"], 0),
    ("perfect", ["perfect", "nj-blackjack", "--rounds", "20"], 0),
    ("atlas", ["atlas", "nj-blackjack", "--only", "decks=6", "--only", "bonus_payouts=[]", "--most", "3"], 0),
    ("side", ["side", "nj-blackjack", "--set", "side_wagers.over-under-13=true", "--wager", "over-13", "--rounds", "50"], 0),
    ("card", ["card", "nj-blackjack"], 0),
    ("card", ["card", "nj-switch"], 0),
    ("removal", ["removal", "nj-triple-attack"], 0),
    ("removal", ["removal", "nj-blackjack", "--set", "decks=3", "--hypothetical"], 0),
    ("sweep", ["sweep", "nj-blackjack", "--vary", "decks=3,6", "--vary", "soft_17=stand,hit", "--all"], 0),
    ("compare", ["compare", "nj-blackjack", "nj-six-to-five"], 0),
    ("tags", ["tags", "nj-triple-attack", "--level", "2"], 0),
]


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", [path.stem for path in sorted(SCHEMAS.glob("*.json"))])
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert not Draft202012Validator(schema(name)).is_valid({"made_by": {}, "of": {}})


@pytest.mark.parametrize(("name", "command", "status"), COMMANDS)
def test_documents_fit(name: str, command: list[str], status: int) -> None:
    document = printed(*command, status=status)
    errors = [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema(name)).iter_errors(document)]
    assert not errors, errors


def test_parquet_is_read_back(tmp_path: Path) -> None:
    """By a reader that is not ours: every column is what the CSV of the same run has, in less room."""
    run = ["simulate", "nj-blackjack", "--strategy", "quick", "--rounds", "2e5", "--fresh-shoes"]
    files = {form: tmp_path / f"shoes.{form}" for form in ("csv", "parquet")}
    documents = [printed(*run, "--shoes", str(file)) for file in files.values()]
    columns = parquet.read_table(files["parquet"]).to_pydict()
    lines = files["csv"].read_text(encoding="utf-8").splitlines()
    assert list(columns) == lines[0].split(",")
    rows = list(zip(*columns.values(), strict=True))
    assert len(rows) == len(lines) - 1 > 2**16
    assert rows == [tuple(float(cell) for cell in line.split(",")) for line in lines[1:]]
    assert files["parquet"].stat().st_size < files["csv"].stat().st_size
    footer = parquet.read_metadata(files["parquet"]).metadata
    assert json.loads(footer[b"of"]) == documents[1]["of"]
    assert json.loads(footer[b"made_by"]) == documents[1]["made_by"]


def test_a_sweep_in_parquet_has_nulls_and_provenance(tmp_path: Path) -> None:
    """By a reader that is not ours: what was not worked out is null, and the footer has the provenance of the JSON."""
    run = ["sweep", "nj-blackjack", "--no-spread", "--vary", "decks=6,8,13"]
    document = printed(*run)
    file = tmp_path / "tables.parquet"
    printed_text = [program(), *run, "--format", "parquet", "--out", str(file)]
    subprocess.run(printed_text, check=True, capture_output=True)
    columns = parquet.read_table(file).to_pydict()
    assert columns["std_dev"] == [None, None, None]
    assert columns["house_edge"] == [table.get("house_edge") for table in document["tables"]]
    assert columns["house_edge"][2] is None and columns["not_solved"][2] == document["tables"][2]["not_solved"]
    footer = parquet.read_metadata(file).metadata
    assert json.loads(footer[b"made_by"]) == document["made_by"]
    assert json.loads(footer[b"of"]) == document["of"]


def test_rounds_fit(tmp_path: Path) -> None:
    file = tmp_path / "one.round"
    validator = Draft202012Validator(schema("replay"))
    file.write_text("table nj-blackjack\ncards Ts 6h 9d Qs 9c\nbet 1 ann 10\n1 stand\n")
    validator.validate(printed("replay", str(file)))
    file.write_text("table nj-blackjack\ncards Ts 6h 9d Qs 9c\nbet 1 ann 10\n1 surrender\n")
    validator.validate(printed("replay", str(file), status=1))


def test_parts_fit(tmp_path: Path) -> None:
    parts = [str(tmp_path / name) for name in ("first", "second")]
    for chunks, part in zip(("0..1", "1..2"), parts, strict=True):
        printed("simulate", "nj-blackjack", "--strategy", "quick", "--chunks", chunks, "--out", part)
    Draft202012Validator(schema("merge")).validate(printed("merge", *parts))


def test_a_house_fits(tmp_path: Path) -> None:
    """A house is opened and closed; then it is audited, copied, restored, followed, made anew and exported."""
    house, archive, backup, copy, files = (str(tmp_path / name) for name in ("house", "archive", "backup", "copy", "files"))
    serve = [program(), "serve", "--listen", "127.0.0.1:0", "--data", house, "--archive", archive]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as opened:
        assert opened.stdout is not None
        assert "is open at" in opened.stdout.readline()
        opened.send_signal(signal.SIGTERM)
        opened.stdout.read()
    for name, arguments in (
        ("audit", ["--data", house]),
        ("backup", ["--data", house, backup]),
        ("restore", ["--data", copy, backup]),
        ("follow", ["--data", copy, "--archive", archive, "--once"]),
        ("rebuild", ["--data", house]),
        ("export", ["--data", house, files]),
    ):
        Draft202012Validator(schema(name)).validate(printed(name, *arguments))


def test_a_doctor_fits(tmp_path: Path) -> None:
    """No house is there, and the document says so."""
    found = printed("doctor", "--data", str(tmp_path / "none"), status=1)
    Draft202012Validator(schema("doctor")).validate(found)
    assert not all(check["ok"] for check in found["checks"])


def test_every_shoe_gets_its_verdict(tmp_path: Path) -> None:
    """The honest house and every forgery: the exit status, and word for word the verdict that the page gives."""
    vectors = json.loads((SCHEMAS.parent.parent / "crates/server/browser/vectors.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema("verify-shoe"))
    tried: set[str] = set()
    opening, log = tmp_path / "opening.json", tmp_path / "log.json"
    for vector in vectors:
        opening.write_text(json.dumps(vector["opening"]), encoding="utf-8")
        log.write_text(json.dumps(vector["log"]), encoding="utf-8")
        noted = {"--log": vector["log"] and str(log), "--commitment": vector["commitment"], "--nonce": vector["nonce"]}
        given = {option: value for option, value in noted.items() if value is not None}
        tried |= given.keys()
        options = [part for option in given.items() for part in option]
        found = printed("verify-shoe", str(opening), *options, status=0 if vector["fails"] is None else 1)
        validator.validate(found)
        assert {part: found[part] for part in ("checks", "holds", "unchecked")} == vector["verdict"], vector["name"]
    assert tried == {"--log", "--commitment", "--nonce"}
