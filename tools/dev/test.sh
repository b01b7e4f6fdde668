source tools/dev/common.sh
bash tools/dev/setup.sh --checks
say "building (preset release)"
build release
say "testing"
ctest --preset release "$@"
