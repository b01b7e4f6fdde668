source tools/dev/common.sh
install_packages "${packages[@]}"
[ "${1:-}" = --checks ] && install_packages "${check_packages[@]}"
need_node
bash tools/install_engine.sh third_party/engine
# Only a check: without it one test says that it is left out.
[ "${1:-}" != --checks ] || bash tools/install_perfetto.sh || say "Perfetto's trace processor could not be installed: tests/e2e/perfetto_test.py is left out"
