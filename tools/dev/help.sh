cat <<'TXT'
./dev setup     install Debian packages, the inference engine and the viewer's build tools (idempotent)
./dev build     build everything into build/release (profiler, atc in build/release/bin)
./dev test      setup, build, run every test (ctest)
./dev demo      setup, build, then the whole loop on a real service; artefacts in demo/   [--quick]
./dev bench     NAME...: benchmarks; the last line is one JSON object (docs/benchmarks.md)
./dev coverage  [PART...]: the lines that the unit tests reach, per folder
./dev fuzz      [SECONDS]: every fuzz target for that long (default 30)
./dev lint      floors, format, clang-tidy on what changed (--all: on everything; --fast: no clang-tidy)
./dev format    clang-format in place
./dev sanitize  asan|tsan: the unit tests under that sanitizer
TXT
