"""What a host's kernel can have taken of the TCP connections that another host opened or accepted: from the packets
that tcpdump saw arrive. For proofs/streams."""

import bisect
import signal
import struct
import subprocess
import time

from soak_lab import Broken

# Bytes of each packet: link, IPv6 and TCP headers with all options.
SNAP = 128
HALF = 1 << 31
# Link types of tcpdump's "any": length of the header.
LINKS = {113: 16, 276: 20}
SYN, ETHERNET = 2, 14


def clock_offset():
    """CLOCK_REALTIME less CLOCK_MONOTONIC, in ns."""
    before = time.monotonic_ns()
    return time.time_ns() - (before + time.monotonic_ns()) // 2


class Capture:
    """Of the packets that arrive at a host from another, until `end`."""

    def __init__(self, host, addresses, file, cpus):
        source, goal = addresses
        self.file, self.offset = file, clock_offset()
        words = ["ip", "netns", "exec", host, "taskset", "-c", ",".join(map(str, cpus)), "nice", "-n", "-20", "tcpdump"]
        words += ["-Z", "root", "-i", "any", "-Q", "in", "-n", "-s", str(SNAP), "-B", "65536", "-w", str(file)]
        words += ["--time-stamp-precision=nano", f"tcp and src host {source} and dst host {goal}"]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "listening on" in line:
                return
        raise Broken(f"tcpdump does not start at {host}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """What has arrived."""
        # The kernel gives what it has kept to tcpdump once a second.
        time.sleep(1.2)
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=30)[1]
        if "\n0 packets dropped by kernel" not in said:
            raise Broken(f"tcpdump: {said}")
        data = self.file.read_bytes()
        self.file.unlink()
        return Arrivals(data, self.offset)


class Flow:
    """In the order of arrival, what is new and what is next."""

    def __init__(self, first):
        self.next, self.waiting = first, []

    def take(self, start, length):
        """Bytes that are in order now, and that had arrived already."""
        start = self.next + (start - self.next + HALF) % (2 * HALF) - HALF
        end, before = start + length, self.next
        if start == self.next and not self.waiting:
            self.next = end
            return length, 0
        old = max(0, min(end, self.next) - start)
        start = max(start, self.next)
        twice = old + sum(max(0, min(end, b) - max(start, a)) for a, b in self.waiting)
        if end > start:
            self.add(start, end)
        while self.waiting and self.waiting[0][0] <= self.next:
            self.next = max(self.next, self.waiting.pop(0)[1])
        return self.next - before, twice

    def add(self, start, end):
        left = bisect.bisect_left(self.waiting, (start,))
        if left and self.waiting[left - 1][1] >= start:
            left -= 1
        right = left
        while right < len(self.waiting) and self.waiting[right][0] <= end:
            right += 1
        for a, b in self.waiting[left:right]:
            start, end = min(start, a), max(end, b)
        self.waiting[left:right] = [(start, end)]


class Sums:
    """So far at each time: headers, payload, of it in order, and twice."""

    def __init__(self):
        self.times, self.rows = [], [(0, 0, 0, 0)]

    def add(self, when, *more):
        self.times.append(when)
        self.rows.append(tuple(x + y for x, y in zip(self.rows[-1], more)))

    def between(self, start, end):
        """Headers, payload, of it twice, and by how much what waits for earlier bytes has grown."""
        rows = [self.rows[bisect.bisect_right(self.times, instant)] for instant in (start, end)]
        headers, payload, in_order, twice = (y - x for x, y in zip(*rows))
        return headers, payload, twice, payload - in_order - twice


class Arrivals:
    """On CLOCK_MONOTONIC: of all connections, and of each by the ports of source and goal."""

    def __init__(self, data, offset):
        self.all, self.of = Sums(), {}
        link = LINKS[struct.unpack_from("<I", data, 20)[0] & 0xFFFF]
        assert data[:4] == struct.pack("<I", 0xA1B23C4D), "not a capture in ns of this machine"
        packets, flows, at = [], {}, 24
        while at + 16 <= len(data):
            seconds, nanos, kept, whole = struct.unpack_from("<IIII", data, at)
            packets.append((seconds * 10**9 + nanos - offset, at + 16 + link, whole - link))
            at += 16 + kept
        # tcpdump writes them as each interface gave them.
        packets.sort()
        for when, at, whole in packets:
            if data[at] >> 4 == 4:
                tcp, length = at + 4 * (data[at] & 15), struct.unpack_from(">H", data, at + 2)[0] or whole
            else:
                tcp, length = at + 40, (struct.unpack_from(">H", data, at + 4)[0] or whole - 40) + 40
            source, goal, sequence = struct.unpack_from(">HHI", data, tcp)
            headers = tcp - at + 4 * (data[tcp + 12] >> 4)
            length -= headers
            if data[tcp + 13] & SYN:
                flows[source, goal], self.of[source, goal] = Flow(sequence + 1), Sums()
            taken = (0, 0)
            if length > 0 and (source, goal) in flows:
                taken = flows[source, goal].take(sequence, length)
                self.of[source, goal].add(when, headers, length, *taken)
            self.all.add(when, headers + ETHERNET, length, *taken)
