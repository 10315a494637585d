#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig mutants: a kernel tree whose image says how long the victim takes, mutants that change that,
# and a fake QEMU that does as the image says. Every outcome, the exit statuses, and going on after
# a stop.
. "$(dirname "$0")/../lib.sh"
make_data
a_case good
cp "$TOP/kernels/small.config" "$T/data/kernels/"
printf '[hdd.time]\nlimit = 5s\n' >"$T/data/expect/t/good.expect"
IORIG_CACHE=$T/cache
IORIG_QEMU=$T/qemu
export IORIG_CACHE IORIG_QEMU IORIG_DATA
mutants=$T/data/kernels/patches/mutants

make_speed_tree
make_speed_qemu

# mutant NAME EXPECT FILE OLD NEW [FORM]: one line of the tree's changes.
mutant() {
	mkdir -p "$mutants/$1"
	printf '[mutant]\ntitle = %s\nexpect = %s\n' "$1" "$2" >"$mutants/$1/mutant"
	printf -- '--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-%s\n+%s\n' "$3" "$3" "$4" "$5" \
		>"$mutants/$1/${6:-6.1}.patch"
}

matrix() {
	run "$IORIG" mutants "$T/tree" --clock=real --timing=throttle --accel=tcg --seeds 2 "$@"
}

mutant slow caught speed SECONDS=1 SECONDS=9
mutant noop passes speed SECONDS=1 SECONDS=2
mutant same passes README 'nobody reads this' 'nobody at all'
mutant newer caught speed SECONDS=1 SECONDS=9 7.0
matrix --out "$T/good"
is "$rc" 0 "all as expected"
like "$out" '^slow +caught +9\.0x!' "one that is slower is caught"
like "$out" '^noop +passes +2\.0x' "one that stays within the limit passes"
like "$out" '^same +passes' "the same image passes"
like "$out" '^same: passes: the same image as stock, so nothing was booted$' "and that is said"
like "$out" '^newer: no form: .*has no patch for Linux 6.1.99, only for 7.0 and later' "no form"
like "$out" '^mutants: 1 of 1 regressions caught, 2 of 2 no-ops pass, 1 no form$' "counted"
is "$(wc -l <"$T/booted")" 6 "two boots of three kernels, none of the others"
like "$errs" '^\[2/4\] noop: passes; 2 to go' "progress says what is done and left"
run "$IORIG" report --text "$T"/good/*-tree+slow
like "$out" 'regressed' "what lies there are ordinary runs"

# two in one folder would overwrite each other's matrix
run perl -MFcntl=:flock -e 'open my $f, ">>", shift or die; flock $f, LOCK_EX or die; system @ARGV; exit $? >> 8' \
	"$T/good/lock" "$IORIG" mutants "$T/tree" --out "$T/good"
is "$rc" 129 "a folder in which another one works"
like "$errs" "another 'iorig mutants' works in '$T/good'" "and it is said"

: >"$T/booted"
matrix --out "$T/good" --json
is "$rc" 0 "the same again"
is "$(cat "$T/booted")" "" "boots nothing"
json=$(printf '%s' "$out" | perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>);
	print join " ", map { "$_->{name}=$_->{outcome}" } @{$d->{mutants}}')
is "$json" "newer=no form noop=passes same=passes slow=caught" "as JSON"
printf '%s\n' "$out" | cmp -s - "$T/good/matrix.json"
[ "$(grep -v started "$T/good/matrix.json")" = "$(printf '%s\n' "$out" | grep -v started)" ]
ok $? "matrix.json is the same document"
printf '[hdd.time]\nlimit = 1500ms\n' >"$T/data/expect/t/good.expect"
run "$IORIG" mutants --resume "$T/good" --only 'noo*'
is "$rc" 1 "with a tighter limit the runs that are there are judged anew"
like "$out" '^noop: flagged: t/good$' "and the no-op is flagged"
like "$out" '^    t/good: hdd regressed: time 2 s above limit 1\.50 s' "with its reason"
is "$(cat "$T/booted")" "" "still without a boot"
printf '[hdd.time]\nlimit = 5s\n' >"$T/data/expect/t/good.expect"
matrix --out "$T/good" --only slow --seeds 1 -q
is "$rc$(cat "$T/booted" | tr '\n' ,)" "01,9," "other seeds are other runs"
is "$errs" "" "quiet is quiet"

mutant unseen caught speed SECONDS=1 SECONDS=4
matrix --out "$T/good" --only unseen --only noop
is "$rc" 1 "a missed one is exit 1"
like "$out" '^unseen +missed +4\.0x' "and named"
rm -r "$mutants"
mutant broken caught speed SECONDS=1 BREAK
mutant astray caught speed 'SECONDS=8' SECONDS=9
mutant dead caught speed SECONDS=1 SECONDS=panic
matrix --out "$T/good" --markdown
is "$rc" 125 "what cannot be built or booted cannot be judged"
like "$out" '^- broken: broken; no build: .*error: broken' "no build"
like "$out" '^- astray: astray; no build: .*(context|apply)' "a patch that does not apply"
like "$out" '^- dead: dead; no boot: all boots broke at stage boot' "no boot"
: >"$T/booted"
matrix --out "$T/dead" --only dead --seeds 8
is "$rc$(sort "$T/booted" | uniq -c | tr -d ' ' | tr '\n' ,)" "12581,2panic," "nor are there many tries"

rm -r "$mutants"
mutant a-slow caught speed SECONDS=1 SECONDS=7
mutant b-hangs passes speed SECONDS=1 SECONDS=hang
mutant c-slow caught speed SECONDS=1 SECONDS=8
: >"$T/booted"
IORIG_SILENCE=60 "$IORIG" mutants "$T/tree" --clock=real --timing=throttle --accel=tcg --seeds 2 \
	--out "$T/stopped" >"$T/out" 2>"$T/errs" </dev/null &
pid=$!
perl -e 'my ($file) = @ARGV; for (1 .. 600) {
	if (open my $f, "<", $file) { exit 0 if grep { /hang/ } <$f> } select undef, undef, undef, 0.1 }
	exit 1' "$T/booted"
ok $? "it comes to the one that hangs"
kill -TERM $pid
wait $pid
is $? 143 "stopped"
like "$(cat "$T/errs")" "'iorig mutants --resume .*/stopped' goes on" "how to go on is said"
like "$(cat "$T/out")" '^a-slow +caught' "what is finished is shown"
like "$(cat "$T/out")" '^b-hangs +not run' "and what is not"
no_child_left "nothing is left behind"
: >"$T/booted"
touch "$T/go"
run "$IORIG" mutants --resume "$T/stopped"
is "$rc" 0 "it goes on"
is "$(tr '\n' , <"$T/booted")" "hang,hang,8,8," "with what is missing"
like "$out" '^mutants: 2 of 2 regressions caught, 1 of 1 no-ops pass$' "to the end"
like "$out" ', 2 seeds, 1 case$' "as it was asked for"

mkdir "$T/hostile"
for doc in '' '{' '[]' '{"iorig":1,"kind":"matrix"}' '{"iorig":2,"kind":"matrix","asked":{}}' \
	'{"iorig":1,"kind":"matrix","asked":{"kernel":"debian-6.1","cases":["\u0000"],"only":[],"seeds":1}}' \
	'{"iorig":1,"kind":"matrix","asked":{"kernel":["x"],"cases":[],"only":[],"seeds":1}}'; do
	printf '%s' "$doc" >"$T/hostile/matrix.json"
	run "$IORIG" mutants --resume "$T/hostile"
	is "$rc" 129 "a bad matrix.json: '$doc'"
	like "$errs" 'hostile/matrix.json:[0-9]+: ' "is named"
done
printf '[hdd.time]\nlimit = 500ms\n' >"$T/data/expect/t/good.expect"
matrix --out "$T/stopped"
is "$rc" 125 "a stock kernel that passes nothing can show nothing"
like "$errs" 'stock passes none of the cases' "and is told"
finish
