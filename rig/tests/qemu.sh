#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The simulated clock on another Debian's QEMU: a root made by debootstrap, kept in the cache, in
# which the programs built here run the cases twice and with one and two guests at a time. Needs
# root and debootstrap; packages come from where apt gets them here.
# Usage: qemu.sh [--suite trixie] [--root DIR]; KERNEL= and CASES= as for 'make test'.
suite=trixie root=
while [ $# -gt 0 ]; do
	case $1 in
	--suite) suite=$2; shift ;;
	--root)  root=$2; shift ;;
	*)       echo "qemu.sh: unknown option $1" >&2; exit 129 ;;
	esac
	shift
done
tests_top=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${O:-build}
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/same.sh"
KERNEL=${KERNEL:-debian}
CASES=${CASES:-writeback/*hdd*}
cache=${IORIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iorig}
root=${root:-$cache/roots/$suite}
# What the programs are linked with and what they call; the compiler stays outside.
packages=qemu-system-x86,e2fsprogs,xorriso,kmod,busybox-static,libjansson4,libarchive13t64,libmd0

[ "$(id -u)" = 0 ] || skip_all "making a root needs root"
command -v debootstrap >/dev/null || skip_all "debootstrap is not installed"
"$IORIG" build "$KERNEL" >"$T/out" 2>"$T/errs" || skip_all "the kernel cannot be had: $(tail -1 "$T/errs")"
tree=$(sed -n 's|.* \(/.*/kernels/trees/[0-9a-f]*\)/.*|\1|p' "$T/out" | head -1)
[ -d "$tree" ] || skip_all "the kernel is not in the cache: $(cat "$T/out")"

make_root() {
	mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/\{0,1\}$')
	rm -rf "$root"
	mkdir -p "$root" || return 1
	debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" || return 1
	cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
	rm -f "$root"/etc/apt/apt.conf.d/*postgresql "$root"/etc/apt/apt.conf.d/docker-*
	chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
		$(echo $packages | tr , ' ') || return 1
	# its apt would name its own kernel: the same one as here is wanted, from the cache
	rm -rf "$root"/var/lib/apt/lists/*
	: >"$root/etc/iorig-$packages"
}
if [ ! -e "$root/etc/iorig-$packages" ]; then
	echo "# making a root of $suite in $root"
	make_root >"$T/root.log" 2>&1 || { tail -5 "$T/root.log" >&2; skip_all "no root of $suite can be made"; }
fi
rm -rf "$root/iorig"
mkdir -p "$root/iorig/src" "$root/iorig/lib" "$root/iorig/out" "$root/iorig/cache/kernels/trees"
cp -r "$tree" "$root/iorig/cache/kernels/trees/" && cp -r "$tree/../../resolved" "$root/iorig/cache/kernels/" ||
	skip_all "no room for the kernel in the root"

# inside COMMAND...: in the root, with mounts that end with it. Results are in $T, there /iorig/out.
cat >"$T/inside.sh" <<'EOF2'
set -e
root=$1 src=$2 lib=$3 out=$4
shift 4
mount --bind "$src" "$root/iorig/src"
mount --bind "$lib" "$root/iorig/lib"
mount --bind "$out" "$root/iorig/out"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
	IORIG_DATA=/iorig/src IORIG_LIB=/iorig/lib IORIG_CACHE=/iorig/cache chroot "$root" "$@"
EOF2
inside() {
	run unshare --mount sh "$T/inside.sh" "$root" "$data" "$BUILD" "$T" "$@"
}
data=$TOP

inside /iorig/lib/iorig doctor
version=$(printf '%s\n' "$out" | sed -n 's/^qemu *[^,]*, //p')
like "$version" '^[0-9]+\.[0-9]+' "QEMU in the root of $suite answers"
echo "# $suite: QEMU $version"

# go NAME OPTION...: limits were found with another QEMU, so a verdict of "regressed" is as good.
go() {
	name=$1
	shift
	inside /iorig/lib/iorig run -q "$KERNEL" -c "$CASES" --out "/iorig/out/$name" "$@"
	[ "$rc" -le 1 ]
	ok $? "a run: $name" "$errs$out"
}
go first --jobs 2
[ -n "$(digests "$T/first")" ]
ok $? "there are boots"
printf '%s\n' "$(digests "$T/first")" | sed 's/^/# /'
go again --jobs 2
same_runs "$T/first" "$T/again" "the same once more"
go alone --jobs 1
same_runs "$T/first" "$T/alone" "the same with one guest at a time"

# Two CPUs under -icount: exact or refused, but never a guest that hangs.
make_data
data=$T/data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
a_case two
sed -i 's/^memory = 64M/memory = 128M\ncpus = 2/; s/= 8M$/= 64M/; s/count=64$/count=16K/' "$T/data/cases/t/two.case"
CASES=t/two
go two --jobs 1
if printf '%s\n' "$out" | grep -q 'skipped: .*2 CPUs on the simulated clock'; then
	skip "two CPUs" "this QEMU cannot, and the rig says so"
else
	go two-again --jobs 1
	same_runs "$T/two" "$T/two-again" "two CPUs, twice"
	like "$(cat "$T"/two/*/t-two.1/frames.log | tr '{' '\n')" '"cpus":2' "the guest has two CPUs"
fi
sum_up
