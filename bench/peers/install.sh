#!/bin/sh
# Install the servers that ours is measured against, beside this file and nowhere else.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
[ -x .venv/bin/python ] || "$root/.venv/bin/python" -m venv .venv
.venv/bin/python -m pip --quiet install -r requirements.txt
PATH="$root/.venv/node/bin:$PATH" npm --no-fund --no-audit --no-package-lock install --silent
