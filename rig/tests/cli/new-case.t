#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig new-case: a template that is a valid case as it stands, and with its comments taken away;
# nothing is overwritten. The lists of jobs and metrics that it refers to.
. "$(dirname "$0")/../lib.sh"
make_data
make_vmlinux "$T/vmlinux"

run "$IORIG" new-case t/fresh
is $rc 0 "a new case"
is "$out" "$IORIG_DATA/cases/t/fresh.case
$IORIG_DATA/expect/t/fresh.expect" "says which files"
run "$IORIG" list cases
is "$rc$errs" 0 "it is a valid one"
like "$out" "^t/fresh .*scsi:hdd-2004 .*ext4" "and it is listed"
run "$IORIG" run "$T/vmlinux" -c t/fresh --dry-run --out "$T/results"
is $rc 0 "its commands and expectations are right" "$errs"

cp "$T/data/cases/t/fresh.case" "$T/before"
run "$IORIG" new-case t/fresh
is $rc 129 "a name that is taken"
like "$errs" "is there already" "is refused"
rm "$T/data/expect/t/fresh.expect"
run "$IORIG" new-case t/fresh
is $rc 129 "also when only the case is there"
cmp -s "$T/before" "$T/data/cases/t/fresh.case"
ok $? "the case is as it was"
[ ! -e "$T/data/expect/t/fresh.expect" ]
ok $? "and no half of another is left"
for name in fresh T/x t/ /t/x ../x/y t/x/y 't/x y' t/a@b t/-x "$(printf 't/\033')"; do
	run "$IORIG" new-case "$name"
	is $rc 129 "no name of a case: '$(printf %s "$name" | tr '\033' '?')'"
done
is "$(find "$T/data/cases" -type f | wc -l)" 1 "none of them left a file"

# What is commented out is right, too: one '; ' less in front of it.
"$IORIG" new-case t/whole >/dev/null
sed -i -e 's/^; //' -e '/^alone /d' "$T/data/cases/t/whole.case" "$T/data/expect/t/whole.expect"
run "$IORIG" run "$T/vmlinux" -c 't/whole*' --dry-run --out "$T/results"
is $rc 0 "all that the template only hints at is right" "$errs"
like "$out" "t/whole@bfq" "with its variant"

run "$IORIG" list jobs
is $rc 0 "the agent's jobs"
like "$out" "^iorig-light-write " "are listed"
like "$out" "^ +period +time +20ms" "with their arguments"
run "$IORIG" list metrics
is $rc 0 "the metrics"
like "$out" "^p99 +agent's job +ns +less" "are listed"
like "$out" "^dirty-max +disk +bytes +less" "those of disks, too"
run "$IORIG" list frob
is $rc 129 "a list that there is not"
like "$errs" "kernels, cases, disks, jobs or metrics" "tells which there are"
finish
