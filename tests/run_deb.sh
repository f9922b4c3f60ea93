#!/bin/sh
# Install the packages of `make deb` in a bare Debian 12 and run the first example. Not part of `make check`, since it needs root and
# a mirror: make check-deb
#   tests/run_deb.sh DIR     the packages' folder
# SYSTEM is a folder with a bare system, which is copied; otherwise debootstrap makes one from MIRROR.
# Exit status 77 (skipped) without either; the last line is "N passed, N failed".
set -u
[ $# = 1 ] || { sed -n '2,6s/^# *//p' "$0" >&2; exit 2; }
packages=$(cd "$1" 2>/dev/null && pwd) || { echo "no packages in $1: make deb" >&2; exit 2; }
: "${MIRROR:=http://deb.debian.org/debian}"
[ "$(id -u)" = 0 ] || { echo "skipped: a system to install into wants root"; exit 77; }
scratch=$(mktemp -d)
root=$scratch/system
log=$scratch/log
trap 'umount "$root/proc" "$root/sys" 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/judge.sh disable=SC1091
. "$(dirname "$0")/judge.sh"

if [ -n "${SYSTEM:-}" ]; then
	cp -a "$SYSTEM" "$root"
elif ! command -v debootstrap >/dev/null || ! debootstrap --variant=minbase bookworm "$root" "$MIRROR" >"$log" 2>&1; then
	echo "skipped: no bare system (debootstrap from $MIRROR)"
	exit 77
fi
mkdir -p "$root/packages"
cp "$packages"/*.deb "$root/packages"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive chroot "$root" "$@" >"$log" 2>&1 </dev/null
}

inside sh -c 'apt-get update && apt-get install -y --no-install-recommends /packages/shardrun_*.deb && useradd -m user'
judge $? "shardrun installs"
sed -n 's/^\(Need to get\|After this\)/  \1/p; s/.* \([0-9]* newly installed\).*/  \1/p' "$log"

# shellcheck disable=SC2016
inside su user -c 'set -e
	cp -r /usr/share/doc/shardrun/examples/mlp ~ && cd ~/mlp
	values="--input=@x.npy --input=@w1.npy --input=@w2.npy"
	mpirun --oversubscribe -np 8 shardrun model.mlir $values --expected_output=@y.npy
	shardrun -n 8 model.mlir $values --output=@out.npy && test -s out.npy'
judge $? "the first example, under mpirun and with -n"
# shellcheck disable=SC2016
inside sh -c 'for tool in shardrun shardopt shardbench; do
	test -s /usr/share/man/man1/$tool.1.gz && test -s /usr/share/bash-completion/completions/$tool &&
		test -s /usr/share/zsh/vendor-completions/_$tool || exit 1; done'
judge $? "manual pages and completion"
# shellcheck disable=SC2016
inside sh -c 'apt-get install -y --no-install-recommends /packages/libshardrun0_*.deb /packages/libshardrun-dev_*.deb gcc libc6-dev pkg-config &&
	cd /usr/share/doc/libshardrun-dev/examples/api && mpicc -o /tmp/run run.c $(pkg-config --cflags --libs shardrun)'
judge $? "a program of the library is built"
inside su user -c 'cd ~/mlp && mpirun --oversubscribe -np 8 /tmp/run model.mlir x.npy w1.npy w2.npy && test -s result0.npy'
judge $? "and runs"
inside sh -c 'dpkg --purge shardrun libshardrun-dev libshardrun0 && ! find /usr /etc -name "*shardrun*" | grep .'
judge $? "nothing is left behind"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
