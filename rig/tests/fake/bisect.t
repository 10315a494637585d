#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig bisect: a repository of 200 commits whose Makefile "builds" in no time a kernel that says
# how long the victim takes, and a fake QEMU that does as it says, with some noise that depends on
# the seed. Every way to end, KILL at several moments, going on, and 'git bisect run'.
. "$(dirname "$0")/../lib.sh"
make_data
a_case good
cp "$TOP/kernels/small.config" "$T/data/kernels/"
printf '[hdd.time]\nlimit = 1200ms\n' >"$T/data/expect/t/good.expect"
IORIG_CACHE=$T/cache
IORIG_QEMU=$T/qemu
export IORIG_CACHE IORIG_QEMU IORIG_DATA
# nothing of this user's configuration counts
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM

make_vmlinux "$T/base.img"
# history DIR PERL...: a repository with the commits v0 to v200. The program sets for commit $i what
# its files hold: $ms, of the image, and $serial, which makes it another one; 'say' is its subject.
history() {
	git init -q -b main "$1" && BASE=$T/base.img perl -e '
		my ($n, $code) = (200, $ARGV[0]);
		my ($ms, $serial) = (1000, 0);
		my $base = do { local (@ARGV, $/) = $ENV{BASE}; <> };
		sub file { printf "M 100644 inline %s\ndata %d\n%s\n", $_[0], length $_[1], $_[1] }
		for our $i (0 .. $n) {
			our $say = "commit number $i";
			eval $code; die $@ if $@;
			printf "commit refs/heads/main\nmark :%d\nauthor A <a\@e.test> %d +0000\n", $i + 1, 1e9 + $i * 86400;
			printf "committer C <c\@e.test> %d +0000\ndata %d\n%s\n", 1e9 + $i, length $say, $say;
			printf "from :%d\n", $i if $i;
			if (!$i) {
				file("base.img", $base);
				file("Kconfig", "# nothing\n");
				file("Makefile", "VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 99\nEXTRAVERSION =\n"
					. ".PHONY: allnoconfig vmlinux\nallnoconfig:\n"
					. "\tcp \$(KCONFIG_ALLCONFIG) \$(KCONFIG_CONFIG)\nvmlinux:\n"
					. "\t\@! grep BREAK speed || { echo \"speed.c:1:1: error: broken\"; false; }\n"
					. "\tmkdir -p include/config && echo 6.1.99 >include/config/kernel.release\n"
					. "\tcat base.img speed serial >vmlinux\n");
			}
			file("speed", "MS=$ms\n");
			file("serial", "SERIAL=$serial\n");
			file("README", "number $i\n");
			printf "\nreset refs/tags/v%d\nfrom :%d\n\n", $i, $i + 1;
		}
	' "$2" | git -C "$1" fast-import --quiet && git -C "$1" reset -q --hard
}

# The fake QEMU: up to a tenth more or less than the image says, by seed and serial.
cat >"$T/qemu" <<END
#!/bin/sh
fake=$TOP/rig/tests/fake/fake-qemu
case " \$* " in *" --version "*) exec "\$fake" "\$@" ;; esac
prev= seed=0
for arg; do
	[ "\$prev" = -kernel ] && image=\$arg
	case \$arg in *path=*.[0-9]*/console.log*) seed=\${arg%%/console.log*} seed=\${seed##*.} ;; esac
	prev=\$arg
done
word=\$(grep -a -o 'MS=[0-9a-z]*' "\$image" | head -1)
serial=\$(grep -a -o 'SERIAL=[0-9]*' "\$image" | head -1)
echo "\$word \$serial seed \$seed" >>$T/booted
[ -e $T/hang ] && word=MS=hang
FAKE_QEMU_SCENARIO=$T/scenario.\$\$
export FAKE_QEMU_SCENARIO
NOISE=$T/noise perl -e '
	my (\$word, \$serial, \$seed) = @ARGV;
	my \$ms = substr \$word, 3;
	if (\$ms eq "panic") {
		print "console Kernel panic - not syncing: planted\nqmp-event SHUTDOWN {\"guest\": true, \"reason\": \"guest-reset\"}\n";
		exit;
	}
	print "frame {\"t\":\"hello\",\"ns\":1000,\"proto\":1,\"release\":\"6.1.99\",\"machine\":\"x86_64\",\"mem_kb\":1000,\"cpus\":1}\n";
	if (\$ms eq "hang") { print "hang\n"; exit }
	my \$x = unpack "%32C*", join ",", map { \$_ * 31 } unpack "C*", "\$serial \$seed";
	\$x = (\$x * 1103515245 + 12345) % 2147483648 for 1 .. 5;
	my \$ns = int(\$ms * 1e6 * (0.9 + 0.2 * \$x / 2147483648));
	my \$end = \$ns + 3000;
	print "frame {\"t\":\"ready\",\"ns\":2000}\nframe {\"t\":\"start\",\"ns\":3000,\"job\":\"hdd\"}\n";
	print "frame {\"t\":\"end\",\"ns\":\$end,\"job\":\"hdd\",\"start_ns\":3000,\"wall_ns\":\$ns,\"user_ns\":1,\"sys_ns\":1,"
		. "\"exit\":0,\"signal\":0,\"timeout\":0,\"stopped\":0,\"sync_ns\":500000000,\"sync_error\":0,"
		. "\"output\":\"64+0 records in\\\\n64+0 records out\\\\n\"}\n";
	print "frame {\"t\":\"done\",\"ns\":20000000000}\nqmp-event SHUTDOWN {\"guest\": true, \"reason\": \"guest-shutdown\"}\n";
' "\$word" "\$serial" "\$seed" >"\$FAKE_QEMU_SCENARIO"
exec "\$fake" "\$@"
END
chmod +x "$T/qemu"

machine="--clock=real --timing=throttle --accel=tcg"
bisect() {
	run "$IORIG" bisect "$@" -c t/good $machine
}
# field FILE PERL: something of a JSON document $d
field() {
	perl -MJSON::PP -e 'my ($file, $code) = @ARGV; local (@ARGV, $/) = $file;
		my $d = decode_json(<>); my @v = eval $code; die $@ if $@; print "@v\n"' "$1" "$2"
}

# Every third commit changes the image; at 137 it becomes a third slower; four in a row do not
# build, one in the middle of what is left panics.
history "$T/tree" '
	$serial = int($i / 3);
	$ms = $i >= 137 ? 1330 : 1000;
	$ms = "BREAK" if $i >= 97 && $i <= 101;
	$ms = "panic" if $i >= 146 && $i <= 151;
	$say = "writeback: throttle \033[31mless $i" if $i == 137;
'
good=$(git -C "$T/tree" rev-parse v137)
bisect v0 v200 --tree "$T/tree" --out "$T/found"
is "$rc" 0 "a commit is found: exit 0"
like "$out" "^first bad commit, probability (9[5-9]|>99)" "with a probability"
like "$out" "^  $good\$" "it is the right one"
like "$out" '^  writeback: throttle \\x1b\[31mless 137$' "its subject, escaped"
like "$out" '^  A <a@e.test>, 2002-01-24$' "author and date"
like "$out" '^before it, .*: hdd.time .* \(median of [0-9]+, .* to .*\)$' "the figures before it"
like "$out" '^with it, .*: hdd.time 1\.[0-9]+ s \(median' "and with it"
like "$out" '^skipped .*: seed 1: broken at stage|^skipped .*: .*error: broken' "what could not be tested, and why"
builds=$(echo "$out" | sed -n 's/^200 commits, \([0-9]*\) kernels.*/\1/p')
[ "$builds" -le 14 ]
ok $? "with at most 14 builds" "$builds"
like "$errs" '^step [0-9]+: [0-9]+ of 200, [0-9a-f]{12} \(commit number [0-9]+\): ' "each step is told"
like "$errs" '^step [0-9]+: .*; [0-9]+ commits? left, the likeliest [0-9a-f]{12} \([0-9.<>]+ %\)' "and what is left"
boots=$(wc -l <"$T/booted")
is "$(sort "$T/booted" | uniq -d)" "" "no seed of a kernel is booted twice"
is "$(ls -d "$T"/found/*-git_* | wc -l)" "$(ls "$T/found"/*/run.json | wc -l)" "each commit's boots are in a run of its own"
run "$IORIG" report --text "$T"/found/*-git_"$(echo "$good" | cut -c1-12)"
is "$rc" 0 "which is a run like any other"
[ -s "$T/found/bisect.gp" ] && [ -s "$T/found/bisect.dat" ] && [ -s "$T/found/bisect.svg" ]
ok $? "a picture with its script and numbers"
bisect --resume "$T/found" --json
is "$rc" 0 "the end can be asked for again"
printf '%s\n' "$out" >"$T/json"
is "$(field "$T/json" '$d->{kind}, $d->{result}, $d->{commit}{id}, $d->{status}')" "bisect found $good 0" "as JSON"
is "$(field "$T/json" 'scalar grep { $_->{what} eq "skipped" } @{$d->{steps}}')" \
	"$(field "$T/json" 'scalar grep { defined $_->{skipped} } @{$d->{tested}}')" "with its steps"
is "$(wc -l <"$T/booted")" "$boots" "nothing is booted for it"
command=$(field "$T/json" '$d->{commit}{id}')
run "$IORIG" run "git:$command" --tree "$T/tree" -c t/good $machine --seeds 5 --out "$T/again"
is "$rc" 1 "the commit run again regressed"
is "$(field "$(ls "$T"/again/*/run.json)" 'map { $_->{jobs}[0]{end}{wall_ns} } @{$d->{boots}}')" \
	"$(field "$(ls "$T"/found/*-git_"$(echo "$good" | cut -c1-12)"/run.json)" 'map { $_->{jobs}[0]{end}{wall_ns} } grep { $_->{seed} <= 5 } @{$d->{boots}}')" \
	"with the same figures"

# Killed at three moments, and gone on with: the same steps, the same answer.
wait_boots() {
	perl -e 'my ($file, $n) = @ARGV; for (1 .. 1200) {
		if (open my $f, "<", $file) { my @l = <$f>; exit 0 if @l >= $n } select undef, undef, undef, 0.05 }
		exit 1' "$T/booted" "$1"
}
: >"$T/booted"
set -- v0 v200 --tree "$T/tree" --out "$T/killed" -c t/good $machine
for n in 3 12 25; do
	"$IORIG" bisect "$@" >"$T/out" 2>"$T/errs" </dev/null &
	pid=$!
	wait_boots $n
	ok $? "it comes to boot $n"
	kill -KILL $pid
	wait $pid 2>/dev/null
	set -- --resume "$T/killed"
done
run "$IORIG" bisect --resume "$T/killed"
no_child_left "KILL leaves nothing behind"
is "$rc" 0 "gone on with after three KILLs"
like "$out" "^  $good\$" "it finds the same commit"
steps() { echo "$1" | sed -n '/^ *[0-9][0-9]* .* %$/p' | sed -E 's/ +[0-9.,]+ (ms|us|ns|s) / TIME /; s/  +/ /g'; }
bisect --resume "$T/found"
first=$(steps "$out")
bisect --resume "$T/killed"
is "$(steps "$out")" "$first" "by the same steps"
# the one that was going on, and one that broke: whether that was the KILL's doing nobody knows
[ "$(wc -l <"$T/booted")" -le $((boots + 6)) ]
ok $? "at most two boots are lost each time" "$(wc -l <"$T/booted") boots, $boots without KILL"

# ^C
: >"$T/booted"
touch "$T/hang"
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
	"$IORIG" bisect v110 v160 --tree "$T/tree" --out "$T/stopped" -c t/good $machine >"$T/out" 2>"$T/errs" </dev/null &
pid=$!
wait_boots 1
run "$IORIG" bisect --resume "$T/stopped"
is "$rc" 129 "a folder in which another one works"
like "$errs" "another 'iorig bisect' works in '$T/stopped'" "and it is said"
kill -INT $pid
wait $pid
is $? 130 "^C: exit 130"
like "$(cat "$T/errs")" "'iorig bisect --resume .*/stopped' goes on" "how to go on is said" 
rm "$T/hang"
no_child_left "nothing is left behind"
run "$IORIG" bisect --resume "$T/stopped" -q
is "$rc" 0 "it goes on to the end"
like "$out" "^  $good\$" "with the same answer"

# What ends in another way.
bisect v111 v130 --tree "$T/tree" --out "$T/alike"
is "$rc" 125 "ends that do not differ: exit 125"
like "$out" '^nothing to look for: the ends do not differ for certain' "and it is said"
bisect v141 v140 --tree "$T/tree" --out "$T/turned"
is "$rc" 129 "good and bad turned round: exit 129"
like "$errs" "is not an ancestor of the bad one" "and why"
bisect v141 v142 --tree "$T/tree" --out "$T/same"
is "$rc$(echo "$out" | head -1)" "125nothing to look for: both ends are the same kernel" "ends with the same kernel"
bisect v0 v97 --tree "$T/tree" --out "$T/broken"
is "$rc$(echo "$out" | head -1)" "125nothing to look for: an end cannot be tested" "a bad end that does not build"
like "$out" '^skipped .*error: broken' "with the compiler's error"
bisect v110 v160 --tree "$T/tree" --out "$T/few" --boots 13
is "$rc" 125 "not enough boots allowed: exit 125"
like "$out" '^not sure: no more boots are allowed; with probability [0-9.>]+ % one of [0-9]+ commits:$' "not sure"
like "$out" '^ +[0-9.]+ %  [0-9a-f]{12}  commit number [0-9]+$' "with the likeliest"
bisect --resume "$T/few" --boots 500
is "$rc" 0 "and gone on with more"
like "$out" "^  $good\$" "it is found"
bisect v130 v200 --tree "$T/tree" --out "$T/verdict" --pass-fail
is "$rc" 0 "by passes and failures"
like "$out" "^  $good\$" "it is found, too"
like "$out" '^with it, .*: 5 of 5 fail$|^with it, .*: ([0-9]+) of [0-9]+ fail$' "and told so"
history "$T/range" '$serial = $i; $ms = $i >= 120 ? 1500 : 1000; $ms = "BREAK" if $i >= 118 && $i <= 121'
bisect v0 v200 --tree "$T/range" --out "$T/between"
is "$rc" 125 "a change among commits that do not build: exit 125"
like "$out" '^one of 5 commits, probability [0-9.>]+ % \(those between cannot be tested\):$' "the range is named"
is "$(echo "$out" | grep -c '^ .* %  .* commit number 1\(18\|19\|20\|21\|22\)$')" 5 "the five it is"

# A metric that is not the default's, and one that is looked for.
bisect v130 v140 --tree "$T/tree" --out "$T/most" --metric most
like "$errs" '^following hdd\.time; the ends differ in hdd\.time \(' "the metric that differs most"
bisect v130 v140 --tree "$T/tree" --out "$T/sync" --metric hdd.sync
is "$rc" 125 "a metric that does not differ"
like "$out" '^They do differ in hdd\.time \(.* s, .* s\).*: --metric follows one of these' "and one that does is named"

# A merge: the change came in by a branch.
git -C "$T/tree" checkout -q -b side v135 &&
printf 'MS=2000\n' >"$T/tree/speed" && printf 'SERIAL=901\n' >"$T/tree/serial" &&
git -C "$T/tree" -c user.name=A -c user.email=a@e.test commit -qam 'slower on the branch' &&
printf 'SERIAL=902\n' >"$T/tree/serial" &&
git -C "$T/tree" -c user.name=A -c user.email=a@e.test commit -qam 'and another' &&
git -C "$T/tree" checkout -q -b merged v136 &&
git -C "$T/tree" -c user.name=A -c user.email=a@e.test merge -q --no-ff -s recursive -X theirs -m 'the merge' side
ok $? "a history with a merge"
bisect v130 merged --tree "$T/tree" --out "$T/merge"
like "$rc $out" '^  slower on the branch$' "the commit of the branch is found"
bisect v130 merged --tree "$T/tree" --out "$T/first" --first-parent
like "$rc $out" '^  the merge$' "with --first-parent it is the merge"

# git's own bisect
git -C "$T/tree" bisect start v200 v0 >/dev/null 2>&1
run git -C "$T/tree" bisect run "$IORIG" run git:HEAD --tree "$T/tree" -q -c t/good $machine --seeds 3 --out "$T/git"
is "$rc" 0 "git bisect run"
like "$out" "^$good is the first bad commit" "finds the same commit"
like "$out$errs" "running.*iorig" "having gone on"
git -C "$T/tree" bisect reset -q >/dev/null 2>&1
finish
