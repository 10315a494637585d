#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Bad case files: 'file:line: what is wrong', exit 129, nothing booted, nothing written.
. "$(dirname "$0")/../lib.sh"
make_data
make_vmlinux "$T/vmlinux"

# refused NAME PATTERN: the case t/bad must be refused with a message that matches.
refused() {
	run "$IORIG" run "$T/vmlinux" -c t/bad --out "$T/results"
	is $rc 129 "$1: exit 129"
	like "$errs" "$2" "$1: the message"
	is "$(printf '%s\n' "$errs" | wc -l)" 1 "$1: it is one line"
	[ ! -e "$T/results" ]
	ok $? "$1: no results folder"
}

# changed SED-SCRIPT: t/bad is the valid case with an edit.
changed() {
	a_case bad
	sed -i "$1" "$T/data/cases/t/bad.case"
}

a_case bad
run "$IORIG" list cases
is "$rc" 0 "the case that the tests change is a valid one"
f=cases/t/bad.case
changed 's/^size /sise /'
refused "unknown key" "$f:7: .*sise"
changed '/^size/p'
refused "duplicate key" "$f:8: .*size"
changed '/^sync/a [disk hda]'
refused "duplicate section" "$f:13: .*disk hda"
changed '/^sync/a [frob]'
refused "unknown section" "$f:13: .*frob"
changed 's/^sync.*/sync = dvd/'
refused "missing disk in sync" "$f:12: .*dvd"
changed 's,/mnt/hda/,/mnt/dvd/,'
refused "missing disk in a command" "$f:11: .*dvd"
changed 's/flat-40M/floppy/'
refused "missing profile" "$f:6: .*floppy"
changed 's/= 8M/= -8M/'
refused "negative size" "$f:7: .*-8M"
changed 's/= 8M/= 8/'
refused "size without a unit" "$f:7: .*unit"
changed 's/= 8M/= 99999999999999999999T/'
refused "huge size" "$f:7: .*99999"
changed 's/= 8M/= 4096T/'
refused "size above what a disk may have" "$f:7: "
changed 's/= 64M/= 1K/'
refused "memory too small" "$f:3: "
changed 's/dd if/frobnicate if/'
refused "a command that busybox does not have" "$f:11: .*frobnicate"
changed 's/^role.*/role = spectator/'
refused "unknown role" "$f:10: .*spectator"
changed 's/= ide/= mfm/'
refused "unknown bus" "$f:5: .*mfm"
changed 's/^sync.*/alone = nothing/'
refused "an alone case that there is not" "$f:12: .*nothing"
changed 's/^sync.*/sync = hda\nfault = stop at 1s for 1s/'
refused "a key of another section" "$f:13: .*fault"
changed 's/^fs .*/fs = ext2\nfault = halt/'
refused "a fault that there is not" "$f:9: fault: 'halt' is not"
changed 's/^fs .*/fs = ext2\nmax-request = 2K/'
refused "requests smaller than a page" "$f:9: max-request: '2K' is not between 4K and 1G"
changed 's/^memory.*/&\npauses = maybe/'
refused "a switch that is neither on nor off" "$f:4: pauses: .*maybe"
changed 's/^memory.*/&\npauses = yes\nsample = 0/'
refused "pauses without samples" "$f:4: pauses: .*sample"
changed 's/dd if.*/iorig-write size=1M/'
refused "a job of the agent without what it needs" "$f:11: run: iorig-write: .*file"
changed 's/dd if.*/ionice -c3 iorig-wirte size=1M/'
refused "a job that the agent does not have" "$f:11: run: .*iorig-wirte"
changed '$a [variant b]\ndisk.hda.size = 1B'
refused "a value in a variant that was not asked for" "$f:14: disk.hda.size: "
changed '$a [file /init]\ntext = x'
refused "a file in the place of the guest's own" "$f:13: .*/etc/NAME"
changed 's/^title.*/title/'
refused "a key without a value" "$f:2: "
changed 's/^\[disk hda\]/[disk hda/'
refused "an open section" "$f:4: "
a_case bad
perl -e 'print "about = ", "x" x 10_000_000, "\n"' >>"$T/data/cases/t/bad.case"
refused "a line of 10 MB" "$f"
a_case bad
printf 'start = 1\000s\n' >>"$T/data/cases/t/bad.case"
refused "a NUL byte" "$f:13: "
a_case bad
printf '\033[31mstart = 1s\n' >>"$T/data/cases/t/bad.case"
refused "an escape sequence" "$f:13: "
unlike "$errs" "$(printf '\033')" "it does not reach the terminal"
rm "$T/data/cases/t/bad.case"
mkdir "$T/data/cases/t/bad.case"
run "$IORIG" run "$T/vmlinux" -c t/bad --out "$T/results"
is $rc 129 "a folder in a case's place"
like "$errs" "cases/t/bad.case:1: not a regular file" "a folder in a case's place: the message"
rmdir "$T/data/cases/t/bad.case"
: >"$T/data/cases/t/bad.case"
refused "an empty file" "$f"

a_case good
printf '[hdd.time]\nlimt = 3\n' >"$T/data/expect/t/good.expect"
run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results"
is $rc 129 "an unknown key in an expectation"
like "$errs" "expect/t/good.expect:2: .*limt" "is named with file and line"
printf '[hdd.rate/alone]\nfloor = 0.8\n' >"$T/data/expect/t/good.expect"
run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results"
is $rc 129 "a comparison with an alone that there is not"
like "$errs" "expect/t/good.expect:1: .*no 'alone'" "is named with file and line"
rm "$T/data/expect/t/good.expect"
a_case 'a@b'
run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results"
is $rc 129 "a file whose name looks like a variant's"
like "$errs" "cases/t/a@b.case:1: " "is named"
rm "$T/data/cases/t/a@b.case"
run "$IORIG" run "$T/vmlinux" -c t/good@none --out "$T/results"
is $rc 129 "a variant that there is not"
like "$errs" "no case matches 't/good@none'" "is named"
printf '[hdd.time]\nlimit = 3s\n' >"$T/data/expect/t/goood.expect"
run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results"
is $rc 129 "an expectation of no case"
like "$errs" "expect/t/goood.expect:1: there is no case" "is named"
finish
