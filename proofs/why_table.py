"""The table of proofs/why and what it requires."""

import statistics

from why_plants import NOT_COVERED, PLANTS

NAMED, PAIRED, AGREEING = 0.95, 0.9, 0.9
MEDIAN, LONGEST = 60, 120


def of(records, *kinds):
    """Of single plants, controls (medium) or pairs."""
    kind = {"medium": "medium", "pair": "pair"}
    return [r for r in records if kind.get(r["case"].partition(":")[0], "plant") in kinds]


def count(records, result):
    return sum(r["result"] == result for r in records)


def share(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def checks(records, steal):
    """Text of each requirement and whether it is met by these records."""
    plants, controls, pairs = of(records, "plant"), of(records, "medium"), of(records, "pair")
    wrong = [count(some, "wrong") for some in (plants, controls, pairs)]
    if steal:
        yield f"wrong names: {sum(wrong)} in {len(records)} cases, allowed 0", sum(wrong) == 0
    else:
        right = count(plants, "correct")
        yield f"planted causes named: {share(right, len(plants))}, required 95 %", right >= NAMED * len(plants)
        yield f"wrong names of planted causes: {wrong[0]}, allowed 1", wrong[0] <= 1
        yield f"causes named in controls: {share(wrong[1], len(controls))}, allowed 0", wrong[1] == 0
        right = count(pairs, "correct")
        yield f"pairs, the limiting cause named: {share(right, len(pairs))}, required 90 %", right >= PAIRED * len(
            pairs
        )
        yield f"pairs, another named: {wrong[2]}, allowed 0", wrong[2] == 0
    if seconds := [r["seconds"] for r in records if r["result"] != "none"]:
        median, longest = statistics.median(seconds), max(seconds)
        within = steal or (median <= MEDIAN and longest <= LONGEST)
        yield f"time: median {median:.0f} s, maximum {longest:.0f} s, allowed {MEDIAN} and {LONGEST} s", within
    named = [r for r in records if r["result"] == "correct" and r["name"] != "medium"]
    agreeing = sum(r["agree"] is True for r in named)
    text = f"effects of the named cause as predicted: {share(agreeing, len(named))}, required 90 %"
    yield text, steal or agreeing >= AGREEING * len(named)
    none = count(records, "none")
    yield f"cases without an answer: {none}, allowed 0", none == 0


def failures(records, steal):
    return [text for text, met in checks(records, steal) if not met]


def columns(rows):
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def seconds(records):
    took = [r["seconds"] for r in records if r["result"] != "none"]
    return (f"{statistics.median(took):.0f} s", f"{max(took):.0f} s") if took else ("–", "–")


def table(records, wanted, asked):
    """Lines: the matrix (a row for each planted cause), counts, and each case that is not correct."""
    groups = {
        cause: [r for r in records if r["case"].partition(":")[0] == cause] for cause in [*PLANTS, "medium", "pair"]
    }
    groups = {cause: ours for cause, ours in groups.items() if ours}
    heads = [name for name in [*PLANTS, *NOT_COVERED, "medium"] if any(r["name"] == name for r in records)]
    numbered = {name: str(n) for n, name in enumerate(heads, 1)}
    rest = ["not proven", "tie", "no answer"]
    rows = [["planted", "n", *numbered.values(), *rest]]
    for cause, ours in groups.items():
        names = [r["name"] if r["result"] != "none" else "no answer" for r in ours]
        rows.append([cause, str(len(ours)), *(str(names.count(name) or ".") for name in [*heads, *rest])])
    load = ", with steal and busy neighbours" if asked.steal else ""
    lines = [f"What was planted and what was named; seed {asked.seed}{load}"]
    lines += ["", *columns(rows), "", "Columns: " + ", ".join(f"{n} {name}" for name, n in numbered.items())]
    rows = [["planted", "correct", "not proven", "wrong", "no answer", "median", "maximum", "effects agree"]]
    for cause, ours in groups.items():
        counts = [str(count(ours, result)) for result in ("correct", "not proven", "wrong", "none")]
        named = [r for r in ours if r["result"] == "correct"]
        rows.append([cause, *counts, *seconds(ours), f"{sum(r['agree'] is True for r in named)} of {len(named)}"])
    lines += ["", *columns(rows), "", *(f"{cause}: not covered" for cause in NOT_COVERED), ""]
    lines += [f"{'met' if met else 'NOT MET'}: {text}" for text, met in checks(records, asked.steal)]
    if len(records) < wanted:
        lines.append(f"unfinished: {len(records)} of {wanted} cases")
    off = [
        r
        for r in records
        if r["result"] != "correct" and not (r["case"].startswith("medium") and r["result"] != "wrong")
    ]
    lines += ["", "Not correct:" if off else "Not correct: none"]
    for r in off:
        said = r["diagnosis"] if r["result"] == "none" else f"{r['name']}. {r['diagnosis'].get('sentence', '')}"
        lines.append(f"- {r['case']} ({' over '.join(r['causes'])}): {r['result']}, {said}")
    odd = [r["case"] for r in records if r.get("as_claimed") is False]
    if odd:
        lines += ["", f"The answer's own \"agrees\" differs from its intervals in: {', '.join(odd)}"]
    further = [f"{r['case']}: {', '.join(r['diagnosis']['causes'])}" for r in records
               if r["result"] == "correct" and len(r["diagnosis"]["causes"]) > 1]  # fmt: skip
    if further:
        lines += ["", "Further causes named behind the first:", *(f"- {line}" for line in further)]
    return lines


def page(records, asked):
    """The matrix for docs/methods/why.md: a row for each planted cause, what it was named as, and the requirements."""
    rows = [["planted", "cases", "named", "not proven", "named instead", "median, longest", "effects agree"]]
    for cause in [*PLANTS, "medium", "pair"]:
        ours = [r for r in records if r["case"].partition(":")[0] == cause]
        if not ours:
            continue
        right = [r for r in ours if r["result"] == "correct"]
        instead = ", ".join(r["name"] for r in ours if r["result"] == "wrong") or "0"
        open_ = sum(r["result"] in ("not proven", "none") for r in ours)
        agree = f"{sum(r['agree'] is True for r in right)} of {len(right)}"
        median, longest = seconds(ours)
        rows.append([cause, str(len(ours)), str(len(right)), str(open_), instead, f"{median}, {longest}", agree])
    lines = [f"Seed {asked.seed}; of a pair the limiting cause counts. `medium` has nothing planted.", ""]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(3, "|" + "---|" * len(rows[0]))
    return lines + ["", *(f"- {text}" for text, _ in checks(records, False))]
