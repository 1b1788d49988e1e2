#!/bin/sh
# The browser tests need Chromium: install Debian's when that is possible, else say what is missing.
set -eu
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    [ -n "$name" ] && command -v "$name" >/dev/null && exit 0
done
[ -d "/Applications/Google Chrome.app" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium…"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null
    exit 0
fi
echo "The browser tests need Chromium: sudo apt-get install chromium (or set CHROMIUM to its path)." >&2
[ -z "${CI:-}" ] || exit 1
