"""Asks a house on every route and writes down what was asked and answered, for the OpenAPI document.

    examples.py        writes crates/server/src/openapi/examples.json
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from pathlib import Path
from typing import Any

from house import House

PLACE = Path(__file__).parents[1] / "src/openapi/examples.json"
SECRET = {"token", "password", "old", "new", "one_time_password", "secret", "url"}
LONGEST, MOST = 160, 2
NODES = {
    "me": "a",
    "nodes": [
        {
            "name": "a", "incarnation": 1, "address": "127.0.0.1:9001", "program": "0.1.0", "alive": True,
            "lease_left_ms": 2500, "tables": [{"table": 1, "epoch": 1}],
        }
    ],
    "free": [],
}  # fmt: skip


# a request that waits for a second person; the house of the examples needs none
WAITS = {
    "request": "5d1f0c8a2b9e4471", "action": "buy-in", "by": "carol", "mine": True, "at": "2026-11-16T08:12:24.000Z",
    "expires": "2026-11-16T09:12:24.000Z", "name": "ann", "amount": "20000.00", "unlock": False,
    "reset_password": False, "remove_second_factor": False, "reason": "",
}  # fmt: skip
WAITS_HIRE = {**WAITS, "action": "hire", "by": "supervisor", "name": "dora", "role": "dealer"}
WAITS_CHANGE = {**WAITS, "action": "change-account", "by": "supervisor", "name": "carol", "reset_password": True}
for other in (WAITS_HIRE, WAITS_CHANGE):
    del other["amount"]


def short(value: Any, key: str = "") -> Any:
    """What an example needs of a value: no secret, no long text, two of many."""
    if isinstance(value, dict):
        kept = list(value.items())
        # objects with a row for everything are shown by a few of them
        if key in ("names", "counts", "by_kind", "effects", "additional"):
            kept = kept[:MOST]
        return {name: short(inner, name) for name, inner in kept}
    if isinstance(value, list):
        return [short(inner, key) for inner in value[:MOST]]
    if isinstance(value, str):
        if key in SECRET and value:
            return "correct horse battery"
        return value if len(value) <= LONGEST else value[: LONGEST - 1] + "…"
    return value


# what the analyst's bench is asked besides a table
BENCH: dict[str, dict[str, Any]] = {
    "report": {},
    "report.html": {},
    "card.svg": {"letter": True},
    "sweep": {"vary": ["soft_17=stand,hit", "surrender=false,true"]},
    "shoe": {"removed": "As 5x3", "hand": "T 6", "up": "T"},
    "shoe/strategy": {"removed": "5x4"},
    "removal": {},
    "tags": {"level": 2},
    "indices": {"count": "hi-lo"},
    "ramp": {"count": "hi-lo", "bankroll": 1000, "least": 1, "most": 12},
}


class Recorder:
    """Asks, and notes it under the route."""

    def __init__(self, house: House) -> None:
        self.house, self.noted = house, {}

    def note(self, route: str, token: str = "", body: Any = None, query: str = "", **path: Any) -> Any:
        method, pattern = route.split(" ")
        address = re.sub(r"{(\w+)}", lambda part: str(path[part[1]]), pattern)
        for _ in range(5):
            try:
                answered = self.house.ask(method, address + query, token, body)
                break
            except RuntimeError as error:
                # what the lab has worked out by then is kept
                if "timed-out" not in str(error):
                    raise
        noted: dict[str, Any] = {}
        if body is not None:
            noted["asked"] = short(body)
        if path:
            noted["with"] = path
        if answered not in ("", None):
            noted["answered"] = short(answered)
        self.noted[route] = noted
        return answered


def prepare(house: House, table: int, dealer: str) -> None:
    """The dealer works through the procedure until wagers may be placed."""
    numbers = {"cut": 200, "place-cutting-card": 104}
    while (awaiting := house.view(table)["awaiting"])["what"] == "procedure":
        deed = {"do": "perform", "step": awaiting["step"]}
        if awaiting["step"] in numbers:
            deed["number"] = numbers[awaiting["step"]]
        house.act(table, dealer, deed)


def tell(house: House) -> dict[str, Any]:
    """Every route once."""
    r = Recorder(house)
    note, boss = r.note, house.supervisor
    for route in ("/health", "/ready", "/api/house", "/api/tables", "/api/lab", "/api/notices", "/api/journal/head"):
        note(f"GET {route}")
    # a house of one process has no nodes to tell of
    r.noted["GET /api/nodes"] = {"answered": NODES}
    r.noted["GET /api/openapi.json"] = {"answered": {"openapi": "3.1.0"}}
    r.noted["GET /api/asyncapi.json"] = {"answered": {"asyncapi": "3.0.0"}}
    # people
    guest = note("POST /api/guests")
    player = {"name": "ann", "password": "correct horse ann"}
    note("POST /api/people", body=player)
    ann = note("POST /api/sessions", body=player)["token"]
    hired = note("POST /api/staff/people", boss, {"name": "carol", "role": "cashier"})
    cashier = house.ask("POST", "/api/sessions", body={"name": "carol", "password": hired["one_time_password"]})["token"]
    note("PUT /api/me/password", cashier, {"old": hired["one_time_password"], "new": "correct horse carol"})
    auditor, dealer, leaver = house.staff("auditor"), house.staff("dealer"), house.staff("dealer")
    number = house.ask("GET", "/api/me", leaver)["person"]
    note("PATCH /api/staff/people/{person}", boss, {"role": "floor"}, person=number)
    note("GET /api/staff/people", boss)
    note("POST /api/me/second-factor", cashier, {"password": "correct horse carol"})
    r.noted["PUT /api/me/second-factor"] = {"asked": {"code": "123456"}}
    r.noted["GET /api/staff/requests"] = {"answered": [{**WAITS, "mine": False}]}
    r.noted["POST /api/staff/requests/{request}/decision"] = {
        "with": {"request": WAITS["request"]},
        "asked": {"decision": "approve"},
        "answered": {"seq": 58, "decision": "approve", "name": "ann"},
    }
    r.noted["POST /api/staff/people"]["waits"] = WAITS_HIRE
    r.noted["PATCH /api/staff/people/{person}"]["waits"] = WAITS_CHANGE
    # chips
    order = {"id": "in-1", "patron": "ann", "amount": "500.00"}
    note("POST /api/cashier/buy-ins", cashier, order)
    note("POST /api/cashier/cash-outs", cashier, {**order, "id": "out-1", "amount": "20.00"})
    for route in ("buy-ins", "cash-outs"):
        r.noted[f"POST /api/cashier/{route}"]["waits"] = {**WAITS, "action": route.removesuffix("s")}
    note("GET /api/cashier/patrons/{name}", cashier, name="ann")
    note("PUT /api/me/chips", ann, {"chips": "cash"})
    # tables
    round_ = house.play(1, ann, {"box": 1, "amounts": ["10.00"]})
    note("GET /api/tables/{table}", table=1)
    while (view := house.view(1))["awaiting"]["what"] != "wagers":
        time.sleep(0.05)
    action = {"id": "w-1", "round": view["round"], "do": "wager", "box": 1, "amounts": ["10.00"]}
    note("POST /api/tables/{table}/actions", ann, action, table=1)
    house.act(1, ann, {"do": "withdraw", "round": view["round"], "box": 1})
    for route in ("", "/csv", "/notation"):
        note(f"GET /api/tables/{{table}}/rounds/{{round}}{route}", ann, table=1, round=round_)
    other = house.play(3, ann, {"box": 1, "amounts": ["10.00"]})
    note("GET /api/tables/{table}/rounds/{round}/analysis", ann, table=3, round=other)
    note("GET /api/tables/{table}/rules", table=1)
    note("GET /api/register/due", boss)
    note("GET /api/tables/{table}/edge", table=3)
    house.act(1, boss, {"do": "reshuffle"})
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            note("GET /api/tables/{table}/shoes/{shoe}", table=1, shoe=1)
            break
        except RuntimeError:
            time.sleep(0.1)
    prepare(house, 2, dealer)
    # a table takes cash as soon as the register holds what its options need
    for at, due in enumerate(house.ask("GET", "/api/register/due", boss)):
        kind = "approval" if "approv" in due["what"] else "notice"
        entry = {"id": f"due-{at}", "kind": kind, "clause": due["clause"], "text": "as filed"}
        house.ask("POST", "/api/register", boss, entry)
    call = note("POST /api/tables/{table}/cash-wagers", dealer, {**order, "id": "cw-1", "amount": "25.00"}, table=2)
    note("POST /api/tables/{table}/cash-wagers/{call}/confirmation", boss, table=2, call=call["call"])
    r.noted["GET /api/tables/{table}/live"] = {"with": {"table": 1}}
    r.noted["GET /api/calls/live"] = {}
    # my account
    for route in ("GET /api/me", "GET /api/me/statement", "GET /api/me/limits", "GET /api/me/rounds"):
        note(route, ann)
    note("PUT /api/me/limits", ann, {"id": "l-1", "measure": "loss", "span": "day", "most": 20000})
    house.play(1, guest["token"], {"box": 1, "amounts": ["10.00"]})
    note("POST /api/me/refill", guest["token"], {"id": "r-1"})
    # training and the lab
    table = {"table": "nj-blackjack", "set": ["decks=2"]}
    note("POST /api/training", ann, {"rules": "nj-blackjack"})
    note("PUT /api/training/cards", ann, {"cards": "Ts 6h 9d 5c 8s 7h"})
    note("GET /api/training", ann)
    house.ask("POST", "/api/training/actions", ann, {"do": "wager", "box": 1, "amounts": ["10.00"]})
    house.ask("POST", "/api/training/actions", ann, {"do": "deal"})
    note("GET /api/training/coach", ann)
    what = house.ask("GET", "/api/training", ann)["awaiting"]["what"]
    deed = {"do": "decline-switch", "box": 1} if what == "switch" else {"do": "stand", "box": 1}
    note("POST /api/training/actions", ann, {**deed, "coach": True})
    memory = {"turn": 1, "known": {"16 against 10": {"hand": "Ts 6h", "up": "Td", "asks": "play", "level": 0, "due": 3, "seen": 1,
                                                     "wrong": 1, "cost": 0.01}},
              "days": {"2026-11-16": {"hands": 1, "right": 0, "cost": 0.01}}}  # fmt: skip
    note("PUT /api/training/memory/{table}", ann, {"id": "m-1", **memory}, table="nj-blackjack")
    note("GET /api/training/memory/{table}", ann, table="nj-blackjack")
    opened = note("POST /api/rehearsal", ann, {"rules": "nj-blackjack"})
    view, numbers = opened["view"], {"cut": 200, "place-cutting-card": 104}
    while view["awaiting"]["what"] != "wagers":
        awaited = view["awaiting"]
        deed = {"do": "card", "card": "2c"}
        if awaited["what"] == "procedure":
            deed = {"do": "perform", "step": awaited["step"]}
            if awaited["step"] in numbers:
                deed["number"] = numbers[awaited["step"]]
        view = note("POST /api/rehearsal/actions", ann, deed)
    note("POST /api/rehearsal/wagers", ann)
    note("POST /api/coach", body={"table": "nj-blackjack", "hand": "As 7d", "up": "6h"})
    for route in ("check", "edge", "effects", "strategy", "strategy.svg"):
        note(f"POST /api/lab/{route}", body=table)
    for route, more in BENCH.items():
        note(f"POST /api/lab/{route}", body={**table, **more})
    note("POST /api/lab/compare", body={"a": table, "b": {"table": "nj-blackjack", "set": ["decks=2", "soft_17=hit"]}})
    begun = note("POST /api/lab/simulations", ann, {**table, "rounds": 1000000})
    note("GET /api/lab/simulations/{id}", ann, id=begun["id"])
    note("DELETE /api/lab/simulations/{id}", ann, id=begun["id"])
    note("GET /api/clauses", query="?q=ace&limit=2")
    # the books
    count = {"id": "c-1", "why": "opening", "chips": {"25.00": 40, "100.00": 20}}
    note("POST /api/tables/{table}/counts", dealer, count, table=2)
    note("GET /api/tables/{table}/counts", dealer, table=2)
    entry = {"id": "e-1", "kind": "inspection", "clause": "19:47-2.2(a)", "table": 1, "text": "cards inspected"}
    note("POST /api/register", boss, entry)
    for route in ("GET /api/register", "GET /api/clock", "GET /api/significant-events", "GET /api/returns"):
        note(route, auditor)
    r.noted["POST /api/clock/confirmation"] = {
        "asked": {"id": "t-1", "time": "2026-11-15T02:30:00Z", "reason": "by the clock of the cage"},
        "answered": r.noted["GET /api/clock"]["answered"],
    }
    note("GET /api/journal", auditor, query="?limit=2")
    note("GET /api/reports/{day}", auditor, day="today")
    note("GET /api/reports/{day}/csv", auditor, day="today")
    note("GET /api/patrons/{name}/rounds", auditor, name="ann")
    note("POST /api/me/exclusion", ann, {"id": "x-1", "days": 30})
    note("DELETE /api/sessions/current", ann)
    return r.noted


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            told = tell(house)
        finally:
            house.close()
    PLACE.write_text(json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
