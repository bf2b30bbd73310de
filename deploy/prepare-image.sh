#!/bin/sh
# Prepares the folder that deploy/Containerfile copies: Bun, the libraries it needs, the packages of production, the
# program and the bundled sample. Runs on Linux with glibc and npm, for the processor of this machine.
#
#   sh deploy/prepare-image.sh [FOLDER]        by default deploy/image, which git ignores
#   buildah build -t lei -f deploy/Containerfile deploy/image     or: podman build, docker build
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$project/deploy/image}
root=$folder/root
app=$root/app

[ "$(uname -s)" = Linux ] || { echo "prepare-image: this script runs only on Linux." >&2; exit 1; }
command -v npm >/dev/null || { echo "prepare-image: npm is missing; install Node.js with npm." >&2; exit 1; }

rm -rf "$root" "$folder/data"
mkdir -p "$app" "$root/usr/bin" "$root/etc" "$folder/data"

# Install missing packages, then copy those of production.
bun=$(sh "$project/src/with-bun.sh" -p process.execPath)
cp "$project/package.json" "$app/"
(cd "$project" && npm ls --omit=dev --all --parseable) | sed -n "s#^$project/##p" |
  tar -C "$project" -cf - -T - | tar -C "$app" -xf -
cp -L "$bun" "$root/usr/bin/bun"
# Bun is copied already. Leave out what only the authors of packages, compilers and debuggers read (packages run from
# JavaScript), and the builds of lmdb for other programs.
rm -rf "$app/node_modules/@oven" "$app/node_modules/bun" "$app/node_modules/typescript" "$app/node_modules/.bin"
find "$app/node_modules" -type d \( -name test -o -name tests -o -name examples -o -name benchmarks \) -prune -exec rm -r {} +
find "$app/node_modules" \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
find "$app/node_modules" -type d -empty -delete
find "$app"/node_modules/@lmdb -name '*.node' ! -name node.napi.glibc.node -delete

mkdir -p "$app/data" "$app/docs"
cp -r "$project/src" "$project/workers" "$app/"
cp -r "$project/data/sample" "$app/data/"
# The guides that the service shows below /docs.
cp "$project"/docs/*.md "$app/docs/"
find "$app/src" -name '*.md' -delete

# Copy the libraries that Bun and lmdb are linked with, and the loader, to the paths at which they are expected.
{ ldd "$root/usr/bin/bun"; ldd "$app"/node_modules/@lmdb/*/node.napi.glibc.node; } |
  grep -o '/[^ ]*' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done

echo 'lei:x:10001:10001:lei:/data:/sbin/nologin' > "$root/etc/passwd"
echo 'lei:x:10001:' > "$root/etc/group"
# Look names up in /etc/hosts first, which the container runtime writes.
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
chmod -R a+rX,go-w "$root"

megabytes=$(du -sm "$folder" | cut -f1)
echo "$folder is ready ($megabytes MB): buildah build -t lei -f deploy/Containerfile $folder"
