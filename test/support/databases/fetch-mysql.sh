#!/usr/bin/env bash
# Unpacks the current MySQL of Debian's suite sid for the tests: into petstore-mysql-<version> in the folder for
# temporary files, with the libraries that it needs. Nothing is installed, and the configuration of apt stays unchanged.
set -euo pipefail
place=${TMPDIR:-/tmp}
work=$(mktemp -d "$place/petstore-fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,archives}/partial "$work/root"
touch "$work/status"
# The mirror that this machine uses.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | grep -m1 '/debian/*$') || {
  echo 'The sources of apt name no mirror of Debian.' >&2
  exit 1
}
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$work/sources.list"
sid() {
  "$1" -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State="$work" \
    -o Dir::State::status="$work/status" -o Dir::State::lists="$work/lists" -o Dir::Cache="$work" \
    -o APT::Sandbox::User=root -o APT::Update::Post-Invoke= -o Acquire::Languages=none "${@:2}"
}
sid apt-get update
version=$(sid apt-cache show mysql-server-core | sed -n 's/^Version: //p' | head -n 1)
target="$place/petstore-mysql-${version:?sid has no mysql-server-core}"
[ ! -e "$target" ] || exit 0
sid apt-get install --yes --no-install-recommends --download-only mysql-server-core
for package in "$work"/archives/*.deb; do dpkg-deb --extract "$package" "$work/root"; done
# Starts with the loader of the same suite, because the machine's own libraries may be older.
cat >"$work/root/mysqld" <<'END'
#!/bin/sh
here=$(dirname "$0")
set -- "$here/usr/sbin/mysqld" "$@" --basedir="$here/usr" --lc-messages-dir="$here/usr/share/mysql"
exec "$here"/usr/lib/*-linux-gnu/ld-linux-* --library-path "$(echo "$here"/usr/lib/*-linux-gnu)" "$@"
END
chmod +x "$work/root/mysqld"
# Another run may have created the folder first.
mv -T "$work/root" "$target" || [ -x "$target/mysqld" ]
