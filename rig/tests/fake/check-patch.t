#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig check-patch: a series on a kernel tree whose image says how long the victim takes: which
# patch changes it, which takes that back, which changes no byte, which do not build or apply.
. "$(dirname "$0")/../lib.sh"
make_data
a_case good
cp "$TOP/kernels/small.config" "$T/data/kernels/"
IORIG_CACHE=$T/cache
IORIG_QEMU=$T/qemu
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
TMPDIR=$T
export IORIG_CACHE IORIG_QEMU IORIG_DATA GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM TMPDIR
make_speed_tree
make_speed_qemu

# patch_line DIR NAME FILE OLD NEW
patch_line() {
	mkdir -p "$T/$1"
	printf 'Subject: [PATCH] %s\n\n--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-%s\n+%s\n' "$2" "$3" "$3" \
		"$4" "$5" >"$T/$1/$2.patch"
}
check() {
	: >"$T/booted"
	run "$IORIG" check-patch --out "$T/results" -c t/good --clock=real --timing=throttle \
		--accel=tcg "$@"
}
booted() {
	tr '\n' ' ' <"$T/booted"
}

patch_line back 0001-slower speed SECONDS=1 SECONDS=3
patch_line back 0002-text README 'nobody reads this' 'nobody at all'
patch_line back 0003-back speed SECONDS=3 SECONDS=1
check "$T/back" "$T/tree" --seeds 6
is "$rc" 0 "a rise that is taken back"
like "$out" '^1 0001-slower\.patch: 2 regressed$' "is told all the same"
like "$out" '^  t/good hdd$' "with the job"
like "$out" '^    time +1 s +3 s +\+200% .*regressed$' "and by how much"
like "$out" '^2 0002-text\.patch: the same kernel as before it, byte for byte$' "no byte, no boot"
like "$out" '^3 0003-back\.patch: 2 improved \(against patch 1\)$' "the one that improves"
like "$out" '^1 0001-slower\.patch: t/good hdd time: \+200%, taken back by 3 0003-back\.patch$' "is named as what takes it back"
like "$out" '^series: 3 patches: 1 makes something worse, 1 better; 2 figures taken back; 1 changes no byte' "counted"
is "$(booted)" "1 3 1 1 3 1 1 3 1 1 3 1 1 3 1 1 3 1 " "base and two patches, in turns"

patch_line half 0001-slower speed SECONDS=1 SECONDS=4
patch_line half 0002-less speed SECONDS=4 SECONDS=2
check "$T/half" "$T/tree"
is "$rc" 1 "a rise of which a part stays"
unlike "$out" 'taken back' "is not taken back"
is "$(wc -l <"$T/booted")" 15 "five seeds are enough for two comparisons"

patch_line broken 0001-broken speed SECONDS=1 BREAK
patch_line broken 0002-mended speed BREAK SECONDS=2
patch_line broken 0003-astray speed SECONDS=7 SECONDS=8
patch_line broken 0004-after README 'nobody reads this' 'nobody at all'
check "$T/broken" "$T/tree" --seeds 5 -q
is "$rc" 1 "a series with patches that do not build"
like "$out" '^1 0001-broken\.patch: no build: .*error: broken' "names them"
like "$out" '^2 0002-mended\.patch: 2 regressed$' "judges what mends it, against the base"
like "$out" '^3 0003-astray\.patch: no build: .*(apply|context)' "one that does not apply"
like "$out" '^4 0004-after\.patch: not tried: patch 3 does not apply$' "and what is behind it"
is "$errs" "" "quiet is quiet"

patch_line none 0001-text README 'nobody reads this' 'nobody at all'
check "$T/none" "$T/tree"
is "$rc$(booted)" 0 "a series that changes no byte boots nothing"
like "$out" '^base: not run' "and says so"
patch_line dead 0001-dead speed SECONDS=1 SECONDS=panic
check "$T/dead" "$T/tree" --seeds 5
is "$rc" 125 "a kernel that does not boot"
like "$out" '^1 0001-dead\.patch: 1 not compared$' "is not compared"
like "$out" 'hdd : not compared: broken in the new run: .*planted' "for its reason"

# Commits of a repository.
git init -q -b main "$T/repo" && cp "$T"/tree/* "$T/repo/"
commit() {
	(cd "$T/repo" && git add -A && git -c user.name=A -c user.email=a@e.test commit -q -m "$1")
}
commit base
sed -i s/1/5/ "$T/repo/speed"
commit "slow: it takes longer"
sed -i s/5/1/ "$T/repo/speed"
commit "fast: no longer"
check main~2..main git:main~2 --tree "$T/repo" --seeds 6
is "$rc" 0 "commits A..B"
like "$out" '^1 .*: 2 regressed$' "the first"
like "$out" '^2 .*: 2 improved$' "the second"
for bad in main~9..main main..main -x..main; do
	check -- "$bad" git:main --tree "$T/repo"
	is "$rc" 129 "commits that there are not: $bad"
	is "$(booted)" "" "boot nothing"
done

check "$T/back" "$T/tree/base.img"
is "$rc" 129 "a kernel that is not built here"
check "$T/nothing" "$T/tree"
is "$rc" 129 "no such series"
check
is "$rc" 129 "nothing at all"
check a b c
is "$rc" 129 "more than a series and a kernel"
check "$T/back" "$T/tree" --patch "$T/back"
is "$rc" 129 "--patch has no meaning here"
is "$(ls -d "$T"/iorig-series-* 2>/dev/null)" "" "no temporary folder is left"
finish
