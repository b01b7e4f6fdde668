# Which source lines the unit tests reach. With names (store tracefile ...), only those parts' programs are built and run.
# Last output: one line per folder, and build/coverage/uncovered.txt with FILE:LINE of every line that nothing reached.
source tools/dev/common.sh
parts=("$@")
[ $# -gt 0 ] || mapfile -t parts < <(cd tests && ls -d */*_test.cpp | cut -d/ -f1 | sort -u)
mkdir -p build
configure coverage
ninja -C build/coverage -j "$jobs" "${parts[@]/#/test_}" || exit 1
find build/coverage -name '*.gcda' -delete
for part in "${parts[@]}"; do
  say "test_$part"
  "build/coverage/bin/test_$part" --gtest_brief=1 || say "test_$part failed"
done
find build/coverage/src build/coverage/apps -name '*.gcda' -print0 | xargs -0 gcov --json-format --stdout 2>/dev/null | python3 -c '
import collections, json, os, sys
root, hits = os.getcwd() + "/", collections.defaultdict(lambda: collections.defaultdict(int))
for report in sys.stdin:
    for file in json.loads(report)["files"]:
        path = os.path.normpath(os.path.join(root, "build/coverage", file["file"])).removeprefix(root)
        if path.startswith(("src/", "apps/")):
            for line in file["lines"]:
                hits[path][line["line_number"]] += line["count"]
folders = collections.defaultdict(lambda: [0, 0])
with open("build/coverage/uncovered.txt", "w") as out:
    for path, lines in sorted(hits.items()):
        folders[os.path.dirname(path)][0] += len(lines)
        folders[os.path.dirname(path)][1] += sum(count > 0 for count in lines.values())
        out.writelines(f"{path}:{number}\n" for number, count in sorted(lines.items()) if count == 0)
for folder, (total, reached) in sorted(folders.items()):
    print(f"{folder:32} {reached:6} of {total:6} lines  {100 * reached / total:5.1f} %")
'
