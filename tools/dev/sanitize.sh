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

check() { # check PRESET PROGRAM [GTEST OPTIONS...]: what it says comes in one piece
  local said status=0
  said=$("build/$1/bin/$2" --gtest_brief=1 "${@:3}" 2>&1) || status=$?
  printf '== %s under %s\n%s\n' "$2" "$1" "$said"
  return "$status"
}
export -f check
# Two at a time, but what records this machine runs alone: another program beside it is noise.
alone="test_capture test_sdk"
failed=0
printf '%s\n' $targets | grep -vxF "$(printf '%s\n' $alone)" | xargs -r -P "$jobs" -I {} bash -c 'check "$@"' _ "$preset" {} "$@" || failed=1
for t in $alone; do
  grep -qx "$t" <<<"$targets" || continue
  check "$preset" "$t" "$@" || failed=1
done
exit $failed
