#!/bin/sh
# usage: parallel.sh FOLDER [PROFILE AND OPTIONS...]
#
# One exploration in SHARDS processes (4) by GNU parallel. They work together, so all of them run at
# once: -j says as many. With --sshlogin FILE they run on the machines of a list, where FOLDER is on
# a disk that all of them have. Given again, it goes on where it was.
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
# Its status is that of the whole: 1 where a rule is broken, 2 where a shard is missing.
"$handover" merge "$folder"/report-*.jsonl -o "$folder/report.jsonl"
