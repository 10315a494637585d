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
make_vmlinux "$T/vmlinux"
run "$IORIG" build "$T/vmlinux"
is $rc 0 "a PVH vmlinux is one"
like "$out" "6.1.0-fake" "its release is read from its banner"

make_data
export IORIG_DATA
printf '[kernel]\npackage = linux-image-amd64\nfrob = 1\n' >"$T/data/kernels/bad.kernel"
refused bad "an unknown key in a description" "bad.kernel:3: .*frob"
printf '[kernel]\ntitle = none\n' >"$T/data/kernels/none.kernel"
refused none "a description of nothing" "none.kernel"
finish
