#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# QEMU that does not start as it should, and a rig that is told to stop or is killed.
. "$(dirname "$0")/../lib.sh"
make_data
make_vmlinux "$T/vmlinux"
a_case good
IORIG_QEMU=$TOP/rig/tests/fake/fake-qemu
FAKE_QEMU_SCENARIO=$T/scenario
export IORIG_QEMU FAKE_QEMU_SCENARIO

rig() {
	run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle --accel=tcg
}

printf 'no-greeting\nstderr qemu: -device frob: no such device\nexit 1\n' >"$T/scenario"
rig
is $rc 128 "QEMU refuses its arguments: exit 128"
like "$errs" "no such device" "QEMU refuses its arguments: its words are shown"
no_child_left "QEMU refuses its arguments: no child is left"

echo "slow-greeting 1500" >"$T/scenario"
rig
is $rc 125 "QEMU is slow to start: it is waited for"
like "$out" "powered off before the kernel's first line" "QEMU is slow to start: the guest's end is told"
is "$(perl -MJSON::PP -e 'local $/; my @d = map { @{$_->{profiles}} } map { @{decode_json($_)->{boots}} } <>;
	print scalar @d && !grep { !$_->{disk} || !$_->{profile} || !$_->{title} } @d' "$T"/results/*/run.json)" 1 \
	"the document says what each disk is meant to be"

# Waits until the guest's hello has been taken, without a sleep of a guessed length.
wait_for() {
	i=0
	while [ $i -lt 200 ] && ! ls $1 >/dev/null 2>&1; do
		i=$((i + 1))
		perl -e 'select undef, undef, undef, 0.05'
	done
}

for sig in INT TERM; do
	rm -rf "$T/results"
	printf 'frame {"t":"hello","ns":1,"proto":1,"release":"6.1.0-fake","machine":"x86_64","mem_kb":1,"cpus":1}\nframe {"t":"ready","ns":2}\nhang\n' >"$T/scenario"
	# A shell's background job ignores INT; the program must not inherit that.
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
		"$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle --accel=tcg >"$T/out" 2>"$T/errs" &
	pid=$!
	wait_for "$T/results/*/t-good.1/frames.log"
	kill -$sig $pid
	wait $pid
	rc=$?
	[ $sig = INT ] && want=130 || want=143
	is $rc $want "$sig: exit $want"
	like "$(cat "$T/errs")" "stopped early; what was measured is in" "$sig: it says where results are"
	is "$(ls "$T"/results/*/run.json | wc -l)" 1 "$sig: the run document stays"
	like "$(cat "$T"/results/*/run.json)" '"interrupted": ?true' "$sig: and says that it was stopped"
	no_child_left "$sig: no child is left"
done

rm -rf "$T/results"
"$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle --accel=tcg >"$T/out" 2>"$T/errs" &
pid=$!
wait_for "$T/results/*/t-good.1/frames.log"
kill -KILL $pid
wait $pid 2>/dev/null
i=0
while [ $i -lt 100 ] && [ -n "$(processes "$T")" ]; do
	i=$((i + 1))
	perl -e 'select undef, undef, undef, 0.05'
done
no_child_left "KILL: workers and QEMU die with the rig"
run "$IORIG" report --out "$T/results"
is $rc 0 "KILL: the document is whole"
like "$out" "stopped before its end" "KILL: and says that the run was stopped"
finish
