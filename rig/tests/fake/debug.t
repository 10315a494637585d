#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig debug with a QEMU that does not do its part.
. "$(dirname "$0")/../lib.sh"
command -v gdb >/dev/null || skip_all "gdb is not installed"
make_data
export IORIG_DATA
mkdir "$T/data/images/gdb" && cp "$TOP/images/gdb/iorig.py" "$T/data/images/gdb/"
make_vmlinux "$T/vmlinux"
add_debug_info "$T/vmlinux"
a_case good
IORIG_QEMU=$TOP/rig/tests/fake/fake-qemu
FAKE_QEMU_SCENARIO=$T/scenario
FAKE_QEMU_ARGV=$T/argv
export IORIG_QEMU FAKE_QEMU_SCENARIO FAKE_QEMU_ARGV

debug() {
	run "$IORIG" debug "$T/vmlinux" -c t/good --at 2s --batch --out "$T/results" "$@"
}
hello='frame {"t":"hello","ns":1,"proto":1,"release":"6.1.0-fake","machine":"x86_64","mem_kb":1,"cpus":1}'

printf '%s\nconsole [    1.500000] Kernel panic - not syncing: no init\nqmp-event SHUTDOWN {"guest": true, "reason": "guest-reset"}\nexit\n' "$hello" >"$T/scenario"
debug
is $rc 125 "the kernel panics before that moment: exit 125"
like "$errs" "does not get to 2 s: it is broken at .*panic" "and what became of it"
no_child_left "no child is left"
is "$(ls -A "$T/results")" "" "no folder is left"

# The command line is that of a run, but for the folder and a descriptor.
mv "$T/argv" "$T/argv.debug"
run "$IORIG" run "$T/vmlinux" -c t/good --accel=tcg --out "$T/run"
sed -e "s|/[^ ,]*/t-good.1|DIR|" -e "s|,fd=.*||" "$T/argv.debug" >"$T/a"
sed -e "s|/[^ ,]*/t-good.1|DIR|" -e "s|,fd=.*||" "$T/argv" >"$T/b"
[ -s "$T/a" ] && cmp -s "$T/a" "$T/b"
ok $? "QEMU's arguments are those of a run" "$(diff "$T/a" "$T/b")"

printf '%s\nqmp-event STOP\nhang\n' "$hello" >"$T/scenario"
debug
is $rc 128 "QEMU serves no gdb: exit 128"
like "$errs" "t/good, seed 1, on vmlinux is stopped at 2 s" "the stop is told"
like "$errs" "QEMU serves no gdb" "and what went wrong"
no_child_left "no child is left"
is "$(ls -A "$T/results")" "" "no folder is left"
debug --keep
like "$errs" "what the guest did until then is in $T/results/debug-" "--keep tells the folder"
is "$(cat "$T"/results/debug-*/t-good.1/sim.conf | grep '^stop')" "stop 2000000000" "the simulator was told the moment"

# An error of the host's disk stops a machine, too.
rm -rf "$T/results"
printf '%s\nqmp-event BLOCK_IO_ERROR {"action": "stop", "reason": "No space left on device", "nospace": true, "device": "", "node-name": "disk.hda", "operation": "write"}\nqmp-event STOP\nhang\n' "$hello" >"$T/scenario"
debug
is $rc 128 "the host's disk is full: exit 128"
like "$errs" "the host failed" "is not taken for the moment"

# A tree that makes a kernel in no time, with KCFLAGS=-g one with debug info beside the same code.
IORIG_CACHE=$T/cache
export IORIG_CACHE
printf 'CONFIG_%s=y\n' ATA_PIIX BLK_DEV_SD EXT2_FS PVH >"$T/data/kernels/small.config"
mkdir "$T/tree" && : >"$T/tree/Kconfig" && cp "$T/vmlinux" "$T/tree/with" &&
	sed 's/\.debug_info/.debug_none/' "$T/vmlinux" >"$T/tree/plain"
cat >"$T/tree/Makefile" <<'EOF2'
VERSION = 6
PATCHLEVEL = 1
SUBLEVEL = 0
.PHONY: vmlinux
allnoconfig:
	cp $(KCONFIG_ALLCONFIG) $(KCONFIG_CONFIG)
vmlinux:
	mkdir -p include/config && echo 6.1.0-fake >include/config/kernel.release
	cp $(if $(KCFLAGS),with,plain) $@
EOF2
printf '%s\nqmp-event STOP\nhang\n' "$hello" >"$T/scenario"
tree() {
	run "$IORIG" debug "$T/tree" -c t/good --at 2s --batch --out "$T/results"
}
tree
case $errs in
*"no compiler"* | *"to build"*"package"*) skip "kernels that are built" "there is nothing to build with" ;;
*)
	like "$errs" "QEMU serves no gdb" "a kernel that is built here gets its debug info built"
	run "$IORIG" cache list --kind kernel
	is "$(printf '%s\n' "$out" | grep -c 'tree')" 2 "both are in the cache" "$out"
	like "$out" "tree .*, debug info$" "one is named as what it is"
	run "$IORIG" build "$T/tree"
	plain=$(printf '%s\n' "$out" | sed -n 's/^  image *//p')
	run "$IORIG" build --debug-info "$T/tree"
	with=$(printf '%s\n' "$out" | sed -n 's/^  image *//p')
	[ -s "$plain" ] && [ -s "$with" ] && [ "$plain" != "$with" ]
	ok $? "and each is found by itself"
	made=$(stat -c %Y.%i "$with")
	tree
	is "$(stat -c %Y.%i "$with")" "$made" "nothing is built twice"
	printf '\314' | dd of="$T/tree/with" bs=1 seek=300 conv=notrunc 2>/dev/null
	tree
	is $rc 125 "debug info changes the code: exit 125"
	like "$errs" "is not that of the kernel that is booted: 1 bytes differ, the first at 0x100012c" "and where"
	;;
esac

printf '%s\nhang\n' "$hello" >"$T/scenario"
run env IORIG_SILENCE=1 "$IORIG" debug "$T/vmlinux" -c t/good --at 2s --batch --out "$T/results"
is $rc 125 "the guest hangs before that moment: exit 125"
no_child_left "no child is left"
finish
