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
failed=0
for t in $targets; do
  say "$t under $preset"
  "build/$preset/bin/$t" --gtest_brief=1 "$@" || failed=1
done
exit $failed
