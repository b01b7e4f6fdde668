source tools/dev/common.sh
install_packages "${check_packages[@]}"
say "floors"
python3 tools/check_floors.py src
say "format"
git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | xargs clang-format-19 --dry-run --Werror
[ "${1:-}" = --fast ] && exit 0
say "tidy"
mkdir -p build
configure release
if [ "${1:-}" = --all ]; then
  files=$(git ls-files 'src/*.cpp' 'apps/*.cpp')
else
  base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-list --max-parents=0 HEAD | tail -1)
  files=$( (git diff --name-only "$base" -- 'src/*.cpp' 'apps/*.cpp'; git diff --name-only -- 'src/*.cpp' 'apps/*.cpp') | sort -u | xargs -r ls -d 2>/dev/null)
fi
[ -n "$files" ] || { say "nothing to tidy"; exit 0; }
echo "$files" | xargs -P "$jobs" -n 4 clang-tidy-19 -p build/release --quiet 2>/dev/null
say "lint is clean"
