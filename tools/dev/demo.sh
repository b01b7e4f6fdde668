source tools/dev/common.sh
bash tools/dev/setup.sh
say "building what the demo runs (preset release; './dev build' builds the tests too)"
build release programs
python3 tools/demo.py build/release "$@"
