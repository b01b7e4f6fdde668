source tools/dev/common.sh
install_packages clang-format-19
git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format-19 -i
