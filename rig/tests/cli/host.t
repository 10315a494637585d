#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Faults of the host: exit 128 and a line that says what to do.
. "$(dirname "$0")/../lib.sh"
make_data
export IORIG_DATA
make_vmlinux "$T/vmlinux"
a_case good

run env IORIG_QEMU="$T/no-qemu" "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results"
is $rc 128 "QEMU is missing: exit 128"
like "$errs" "no-qemu" "QEMU is missing: it is named"
[ ! -e "$T/results" ]
ok $? "QEMU is missing: no results folder"

: >"$T/file"
run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/file"
is $rc 128 "the results folder is a file: exit 128"
like "$errs" "$T/file" "the results folder is a file: it is named"
if [ "$(id -u)" = 0 ]; then
	run "$IORIG" run "$T/vmlinux" -c t/good --out /proc/iorig
	is $rc 128 "a results folder that cannot be made: exit 128"
else
	mkdir -m 555 "$T/readonly"
	run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/readonly/results"
	is $rc 128 "a results folder that cannot be made: exit 128"
fi
run env IORIG_LIB="$T" "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results"
is $rc 128 "the guest agent is missing: exit 128"
like "$errs" "agent" "the guest agent is missing: it is named"
run env IORIG_DATA="$T/nowhere" "$IORIG" list cases
is $rc 129 "no data folder: exit 129"

if [ "$(id -u)" = 0 ] && mkdir "$T/small" && mount -t tmpfs -o size=4m none "$T/small" 2>/dev/null; then
	run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/small/results"
	umount "$T/small"
	is $rc 128 "no room for the images: exit 128"
	like "$errs" "MiB|MB|space" "no room for the images: the figures are named"
else
	skip "no room for the images" "a small filesystem needs root and mount"
	skip "no room for the images: the figures" "a small filesystem needs root and mount"
fi
finish
