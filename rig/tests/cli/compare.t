#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig compare --json: the document that DATA.md describes, of two runs that never were; of hostile
# ones, of one against itself, and of runs that cannot be compared.
. "$(dirname "$0")/../lib.sh"
make=$TOP/rig/tests/make_run.pl
perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"
cd "$T" || exit 1
mkdir results
perl "$make" results/base seeds=6 && perl "$make" results/slow seeds=6 slow=1.5 kernel=patched &&
perl "$make" results/evil seeds=6 evil=1
ok $? "runs were made"
for name in base slow evil; do
	perl -MJSON::PP -e '
		my ($name, $image) = @ARGV;
		open my $f, "<", "results/$name/run.json" or die; local $/; my $r = decode_json(<$f>); close $f;
		$r->{kernel}{image_sha256} = $image x 64;
		open $f, ">", "results/$name/run.json" or die; print $f encode_json($r); close $f;
	' $name "$(printf '%s' $name | cut -c1 | tr bse 0ce)"
done

# of PERL: the value of an expression over the document $j and its first row of a time, $t.
of() {
	perl -MJSON::PP -e '
		local $/;
		open my $f, "<", "out" or die;
		my $j = decode_json(<$f>);
		my ($t) = grep { ($_->{metric} // "") eq "time" } @{$j->{rows}};
		my $v = eval $ARGV[0];
		die $@ if $@;
		print defined $v ? $v : "null";
	' "$1"
}

run "$IORIG" compare base slow --json
is "$rc" 1 "slower is a regression" "$errs"
is "$(of '"$j->{iorig} $j->{kind} $j->{status}"')" "1 compare 1" "the document says so"
is "$(of '$j->{new}{kernel}')" patched "which kernels"
is "$(of '"$t->{verdict} $t->{unit} $t->{change_is}"')" "regressed ns ratio" "a row, and what its figures are"
is "$(of 'abs($t->{change} - 1.5) < 0.05 ? 1 : $t->{change}')" 1 "the change"
is "$(of '$t->{interval}{low} < $t->{change} && $t->{change} < $t->{interval}{high} && $t->{interval}{level} >= 0.95 ? 1 : 0')" 1 \
	"its interval"
is "$(of '$t->{new} > $t->{base} && $t->{base_seeds} == 6 && $t->{new_seeds} == 6 ? 1 : 0')" 1 "the medians"
is "$(of '$t->{p} > 0 && $t->{p} <= $t->{p_adjusted} && $t->{p_adjusted} <= $j->{options}{alpha} ? 1 : 0')" 1 \
	"how sure it is, alone and among all"
is "$(of '$t->{effect} > 0.9 && $t->{effect} <= 1 ? 1 : $t->{effect}')" 1 "the effect"
is "$(of '$t->{visible} > 0 && $t->{seeds_more} == 0 ? 1 : 0')" 1 "what would have been seen, and that no seed is missing"
is "$(of '$j->{options}{correction}')" "Westfall-Young step-down maxT" "the correction"
is "$(of 'join " ", sort keys %{$j->{counts}}')" "improved inconclusive not compared regressed same" "how many of each"
is "$(of 'my $n = 0; $n += $_ for values %{$j->{counts}}; $n == @{$j->{rows}} ? 1 : 0')" 1 "which are all rows"
# every key is described, and every key that is described is there
documented=$(sed -n '/^## iorig compare --json/,/^## /p' "$TOP/rig/docs/DATA.md")
missing=
for key in $(of 'join " ", keys %$j, keys %{$j->{rows}[0]}, keys %{$j->{options}}, keys %{$j->{base}}'); do
	printf '%s\n' "$documented" | grep -qw "$key" || missing="$missing $key"
done
is "$missing" "" "every key is in DATA.md"

run "$IORIG" compare base base --json
is "$rc$(of '$j->{same_kernel} ? 1 : 0')" 01 "a run against itself"
perl "$make" results/few seeds=2 slow=1.5 && run "$IORIG" compare base few --json
is "$rc" 125 "too few seeds"
is "$(of '$t->{verdict}')" inconclusive "are inconclusive"
is "$(of '$t->{visible} // "null"')" null "nothing could have been seen"
is "$(of '$t->{seeds_more} > 0 && $j->{seeds_more} >= $t->{seeds_more} ? 1 : 0')" 1 "and how many more it takes"

run "$IORIG" compare evil evil --json
LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177-\377]')" out
is "$?$(of 'scalar @{$j->{rows}} > 0 ? 1 : 0')" 11 "a hostile run: plain ASCII without control characters"
run "$IORIG" compare base evil --json
of 1 >/dev/null
ok $? "against another: a whole document" "$errs"
is "$(of 'my @n = grep { $_->{verdict} eq "not compared" } @{$j->{rows}};
	@n && !grep({ defined $_->{change} || defined $_->{p} } @n) ? 1 : 0')" 1 \
	"what cannot be compared has no figures"
sed 's/"scale":"quick"/"scale":"full"/g' results/slow/run.json >full.json
run "$IORIG" compare base full.json --json
is "$rc$out" 125 "runs that cannot be compared at all: no document"
like "$errs" "scale 'quick'" "and why"
run "$IORIG" compare base slow --json --markdown
is "$rc" 129 "one form at a time"
finish
