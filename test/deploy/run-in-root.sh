#!/bin/sh
# Runs a program as a container runtime does: in a root file system that can't be written, but for /data and /dev, as the
# user of the image, without a network. Needs root, to mount; the mounts are seen by this process alone.
#   unshare --mount --net sh test/deploy/run-in-root.sh ROOT PROGRAM ARGUMENT...
set -eu
root=$1
shift
ip link set lo up
mount --bind "$root" "$root"
mkdir -p "$root/proc" "$root/dev"
mount -t tmpfs tmpfs "$root/dev"
for device in null urandom random zero; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount --bind "$root/data" "$root/data"
mount -t proc proc "$root/proc"
mount -o remount,ro,bind "$root"
exec chroot --userspec=10001:10001 "$root" "$@"
