"""The descriptions of the interface are valid, say what the house does, and make clients that work."""

from __future__ import annotations

import http.client
import importlib
import json
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import websockets.sync.client
from house import House, answer
from openapi_spec_validator import validate

HERE = Path(__file__).parent
TOOLS = HERE / "node_modules/.bin"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(tmp_path_factory.mktemp("house"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def files(house: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both documents, as the house gives them."""
    folder = tmp_path_factory.mktemp("documents")
    for name in ("openapi.json", "asyncapi.json"):
        (folder / name).write_text(json.dumps(house.ask("GET", f"/api/{name}")))
    return folder


def read(files: Path, name: str = "openapi.json") -> dict[str, Any]:
    return dict(json.loads((files / name).read_text()))


def run(*command: object, cwd: Path | None = None) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_openapi_is_valid(files: Path) -> None:
    validate(read(files))


def test_redocly_finds_nothing(files: Path) -> None:
    found = run(TOOLS / "redocly", "lint", files / "openapi.json", "--extends", "recommended", "--format", "json", cwd=HERE)
    assert json.loads(found)["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}, found


def test_health_refuses_only_what_the_server_itself_refuses(house: House, files: Path) -> None:
    described = read(files)["paths"]["/health"]["get"]["responses"]
    connection = http.client.HTTPConnection(house.base.removeprefix("http://"))
    connection.request("GET", "/health", headers={f"x-{at}": "1" for at in range(101)})
    assert str(connection.getresponse().status) in described and set(described) - {"default"} == {"200", "431"}


def test_asyncapi_is_valid(files: Path) -> None:
    script = """
        import { Parser } from '@asyncapi/parser';
        import { readFileSync } from 'node:fs';
        const found = await new Parser().validate(readFileSync(process.argv[1], 'utf8'));
        const errors = found.filter((diagnostic) => diagnostic.severity <= 1);
        for (const error of errors) console.error(error.path.join('/'), error.message);
        process.exit(errors.length ? 1 : 0);
    """
    run("node", "--input-type=module", "-e", script, files / "asyncapi.json", cwd=HERE)


def test_asyncapi_names_the_house_that_was_asked(house: House, files: Path) -> None:
    server = read(files, "asyncapi.json")["servers"]["house"]
    assert f"{server['protocol']}://{server['host']}" == house.base.replace("http", "ws")


def checker(document: dict[str, Any], schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"components": document["components"], **schema})


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def test_every_example_is_what_its_schema_says(files: Path) -> None:
    document = read(files)
    checked = 0
    for route, operation in operations(document):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (content for body in bodies for content in body.get("content", {}).items()):
            kind, media = content
            if "example" in media and "json" in kind:
                errors = list(checker(document, media["schema"]).iter_errors(media["example"]))
                assert not errors, f"{route}: {errors[0].json_path} {errors[0].message}"
                checked += 1
    assert checked > 100


def test_what_the_house_says_is_what_is_described(house: House, files: Path) -> None:
    """A round of Switch over a socket: every frame fits its schema, and a new version comes when asked for."""
    document = read(files, "asyncapi.json")
    frames = document["channels"]["table"]["messages"]
    named = {name: {"$ref": f"#/components/schemas/{name}"} for name in frames}
    fits = {name: checker(document, schema) for name, schema in named.items()}
    view_of = {"view": "View"} | {w: f"Frame{w.title()}" for w in ("private", "balance", "ack", "refused")}
    token = house.ask("POST", "/api/guests")["token"]
    address = house.base.replace("http", "ws") + "/api/tables/1/live"
    heard: list[dict[str, Any]] = []
    with websockets.sync.client.connect(address, additional_headers={"authorization": f"Bearer {token}"}) as socket:

        def hear() -> dict[str, Any]:
            frame = json.loads(socket.recv(timeout=60))
            errors = list(fits[view_of[frame["type"]]].iter_errors(frame))
            assert not errors, f"{errors[0].json_path}: {errors[0].message}: {frame}"
            heard.append(frame)
            return dict(frame)

        def say(**frame: Any) -> None:
            fits["FrameResync" if "type" in frame else "Action"].validate(frame)
            socket.send(json.dumps(frame))

        def seen() -> dict[str, Any]:
            while (frame := hear())["type"] != "view":
                pass
            return frame

        view = seen()
        while view["awaiting"]["what"] != "wagers":
            view = seen()
        say(type="resync")
        assert seen()["version"] == view["version"]
        round_ = view["round"]
        say(id=house.id(), round=round_, do="wager", box=1, amounts=["10.00"])
        say(id=house.id(), round=round_, do="deal")
        say(id=house.id(), round=round_, do="hit", box=5)
        answered = 0
        while view["round"] == round_:
            view = seen()
            deed = answer(view)
            if deed is not None and view["version"] > answered:
                answered = view["version"]
                say(id=house.id(), **deed)
    kinds = {frame["type"] for frame in heard}
    assert {"view", "balance", "ack", "refused"} <= kinds, kinds
    versions = [frame["version"] for frame in heard if frame["type"] == "view"]
    assert versions == sorted(versions)
    events = {event["event"] for frame in heard if frame["type"] == "view" for event in frame["events"]}
    assert "dealt" in events and "settled" in events


def test_a_generated_python_client_plays_and_reads_the_audit(house: House, files: Path, tmp_path: Path) -> None:
    generator = Path(sys.executable).with_name("openapi-python-client")
    config = tmp_path / "config.yml"
    config.write_text("project_name_override: house-client\npackage_name_override: house_client\npost_hooks: []\n"
                      "content_type_overrides:\n  image/svg+xml: text/plain\n")  # fmt: skip
    told = run(generator, "generate", "--path", files / "openapi.json", "--config", config, "--meta", "none", "--fail-on-warning",
               "--output-path", tmp_path / "house_client")  # fmt: skip
    assert "Warning" not in told, told
    sys.path.insert(0, str(tmp_path))
    client = importlib.import_module("house_client")
    models = importlib.import_module("house_client.models")

    def call(group: str, name: str, who: Any, **asked: Any) -> Any:
        module = importlib.import_module(f"house_client.api.{group}.{group}_{name}")
        answered = module.sync(client=who, **asked)
        assert not isinstance(answered, models.ErrorBody), answered
        return answered

    nobody = client.Client(base_url=house.base)
    credentials = models.Credentials(name="pia", password="correct horse pia")
    call("people", "sign_up", nobody, body=credentials)
    pia = client.AuthenticatedClient(base_url=house.base, token=call("people", "sign_in", nobody, body=credentials).token)
    table = next(card.table for card in call("tables", "list", nobody) if card.game == "switch")
    before = call("account", "me", pia)

    def view() -> Any:
        return call("tables", "table", pia, table=table).view

    def act(deed: dict[str, Any]) -> Any:
        kind = getattr(models, "Action" + deed["do"].title().replace("-", ""))
        return call("tables", "act", pia, table=table, body=kind.from_dict({"id": house.id(), **deed}))

    while view().awaiting.what != "wagers":
        time.sleep(0.05)
    number = view().round_
    act({"do": "wager", "round": number, "box": 1, "amounts": ["10.00"]})
    act({"do": "deal", "round": number})
    while (now := view()).round_ == number:
        deed = answer({"round": now.round_, "awaiting": now.awaiting.to_dict()})
        if deed is not None:
            act(deed)
        time.sleep(0.05)
    told = call("rounds", "round", pia, table=table, round_=number)
    settled = [event for step in told.steps for event in step.events if isinstance(event, models.EventSettled)]
    assert len(settled) >= 2 and all(event.clause for event in settled), "a Switch round has two hands"
    net = sum(round(100 * float(event.net)) for event in settled)
    after = call("account", "me", pia)
    assert round(100 * float(after.play)) - round(100 * float(before.play)) == net

    boss = client.AuthenticatedClient(base_url=house.base, token=house.supervisor)
    hired = call("staff", "hire", boss, body=models.Hire(name="arne", role=models.Role.AUDITOR))
    once = models.Credentials(name="arne", password=hired.one_time_password)
    arne = client.AuthenticatedClient(base_url=house.base, token=call("people", "sign_in", nobody, body=once).token)
    changed = models.NewPassword(old=hired.one_time_password, new="correct horse arne")
    importlib.import_module("house_client.api.people.people_change_password").sync_detailed(client=arne, body=changed)
    journal = call("records", "journal", arne, limit=500)
    assert any(record.table == table and record.round_ == number for record in journal.items)


def test_a_generated_typescript_client_plays_and_reads_the_audit(house: House, files: Path, tmp_path: Path) -> None:
    for name in ("play.ts", "tsconfig.json"):
        (tmp_path / name).write_text((HERE / "typescript" / name).read_text())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "node_modules").symlink_to(HERE / "node_modules")
    run(TOOLS / "openapi-typescript", files / "openapi.json", "-o", tmp_path / "house.d.ts", cwd=HERE)
    run(TOOLS / "tsc", "-p", tmp_path)
    told = json.loads(run("node", tmp_path / "out/play.js", house.base, house.supervisor))
    assert len(told["settled"]) >= 2 and all(row["clause"] for row in told["settled"])
    assert told["records"] > 0 and told["head"]["seq"] > 0


# fields that the committed examples leave out
MORE = {
    "POST /api/lab/simulations": {"count": "hi-lo", "ramp": "1:1,2:4"},
    "POST /api/lab/sweep": {"within": "0%..2%"},
}
# cards: none of them is what is assumed where the field is left out, and the lab would compute for a while
MAY_BE_EMPTY = (".removed", ".hand", ".hand2", ".up")
REFUSED = (400, 404, 409)


def blanked(value: Any) -> Iterator[tuple[str, Any]]:
    """The value with one text after the other empty, and where that text is."""
    if isinstance(value, str):
        yield "", ""
    for key, inner in value.items() if isinstance(value, dict) else ():
        for place, changed in blanked(inner):
            yield f".{key}{place}", {**value, key: changed}
    for at, inner in enumerate(value) if isinstance(value, list) else ():
        for place, changed in blanked(inner):
            yield f"[{at}]{place}", [*value[:at], changed, *value[at + 1 :]]


def status(house: House, route: str, tokens: list[str], body: Any) -> int:
    """How the house answers the first of these people whose role allows the request."""
    method, path = route.split(" ")
    for token in tokens:
        try:
            house.ask(method, path, token, body)
            return 200
        except RuntimeError as error:
            assert isinstance(error.__cause__, urllib.error.HTTPError), error
            if error.__cause__.code != 403:
                return error.__cause__.code
    return 403


def test_what_may_not_be_empty_is_described_so(house: House, files: Path) -> None:
    document = read(files)
    zoe = {"name": "zoe", "password": "correct horse zoe"}
    house.ask("POST", "/api/people", body=zoe)
    tokens = [house.ask("POST", "/api/sessions", body=zoe)["token"], house.supervisor]
    tokens += [house.staff(role) for role in ("cashier", "dealer")]
    for opened in ("training", "rehearsal"):
        house.ask("POST", f"/api/{opened}", tokens[0], {"rules": "nj-blackjack"})
    described, silent = 0, []
    for route, operation in operations(document):
        media = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        if "example" not in media:
            continue
        known = {parameter["name"]: parameter.get("example", 1) for parameter in operation.get("parameters", [])}
        body = {**media["example"], **MORE.get(route, {})}
        for place, changed in blanked(body):
            if place.endswith(MAY_BE_EMPTY):
                continue
            # an id with another body would be refused for that
            if "id" in body and place != ".id":
                changed["id"] = house.id()
            asked = route.format(**known)
            if status(house, asked, tokens, changed) not in REFUSED:
                continue
            if not checker(document, media["schema"]).is_valid(changed):
                described += 1
            elif status(house, asked, tokens, {**body, **({"id": house.id()} if "id" in body else {})}) not in REFUSED:
                silent.append(f"{route}: {place}")
    assert not silent, silent
    assert described > 50
