#!/bin/sh
# Runs a command as systemd runs that of a unit in deploy/systemd: the installation is at /opt/lei and can't be written, the
# user has no rights and an own folder, /var/lib/lei, and /proc shows only processes. The network is cut off.
# Needs root, to mount; the mounts are seen by this process alone.
#   unshare --mount --net sh test/deploy/run-as-unit.sh INSTALLATION PROGRAM ARGUMENT...
set -eu
installation=$1
shift
user=10002
ip link set lo up
mount -t tmpfs tmpfs /opt
mkdir /opt/lei
mount --bind "$installation" /opt/lei
mount -o remount,ro,bind /opt/lei
mount -t tmpfs tmpfs /var/lib
mkdir -m 0700 /var/lib/lei
chown $user:$user /var/lib/lei
mount -t proc -o subset=pid,hidepid=invisible proc /proc
cd /var/lib/lei
umask 0077
exec setpriv --reuid=$user --regid=$user --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
