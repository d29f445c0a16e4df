"""Hooks for schemathesis: values that exist, so that not every answer is a refusal; and what was answered.

Made-up words are no line of a command, and a made-up identifier is that of no run. So a part of the requests is given
some that are: which part, and which of them, follows from the request itself, so that one seed gives one examination. A
stranger knows none.
"""

import json
import os
import zlib

import schemathesis

KNOWN = json.loads(os.environ["GOODPUT_KNOWN"])
SEEN = open(os.environ["GOODPUT_SEEN"], "a", buffering=1, encoding="utf-8")


def number(case):
    """A number that follows from the request."""
    parts = (case.operation.label, case.path_parameters, case.query, case.body)
    return zlib.crc32(repr(parts).encode("utf-8", "backslashreplace"))


def put(values, name, value):
    """The same parameters with one of them known."""
    return {**values, name: value} if isinstance(values, dict) else {name: value}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    chance = number(case)
    # A quarter stays as it was made up.
    if not KNOWN or chance % 4 == 0:
        return
    pick = chance // 4

    def one_of(values):
        return values[pick % len(values)]

    label = case.operation.label
    if "/runs/{id}" in label:
        run = one_of(sorted(KNOWN["runs"]))
        case.path_parameters = put(case.path_parameters, "id", run)
        if "{form}" in label:
            case.path_parameters = put(case.path_parameters, "form", one_of(KNOWN["runs"][run]))
        if label.endswith("/experiment"):
            case.path_parameters = put(case.path_parameters, "id", KNOWN["experiment"])
    elif "/jobs/{id}" in label:
        case.path_parameters = put(case.path_parameters, "id", one_of(KNOWN["jobs"]))
    elif "/schedules/{id}" in label:
        names = KNOWN["doomed" if label.startswith("DELETE") else "schedules"]
        case.path_parameters = put(case.path_parameters, "id", one_of(names))
    elif label == "GET /compare":
        case.query = put(case.query, "runs", ",".join(sorted(KNOWN["runs"])[:2]))
    elif label == "GET /hosts/differences":
        case.query = put(case.query, "names", ",".join(KNOWN["hosts"]))
    elif label == "GET /hosts/records":
        case.query = put(case.query, "name", list(KNOWN["hosts"]))

    if not isinstance(case.body, dict):
        return
    if label in ("POST /jobs", "POST /forms/check") and pick % 2 == 0:
        case.body = put(case.body, "line", one_of(KNOWN["lines"]))
    elif label in ("POST /schedules", "PUT /schedules/{id}") and pick % 2 == 0:
        # Seldom enough that it begins no job in the meantime.
        when = {"kind": "every", "seconds": 86400}
        case.body = {**case.body, "line": one_of(KNOWN["lines"]), "when": when, "jitter_seconds": None, "webhook": None}
        case.body["alerts"] = []
        if label.startswith("PUT"):
            case.body["name"] = case.path_parameters["id"]
    elif label == "POST /session":
        case.body = put(case.body, "password", KNOWN["password"])
    elif label == "PUT /runs/{id}/tags" and pick % 2 == 0:
        case.body = put(case.body, "tags", ["examined"])


@schemathesis.hook
def after_call(ctx, case, response):
    # Methods that are not described are tried as well, under the name of one that is.
    path = case.operation.label.split(" ", 1)[1]
    print(f"{case.method.upper()} {path}", response.status_code, sep="\t", file=SEEN)
    if KNOWN and case.operation.label == "POST /jobs" and response.status_code == 201:
        KNOWN["jobs"] = [*KNOWN["jobs"][-9:], response.json()["id"]]
