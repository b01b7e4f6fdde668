source tools/dev/common.sh
seconds=${1:-30}
bash tools/dev/setup.sh --checks
mkdir -p build
configure asan
names=$(for source in fuzz/*_fuzz.cpp; do basename "$source" _fuzz.cpp; done)
# shellcheck disable=SC2086
ninja -C build/asan -j "$jobs" $(printf 'fuzz_%s ' $names)

fuzz_one() { # fuzz_one NAME SECONDS
  local log="build/asan/$1.log"
  mkdir -p "build/asan/corpus/$1"
  "build/asan/bin/fuzz_$1" -max_total_time="$2" -rss_limit_mb=2048 -timeout=10 -print_final_stats=0 -artifact_prefix="build/asan/" \
    "build/asan/corpus/$1" "fuzz/corpus/$1" >"$log" 2>&1 && { printf '== %s: %s\n' "$1" "$(tail -1 "$log")"; return 0; }
  tail -40 "$log"
  printf 'dev: fuzz_%s found a failure; the input stands in build/asan/\n' "$1" >&2
  return 1
}
export -f fuzz_one
say "fuzzing $(echo $names), $seconds s each"
printf '%s\n' $names | xargs -P "$jobs" -I {} bash -c 'fuzz_one "$@"' _ {} "$seconds"
