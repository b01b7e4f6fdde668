source tools/dev/common.sh
[ $# -gt 0 ] || die "name a benchmark: $(ls bench/*.py bench/*_bench.cpp 2>/dev/null | xargs -n1 basename | sed -E 's/(_bench\.cpp|\.py)$//' | sort -u | tr '\n' ' ')"
bash tools/dev/build.sh
name=$1
shift
if [ -f "bench/$name.py" ]; then
  exec python3 "bench/$name.py" build/release "$@"
fi
program="build/release/bin/bench_$name"
[ -x "$program" ] || die "no benchmark '$name'"
"$program" --benchmark_repetitions=3 --benchmark_report_aggregates_only=true --benchmark_out_format=json --benchmark_out="build/$name.json" "$@"
python3 - "build/$name.json" "$name" <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
medians = {b["run_name"]: {k: b[k] for k in ("cpu_time", "time_unit", *[c for c in b if c not in (
    "name", "run_name", "run_type", "repetitions", "threads", "iterations", "real_time", "cpu_time", "time_unit", "aggregate_name",
    "aggregate_unit", "family_index", "per_family_instance_index")])} for b in report["benchmarks"] if b.get("aggregate_name") == "median"}
print(json.dumps({"bench": sys.argv[2], "medians": medians}))
PY
