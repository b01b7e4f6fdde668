source tools/dev/common.sh
install_packages "${packages[@]}"
[ "${1:-}" = --checks ] && install_packages "${check_packages[@]}"
need_node
bash tools/install_engine.sh third_party/engine
