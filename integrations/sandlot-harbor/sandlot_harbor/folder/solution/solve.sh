#!/bin/bash
# What the oracle did when this folder was made, done again by the agent's own tools.
set -euo pipefail
exec act --all < "$(dirname "$0")/acts.jsonl"
