#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig debug: the test of 2002 is stopped while its reader waits. The reader's stack goes down to
# io_schedule, twice the same; until then the guest did what it does in a run. Builds debian-6.1
# with debug info if the cache does not have it.
. "$(dirname "$0")/../lib.sh"
command -v gdb >/dev/null || skip_all "gdb is not installed"
"$IORIG" build debian-6.1 >"$T/out" 2>"$T/errs" || skip_all "debian-6.1 cannot be built: $(tail -1 "$T/errs")"
case=sched/small-reads@none-nowbt

run "$IORIG" run debian-6.1 -c $case --out "$T/run" -q
R=$(echo "$T"/run/*/sched-small-reads@none-nowbt.1)
[ -s "$R/requests.log" ]
ok $? "the case runs" "$errs"
# The middle of the longest time without a read that is done, while the reader is at it.
at=$(perl -MJSON::PP -e '
	local $/;
	my ($document, $log) = map { open my $f, "<", $_ or die "$_: $!\n"; <$f> } @ARGV;
	my ($b) = grep { $_->{case_name} =~ /small-reads\@/ } @{decode_json($document)->{boots}};
	my ($e) = map { $_->{end} } grep { $_->{name} eq "read" } @{$b->{jobs}};
	my @done = sort { $a <=> $b } grep { $_ > $e->{start_ns} && $_ < $e->{start_ns} + $e->{wall_ns} }
		map { (split)[6] } grep { / read / } split /\n/, $log;
	my ($at, $most) = (0, 0);
	for (1 .. $#done) {
		my $gap = $done[$_] - $done[$_ - 1];
		($most, $at) = ($gap, $done[$_] - $gap / 2) if $gap > $most;
	}
	printf "%.6f", $at / 1e9' "$T"/run/*/run.json "$R/requests.log")
ns=$(awk -v at="$at" 'BEGIN { printf "%.0f", at * 1e9 }')
[ "$ns" -gt 10000000000 ]
ok $? "its reader waits" "$at"

debug() {
	run "$IORIG" debug debian-6.1 -c $case --out "$T/debug" "$@"
}
debug --at "${at}s" --batch --keep
is $rc 0 "stopped in the middle" "$errs"
like "$errs" "$case, seed 1, on debian-6.1 is stopped at" "and so it says"
D=$(echo "$T"/debug/debug-*/sched-small-reads@none-nowbt.1)
cp "$T/out" "$T/first"

# The reader's part of the output.
awk '/^$/ { on = 0 } /^iorig-small-rea/ { on = 1 } on' "$T/first" >"$T/reader"
like "$(head -1 "$T/reader")" "^iorig-small-rea \(pid [0-9]+\), D, in folio_wait_bit" "the reader is in D state, and in what"
like "$(cat "$T/reader")" "^#[0-9]+ +io_schedule \(\) at kernel/sched/core.c:[0-9]+$" "its stack has io_schedule, with file and line"
like "$(cat "$T/reader")" "^#[0-9]+ +filemap_read \(.*\) at mm/filemap.c:[0-9]+$" "on the way from reading a file"
like "$(tail -1 "$T/reader")" "^#[0-9]+ +entry_SYSCALL_64" "and begins with the system call"
like "$(cat "$T/reader")" "^#[0-9]+ +ksys_read \(.*\) at fs/read_write.c:[0-9]+$" "which is a read"
is "$(grep -c ' at .*[a-z]:[0-9]*$' "$T/reader")" "$(grep '^#' "$T/reader" | grep -cv entry_)" "every frame of it has a line"
unlike "$(cat "$T/first")" "0x[0-9a-f]+ in |Remote|disconnect" "nothing but stacks is printed"

# Until then it is the run.
for f in console.log frames.log; do
	head -c "$(stat -c %s "$D/$f")" "$R/$f" | cmp - "$D/$f" >"$T/cmp" 2>&1 && [ -s "$D/$f" ]
	ok $? "$f is the run's until then" "$(cat "$T/cmp")"
done
awk -v ns="$ns" '$7 < ns' "$R/requests.log" | cmp - "$D/requests.log" >"$T/cmp" 2>&1 && [ -s "$D/requests.log" ]
ok $? "so are the requests" "$(cat "$T/cmp")"
samples() {
	head -c "$(stat -c %s "$D/samples.jsonl")" "$1/samples.jsonl"
}
[ "$(samples "$R" | wc -l)" -gt 10 ] && [ "$(samples "$R")" = "$(samples "$D")" ]
ok $? "and the samples"
awk -v ns="$((ns - 1000000000))" '$7 < ns' "$R/requests.log" | cmp -s - "$D/requests.log"
[ $? -ne 0 ]
ok $? "a stop at another moment would be seen"

debug --at "${at}s" --batch
is $rc 0 "stopped there once more" "$errs"
cmp "$T/out" "$T/first" >"$T/cmp" 2>&1
ok $? "the same stacks" "$(cat "$T/cmp")"
is "$(ls "$T/debug" | wc -l)" 1 "without --keep no folder stays"

# In the middle of a computation: a guest that ran on would be noticed by the simulator.
debug --at 300.000123ms --batch
is $rc 0 "stopped while the processor works" "$errs"
is "$out" "no task is in state D" "nobody waits for a disk then"

# What a person would type.
printf 'iorig tasks\niorig requests\niorig on iorig-small-read\nbt 12\niorig bt 1\n' >"$T/typed"
"$IORIG" debug debian-6.1 -c $case --at "${at}s" --out "$T/debug" <"$T/typed" >"$T/out" 2>"$T/errs"
is $? 0 "gdb takes commands from its input" "$(cat "$T/errs")"
out=$(cat "$T/out")
like "$out" "^ +[0-9]+ D folio_wait_bit_common +iorig-small-rea$" "tasks: the reader, its state and what it waits in"
like "$out" "^ +[0-9]+ D (balance_dirty_pages|blk_mq_get_tag) +iorig-write$" "tasks: the writer"
like "$out" "sda: [1-9][0-9]* sent, 0 held$" "requests: how many the disk has"
like "$out" "^  sent read +sector [0-9]+ +[0-9]+ KiB" "requests: the reader's"
like "$out" "^  sent write +sector [0-9]+ +[0-9]+ KiB" "requests: the stream's"
like "$out" "io_schedule \(\) at kernel/sched/core.c:[0-9]+$" "on: gdb's own bt sees the reader"
like "$out" "init \(pid 1\), S, in [a-z_]+$" "bt: a task by its number"
no_child_left "no child is left"

# Moments that there are not, and debug info of another kernel.
debug --at 10min --batch
is $rc 129 "a moment after the guest's end: exit 129"
like "$errs" "the guest is done at [0-9.]+ s, before 600 s" "and when that is"
with=$("$IORIG" build --debug-info debian-6.1 2>/dev/null | sed -n 's/^  image *//p')
code=$(objdump -h "$with" | perl -lane 'print hex($F[5]) + 4096 if $F[1] eq ".text"')
cp "$with" "$T/other" && printf '\314' | dd of="$T/other" bs=1 seek="$code" conv=notrunc 2>/dev/null
debug --at "${at}s" --batch --vmlinux "$T/other"
is $rc 125 "debug info of a kernel with another byte of code: exit 125"
like "$errs" "1 bytes differ, the first at 0xffffffff81001000 \(.text\)" "and where it is"
finish
