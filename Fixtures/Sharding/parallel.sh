#!/bin/sh
# usage: parallel.sh FOLDER [PROFILE AND OPTIONS...]
#
# Runs one exploration in SHARDS processes (default 4) with GNU parallel. The shards exchange
# states, so all of them must run at the same time, and -j is the number of shards. With --sshlogin
# FILE, they run on the machines in a list, which must share the disk with FOLDER. If the same
# command is repeated, an interrupted exploration continues.
set -eu
folder=$1
shift
[ $# -gt 0 ] || set -- sockets-monitor
handover=${HANDOVER:-handover}
shards=${SHARDS:-4}
mkdir -p "$folder"
seq "$shards" | parallel -j "$shards" \
  "$handover" explore "$@" --shard "{}/$shards" --exchange "$folder" \
  --report "$folder/report-{}.jsonl" '>' "$folder/{}.out" || :
# The exit status covers all shards: 1 if an invariant is violated, 2 if a shard is missing.
"$handover" merge "$folder"/report-*.jsonl -o "$folder/report.jsonl"
