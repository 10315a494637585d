#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a verdict of 'iorig compare' is worth, measured: how often two builds of the same kernel are
# told apart that differ in nothing (false alarms), and which slowdowns are found with how many
# seeds (power). It takes hours of CPU time; what was done stays below OUT, and the next call goes
# on from there. The same question on the real clock of a busy host: busy.sh.
#
#	KERNEL=debian-6.1	one that is built here from a Debian package, or a kernel tree
#	VARIANTS=21		rebuilds that differ in a comment, a function that nobody calls or the
#				order of linking; all pairs of them are compared
#	SEEDS=5 CASES=default	what each of them runs
#	PERCENTS='5 10 20 50'	slowdowns of the victim of POWER_CASE; '' leaves this part out
#	POWER_SEEDS=20		boots of each, of which all groups of 3, 5 and 10 are compared
#	POWER_CASE=sched/random-alone	its first job is the victim, and does POWER_OPS=100 reads
#	OUT=results/verdict
set -eu
O=${O:-build}
KERNEL=${KERNEL:-debian-6.1}
VARIANTS=${VARIANTS:-21}
SEEDS=${SEEDS:-5}
CASES=${CASES:-default}
PERCENTS=${PERCENTS-5 10 20 50}
POWER_SEEDS=${POWER_SEEDS:-20}
POWER_CASE=${POWER_CASE:-sched/random-alone}
POWER_OPS=${POWER_OPS:-100}
OUT=${OUT:-results/verdict}
JOBS=${JOBS:-}
IORIG_LIB=$O
IORIG_DATA=${IORIG_DATA:-$(pwd)}
export IORIG_LIB IORIG_DATA
mkdir -p "$OUT/patches"

die() {
	echo "verdict.sh: $*" >&2
	exit 1
}

# go NAME SEEDS CASES [PATCH]: the run $OUT/NAME, unless it is there already.
go() {
	if [ -e "$OUT/$1/done" ]; then
		return
	fi
	rm -rf "${OUT:?}/$1"
	status=0
	"$O/iorig" run "$KERNEL" -q --out "$OUT/$1" --seeds "$2" -c "$3" ${JOBS:+--jobs "$JOBS"} \
		${4:+--patch "$4" --no-base} >"$OUT/$1.txt" 2>&1 || status=$?
	# what regressed or could not be judged is a result, too
	case $status in 0 | 1 | 125) ;; *) tail -3 "$OUT/$1.txt" >&2; die "run $1 failed" ;; esac
	cp "$OUT/$1"/*/run.json "$OUT/$1/run.json" || die "run $1 left no document: see $OUT/$1.txt"
	: >"$OUT/$1/done"
	echo "$1: $(grep '^verdicts:' "$OUT/$1.txt" || tail -1 "$OUT/$1.txt")" >&2
}

# The folder with the kernel's sources: the tree itself, or the unpacked package in the cache.
find_source() {
	if [ -d "$KERNEL" ]; then
		echo "$KERNEL"
		return
	fi
	release=$("$O/iorig" build "$KERNEL" 2>/dev/null | sed -n 's/^.*: release  *//p')
	cache=${IORIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iorig}
	for tree in "$cache"/kernels/sources/*/tree; do
		[ -f "$tree/Makefile" ] || continue
		version=$(sed -n 's/^\(VERSION\|PATCHLEVEL\|SUBLEVEL\) = //p' "$tree/Makefile" | paste -sd.)
		case $release in "$version" | "$version"[!0-9]*) echo "$tree"; return ;; esac
	done
	die "the sources of $KERNEL ($release) are not in $cache"
}

# change PATCH FILE PERL: a patch that changes FILE of the sources as the program says, which has the
# text in $_ and the number of the variant in $n.
change() {
	N=$n perl -0777 -pe "my \$n = \$ENV{N}; $3" "$source/$2" >"$OUT/patches/new"
	status=0
	diff -u --label "a/$2" --label "b/$2" "$source/$2" "$OUT/patches/new" >"$1" || status=$?
	[ $status -eq 1 ] || die "variant $n changes nothing in $2"
}

# variant N PATCH: comments, functions and link orders in turns, each in another file.
variant() {
	n=$1
	set -- "$2" mm/page-writeback.c fs/fs-writeback.c block/blk-mq.c block/mq-deadline.c \
		mm/filemap.c fs/buffer.c mm/vmscan.c
	patch=$1
	shift $((1 + (n - 1) / 3 % 7))
	case $((n % 3)) in
	1) change "$patch" "$1" 's{^(\#include[^\n]*\n)(?!.*^\#include)}{$1 . "/*\n" . " * nothing\n" x $n . " */\n"}ems' ;;
	2) change "$patch" "$1" '$_ .= "\nstatic int __used iorig_unused_$n(int x)\n{\n" . join("", map {
			"\tx = x * $_ + (x >> 3);\n" } 3 .. 3 + $n * 5) . "\treturn x;\n}\n"' ;;
	0) set -- mm/Makefile fs/Makefile block/Makefile
		shift $((n / 3 % 3))
		# two neighbours of the first list change places
		change "$patch" "$1" 'my $i = 0; my $k = 1 + int($n / 9);
			s{^(obj-y\s*:=.*?[^\\])$}{
				my $list = $1;
				$list =~ s/([\w-]+\.o)(\s+)([\w-]+\.o)/++$i == $k ? "$3$2$1" : $&/ge;
				$list }ems' ;;
	esac
}

# perl with the figures of runs at hand: doc(NAME), walls(NAME) of the power case's first job.
calc() {
	perl -MJSON::PP -e '
		my ($dir, $case, $code) = splice @ARGV, 0, 3;
		sub doc { local (@ARGV, $/) = ($_[0]); decode_json(<>) }
		sub walls { map { $_->{jobs}[0]{end}{wall_ns} } grep { $_->{case_name} eq $case } @{doc("$dir/$_[0]/run.json")->{boots}} }
		sub med { my @v = sort { $a <=> $b } @_; @v ? $v[@v / 2] : die "no boot of $case\n" }
		eval $code; die $@ if $@;
	' "$OUT" "$POWER_CASE" "$@"
}

# verdicts A B: "REGRESSED IMPROVED INCONCLUSIVE", counted over the rows.
verdicts() {
	status=0
	"$O/iorig" compare "$1" "$2" >"$OUT/compare.txt" 2>&1 || status=$?
	case $status in 0 | 1 | 125) ;; *) cat "$OUT/compare.txt" >&2; die "compare $1 $2" ;; esac
	for word in regressed improved inconclusive; do
		sed -n "s/^compared:.* \([0-9]*\) $word.*/\1/p" "$OUT/compare.txt" | grep . || echo 0
	done | paste -sd' '
}

source=$(find_source)
names=
for n in $(seq "$VARIANTS"); do
	variant "$n" "$OUT/patches/v$n.patch"
	go "v$n" "$SEEDS" "$CASES" "$OUT/patches/v$n.patch"
	names="$names v$n"
done
images=$(for n in $names; do
	perl -MJSON::PP -e 'local $/; print decode_json(<>)->{kernel}{image_sha256}, "\n"' "$OUT/$n/run.json"
done | sort -u | wc -l)
echo "== false alarms: $VARIANTS rebuilds of $KERNEL ($images different images), $SEEDS seeds, cases $CASES"
pairs=0 alarms=0 open=0
for a in $names; do
	for b in $names; do
		[ "${a#v}" -lt "${b#v}" ] || continue
		rows=$(verdicts "$OUT/$a/run.json" "$OUT/$b/run.json")
		set -- $rows
		pairs=$((pairs + 1))
		[ "$3" = 0 ] || open=$((open + 1))
		if [ "$1$2" != 00 ]; then
			alarms=$((alarms + 1))
			echo "alarm: $a $b: $1 regressed, $2 improved"
		fi
	done
done
echo "$alarms of $pairs comparisons are false alarms; $open have rows that are inconclusive"

[ -n "$PERCENTS" ] || exit 0
echo "== power: $POWER_CASE slowed down, groups of 3, 5 and 10 of $POWER_SEEDS seeds; found of tried"
go power-0 "$POWER_SEEDS" "$POWER_CASE"
for p in $PERCENTS; do
	us=$(calc 'printf "%d", med(walls("power-0")) / 1000 / $ARGV[0] * $ARGV[1] / 100' "$POWER_OPS" "$p")
	n=$us
	# not udelay(): the command line's lpj= makes it too short
	change "$OUT/patches/power-$p.patch" block/blk-mq.c 's{^(void blk_mq_start_request\(struct request \*rq\)\n\{\n.*?;\n)(\n)}
		{$1\tu64 until = ktime_get_ns() + $n * 1000ULL;\n$2\twhile (req_op(rq) == REQ_OP_READ && ktime_get_ns() < until)\n\t\tcpu_relax();\n}ms'
	go "power-$p" "$POWER_SEEDS" "$POWER_CASE" "$OUT/patches/power-$p.patch"
done
printf '%-22s %8s %8s %8s\n' 'slower by' '3 seeds' '5 seeds' '10 seeds'
for p in $PERCENTS; do
	real=$(calc 'printf "%.1f", 100 * med(walls("power-$ARGV[0]")) / med(walls("power-0")) - 100' "$p")
	row=
	for k in 3 5 10; do
		# disjoint groups of each run, as documents of their own
		groups=$((POWER_SEEDS / k))
		for name in power-0 "power-$p"; do
			calc 'my ($name, $k, $groups) = @ARGV;
				for my $g (0 .. $groups - 1) {
					my $d = doc("$dir/$name/run.json");
					$d->{boots} = [grep { $_->{seed} > $g * $k && $_->{seed} <= ($g + 1) * $k } @{$d->{boots}}];
					open my $o, ">", "$dir/$name/group-$k-$g.json" or die $!;
					print $o encode_json($d);
				}' "$name" "$k" "$groups"
		done
		found=0 tried=0
		for a in $(seq 0 $((groups - 1))); do
			for b in $(seq 0 $((groups - 1))); do
				rows=$(verdicts "$OUT/power-0/group-$k-$a.json" "$OUT/power-$p/group-$k-$b.json")
				set -- $rows
				tried=$((tried + 1))
				[ "$1" = 0 ] || found=$((found + 1))
			done
		done
		row="$row $found/$tried"
	done
	printf '%-22s %8s %8s %8s\n' "$p % ($real % measured)" $row
done
