#!/bin/sh
# One part of a simulation, by its number in a Slurm array or a Kubernetes indexed Job. A part that was lost is made again
# by running this with the same number; `cutcard merge` adds the parts up and refuses one that comes twice.
#
#   TABLE   a preset or a table file          CHUNKS  chunks a part (one is about 260,000 rounds)
#   PLACE   a folder that all parts share     FLAGS   further flags of `cutcard simulate`, the same for all
set -eu
index=${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:?neither a Slurm array nor an indexed Job}}
first=$((index * CHUNKS))
part=$PLACE/part-$index.json
# shellcheck disable=SC2086
cutcard simulate "$TABLE" --chunks "$first..$((first + CHUNKS))" --out "$part.new" ${FLAGS:-} >/dev/null
mv "$part.new" "$part"
