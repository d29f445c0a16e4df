"""Examines the API of `goodput serve` by its description: `web/proofs/api/run`, which sees to what this needs.

On loopback of a network of its own: an agent whose policy bounds whatever is begun to two seconds, a few runs measured
with it, and a server that wants a password or a token. schemathesis then asks it everything that its description
allows, and much that it does not, as a stranger and as an operator. Answers must be those that are described, none of
them a fault of the server; a stranger must get nothing but the login; and an operator must have had a good answer of
every operation, else the examination says nothing of it.
"""

import collections
import json
import os
import pathlib
import signal
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LEFT = ROOT / "target/api-test"
PROGRAM = os.environ.get("GOODPUT", str(ROOT / "target/release/goodput"))
API = "http://127.0.0.1:5380/api/v1"
PASSWORD = "a password for the examination"
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]
# Whoever may ask is told of a wrong method, with those that there are; a stranger is told of nothing.
OF_AN_OPERATOR = [*CHECKS, "unsupported_method"]
# Seconds that one examination may take.
LONGEST = 1800
# Logging in is what a stranger may do, and be told of. All else is refused to him with this status.
LOGIN = "/session"
REFUSED = 401
# Nobody asks anything here that could be answered by hand.
NEVER_GOOD = {"POST /jobs/{id}/answer"}
# It has no end; the stories of crates/goodput/tests read it.
ENDLESS = "/live"

POLICY = """
[coordinators]
names = ["this machine"]
[peers]
addresses = ["127.0.0.0/8"]
[limits]
time = "2s"
connections = 16
"""

EXPERIMENT = """
title = "Two sizes"
repeats = 1

[hosts]
server = "127.0.0.1"

[[factor]]
name = "size"
levels = ["1KiB", "64KiB"]

[[probe]]
name = "tcp"
run = "stream {server} --size {size} --time 200ms --warm-up 0s"
measures = ["goodput_bps"]
"""

SHORT = ["--time", "200ms", "--warm-up", "0s"]
MEASURED = [
    ["stream", "127.0.0.1", *SHORT, "--label", "kind=first", "--repeat", "2"],
    ["stream", "127.0.0.1", *SHORT, "--label", "kind=second", "--direction", "both"],
    ["request", "127.0.0.1", *SHORT],
    ["latency", "127.0.0.1", "--time", "500ms", "--warm-up", "0s"],
]
# Lines that can be started; one of them finds nobody there.
LINES = [
    ["stream", "127.0.0.1", *SHORT],
    ["request", "127.0.0.1", *SHORT],
    ["stream", "127.0.0.1", "--port", "1", *SHORT],
]


class Broken(Exception):
    """What keeps the examination from being made, or what it has found."""


def main():
    sys.stdout.reconfigure(line_buffering=True)
    LEFT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="goodput-api-") as home:
        breaches = Stage(pathlib.Path(home)).examined()
    for breach in breaches:
        print(f"breach: {breach}")
    print("the API is as it is described" if not breaches else f"{len(breaches)} breaches")
    return 1 if breaches else 0


class Stage:
    """Agent, runs and server, in a home of their own."""

    def __init__(self, home):
        self.home = home
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GOODPUT_", "XDG_"))}
        self.env = {**kept, "HOME": str(home), "GOODPUT_RUNS": str(home / "runs"), "NO_COLOR": "1"}

    def examined(self):
        (self.home / "policy.toml").write_text(POLICY)
        (self.home / "policy.toml").chmod(0o600)
        (self.home / "two-sizes.toml").write_text(EXPERIMENT)
        with self.going("agent", "--spool", "memory", "--policy", self.home / "policy.toml"):
            for line in MEASURED:
                self.run(*line)
            self.run("run", self.home / "two-sizes.toml")
            # A run of an older version, with what has no figure.
            stored = next((ROOT / "fixtures/runs/v2").glob("*/run.json")).parent
            shutil.copytree(stored, self.home / "runs" / stored.name)
            self.run("serve", "password", "operator", told=PASSWORD + "\n")
            self.token = self.run("serve", "token", "operator", "schemathesis").strip()
            with self.going("serve", "--listen", "127.0.0.1:5380") as server:
                description = self.asked("/openapi.json")
                (LEFT / "openapi.json").write_text(json.dumps(description))
                self.described = {
                    f"{method.upper()} {path}": set(operation["responses"])
                    for path, methods in description["paths"].items()
                    for method, operation in methods.items()
                }
                operations = list(self.described)
                breaches = self.as_stranger(operations) + self.as_operator(operations, self.known())
                if server.poll() is not None:
                    breaches.append(f"the server ended by itself: {server.returncode}")
        if server.returncode != 0:
            breaches.append(f"the server did not end in good order: {server.returncode}")
        said = (LEFT / "serve.log").read_text()
        if "panicked" in said:
            breaches.append(f"the server panicked, see {LEFT / 'serve.log'}")
        return breaches

    def run(self, *words, told=None):
        """A command that ends by itself; 1 is a result too, and so is 5, a trial that broke off on a busy machine."""
        line = [PROGRAM, *map(str, words)]
        ran = subprocess.run(line, env=self.env, input=told, capture_output=True, text=True, timeout=120)
        if ran.returncode not in (0, 1, 5):
            raise Broken(f"{' '.join(line)} ended with {ran.returncode}: {ran.stderr}")
        return ran.stdout

    def going(self, *words):
        """A command that goes on; ready, and later ended."""
        return Going(self.env, *map(str, words))

    def asked(self, path, body=None):
        """What the operator is answered."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(API + path, data=data, headers=headers)
        try:
            with direct.open(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            raise Broken(f"{path}: {refused.code} {refused.read().decode(errors='replace')}") from refused

    def known(self):
        """Values that exist, for known_values.py."""
        # The first look at the runs may be answered before it has ended.
        until = time.monotonic() + 60
        while len(runs := self.asked("/runs")["runs"]) < len(MEASURED) + 2:
            if time.monotonic() > until:
                raise Broken(f"the server knows {len(runs)} runs only")
            time.sleep(0.2)
        forms = {run["id"]: [f["form"] for f in self.asked(f"/runs/{run['id']}")["downloads"]] for run in runs}
        when = {"kind": "every", "seconds": 86400}
        # Those that are to be taken away are others than those that are asked for.
        schedules, doomed = ["nightly", "weekly"], [f"once{n}" for n in range(5)]
        for name in schedules + doomed:
            self.asked("/schedules", {"name": name, "line": LINES[0], "when": when})
        by_command = {run["command"][1]: run for run in runs}
        hosts = by_command["request"]["hosts"]
        return {
            "runs": forms,
            "experiment": by_command["run"]["id"],
            "hosts": hosts[:2] if len(hosts) > 1 else hosts * 2,
            "jobs": [self.asked("/jobs", {"line": LINES[0]})["id"]],
            "schedules": schedules,
            "doomed": doomed,
            "lines": LINES,
            "password": PASSWORD,
        }

    def as_stranger(self, operations):
        """Random cookies and tokens are all that a stranger has."""
        breaches, seen = self.schemathesis("stranger", {}, CHECKS, "--phases", "examples,coverage,fuzzing")
        for asked, statuses in seen.items():
            method, path = asked.split(" ", 1)
            others = sorted(status for status in statuses if status != REFUSED)
            if others and (path != LOGIN or method == "DELETE"):
                breaches.append(f"stranger: {asked} was answered with {others}")
        breaches += [f"stranger: {operation} was never asked" for operation in operations if operation not in seen]
        return breaches

    def as_operator(self, operations, known):
        more = ["--phases", "examples,coverage,fuzzing,stateful", "--exclude-path", ENDLESS]
        more += ["--generation-with-security-parameters", "false", "--header", f"Authorization: Bearer {self.token}"]
        breaches, seen = self.schemathesis("operator", known, OF_AN_OPERATOR, *more)
        for operation in operations:
            statuses = seen.get(operation, {})
            is_good = any(200 <= status < 300 for status in statuses)
            if not is_good and operation not in NEVER_GOOD and operation != f"GET {ENDLESS}":
                breaches.append(f"operator: {operation} never had a good answer, only {sorted(statuses)}")
        return breaches

    def schemathesis(self, who, known, checks, *more):
        """One examination: its breaches, and of each method and path how often it was answered with which status."""
        seen = LEFT / f"{who}.seen"
        seen.unlink(missing_ok=True)
        program = pathlib.Path(sys.executable).absolute().parent / "schemathesis"
        line = [str(program), "--config-file", str(HERE / "schemathesis.toml"), "run", str(LEFT / "openapi.json")]
        line += ["--url", API, "--checks", ",".join(checks)]
        line += ["--max-examples", os.environ.get("EXAMPLES", "50"), "--seed", os.environ.get("SEED", "1")]
        # An address may ask 100 times a second.
        line += ["--rate-limit", "90/s", "--request-timeout", "60"]
        # How easily requests are made up says nothing of the API; that it takes no longer than LONGEST does.
        line += ["--suppress-health-check", "all"]
        line += ["--continue-on-failure", "--output-truncate", "false", *more]
        env = {
            **self.env,
            "GOODPUT_KNOWN": json.dumps(known),
            "GOODPUT_SEEN": str(seen),
            "PYTHONPATH": str(HERE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "SCHEMATHESIS_HOOKS": "known_values",
            # A proxy of this machine's is none of this network's.
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
        }
        print(f"as {who}:", flush=True)
        try:
            ended = subprocess.run(line, env=env, cwd=LEFT, timeout=LONGEST, check=False).returncode
        except subprocess.TimeoutExpired as late:
            raise Broken(f"schemathesis did not end within {LONGEST} s") from late
        breaches = [] if ended == 0 else [f"{who}: schemathesis ended with {ended}, see above"]
        found = collections.defaultdict(collections.Counter)
        for answer in seen.read_text().splitlines() if seen.exists() else []:
            asked, status = answer.split("\t")
            found[asked][int(status)] += 1
        for asked, statuses in sorted(found.items()):
            told = ", ".join(f"{status} {count} times" for status, count in sorted(statuses.items()))
            # The description's `default` stands for every problem, so that no check asks which are named.
            named = self.described.get(asked, map(str, statuses))
            unnamed = sorted(set(map(str, statuses)) - set(named))
            told += f"; not named in the description: {', '.join(unnamed)}" if unnamed else ""
            print(f"  {asked}: {told}")
        if not found:
            breaches.append(f"{who}: nothing was asked")
        return breaches, found


class Going:
    """A command under way, from its first words on; what it says is in target/api-test/COMMAND.log."""

    def __init__(self, env, *words):
        self.env, self.words = env, words

    def __enter__(self):
        log = LEFT / f"{self.words[0]}.log"
        with open(log, "w", encoding="utf-8") as into:
            self.process = subprocess.Popen([PROGRAM, *self.words], env=self.env, stdout=into, stderr=into)
        until = time.monotonic() + 30
        # Both say where they listen once they do.
        while not log.read_text().endswith("\n"):
            if self.process.poll() is not None or time.monotonic() > until:
                self.__exit__()
                raise Broken(f"goodput {' '.join(self.words)} did not begin: {log.read_text()}")
            time.sleep(0.05)
        return self.process

    def __exit__(self, *_):
        for sign in (signal.SIGINT, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(sign)
            try:
                self.process.wait(timeout=60)
                return
            except subprocess.TimeoutExpired:
                continue


# Without any proxy that the environment names.
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

if __name__ == "__main__":
    try:
        sys.exit(main())
    except Broken as broken:
        print(f"nothing is examined: {broken}", file=sys.stderr)
        sys.exit(1)
