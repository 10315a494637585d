#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Faults that a real QEMU does not have on demand, told apart: each has its own outcome, reason
# and exit status; no child is left, no document is half written. The fake QEMU acts them out.
. "$(dirname "$0")/../lib.sh"
make_data
make_vmlinux "$T/vmlinux"
a_case good
IORIG_QEMU=$TOP/rig/tests/fake/fake-qemu
FAKE_QEMU_SCENARIO=$T/scenario
IORIG_SILENCE=1
export IORIG_QEMU FAKE_QEMU_SCENARIO IORIG_SILENCE

hello='frame {"t":"hello","ns":1000,"proto":1,"release":"6.1.0-fake","machine":"x86_64","mem_kb":1000,"cpus":1}'
ready='frame {"t":"ready","ns":2000}'
start='frame {"t":"start","ns":3000,"job":"hdd"}'
end='frame {"t":"end","ns":1000003000,"job":"hdd","start_ns":3000,"wall_ns":1000000000,"user_ns":1,"sys_ns":1,"exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":500000000,"sync_error":0,"output":"64+0 records in\n64+0 records out\n"}'
done='frame {"t":"done","ns":2000000000}'
off='qmp-event SHUTDOWN {"guest": true, "reason": "guest-shutdown"}'

# play NAME STATUS PATTERN: run the scenario on standard input; exit status and table must fit.
play() {
	cat >"$T/scenario"
	rm -rf "$T/results"
	run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle --accel=tcg
	is $rc "$2" "$1: exit $2"
	like "$out$errs" "$3" "$1: the reason"
	docs=$(ls "$T"/results/*/run.json 2>/dev/null | wc -l)
	is "$docs" 1 "$1: one run document"
	run "$IORIG" report --out "$T/results"
	is $rc 0 "$1: the document is whole"
	is "$(find "$T/results" -name '*.tmp*' -o -name '.*.??????' | wc -l)" 0 "$1: nothing half written"
	no_child_left "$1: no child is left"
}

play "a good run" 0 " 1 s " <<EOF
console [    0.000000] Linux version 6.1.0-fake
$hello
$ready
$start
$end
$done
$off
EOF
play "panic" 125 "kernel panic: .*Kernel panic - not syncing: Attempted" <<EOF
$hello
$ready
console [    1.500000] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009
qmp-event SHUTDOWN {"guest": true, "reason": "guest-reset"}
EOF
play "panic at boot" 125 "kernel panic: .*Unable to mount root" <<EOF
console [    0.000000] Linux version 6.1.0-fake
console [    1.500000] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)
hang
EOF
play "oops" 125 "oops: .*NULL pointer dereference" <<EOF
$hello
$ready
console [    3.000000] BUG: kernel NULL pointer dereference, address: 0000000000000000
console [    3.000001] Oops: 0002 [#1] PREEMPT SMP NOPTI
$end
$done
$off
EOF
play "BUG" 125 "kernel BUG at|: BUG" <<EOF
$hello
$ready
console [    3.000000] kernel BUG at mm/page-writeback.c:123!
$end
$done
$off
EOF
play "hung task" 125 "hung task: .*blocked for more than 120 seconds" <<EOF
$hello
$ready
console [  242.000000] INFO: task dd:77 blocked for more than 120 seconds.
$end
$done
$off
EOF
play "soft lockup" 125 "lockup or stall: .*stuck for 22s" <<EOF
$hello
$ready
console [   52.000000] watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [dd:77]
$end
$done
$off
EOF
play "OOM kill" 125 "out of memory: .*Out of memory: Killed process 77" <<EOF
$hello
$ready
console [   12.000000] Out of memory: Killed process 77 (dd) total-vm:4096kB, anon-rss:1024kB
$end
$done
$off
EOF
play "QEMU dies of a signal" 125 "QEMU killed by signal 11.*while jobs ran" <<EOF
$hello
$ready
stderr qemu: something terrible
signal SEGV
EOF
play "QEMU exits by itself" 125 "QEMU exited with status 3.*while jobs ran: .*terrible" <<EOF
$hello
$ready
stderr qemu: something terrible
exit 3
EOF
play "silence while jobs run" 125 "silence: the guest said nothing for [0-9]+ s while jobs ran" <<EOF
$hello
$ready
hang
EOF
play "silence before init" 125 "silence: .* before the agent's first frame" <<EOF
console [    0.000000] Linux version 6.1.0-fake
hang
EOF
play "silence from the start" 125 "silence: .* before the kernel's first line" <<EOF
hang
EOF
play "deaf and dumb, and TERM is ignored" 125 "silence" <<EOF
ignore-term
ignore-quit
$hello
$ready
deaf
EOF
play "the guest powers off early" 125 "the guest powered off while jobs ran" <<EOF
$hello
$ready
$off
EOF
play "the guest reboots" 125 "the guest rebooted while it set up" <<EOF
$hello
qmp-event SHUTDOWN {"guest": true, "reason": "guest-reset"}
EOF
play "a truncated frame" 125 "frames were lost" <<EOF
$hello
$ready
raw-frame @2 1234abcd {"t":"sample","ns":12
raw-frame \n
skip-seq
$end
$done
$off
EOF
play "garbage on the port" 0 " 1 s " <<EOF
raw-frame \x00\xff\x1b[2J<script>\r\n
$hello
raw-frame SeaBIOS (version 1.16)\n
$ready
$end
$done
$off
EOF
play "a frame without end" 0 " 1 s " <<EOF
$hello
$ready
repeat 4000 raw-frame aaaaaaaaaaaaaaaa
raw-frame \n
$end
$done
$off
EOF
play "the kernel lacks a filesystem" 125 "skipped: .*the kernel lacks: no filesystem ext2" <<EOF
$hello
frame {"t":"lacks","ns":1500,"what":"filesystem","name":"ext2","text":"no filesystem ext2"}
frame {"t":"fail","ns":1600,"stage":"mount","text":"hda","error":19}
$off
EOF
play "setting up fails" 125 "broken: .*mount: cannot mount hda" <<EOF
$hello
frame {"t":"fail","ns":1600,"stage":"mount","text":"cannot mount hda","error":5}
$off
EOF
play "a job's command fails" 125 "exited with status 127: sh: dd: not found" <<EOF
$hello
$ready
$(printf "%s\n" "$end" | sed 's/"exit":0/"exit":127/; s/"output":"[^"]*"/"output":"sh: dd: not found"/')
$done
$off
EOF
play "a job meets its deadline" 125 "deadline" <<EOF
$hello
$ready
$(printf "%s\n" "$end" | sed 's/"timeout":0/"timeout":1/; s/"signal":0/"signal":9/')
$done
$off
EOF
play "the job never ended but the guest says done" 125 "broken" <<EOF
$hello
$ready
$done
$off
EOF
play "figures that cannot be" 125 "broken" <<EOF
$hello
$ready
$(printf "%s\n" "$end" | sed 's/"wall_ns":1000000000/"wall_ns":-5/')
$done
$off
EOF
play "escape sequences from the guest" 125 "panic" <<EOF
$hello
console \x1b]0;owned\x07Kernel panic - not syncing: \x1b[31mred
hang
EOF
unlike "$out" "$(printf '\033')" "escape sequences do not reach the terminal"
play "the host is full" 128 "the host failed: disk image .hda.: No space left" <<EOF
$hello
$ready
qmp-event BLOCK_IO_ERROR {"device": "", "node-name": "hda", "operation": "write", "action": "stop", "nospace": true, "reason": "No space left on device"}
hang
EOF
like "$(cat "$T"/results/*/run.json)" 'the host failed: disk image .hda.: No space left' "the host is full: the boot's reason says so"
finish
