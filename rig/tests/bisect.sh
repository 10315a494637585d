#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig bisect on a real kernel: the source of debian-6.1 as a git repository, with a history of
# COMMITS (200) one-line changes upon it. Half of them change nothing in the built kernel, the others
# an unused symbol; six do not build, three do not boot, and one is a planted regression, MUTANT
# (global-dirty-limit), at a random place. ROUNDS (1) such histories are bisected by CASE
# (writeback/hdd+dvd); each answer is checked, and its builds, boots and time are told.
# PLACES="17 150" chooses the places, SEED another chance, METRIC what is followed; GIT=1 tries 'git
# bisect run' as well. Repository and kernels take 4 GB: below TMPDIR, and removed at the end, or in
# WORK, where the next time finds them.
tests_top=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${O:-build}
. "$(dirname "$0")/lib.sh"
COMMITS=${COMMITS:-200}
ROUNDS=${ROUNDS:-1}
MUTANT=${MUTANT:-global-dirty-limit}
CASE=${CASE:-writeback/hdd+dvd}
SEED=${SEED:-1}
WORK=${WORK:-$T}
mkdir -p "$WORK" || exit 1
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM COMMITS

cache=${IORIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iorig}/kernels
"$IORIG" build debian-6.1 >"$T/base" 2>"$T/errs" || skip_all "debian-6.1 cannot be built: $(tail -1 "$T/errs")"
tree=$(dirname "$(sed -n 's/^  image *//p' "$T/base")")
source=$cache/sources/$(sed -n 's/.*"source_id": "\([0-9a-f]*\)".*/\1/p' "$tree/about.json")/tree
[ -f "$source/mm/page-writeback.c" ] || skip_all "the source of debian-6.1 is not in the cache"
IORIG_CACHE=$WORK/cache
export IORIG_CACHE

# The base of all histories, without a copy of the files: a work tree is not needed.
repo=$WORK/repo
g() { git --git-dir="$repo" -c user.name=A -c user.email=a@e.test "$@"; }
if ! base=$(g rev-parse -q --verify base 2>/dev/null); then
	git init -q --bare "$repo" && g config core.compression 1 &&
	g --work-tree="$source" add -f -A &&
	base=$(g commit-tree -m 'the source' "$(g write-tree)") &&
	g update-ref refs/heads/base "$base" || exit 1
fi

# The file of the planted regression, as it is and with it.
patch=$TOP/kernels/patches/mutants/$MUTANT/6.1.patch
file=$(sed -n 's|^+++ b/||p' "$patch")
[ "$(echo "$file" | wc -l)" = 1 ] || skip_all "$MUTANT changes more than one file"
mkdir -p "$T/patched/$(dirname "$file")"
cp "$source/$file" "$T/patched/$file"
(cd "$T/patched" && git apply "$patch") || exit 1

# a_history BRANCH PLACE SEED: the commits on $base, as git fast-import reads them.
a_history() {
	BASE=$base SOURCE=$source PATCHED=$T/patched FILE=$file perl -e '
		my ($branch, $place, $seed) = @ARGV;
		my $n = $ENV{COMMITS};
		srand $seed;
		my @files = grep { -f "$ENV{SOURCE}/$_" && $_ ne $ENV{FILE} } qw(mm/filemap.c mm/vmscan.c mm/readahead.c
			fs/sync.c fs/inode.c fs/fs-writeback.c fs/ext2/inode.c block/blk-core.c block/mq-deadline.c
			lib/rbtree.c kernel/fork.c kernel/time/timer.c drivers/scsi/sd.c drivers/ata/libata-core.c);
		my (%content, %odd);
		sub slurp { local (@ARGV, $/) = $_[0]; <> }
		# commits that do not build or boot; the next one puts that right
		while (keys %odd < 9) {
			my $i = 2 + int rand($n - 4);
			next if grep { abs($_ - $i) < 2 } $place, keys %odd;
			$odd{$i} = keys %odd < 6 ? "#error planted, commit $i"
				: "static int __init planted_init(void) { panic(\"planted\"); }\nsubsys_initcall(planted_init);";
		}
		sub commit {
			my ($i, $say, $name, $text) = @_;
			printf "commit refs/heads/%s\nmark :%d\ncommitter A <a\@e.test> %d +0000\ndata %d\n%s\n", $branch, $i,
				1e9 + $i, length $say, $say;
			printf "from %s\n", $i == 1 ? $ENV{BASE} : ":" . ($i - 1);
			printf "M 100644 inline %s\ndata %d\n%s\n", $name, length $text, $text;
		}
		for my $i (1 .. $n) {
			my $name = $files[rand @files];
			my $symbol = int rand 2;
			if ($i == $place) {
				commit($i, "the planted one", $ENV{FILE}, slurp("$ENV{PATCHED}/$ENV{FILE}"));
				next;
			}
			# what was broken is right again in the next one
			$content{"mm/backing-dev.c"} //= slurp("$ENV{SOURCE}/mm/backing-dev.c");
			if ($odd{$i} || $odd{$i - 1}) {
				commit($i, $odd{$i} ? "broken $i" : "right again $i", "mm/backing-dev.c",
					$content{"mm/backing-dev.c"} . ($odd{$i} ? "$odd{$i}\n" : "/* right $i */\n"));
				next;
			}
			$content{$name} //= slurp("$ENV{SOURCE}/$name");
			$content{$name} .= $symbol ? "const int iorig_harmless_$i = $i;\n" : "/* harmless $i */\n";
			commit($i, "harmless $i in $name", $name, $content{$name});
		}
	' "$1" "$2" "$3" | g fast-import --quiet --force
}

field() {
	perl -MJSON::PP -e 'my ($file, $code) = @ARGV; local (@ARGV, $/) = $file;
		my $d = decode_json(<>); my @v = eval $code; die $@ if $@; print "@v\n"' "$1" "$2"
}
seconds() { cut -d' ' -f1 /proc/uptime; }
since() { echo "$1 $(seconds)" | awk '{ printf "%.0f s", $2 - $1 }'; }

began=$(seconds)
"$IORIG" build git:base --tree "$repo" >"$T/out" 2>"$T/errs"
ok $? "the base is built" "$(tail -3 "$T/errs")"
echo "# from nothing, once for a repository: $(since "$began")"
round=0
for place in ${PLACES:-$(perl -e 'srand $ARGV[0]; print join " ", map { 3 + int rand($ENV{COMMITS} - 5) } 1 .. $ARGV[1]' "$SEED" "$ROUNDS")}; do
	round=$((round + 1))
	a_history "round-$round" "$place" "$((SEED * 1000 + round))" || exit 1
	began=$(seconds)
	"$IORIG" bisect base "round-$round" --tree "$repo" -c "$CASE" ${METRIC:+--metric "$METRIC"} --json \
		--out "$T/round-$round" >"$T/json" 2>"$T/errs"
	rc=$?
	took=$(since "$began")
	planted=$(g rev-parse "round-$round~$((COMMITS - place))")
	answer=$(field "$T/json" '$d->{result}, $d->{commit} ? $d->{commit}{id} : ""' 2>"$T/why")
	[ "$rc $answer" = "0 found $planted" ]
	ok $? "$MUTANT planted at $place of $COMMITS is found" "exit $rc: $answer; $(tail -3 "$T/errs")"
	field "$T/json" 'sprintf "# %s at %s, probability %.4f: %d kernels of %d commits, %d boots, %s", $d->{result},
		$d->{commit} ? $d->{commit}{place} : "-", $d->{probability}, scalar(grep { $_->{image_sha256} ne "" } @{$d->{tested}}),
		$d->{commits}, $d->{boots}, "'"$took"'"'
	field "$T/json" 'map { sprintf "#   %3d %-7s %2d boots, build %.1f s, boots %.1f s\n", $_->{commit}, $_->{what}, $_->{boots},
		$_->{build_s}, $_->{boot_s} } @{$d->{steps}}'
	[ -n "${GIT:-}" ] || continue
	began=$(seconds)
	git clone -q --shared --no-checkout "$repo" "$T/clone-$round" &&
	git -C "$T/clone-$round" bisect start --no-checkout "origin/round-$round" origin/base >/dev/null &&
	run git -C "$T/clone-$round" bisect run "$IORIG" run git:BISECT_HEAD --tree "$T/clone-$round" -q -c "$CASE" --seeds 3 \
		--out "$T/git-$round"
	like "$out" "^$planted is the first bad commit" "git bisect run finds it, too"
	echo "# git bisect run: $(ls "$T/git-$round" | wc -l) runs, $(since "$began")"
done
finish
