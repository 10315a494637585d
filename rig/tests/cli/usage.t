#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Help, and every kind of wrong usage: one clear line and exit 129.
. "$(dirname "$0")/../lib.sh"

run "$IORIG" --help
is $rc 0 "--help exits 0"
like "$out" "Exit status: 0 pass, 1 regressed, 125" "--help tells the exit statuses"
run "$IORIG"
is $rc 129 "no command at all"
like "$errs" "usage: iorig" "no command at all shows the usage"
run "$IORIG" --version
is "$rc $out" "0 iorig 0.1" "--version"
run "$IORIG" frobnicate
is $rc 129 "an unknown command"
like "$errs" "no command 'frobnicate'" "an unknown command is named"
for c in run build list report compare check-patch expect watch doctor; do
	run "$IORIG" $c --help
	is $rc 0 "$c --help exits 0"
	like "$out" "Usage: iorig $c" "$c --help names it"
	run "$IORIG" $c --frobnicate
	is $rc 129 "$c with an unknown option"
done
for bad in --seeds=0 --seeds=-1 --seeds=many --seeds=1001 --jobs=0 --clock=lunar --accel=no; do
	run "$IORIG" run $bad
	is $rc 129 "run $bad is refused"
	like "$errs" "iorig run: --" "run $bad: the message names the option"
done
run "$IORIG" list nonsense
is $rc 129 "list of what there is not"
run "$IORIG" build
is $rc 129 "build without a kernel"
run "$IORIG" run -c 'nothing/*'
is $rc 129 "a glob that matches no case"
like "$errs" "nothing/\*" "the glob is named"
run "$IORIG" run --clock=real --jobs=2
is $rc 129 "guests side by side on the real clock are refused"
like "$errs" "share this host's time" "and the reason is given"
run "$IORIG" report --out "$T"
is $rc 129 "a report where there is no run"
for what in kernels cases disks; do
	run "$IORIG" list $what
	is $rc 0 "list $what"
done
run "$IORIG" list cases
like "$out" "writeback/hdd\+dvd .*ide:hdd-2004 scsi:dvd-ram" "list cases shows the disks"
like "$out" "writeback/hdd\+dvd .* default " "and which are in the default set"
like "$out" "writeback/machine@m2g .* - " "and which are not"
make -sn -C "$TOP" O="$BUILD" test | grep -q -- " -c 'default'"
ok $? "make test runs the default set"
if [ -w /dev/full ]; then
	"$IORIG" list cases >/dev/full 2>"$T/errs"
	is $? 128 "a result that cannot be written is no success"
fi

# The words for sets of cases, by what a dry run prints a command for.
make_data
make_vmlinux "$T/vmlinux"
a_case one
a_case two
chosen() {
	"$IORIG" run "$T/vmlinux" --dry-run --out "$T/results" "$@" 2>&1 | sed -n 's/^# \(t.*\)/\1/p' | tr '\n' ' '
}
is "$(chosen)" "t/one t/two " "without cases/default: every case"
printf '# a few\nt/two\n' >"$T/data/cases/default"
is "$(chosen)" "t/two " "without -c: the default set"
is "$(chosen -c default)" "t/two " "-c default"
is "$(chosen -c all)" "t/one t/two " "-c all"
printf '\nt/three\n' >"$T/data/cases/default"
run "$IORIG" run "$T/vmlinux" --dry-run --out "$T/results"
is $rc 129 "a default set with a case that is not there: exit 129"
like "$errs" "cases/default:2: no case matches 't/three'" "and the line is named"
finish
