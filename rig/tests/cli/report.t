#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig report and iorig watch on runs that never were: every form, several runs, hostile ones,
# and files that are none.
. "$(dirname "$0")/../lib.sh"
make=$TOP/rig/tests/make_run.pl
perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"
cd "$T" || exit 1
mkdir results
perl "$make" results/20261130T170405Z-debian && perl "$make" "$T/evil" evil=1 kind=broken &&
perl "$make" "$T/new" slow=0.5 kind=pass kernel=patched
ok $? "runs were made"
# a terminal gets neither escape sequences nor what turns the direction of writing
harmless() {
	! LC_ALL=C grep -q "$(printf '\033')" "$1" && ! LC_ALL=C grep -q "$(printf '\342\200\256')" "$1"
}

run "$IORIG" report
is $rc 0 "the newest run without a word"
like "$out" "regressed" "its table"
like "$errs" "page: results/20261130T170405Z-debian/report.html, [0-9]+ KB" "its page, and how big it is"
like "$(cat results/*/report.html)" "<h1>1 regressed, 1 pass</h1>" "the page's verdict"
run "$IORIG" report 20261130T170405Z-debian --text
is "$rc $errs" "0 " "--text by name: no page"
like "$out" "seed by seed" "--text shows the seeds"
unlike "$out" "METRIC +MEDIAN" "--text without the metrics"
run "$IORIG" report --text -v
like "$out" "p99 +312 ms" "-v shows them"
run env LC_ALL=C.UTF-8 "$IORIG" report --text
like "$out" "▁" "sparklines of blocks"
run env LC_ALL=C "$IORIG" report --text
like "$out" "_-\^  23 s to 29 s" "sparklines of ASCII"

run "$IORIG" report --markdown new
like "$out" "^## iorig: 2 pass" "--markdown"
like "$out" "^    iorig run patched -c writeback/case-0 -c writeback/case-1 --seeds=3$" "how to repeat it"
run "$IORIG" report --csv results/* new
is "$(printf '%s\n' "$out" | wc -l)" 25 "--csv: a row for each boot and job of both, one heading"
run "$IORIG" report --json results/* new
is "$(printf '%s' "$out" | perl -MJSON::PP -e 'print scalar @{decode_json(join "", <>)->{runs}}')" 2 "--json"
run "$IORIG" report --csv --json
is $rc 129 "two forms at once are refused"
run "$IORIG" report --contest new
is $rc 129 "--contest of a run without such cases"
like "$errs" "none of the runs has a case of contest/" "says so"
is "$out" "" "and prints nothing"
run "$IORIG" report --contest=0.7 new
is $rc 129 "a contest that there was not"
like "$errs" "neither 0.6x nor 2002" "names those that there were"
run "$IORIG" report --contest --csv new
is $rc 129 "--contest is a form of its own"
# two kernels side by side, from documents whose cases are called as contest's loads
for k in old "$(printf 'evil\033[2J')"; do
	perl "$make" "$T/contest-$k" kernel=k
	perl -MJSON::PP -e '
		my ($file, $kernel) = @ARGV;
		open my $f, "<", $file or die; local $/; my $r = decode_json(<$f>); close $f;
		$r->{kernel}{name} = $kernel;
		my $i = 0;
		for my $b (@{$r->{boots}}) {
			$b->{case_name} = $i++ % 2 ? "contest/io_load" : "contest/no_load";
			$b->{jobs}[0]{name} = "build";
			@{$b->{jobs}[0]{end}}{qw(wall_ns user_ns sys_ns)} = $i % 2 ? (40e9, 30e9, 2e9) : (120e9, 30e9, 6e9);
			@{$b->{jobs}[1]{end}}{qw(wall_ns user_ns sys_ns stopped)} = (150e9, 0, 30e9, 1);
			$b->{jobs}[1]{result} = { job => "dvd", ops => 5, bytes => 2000e6, errors => 0, first_ns => 1,
				last_ns => 2, sum => 0, min => 0, max => 0, hist => [] };
			$_ = int $_ for @{$b->{jobs}[0]{end}}{qw(wall_ns user_ns sys_ns)},
				@{$b->{jobs}[1]{end}}{qw(wall_ns user_ns sys_ns)}, $b->{jobs}[1]{result}{bytes};
		}
		open $f, ">", $file or die; print $f encode_json($r); close $f;
	' "$T/contest-$k/run.json" "$k"
done
run "$IORIG" report --contest "$T"/contest-*
is $rc 0 "--contest" "$errs"
like "$out" "^io_load:$" "a block for a load"
like "$out" "^Kernel         \[runs\]   Time    CPU%    Loads   LCPU%   Ratio$" "its columns"
like "$out" "^old                 3   120     30.0    16.0    20.0    3.00$" "a row for a kernel"
like "$out" '^evil\\x1b\[2J +3   120 ' "and for another, whose name is harmless"
run "$IORIG" report --contest=2002 "$T"/contest-*
like "$out" "^old                     2:00.00         30%$" "the table of 2002"

run "$IORIG" report --html="$T/both.html" results/* new
is $rc 0 "--html of two runs"
like "$(cat both.html)" "patched against debian" "compares them"
[ ! -e new/report.html ]
ok $? "and writes where it was told"
run "$IORIG" report --html=- new
like "$out" "^<!DOCTYPE html>" "--html=- writes to standard output"
run "$IORIG" report --html=/proc/none/x new
is $rc 128 "a page that cannot be written"
if [ "$(id -u)" != 0 ]; then
	chmod 555 new
	run "$IORIG" report new
	chmod 755 new
	is $rc 0 "a folder that belongs to somebody else can be read"
	like "$errs" "warning: cannot write" "and that there is no page is said"
else
	skip "a folder of somebody else" "root may write everywhere"
fi

# a patched kernel's page finds the run of the kernel as it is, and says so if there is none
mkdir pair
perl "$make" pair/20261130T170405Z-deb source=a kernel=deb seeds=1 stall=1 && perl "$make" pair/20261130T170505Z-deb_fix \
	source=a kernel=deb patch=fix seeds=1 scale=quick slow=2
run "$IORIG" report --html=- pair/20261130T170505Z-deb_fix
is "$rc $errs" "0 " "the page of a patched kernel"
like "$out" "Without the patch, deb:</b> hdd takes 23 s" "has the figures without it"
like "$out" "What changed against the base" "and what changed"
run "$IORIG" report --html=- pair/20261130T170405Z-deb
unlike "$out" "against the base" "the base's own page is about itself"
like "$out" "victim hdd gets nothing done for 6 s, from guest time 8 s on" "a victim's stall is marked"
rm -r pair/20261130T170405Z-deb
run "$IORIG" report --html=- pair/20261130T170505Z-deb_fix
like "$out" "The same kernel without it is not on this page" "without that run"
like "$(printf '%s' "$out" | sed 's/<[^>]*>//g')" "iorig run deb -c .*case.*--seeds=1" "the page has the command for it"
perl "$make" pair/full scale=full seeds=1
run "$IORIG" report --html=- pair/full
like "$out" "All sizes are those of the scale full" "another scale is told"

for form in text markdown csv json html=-; do
	run "$IORIG" report --$form "$T/evil"
	is $rc 0 "a hostile run as $form"
	harmless "$T/out"
	ok $? "$form: no control characters"
done
run "$IORIG" report --html=- evil
unlike "$out" "<script|<img|</pre></svg>" "html: no tag of theirs"
run "$IORIG" report --csv evil
unlike "$out" '(^|,)"?[=+@-][^0-9]' "csv: no formula"
perl -pi -e 's/"dir":"writeback-case-0.1"/"dir":"..\/20261130T170405Z-debian"/' evil/run.json
run "$IORIG" report --html=- evil
is $rc 0 "a boot's folder outside of the run's is not looked into"
perl "$make" "$T/noname"
perl -pi -e 's/"kernel":\{(.*?)"name":"debian"/"kernel":{$1"name":null/' noname/run.json
run "$IORIG" report noname
is $rc 128 "a kernel without a name is refused"
like "$errs" "kernel.name" "and its place is told"
run "$IORIG" report nowhere
is $rc 128 "a run that there is not"
like "$errs" "nowhere" "is named"

if command -v gnuplot >/dev/null; then
	ln -s "$T/victim" new/writeback-case-0.1/plot-dirty.svg
	run "$IORIG" report --plots new
	is $rc 0 "--plots"
	like "$errs" "34 pictures" "a picture each: 5 of every boot, 2 of every case"
	[ -s new/writeback-case-0.1/plot-dirty.png ] && [ -s new/writeback-case-1.3/plot-offsets.svg ] &&
		[ -s new/writeback-case-0.1/plot-victim.png ] && [ -s new/plot-judged-writeback-case-0.svg ]
	ok $? "--plots: they are there"
	[ ! -e victim ] && [ -s new/writeback-case-0.1/plot-dirty.svg ]
	ok $? "--plots does not write through a symbolic link"
	(cd new/writeback-case-0.1 && rm plot-dirty.png && gnuplot plot-dirty.gp 2>/dev/null &&
		[ -s plot-dirty.png ])
	ok $? "a picture can be drawn again by hand"
	run "$IORIG" report --plots results/* new
	is $rc 0 "--plots of two runs"
	[ -s new/plot-change-20261130T170405Z-debian.png ]
	ok $? "and what changed between them"
	run "$IORIG" report --classic new
	is $rc 129 "--classic without the cases of 2004"
	sed 's/case-0/hdd+dvd/g' new/run.json >new/x && mv new/x new/run.json
	run "$IORIG" report --classic new
	is $rc 0 "--classic"
	[ -s new/classic/dvdhdd.png ] && [ -s new/classic/dvdhdd.gp ]
	ok $? "--classic: under the old names"
	perl "$make" "$T/evil2" evil=1
	run "$IORIG" report --plots evil2
	is "$rc" 0 "plots of a hostile run"
	[ -z "$(find . -name 'owned*')" ]
	ok $? "plots: no command of theirs was run"
	! LC_ALL=C grep -rlE '[`@]' --include='*.gp' --include='*.dat' evil2
	ok $? "plots: gnuplot is given nothing that it could run"
else
	skip "plots" "gnuplot is not installed"
fi

# the consoles' lines about dirty pages; the run's samples are a second apart from 3 s on
perl "$make" told cases=1 seeds=2
for i in 1 2 3 4 5 6; do
	printf '[%5d.500000] iorig: dirty sda=%d sr0=%d\r\n' $((i + 2)) $((i * 100)) $i
done >told/writeback-case-0.1/console.log
printf 'iorig: dirty sda=1 \033[31mx\n\0iorig: dirty\n[    9.500000] iorig: dirty sda=7' >>told/writeback-case-0.1/console.log
run "$IORIG" report --dirty-lines told
is $rc 0 "--dirty-lines"
like "$out" "^writeback/case-0, seed 1: .* 6 lines of the console, 3 bad ones left out$" "which boot, and what it left out"
unlike "$out" "seed 2" "a boot without lines is left out"
like "$out" "^3\.500 +100 +1$" "its series"
like "$out" "^sda +hda +6 +350\.0 +600$" "mean and maximum of a device that is a disk of the case"
like "$out" "^sr0 +6 +3\.5 +6$" "and of one that is none"
like "$out" "^sda +hda +6 +350\.0 +[0-9.]+ +[+-][0-9.]+% +600 +[0-9]+ +[+-][0-9.]+%$" "beside the samples"
harmless out
ok $? "no control characters of the console's"
run "$IORIG" report --dirty-lines --csv told
is "$(printf '%s\n' "$out" | grep -c '"writeback/case-0",1,.*,"sda","hda",[0-9]*,[0-9.]*$')" 6 "with --csv a row for each value"
run "$IORIG" report --dirty-lines new
is $rc 129 "a run without lines"
like "$errs" "no console of run .* iorig_dirty" "says what it takes"
printf 'hd count = 27000, dvd count = 0\nnoise\nhd count = 26000, dvd count = 9\n' >old.txt
run "$IORIG" report --dirty-lines=old.txt
is $rc 0 "the lines of 2004 in a file"
like "$out" "^ +#2 +26000 +9$" "in their order"
like "$out" "^hd +2 +26500\.0 +27000$" "with mean and maximum"
run "$IORIG" report --dirty-lines=results
is $rc 128 "a folder is no console"
run "$IORIG" report --dirty-lines=old.txt new
is $rc 129 "a file and a run at once are refused"
run "$IORIG" report --dirty-lines --markdown new
is $rc 129 "a form that there is not is refused"
echo none >none.txt
run "$IORIG" report --dirty-lines=none.txt
is "$rc $errs" "129 iorig: 'none.txt' has no line about dirty pages" "a file without lines"
run "$IORIG" report --dirty-lines "$T/evil"
is $rc 129 "a hostile run without lines"
harmless errs
ok $? "its name is escaped"

# watch: a run that ended, one that goes on, one whose process is gone, one that is no run
progress() {
	cat <<EOF >"$1/progress.json"
{"iorig":1,"pid":$2,"age_ns":60000000000,"simulated":true,"ended":$3,"done":2,"total":6,"slots":[
{"case_name":"writeback/case-1","seed":3,"stage":4,"guest_ns":34000000000,"wall_ns":9000000000,
"full":[{"name":"dvd","kib":8192},{"name":"hda","kib":512}]}],"last":[
{"number":1,"case_name":"writeback/case-0","seed":1,"outcome":0,"reason":"","wall_ns":30000000000},
{"number":2,"case_name":"writeback/case-0","seed":2,"outcome":2,"reason":"kernel panic","wall_ns":3000000000}]}
EOF
}
progress new $$ true
run "$IORIG" watch new
is $rc 0 "watch a run that has ended"
like "$errs" "\[1/6\] writeback/case-0 seed 1: done in 30 s" "its boots"
like "$errs" "\[2/6\] writeback/case-0 seed 2: broken in 3 s: kernel panic" "the broken one, with the reason"
like "$errs" "2 of 6 boots done in 60 s, about 2 min|2 of 6 boots done in 60 s, about 120 s" "the estimated end"
like "$out" "writeback/" "and its table"
progress new $$ false
run "$IORIG" watch --once new
is "$rc" 0 "watch --once does not wait"
progress new 2147483000 false
run timeout 20 "$IORIG" watch new
is $rc 125 "a run whose process is gone"
like "$errs" "ended without a word" "is not waited for"
progress new $$ false
(timeout 30 "$IORIG" watch new >w.out 2>w.err; echo $? >w.rc) &
until [ -s w.err ]; do sleep 0.1; done
progress new $$ true
wait
is "$(cat w.rc)" 0 "watch follows a run to its end"
rm new/progress.json
run "$IORIG" watch new
is $rc 128 "watch a run without progress"
run "$IORIG" watch a b
is $rc 129 "watch two runs"
echo '{' >new/progress.json
run "$IORIG" watch new
is $rc 128 "watch a file that is no progress"
like "$errs" "progress.json:" "names it"
finish
