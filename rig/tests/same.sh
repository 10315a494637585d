# SPDX-License-Identifier: GPL-2.0-only
# For scripts that compare whole runs: source this after lib.sh. A run is the folder that
# 'iorig run --out' was given.

# digests RUN: a line for each boot, "CASE.SEED DIGEST"; "none" for a boot that has no digest,
# with what became of it.
digests() {
	perl -MJSON::PP -e '
		local $/;
		for my $file (@ARGV) {
			open my $f, "<", $file or die "$file: $!\n";
			for my $b (@{decode_json(<$f>)->{boots}}) {
				my $ok = $b->{outcome} eq "done" && ($b->{digest} // "") =~ /^[0-9a-f]{64}$/;
				printf "%s.%d %s\n", $b->{case_name}, $b->{seed},
					$ok ? $b->{digest} : "none ($b->{outcome}: $b->{reason})";
			}
		}' "$1"/*/run.json | sort
}

# boots_of RUN: how many boots ended well and have a digest.
boots_of() {
	digests "$1" | grep -c ' [0-9a-f]\{64\}$'
}

# first_difference A B: of two boots' folders, where they part: the first request, frame or line
# of the console that is not the same.
first_difference() {
	for f in requests.log frames.log console.log; do
		cmp -s "$1/$f" "$2/$f" && continue
		echo "$f, line $(cmp "$1/$f" "$2/$f" 2>&1 | sed -n 's/.*line //p'):"
		diff -a "$1/$f" "$2/$f" | cut -c1-200 | head -4
	done
}

# same_runs A B NAME: every boot of B is in A too, with the same digest. What differs is told, and
# where. A run without a boot is no proof of anything.
same_runs() {
	digests "$1" >"$T/digests.a" 2>&1
	digests "$2" >"$T/digests.b" 2>&1
	n=$(grep -c ' [0-9a-f]\{64\}$' "$T/digests.b")
	same=$(grep -cxFf "$T/digests.a" "$T/digests.b")
	all=$(wc -l <"$T/digests.b")
	why=
	if [ "$n" -eq 0 ] || [ "$same" -ne "$all" ] || [ "$n" -ne "$all" ]; then
		why="$same of $all boots are the same, $n have a digest"
		grep -vxFf "$T/digests.a" "$T/digests.b" >"$T/differ"
		while read -r boot rest; do
			dir=$(echo "$boot" | tr / -)
			why="$why
$boot $rest
$(first_difference "$(echo "$1"/*/"$dir")" "$(echo "$2"/*/"$dir")" 2>&1)"
		done <"$T/differ"
	fi
	[ -z "$why" ]
	ok $? "$3: $n boots" "$why"
}

# sum_up: in place of lib.sh's finish, for a script that is run by hand.
sum_up() {
	echo "1..$tap_n"
	echo "$((tap_n - tap_failed - tap_skipped)) passed, $tap_failed failed, $tap_skipped skipped"
	[ $tap_failed -eq 0 ]
	exit
}
