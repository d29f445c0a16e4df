"""The network, the disks, the clocks and the processes of proofs/soak; proofs/streams has another network. Only for use inside its namespaces."""

import ctypes
import http.client
import json
import mmap
import os
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

AGENTS = ["a", "b", "c"]
HOSTS = ["center", *AGENTS]
ADDRESS = {host: f"10.77.0.{n}" for n, host in enumerate(HOSTS, 1)}
RATE = "100mbit"
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None, use_errno=True)


class Broken(Exception):
    """Why nothing can be said."""


def run(*words):
    ended = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Broken(f"{' '.join(map(str, words))}: {ended.stderr.strip() or ended.returncode}")
    return ended.stdout


def in_namespaces(words, program, **how):
    """Runs the calling script again with these words, in mount, network and PID namespaces of its own, which end with
    this process; its exit status."""
    words = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *words]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    child = subprocess.Popen(
        list(map(str, words)),
        env={**os.environ, "GOODPUT": str(program)},
        preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
        **how,
    )
    try:
        return child.wait()
    finally:
        # With it ends everything in the namespaces.
        child.kill()
        child.wait()


def http_get(port, path, timeout, method="GET", body=None, headers=None):
    """Status and body; the status is "none" without an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as none:
        return "none", str(none).encode()
    finally:
        connection.close()


def live_events(port, stopped):
    """Name and data of each event of the live stream until it ends or is silent for a minute."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/api/v1/live")
        answer, name = connection.getresponse(), ""
        while answer.status == 200 and not stopped.is_set() and (line := answer.readline()):
            key, _, value = line.decode().strip().partition(": ")
            if key == "event":
                name = value
            elif key == "data":
                yield name, json.loads(value)
    except (OSError, ValueError, http.client.HTTPException):
        pass
    finally:
        connection.close()


class Daemon:
    """An agent or a server, which can be killed and started again."""

    def __init__(self, lab, name, host, *words):
        self.lab, self.name, self.host, self.words, self.process = lab, name, host, words, None
        self.lives = 0

    def start(self):
        """Returns when it has said that it listens. Without space on the disk it may take several attempts."""
        path, until = self.lab.logs / f"{self.name.replace(' ', '-')}.log", time.monotonic() + 60
        while True:
            with open(path, "ab") as log:
                before = log.tell()
                self.process = self.lab.start(self.host, *self.words, stdout=log, stderr=log)
            while self.process.poll() is None and path.stat().st_size == before and time.monotonic() < until:
                time.sleep(0.05)
            if self.process.poll() is None and path.stat().st_size > before:
                self.lives += 1
                return
            if time.monotonic() > until:
                raise Broken(f"{self.name} does not start, see {path}")
            time.sleep(0.5)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Lab:
    def __init__(self, home, logs, program):
        self.home, self.logs, self.program, self.jumps = home, logs, program, False
        self.lock, self.filled, self.qdiscs, self.clocks = threading.Lock(), {}, {}, {}
        self.disks = ["runs", "second", *(f"spool-{agent}" for agent in AGENTS)]

    def build(self):
        # Nothing outside sees these, and nothing that is left here outlives the namespaces.
        run("mount", "-t", "tmpfs", "-o", "mode=755", "soak", "/run")
        run("mount", "-t", "tmpfs", "-o", "mode=1777", "soak", "/dev/shm")
        for disk in self.disks:
            (self.home / disk).mkdir()
            size = "16m" if disk.startswith("spool") else "4g"
            run("mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "soak", self.home / disk)
        (self.home / "tmp").mkdir()
        self.build_clocks()
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "switch", "type", "bridge")
        run("ip", "link", "set", "switch", "up")
        for host in HOSTS:
            run("ip", "netns", "add", host)
            run("ip", "link", "add", f"to-{host}", "type", "veth", "peer", "name", "eth0", "netns", host)
            run("ip", "link", "set", f"to-{host}", "master", "switch", "up")
            run("ip", "-n", host, "link", "set", "lo", "up")
            run("ip", "-n", host, "address", "add", f"{ADDRESS[host]}/24", "dev", "eth0")
            run("ip", "-n", host, "link", "set", "eth0", "up")
            shaper = ["root", "tbf", "rate", RATE, "burst", "64k", "latency", "50ms"]
            run("tc", "qdisc", "add", "dev", f"to-{host}", *shaper)
            run("tc", "-n", host, "qdisc", "add", "dev", "eth0", *shaper)
            (self.home / host).mkdir()
        self.qdiscs = self.read_qdiscs()
        run(self.program, "key", "new", "--output", self.home / "key")

    def build_clocks(self):
        shim, source = self.home / "clock_jump.so", Path(__file__).with_name("clock_jump.c")
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler:
            run(compiler, "-O2", "-shared", "-fPIC", "-o", shim, source, "-ldl")
            self.jumps = True
        for host in HOSTS:
            file = self.home / f"clock-{host}"
            file.write_bytes(bytes(16))
            with open(file, "r+b") as opened:
                self.clocks[host] = mmap.mmap(opened.fileno(), 16)

    def environment(self, host, store="runs"):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GOODPUT", "XDG_"))}
        kept |= {"HOME": str(self.home / host), "TMPDIR": str(self.home / "tmp"), "NO_COLOR": "1", "GOODPUT_LANG": "en"}
        kept |= {"GOODPUT_RUNS": str(self.home / store), "GOODPUT_KEY_FILE": str(self.home / "key")}
        if self.jumps:
            kept |= {"LD_PRELOAD": str(self.home / "clock_jump.so"), "SOAK_CLOCK": str(self.home / f"clock-{host}")}
        return kept

    def start(self, host, *words, **more):
        line = ["ip", "netns", "exec", host, self.program, *map(str, words)]
        return subprocess.Popen(line, env=self.environment(host), stdin=subprocess.DEVNULL, **more)

    def agent(self, name):
        words = ["agent", "--name", name, "--bind", ADDRESS[name], "--spool", self.home / f"spool-{name}"]
        return Daemon(self, f"agent {name}", name, *words)

    def server(self, store, port):
        return Daemon(
            self, f"server {store}", "center", "serve", "--listen", f"127.0.0.1:{port}", "--store", self.home / store
        )

    def enter(self, host):
        """Sockets of this thread are in the host's network from now on."""
        with open(f"/run/netns/{host}", "rb") as namespace:
            if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
                raise Broken(f"cannot enter {host}: {os.strerror(ctypes.get_errno())}")

    def within(self, host, work):
        """What work gives in a thread of the host's network."""
        result = []

        def thread():
            self.enter(host)
            result.append(work())

        worker = threading.Thread(target=thread)
        worker.start()
        worker.join()
        if not result:
            raise Broken(f"nothing can be asked in {host}")
        return result[0]

    def api(self, port, method, path, body=None):
        """The JSON of a good answer."""

        def ask():
            session = json.loads(http_get(port, "/api/v1/session", 20)[1])
            headers = {"Content-Type": "application/json", "X-CSRF-Token": session["csrf"]}
            return http_get(port, f"/api/v1{path}", 60, method, body and json.dumps(body), headers)

        status, answer = self.within("center", ask)
        if status not in (200, 201, 204):
            raise Broken(f"{method} {path}: {status} {answer.decode(errors='replace')}")
        return json.loads(answer) if answer else None

    def schedule(self, port, name, seconds, line):
        body = {"name": name, "line": line, "when": {"kind": "every", "seconds": seconds}, "jitter_seconds": 2}
        self.api(port, "POST", "/schedules", {**body, "alerts": [{"kind": "failed", "times": 3}, {"kind": "changed"}]})

    def end_schedules(self, port):
        """How many there were. Returns when nothing is measured any more."""
        schedules = self.api(port, "GET", "/schedules")["schedules"]
        for schedule in schedules:
            self.api(port, "DELETE", f"/schedules/{schedule['id']}")
        until = time.monotonic() + 60
        while any(job["state"] in ("waiting", "running", "stopping") for job in self.api(port, "GET", "/now")["jobs"]):
            if time.monotonic() > until:
                raise Broken("jobs of the server do not end")
            time.sleep(0.5)
        return len(schedules)

    # The faults.

    def cut(self, host):
        run("ip", "link", "set", f"to-{host}", "down")

    def mend(self, host):
        run("ip", "link", "set", f"to-{host}", "up")

    def fill(self, disk):
        """Its size becomes what it holds, so a full disk costs no memory."""
        space = os.statvfs(self.home / disk)
        with self.lock:
            self.filled.setdefault(disk, space.f_blocks * space.f_frsize)
        for spare in (0, 1, 4, 16):
            held = (space.f_blocks - space.f_bfree + spare) * space.f_frsize
            if (
                subprocess.run(
                    ["mount", "-o", f"remount,size={max(held, 4096)}", self.home / disk],
                    capture_output=True,
                    check=False,
                ).returncode
                == 0
            ):
                return

    def empty(self, disk):
        with self.lock:
            size = self.filled.pop(disk, None)
        if size:
            run("mount", "-o", f"remount,size={size}", self.home / disk)

    def set_clock(self, host, seconds):
        struct.pack_into("q", self.clocks[host], 0, int(seconds * 1e9))

    def readings(self):
        return sum(struct.unpack_from("q", clock, 8)[0] for clock in self.clocks.values())

    def kill(self, process):
        process.kill()

    def stop(self, process):
        process.send_signal(signal.SIGSTOP)

    def resume(self, process):
        process.send_signal(signal.SIGCONT)

    # The end.

    def read_qdiscs(self):
        listed = {"switch": run("tc", "qdisc", "show")}
        return listed | {host: run("tc", "-n", host, "qdisc", "show") for host in HOSTS}

    def qdiscs_unchanged(self):
        changed = [host for host, listed in self.read_qdiscs().items() if listed != self.qdiscs[host]]
        return not changed, f"qdiscs changed in {', '.join(changed)}" if changed else "qdiscs as at the beginning"

    def end(self, daemons):
        wrong = []
        for name, daemon in daemons.items():
            daemon.process.send_signal(signal.SIGINT)
            try:
                code = daemon.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                daemon.kill()
                code = "no end in 30 s"
            if code not in (0, 130):
                wrong.append(f"{name}: {code}")
        panics = [log.name for log in self.logs.glob("*.log") if b"panicked" in log.read_bytes()]
        lives = ", ".join(f"{name} {daemon.lives}" for name, daemon in daemons.items())
        return not wrong and not panics, f"started: {lives}" + "".join(
            f"; {w}" for w in [*wrong, *(f"panic in {p}" for p in panics)]
        )

    def reap(self, ours):
        """Collects processes whose parent was killed: this is the first process of its PID namespace."""
        try:
            while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid not in ours:
                os.waitpid(ended.si_pid, 0)
        except ChildProcessError:
            return
