source tools/dev/common.sh
bash tools/dev/setup.sh
say "building (preset release)"
build release
