#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig mutants: what is wrong with its input is said before anything is built or booted.
. "$(dirname "$0")/../lib.sh"
make_data
a_case good
IORIG_CACHE=$T/cache
export IORIG_CACHE IORIG_DATA
printf '[hdd.time]\nlimit = 5s\n' >"$T/data/expect/t/good.expect"
m=$T/data/kernels/patches/mutants
make_vmlinux "$T/vmlinux"

refused() {
	what=$1
	pattern=$2
	shift 2
	run "$IORIG" mutants --out "$T/matrix" "$@"
	is "$rc" 129 "$what: exit 129"
	like "$errs" "$pattern" "$what: the message"
	[ -z "$(ls "$T/matrix" 2>/dev/null)" ]
	ok $? "$what: no run"
}

run "$IORIG" mutants --help
is "$rc" 0 "--help"
like "$out" 'Usage: iorig mutants .*KERNEL' "--help names the kernel"
like "$out" '125 something could not be judged' "and the exit statuses"
refused "no such option" 'unrecognized option' --frobnicate
refused "no mutants" "no mutants in '.*kernels/patches/mutants'"
mkdir -p "$m/one"
refused "a folder without its file" 'one/mutant:1: no such file'
printf '[mutant]\ntitle = T\nexpect = maybe\n' >"$m/one/mutant"
refused "a bad mutant file" "one/mutant:3: expect: 'maybe'"
printf '[mutant]\ntitle = T\nexpect = caught\n' >"$m/one/mutant"
refused "no patch" 'one: neither a series file nor a \*\.patch'
printf 'no diff\n' >"$m/one/6.1.patch"
refused "a bad patch" '6.1.patch'
printf -- '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n' >"$m/one/6.1.patch"
refused "no such mutant" "no mutant matches 'two'; there are: one" --only two
refused "no such case" "no case matches 'x/y'" -c x/y
refused "no such kernel" "unknown kernel 'frob'" frob
refused "a kernel that is not built here" 'is not built here, so it cannot be patched' "$T/vmlinux"
rm "$T/data/expect/t/good.expect"
refused "nothing is expected" 'nothing is expected of any of these cases'
printf '[hdd.time]\nlimit = 5\n' >"$T/data/expect/t/good.expect"
refused "a bad expectation" 'good.expect:2: '
refused "two kernels" 'one kernel, not more' a b
refused "no seeds" "--seeds: " --seeds 0
refused "no clock" "--clock: 'moon' is none of sim, real" --clock moon
refused "two folders" 'one is enough' --resume "$T/matrix"
run "$IORIG" mutants --resume "$T/nowhere"
is "$rc" 129 "nothing to go on with: exit 129"
like "$errs" "no matrix in '.*nowhere'" "nothing to go on with: the message"
finish
