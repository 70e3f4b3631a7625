#!/bin/sh
#SBATCH --job-name=explore
#SBATCH --array=1-4
#SBATCH --requeue
#SBATCH --open-mode=append
# usage: sbatch slurm.sh FOLDER [PROFILE AND OPTIONS...]
#
# Each task is one shard of an exploration, and FOLDER is on a disk that all nodes share. If a node
# is lost, Slurm restarts its task on another node. The task continues where it stopped, and the
# others wait for it. When all tasks have ended, run: handover merge FOLDER/report-*.jsonl
set -eu
folder=$1
shift
exec "${HANDOVER:-handover}" explore "${@:-sockets-monitor}" --shard auto \
  --exchange "$folder" --report "$folder/report-$SLURM_ARRAY_TASK_ID.jsonl"
