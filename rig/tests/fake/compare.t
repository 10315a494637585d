#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig compare: two runs' documents, made from one run of a fake QEMU, side by side; its words, its
# exit status, and what it refuses.
. "$(dirname "$0")/../lib.sh"
make_data
make_vmlinux "$T/vmlinux"
a_case good
IORIG_QEMU=$TOP/rig/tests/fake/fake-qemu
FAKE_QEMU_SCENARIO=$T/scenario
export IORIG_QEMU FAKE_QEMU_SCENARIO
cat >"$T/scenario" <<'END'
console [    0.000000] Linux version 6.1.0-fake
frame {"t":"hello","ns":1000,"proto":1,"release":"6.1.0-fake","machine":"x86_64","mem_kb":1000,"cpus":1}
frame {"t":"ready","ns":2000}
frame {"t":"start","ns":3000,"job":"hdd"}
frame {"t":"end","ns":1000003000,"job":"hdd","start_ns":3000,"wall_ns":1000000000,"user_ns":1,"sys_ns":1,"exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":500000000,"sync_error":0,"output":"64+0 records in\n64+0 records out\n"}
frame {"t":"done","ns":2000000000}
qmp-event SHUTDOWN {"guest": true, "reason": "guest-shutdown"}
END
run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle --accel=tcg -q
ok "$rc" "a run to begin with" "$errs"

# make_run NAME IMAGE SEEDS FACTOR: the run again, with that many boots, whose times are FACTOR
# times a second and differ by up to 3 %.
make_run() {
	mkdir -p "$T/results/$1"
	perl -MJSON::PP -e '
		my ($from, $to, $name, $image, $seeds, $factor) = @ARGV;
		local $/;
		open my $f, "<", $from or die "$from: $!\n";
		my $run = decode_json(<$f>);
		my $boot = encode_json($run->{boots}[0]);
		$run->{id} = $name;
		$run->{seeds} = 0 + $seeds;
		$run->{kernel}{image_sha256} = $image x 64;
		$run->{boots} = [map {
			my $b = decode_json($boot);
			$b->{seed} = $_;
			$b->{jobs}[0]{end}{wall_ns} = int(1e9 * $factor * (1 + ($_ * 7 % 5) / 150));
			$b;
		} 1 .. $seeds];
		open my $o, ">", $to or die "$to: $!\n";
		print $o encode_json($run);
	' "$T"/results/*-vmlinux*/run.json "$T/results/$1/run.json" "$@"
}
make_run base a 6 1
make_run slow b 6 1.4
make_run fast c 6 0.7
make_run again d 6 1.001
make_run few e 2 1.4

compare() {
	run "$IORIG" compare --out "$T/results" "$@"
}

compare base slow
is "$rc" 1 "slower is a regression"
like "$out" '^  time +1\.0. s +1\.4. s +\+40\.0% .*regressed$' "with its figures"
like "$out" '^  total .*regressed$' "in all that depends on it"
unlike "$out" '^  sync' "what is the same is not shown"
like "$out" 'compared: 1 same, 2 regressed' "but counted"
compare base fast
is "$rc" 0 "faster is none"
like "$out" 'time .*-30\.0%.*improved' "but told"
compare base again --all
is "$rc" 0 "no difference"
like "$out" '^  time .* same$' "is the same"
compare base base --all
is "$rc" 0 "a run is like itself"
like "$out" 'the same kernel image' "and says so"
compare base few
is "$rc" 125 "two seeds cannot tell"
like "$out" 'seeds more in each run would settle' "and how many could"
like "$out" 'time .* 0\.071 +none +inconclusive' "as the figures say"
compare base again --blind=1% --matters=0.1%
is "$rc" 125 "a run that could not have seen it says so"
compare base slow --matters=50%
is "$rc" 0 "less than what matters is no regression"
compare base slow --markdown
like "$out" '^\| t/good \| hdd \| time .*\*\*regressed\*\*' "as Markdown"
is "$rc" 1 "with the same exit status"
compare "$T/results/base" "$T/results/slow/run.json"
is "$rc" 1 "folders and documents are runs, too"

compare base
is "$rc" 129 "one run is not enough"
compare base slow fast
is "$rc" 129 "three are too many"
compare base slow --confidence=100%
is "$rc" 129 "nothing is certain"
like "$errs" 'is not between' "and the bounds are told"
compare base slow --noise=1
is "$rc" 0 "noise of 100 % hides anything"
compare base nowhere
[ "$rc" -ge 125 ]
ok $? "a run that is not there"
like "$errs" 'nowhere' "is named"
sed 's/"clock": *"real"/"clock":"sim"/' "$T/results/slow/run.json" >"$T/sim.json"
compare base "$T/sim.json"
is "$rc" 125 "clocks cannot be mixed"
like "$errs" "clock 'real' and the new one 'sim'" "which are named"

# Kernels instead of runs: images that say how long the victim takes, and a QEMU that does so.
make_speed_qemu
IORIG_QEMU=$T/qemu
make_kernel() {
	make_vmlinux "$T/$1"
	echo "SECONDS=$2" >>"$T/$1"
}
make_kernel one 1
make_kernel two 2
make_kernel other 1
echo "# another" >>"$T/other"
booted() {
	tr '\n' ' ' <"$T/booted"
	: >"$T/booted"
}
kernels() {
	: >"$T/booted"
	compare -c t/good --clock=real --timing=throttle --accel=tcg "$@"
}

kernels "$T/one" "$T/two"
is "$rc" 1 "two kernels: the slower one is a regression"
like "$out" '^  time +1 s +2 s +\+100.* regressed$' "with its figures"
is "$(booted)" "1 2 2 1 1 2 2 1 1 2 " "five seeds, in turns, the other one first each time"
set -- "$T"/results/*-two
compare "$1" "$1"
is "$rc" 0 "what was run is kept, and is an ordinary run"
run "$IORIG" report --json --out "$T/results" "$1"
like "$(printf '%s' "$out" | tr -d ' \n')" '"interrupted":false' "and complete"
kernels "$T/one" "$T/other" --until-sure
is "$rc" 0 "no difference"
is "$(booted)" "1 1 1 1 1 1 1 1 1 1 " "is certain after five seeds"
like "$out" '^looks: 3, 5 seeds; .* at most 5%$' "and the looks are told"
like "$errs" '^look 1 of at most 5, 3 seeds: 3 of 3 rows inconclusive$' "as they come"
kernels "$T/one" "$T/two" --until-sure=7
is "$rc" 1 "a difference is found, too"
like "$out" 'at most 0\.008 counts' "by the look's own share"
kernels "$1" "$T/one" -q
is "$rc" 0 "a kernel against a run: it is faster"
is "$(booted)" "1 1 1 1 1 " "with the run's seeds"
is "$errs" "" "quiet is quiet"
kernels "$1" "$T/two" --seeds 2
is "$rc$(booted)" "1252 2 " "or with other seeds"

kernels "$T/one" "$T/two" --until-sure --seeds 3
is "$rc" 129 "--until-sure has seeds of its own"
kernels "$T/one" "$T/two" --until-sure=4
is "$rc" 129 "with too few seeds nothing is certain"
like "$errs" '5 are the least' "and the least is told"
kernels "$1" "$T/two" --until-sure
is "$rc" 129 "a run cannot be gone on with"
kernels "$T/one"
is "$rc" 129 "one kernel alone"
kernels "$T/one" "$T/two" --patch "$T/nothing"
is "$rc" 129 "--patch with two kernels"
kernels "$T/one" --patch "$T/scenario"
is "$rc" 129 "a kernel that is not built here cannot be patched"
kernels "$T/one" nowhere
is "$rc" 129 "neither a run nor a kernel"
like "$errs" "no run of that name in .*: unknown kernel 'nowhere'" "and both is said"
is "$(booted)" "" "nothing of that booted anything"
finish
