#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Cases can fail: what breaks their mechanism without a patch makes their victims regress, by the
# limits that they have. Each line adds a variant 'broken' to a case, which takes all that is expected
# of the case itself, or of one of its variants.
. "$(dirname "$0")/../lib.sh"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
for group in writeback sched; do
	mkdir -p "$T/data/cases/$group" "$T/data/expect/$group"
	cp "$TOP/cases/$group"/*.case "$T/data/cases/$group/"
done

# broken GROUP/CASE[@VARIANT] LINE...: the variant with these keys.
cases=
broken() {
	c=${1%@*}
	of=${1#"$c"}
	shift
	{
		printf '\n[variant broken]\n'
		printf '%s\n' "$@"
	} >>"$T/data/cases/$c.case"
	# what is expected of the case, of the variant
	perl -ne 'BEGIN { $of = shift } $on = s/^\[([^] @]*)(?: (@[^]]*))?\]$/[$1 \@broken]/ && ($2 // "") eq $of
		if /^\[/; print if $on' -- "$of" "$TOP/expect/$c.expect" >"$T/data/expect/$c.expect"
	cases="$cases $c"
}
broken writeback/desktop 'disk.hda.max-ratio = 1%'
broken writeback/one-disk 'set.vm.dirty_writeback_centisecs = 0'
broken writeback/same-disk 'disk.sda.wbt-latency = 0us'
broken writeback/hdd+dvd 'disk.hda.max-ratio = 1%'
broken writeback/stream 'disk.hda.fault = slow at 1s for 60s to 5M/s'
broken writeback/bursts 'disk.hda.fault = slow at 18s for 60s to 5M/s'
broken writeback/equal-writers 'disk.hda.fault = slow at 1s for 60s to 5M/s'
broken writeback/light+stream 'set.vm.dirty_bytes = 65536'
broken writeback/stopped-disk 'disk.hda.fault = stop at 12s for 20s'
broken writeback/max-ratio 'disk.hdb.max-ratio = 100%'
broken writeback/removable 'disk.hda.fault = slow at 1s for 120s to 1M/s'
broken writeback/sync-one 'disk.dvd.fault = slow at 1s for 60s to 200K/s'
broken sched/raw 'disk.sdb.read-ahead = 16K'
broken sched/ascend 'disk.sda.scheduler = none'
broken sched/write-read@bfq 'disk.sda.scheduler = none' 'disk.sda.wbt-latency = 0us'

run "$IORIG" run debian -c '*@broken' --out "$T/results"
printf '%s\n' "$out" | sed 's/^/# /'
is $rc 1 "broken cases regress: exit 1" "$errs"
regressed=$(perl -MJSON::PP -e '
	local $/;
	my %seen = map { $_->{case_name} => 1 } grep { $_->{kind} eq "regressed" } @{decode_json(<>)->{verdicts}};
	print " $_ " for keys %seen' "$T"/results/*/run.json)
for c in $cases; do
	like "$regressed" " $(printf '%s' "$c" | sed 's/+/\\+/g')@broken " "$c sees that its mechanism is broken"
done
finish
