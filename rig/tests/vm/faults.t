#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Faults in real guests, each seen as what it is.
. "$(dirname "$0")/../lib.sh"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
built=$("$IORIG" build debian 2>"$T/errs") || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
vmlinux=$(printf '%s\n' "$built" | sed -n 's/^  vmlinux  \(.*\) (PVH)$/\1/p')

# boot NAME STATUS PATTERN [KERNEL]
boot() {
	rm -rf "$T/results"
	run "$IORIG" run "${4:-debian}" -c t/c --out "$T/results" --clock=real --timing=throttle --accel=tcg \
		--stall=1000%
	is $rc "$2" "$1: exit $2"
	like "$out" "$3" "$1: the reason"
	no_child_left "$1: no child is left"
}

# job COMMAND: the test's case with another command.
job() {
	a_case c
	sed -i 's/= 64M/= 128M/' "$T/data/cases/t/c.case"
	sed -i "s|^run .*|run  = \"$1\"|" "$T/data/cases/t/c.case"
}

job 'dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64'
boot "a small job" 0 "verdicts: none"
is "$(ls "$T"/results/*/t-c.1/images 2>/dev/null)" "" "a small job: its images are gone"
for f in console.log frames.log samples.jsonl qemu.sh boot.json; do
	[ -s "$T"/results/*/t-c.1/$f ]
	ok $? "a small job: $f stays"
done

job '/no/such/command'
boot "a command that there is not" 125 "exited with status 127"
job 'sleep 1000'
sed -i 's/^role.*/&\ndeadline = 2s/' "$T/data/cases/t/c.case"
boot "a job that never ends" 125 "deadline"
job 'sleep 1; poweroff -f'
boot "a guest that powers off early" 125 "powered off while jobs ran"
job 'sleep 1; reboot -f'
boot "a guest that reboots" 125 "rebooted while jobs ran"
job 'dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64K'
boot "a disk that is full" 125 "No space left on device"
job 'sleep 1; echo c >/proc/sysrq-trigger'
boot "a crash" 125 "oops|panic"
like "$out" "sysrq_handle_crash|sysrq triggered crash" "a crash: the console's lines are shown"
job 'dd if=/dev/zero of=/dev/null bs=200M count=1'
boot "a job that takes too much memory" 125 "out of memory|No memory|memory exhausted|can.t allocate"

job 'dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64'
if [ -n "$vmlinux" ]; then
	boot "a kernel without the disk's driver" 125 "skipped: .*lacks.*hda" "$vmlinux"
	head -c 3000000 "$vmlinux" >"$T/cut"
	run "$IORIG" run "$T/cut" -c t/c --out "$T/results"
	is $rc 129 "a kernel that is cut short: exit 129"
	like "$errs" "behind the file's end" "a kernel that is cut short: the reason"
else
	skip "a kernel without the disk's driver" "this kernel has no PVH vmlinux"
fi
sed 's|^package.*|&\ncmdline = rdinit=/no/init root=/dev/none|' "$TOP/kernels/debian.kernel" \
	>"$T/data/kernels/rootless.kernel"
boot "a kernel that panics at boot" 125 "kernel panic: .*Kernel panic" rootless

job 'true'
sed -i 's/= 128M/= 64M/' "$T/data/cases/t/c.case"
boot "a kernel too large for the machine" 125 "skipped: .*does not fit into the case's memory of 64 MiB"

# From 6.10 on kernels cut it to what the disk takes and say nothing: the guest reads it back.
job 'true'
sed -i 's/^fs .*/&\nmax-request = 1G/' "$T/data/cases/t/c.case"
boot "a setting that a disk does not take" 125 "skipped: .*max_sectors_kb' (does not take|shows)"

job 'true'
sed -i 's/= 128M/&\ncpus = 2/' "$T/data/cases/t/c.case"
run "$IORIG" run debian -c t/c --out "$T/results"
is $rc 125 "two CPUs on the simulated clock: exit 125"
like "$out" "skipped: .*2 CPUs on the simulated clock: use --clock=real" "two CPUs on the simulated clock: the reason"

# A kernel that never says a word: an endless loop at its entry.
make_vmlinux "$T/hang"
IORIG_SILENCE=3
export IORIG_SILENCE
boot "a kernel that hangs before init" 125 "silence: .*before the kernel's first line" "$T/hang"
unset IORIG_SILENCE

job 'sleep 60'
"$IORIG" run debian -c t/c --out "$T/killed" --clock=real --timing=throttle --accel=tcg >"$T/out" 2>"$T/errs" &
rig=$!
i=0
while [ $i -lt 600 ] && ! grep -q '"t":"ready"' "$T"/killed/*/t-c.1/frames.log 2>/dev/null; do
	i=$((i + 1))
	perl -e 'select undef, undef, undef, 0.05'
done
kill -KILL $(processes "$T/killed" | sed -n 's/^\([0-9]*\) .*qemu-system.*/\1/p')
wait $rig
is $? 125 "QEMU is killed while jobs run: exit 125"
like "$(cat "$T/out")" "QEMU killed by signal 9 .*while jobs ran" "QEMU is killed: the reason"
no_child_left "QEMU is killed: no child is left"
finish
