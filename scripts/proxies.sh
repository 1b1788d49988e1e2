#!/bin/sh
# Some tests put nginx and PgBouncer in front of real parts: install Debian's when that is possible,
# else say what is missing.
set -eu
PATH="$PATH:/usr/sbin"
missing=""
for name in nginx pgbouncer; do
    command -v "$name" >/dev/null || missing="$missing $name"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing$missing…"
    # The tests start their own; the machine's stay off unless somebody wants them.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
    fi
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    exit 0
fi
echo "Tests with proxies need$missing: sudo apt-get install$missing." >&2
[ -z "${CI:-}" ] || exit 1
