#!/bin/sh
# Runs a program of the project, named from its root, in the caller's folder: npm and Bun change to the project's folder
# before they run a script of package.json. npm says in INIT_CWD where it was called, Bun in npm_config_local_prefix. The
# data folder is by default that of the project, so that commands and service share it wherever they are called.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
case ${npm_config_user_agent:-} in
  bun/*) caller=${npm_config_local_prefix:-.} ;;
  *) caller=${INIT_CWD:-.} ;;
esac
: "${LEI_DATA_DIR:=$root/data}"
export LEI_DATA_DIR
cd "$caller"
program=$1
shift
exec sh "$root/src/with-bun.sh" "$root/$program" "$@"
