#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The contest cases and their table in real guests, fio with its job file, documents that jobs leave,
# and the pauses of writers.
. "$(dirname "$0")/../lib.sh"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
cp -r "$TOP/cases/contest" "$TOP/cases/fio" "$T/data/cases/"

# value RUN EXPRESSION: a perl expression over $b, the boots by their cases, and %j, by case and job.
value() {
	perl -MJSON::PP -e '
		local $/;
		open my $f, "<", $ARGV[0] or die;
		our %b = map { $_->{case_name} => $_ } @{decode_json(<$f>)->{boots}};
		our %j = map { my $b = $_; map { ("$b->{case_name} $_->{name}" => $_) } @{$b->{jobs}} } values %b;
		my $v = eval $ARGV[1];
		print $@ || $v // "undef", "\n";
	' "$(echo "$1"/*/run.json)" "$2" 2>&1
}
holds() {
	is "$(value "$1" "($2) ? 'yes' : 'no'")" yes "$3"
}

if command -v tcc >/dev/null; then
	run "$IORIG" run debian -c contest/io_load --out "$T/contest" -q
	is $rc 0 "a build beside a stream, and alone" "$out $errs"
	run "$IORIG" report --contest "$T"/contest/*
	is $rc 0 "contest's table of it"
	like "$out" "^no_load:$" "has the reference"
	like "$out" "^debian +1   [0-9.]+ +[0-9.]+ +0.0     0.0     1.00$" "whose ratio is 1"
	like "$out" "^debian +1   [0-9.]+ +[0-9.]+ +[1-9][0-9]*[.][0-9] +[0-9.]+ +([2-9]|[1-9][0-9])[.][0-9]+$" "the stream got something done, and the build took its time"
	like "$out" "no run has them: cacherun, process_load" "what is missing is said"
	like "$("$IORIG" report --contest=2002 "$T"/contest/*)" "^debian +[0-9]+:[0-9]{2}[.][0-9]{2} +[0-9]+%$" "and that of 2002"
	io='$b{"contest/io_load"}'
	holds "$T/contest" "@{$io->{pauses}} == 1 && $io->{pauses}[0]{disk} eq 'sda' && !$io->{pauses_note} && !$io->{pauses_lost}" "pauses are told by disk, none is lost"
	holds "$T/contest" "$io->{pauses}[0]{sum_ns} > 0.2 * \$j{'contest/io_load load'}{end}{wall_ns}" "the writer of the stream was mostly paused"
	holds "$T/contest" "$io->{pauses}[0]{sum_ns} < 1.2 * \$j{'contest/io_load load'}{end}{wall_ns}" "but not longer than it ran"
	holds "$T/contest" '!@{$b{"contest/no_load"}{pauses}} && $b{"contest/no_load"}{pauses_note} eq ""' "who does not ask is told nothing"
	like "$("$IORIG" report --text "$T"/contest/*)" "^    sda +[0-9.]+ s in [0-9]+ pauses" "the report has them"
else
	skip "a build beside a stream" "tcc is not installed"
fi

if command -v fio >/dev/null; then
	run "$IORIG" run debian -c fio/mixed --out "$T/fio" -q
	is $rc 0 "fio runs its job file" "$out $errs"
	holds "$T/fio" '$j{"fio/mixed fio"}{document}{"fio version"} =~ /^fio-/' "its JSON is in the run document"
	run "$IORIG" report --text -v "$T"/fio/*
	like "$out" "^fio +1  reader +read +[0-9.]+ kB/s +[0-9.]+ +[0-9.]+ ms " "its figures are in the report"
	like "$out" "^fio +1  writer +write +[0-9.]+ MB/s " "of every job of its own"
else
	skip "fio runs its job file" "fio is not installed"
fi
sed -i 's,/usr/bin/fio,/usr/bin/no-such-fio,' "$T/data/cases/fio/mixed.case"
sed -i 's,= fio --,= /usr/bin/no-such-fio --,' "$T/data/cases/fio/mixed.case"
run "$IORIG" run debian -c fio/mixed --out "$T/nofio" -q
is $rc 125 "a host without fio"
like "$out" "skipped: this host has no program '/usr/bin/no-such-fio'" "skips the case by name"

# A kernel that keeps its tracepoints to itself, and documents that are none.
cat >"$T/data/cases/t/left.case" <<'EOT'
[case]
title  = What jobs leave behind
memory = 96M
pauses = yes
[disk hda]
bus     = ide
profile = flat-40M
size    = 16M
fs      = ext2
[job good]
role = victim
run  = "echo '{\"answer\": 42}' >$IORIG_RESULT/result.json; iorig-write file=/mnt/hda/x size=64K"
[job bad]
role = victim
run  = "echo '{\"answer\": ' >$IORIG_RESULT/result.json"
[job large]
role = victim
run  = dd if=/dev/zero of=$IORIG_RESULT/result.json bs=64K count=5
[job none]
role = victim
run  = true
EOT
sed 's/^\[kernel\]/&\ncmdline = lockdown=confidentiality/' "$TOP/kernels/debian.kernel" >"$T/data/kernels/locked.kernel"
run "$IORIG" run locked -c t/left --out "$T/left" -q
is $rc 0 "jobs leave what they like" "$out $errs"
left='$b{"t/left"}'
holds "$T/left" '$j{"t/left good"}{document}{answer} == 42 && $j{"t/left good"}{result}{bytes} == 65536' "a document and a result"
holds "$T/left" '!$j{"t/left bad"}{document} && $j{"t/left bad"}{document_note} =~ /no JSON/' "one that is no JSON"
holds "$T/left" '!$j{"t/left large"}{document} && $j{"t/left large"}{document_note} =~ /longer than 256 KiB/' "one that is too long"
holds "$T/left" '!$j{"t/left none"}{document} && $j{"t/left none"}{document_note} eq ""' "none"
holds "$T/left" "!@{$left->{pauses}} && $left->{pauses_note} =~ /balance_dirty_pages/" "no pauses where the kernel does not let anybody look"
like "$("$IORIG" report --text "$T"/left/*)" "not measured: .*balance_dirty_pages" "and the report says why"
finish
