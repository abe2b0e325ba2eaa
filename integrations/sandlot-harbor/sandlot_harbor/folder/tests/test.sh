#!/bin/bash
# The side-car has scored the episode: here its number becomes Harbor's. Where there is none, since
# the environment failed, no reward is written, and the trial has none.
set -euo pipefail
score="${SANDLOT_SCORE:-/data/score.json}"
reward="${SANDLOT_REWARD:-/logs/verifier/reward.txt}"
number=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["reward"])' "$score")
echo "$number" > "$reward"
