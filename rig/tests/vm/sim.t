#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The simulator's library in real guests: every request takes what the disk's arithmetic says,
# seek order matters, the same run comes out the same beside a busy host, faults happen when
# they should; and it keeps out of the way of everything else, or says why it cannot work.
. "$(dirname "$0")/../lib.sh"
LIB=$BUILD/iorig-sim.so

# What it stands in front of and nothing else.
names=$(nm -D --defined-only "$LIB" | awk '{ print $3 }' | sort | tr '\n' ' ')
is "$names" "close eventfd fallocate64 fcntl64 fdatasync io_destroy io_setup io_submit io_uring_submit_and_wait ioctl open64 ppoll pread64 preadv64 pthread_cond_broadcast pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_create pthread_mutex_lock pthread_mutex_unlock pthread_setname_np pwrite64 pwritev64 write " \
	"only the interposed functions are exported"

run env IORIG_SIM=/nowhere LD_PRELOAD="$LIB" sort --version
is $rc 0 "inert in a process that is not QEMU" "$errs"

qemu=$(command -v qemu-system-x86_64) || skip_all "QEMU is not installed"
run env IORIG_SIM="$T/nowhere" LD_PRELOAD="$LIB" "$qemu" --version
is "$rc $errs" "3 iorig-sim: cannot read '$T/nowhere': No such file or directory" "no configuration"
echo 'clock sun' >"$T/bad.conf"
run env IORIG_SIM="$T/bad.conf" LD_PRELOAD="$LIB" "$qemu" --version
is "$rc $errs" "3 iorig-sim: $T/bad.conf: line 1: the clock is sim or real" "a wrong configuration"
echo 'clock sim' >"$T/ok.conf"
perl -pe 's/qtest_allowed\0/qtest_forbade\0/g' "$qemu" >"$T/qemu-system-other" && chmod +x "$T/qemu-system-other"
run env IORIG_SIM="$T/ok.conf" LD_PRELOAD="$LIB" "$T/qemu-system-other" --version
is "$rc $errs" "3 iorig-sim: this QEMU does not export 'qtest_allowed'" "a QEMU without a symbol"

make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
cat >"$T/data/images/disks/arm.disk" <<'EOF2'
[disk]
title  = all arm: no cache, no read-ahead
source = made up
size   = 256M
[timing]
rate         = 20MB/s
overhead     = 200us
seek-track   = 1ms
seek-average = 9ms
seek-full    = 17ms
rpm          = 6000
EOF2
# 60 places of 256 MiB in 4 KiB blocks, from a generator that takes each one once.
shuffled=$(perl -e 'print join " ", map { ($_ * 23 + 7) % 61 * 1024 + $_ } 0 .. 59')
sorted=$(printf '%s\n' $shuffled | sort -n | tr '\n' ' ')
cat >"$T/data/cases/t/sim.case" <<EOF2
[case]
title  = Arithmetic of the simulated disks
memory = 96M
[disk arm]
bus = ide
profile = arm
size = 256M
fs = none
[disk flat]
bus = scsi
profile = flat-1M
size = 32M
fs = none
[disk hda]
bus = ide
profile = hdd-2004
size = 64M
fs = ext4
[job flat]
role = victim
run  = dd if=/dev/zero of=/dev/iorig/flat bs=128K count=96 oflag=direct
[job arm]
role = victim
run  = "for n in $shuffled $sorted; do dd if=/dev/iorig/arm of=/dev/null bs=4K skip=\$n count=1 iflag=direct 2>/dev/null || exit 1; done"
[job hda]
role = victim
run  = "for n in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=/mnt/hda/f\$n bs=64K count=4 conv=fsync 2>/dev/null || exit 1; done"
EOF2

boot() {
	run "$IORIG" run debian -c t/sim --out "$T/$1" --accel=tcg --clock=sim --keep-images
	is $rc 0 "$2" "$errs$out"
	B=$(echo "$T/$1"/*/t-sim.1)
}
boot one "a simulated run"
one=$B
perl -MJSON::PP -e '
	local $/;
	my $b = decode_json(<>);
	my %j = map { $_->{name} => $_->{end}{wall_ns} / 1e9 } @{$b->{jobs}};
	printf "%s\n", abs($j{flat} / 12 - 1) < 0.02 ? "ok" : "12 MiB at 1 MiB/s took $j{flat} s";
' "$one/boot.json" >"$T/facts" 2>&1
is "$(cat "$T/facts")" ok "the guest sees a stream at the rate within 2 %"

cat >"$T/arm.pl" <<'EOF2'
# Each request of the disk 'arm' against overhead + seek + rotation + transfer, done anew here.
my ($rate, $turn, $span) = (20e6, 60e9 / 6000, 256 << 20);
my ($track, $average, $full) = (1e6, 8e6, 16e6);
my $b = (3 * $average - $full) / (3 / sqrt(3) - 1);
my $c = $full - $b;
my ($head, $free, $n, $bad) = (0, 0, 0, 0);
my (@small);
while (<>) {
	my ($disk, $op, $offset, $length, $issued, $started, $done, $result) = split;
	next unless $disk eq 'arm' && $op eq 'read';
	my $from = $issued > $free ? $issued : $free;
	my $d = abs($offset - $head);
	my $seek = $d < $rate * $turn / 1e9 ? 0 : $track + $b * sqrt($d / $span) + $c * $d / $span;
	my $t = $from + 200e3 + $seek;
	my $wait = $offset * 1e9 / $rate - $t;
	$wait -= $turn * POSIX::floor($wait / $turn);
	my $late = $done - ($t + $wait + $length * 1e9 / $rate);
	$late -= $turn if $late > $turn / 2;	# a rounding of 1 ns at the end of a turn
	$late += $turn if $late < -$turn / 2;
	$n++;
	if (abs($late) > 1000 || $started != $from) {
		print "request $n at $offset: $late ns late\n" if $bad++ < 5;
	}
	($head, $free) = ($offset + $length, $done);
	push @small, $done - $started if $length == 4096 && $offset % 4096 == 0;
}
die "only $n requests\n" if $n < 120;
print "$bad of $n requests differ\n" if $bad;
@small = @small[-120 .. -1];
my ($shuffled, $sorted) = (0, 0);
$shuffled += $_ for @small[0 .. 59];
$sorted += $_ for @small[60 .. 119];
printf "sorted takes %.2f of shuffled\n", $sorted / $shuffled if $sorted > 0.7 * $shuffled;
print "ok\n" unless $bad || $sorted > 0.7 * $shuffled;
EOF2
is "$(perl -MPOSIX "$T/arm.pl" "$one/requests.log" 2>&1)" ok \
	"every request takes overhead, seek, rotation and transfer to the microsecond; order matters"
awk '$1 == "arm" && ++n == 50 { $7 += 5000 } { print }' "$one/requests.log" >"$T/planted.log"
unlike "$(perl -MPOSIX "$T/arm.pl" "$T/planted.log" 2>&1)" '^ok$' "... and a single one that is 5 us late is seen"
like "$(awk '$1 == "hda" && $2 == "flush" && $7 - $6 > 1000000' "$one/requests.log" | wc -l)" '^([89]|[1-9][0-9]+)$' \
	"a guest's fsync reaches the disk as a flush that takes its time"

# The same once more, beside three busy loops and a writer.
pids=
for i in 1 2 3; do
	sh -c 'while :; do :; done' & pids="$pids $!"
done
sh -c "while :; do dd if=/dev/zero of=$T/noise bs=1M count=64 conv=fsync 2>/dev/null; done" & pids="$pids $!"
boot two "the same beside a busy host"
kill $pids 2>/dev/null
wait $pids 2>/dev/null
rm -f "$T/noise"
cmp -s "$one/requests.log" "$B/requests.log"
ok $? "every request at the same nanosecond" "$(diff "$one/requests.log" "$B/requests.log" | head -5)"
cmp -s "$one/console.log" "$B/console.log"
ok $? "the same console"

# The pasteable command boots the same, if its images are as they were before the guest wrote to
# them; with one bit of the initramfs changed, of the number of
# blocks that a job writes, it does not. The digest is made here anew (rig/run/digest.h).
digest() {
	perl -MDigest::SHA=sha256_hex -e '
		my $all = "";
		for my $part (qw(console.log frames.log requests.log)) {
			open my $f, "<", "$ARGV[0]$part" or die "$ARGV[0]$part: $!\n";
			$all .= "$part\0" . sha256_hex(do { local $/; <$f> }) . "\0";
		}
		print sha256_hex($all), "\n"' "$1"
}
recorded=$(perl -MJSON::PP -e 'local $/; print decode_json(<>)->{digest}' "$one/boot.json")
is "$(digest "$one/")" "$recorded" "the digest is that of console, frames and requests"
run "$IORIG" run debian -c t/sim --out "$T/fresh" --accel=tcg --clock=sim --dry-run
again() {
	cp "$T"/fresh/dry-run/t-sim.1/images/* "$one/images/" && rm -f "$one"/again-*.log
	run timeout 600 sh "$one/qemu.sh"
}
again
is "$rc $(digest "$one/again-")" "0 $recorded" "the pasteable command: the same digest" "$errs"
cp "$one/initramfs.cpio" "$T/kept.cpio"
# The plan in there escapes what a line of it could be mistaken for.
perl -0777 -pi -e 's/(bs%3d64K%20count%3d)4/${1}5/ or die "no such job\n"' "$one/initramfs.cpio"
is "$(cmp -l "$T/kept.cpio" "$one/initramfs.cpio" | wc -l)" 1 "one byte of the initramfs is another"
again
is $rc 0 "the guest boots with it" "$errs"
[ "$(digest "$one/again-")" != "$recorded" ]
ok $? "... and the digest is another"
cp "$T/kept.cpio" "$one/initramfs.cpio"

# The pasteable command again, with a disk that stands still for 3 s of its stream.
middle=$(awk '$1 == "flat" && $2 == "write" { n++; if (n == 40) print $7 }' "$one/requests.log")
echo "fault flat stop $middle 3000000000" >>"$one/again-sim.conf"
again
is $rc 0 "a boot with a fault"
awk -v at="$middle" '$1 == "flat" && $7 >= at { print $7 - at; exit }' "$one/again-requests.log" >"$T/facts"
perl -e 'exit !($ARGV[0] >= 3e9 && $ARGV[0] < 3.2e9)' "$(cat "$T/facts")"
ok $? "the disk answers nothing for 3 s" "next completion after $(cat "$T/facts") ns"
# A load is stopped, and the guest powers off with data that nobody flushed: QEMU flushes in an event
# loop within its big lock, which is not the main loop.
cat >"$T/data/cases/t/stopped.case" <<'EOF2'
[case]
title  = Stopped while it writes
memory = 96M
[disk hda]
bus = scsi
profile = dvd-ram
size = 64M
fs = ext2
[job victim]
role = victim
run  = "sleep 6"
[job load]
role = load
run  = iorig-write file=/mnt/hda/stream time=1h span=32M
stop = victims
EOF2
run timeout 300 "$IORIG" run debian -c t/stopped --out "$T/stopped"
is $rc 0 "a guest ends with data that is not flushed" "$errs"
no_child_left "no process is left"
finish
