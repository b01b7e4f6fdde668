source tools/dev/common.sh
seconds=${1:-30}
bash tools/dev/setup.sh --checks
mkdir -p build
configure fuzz
for source in fuzz/*_fuzz.cpp; do
  name=$(basename "$source" _fuzz.cpp)
  ninja -C build/fuzz -j "$jobs" "fuzz_$name"
  mkdir -p "build/fuzz/corpus/$name"
  say "fuzzing $name for $seconds s"
  "build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_final_stats=0 -artifact_prefix="build/fuzz/" \
    "build/fuzz/corpus/$name" "fuzz/corpus/$name" 2>&1 | tail -2
  [ "${PIPESTATUS[0]}" = 0 ] || die "fuzz_$name found a failure; the input stands in build/fuzz/"
done
