#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Is 'iorig compare' ever wrong on the real clock of a busy host? A kernel is compared in turns with
# itself and with a planted regression, beside loops that take every processor; wrong is a change of a
# kernel against itself, and "the same" of the regression; right or inconclusive is what may be. What
# was done stays below OUT, and the next call goes on from there.
#
#	KERNEL=debian-6.1	one that is built here
#	PATCH=no-merge		the regression (iorig run --patch)
#	CASE=sched/raw SEEDS=5	what it is seen by, and boots of each side
#	COMPARISONS=20 LOOPS=	how many, and beside how many loops (default: one for each processor)
#	STALL=2%		what a boot may lose (iorig run --stall)
#	FLOOR_SEEDS=10		measure the host's noise floor first, without the loops; 0: do not
#	OUT=results/busy
set -eu
O=${O:-build}
KERNEL=${KERNEL:-debian-6.1}
PATCH=${PATCH:-no-merge}
CASE=${CASE:-sched/raw}
SEEDS=${SEEDS:-5}
COMPARISONS=${COMPARISONS:-20}
LOOPS=${LOOPS:-$(nproc)}
STALL=${STALL:-2%}
FLOOR_SEEDS=${FLOOR_SEEDS:-10}
OUT=${OUT:-results/busy}
IORIG_LIB=$O
IORIG_DATA=${IORIG_DATA:-$(pwd)}
export IORIG_LIB IORIG_DATA
mkdir -p "$OUT"
loops=

die() {
	echo "busy.sh: $*" >&2
	exit 1
}

stop_loops() {
	for pid in $loops; do
		kill "$pid" 2>/dev/null || :
	done
	loops=
}
trap stop_loops EXIT
trap 'exit 1' INT TERM HUP

start_loops() {
	for _ in $(seq "$LOOPS"); do
		# ends with this script, however that ends
		while kill -0 $$ 2>/dev/null; do
			i=0
			while [ $i -lt 50000 ]; do i=$((i + 1)); done
		done &
		loops="$loops $!"
	done
}

# go NAME OPTION...: the comparison $OUT/NAME.json, unless it is there already.
go() {
	name=$1
	shift
	[ ! -e "$OUT/$name.json" ] || return 0
	rm -rf "${OUT:?}/$name"
	status=0
	"$O/iorig" compare "$@" -c "$CASE" --clock=real --stall "$STALL" --out "$OUT/$name" --json -q \
		>"$OUT/$name.part" 2>"$OUT/$name.err" || status=$?
	# the status may well say that something regressed, or could not be told
	case $status in 0 | 1 | 125) ;; *) tail -3 "$OUT/$name.err" >&2; die "comparison $name failed" ;; esac
	[ -s "$OUT/$name.part" ] || die "comparison $name left nothing: $(tail -1 "$OUT/$name.err")"
	rm -rf "${OUT:?}/$name"
	mv "$OUT/$name.part" "$OUT/$name.json"
}

# outcome NAME same|worse: "right", "wrong" or "open", and what was found.
outcome() {
	perl -MJSON::PP -e '
		local ($/, @ARGV) = (undef, @ARGV);
		my ($file, $want) = @ARGV;
		open my $f, "<", $file or die "$file: $!\n";
		my $j = decode_json(<$f>);
		my $c = $j->{counts};
		my $found = $c->{regressed} ? "worse" : $c->{improved} ? "better" :
			    $c->{inconclusive} || $c->{"not compared"} || !@{$j->{rows}} ? "open" : "same";
		print $found eq $want ? "right" : $found eq "open" ? "open" : "wrong";
		printf " %s: %s\n", $found, join ", ", map { "$c->{$_} $_" } grep { $c->{$_} } sort keys %$c;
	' "$OUT/$1.json" "$2"
}

if [ "$FLOOR_SEEDS" != 0 ]; then
	go floor "$KERNEL" --measure-floor --seeds "$FLOOR_SEEDS"
	tail -1 "$OUT/floor.err" >&2
fi
start_loops
right=0 wrong=0 open=0
for n in $(seq "$COMPARISONS"); do
	if [ $((n % 2)) = 1 ]; then
		want=same
		go "$n" "$KERNEL" "$KERNEL" --seeds "$SEEDS"
	else
		want=worse
		go "$n" "$KERNEL" --patch "$PATCH" --seeds "$SEEDS"
	fi
	line=$(outcome "$n" $want)
	eval "${line%% *}=\$((${line%% *} + 1))"
	echo "$n: against $([ $want = same ] && echo itself || echo "$PATCH"): $line"
done
echo "beside $LOOPS loops: $right right, $open open, $wrong wrong of $COMPARISONS"
[ $wrong = 0 ]
