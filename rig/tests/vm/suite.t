#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The six cases on the default kernel: judged, within their limits, the slow disk at its rate;
# and a limit that is too low is seen to be exceeded.
. "$(dirname "$0")/../lib.sh"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"

run "$IORIG" run debian -c 'writeback/*' --out "$T/results" --accel=tcg
is $rc 0 "the default kernel passes" "$out"
printf '%s\n' "$out" | sed 's/^/# /'
for c in hdd-alone dvd-alone 'hdd\+dvd' hdd2-alone 'hdd\+hdd2' atapi-read; do
	like "$out" "^$c +" "the table has $c"
done
unlike "$out" "broken|skipped|regressed" "nothing is broken, skipped or regressed"
like "$out" "^hdd\+dvd +hdd +.*1,221 s 31.2x +pass" "hdd+dvd stands beside the report's figures"

# 64 MiB at the profile's 1.0 MB/s; the dd leaves its last pages to the sync.
perl -MJSON::PP -e '
	local $/;
	my $r = decode_json(<>);
	my ($b) = grep { $_->{case} eq "writeback/dvd-alone" || ($_->{case_name} // "") eq "writeback/dvd-alone" } @{$r->{boots}};
	my $e = $b->{jobs}[0]{end};
	printf "%.3f\n", ($e->{wall_ns} + $e->{sync_ns}) / 1e9 / (64 * 1024 * 1024 / 1e6);
' "$T"/results/*/run.json >"$T/ratio" 2>&1
perl -e 'exit !($ARGV[0] > 0.98 && $ARGV[0] < 1.02)' "$(cat "$T/ratio")"
ok $? "the slow disk's dd and sync take bytes / rate within 2 %" "ratio $(cat "$T/ratio")"

# The same measurement against a limit that it cannot keep: a check that can fail.
make_data
mkdir -p "$T/data/cases/writeback" "$T/data/expect/writeback"
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
cp "$TOP"/cases/writeback/hdd-alone.case "$TOP"/cases/writeback/hdd+hdd2.case "$TOP"/cases/writeback/hdd2-alone.case \
	"$T/data/cases/writeback/"
printf '[hdd.slowdown]\nlimit = 0.5\nwhy = planted\n' >"$T/data/expect/writeback/hdd+hdd2.expect"
run "$IORIG" run debian -c '*hdd+hdd2' --out "$T/planted" --accel=tcg
is $rc 1 "a limit that is exceeded: exit 1" "$out"
like "$out" "regressed: .*slowdown .* above limit 0.5" "and the figures are told"
finish
