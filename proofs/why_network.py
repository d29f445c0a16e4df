"""The network of proofs/why, from ip, tc, nft, ethtool's requests and control groups alone. Only for use inside its
namespaces. Hosts: a and b, between them the router m1 (interfaces left, towards a, and right), and c, which reaches a
and b over links of its own: control connections of a goodput started there do not pass the path."""

import ctypes
import fcntl
import os
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from soak_lab import Broken, Daemon, Lab, run
from streams_topologies import Topology, address, build

PATH = Topology(["r"], [])
PORTS = {"a": ["eth0"], "m1": ["left", "right"], "b": ["eth0"]}
# linux/sockios.h, linux/ethtool.h: TSO, GSO and GRO.
SIOCETHTOOL, OFFLOADS = 0x8946, (0x1F, 0x24, 0x2C)
# The quota is what limits such a group, not the other processes.
PERIOD, SHARES = 20_000, 100_000
# Of 10 ms the first part.
DUTY = """
import time
while True:
    until = time.monotonic() + {0:.5f}
    while time.monotonic() < until: pass
    time.sleep({1:.5f})
"""
BUSY, STEAL = "while True: pass", 0.1
DISK_SIZE = 2 << 30
THROTTLE = "/sys/fs/cgroup/blkio/blkio.throttle.{}_bps_device"


class Network(Lab):
    """Raised for one case and removed after it."""

    def __init__(self, home, logs, program, groups, backlog):
        super().__init__(home, logs, program)
        self.groups, self.backlog, self.delay_line = Path(groups), backlog, self.home / "delay_line"
        self.hosts, self.started, self.daemons, self.ends = [], [], [], {}
        self.disk, self.throttled = self.home / "disk", self.home / "throttled"
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            raise Broken("no C compiler for delay_line.c")
        run(compiler, "-O2", "-o", self.delay_line, Path(__file__).with_name("delay_line.c"))
        for folder in ("a", "b", "c", "tmp"):
            (self.home / folder).mkdir()
        # `ip netns exec` hides it from the program.
        Path("/run/cgroup").mkdir()
        run("mount", "--rbind", "/sys/fs/cgroup", "/run/cgroup")
        run(program, "key", "new", "--output", self.home / "key")

    def at(self, host, *words):
        return run("ip", "netns", "exec", host, *words)

    def raise_path(self, setup):
        """Hosts, links, delay and offloads, then the commands; each begins with its host."""
        build(PATH, self.hosts)
        run("ip", "netns", "add", "c")
        self.hosts.append("c")
        self.at("c", "ip", "link", "set", "lo", "up")
        for number, host in enumerate("ab", 1):
            run(
                "ip",
                "link",
                "add",
                f"to-{host}",
                "netns",
                "c",
                "type",
                "veth",
                "peer",
                "name",
                "control",
                "netns",
                host,
            )
            for end, port, last in (("c", f"to-{host}", 1), (host, "control", 2)):
                self.at(end, "ip", "address", "add", f"10.98.{number}.{last}/30", "dev", port)
                self.at(end, "ip", "link", "set", port, "up")
            self.at("c", "ip", "route", "add", address(PATH, host), "via", f"10.98.{number}.2")
        if setup["rtt_ms"]:
            self.delay("delay", setup["rtt_ms"] / 2)
            for port in PORTS["m1"]:
                self.at("m1", "ip", "rule", "add", "iif", port, "lookup", "10")
            self.at("m1", "ip", "route", "add", "default", "dev", "delay", "table", "10")
        if setup["detour_ms"]:
            self.delay("detour", setup["detour_ms"])
            self.at("m1", "ip", "rule", "add", "fwmark", "2", "lookup", "20", "priority", "50")
            self.at("m1", "ip", "route", "add", "default", "dev", "detour", "table", "20")
        for host, ports in (PORTS if setup["single"] is True else setup["single"] or {}).items():
            for port in ports:
                self.within(host, lambda port=port: offloads_off(port) or True)
        for command in setup["commands"]:
            self.at(*shlex.split(command))
        self.backlog.set(setup["backlog"])
        if setup.get("disk"):
            self.slow_disk(setup["disk"])

    def slow_disk(self, rate):
        """A file system on a loop device, which goes with it. The file throttled is for the restorer of proofs/why."""
        image = self.home / "image"
        with open(image, "wb") as file:
            file.truncate(DISK_SIZE)
        self.disk.mkdir(exist_ok=True)
        run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
        run("mount", "-o", "loop", image, self.disk)
        device = self.disk.stat().st_dev
        self.throttled.write_text(f"{os.major(device)}:{os.minor(device)}")
        self.throttle(rate)

    def throttle(self, rate):
        for way in ("read", "write"):
            Path(THROTTLE.format(way)).write_text(f"{self.throttled.read_text()} {rate}")

    def delay(self, name, milliseconds):
        """An interface in m1 that returns each packet later."""
        words = ["ip", "netns", "exec", "m1", self.delay_line, name, str(round(milliseconds * 1000))]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.started.append(process)
        if process.stdout.readline() != b"ready\n":
            raise Broken("the delay line does not start")
        self.at("m1", "ip", "link", "set", name, "txqueuelen", "20000", "up")

    def confine(self, host, end):
        """Before the program replaces this process."""
        if end.get("cpu") is not None:
            os.sched_setaffinity(0, {end["cpu"]})
        if end.get("quota"):
            group = self.groups / host
            group.mkdir(exist_ok=True)
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(round(PERIOD * end["quota"])))
            (group / "cpu.shares").write_text(str(SHARES))
            (group / "cgroup.procs").write_text("0")

    def start(self, host, *words, **more):
        line = [
            "sh",
            "-c",
            'mount --rbind /run/cgroup /sys/fs/cgroup && exec "$0" "$@"',
            self.program,
            *map(str, words),
        ]
        end = self.ends.get(host, {})
        return subprocess.Popen(
            ["ip", "netns", "exec", host, *line],
            env=self.environment(host),
            stdin=subprocess.DEVNULL,
            preexec_fn=lambda: self.confine(host, end),
            **more,
        )

    def start_agents(self, setup, steal):
        """Both agents, or b's alone where the measurement is started in a, and what competes with them for the CPUs."""
        self.ends = setup["ends"]
        for host in "b" if setup["coordinator"] == "a" else "ab":
            words = ["--name", host, "--bind", address(PATH, host), "--spool", "memory", "--allow-knob", "any"]
            if setup.get("disk") and host == "b":
                words += ["--allow-dir", self.disk]
            self.daemons.append(Daemon(self, f"agent {host}", host, "agent", *words))
            self.daemons[-1].start()
        for cpu, duty in setup["hogs"]:
            self.hog(cpu, duty)
        for cpu in sorted(os.sched_getaffinity(0)) if steal else []:
            self.hog(cpu, STEAL)
            self.hog(cpu, None)
        if setup["hogs"] or steal:
            time.sleep(0.2)

    def hog(self, cpu, duty):
        """A share of every 10 ms with real-time priority, or as much as any other process."""
        code, how = (BUSY, []) if duty is None else (DUTY.format(duty / 100, (1 - duty) / 100), ["chrt", "-f", "60"])
        words = ["taskset", "-c", str(cpu), *how, sys.executable, "-S", "-c", code]
        self.started.append(subprocess.Popen(words, stdin=subprocess.DEVNULL))

    def measure(self, setup, command, words, timeout):
        """Exit code, output, error, and how long it took; the code is None without an end in time."""
        source = [] if setup["coordinator"] == "a" else ["--from", address(PATH, "a")]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        began = time.monotonic()
        target = address(PATH, "b") + (f":disk={self.disk}" if setup.get("disk") else "")
        line = [command, target, *source, *words, "--json"]
        process = self.start(setup["coordinator"], *line, **pipes)
        self.started.append(process)
        try:
            out, error = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, error = process.communicate()
            return None, out, error, time.monotonic() - began
        return process.returncode, out, error, time.monotonic() - began

    def remove(self):
        for process in reversed(self.started):
            process.kill()
            process.wait()
        for daemon in self.daemons:
            if daemon.process:
                daemon.kill()
        self.backlog.set(None)
        if self.throttled.exists():
            self.throttle(0)
            self.throttled.unlink()
        if self.disk.is_mount():
            run("umount", self.disk)
        for host in self.hosts:
            run("ip", "netns", "delete", host)
        self.started, self.daemons, self.hosts, self.ends = [], [], [], {}
        shutil.rmtree(self.home / "runs", ignore_errors=True)
        for group in self.groups.glob("[ab]"):
            remove_group(group)
        self.reap(())


class Backlog:
    """net.core.netdev_max_backlog: all namespaces share it, so the file was opened outside them."""

    def __init__(self, descriptor, usual):
        self.descriptor, self.usual, self.held = int(descriptor), int(usual), None

    def set(self, packets):
        if packets != self.held:
            os.pwrite(self.descriptor, str(packets or self.usual).encode(), 0)
            self.held = packets


def offloads_off(port):
    """Of an interface in this thread's network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for request in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", request, 0))
            fcntl.ioctl(asked, SIOCETHTOOL, struct.pack("16sP16x", port.encode(), ctypes.addressof(value)))


def remove_group(group):
    """A control group whose processes are ending."""
    for _ in range(50):
        try:
            group.rmdir()
            return
        except OSError:
            time.sleep(0.1)
