#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Cases can fail: what breaks their mechanism without a patch makes their victims regress, by the
# limits that they have. Each line adds a variant 'broken' to a case, which takes all that is expected
# of the case itself, or of one of its variants.
. "$(dirname "$0")/../lib.sh"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
for group in writeback sched contest fio; do
	mkdir -p "$T/data/cases/$group" "$T/data/expect/$group"
	cp "$TOP/cases/$group"/* "$T/data/cases/$group/"
done

# broken GROUP/CASE[@VARIANT] LINE...: the variant with these keys. Its name is in $variant: a case that
# is another's "alone" needs one of its own, or it would be broken for the other, too.
cases=
variant=broken
broken() {
	c=${1%@*}
	of=${1#"$c"}
	shift
	{
		printf '\n[variant %s]\n' $variant
		printf '%s\n' "$@"
	} >>"$T/data/cases/$c.case"
	# what is expected of the case, of the variant
	perl -ne 'BEGIN { $of = shift; $v = shift } $on = s/^\[([^] @]*)(?: (@[^]]*))?\]$/[$1 \@$v]/ && ($2 // "") eq $of
		if /^\[/; print if $on' -- "$of" $variant "$TOP/expect/$c.expect" >"$T/data/expect/$c.expect"
	cases="$cases $c@$variant"
}
broken writeback/desktop 'disk.hda.max-ratio = 1%' 'set.vm.dirty_bytes = 65536'
broken writeback/one-disk 'set.vm.dirty_writeback_centisecs = 0'
broken writeback/same-disk 'disk.sda.wbt-latency = 0us'
broken writeback/hdd+dvd 'disk.hda.max-ratio = 1%'
broken writeback/stream 'disk.hda.fault = slow at 1s for 60s to 5M/s'
broken writeback/bursts 'disk.hda.fault = slow at 18s for 60s to 5M/s'
broken writeback/equal-writers 'disk.hda.fault = slow at 1s for 60s to 5M/s'
broken writeback/light+stream 'set.vm.dirty_bytes = 65536'
broken writeback/stopped-disk 'disk.dvd.fault = stop at 12s for 60s'
broken writeback/max-ratio 'disk.hdb.max-ratio = 100%'
broken writeback/removable 'disk.hda.fault = slow at 1s for 120s to 1M/s'
broken writeback/hard-limit 'set.vm.dirty_ratio = 65'
broken writeback/hdd+hdd2 'disk.hda.fault = slow at 1s for 120s to 3M/s'
broken writeback/m256 'disk.hda.max-ratio = 1%'
broken writeback/machine 'disk.hda.fault = slow at 1s for 120s to 5M/s'
broken writeback/small-machine 'disk.hda.max-ratio = 1%'
broken writeback/two-fast 'disk.hdb.fault = slow at 1s for 60s to 5M/s'
broken writeback/light-same 'disk.dvd.fault = stop at 15s for 8s'
broken writeback/create+stream 'disk.hda.fault = slow at 12s for 60s to 500K/s'
broken writeback/cgroups 'set.vm.dirty_bytes = 65536'
broken writeback/many-writers 'set.vm.dirty_ratio = 40'
broken writeback/expiry 'set.vm.dirty_writeback_centisecs = 0'
broken writeback/fsync-same 'disk.hda.wbt-latency = 0us'
broken writeback/fsync+stream 'disk.hda.fault = slow at 12s for 60s to 500K/s'
broken writeback/sync+stream 'set.vm.dirty_ratio = 80'
broken writeback/sync-two 'disk.dvb.fault = slow at 1s for 60s to 200K/s'
broken writeback/atapi-read 'disk.hda.fault = slow at 1s for 120s to 1M/s'
broken sched/raw 'disk.sdb.read-ahead = 16K'
broken sched/ascend 'disk.sda.fault = slow at 1s for 120s to 3M/s'
broken sched/read-read@bfq 'disk.sda.scheduler = none'
broken sched/ionice 'disk.sda.scheduler = none'
broken sched/merge 'disk.sda.nr-requests = 4' 'disk.sda.fault = slow at 1s for 120s to 10M/s'
broken sched/small-reads 'disk.sda.scheduler = none' 'disk.sda.wbt-latency = 0us'
broken sched/small-reads-2 'disk.sda.fault = slow at 1s for 600s to 500K/s'
broken sched/writers 'set.vm.dirty_bytes = 32768'
broken sched/plain 'disk.sda.fault = slow at 1s for 60s to 5M/s'
broken sched/random-alone 'disk.sda.fault = slow at 1s for 60s to 100K/s'
broken contest/io_load 'disk.sda.wbt-latency = 0us'
broken contest/cacherun 'job.warm.run = sh /etc/build /mnt/sda/tree && sync && echo 3 >/proc/sys/vm/drop_caches'
# its floor is over all of the load's time, most of which it would have for itself
broken contest/process_load 'job.load.start = 3s' 'job.load.run = "renice -n 19 $$; exec iorig-pipe-ring time=1h"'
broken contest/mem_load 'disk.sda.fault = slow at 13s for 240s to 1M/s'
broken contest/io_other 'set.vm.dirty_bytes = 65536'
broken contest/read_load 'disk.sda.read-ahead = 2M'
broken contest/list_load 'job.load.cgroup-memory = 3M'
broken contest/ctar_load 'disk.sda.fault = slow at 12s for 240s to 500K/s'
broken contest/xtar_load 'disk.sda.scheduler = none' 'disk.sda.wbt-latency = 0us' \
	'disk.sda.fault = slow at 14s for 240s to 2M/s'
broken fio/mixed 'disk.sda.scheduler = none' 'disk.sda.wbt-latency = 0us'
broken sched/write-read@bfq 'disk.sda.scheduler = none' 'disk.sda.wbt-latency = 0us'

# this one does not even come to its end
variant=oom
broken writeback/memory+stream 'set.vm.dirty_ratio = 60' 'set.vm.dirty_background_ratio = 50'
oom=${cases##* } cases=${cases% *}
variant=slower
broken writeback/sync-one 'disk.dvd.fault = slow at 1s for 60s to 200K/s'
broken writeback/dvd-alone 'disk.dvd.fault = slow at 1s for 120s to 500K/s'
broken writeback/hdd-alone 'disk.hda.fault = slow at 1s for 120s to 5M/s'
broken writeback/hdd2-alone 'disk.hdb.fault = slow at 1s for 120s to 3M/s'
broken writeback/m256-alone 'disk.hda.fault = slow at 1s for 120s to 10M/s'
broken writeback/machine-alone 'disk.hda.fault = slow at 1s for 120s to 5M/s'
broken sched/small-reads-alone 'disk.sda.fault = slow at 1s for 60s to 1M/s'
broken contest/no_load 'disk.sda.fault = slow at 1s for 60s to 300K/s'

run "$IORIG" run debian -c '*@broken' -c '*@slower' -c '*@oom' --out "$T/results"
printf '%s\n' "$out" | sed 's/^/# /'
[ "$rc" = 1 ]
ok $? "broken cases regress: exit 1" "$errs"
# of_kind KIND: the cases with such a verdict.
of_kind() {
	perl -MJSON::PP -e '
		my $kind = shift;
		local $/;
		my %seen = map { $_->{case_name} => 1 } grep { $_->{kind} eq $kind } @{decode_json(<>)->{verdicts}};
		print " $_ " for keys %seen' "$1" "$T"/results/*/run.json
}
regressed=$(of_kind regressed)
for c in $cases; do
	like "$regressed" " $(printf '%s' "$c" | sed 's/+/\\+/g') " "$c: the case sees that its mechanism is broken"
done
like "$(of_kind broken)" " $(printf '%s' "$oom" | sed 's/+/\\+/g') " "$oom: the guest is out of memory"
finish
