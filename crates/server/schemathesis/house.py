"""A house as the tests speak with it: requests, and accounts of every role."""

import itertools
import json
import os
import time
import urllib.request

BASE = os.environ.get("CUTCARD_BASE", "")
SUPERVISOR = os.environ.get("CUTCARD_SUPERVISOR", "")
number = itertools.count(1)


def api(method, path, token="", body=None):
    """Asks the house and answers what it said."""
    request = urllib.request.Request(BASE + path, method=method, data=json.dumps(body or {}).encode())
    request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def settled_in(name, once):
    """The token of somebody who has chosen a password in place of the one for one time."""
    token = api("POST", "/api/sessions", body={"name": name, "password": once})["token"]
    api("PUT", "/api/me/password", token, {"old": once, "new": f"correct horse {name}"})
    return token


def account(role, settled=False, name=None):
    """Somebody new of this role: number, password, token."""
    name = name or f"t{os.getpid()}-{next(number)}"
    if role == "guest":
        made = api("POST", "/api/guests")
        return made["person"], "", made["token"]
    if role == "player":
        made = api("POST", "/api/people", body={"name": name, "password": f"correct horse {name}"})
        return made["person"], f"correct horse {name}", made["token"]
    made = api("POST", "/api/staff/people", SUPERVISOR, {"name": name, "role": role})
    once = made["one_time_password"]
    if settled:
        return made["person"], f"correct horse {name}", settled_in(name, once)
    return made["person"], once, api("POST", "/api/sessions", body={"name": name, "password": once})["token"]


def buy_in(patron, cashier):
    """Chips for a patron, by name."""
    order = {"id": f"in-{patron}", "patron": patron, "amount": "1000.00"}
    api("POST", "/api/cashier/buy-ins", cashier, order)


def prepare(table, dealer):
    """The dealer works through the procedure until wagers may be placed."""
    numbers = {"cut": 200, "place-cutting-card": 104}
    while (awaiting := api("GET", f"/api/tables/{table}")["view"]["awaiting"])["what"] == "procedure":
        step = awaiting["step"]
        deed = {"id": f"prepared-{next(number)}", "do": "perform", "step": step}
        if step in numbers:
            deed["number"] = numbers[step]
        api("POST", f"/api/tables/{table}/actions", dealer, deed)


def furnished():
    """A house with something in it: a patron who has chips, a call to confirm, and a round and a shoe that are over."""
    cashier, dealer = account("cashier", settled=True)[2], account("dealer", settled=True)[2]
    _, password, token = account("player", name="patron")
    buy_in("patron", cashier)
    prepare(4, dealer)
    order = {"id": "call", "patron": "patron", "amount": "10.00"}
    call = api("POST", "/api/tables/4/cash-wagers", dealer, order)["call"]
    for n in range(1, 3):
        wager = {"id": f"wager-{n}", "round": n, "do": "wager", "box": 1, "amounts": ["10.00"]}
        api("POST", "/api/tables/1/actions", token, wager)
        while api("GET", "/api/tables/1")["view"]["round"] == n:
            time.sleep(0.05)
        if n == 1:
            api("POST", "/api/tables/1/actions", SUPERVISOR, {"id": "reshuffle", "do": "reshuffle"})
    return {"patron": "patron", "password": password, "call": call, "cashier": cashier}
