#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Files that are no kernels, and kernels that are not there.
. "$(dirname "$0")/../lib.sh"
IORIG_CACHE=$T/cache
export IORIG_CACHE

refused() {
	run "$IORIG" build "$1"
	is $rc 129 "$2: exit 129"
	like "$errs" "$3" "$2: the message"
}

: >"$T/empty"
refused "$T/empty" "an empty file" "empty"
echo 'I am a kernel' >"$T/text"
refused "$T/text" "a text" "not a kernel|no kernel"
make_vmlinux "$T/arm64" 183
refused "$T/arm64" "another architecture" "AArch64|aarch64|arm64"
refused "$T/nothing" "a path that is not there" "nothing"
refused "$T" "a folder" "."
refused frobnicate "an unknown name" "frobnicate"
like "$errs" "debian" "an unknown name: the known ones are listed"
head -c 600 /dev/zero >"$T/zeros"
refused "$T/zeros" "zeros" "not a kernel|no kernel"
perl -e 'print "\0" x 0x1f1, pack("C", 255), "\0" x 12, "\x55\xaaxxHdrS", pack("S<", 0x020f),
	 "\xff" x 600' >"$T/liar"
refused "$T/liar" "a bzImage header that lies about its payload" "."
# what a kernel of 2004 begins with: boot protocol 2.04, its release in the setup code
perl -e 'my $d = "\0" x 0x1000; substr($d, 0x1f1, 1) = "\4"; substr($d, 0x202, 6) = "HdrS" . pack("S<", 0x0204);
	 substr($d, 0x20e, 2) = pack("S<", 0x100); substr($d, 0x300, 24) = "2.6.9 (akpm\@mnm) #1 2004"; print $d' >"$T/2.6.9"
run "$IORIG" build "$T/2.6.9"
is $rc 125 "a kernel of the 2.6 era: exit 125"
like "$errs" "Linux 2.6.9 is too old: 5.10 is the oldest" "and why"
mkdir -p "$T/old/kernel" "$T/old/scripts" "$T/old/arch/x86" "$T/old/mm"
printf 'VERSION = 2\nPATCHLEVEL = 6\nSUBLEVEL = 9\nEXTRAVERSION =\n' >"$T/old/Makefile"
: >"$T/old/Kbuild"
: >"$T/old/Kconfig"
run "$IORIG" build "$T/old"
is $rc 125 "a tree of that age: exit 125"
like "$errs" "Linux 2.6.9 is too old: 5.10 is the oldest" "and why"
make_vmlinux "$T/vmlinux"
run "$IORIG" build "$T/vmlinux"
is $rc 0 "a PVH vmlinux is one"
like "$out" "6.1.0-fake" "its release is read from its banner"

make_data
export IORIG_DATA
printf '[kernel]\npackage = linux-image-amd64\nfrob = 1\n' >"$T/data/kernels/bad.kernel"
refused bad "an unknown key in a description" "bad.kernel:3: .*frob"
printf '[kernel]\ntitle = none\n' >"$T/data/kernels/none.kernel"
printf '[kernel]\npackage = linux-image-amd64\n' >"$T/data/kernels/debian.kernel"
refused none "a description of nothing" "none.kernel"

# --like: the configuration of a kernel that is built here, for a source or a tree.
like_refused() {
	run "$IORIG" build "$1" --like "$2"
	is $rc 129 "$3: exit 129"
	like "$errs" "$4" "$3: the message"
}
printf '[kernel]\nsource = debian:linux-source-6.1\nconfig = odd.config\n' >"$T/data/kernels/odd.kernel"
printf 'CONFIG_ODD_ODD\n' >"$T/data/kernels/odd.config"
mkdir "$T/tree"
printf 'VERSION = 6\nPATCHLEVEL = 1\n' >"$T/tree/Makefile"
: >"$T/tree/Kconfig"
like_refused "$T/tree" frob "like an unknown kernel" "unknown kernel 'frob': known are"
like_refused "$T/tree" ../kernels/odd "like a path" "unknown kernel '../kernels/odd'"
like_refused "$T/tree" debian "like one that is not built here" "'debian' is not built here, so nothing can be built like it"
like_refused "$T/vmlinux" odd "a file like a kernel" "is no source and no tree, so it cannot be built like 'odd'"
like_refused odd odd "a description like another" "'odd' is no source and no tree"
like_refused "$T/tree" odd "its configuration is read" "odd.config:1: "
finish
