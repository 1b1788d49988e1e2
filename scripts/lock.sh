#!/bin/sh
# Write requirements.lock anew: hashes, no addresses.
set -eu
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
.venv/bin/python -m pip --quiet install --target "$tools" uv
uv() { PYTHONPATH="$tools" .venv/bin/python -m uv "$@"; }
uv lock --quiet --upgrade --python .venv/bin/python
uv export --quiet --no-emit-project --no-header --no-annotate --format requirements-txt -o requirements.lock
