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
for c in run build list report doctor; do
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
if [ -w /dev/full ]; then
	"$IORIG" list cases >/dev/full 2>"$T/errs"
	is $? 128 "a result that cannot be written is no success"
fi
finish
