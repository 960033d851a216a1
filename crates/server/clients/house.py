"""A house of its own for a test: opened on a free port, with accounts of every role, asked in plain HTTP."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PROGRAM = Path(os.environ.get("CUTCARD", Path(__file__).parents[3] / "target/debug/cutcard"))
FILE = """
name = "Clients"
[timings]
betting_ms = 60000
decision_ms = 60000
pause_ms = 50
[[table]]
rules = "nj-switch"
[[table]]
rules = "nj-blackjack"
dealing = "dealer"
[[table]]
rules = "nj-blackjack"
"""


class House:
    """Open until it is closed."""

    def __init__(self, folder: Path) -> None:
        (folder / "house.toml").write_text(FILE)
        command = [PROGRAM, "serve", "--house", folder / "house.toml", "--data", folder / "data", "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = ""
        while "one-time password" not in said:
            line = self.process.stdout.readline()
            assert line, self.process.stderr and self.process.stderr.read()
            said += line
        self.base = re.search(r"http://[^\s]+", said)[0]  # type: ignore[index]
        once = re.search(r"one-time password `(\w+)`", said)[1]  # type: ignore[index]
        self.numbers = itertools.count(1)
        self.supervisor = self.settled_in("supervisor", once)

    def settled_in(self, name: str, once: str) -> str:
        """The token of somebody who has chosen a password in place of the one for one time."""
        token = self.ask("POST", "/api/sessions", body={"name": name, "password": once})["token"]
        self.ask("PUT", "/api/me/password", token, {"old": once, "new": f"correct horse {name}"})
        return str(token)

    def staff(self, role: str) -> str:
        """The token of somebody new who works here."""
        name = f"{role}-{next(self.numbers)}"
        made = self.ask("POST", "/api/staff/people", self.supervisor, {"name": name, "role": role})
        return self.settled_in(name, made["one_time_password"])

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """What the house answers: JSON, or text. An error of the house raises."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, method=method, data=data)
        if body is not None:
            request.add_header("content-type", "application/json")
        if token:
            request.add_header("authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                raw, kind = answer.read(), answer.headers.get("content-type", "")
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path} {body}: {error.code} {error.read().decode()}") from error
        return json.loads(raw) if raw and "json" in kind else raw.decode()

    def id(self) -> str:
        return f"c-{next(self.numbers)}"

    def view(self, table: int) -> Any:
        return self.ask("GET", f"/api/tables/{table}")["view"]

    def act(self, table: int, token: str, deed: dict[str, Any]) -> Any:
        return self.ask("POST", f"/api/tables/{table}/actions", token, {"id": self.id(), **deed})

    def play(self, table: int, token: str, wager: dict[str, Any]) -> int:
        """One round with this wager, answered as simply as can be; its number."""
        while self.view(table)["awaiting"]["what"] != "wagers":
            if (deed := answer(self.view(table))) is not None:
                self.act(table, token, deed)
            time.sleep(0.02)
        number = int(self.view(table)["round"])
        self.act(table, token, {"do": "wager", "round": number, **wager})
        self.act(table, token, {"do": "deal", "round": number})
        end = time.monotonic() + 60
        while self.view(table)["round"] == number and time.monotonic() < end:
            if (deed := answer(self.view(table))) is not None:
                self.act(table, token, deed)
            time.sleep(0.02)
        return number

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


def answer(view: dict[str, Any]) -> dict[str, Any] | None:
    """What somebody who wants nothing says in this round; nothing where nobody is asked."""
    deed = _answer(view["awaiting"])
    return None if deed is None else {"round": view["round"], **deed}


def _answer(awaiting: dict[str, Any]) -> dict[str, Any] | None:
    box = awaiting.get("box")
    match awaiting["what"]:
        case "decision":
            return {"do": "stand", "box": box}
        case "switch":
            return {"do": "decline-switch", "box": box}
        case "revocation":
            return {"do": "decline-switch", "box": box}
        case "cut":
            return {"do": "decline-cut", "box": box}
        case "offer":
            return {"do": "decline", "box": awaiting["asked"][0]["box"], "offer": awaiting["offer"]}
        case _:
            return None
