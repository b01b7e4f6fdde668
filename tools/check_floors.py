#!/usr/bin/env python3
"""Checks that every include points down or stays within its part (docs/architecture.md draws the floors).

Usage: check_floors.py SRC_DIR   (SRC_DIR holds one folder per part)
Exit 0: clean. Exit 1: prints "file:line: part -> part" for each breach, and any part that the table does not know. The same for a
type that two headers define under one name: the linker keeps one destructor of the two, and the other's objects are destroyed by it.
"""
import collections
import pathlib
import re
import sys

BASE = {"base"}
TRACE = BASE | {"trace"}
FILE = TRACE | {"tracefile"}
STORE = TRACE | {"store"}
METRICS = STORE | {"metrics"}
# part: the parts it may include beside itself. Absent pairs are breaches.
MAY_USE = {
    "base": set(),
    "sdk": set(),  # lives in other people's services: links nothing of ours
    "trace": BASE,
    "symbols": BASE,
    "tracefile": TRACE,
    "capture": FILE | {"symbols", "sdk"},
    "import": FILE | {"symbols"},  # kernels by a name that people read
    "store": TRACE,
    "metrics": STORE,
    "rules": METRICS,
    "verdict": METRICS,
    "plan": METRICS | {"rules", "verdict"},  # the verdict's power: how many runs prove a step
    "cases": METRICS | {"rules", "verdict"},
    "report": METRICS | {"rules", "verdict", "plan", "cases", "symbols"},
    "graph": BASE,
    "serve": BASE | {"sdk"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/')


def breaches(src):
    for path in sorted(p for p in src.rglob("*") if p.suffix in (".cpp", ".hpp", ".h", ".c")):
        part = path.relative_to(src).parts[0]
        if part not in MAY_USE:
            yield f"{path}: part {part} is on no floor"
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            found = INCLUDE.match(line)
            if found and found[1] in MAY_USE and found[1] != part and found[1] not in MAY_USE[part]:
                yield f"{path}:{number}: {part} -> {found[1]}"


NAMESPACE = re.compile(r"^namespace (prof[\w:]*) \{", re.M)
TYPE = re.compile(r"^(?:struct|class|union|enum class) (\w+)[^;{(]*\{", re.M)


def types_of_one_name(folders):
    """Types at the top of a namespace; what stands inside another type or in an anonymous namespace is its own."""
    places = collections.defaultdict(list)
    for path in sorted(p for folder in folders for p in folder.rglob("*.hpp")):
        text = path.read_text(errors="replace")
        space = NAMESPACE.search(text)
        for name in TYPE.findall(text):
            places[(space[1] if space else "", name)].append(str(path))
    for (space, name), paths in places.items():
        if len(paths) > 1:
            yield f"{space}::{name} is defined in {' and in '.join(paths)}"


if __name__ == "__main__":
    source = pathlib.Path(sys.argv[1])
    bad = [*breaches(source), *types_of_one_name([source, source.parent / "apps"])]
    print(*bad, sep="\n", end="\n" if bad else "")
    sys.exit(bool(bad))
