#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The installed rig works outside the source tree, and an uninstallation leaves nothing.
. "$(dirname "$0")/../lib.sh"
unset IORIG_DATA IORIG_LIB
run make -C "$TOP" O="$BUILD" $([ "${BUILD##*/}" = san ] && echo SAN=1) install DESTDIR="$T/root" PREFIX=/usr
is $rc 0 "make install" "$errs"
cd / || exit 1
installed=$T/root/usr/bin/iorig
for f in bin/iorig lib/iorig/agent lib/iorig/iorig-sim.so share/man/man1/iorig.1 share/man/man5/iorig-case.5 \
	share/iorig/cases/default share/iorig/cases/writeback/hdd+dvd.case share/iorig/expect/writeback/hdd+dvd.expect \
	share/iorig/images/disks/dvd-ram.disk share/iorig/images/gdb/iorig.py share/iorig/kernels/debian.kernel share/doc/iorig/README; do
	[ -f "$T/root/usr/$f" ]
	ok $? "$f is installed"
done
run "$installed" list cases
is $rc 0 "the installed program finds its cases"
like "$out" "writeback/hdd\+dvd" "and lists them"
run "$installed" doctor
like "$out" "data +$T/root/usr/share/iorig" "it uses its own data"
like "$out" "programs +$T/root/usr/lib/iorig" "and its own agent"
make_vmlinux "$T/vmlinux"
run "$installed" run "$T/vmlinux" -c '*hdd-alone' --dry-run --out "$T/results"
is $rc 0 "a dry run from elsewhere" "$errs"
like "$out" "iorig-sim.so" "it knows where the simulator is"
run make -C "$TOP" O="$BUILD" uninstall DESTDIR="$T/root" PREFIX=/usr
is "$(find "$T/root" -type f)" "" "make uninstall leaves no file"
finish
