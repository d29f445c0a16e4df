"""Reads Rust sources far enough to tell code, comments and tests apart. Used by count and check-modules."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)
      | (?P<block>/\*)
      | (?P<raw>\b(?:br|cr|r)(?P<hashes>\#*)"(?s:.*?)"(?P=hashes))
      | (?P<string>(?:\b[bc])?"(?s:\\.|[^"\\])*")
      | (?P<char>(?:\bb)?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|.)|[^'\\\n])')
    """,
    re.VERBOSE,
)
CFG_TEST = re.compile(r"#\[cfg\(\s*(?:test|all\(\s*test\b[^\]]*)\s*\)\]")
ATTRIBUTE = re.compile(r"\s*#\[")


def blank(text):
    return re.sub(r"[^\n]", " ", text)


class Source:
    """One file: `code` is its text with comments and literals blanked, `tests` the line numbers of its test items."""

    def __init__(self, path):
        self.path = path
        text = path.read_text(encoding="utf-8")
        code, literal, comment = [], set(), set()
        at = line = 0

        def take(piece, lines):
            nonlocal line
            for offset, part in enumerate(piece.split("\n")):
                if part.strip() and lines is not None:
                    lines.add(line + offset)
            line += piece.count("\n")

        while match := TOKEN.search(text, at):
            start, end = match.span()
            take(text[at:start], None)
            code.append(text[at:start])
            if match["block"]:
                depth, end = 1, start + 2
                while depth and (mark := re.compile(r"/\*|\*/").search(text, end)):
                    depth += 1 if mark[0] == "/*" else -1
                    end = mark.end()
            piece = text[start:end]
            take(piece, comment if match["line"] or match["block"] else literal)
            code.append(blank(piece))
            at = end
        code.append(text[at:])
        self.code = "".join(code)
        lines = self.code.split("\n")
        self.code_lines = {n for n, part in enumerate(lines) if part.strip()} | literal
        self.comment_lines = comment - self.code_lines
        self.length = text.count("\n")
        self.tests = set()
        self.test_modules = set()
        for match in CFG_TEST.finditer(self.code):
            end = self.item_end(match.end())
            first, last = self.line_of(match.start()), self.line_of(end - 1)
            # Comments directly above belong to the item.
            while first - 1 in self.comment_lines:
                first -= 1
            self.tests.update(range(first, last + 1))
            module = re.match(r"(?:\s|#\[[^\]]*\]|pub(?:\([^)]*\))?)*\bmod\s+(\w+)\s*;", self.code[match.end() : end])
            if module:
                self.test_modules.add(module[1])

    def line_of(self, offset):
        return self.code.count("\n", 0, offset)

    def item_end(self, at):
        """The end of the item that starts at `at`: its closing brace, semicolon, or a list element's comma."""
        depth = 0
        while attribute := ATTRIBUTE.match(self.code, at):
            at = self.closing(attribute.end() - 1)
        for offset in range(at, len(self.code)):
            letter = self.code[offset]
            if letter in "([{":
                depth += 1
            elif letter in ")]}":
                depth -= 1
                if depth < 0:
                    return offset
                if depth == 0 and letter == "}" and not re.match(r"\s*;", self.code[offset + 1 :]):
                    return offset + 1
            elif depth == 0 and letter in ";,":
                return offset + 1
        return len(self.code)

    def closing(self, at):
        depth = 0
        for offset in range(at, len(self.code)):
            depth += {"[": 1, "]": -1}.get(self.code[offset], 0)
            if depth == 0:
                return offset + 1
        return len(self.code)


class Crate:
    """A package of the workspace and its files, each with whether it is a test as a whole."""

    def __init__(self, folder):
        self.folder = folder
        self.name = folder.name
        self.sources = {}
        self.whole_tests = set()
        for path in sorted(folder.rglob("*.rs")):
            inside = path.relative_to(folder).parts
            if "target" in inside:
                continue
            self.sources[path] = Source(path)
            if self.name == "goodput-testkit" or "tests" in inside[:-1] or inside[-1] == "tests.rs":
                self.whole_tests.add(path)
        for path, source in self.sources.items():
            for module in source.test_modules:
                base = children_folder(path)
                declared = (base / f"{module}.rs", base / module)
                self.whole_tests.update(
                    each for each in self.sources if each == declared[0] or declared[1] in each.parents
                )

    def counts(self):
        """Lines of code outside tests, of comments anywhere, and of tests' code."""
        code = comments = tests = 0
        for path, source in self.sources.items():
            testing = source.code_lines if path in self.whole_tests else source.code_lines & source.tests
            code += len(source.code_lines) - len(testing)
            comments += len(source.comment_lines)
            tests += len(testing)
        return code, comments, tests


def children_folder(path):
    """Where the modules that a file declares lie."""
    return path.parent if path.name in ("lib.rs", "main.rs", "mod.rs") else path.with_suffix("")


def crates():
    return [Crate(folder.parent) for folder in sorted([*ROOT.glob("crates/*/Cargo.toml"), ROOT / "bench/Cargo.toml"])]
