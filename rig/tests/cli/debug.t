#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig debug: what is wrong with its command line, the kernel or the host is said before anything
# is built or booted, and nothing is left behind.
. "$(dirname "$0")/../lib.sh"
make_data
export IORIG_DATA
mkdir "$T/data/images/gdb" && cp "$TOP/images/gdb/iorig.py" "$T/data/images/gdb/"
make_vmlinux "$T/vmlinux"
a_case good
a_case other

debug() {
	run "$IORIG" debug "$@" --out "$T/results"
}

debug -c t/good --at 1s
is $rc 129 "no kernel"
like "$errs" "which kernel" "is asked for"
debug "$T/vmlinux" --at 1s
is $rc 129 "no case"
like "$errs" "which case" "is asked for"
debug "$T/vmlinux" -c t/good
is $rc 129 "no moment"
like "$errs" "when" "is asked for"
for at in -1s 0s 41 soon 1s2 99999999999h ''; do
	debug "$T/vmlinux" -c t/good "--at=$at"
	is $rc 129 "--at=$at is refused"
	like "$errs" "iorig debug: --at: " "--at=$at: the message names the option"
done
for seed in 0 -1 1001 first 1.5; do
	debug "$T/vmlinux" -c t/good --at 1s "--seed=$seed"
	is $rc 129 "--seed=$seed: there is no such seed"
	like "$errs" "iorig debug: --seed: " "--seed=$seed: the message names the option"
done
debug "$T/vmlinux" "$T/vmlinux" -c t/good --at 1s
is $rc 129 "two kernels"
debug "$T/vmlinux" -c t/good -c t/other --at 1s
is $rc 129 "two cases"
debug "$T/vmlinux" -c 't/*' --at 1s
is $rc 129 "a pattern in place of a case"
like "$errs" "'t/\*' is not the whole name of a case" "and what it should be"
debug "$T/vmlinux" -c t/none --at 1s
is $rc 129 "a case that there is not"
debug "$T/nothing" -c t/good --at 1s
is $rc 129 "a kernel that there is not"

mkdir "$T/bin"
for p in qemu-system-x86_64 busybox; do
	ln -s "$(command -v $p)" "$T/bin/"
done
debug "$T/vmlinux" -c t/good --at 1s
with_gdb=$rc
run env PATH="$T/bin" "$IORIG" debug "$T/vmlinux" -c t/good --at 1s --out "$T/results"
is $rc 128 "no gdb: exit 128"
like "$errs" "gdb.*package gdb" "no gdb: the package is named"

run "$IORIG" build --debug-info "$T/vmlinux"
is $rc 129 "build --debug-info of a kernel that is not built here"
like "$errs" "'$T/vmlinux' is not built here" "is named"

if command -v gdb >/dev/null; then
	is $with_gdb 125 "a kernel without debug info and source: exit 125"
	debug "$T/vmlinux" -c t/good --at 1s
	like "$errs" "'vmlinux' is not built here .* such as debian-6.1, or .* --vmlinux .* linux-image-6.1.0-fake-dbg" \
		"and what to do about it"
	debug "$T/vmlinux" -c t/good --at 1s --vmlinux "$T/vmlinux"
	is $rc 129 "--vmlinux without debug info"
	like "$errs" "'$T/vmlinux' has no debug info" "is named"
	debug "$T/vmlinux" -c t/good --at 1s --vmlinux "$T/data/cases/t/good.case"
	is $rc 129 "--vmlinux that is none"
	debug "$T/vmlinux" -c t/good --at 1s --vmlinux "$T/nowhere"
	is $rc 129 "--vmlinux that is not there"
	cp "$T/vmlinux" "$T/unstripped"
	add_debug_info "$T/unstripped"
	perl -pi -e 's/6\.1\.0-fake/6.1.1-fake/' "$T/unstripped"
	debug "$T/vmlinux" -c t/good --at 1s --vmlinux "$T/unstripped"
	is $rc 125 "--vmlinux of another kernel: exit 125"
	like "$errs" "'$T/unstripped' is not that of the kernel that is booted: [0-9]+ bytes differ, the first at 0x10000" \
		"and where they differ"
else
	skip "kernels without debug info" "gdb is not installed"
fi
is "$(ls -A "$T/results" 2>/dev/null)" "" "nothing is left in the results folder"
finish
