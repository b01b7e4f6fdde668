source tools/dev/common.sh
preset=${1:-asan}
shift || true
bash tools/dev/setup.sh --checks
targets=$(cd tests && for f in */*_test.cpp; do echo "test_${f%%/*}"; done | sort -u)
# The thread sanitizer is for what runs on several threads; the rest would only take time.
[ "$preset" = tsan ] && targets="test_sdk"
mkdir -p build
configure "$preset"
# shellcheck disable=SC2086
ninja -C "build/$preset" -j "$jobs" $targets
export LSAN_OPTIONS="suppressions=$PWD/tools/dev/lsan.supp:print_suppressions=0"

check() { # check PRESET PROGRAM[:PART/PARTS] [GTEST OPTIONS...]: what it says comes in one piece
  local said status=0 program=${2%:*} part=0/1
  [ "$program" = "$2" ] || part=${2#*:}
  said=$(GTEST_TOTAL_SHARDS=${part#*/} GTEST_SHARD_INDEX=${part%/*} "build/$1/bin/$program" --gtest_brief=1 "${@:3}" 2>&1) || status=$?
  printf '== %s under %s\n%s\n' "$2" "$1" "$said"
  return "$status"
}
export -f check
# check_each PRESET PROGRAM [GTEST OPTIONS...]: every test in a process of its own, as ctest does it. As there
# (test.sh), what records this machine gets a second try, and the first one's failure stays in the output.
check_each() {
  local count index said status=0 again=0
  count=$("build/$1/bin/$2" --gtest_list_tests "${@:3}" | grep -c '^  ')
  for ((index = 0; index < count; ++index)); do
    said=$(check_one "$count" "$index" "$@") && continue
    again=$((again + 1))
    printf '%s\n== a second try\n' "$said"
    said=$(check_one "$count" "$index" "$@") || { status=1; printf '%s\n' "$said"; }
  done
  printf '== %s under %s: %d tests, %d of them twice, %s\n' "$2" "$1" "$count" "$again" "$([ $status = 0 ] && echo passed || echo FAILED)"
  return "$status"
}
check_one() { # check_one COUNT INDEX PRESET PROGRAM [GTEST OPTIONS...]
  GTEST_TOTAL_SHARDS=$1 GTEST_SHARD_INDEX=$2 "build/$3/bin/$4" --gtest_brief=1 "${@:5}" 2>&1
}
# Two at a time, but what records this machine runs alone: another program beside it is noise. The tables of the SDK are those of the
# process, and some tests fill them.
alone="test_capture test_sdk"
failed=0
# The longest first and in halves: else one core waits for them at the end.
longest="test_readers test_tracefile test_plan test_verdict"
parts=$(for t in $longest; do grep -qx "$t" <<<"$targets" && printf '%s\n' "$t:0/2" "$t:1/2"; done || true)
printf '%s\n' $parts $targets | { grep -vxF "$(printf '%s\n' $alone $longest)" || true; } | xargs -r -P "$jobs" -I {} bash -c 'check "$@"' _ "$preset" {} "$@" || failed=1
for t in $alone; do
  grep -qx "$t" <<<"$targets" || continue
  check_each "$preset" "$t" "$@" || failed=1
done
exit $failed
