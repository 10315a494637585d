#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Name what iorig needs and this system lacks, then install it with apt. Nothing is done when
# nothing is missing; without apt the list is printed and make goes on if the tools are there.
# Usage: deps.sh [run|check]   check adds what only the project's own tests use.
set -u
want=${1:-run}
PATH=$PATH:/usr/sbin:/sbin

# check		package			what for
# A check is a program, or a header given as <name.h>.
table='
gcc		gcc			compiler
<stdio.h>	libc6-dev		compiler
<jansson.h>	libjansson-dev		JSON documents and QMP
<archive.h>	libarchive-dev		initramfs, packages
<libkmod.h>	libkmod-dev		kernel modules and what they depend on
<sha2.h>	libmd-dev		content hashes
musl-gcc	musl-tools		the static guest agent
busybox-static	busybox-static		commands of the guest
qemu-system-x86_64	qemu-system-x86	the virtual machine
mke2fs		e2fsprogs		filesystems of the disks
xorriso		xorriso			the CD of the ATAPI cases
mkudffs		udftools		disks with UDF
faketime	faketime		... that are the same on every day
depmod		kmod			index of kernel modules
gnuplot		gnuplot-nox		pictures of a run as files
gdb		gdb			a look into a stopped guest
tcc		tcc			the compiler that the contest cases run in the guest
fio		fio			the case that runs a job file of it in the guest
git		git			kernel trees and patches
patch		patch			why a patch does not apply
flex		flex			kernels built here
bison		bison			kernels built here
bc		bc			kernels built here
<gelf.h>	libelf-dev		objtool of kernels built here
'
check_table='
<cmocka.h>	libcmocka-dev		unit tests
prove		perl			test runner
clang		clang			second compiler
cppcheck	cppcheck		static checks
mandoc		mandoc			checks of the manual pages
chromium	chromium		the page in a browser
debootstrap	debootstrap		another Debian, for its QEMU
'
[ "$want" = check ] && table="$table$check_table"

have() {
	case $1 in
	'<'*)
		h=${1#<}; h=${h%>}
		# A compiler may be what is missing, so look for the file itself.
		for d in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
			[ -e "$d/$h" ] && return 0
		done
		return 1 ;;
	busybox-static)
		# Any busybox will do if it needs no shared libraries.
		b=$(command -v busybox) || return 1
		LC_ALL=C ldd "$b" 2>&1 | grep -q 'not a dynamic' ;;
	*)	command -v "$1" >/dev/null ;;
	esac
}

scan() {
	missing= packages=
	while read -r check package why; do
		[ -n "$check" ] || continue
		have "$check" && continue
		missing="$missing$check ($why) "
		case " $packages " in *" $package "*) ;; *) packages="$packages $package" ;; esac
	done <<EOF
$table
EOF
}

# The default kernel is a package too, but one that is fetched, not installed: apt must know it.
knows_kernel() {
	[ -n "$(apt-cache show --no-all-versions linux-image-amd64 2>/dev/null)" ]
}

scan
apt=$(command -v apt-get || true)
if [ -z "$missing" ]; then
	[ -z "$apt" ] && exit 0
	knows_kernel && exit 0
	ls "${IORIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iorig}"/kernels >/dev/null 2>&1 && exit 0
fi
[ -n "$missing" ] && echo "deps: missing: $missing"
if [ -z "$apt" ]; then
	echo "deps: this system has no apt-get; install what these Debian packages hold:$packages"
	for p in gcc qemu-system-x86_64; do
		have "$p" || { echo "deps: cannot go on without $p" >&2; exit 1; }
	done
	exit 0
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=$(command -v sudo) || {
		echo "deps: not root and no sudo; as root run: apt-get install -y$packages" >&2
		exit 1
	}
fi
run() {
	echo "deps: running: $*"
	"$@"
}
export DEBIAN_FRONTEND=noninteractive
unknown=
for p in $packages; do
	[ -n "$(apt-cache show --no-all-versions "$p" 2>/dev/null)" ] || unknown=$p
done
if [ -n "$unknown" ] || ! knows_kernel; then
	run $sudo apt-get update || echo "deps: apt-get update failed; going on with what apt knows" >&2
fi
[ -z "$packages" ] && exit 0
if ! run $sudo apt-get install -y --no-install-recommends $packages; then
	# Lists that are older than the archive name files that are gone: refresh once.
	run $sudo apt-get update && run $sudo apt-get install -y --no-install-recommends $packages ||
		exit 1
fi
scan
[ -z "$missing" ] || { echo "deps: still missing after the installation: $missing" >&2; exit 1; }
