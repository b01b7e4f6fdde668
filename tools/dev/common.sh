# common.sh: sourced by every ./dev command. Runs in the repository's root.
set -euo pipefail # a build that failed is not tested
export CCACHE_DIR="${CCACHE_DIR:-${HOME:-/root}/.ccache}"
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}" # else it keeps nothing that uses precompiled headers
jobs=$(nproc)
say() { printf '== %s\n' "$*"; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# Debian packages of the build, the demo and the tests; the reason for each library stands in docs/architecture.md.
packages=(
  g++ cmake ninja-build ccache pkg-config git ca-certificates python3 python3-onnx python3-numpy python3-yaml openssl
  libfmt-dev libcli11-dev libprotozero-dev libsimdjson-dev nlohmann-json3-dev libyaml-cpp-dev libsqlite3-dev
  zlib1g-dev libdeflate-dev libzstd-dev libcairo2-dev libpango1.0-dev fonts-dejavu-core fonts-noto-cjk libdw-dev libelf-dev
  libiberty-dev libcapstone-dev libcpp-httplib-dev libboost-dev libonnx-dev libprotobuf-dev protobuf-compiler
  libgtest-dev libgmock-dev libbenchmark-dev libpng-dev
)
# What only the checks need.
check_packages=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev chromium poppler-utils)

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

install_packages() {
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing and need root: apt-get install $(echo $missing)"
    root=(sudo)
  fi
  say "installing: $(echo $missing)"
  "${root[@]}" apt-get update -qq
  # shellcheck disable=SC2086
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=900 $missing >/dev/null
}

need_node() {
  command -v npm >/dev/null && return 0
  install_packages nodejs npm
}

configure() { # configure PRESET
  [ -f "build/$1/build.ninja" ] || cmake --preset "$1" ${PROF_PCH_SRC:+"-DPROF_PCH_SRC=$PROF_PCH_SRC"} >"build/$1.log" 2>&1 || { cat "build/$1.log" >&2; die "cmake failed for preset $1"; }
}

build() { # build PRESET [TARGET...]
  local preset=$1
  shift
  mkdir -p build
  configure "$preset"
  ninja -C "build/$preset" -j "$jobs" "$@"
}
