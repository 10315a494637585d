#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig compare on the simulated clock: a kernel's run that lies there is taken and gets the boots it
# lacks, in its own folder; after a change of what a boot brings along it is left alone.
. "$(dirname "$0")/../lib.sh"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
a_case one
sed -i 's/^memory.*/memory = 96M/' "$T/data/cases/t/one.case"

run "$IORIG" run debian -c t/one --seeds 1 --out "$T/results" -q
is "$rc" 0 "a run with one seed" "$errs"
cp -r "$T"/results/* "$T/other"
run "$IORIG" compare debian "$T/other" --seeds 2 --out "$T/results"
is "$rc" 125 "two seeds against one: nothing can be certain"
like "$errs" '^base: 1 boots of run .*-debian are there$' "the run that lies there is taken"
set -- "$T"/results/*
is "$#" 1 "and gone on with in its folder"
run "$IORIG" report --json --out "$T/results" "$1"
like "$(printf '%s' "$out" | tr -d ' \n')" '"interrupted":false.*"seeds":2' "which is complete again"
is "$(ls -d "$1"/t-one.* | wc -l)" 2 "with both boots"
# the one more boot is what a run of both would have had
run "$IORIG" run debian -c t/one --seeds 2 --out "$T/anew" -q
digests() {
	perl -MJSON::PP -e 'local $/; print join " ", map { "$_->{seed}:$_->{digest}" } @{decode_json(<>)->{boots}}' "$1"/run.json
}
like "$(digests "$1")" '^1:[0-9a-f]{64} 2:[0-9a-f]{64}$' "both on the simulated clock"
is "$(digests "$1")" "$(digests "$T"/anew/*)" "to the same digests as a run of both at once"

echo '# changed' >>"$T/data/images/disks/hdd-2004.disk"
run "$IORIG" compare debian "$T/other" --seeds 1 --out "$T/results" -q
is "$(ls "$T/results" | wc -l)" 2 "with another disk profile it is run anew"
finish
