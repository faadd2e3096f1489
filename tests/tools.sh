#!/usr/bin/env bash
# Installs the programs that the tests need beside Python: on Debian as root, only what is missing, each package by itself, so that
# one that fails costs no other. Elsewhere it names them, and the tests that need them are skipped.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
updated=

is_here() { # is_here COMMAND...: one of these is on the path
  local name
  for name; do command -v "$name" >/dev/null && return; done
  return 1
}

install() { # install PACKAGE COMMAND: whether it is there in the end
  [ "$(id -u)" = 0 ] && is_here apt-get || return 1
  echo "Installing $1 for the tests ..."
  {
    [ -n "$updated" ] || apt-get update -qq
    updated=yes
    # A new machine may still be installing its updates, and holds the lock meanwhile.
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"
  } </dev/null >"$log" 2>&1
  is_here "$2" && return
  echo "$1 could not be installed. The end of what apt-get said:"
  tail -n 15 "$log" | sed 's/^/  /'
  return 1
}

need() { # need PACKAGE COMMAND...: any of the commands will do
  local package=$1
  shift
  is_here "$@" || install "$package" "$1" ||
    echo "There is no $1: the tests that need it are skipped. Debian has it in the package $package."
}

need curl curl
need npm npm # and with it Node; a Node from elsewhere brings its own npm, and where it has none, apt-get refuses to mix the two
# The browser without windows opens pages in a fifth of the time; a complete one will do.
is_here chromium-headless-shell || install chromium-headless-shell chromium-headless-shell ||
  need chromium chromium chromium-browser google-chrome
need bubblewrap bwrap
need neovim nvim
need virtuoso-opensource-7-bin virtuoso-t
need nginx-light nginx
need systemd systemd-analyze
exit 0
