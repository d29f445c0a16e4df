"""The cases of proofs/why: what is planted, with random parameters from a stored seed. A case has a path (what is there
with and without the plant) and its plants, each a Setup, with the goodput in Mbit/s that it should leave."""

import math
import random
from dataclasses import dataclass, field

NOT_COVERED = []
# User bytes and bytes below IP of a full packet with timestamps, MTU 1500; with Ethernet's preamble, FCS and gap.
DATA, PACKET, FRAME, WIRE = 1448, 1500, 1514, 1538
# Shared buses that a network adapter may be on: docs/methods/limits.md, bytes a second.
BUSES = {"isa-16": 8.33e6, "usb2": 53.2e6, "pci-32-33": 133e6}


@dataclass
class Setup:
    commands: list = field(default_factory=list)
    options: list = field(default_factory=list)
    ends: dict = field(default_factory=dict)
    hogs: list = field(default_factory=list)
    backlog: int = None
    # Of host b, bytes a second each way; then a copy to or from it is measured.
    disk: int = None
    # Interfaces without segmentation offload and GRO, by host; True is all.
    single: object = None
    congestion: str = None
    rtt_ms: float = 0
    detour_ms: float = 0
    # What was chosen, to read; what goodput should be (low, high) in Mbit/s, if known.
    chosen: dict = field(default_factory=dict)
    expected: tuple = None


class Way:
    """The direction of the data, and who that makes the sender."""

    def __init__(self, direction):
        self.direction = direction
        self.sender, self.receiver = ("b", "a") if direction == "receive" else ("a", "b")
        # The router's interfaces towards the receiver and the sender.
        self.out, self.back = ("left", "right") if direction == "receive" else ("right", "left")


def around(mbit, low, high):
    return mbit * low, mbit * high


def spread(rng, low, high):
    """Log-uniform."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def nft(table, hook, *rules, host="m1", family="inet"):
    text = "; ".join(f"add rule {family} {table} c {rule}" for rule in rules)
    return f"{host} nft 'add table {family} {table}; add chain {family} {table} c {{ type {hook}; }}; {text}'"


def many_rules(host, hook, count):
    """Rules that no packet matches."""
    loop = f"for i in $(seq {count}); do echo add rule inet cost c ip saddr 192.0.2.$((i % 250)) drop; done | nft -f -"
    return [nft("cost", hook, "counter", host=host), f"{host} sh -c '{loop}'"]


def steer(host, port, cpu):
    """The CPU that processes what this interface receives."""
    return f"{host} sh -c 'echo {1 << cpu} > /sys/class/net/{port}/queues/rx-0/rps_cpus'"


def bucket(host, device, mbit, queue_ms, burst="64k"):
    return f"{host} tc qdisc replace dev {device} root tbf rate {mbit:.3f}mbit burst {burst} latency {queue_ms:.0f}ms"


def htb(host, device, mbit):
    return [
        f"{host} tc qdisc add dev {device} root handle 1: htb default 1",
        f"{host} tc class add dev {device} parent 1: classid 1:1 htb rate {mbit:.3f}mbit quantum 60000",
    ]


def through_ifb(host, device, hook):
    match = "protocol all u32 match u32 0 0 action mirred egress redirect dev ifb0"
    return f"{host} tc filter add dev {device} {hook} {match}"


def pinned(way, sender, receiver):
    return {way.sender: {"cpu": sender}, way.receiver: {"cpu": receiver}}


# Each: path and plant. Those of PAIRABLE also plant a given goodput (Mbit/s) at a given round trip (ms).


def window(rng, way, what, factor, target, rtt):
    """Buffers of both kinds; the factors, goodput × RTT / size, were measured: of the sysctl and of the option."""
    rtt = rtt or rng.uniform(10, 40)
    as_option = rng.random() < 0.4
    share = factor[as_option]
    size = round(target * rtt * 125 / share if target else spread(rng, 64e3, 256e3 if as_option else 512e3))
    host, sysctl, usual = (way.receiver, "tcp_rmem", 131072) if what == "receive" else (way.sender, "tcp_wmem", 16384)
    expected = around(share * size / rtt / 125, 0.65, 2.0 if what == "send" else 1.6)
    chosen = {"size": size, "as": f"--{what}-buffer" if as_option else sysctl}
    if as_option:
        return Setup(rtt_ms=rtt), Setup(options=[f"--{what}-buffer", str(size)], chosen=chosen, expected=expected)
    command = f"{host} sysctl -qw 'net.ipv4.{sysctl}=4096 {min(usual, size)} {size}'"
    return Setup(rtt_ms=rtt), Setup([command], chosen=chosen, expected=expected)


def receive_window(rng, way, target=None, rtt=None):
    return window(rng, way, "receive", (0.64, 1.28), target, rtt)


def send_buffer(rng, way, target=None, rtt=None):
    return window(rng, way, "send", (0.7, 1.35), target, rtt)


def loss(rng, way, target=None, rtt=None):
    rtt = rtt or rng.uniform(5, 20)
    # Mathis et al. 1997, with the constant of cubic's Reno-friendly region measured here.
    mathis = DATA * 8 / (rtt * 1000) * 1.05
    # Below 0.2 % a trial would have too few losses.
    share = min(max((mathis / target) ** 2, 0.002), 0.02) if target else spread(rng, 0.002, 0.02)
    rule = f'oifname "{way.out}" meta length > 500 numgen random mod 100000 < {round(share * 1e5)} counter drop'
    expected = around(mathis / math.sqrt(share), 0.6, 1.9)
    plant = Setup([nft("loss", "filter hook forward priority 0", rule)], chosen={"loss": share}, expected=expected)
    return Setup(rtt_ms=rtt, single=True, congestion="cubic"), plant


def shaper(rng, way, target=None, rtt=None):
    rtt, rate = rtt or rng.uniform(1, 20), target * FRAME / DATA if target else spread(rng, 50, 400)
    queue, kind = rng.uniform(50, 100), rng.choice(["tbf", "htb"])
    host, device = rng.choice([("m1", way.out), ("m1", way.out), (way.sender, "eth0")])
    commands = [bucket(host, device, rate, queue)]
    if kind == "htb":
        leaf = f"{host} tc qdisc add dev {device} parent 1:1 bfifo limit {rate * queue * 125:.0f}"
        commands = [*htb(host, device, rate), leaf]
    chosen = {"mbit": rate, "queue_ms": queue, "kind": kind, "at": host}
    return Setup(rtt_ms=rtt), Setup(commands, chosen=chosen, expected=around(rate * DATA / FRAME, 0.93, 1.03))


def policer(rng, way, target=None, rtt=None):
    rtt, rate = rtt or rng.uniform(5, 20), target * PACKET / DATA if target else spread(rng, 50, 400)
    packets, burst = rate * 1e6 / 8 / PACKET, rng.uniform(0.02, 0.05)
    limit = f"limit rate over {packets:.0f}/second burst {max(packets * burst, 20):.0f} packets drop"
    rule = f'oifname "{way.out}" meta length > 500 {limit}'
    plant = Setup(
        [nft("police", "filter hook forward priority 0", rule)], chosen={"mbit": rate, "burst_ms": burst * 1e3}
    )
    plant.expected = around(rate * DATA / PACKET, 0.45, 1.05)
    return Setup(rtt_ms=rtt, single=True), plant


def per_flow_cap(rng, way, target=None, rtt=None):
    rtt, rate = rtt or rng.uniform(2, 10), target * FRAME / DATA if target else spread(rng, 50, 250)
    queue = rng.uniform(50, 100)
    base = f"dev {way.out} parent 1:$(printf %x $i)"
    leaf = f"qdisc add {base} bfifo limit {rate * queue * 125:.0f}"
    one = base.replace("parent 1:", "parent 1: classid 1:")
    loop = (
        f'for i in $(seq 256 511); do echo "class add {one} htb rate {rate:.3f}mbit quantum 60000"; echo "{leaf}"; done'
    )
    hashed = (
        f"jhash ip saddr . ip daddr . tcp sport . tcp dport mod 256 seed {rng.randrange(1, 2**31)} offset {0x10100}"
    )
    rule = f'oifname "{way.out}" meta l4proto tcp meta priority set {hashed}'
    commands = [*htb("m1", way.out, 10_000), f"m1 sh -c '{{ {loop}; }} | tc -batch -'"]
    plant = Setup(
        [*commands, nft("cap", "filter hook forward priority -150", rule)], chosen={"mbit": rate, "queue_ms": queue}
    )
    # Of one connection.
    plant.expected = around(rate * DATA / FRAME, 0.85, 1.05)
    return Setup(rtt_ms=rtt), plant


def application_limited(rng, way, target=None, rtt=None):
    if target or rng.random() < 0.5:
        rate = target or spread(rng, 10, 100)
        plant = Setup(
            options=["--rate", f"{rate * 1e6:.0f}bit"], chosen={"mbit": rate}, expected=around(rate, 0.95, 1.02)
        )
        return Setup(rtt_ms=rtt or rng.uniform(0.5, 20)), plant
    size = round(spread(rng, 64, 1024))
    return Setup(congestion="cubic"), Setup(options=["--size", str(size)], chosen={"size": size})


def cpu(rng, way, host, shares):
    """The rest of its CPU is taken by a quota, by other processes, or by some of higher priority."""
    own = rng.randrange(2)
    ends = pinned(way, own, 1 - own) if host == way.sender else pinned(way, 1 - own, own)
    share, how = rng.uniform(*shares), rng.choice(["quota", "processes", "priority"])
    plant = Setup(chosen={"share": share, "by": how})
    if how == "quota":
        plant.ends = {host: {"quota": share}}
    elif how == "priority":
        plant.hogs = [[own, 1 - share]]
    else:
        others = max(2, round(1 / share) - 1)
        plant.hogs, plant.chosen["share"] = [[own, None]] * others, 1 / (others + 1)
    return Setup(ends=ends, congestion="cubic"), plant


def sender_cpu(rng, way):
    return cpu(rng, way, way.sender, (0.2, 0.5))


def receiver_cpu(rng, way):
    return cpu(rng, way, way.receiver, (0.15, 0.35))


def softirq(rng, way):
    """The receiver on the CPU of its softirq, both at similar cost; without the plant on the sender's."""
    other, own = rng.sample([0, 1], 2)
    read = round(spread(rng, 128, 256))
    rules = round(1.5e6 / read)
    commands = many_rules(way.receiver, "filter hook input priority 0", rules)
    path = Setup([*commands, steer(way.receiver, "eth0", own)], ["--read-size", str(read)], congestion="cubic")
    path.ends = pinned(way, other, other)
    return path, Setup(ends={way.receiver: {"cpu": own}}, chosen={"rules": rules, "read": read, "cpu": own})


def per_packet_cost(rng, way):
    """A router with a CPU of its own; the same cost for every packet."""
    rules, own = round(spread(rng, 500, 3000)), rng.randrange(2)
    path = Setup([steer("m1", port, own) for port in ("left", "right")], single=True)
    path.ends = pinned(way, 1 - own, 1 - own)
    return path, Setup(many_rules("m1", "filter hook forward priority 0", rules), chosen={"rules": rules})


def sender_queue_drops(rng, way):
    """The path's shaper has a queue that is long enough, the plant's is not. Single packets, so that it counts them."""
    host, rate, limit = way.sender, spread(rng, 100, 400), rng.randint(2, 4)
    queue = f"{host} tc qdisc replace dev eth0 parent 1:1 handle 2: pfifo limit"
    commands = [f"{host} ip link set eth0 gso_max_segs 1", *htb(host, "eth0", rate), f"{queue} 1000"]
    path = Setup(commands, rtt_ms=rng.uniform(5, 15), single=True, congestion="cubic")
    return path, Setup([f"{queue} {limit}"], chosen={"mbit": rate, "packets": limit}, expected=around(rate, 0.05, 0.85))


def receiver_drops(rng, way):
    """Bursts of single packets into a short input queue of the receiver's softirq."""
    own, packets = rng.randrange(2), rng.randint(15, 40)
    path = Setup(
        [steer(way.receiver, "eth0", own)], rtt_ms=rng.uniform(5, 15), single={"m1": [way.out]}, congestion="cubic"
    )
    path.ends = pinned(way, 1 - own, own)
    return path, Setup(backlog=packets, chosen={"packets": packets})


def shared_bus(rng, way):
    """What host a or b receives and sends passes one bucket."""
    host, name = rng.choice("ab"), rng.choice(list(BUSES))
    mbit = BUSES[name] * 8e-6 * rng.uniform(0.75, 0.95)
    commands = [f"{host} ip link add ifb0 type ifb", f"{host} ip link set ifb0 up", bucket(host, "ifb0", mbit, 30)]
    commands += [f"{host} tc qdisc add dev eth0 clsact"]
    commands += [through_ifb(host, "eth0", hook) for hook in ("ingress", "egress")]
    path = Setup(options=["--bus", name], rtt_ms=rng.choice([0, rng.uniform(0.5, 5)]))
    return path, Setup(
        commands, chosen={"bus": name, "mbit": mbit, "at": host}, expected=around(mbit * DATA / FRAME, 0.85, 1.03)
    )


def half_duplex(rng, way):
    """One bucket for both ways, counting every frame as Ethernet does."""
    rate = rng.choice([100, rng.randint(20, 99)])
    medium = "100base-tx:half" if rate == 100 else f"ethernet:{rate}Mbit:half"
    mbit = rate * rng.uniform(0.88, 0.96)
    frames = "stab overhead 24 mpu 84 linklayer ethernet"
    commands = ["m1 ip link add ifb0 type ifb", "m1 ip link set ifb0 up"]
    commands += [bucket("m1", "ifb0", mbit, 30, "16k").replace("root", f"root handle 1: {frames}")]
    for port in ("left", "right"):
        commands += [f"m1 tc qdisc add dev {port} ingress", through_ifb("m1", port, "parent ffff:")]
    path = Setup(options=["--medium", medium], rtt_ms=rng.choice([0, rng.uniform(0.5, 5)]), single=True)
    # An acknowledgement for two segments.
    share = 2 * DATA / (2 * WIRE + 90)
    return path, Setup(commands, chosen={"medium": medium, "mbit": mbit}, expected=around(mbit * share, 0.85, 1.05))


def reordering(rng, way):
    """Every so many packets take a path that is longer by more than a round trip."""
    rtt, every = rng.uniform(5, 20), rng.choice([8, 16, 32, 64])
    extra = rtt * rng.uniform(1.5, 2.5)
    rule = f'iifname "{way.back}" meta length > 500 numgen inc mod {every} 0 meta mark set 2'
    path = Setup(rtt_ms=rtt, single=True, congestion="cubic")
    chosen = {"every": every, "extra_ms": extra}
    return path, Setup(
        [nft("detour", "filter hook prerouting priority -150", rule)], detour_ms=rtt / 2 + extra, chosen=chosen
    )


def mtu_black_hole(rng, way):
    mtu = rng.randint(576, 1450)
    dropped = nft("hole", "filter hook output priority 0", "icmp type destination-unreachable counter drop")
    path = Setup([f"{host} sysctl -qw net.ipv4.tcp_mtu_probing=0" for host in "ab"], rtt_ms=rng.uniform(2, 20))
    return path, Setup([f"m1 ip link set {way.out} mtu {mtu}", dropped], chosen={"mtu": mtu}, expected=(0, 0.1))


def options_stripped(rng, way):
    rtt, options = rng.uniform(10, 40), rng.choice([["window"], ["window", "sack-perm"]])
    rules = [f"tcp flags & syn == syn reset tcp option {option}" for option in options]
    plant = Setup([nft("strip", "filter hook forward priority 0", *rules)], chosen={"options": options})
    plant.expected = around(65535 / rtt / 125, 0.85, 1.02)
    return Setup(rtt_ms=rtt), plant


def start_up(rng, way):
    size = round(spread(rng, 200e3, 2e6))
    return Setup(rtt_ms=rng.uniform(20, 60)), Setup(options=["--bytes", f"{size}B"], chosen={"bytes": size})


def storage(rng, way):
    rate = round(spread(rng, 5e6, 60e6))
    return Setup(), Setup(disk=rate, chosen={"bytes_a_second": rate}, expected=around(rate * 8e-6, 0.8, 1.1))


def medium(rng, way, shaped):
    """A control: the wire's rate, or nothing but the machine."""
    if not shaped:
        return Setup(options=["--connections", str(rng.choice([1, 1, 2, 4]))]), Setup(chosen={"limit": "machine"})
    name, rate = rng.choice([("100base-tx", 100), ("1000base-t", 1000)])
    queue = rng.uniform(5, 20)
    # The shaper counts whole packets with the Ethernet header alone; a little slower, so that no window gets more.
    commands = [bucket("m1", port, 0.995 * rate * FRAME / WIRE, queue) for port in ("left", "right")]
    path = Setup(commands, ["--medium", name], rtt_ms=rng.choice([0, rng.uniform(0.5, 5)]))
    return path, Setup(chosen={"medium": name, "queue_ms": queue}, expected=around(rate * DATA / WIRE, 0.85, 1.0))


PLANTS = {
    "receive-window": receive_window,
    "send-buffer": send_buffer,
    "loss": loss,
    "shaper": shaper,
    "policer": policer,
    "per-flow-cap": per_flow_cap,
    "sender-cpu": sender_cpu,
    "receiver-cpu": receiver_cpu,
    "softirq": softirq,
    "application-limited": application_limited,
    "per-packet-cost": per_packet_cost,
    "sender-queue-drops": sender_queue_drops,
    "receiver-drops": receiver_drops,
    "shared-bus": shared_bus,
    "half-duplex": half_duplex,
    "reordering": reordering,
    "mtu-black-hole": mtu_black_hole,
    "options-stripped": options_stripped,
    "start-up": start_up,
    "storage": storage,
}
# Of streams_topologies.build.
ROUTES = [
    "a ip route change 10.99.0.2 via 10.99.1.2 src 10.99.0.1",
    "b ip route change 10.99.0.1 via 10.99.2.1 src 10.99.0.2",
]
BOTH_WAYS = ["shared-bus", "half-duplex"]
# Always started in c: a plant on a host's CPUs, or a path that control connections do not survive.
ELSEWHERE = ["sender-cpu", "receiver-cpu", "softirq", "per-packet-cost", "receiver-drops", "mtu-black-hole"]
# The limiting one may be any; loss depends on the round trip, which a shaper's queue lengthens, so it is no second.
PAIRABLE = ["receive-window", "send-buffer", "loss", "shaper", "policer", "per-flow-cap", "application-limited"]


def case(seed, cause, number):
    """The cause is one of PLANTS, medium (a control) or pair; then the first of its causes limits."""
    rng = random.Random(f"{seed} {cause} {number}")
    way = Way("both" if cause in BOTH_WAYS else rng.choice(["send", "receive"]))
    if cause == "medium":
        causes, made = ["medium"], [medium(rng, way, shaped=number % 2 == 0)]
    elif cause == "pair":
        causes = [rng.choice(PAIRABLE)]
        # Both would be the router's queueing discipline.
        queues = {"shaper", "per-flow-cap"}
        causes += [rng.choice([c for c in PAIRABLE if c not in ("loss", *causes) and {c, *causes} != queues])]
        rtt, target = rng.uniform(20, 40), spread(rng, 20, 40)
        goodputs = [target, target * rng.uniform(2.5, 4)]
        made = [PLANTS[name](rng, way, goodput, rtt) for name, goodput in zip(causes, goodputs)]
    else:
        causes, made = [cause], [PLANTS[cause](rng, way)]
    at = "c" if cause in ELSEWHERE or rng.random() < 0.7 else "a"
    paths, plants = [path for path, _ in made], [plant for _, plant in made]
    # On a longer path cubic may need more than a trial's time to reach what limits.
    free = rng.choice([None, None, "bbr", "cubic" if max(path.rtt_ms for path in paths) < 15 else "bbr"])
    congestion = next((path.congestion for path in paths if path.congestion), free)
    if cause == "storage":
        # No option of a copy.
        congestion = None
    common = {"coordinator": at, "congestion": congestion, "direction": way.direction}
    chosen = {"rtt_ms": max(p.rtt_ms for p in paths), **common} | {
        name: plant.chosen for name, plant in zip(causes, plants)
    }
    return {
        "case": f"{cause}:{number}",
        "causes": causes,
        "chosen": chosen,
        "expected_mbit": plants[0].expected,
        "planted": merged(common, paths, plants),
        "bare": merged(common, paths, []),
    }


def merged(common, paths, plants):
    """What Network raises, and the words of the measurement."""
    parts, ends = [*paths, *plants], {}
    for part in parts:
        for host, end in part.ends.items():
            ends[host] = ends.get(host, {}) | end
    words = ["--direction", common["direction"], *(word for part in parts for word in part.options)]
    commands = [command for part in parts for command in part.commands]
    if algorithm := common["congestion"]:
        words += ["--congestion", algorithm]
        # From the first packet: a socket that had bbr until then paces whatever follows.
        commands = [*(f"{route} congctl {algorithm}" for route in ROUTES), *commands]
    singles = [part.single for part in parts if part.single]
    return {
        "coordinator": common["coordinator"],
        "rtt_ms": max(part.rtt_ms for part in parts),
        "detour_ms": max(part.detour_ms for part in parts),
        "single": True if True in singles else singles[0] if singles else None,
        "commands": commands,
        "ends": ends,
        "hogs": [hog for part in parts for hog in part.hogs],
        "backlog": next((part.backlog for part in parts if part.backlog), None),
        "disk": next((part.disk for part in parts if part.disk), None),
        "words": words,
    }
