"""What proofs/soak checks: use of memory and descriptors, stored runs, and what is left."""

import concurrent.futures
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from soak_lab import HOSTS, run

# Per hour. Above: not flat.
LIMITS = {"RSS": (1.0, "MiB"), "PSS": (1.0, "MiB"), "descriptors": (1.0, "")}
# A part of the samples, at the beginning, in which a process fills its caches.
WARM_UP = 0.2
BATCHES = 24
FEWEST = 8
RUN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME_WAIT = "06"


def json_lines(stream):
    for line in stream:
        try:
            yield json.loads(line)
        except ValueError:
            # Of a process that was killed while it wrote.
            continue


def run_ids(body):
    return [run["id"] for run in json.loads(body)["runs"]]


def write(path, rows):
    path.write_text(json.dumps(rows))


def read(path):
    return [tuple(row) for row in json.loads(path.read_text())] if path.exists() else [("table", False, "not reached")]


def use(pid):
    """RSS and PSS in MiB, and open descriptors (proc_pid_status(5), proc_pid_smaps(5))."""
    kib = lambda file, name: int(re.search(rf"^{name}:\s+(\d+) kB$", Path(f"/proc/{pid}/{file}").read_text(), re.M)[1])  # noqa: E731
    return [kib("status", "VmRSS") / 1024, kib("smaps_rollup", "Pss") / 1024, len(os.listdir(f"/proc/{pid}/fd"))]


def slope(points):
    """Least squares over medians of batches, which follow each other less closely than samples do: slope per hour
    and half the width of its 95 % confidence interval; None with too few of them."""
    points = points[int(len(points) * WARM_UP) :]
    size = max(1, math.ceil(len(points) / BATCHES))
    batches = [points[at : at + size] for at in range(0, len(points), size)]
    x, y = ([statistics.median(point[n] for point in batch) for batch in batches] for n in (0, 1))
    n = len(x)
    if n < FEWEST:
        return None
    middle, level = statistics.fmean(x), statistics.fmean(y)
    spread = sum((at - middle) ** 2 for at in x)
    rise = sum((at - middle) * (value - level) for at, value in zip(x, y)) / spread
    rest = sum((value - level - rise * (at - middle)) ** 2 for at, value in zip(x, y))
    return rise, student(n - 2) * math.sqrt(rest / (n - 2) / spread)


def student(freedom):
    """97.5 % quantile of Student's t (Abramowitz and Stegun, 26.7.5), within 0.5 % from six degrees of freedom on."""
    z = statistics.NormalDist().inv_cdf(0.975)
    terms = [(z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384]
    return z + sum(term / freedom ** (n + 1) for n, term in enumerate(terms))


def flat(name, samples):
    """A row for each measure: flat if the interval lies below the limit, not flat if above, else undecided."""
    samples, rows = [sample for sample in samples if sample[0] == name], []
    for column, (measure, (limit, unit)) in enumerate(LIMITS.items()):
        points = [(sample[2], sample[3 + column]) for sample in samples]
        found = slope(points)
        if not found:
            rows.append((f"{name}: {measure}", None, f"{len(points)} rounds are too few for a slope"))
            continue
        low, high = found[0] - found[1], found[0] + found[1]
        outcome = True if high <= limit else False if low > limit else None
        detail = f"{found[0]:+.3f} {unit}/h, 95 % CI {low:+.3f} to {high:+.3f} (limit {limit:g}); "
        rows.append((f"{name}: {measure}", outcome, f"{detail}first {points[0][1]:.1f}, last {points[-1][1]:.1f}"))
    return rows


def trials_on_disk(folder):
    """Of a run's log."""
    try:
        with open(folder / "events.jsonl", encoding="utf-8") as log:
            return {event["trial"]["id"] for event in json_lines(log) if event.get("event") == "trial_finished"}
    except FileNotFoundError:
        return None


def stored(lab, port):
    """Trials of each run, by the API."""
    counts, after = {}, ""
    while after is not None:
        page = lab.api(port, "GET", f"/runs?limit=100{after and f'&after={after}'}")
        counts |= {run["id"]: run["trials"] for run in page["runs"]}
        after = page["next"]
    return counts


def ledger(lab, recorded):
    """Every trial that was reported as recorded is in its run's folder and in the store."""
    rows = []
    for store, port in (("runs", 5380), ("second", 5381)):
        known, of_store = stored(lab, port), {run: trials for (at, run), trials in recorded.items() if at == store}
        folder, index = [], []
        for name, trials in of_store.items():
            on_disk = trials_on_disk(lab.home / store / name)
            if on_disk is None or trials - on_disk or not on_disk:
                folder.append(name)
            if known.get(name, 0) < max(1, len(trials)):
                index.append(name)
        total = sum(map(len, of_store.values()))
        detail = f"{total} trials of {len(of_store)} runs were reported as recorded; "
        detail += f"runs without them: {len(folder)} in the folder, {len(index)} in the index"
        outcome = False if folder or index else True if total else None
        rows.append((f"trials in {store}", outcome, "; ".join([detail, *folder[:3], *index[:3]])))
    return rows


def readable(lab, stopped):
    """show, report and export of every run with a trial end with 0; of a run without any, with a documented code."""
    jobs = [
        (store, folder.name)
        for store in ("runs", "second")
        for folder in sorted((lab.home / store).iterdir())
        if RUN.fullmatch(folder.name)
    ]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda job: None if stopped.is_set() else read_run(lab, *job), jobs))
    done = [result for result in ended if result is not None]
    bad = [words for _, words in done if words]
    whole = sum(has_trials for has_trials, _ in done)
    detail = f"{whole} runs with trials, {len(done) - whole} without; {len(bad)} not readable"
    if len(done) < len(jobs):
        detail += f"; interrupted, {len(jobs) - len(done)} not read"
    outcome = False if bad else True if whole and len(done) == len(jobs) else None
    return [("show, report and export", outcome, "; ".join([detail, *bad[:3]]))]


def read_run(lab, store, name):
    has_trials, bad = bool(trials_on_disk(lab.home / store / name)), []
    output = lab.home / "tmp" / f"{store}-{name}"
    environment = lab.environment("center", store)
    environment.pop("LD_PRELOAD", None)
    ways = [
        ["show", name],
        ["report", name, "--format", "html,svg", "--output", output],
        ["export", name, "--format", "json"],
    ]
    for way in ways:
        ended = subprocess.run(
            [lab.program, *way],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=False,
        )
        if ended.returncode not in ((0,) if has_trials else (0, 1, 2, 4)) or b"panicked" in ended.stderr:
            bad.append(
                f"{way[0]} {name}: exit {ended.returncode}, {ended.stderr.decode(errors='replace').strip()[-200:]}"
            )
    shutil.rmtree(output, ignore_errors=True)
    return has_trials, "; ".join(bad)


def left(lab, logs, is_whole):
    """What is left inside, after everything was ended: a row each for processes, sockets, files and namespaces.
    Results that an agent keeps for a lost coordinator are fetched at the end of each round, so not of a part."""
    lab.reap(set())
    processes = [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != os.getpid()]
    names = [Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip() for pid in processes]
    rows = [("processes left", not processes, "; ".join(names) or "none")]
    sockets = []
    for host in HOSTS:
        for kind in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6", "packet"):
            listed = run("ip", "netns", "exec", host, "cat", f"/proc/self/net/{kind}").splitlines()[1:]
            of_kind = [line for line in listed if not (kind.startswith("tcp") and line.split()[3] == TIME_WAIT)]
            sockets += [f"{host} {kind}: {line.split()[1]}" for line in of_kind]
    rows.append(("sockets left", not sockets, "; ".join(sockets) or "none (TIME_WAIT not counted)"))
    files = []
    for folder in lab.disks:
        for path in sorted((lab.home / folder).iterdir()):
            is_run = not folder.startswith("spool") and (
                RUN.fullmatch(path.name) or path.name.startswith("index.sqlite")
            )
            is_kept = path.name.endswith(".result.json") and not is_whole
            if not is_run and not is_kept and not (path.name == "knobs.journal" and path.stat().st_size == 0):
                files.append(f"{folder}/{path.name}")
    for folder in ("tmp", *HOSTS):
        files += [str(path.relative_to(lab.home)) for path in (lab.home / folder).rglob("*") if not path.is_dir()]
    files += [f"/dev/shm/{name}" for name in os.listdir("/dev/shm")]
    files += [f"/run/{name}" for name in os.listdir("/run") if name not in ("netns", "mount")]
    (logs / "files-left.txt").write_text("".join(f"{file}\n" for file in files))
    rows.append(
        (
            "files left",
            not files,
            "; ".join(files[:5]) + (f" and {len(files) - 5} more" if len(files) > 5 else "")
            or "none but runs and index",
        )
    )
    for host in HOSTS:
        run("ip", "netns", "delete", host)
    run("ip", "link", "delete", "switch")
    # The kernel removes a namespace, and so its end of a link, after the last process and socket in it.
    until = time.monotonic() + 30
    while (links := [link["ifname"] for link in json.loads(run("ip", "-j", "link"))]) != [
        "lo"
    ] and time.monotonic() < until:
        time.sleep(0.1)
    spaces = run("ip", "netns", "list").split()
    qdiscs = [line for line in run("tc", "qdisc", "show").splitlines() if "dev lo" not in line]
    rows.append(
        (
            "namespaces, links, qdiscs left",
            links == ["lo"] and not spaces and not qdiscs,
            f"links {links}, namespaces {spaces}, qdiscs {qdiscs}",
        )
    )
    return rows


def left_outside(home):
    """Processes and mounts that name the soak's folder, seen from outside its namespaces."""
    found = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(home) in line]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (
                int(process.name) != os.getpid()
                and str(home).encode() in (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
            ):
                found.append(f"process {process.name}")
        except (OSError, ProcessLookupError):
            continue
    return ("left outside its namespaces", not found, "; ".join(found) or "no process, no mount")


def table(rows, title):
    words = {True: "passed", False: "FAILED", None: "undecided"}
    width = max(len(name) for name, _, _ in rows)
    lines = [f"{name:<{width}}  {words[outcome]:<9}  {detail}" for name, outcome, detail in rows]
    count = {word: sum(words[outcome] == word for _, outcome, _ in rows) for word in words.values()}
    lines.append(", ".join(f"{number} {word}" for word, number in count.items()))
    return "\n".join([title, *lines]) + "\n"
