source tools/dev/common.sh
bash tools/dev/build.sh
python3 tools/demo.py build/release "$@"
