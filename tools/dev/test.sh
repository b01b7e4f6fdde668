source tools/dev/common.sh
bash tools/dev/setup.sh --checks
say "building (preset release)"
build release
say "testing"
# What records this machine as it is can be disturbed by it: a second try, and the first one's failure stays in the output.
ctest --preset release --repeat until-pass:2 "$@"
