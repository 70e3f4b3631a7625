#!/bin/sh
# usage: transitions.sh HANDOVER [PATHS...]
#
# Bazel says which shard this is and where the report goes. Its shards have no place in common, so
# they share a run, and no exploration.
set -eu
handover=$1
shift
exec "$handover" run "$@" --shard auto -o pretty=- \
  -o junit="${XML_OUTPUT_FILE:?is set by Bazel}" \
  -o jsonl="${TEST_UNDECLARED_OUTPUTS_DIR:-$TEST_TMPDIR}/shard.jsonl"
