#!/bin/sh
# usage: transitions.sh HANDOVER [PATHS...]
#
# Bazel sets the number of the shard and the path of the report. Its shards have no common folder,
# so they can share a run but not an exploration.
set -eu
handover=$1
shift
exec "$handover" run "$@" --shard auto -o pretty=- \
  -o junit="${XML_OUTPUT_FILE:?is set by Bazel}" \
  -o jsonl="${TEST_UNDECLARED_OUTPUTS_DIR:-$TEST_TMPDIR}/shard.jsonl"
