#!/usr/bin/env python3
"""The page of a trace of a million slices: bytes, CPU to write it, time until it is drawn and until it is complete, frames while panning.

Usage: viewer.py BUILD_DIR [--count N]. Needs chromium. Prints one JSON object as its last line; docs/viewer.md explains the keys.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1_000_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temp:
        page = pathlib.Path(temp) / "bulk.html"
        made = json.loads(subprocess.run([args.build / "bin/page_maker", "bulk", page, str(args.count)], check=True, capture_output=True, text=True).stdout)
        drawn = json.loads(subprocess.run(["node", "tests/speed.mjs", page], cwd=ROOT / "viewer", check=True, capture_output=True, text=True).stdout)
    print(json.dumps({"bench": "viewer", "items": made["items"], "bytes_per_item": round(made["bytes"] / made["items"], 2), "write_cpu_ms": made["cpu_ms"], **drawn}))


if __name__ == "__main__":
    main()
