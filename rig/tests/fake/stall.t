#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A host that stalls while a guest on the real clock does its work, or a guest whose clock is wrong: the
# boot is void and made again, a few times, and then there is no verdict. The fake QEMU is starved of its processor, or the rig itself
# is stopped, which is what a host that is stopped looks like to it.
. "$(dirname "$0")/../lib.sh"
perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"
make_data
make_vmlinux "$T/vmlinux"
a_case good

# A QEMU that does what the first line of $T/plan says, and takes it away; without one all is well.
# $T/booted gets a line for each boot.
cat >"$T/qemu" <<END
#!/bin/sh
fake=$TOP/rig/tests/fake/fake-qemu
case " \$* " in *" --version "*) exec "\$fake" "\$@" ;; esac
what=\$(head -1 $T/plan)
sed -i 1d $T/plan
echo "\$what" >>$T/booted
case \$what in
starve) stall='starve 1600' ms=1600 ;;
pause) stall='wait-ms 300
stop-rig 1000
wait-ms 300' ms=1600 ;;
short) stall='starve 200' ms=200 ;;
fast) stall='wait-ms 1200' ms=5000 ;;
*) stall='wait-ms 1200' ms=1200 ;;
esac
FAKE_QEMU_SCENARIO=$T/scenario.\$\$
export FAKE_QEMU_SCENARIO
cat >"\$FAKE_QEMU_SCENARIO" <<S
frame {"t":"hello","ns":1000,"proto":1,"release":"6.1.99","machine":"x86_64","mem_kb":1000,"cpus":1}
frame {"t":"ready","ns":2000}
frame {"t":"start","ns":3000,"job":"hdd"}
\$stall
frame {"t":"end","ns":1000003000,"job":"hdd","start_ns":3000,"wall_ns":1000000000,"user_ns":1,"sys_ns":1,"exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":500000000,"sync_error":0,"output":"64+0 records in\\\\n64+0 records out\\\\n"}
frame {"t":"done","ns":\${ms}002000}
qmp-event SHUTDOWN {"guest": true, "reason": "guest-shutdown"}
S
exec "\$fake" "\$@"
END
chmod +x "$T/qemu"
IORIG_QEMU=$T/qemu
export IORIG_QEMU

# go PLAN [OPTION...]: a run with that plan, words for its boots.
go() {
	printf '%s\n' $1 >"$T/plan"
	shift
	: >"$T/booted"
	rm -rf "$T/results"
	run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle \
		--accel=tcg --stall=20% "$@"
}

# of PERL: the value of an expression over the run's document $r.
of() {
	perl -MJSON::PP -e '
		local $/;
		open my $f, "<", $ARGV[0] or die;
		my $r = decode_json(<$f>);
		my $b = $r->{boots}[0];
		my $v = eval $ARGV[1];
		die $@ if $@;
		print defined $v ? $v : "undef";
	' "$T"/results/*/run.json "$1"
}

if [ ! -r /proc/self/schedstat ]; then
	skip "a starved QEMU" "this kernel does not count what a process waits for (SCHED_INFO)"
else
	go good
	is "$rc" 0 "a host that does not stall" "$errs"
	is "$(of '$b->{control}{tries}')" 1 "one boot is enough"
	is "$(of '$b->{control}{void} ? 1 : 0')" 0 "which counts"
	is "$(of '$b->{control}{measured_ns} > 1e9 && $b->{control}{waited_ns} >= 0 ? 1 : 0')" 1 \
		"with what the host did to it"

	go "starve good"
	is "$rc" 0 "a boot that was starved is made again" "$errs"
	is "$(wc -l <"$T/booted")" 2 "once"
	is "$(of '$b->{control}{tries}')" 2 "and that is told"
	is "$(of '$b->{outcome}')" done "the second one counts"
	is "$(of '$b->{jobs}[0]{end}{wall_ns}')" 1000000000 "with its figures"
	is "$(ls -d "$T"/results/*/t-good.* | wc -l)" 1 "in the boot's folder"

	go "starve starve starve"
	is "$rc" 125 "a host that stalls each time: no verdict"
	is "$(wc -l <"$T/booted")" 3 "after three boots"
	like "$out" 'inconclusive' "inconclusive"
	like "$out" "no boot of 't/good' counts: void in each of 3 tries, as the host stalled: of 1\.[0-9]+ s" \
		"and why"
	is "$(of '$b->{control}{void} ? 1 : 0')" 1 "it is void"
	is "$(of '$b->{control}{waited_ns} > 0.25 * $b->{control}{measured_ns} ? 1 : 0')" 1 \
		"as QEMU waited for a processor"
	mv "$T"/results/* "$T/void"
	go good
	run "$IORIG" compare "$T"/results/* "$T/void"
	is "$rc" 125 "it cannot be compared"
	like "$out" 'not compared: inconclusive in the new run: no boot of' "and why"
	like "$out" "^note: the host stalled: of the new run's boots 1 were made again, and 1 count for nothing" \
		"and what it cost"

	go "starve starve starve starve starve starve starve" --seeds 5
	is "$rc" 125 "five seeds on such a host"
	is "$(wc -l <"$T/booted")" 6 "are given up after two"
	is "$(of 'join " ", map { $_->{control}{void} ? 1 : 0 } @{$r->{boots}}')" "1 1 1 1 1" "all void"
	like "$(of '$r->{boots}[4]{reason}')" 'not run: the host stalled' "those that did not run say so"

	go starve --stall=1000%
	is "$rc$(of '$b->{control}{tries}')" 01 "--stall allows it"
	go short
	is "$rc$(of '$b->{control}{tries}')" 01 "what is shorter than a second is not judged"
fi

go "pause good"
is "$rc" 0 "a host that stood still: made again" "$errs"
is "$(of '$b->{control}{tries}')" 2 "once"
go "pause pause pause"
is "$rc" 125 "one that does so each time: no verdict"
is "$(of '$b->{control}{paused_ns} > 6e8 ? 1 : 0')" 1 "as nothing ran"

go "fast good"
is "$rc" 0 "a guest whose clock runs away: made again" "$errs"
is "$(of '$b->{control}{tries}')" 2 "once"
is "$(of '$b->{control}{skewed_ns} < 3e8 ? 1 : $b->{control}{skewed_ns}')" 1 "the clock of the second one is right"
go "fast fast fast"
is "$rc" 125 "one whose clock does so each time: no verdict"
like "$out" "and its clock went 3\.[0-9]+ s from the host's" "and why"

go good --stall=0
is "$rc" 129 "--stall=0"
go good --stall=x
is "$rc" 129 "--stall=x"
no_child_left "no child is left"
finish
