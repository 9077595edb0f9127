#!/bin/sh
# Prints a Python that can make Marotte's environment: 3.11 or newer, with venv and pip.
# PYTHON, where it is set, names the only one to try.
set -u
new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
can_make_environments='import ensurepip, venv'
executable='import sys; print(sys.executable)'

pick() {
    for name in "$@"; do
        "$name" -c "$new_enough" 2>/dev/null || continue
        if "$name" -c "$can_make_environments" 2>/dev/null; then
            "$name" -c "$executable"
            exit 0
        fi
        bare=$name
    done
}

bare=
if [ -n "${PYTHON:-}" ]; then
    pick "$PYTHON"
    wanted="PYTHON=$PYTHON"
else
    pick python3 python3.13 python3.12 python3.11 python3.14 python
    wanted="a Python of 3.11 or newer on PATH"
fi

if [ -z "$bare" ]; then
    echo "Marotte needs Python 3.11 or newer, and $wanted was not found: install one and run this again." >&2
    exit 1
fi

# Debian and Ubuntu keep venv in a package of its own.
package=$("$bare" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
if command -v apt-get >/dev/null 2>&1; then
    as_root=none
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    fi
    if [ "$as_root" != none ]; then
        echo "installing $package, which this Python lacks ..." >&2
        { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$package"; } >/dev/null 2>&1
        pick "$bare"
    fi
fi
echo "$bare cannot make environments (no venv, or no pip for it): install $package and run this again." >&2
exit 1
