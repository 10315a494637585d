#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The report's six cases on the default kernel: judged, within their limits, the slow disk at its rate on
# either clock; on the simulated one the same to the nanosecond when it is done again; and a limit
# that is too low is seen to be exceeded.
. "$(dirname "$0")/../lib.sh"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"

run "$IORIG" run debian -c 'writeback/*hdd*' -c '*/dvd-alone' -c '*/atapi-read' --out "$T/results"
is $rc 0 "the default kernel passes" "$out"
printf '%s\n' "$out" | sed 's/^/# /'
for c in hdd-alone dvd-alone 'hdd\+dvd' hdd2-alone 'hdd\+hdd2' atapi-read; do
	like "$out" "^$c +" "the table has $c"
done
unlike "$out" "broken|skipped|regressed" "nothing is broken, skipped or regressed"
like "$out" "^hdd\+dvd +hdd +.* 1.50? +1,221 s 31.2x +pass" "hdd+dvd stands beside the goal and the report's figures"
is "$(printf '%s\n' "$out" | awk 'length > 80' | grep -v '^results\|^QEMU\|^kernel')" "" "the table fits 80 columns"

# digests RUN: a line for each boot, with the digest of all that it did.
digests() {
	perl -MJSON::PP -e 'local $/; print "$_->{case_name}.$_->{seed} $_->{digest}\n" for @{decode_json(<>)->{boots}}' \
		"$1"/*/run.json | sort
}
digests "$T/results" >"$T/first"
is "$(grep -c ' [0-9a-f]\{64\}$' "$T/first")" 6 "every boot has a digest"
is "$(cut -d' ' -f2 "$T/first" | sort -u | wc -l)" 6 "they all differ"
cp -r "$TOP/cases" "$TOP/expect" "$TOP/kernels" "$TOP/images" "$T/" && mkdir "$T/elsewhere"
run env IORIG_DATA="$T" "$IORIG" run debian -c '*hdd+hdd2' -c '*atapi*' --jobs 1 --out "$T/elsewhere"
digests "$T/elsewhere" >"$T/second"
is "$(wc -l <"$T/second")" 3 "the same again, one guest at a time, from another folder: three boots"
is "$(grep -cxFf "$T/first" "$T/second")" 3 "the same again: identical digests" "$(cat "$T/first" "$T/second")"
run "$IORIG" run debian -c '*hdd-alone' --seeds 2 --out "$T/seeds"
digests "$T/seeds" >"$T/third"
is "$(grep -cxFf "$T/first" "$T/third")" 1 "another seed is another run"

# 64 MiB at the profile's 1.0 MB/s; the dd leaves its last pages to the sync.
ratio() {
	perl -MJSON::PP -e '
		local $/;
		my ($b) = grep { $_->{case_name} eq "writeback/dvd-alone" } @{decode_json(<>)->{boots}};
		my $e = $b->{jobs}[0]{end};
		printf "%.3f\n", ($e->{wall_ns} + $e->{sync_ns}) / 1e9 / (64 * 1024 * 1024 / 1e6);
	' "$1"/*/run.json 2>&1
}
within() {
	perl -e 'exit !($ARGV[0] > 0.98 && $ARGV[0] < 1.02)' "$1"
	ok $? "$2" "ratio $1"
}
run "$IORIG" run debian -c '*dvd-alone' --clock=real --stall=1000% --timing=throttle --accel=tcg --out "$T/real"
is $rc 0 "the real clock" "$errs"
within "$(ratio "$T/real")" "the slow disk's dd and sync take bytes / rate within 2 %: throttle, real clock"

# The same measurement against a limit that it cannot keep: a check that can fail.
make_data
mkdir -p "$T/data/cases/writeback" "$T/data/expect/writeback"
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
cp "$TOP"/cases/writeback/hdd-alone.case "$TOP"/cases/writeback/hdd+hdd2.case "$T/data/cases/writeback/"
printf '[hdd.slowdown]\nlimit = 0.5\nwhy = planted\n' >"$T/data/expect/writeback/hdd+hdd2.expect"
run "$IORIG" run debian -c '*hdd+hdd2' --out "$T/planted"
is $rc 1 "a limit that is exceeded: exit 1" "$out"
like "$out" "regressed: .*slowdown .* above limit 0.5" "and the figures are told"
finish
