"""The topologies of proofs/streams, from ip, tc and nft alone. Only for use inside its namespaces."""

import shlex
from dataclasses import dataclass

from soak_lab import run


@dataclass
class Topology:
    """A path is a letter for each host between a and b: r a router, s a switch. These are m1, m2 …, over all paths;
    their interfaces are left (towards a) and right, those of a and b eth0, eth1 … A command begins with its host."""

    paths: list
    commands: list
    contention: str = ""
    ipv6: bool = False
    mtu: int = 1500


def address(topology, host):
    """Of a or b, reachable over every path."""
    number = "ab".index(host) + 1
    return f"fd99::{number}" if topology.ipv6 else f"10.99.0.{number}"


def build(topology, hosts):
    """The names of what was added are put into hosts."""
    version, size = ("-6", 128) if topology.ipv6 else ("-4", 32)

    def at(host, *words):
        run("ip", "netns", "exec", host, *words)

    def add(host):
        run("ip", "netns", "add", host)
        hosts.append(host)
        at(host, "ip", "link", "set", "lo", "up")
        at(host, "sysctl", "-qw", "net.ipv4.conf.all.rp_filter=0", "net.ipv4.conf.default.rp_filter=0")
        at(host, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        at(host, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")
        at(host, "sysctl", "-qw", "net.ipv4.fib_multipath_hash_policy=1", "net.ipv6.fib_multipath_hash_policy=1")

    def on_segment(segment, end):
        return f"fd99:{segment}::{end}" if topology.ipv6 else f"10.99.{segment}.{end}"

    a, b = address(topology, "a"), address(topology, "b")
    for host, own in (("a", a), ("b", b)):
        add(host)
        at(host, "ip", "address", "add", f"{own}/{size}", "dev", "lo", *(["nodad"] if topology.ipv6 else []))
    segment, ways = 0, {"a": [], "b": []}
    for number, kinds in enumerate(topology.paths):
        chain = ["a", *(f"m{len(hosts) - 1 + n}" for n in range(len(kinds))), "b"]
        kind = dict(zip(chain[1:], kinds))
        for host in chain[1:-1]:
            add(host)
            if kind[host] == "s":
                at(host, "ip", "link", "add", "switch", "type", "bridge")
                at(host, "ip", "link", "set", "switch", "up")
        left = "a"
        for one, other in zip(chain, chain[1:]):
            ports = [f"eth{number}" if one == "a" else "right", f"eth{number}" if other == "b" else "left"]
            run("ip", "link", "add", ports[0], "netns", one, "type", "veth", "peer", "name", ports[1], "netns", other)
            if kind.get(one) != "s":
                segment, left = segment + 1, one
            for host, port, end in ((one, ports[0], 1), (other, ports[1], 2)):
                at(host, "ip", "link", "set", port, "mtu", topology.mtu, "up")
                if kind.get(host) == "s":
                    at(host, "ip", "link", "set", port, "master", "switch")
                    continue
                prefix = f"{on_segment(segment, end)}/{64 if topology.ipv6 else 30}"
                at(host, "ip", "address", "add", prefix, "dev", port, *(["nodad"] if topology.ipv6 else []))
            if kind.get(other) == "s":
                continue
            for host, goal, end in ((left, b, 2), (other, a, 1)):
                if host in ways:
                    ways[host].append(on_segment(segment, end))
                else:
                    at(host, "ip", version, "route", "add", goal, "via", on_segment(segment, end))
    for host, goal, own in (("a", b, a), ("b", a, b)):
        hops = [word for way in ways[host] for word in ("nexthop", "via", way)]
        at(host, "ip", version, "route", "add", goal, "src", own, *hops)
    for command in topology.commands:
        at(*shlex.split(command))


def tbf(at, rate, limit="500k", burst="128k"):
    host, device = at.split()
    return [f"{host} tc qdisc add dev {device} root tbf rate {rate} burst {burst} limit {limit}"]


def htb(at, rate, packets=200):
    host, device = at.split()
    return [
        f"{host} tc qdisc add dev {device} root handle 1: htb default 1",
        f"{host} tc class add dev {device} parent 1: classid 1:1 htb rate {rate}",
        f"{host} tc qdisc add dev {device} parent 1:1 pfifo limit {packets}",
    ]


def redirect(host, *devices):
    """What these receive passes ifb0."""
    commands = [f"{host} ip link add ifb0 type ifb", f"{host} ip link set ifb0 up"]
    for device in devices:
        commands += [
            f"{host} tc qdisc add dev {device} ingress",
            f"{host} tc filter add dev {device} parent ffff: protocol all u32 match u32 0 0 "
            "action mirred egress redirect dev ifb0",
        ]
    return commands


def rules(host, *words, family="inet", hook="filter hook forward"):
    text = "; ".join(f"add rule {family} t c {rule}" for rule in words)
    chain = f"add chain {family} t c {{ type {hook} priority 0; }}"
    return [f"{host} nft '{f'add table {family} t; {chain}; {text}'}'"]


def reorder(host, goal, *ways):
    """Every 64th packet over the second path."""
    marks = [f"ip daddr {goal} meta mark set 1", f"ip daddr {goal} numgen inc mod 64 0 meta mark set 2"]
    commands = rules(host, *marks, hook="route hook output")
    for mark, way in enumerate(ways, 1):
        commands += [f"{host} ip rule add fwmark {mark} table {100 + mark}"]
        commands += [f"{host} ip route add {goal} via {way} table {100 + mark}"]
    return commands


def single_segments():
    """Losses and costs are of single packets."""
    return [f"{host} ip link set eth0 gso_max_segs 1" for host in "ab"]


def both(what, host, *words, **more):
    return what(f"{host} left", *words, **more) + what(f"{host} right", *words, **more)


def ends(what, *words, **more):
    return what("a eth0", *words, **more) + what("b eth0", *words, **more)


TOPOLOGIES = {
    "direct": Topology([""], []),
    "shaper-at-sender": Topology([""], ends(tbf, "500mbit", "2m")),
    "switch": Topology(["s"], both(htb, "m1", "300mbit")),
    "two-routers-ipv6": Topology(["rr"], tbf("m2 right", "200mbit") + tbf("m1 left", "200mbit"), ipv6=True),
    "mtu-1400": Topology(["r"], both(tbf, "m1", "150mbit"), mtu=1400),
    "policer": Topology(
        ["r"], single_segments() + rules("m1", "meta length > 500 limit rate over 12000/second burst 1000 packets drop")
    ),
    "asymmetric": Topology(["r"], tbf("m1 right", "200mbit") + tbf("m1 left", "20mbit", "200k")),
    "two-paths": Topology(["r", "rs"], both(tbf, "m1", "100mbit") + both(tbf, "m2", "60mbit")),
    "shared-bucket": Topology(["r"], redirect("m1", "left", "right") + tbf("m1 ifb0", "100mbit")),
    "loss-ipv6": Topology(
        ["r"],
        single_segments() + both(tbf, "m1", "400mbit", "1m") + rules("m1", "numgen random mod 1000 < 2 drop"),
        ipv6=True,
    ),
    "direct-receiver-nice": Topology([""], [], "receiver, nice -20"),
    "shaper-receiver-fifo": Topology([""], ends(tbf, "500mbit", "2m"), "receiver, SCHED_FIFO"),
    "shaper-sender-fifo": Topology([""], ends(tbf, "500mbit", "2m"), "sender, SCHED_FIFO"),
    "mtu-9000-receiver-nice": Topology(["s"], both(htb, "m1", "1gbit"), "receiver, nice -20", mtu=9000),
    "ipv6-sender-nice": Topology(["rsr"], both(htb, "m2", "300mbit"), "sender, nice -20", ipv6=True),
    "ingress-receiver-quota": Topology(
        ["r"], redirect("m1", "left", "right") + tbf("m1 ifb0", "400mbit", "1m"), "receiver, quota"
    ),
    "short-queue-sender-quota": Topology(["s"], both(htb, "m1", "200mbit", 12), "sender, quota"),
    "loss-receiver-fifo": Topology(
        ["s"],
        single_segments()
        + both(htb, "m1", "300mbit", 1000)
        + rules("m1", "numgen random mod 1000 < 5 drop", family="bridge"),
        "receiver, SCHED_FIFO",
    ),
    "reordering-receiver-nice": Topology(
        ["r", "r"],
        both(tbf, "m1", "100mbit")
        + both(tbf, "m2", "100mbit")
        + reorder("a", "10.99.0.2", "10.99.1.2", "10.99.3.2")
        + reorder("b", "10.99.0.1", "10.99.2.1", "10.99.4.1"),
        "receiver, nice -20",
    ),
    "busy-router-sender-fifo": Topology(
        ["r"],
        single_segments() + rules("m1", *(["ip saddr 192.0.2.0/24 counter"] * 400)),
        "sender, SCHED_FIFO",
    ),
}
