#!/bin/sh
# Runs a whole fleet on this machine, to try it: redis-server, nginx as the source of publications, three nodes and haproxy,
# all on loopback. It loads the bundled sample, publishes it and announces it. Ctrl-C stops all of it.
#
#   sh deploy/fleet/run.sh [FOLDER] [PORT]
#
# FOLDER (/tmp/lei-fleet) keeps data and logs for a second run; the builder's data folder is FOLDER/builder. haproxy listens
# on PORT (8080), nginx on PORT+1, Redis on PORT+2, the nodes on PORT+11 to +13 and their admin servers on PORT+21 to +23.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${1:-/tmp/lei-fleet}
port=${2:-8080}
PATH=$PATH:/usr/sbin:/sbin

for program in redis-server nginx haproxy; do
  command -v "$program" > /dev/null || missing="${missing:-}$program "
done
if [ -n "${missing:-}" ]; then
  echo "Not installed: $missing(install them with apt-get install redis-server nginx haproxy)" >&2
  exit 2
fi
mkdir -p "$folder/source" "$folder/redis" "$folder/nginx" "$folder/log"
folder=$(cd "$folder" && pwd)

# Settings of all nodes and of the operator's commands.
export LEI_SHARED_STATE="redis://127.0.0.1:$((port + 2))"
export LEI_BASE_URL="http://127.0.0.1:$port"
export LEI_TRUSTED_PROXIES=127.0.0.1
to="file://$folder/source"

pids=
start() {
  name=$1
  shift
  "$@" > "$folder/log/$name.log" 2>&1 &
  pids="$pids $!"
}
finish() {
  trap - EXIT INT TERM
  # Word splitting is intended: each word is a process id.
  kill $pids 2> /dev/null || true
  wait
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

start redis redis-server --port $((port + 2)) --bind 127.0.0.1 --dir "$folder/redis" --appendonly yes --save ''
user=
[ "$(id -u)" -ne 0 ] || user='user root;'
sed -e "s|@USER@|$user|; s|@FOLDER@|$folder|g; s|@PORT@|$((port + 1))|" "$here/nginx.conf" > "$folder/nginx/nginx.conf"
start nginx nginx -e stderr -p "$folder/nginx" -c "$folder/nginx/nginx.conf"
for number in 1 2 3; do
  start "node-$number" env LEI_NODE="node-$number" LEI_DATA_DIR="$folder/node-$number" \
    LEI_PORT=$((port + 10 + number)) LEI_ADMIN="127.0.0.1:$((port + 20 + number))" \
    LEI_PUBLICATION_SOURCE="http://127.0.0.1:$((port + 1))/" LEI_DRAIN_SECONDS=2 \
    sh "$root/src/lei.sh" serve
done
start haproxy env FLEET_PORT="$port" \
  NODE_1=127.0.0.1:$((port + 11)) NODE_2=127.0.0.1:$((port + 12)) NODE_3=127.0.0.1:$((port + 13)) \
  ADMIN_1=$((port + 21)) ADMIN_2=$((port + 22)) ADMIN_3=$((port + 23)) \
  haproxy -db -f "$here/haproxy.cfg"

lei() {
  LEI_DATA_DIR="$folder/builder" sh "$root/src/lei.sh" "$@"
}
if [ ! -e "$folder/builder/active.json" ]; then
  echo 'Loading the bundled sample …'
  find "$root/data/sample" -type f ! -name '*.md' -exec env LEI_DATA_DIR="$folder/builder" sh "$root/src/lei.sh" load {} + \
    > "$folder/log/load.log" 2>&1
fi
id=$(lei publish --to "$to" --json | sed 's/^{"id":"\([^"]*\)".*/\1/')
for pid in $pids; do
  if ! kill -0 "$pid" 2> /dev/null; then
    echo "Something did not start; $folder/log says why." >&2
    exit 1
  fi
done
lei announce "$id" --to "$to" --nodes 3 --deadline 2m
# haproxy sends requests to a node once its checks have seen that it is ready.
sh "$root/src/with-bun.sh" -e '
  const status = `${process.env.LEI_BASE_URL}/api/v1/status`;
  const until = Date.now() + 60_000;
  while (!(await fetch(status).then((answer) => answer.ok, () => false))) {
    if (Date.now() > until) throw new Error(`${status} does not answer`);
    await Bun.sleep(100);
  }'
lei fleet
cat << TEXT

The fleet answers at $LEI_BASE_URL. In another terminal:

  export LEI_SHARED_STATE=$LEI_SHARED_STATE LEI_DATA_DIR=$folder/builder
  sh src/lei.sh fleet
  sh src/lei.sh publish ID --to $to
  sh src/lei.sh announce ID --to $to

Ctrl-C stops it. Logs are in $folder/log.
TEXT
wait
