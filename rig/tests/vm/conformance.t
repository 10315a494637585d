#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a guest measures of a disk against the arithmetic of its profile: a sequential stream,
# random 4 KiB, mixed and flush-heavy streams within 2 %; and a disk that is only a rate takes the
# same time simulated, at the host's pace, and under QEMU's throttle, within 3 %.
. "$(dirname "$0")/../lib.sh"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"

# disk_profile NAME LINE...: 256 MiB with an arm.
disk_profile() {
	name=$1
	shift
	printf '[disk]\ntitle = an arm\nsource = made up\nsize = 256M\n[timing]\nrate = 20MB/s\noverhead = 200us\nseek-track = 1ms\nseek-average = 9ms\nseek-full = 17ms\nrpm = 6000\n' \
		>"$T/data/images/disks/$name.disk"
	printf '%s\n' "$@" >>"$T/data/images/disks/$name.disk"
}
disk_profile arm
disk_profile cached "write-cache = 2M" "flush = 1ms"

# 80 places of 256 MiB, from a generator that takes each once.
places=$(perl -e 'print join " ", map { ($_ * 31 + 11) % 83 * 750 + $_ } 0 .. 79')
direct="count=1 2>/dev/null || exit 1"
{
	printf '[case]\ntitle = Streams against arithmetic\nmemory = 128M\n'
	for d in seq random mixed; do
		printf '[disk %s]\nbus = ahci\nprofile = arm\nsize = 256M\nfs = none\n' $d
	done
	printf '[disk flush]\nbus = ahci\nprofile = cached\nsize = 256M\nfs = none\n'
	stat='cat /sys/block/$(basename $(readlink -f /dev/iorig/%s))/stat'
	printf "[job seq]\nrole = victim\nrun = \"dd if=/dev/iorig/seq of=/dev/null bs=128K count=100 iflag=direct 2>/dev/null; $stat\"\n" seq
	printf "[job random]\nrole = victim\nrun = \"for n in %s; do dd if=/dev/iorig/random of=/dev/null bs=4K skip=\$n iflag=direct %s; done; $stat\"\n" \
		"$places" "$direct" random
	printf "[job mixed]\nrole = victim\nrun = \"for n in %s; do dd if=/dev/iorig/mixed of=/dev/null bs=4K skip=\$n iflag=direct %s; dd if=/dev/zero of=/dev/iorig/mixed bs=4K seek=\$((65000 - n)) oflag=direct conv=notrunc %s; done; $stat\"\n" \
		"$(echo "$places" | cut -d' ' -f1-40)" "$direct" "$direct" mixed
	printf "[job flush]\nrole = victim\nrun = \"for n in %s; do dd if=/dev/zero of=/dev/iorig/flush bs=4K seek=\$n oflag=direct conv=notrunc,fsync %s; done; $stat\"\n" \
		"$places" "$direct" flush
} >"$T/data/cases/t/streams.case"
run "$IORIG" run debian -c t/streams --out "$T/streams" --accel=tcg
is $rc 0 "four streams" "$errs$out"
B=$(echo "$T"/streams/*/t-streams.1)

# From a request's issue, place and length to its end: overhead, seek, rotation, transfer, and
# for a disk with a cache the arm that empties it behind the host's back. Sums against the
# guest's own: the ms that /sys/block/*/stat says reads and writes took.
cat >"$T/streams.pl" <<'EOF2'
use POSIX 'floor';
use JSON::PP;
my ($rate, $turn, $span, $overhead, $flush) = (20e6, 60e9 / 6000, 256 << 20, 200e3, 1e6);
my ($track, $average, $full) = (1e6, 8e6, 16e6);
my $b = (3 * $average - $full) / (3 / sqrt(3) - 1);
my $c = $full - $b;
my ($json, $log) = @ARGV;
my (%disk, %sum, %n);

sub media {
	my ($s, $t, $offset, $length) = @_;
	my $d = abs($offset - $s->{head});
	$t += $track + $b * sqrt($d / $span) + $c * $d / $span unless $d < $rate * $turn / 1e9;
	my $wait = $offset * 1e9 / $rate - $t;
	$wait -= $turn * floor($wait / $turn + 1e-7);	# rounding at the end of a turn
	$s->{head} = $offset + $length;
	return $t + $wait + $length * 1e9 / $rate;
}

open my $f, '<', $log or die "$log: $!\n";
while (<$f>) {
	my ($name, $op, $offset, $length, $issued) = split;
	my $s = $disk{$name} ||= { head => 0, free => 0, arm => 0 };
	my $t = ($issued > $s->{free} ? $issued : $s->{free}) + $overhead;
	my $done;
	if ($op eq 'flush') {
		$done = ($t > $s->{arm} ? $t : $s->{arm}) + ($name eq 'flush' ? $flush : 0);
	} elsif ($op eq 'write' && $name eq 'flush') {
		$done = $t;
		$s->{arm} = media($s, $t > $s->{arm} ? $t : $s->{arm}, $offset, $length);
	} else {
		$done = $s->{arm} = media($s, $t > $s->{arm} ? $t : $s->{arm}, $offset, $length);
	}
	$s->{free} = $done;
	$sum{$name} += $done - $issued;
	$n{$name}++;
}
local $/;
open $f, '<', $json or die "$json: $!\n";
for my $job (@{decode_json(<$f>)->{jobs}}) {
	my $name = $job->{name};
	my @stat = split ' ', $job->{end}{output};
	die "$name: no figures in '$job->{end}{output}'\n" if @stat < 17;
	# An fsync's flush is counted twice: as a flush, and as the write without data that asked
	# for it (block/blk-flush.c gives that request back to be accounted like any other).
	my $guest = $stat[3] + $stat[7];
	my $off = 100 * ($guest * 1e6 / $sum{$name} - 1);
	printf "%s %s: %d requests, the guest says %d ms, arithmetic %.0f ms, %+.2f %%\n",
		abs($off) < 2 && $n{$name} >= 80 ? 'ok' : 'bad', $name, $n{$name}, $guest, $sum{$name} / 1e6, $off;
}
EOF2
perl "$T/streams.pl" "$B/boot.json" "$B/requests.log" >"$T/facts" 2>&1
sed 's/^/# /' "$T/facts"
for d in seq random mixed flush; do
	like "$(cat "$T/facts")" "^ok $d:" "the guest's figures are the arithmetic's within 2 %: $d"
done
# Six per cent more revolutions make a stream 3.5 % faster: that is seen.
sed 's|60e9 / 6000|60e9 / 6360|' "$T/streams.pl" >"$T/planted.pl"
perl "$T/planted.pl" "$B/boot.json" "$B/requests.log" >"$T/planted" 2>&1
like "$(cat "$T/planted")" "^bad seq:" "... and a disk of 6 % more revolutions would not pass"

cat >"$T/data/cases/t/rate.case" <<'EOF2'
[case]
title  = A rate and nothing else
memory = 128M
[disk flat]
bus = scsi
profile = flat-1M
size = 32M
fs = none
[job flat]
role = victim
run  = dd if=/dev/zero of=/dev/iorig/flat bs=64K count=384 conv=fsync
EOF2
seconds() {
	perl -MJSON::PP -e 'local $/; printf "%.3f\n", decode_json(<>)->{jobs}[0]{end}{wall_ns} / 1e9' "$T/$1"/*/t-rate.1/boot.json
}
# rate NAME OPTION...
rate() {
	name=$1
	shift
	run "$IORIG" run debian -c t/rate --out "$T/$name" --accel=tcg "$@"
	is $rc 0 "24 MiB at 1 MiB/s: $name" "$errs$out"
}
rate sim
rate model --clock=real --stall=1000% --timing=model
rate throttle --clock=real --stall=1000% --timing=throttle
# On the real clock a busy host may be late with the next request, and then the disk stands still,
# as a real one would; the throttle lets a guest catch up. So what the disk waited is taken off.
waited=$(awk '$1 == "flat" && $2 == "write" { if (n++ && $6 > end) idle += $6 - end; end = $7 } END { printf "%.3f\n", idle / 1e9 }' \
	"$T"/model/*/t-rate.1/requests.log)
sim=$(seconds sim) model=$(seconds model) throttle=$(seconds throttle)
perl -e '
	my ($sim, $model, $throttle, $waited) = @ARGV;
	my @t = sort { $a <=> $b } $sim, $model - $waited, $throttle;
	exit !($t[0] > 20 && $t[2] / $t[0] < 1.03)' "$sim" "$model" "$throttle" "$waited"
ok $? "the same within 3 %" "sim $sim s, real clock with the model $model s, of which $waited s waiting, throttle $throttle s"
echo "# sim $sim s, real clock with the model $model s, of which it waited $waited s for the host, throttle $throttle s"
finish
