#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig bisect: what is wrong with its input is said before anything is built or booted.
. "$(dirname "$0")/../lib.sh"
make_data
a_case good
a_case goods
cp "$TOP/kernels/small.config" "$T/data/kernels/"
IORIG_CACHE=$T/cache
export IORIG_CACHE IORIG_DATA
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM

# commit DIR NAME: an empty commit, and a tag for it.
commit() {
	git -C "$1" -c user.name=A -c user.email=a@e.test commit -q --allow-empty -m "$2" && git -C "$1" tag "$2"
}
for repo in one two; do
	git init -q -b main "$T/$repo"
	commit "$T/$repo" a
	commit "$T/$repo" "b-$repo"
	commit "$T/$repo" "c-$repo"
done
git -C "$T/one" checkout -q -b side a
commit "$T/one" side

refused() {
	what=$1
	pattern=$2
	shift 2
	run "$IORIG" bisect "$@"
	is "$rc" 129 "$what: exit 129"
	like "$errs" "$pattern" "$what: the message"
	[ ! -e "$T/b" ] || [ -z "$(ls "$T/b")" ]
	ok $? "$what: nothing is made"
	rm -rf "$T/b"
}
there="--tree $T/one --out $T/b"
run "$IORIG" bisect --help
is "$rc" 0 "--help"
like "$out" 'Usage: iorig bisect .*GOOD BAD' "--help names what it needs"
like "$out" 'Exit status: 0 a commit is found, 125 not sure' "and the exit statuses"
refused "no commits" 'between which commits' -c t/good $there
refused "one commit" 'GOOD and BAD' a -c t/good $there
refused "three commits" 'not more' a b c -c t/good $there
refused "no case" 'which case' a side $there
refused "two cases" 'one case is followed' a side -c t/good -c t/goods $there
refused "a glob of two" "'t/good\*' means 2 cases, such as t/good and t/goods" a side -c 't/good*' $there
refused "no such case" "no case matches 'x/y'" a side -c x/y $there
refused "both ways" 'exclude each other' a side -c t/good --pass-fail --metric hdd.time $there
refused "no such metric" "metric: .hdd.speed. is not .JOB.METRIC. with METRIC one of" a side -c t/good --metric hdd.speed $there
refused "no such job" "metric: case 't/good' has no job 'usb'" a side -c t/good --metric usb.time $there
refused "a certainty of none" "'10%' is not between 50% and 100%" a side -c t/good --confidence 10% $there
refused "no boots" "--boots: " a side -c t/good --boots 0 $there
refused "no folder" "no repository in '.*/nowhere'" a side -c t/good --tree "$T/nowhere" --out "$T/b"
mkdir "$T/plain"
refused "no repository" "no git repository in '.*/plain'" a side -c t/good --tree "$T/plain" --out "$T/b"
refused "an unknown commit" "has no commit 'v9'" a v9 -c t/good $there
refused "an option as a commit" "no name of a commit|unrecognized" -c t/good $there -- --all a
refused "not an ancestor" 'b-one.*|is not an ancestor of the bad one .*: bisect from what both have' side c-one -c t/good $there
refused "the same twice" "'c-one' and 'main' are the same commit" c-one main -c t/good $there
refused "turned round" 'is not an ancestor of the bad one' c-one a -c t/good $there
refused "two folders" 'one is enough' a side -c t/good $there --resume "$T/b"
refused "nothing to go on with" "no bisect in '.*/nowhere'" --resume "$T/nowhere"

# A journal: it is written before it shows that this is no kernel's repository.
run "$IORIG" bisect a c-one -c t/good $there --clock=real --timing=throttle --accel=tcg
is "$rc" 129 "a repository of something else: exit 129"
like "$errs" 'no kernel tree in the commit .* it has no Makefile' "and the message"
like "$errs" "'iorig bisect --resume $T/b' goes on" "how to go on is said"
cp "$T/b/bisect.json" "$T/journal"
again() {
	what=$1
	pattern=$2
	shift 2
	run "$IORIG" bisect --resume "$T/b" "$@"
	is "$rc" 129 "$what: exit 129"
	like "$errs" "$pattern" "$what: the message"
	cp "$T/journal" "$T/b/bisect.json"
}
again "gone on with" 'no kernel tree in the commit'
again "gone on with, the same said again" 'no kernel tree in the commit' a main -c t/good --tree "$T/one/."
again "another tree" 'was begun with tree .*/one: begin another one' --tree "$T/two"
again "another good commit" "has another good commit than 'b-one'" b-one c-one
again "another bad commit" "has another bad commit than 'b-one'" a b-one
again "another case" 'was begun with case t/good' -c t/goods
again "another metric" 'was begun with metric hdd.time' --metric hdd.sync
again "another clock" 'was begun with clock real' --clock sim
again "by passes and failures" 'was begun with (metric|pass-fail)' --pass-fail
run "$IORIG" bisect a c-one -c t/good $there
is "$rc" 129 "begun anew in the same folder: exit 129"
like "$errs" "holds a bisect: --resume goes on with it" "and the message"

# damaged EDIT PATTERN: the journal after a Perl edit.
damaged() {
	perl -0pe "$1" "$T/journal" >"$T/b/bisect.json"
	cmp -s "$T/journal" "$T/b/bisect.json" && ok 1 "the edit '$1' changes something"
	again "damaged by $1" "bisect.json: .*$2"
}
damaged '$_ = ""' 'line 1'
damaged 's/.{40}\z//s' 'line [0-9]+'
damaged 's/"iorig-bisect": 1/"iorig-bisect": 7/' 'another version'
damaged 's/"asked": \{/"asked": 7, "x": {/' 'about.asked.tree is bad or missing'
damaged 's/"tree": "[^"]*"/"tree": null/' 'about.asked.tree is bad or missing'
damaged 's/"case": "t.good"/"case": ["t"]/' 'about.asked.case is bad or missing'
damaged 's/"clock": "real"/"clock": "moon"/' 'about.asked.clock is bad or missing'
damaged 's/"pass-fail": false/"pass-fail": "no"/' 'about.asked.pass-fail is bad or missing'
damaged 's/"tools": "[^"]*"/"tools": null/' 'about.asked.tools is bad or missing'
damaged 's/"tools": "./"tools": "x/' "agent, the simulator or a disk's profile have changed"
damaged 's/"qemu": "[^"]*"/"qemu": "6.0 \\u001b[1m"/' 'begun with QEMU 6.0 .x1b\[1m, this is'
damaged 's/"steps": \[\]/"steps": {}/' 'about.steps is no list'
damaged 's/"started": "[^"]*"/"started": 5/' 'about.started is bad or missing'
damaged 's/"boots": \[\]/"boots": [[0, 1.0]]/' '1 boots belong to no step'
perl -pe 's/"id": "[0-9a-f]{40}"/"id": "1234567890123456789012345678901234567890"/ && $n++ if !$n' "$T/journal" >"$T/b/bisect.json"
again "a commit that the repository does not have" "has no commit '1234567890"
mv "$T/one" "$T/away"
again "the repository is gone" "no repository in '.*/one'"
finish
