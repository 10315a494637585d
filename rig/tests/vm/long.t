#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The simulator's library over a long run: its memory, threads and descriptors do not grow, its log
# loses nothing, and two runs are the same. Requests come from a program that is just enough of a
# QEMU; a real guest then mostly sleeps. LONG=1: ten million requests and 2,000 guest seconds.
. "$(dirname "$0")/../lib.sh"
requests=200000 seconds=120
[ -n "${LONG:-}" ] && requests=10000000 seconds=2000
LIB=$BUILD/iorig-sim.so
mini=$T/qemu-system-mini
for flag in -UMAIN_JUMPS -DMAIN_JUMPS; do
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wmissing-prototypes -Wshadow -Werror \
		-rdynamic $flag -o "$mini$flag" "$TOP/rig/tests/sim/mini-qemu.c" -ldl -lpthread 2>"$T/errs"
	ok $? "the small stand-in for a QEMU compiles, $flag" "$(cat "$T/errs")"
done
mv "$mini-UMAIN_JUMPS" "$mini"

# 400 us a request and two disks: 2,000 guest seconds for ten million.
truncate -s 32M "$T/a.img" "$T/b.img"
cat >"$T/sim.conf" <<EOF2
clock sim
seed 3
log $T/requests.log
disk a rate=2000000000 overhead=397952 write-cache=2097152 queue-depth=16 queue-order=1 flush=1000
image a $T/a.img
disk b rate=2000000000 overhead=397952
image b $T/b.img
EOF2
# mini N STEP: leaves its line in $out.
mini() {
	run env IORIG_SIM="$T/sim.conf" LD_PRELOAD="$LIB" timeout 3600 "$mini" "$1" "$2" "$T/a.img" "$T/b.img"
}
# word NAME: a figure of that line.
word() {
	printf '%s\n' "$out" | sed -n "s/.*\\<$1 \\([0-9]*\\).*/\\1/p"
}
mini $requests 6400000
is "$rc $(word done)" "0 $requests" "$requests requests, with their log" "$errs"
echo "# $out"
is "$(wc -l <"$T/requests.log")" "$requests" "each has a line in the log"
[ "$(word peak-kib)" -lt 16384 ]
ok $? "memory does not grow with them" "peak $(word peak-kib) KiB"
is "$(word end-threads) $(word end-files)" "$(word threads) $(word files)" "no thread and no file is left"
at=$(perl -e 'exit !($ARGV[0] > $ARGV[1] * 180e3)' "$(word ns)" "$requests"; echo $?)
is "$at" 0 "the guest's time is what the disks take"

# Lockstep with a change of threads for nearly every request, twice.
mini 20000 2000
is $rc 0 "20,000 requests, one at a time" "$errs"
cp "$T/requests.log" "$T/first.log"
mini 20000 2000
cmp -s "$T/first.log" "$T/requests.log"
ok $? "the same log twice" "$(cmp "$T/first.log" "$T/requests.log" 2>&1)"
mini=$mini-DMAIN_JUMPS mini 20000 2000
is $rc 0 "the same by a QEMU whose main loop has to make the jumps" "$errs"
cmp -s "$T/first.log" "$T/requests.log"
ok $? "and the same log" "$(cmp "$T/first.log" "$T/requests.log" 2>&1)"
rm -f "$T"/*.log

make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || { skip "a long boot" "the default kernel cannot be had"; finish; }
cat >"$T/data/cases/t/long.case" <<EOF2
[case]
title    = A guest that mostly sleeps
memory   = 96M
deadline = 3000s
[disk hda]
bus     = ide
profile = hdd-2004
size    = 64M
fs      = ext2
[job hda]
role     = victim
deadline = 2500s
run      = "i=0; while [ \$i -lt $((seconds / 10)) ]; do sleep 10; echo \$i >>/mnt/hda/f; i=\$((i + 1)); done"
EOF2
# While it runs: QEMU's peak memory, threads and descriptors, from time to time.
"$IORIG" run -q debian -c t/long --out "$T/long" --accel=tcg >"$T/out" 2>"$T/errs" </dev/null &
boot=$!
perl -e '
	my ($boot, $text) = @ARGV;
	my (@seen, $woken);
	while (kill 0, $boot) {
		select undef, undef, undef, 0.5;
		for my $p (map { m{/(\d+)$} } glob "/proc/[0-9]*") {
			open my $f, "<", "/proc/$p/cmdline" or next;
			my $line = do { local $/; <$f> } // "";
			next unless $line =~ /^\S*qemu-system/ && index($line, $text) >= 0;
			open $f, "<", "/proc/$p/status" or next;
			my $status = join("", <$f>);
			my ($peak) = $status =~ /^VmHWM:\s+(\d+)/m or next;
			my ($sleeps) = $status =~ /^voluntary_ctxt_switches:\s+(\d+)/m;
			my ($parent) = $status =~ /^PPid:\s+(\d+)/m;
			if (open my $p, "<", "/proc/$parent/status") {
				my ($n) = join("", <$p>) =~ /^voluntary_ctxt_switches:\s+(\d+)/m;
				$woken = $n if $parent > 1 && $n;
			}
			push @seen, [$peak, scalar(() = glob "/proc/$p/task/*"), scalar(() = glob "/proc/$p/fd/*"),
				$sleeps];
		}
		last unless -e "/proc/$boot/stat";
		open my $f, "<", "/proc/$boot/stat" or last;
		last if <$f> =~ /\) Z /;
	}
	# workers of the thread pool come and go; descriptors only come
	my ($peak, $middle, $end) = ($seen[-1][0], $seen[@seen / 2], $seen[-2]);
	printf "looks %d peak-kib %d middle-files %d end-files %d end-threads %d sleeps %d woken %d\n",
		scalar @seen, $peak, $middle->[2], $end->[2], $end->[1], $end->[3], $woken;
' "$boot" "$T/long" >"$T/facts" 2>&1
wait $boot
rc=$?
[ $rc -le 1 ] || [ $rc = 125 ]
ok $? "$seconds guest seconds" "$(cat "$T/errs")"
out=$(cat "$T/facts")
echo "# $out"
boot_json=$(echo "$T"/long/*/t-long.1/boot.json)
perl -MJSON::PP -e 'local $/; my $b = decode_json(<>); printf "%s %.0f s in %.0f s\n", $b->{outcome}, $b->{guest_ns} / 1e9, $b->{wall_ns} / 1e9' \
	"$boot_json" >"$T/end" 2>&1
echo "# $(cat "$T/end")"
like "$(cat "$T/end")" "^done" "it ended by itself"
[ "$(word looks)" -gt 3 ] && [ "$(word peak-kib)" -lt 500000 ]
ok $? "QEMU stays below 500 MB" "$out"
[ "$(word end-files)" -le "$(word middle-files)" ] && [ "$(word end-threads)" -le 8 ]
ok $? "its files and threads do not grow" "$out"
# The boot takes some 400 requests; then ten samples a guest second make twenty jumps and more.
[ "$(word sleeps)" -lt $((500 + seconds * 7)) ]
ok $? "the main loop sleeps on while the clock jumps" "$out"
# Some 380 bytes a guest second come one by one, 100 wake-ups a host second are the most.
[ "$(word woken)" -lt $((seconds * 100)) ]
ok $? "the rig is not woken for each byte that the guest says" "$out"
no_child_left "no process is left"
finish
