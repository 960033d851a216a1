"""What schemathesis cannot know of a house: some requests would end the account that asks, or find nothing by chance.

The first are sent by an account made for each of them alone. Of all others every second one is made to fit what there is,
where chance would not do; the rest stay as they were generated. No route is left out.
"""

import atexit
import collections
import itertools
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import schemathesis  # noqa: E402
from house import account, api  # noqa: E402

ROLE = os.environ["CUTCARD_ROLE"]
TOKEN = os.environ["CUTCARD_TOKEN"]
PRESETS = ["nj-blackjack", "nj-six-to-five", "nj-double-attack", "nj-triple-attack"]
CHANGES = [[], ["decks=2"], ["soft_17=hit"]]
# The lab keeps what it has worked out. This asks for many figures at once.
EFFECTS = "nj-six-to-five"
# A patron with chips, and a cash wager that waits to be confirmed. Round 1 and shoe 1 of table 1 are over.
THERE = json.loads(os.environ["CUTCARD_THERE"])
turns = itertools.count(1)
# Answers by route and the first digit of their status, told when all is over.
ANSWERS = collections.Counter()
# These end the session, the account or its play: limits are tightened at once and loosened a day later.
LAST_DEEDS = [
    "DELETE /api/sessions/current",
    "PUT /api/me/password",
    "POST /api/me/exclusion",
    "PUT /api/me/limits",
]


def fitting(route, turn):
    """What fits the house on this route, if it is not found by chance: parts of the path, and keys of the body."""
    there = f"{turn}-{os.getpid()}"
    patron, password, call = THERE["patron"], THERE["password"], THERE["call"]
    deed = {"do": "wager", "box": 1 + turn % 6, "amounts": ["10.00"]}
    if ROLE in ("dealer", "floor"):
        deed = {"do": "call-floor"}
    if ROLE == "supervisor":
        deed = {"do": "reshuffle"}
    table = 2 if ROLE in ("dealer", "floor") else 1
    if route == "POST /api/tables/{table}/actions" and deed["do"] == "wager":
        deed["round"] = api("GET", f"/api/tables/{table}")["view"]["round"]
    order = {"id": there, "patron": patron, "amount": "10.00"}
    asked = {"table": PRESETS[turn % len(PRESETS)], "set": CHANGES[turn % len(CHANGES)]}
    record = {"table": 1, "round": 1}
    fits = {
        "POST /api/people": ({}, {"name": f"n{there}", "password": password}),
        "POST /api/sessions": ({}, {"name": patron, "password": password}),
        "POST /api/cashier/buy-ins": ({}, order),
        "POST /api/cashier/cash-outs": ({}, order),
        "GET /api/cashier/patrons/{name}": ({"name": patron}, {}),
        "GET /api/patrons/{name}/rounds": ({"name": patron}, {}),
        "POST /api/register": ({}, {"id": there, "kind": "inspection", "clause": "19:47-2.2(a)", "table": 1}),
        "POST /api/tables/{table}/cash-wagers": ({"table": 4}, order),
        "POST /api/tables/{table}/cash-wagers/{call}/confirmation": ({"table": 4, "call": call}, {"id": there}),
        "POST /api/tables/{table}/actions": ({"table": table}, {"id": there, **deed}),
        "GET /api/tables/{table}/rounds/{round}": (record, {}),
        "GET /api/tables/{table}/rounds/{round}/csv": (record, {}),
        "GET /api/tables/{table}/rounds/{round}/notation": (record, {}),
        "GET /api/tables/{table}/shoes/{shoe}": ({"table": 1, "shoe": 1}, {}),
        "GET /api/lab/simulations/{id}": ({"id": 1 + turn % 24}, {}),
        "DELETE /api/lab/simulations/{id}": ({"id": 1 + turn % 24}, {}),
        "POST /api/lab/effects": ({}, {"table": EFFECTS, "set": []}),
        "POST /api/lab/simulations": ({}, {**asked, "rounds": 1 + turn % 20_000}),
        "POST /api/coach": ({}, {**asked, "hand": "As 7d", "hand2": "", "up": "6h"}),
        "POST /api/training": ({}, {"rules": asked["table"], "set": asked["set"]}),
    }
    return fits.get(route, ({}, asked if route.startswith("POST /api/lab/") else {}))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Looks at every request before it is sent."""
    route = f"{case.operation.method.upper()} {case.operation.path}"
    turn, token = next(turns), TOKEN
    if turn % 2:
        path, body = fitting(route, turn)
        case.path_parameters = {**(case.path_parameters or {}), **path}
        if body and isinstance(case.body, dict):
            # An action is one of many shapes, of which this is another.
            case.body = body if "do" in body else {**case.body, **body}
    if ROLE != "nobody" and route in LAST_DEEDS:
        # A guest is a player too, and made without a password.
        plays = ROLE == "player" and route != "PUT /api/me/password"
        _, password, token = account("guest" if plays else ROLE)
        if turn % 2 and isinstance(case.body, dict) and "old" in case.body:
            case.body["old"] = password
    # Nobody needs these people, whose access is taken away.
    if route == "PATCH /api/staff/people/{person}" and turn % 2:
        case.path_parameters["person"] = account("dealer" if turn % 4 == 1 else "guest")[0]
    # Without a training table the coach has nothing to say.
    if route == "GET /api/training/coach" and ROLE in ("guest", "player"):
        deal_at_a_training_table()
    if token:
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def after_call(context, case, response):
    """Counts what was answered."""
    ANSWERS[f"{case.operation.method.upper()} {case.operation.path} {response.status_code // 100}"] += 1


@atexit.register
def tell():
    """Writes the counts down."""
    with open(os.environ["CUTCARD_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump(ANSWERS, file)


def deal_at_a_training_table():
    """Something to decide, if the cards will have it so."""
    api("POST", "/api/training", TOKEN, {"rules": "nj-blackjack", "set": ["decks=1"]})
    api("POST", "/api/training/actions", TOKEN, {"do": "wager", "box": 1, "amounts": ["10.00"]})
    api("POST", "/api/training/actions", TOKEN, {"do": "deal"})
