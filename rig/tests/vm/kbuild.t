#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Kernels that are really built: patches that do not apply, do not compile, or compile into something
# that cannot run the case; a disk that is full, ^C, options that cannot be had. Starts from the
# base of debian-6.1, and compiles a file or two for most.
. "$(dirname "$0")/../lib.sh"
cache=${IORIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iorig}/kernels
"$IORIG" build debian-6.1 >"$T/base" 2>"$T/errs" || skip_all "debian-6.1 cannot be built: $(tail -1 "$T/errs")"
tree=$(dirname "$(sed -n 's/^  image *//p' "$T/base")")
source=$cache/sources/$(sed -n 's/.*"source_id": "\([0-9a-f]*\)".*/\1/p' "$tree/about.json")/tree
[ -f "$source/mm/page-writeback.c" ] || skip_all "the source of debian-6.1 is not in the cache"
make_data
cp "$TOP"/kernels/*.kernel "$TOP"/kernels/*.config "$T/data/kernels/"
cp "$TOP/cases/writeback/dvd-alone.case" "$T/data/cases/t/dvd.case"
a_case hdd
sed 's/profile = flat-40M/profile = hdd-2004/' "$T/data/cases/t/hdd.case" >"$T/case" && mv "$T/case" "$T/data/cases/t/hdd.case"

# a_patch NAME FILE PERL: what the program makes of the kernel's file, as a patch.
a_patch() {
	mkdir -p "$T/a/$(dirname "$2")" "$T/b/$(dirname "$2")"
	cp "$source/$2" "$T/a/$2"
	perl -pe "$3" "$T/a/$2" >"$T/b/$2"
	{
		printf 'Subject: [PATCH] %s\n---\n' "$1"
		(cd "$T" && diff -u "a/$2" "b/$2")
	} >"$T/$1.patch"
	rm -r "$T/a" "$T/b"
	grep -q "^@@" "$T/$1.patch" || ok 1 "the patch $1 changes something"
}
built() { ls "$cache/trees" | sort | tr '\n' ' '; }
before=$(built)

# Nothing is compiled for these.
sed 's/^ .*dirty.*/ what nobody wrote/' "$TOP/kernels/patches/mutants/global-dirty-limit/6.1.patch" >"$T/misfit.patch"
run "$IORIG" build debian-6.1 --patch "$T/misfit.patch"
is $rc 129 "a patch that does not apply: exit 129"
like "$errs" "misfit.patch.* does not apply: mm/page-writeback.c: hunk" "the hunk is named"
a_patch fuzzy mm/page-writeback.c 's/^(void __init page_writeback_init)/\/* planted *\/\n$1/'
perl -i -pe 's/^ (\S.*|\s+\S.*)/ planted/ && $n++ if !$n && /^ / && $seen; $seen = 1 if /^@@/' "$T/fuzzy.patch"
run "$IORIG" build debian-6.1 --patch "$T/fuzzy.patch"
is $rc 129 "a patch that needs fuzz: exit 129"
like "$errs" "needs fuzz" "and the message"
run "$IORIG" build "$TOP"
is $rc 129 "a tree that is no kernel: exit 129"
like "$errs" "no kernel tree" "and the message"
printf 'CONFIG_HZ_250=y\nCONFIG_ACORN_PARTITION_CUMANA=y\nCONFIG_ARM64=y\n' >"$T/data/kernels/no.config"
printf '[kernel]\nsource = debian:linux-source-6.1\nconfig = small.config no.config\n' >"$T/data/kernels/no.kernel"
run "$IORIG" build no
is $rc 129 "an option that cannot be set: exit 129"
like "$errs" "ACORN_PARTITION_CUMANA.*ACORN_PARTITION[^_]" "it is named with what blocks it"
like "$errs" "ARM64" "and one that does not exist here, too"
a_patch unconfigured drivers/scsi/Kconfig 's/(depends on PCI && SCSI)/$1 \&\& BROKEN/ if /^config SCSI_AM53C974/ .. /depends/'
run "$IORIG" build debian-6.1 --patch "$T/unconfigured.patch"
is $rc 125 "a patch that takes a wanted option away: exit 125"
like "$errs" "SCSI_AM53C974.*BROKEN" "it is named with what blocks it"
is "$(built)" "$before" "nothing was published"

# These are compiled.
a_patch uncompiled mm/page-writeback.c 's/^(void __init page_writeback_init)/static int planted = no_such_thing;\n$1/'
run "$IORIG" run debian-6.1 --no-base --patch "$T/uncompiled.patch" -c t/hdd --out "$T/r"
is $rc 125 "a patch that breaks the build: exit 125"
like "$errs" "mm/page-writeback.c:[0-9]+:[0-9]+: error: .?no_such_thing.* undeclared" "the compiler's error is shown"
is "$(built)" "$before" "nothing was published"

# boot NAME CASE: base and patched kernel are not compared here.
boot() {
	run env IORIG_SILENCE=40 timeout 900 "$IORIG" run debian-6.1 --no-base --patch "$T/$1.patch" -c "$2" --out "$T/$1"
}
a_patch driverless drivers/scsi/Makefile 's/am53c974\.o//'
boot driverless t/dvd
is $rc 125 "a patch that removes the driver of the only case: exit 125"
like "$out$errs" "the kernel lacks: .*dvd" "the case is skipped with the reason"
a_patch panicking mm/page-writeback.c 's/^(int do_writepages.*)/$1\n{\n\tpanic("planted: no writeback today");\n}\n\nint planted_writepages(struct address_space *mapping, struct writeback_control *wbc)/'
boot panicking t/hdd
is $rc 125 "a patch that makes the kernel panic: exit 125"
like "$out$errs" "planted: no writeback today" "the panic is shown"
a_patch hanging mm/page-writeback.c 's/^(int do_writepages.*)/$1\n{\n\tfor (;;)\n\t\tcpu_relax();\n}\n\nint planted_writepages(struct address_space *mapping, struct writeback_control *wbc)/'
boot hanging t/hdd
is $rc 125 "a patch that makes it hang: exit 125"
like "$out$errs" "silence: the guest said nothing for [0-9]+ s" "and that it was silent"

# ^C while many files are compiled: all children go, nothing half is left, the next build works.
a_patch wide include/linux/backing-dev-defs.h 's/^(struct page;)/extern int planted;\n$1/'
before=$(built)
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV or die' "$IORIG" build debian-6.1 --patch "$T/wide.patch" >"$T/out" 2>"$T/errs" </dev/null &
pid=$!
perl -e '
	my ($file, $until) = ($ARGV[0], time + 600);
	while (time < $until) {
		open my $f, "<", $file or die;
		exit 0 if grep { /\[\d+ of \d+\] CC|\[\d+\] CC/ } <$f>;
		select undef, undef, undef, 0.1;
	}
	exit 1' "$T/errs"
ok $? "a build that compiles" "$(cat "$T/errs")"
children=$(perl -e '
	my %parent;
	for (glob "/proc/[0-9]*/stat") {
		open my $f, "<", $_ or next;
		$parent{$1} = $2 if <$f> =~ /^(\d+) \(.*\) \S (\d+)/s;
	}
	my %ours = ($ARGV[0] => 1);
	for (1 .. 20) { $ours{$parent{$_}} and $ours{$_} = 1 for keys %parent }
	print join " ", grep { $_ != $ARGV[0] } keys %ours' $pid)
like "$children" "[0-9]+ [0-9]+" "make and compilers are at work"
kill -INT $pid
wait $pid
is $? 130 "^C while building: exit 130"
like "$(tail -1 "$T/errs")" "interrupted" "and the message"
is "$(built)" "$before" "nothing was published"
# Compilers end by the signal that their group got; who reaps them is no child of this shell.
left=$(perl -e '
	my $until = time + 10;
	my @left;
	do {
		@left = grep { -d "/proc/$_" } @ARGV;
		select undef, undef, undef, 0.05 if @left;
	} while (@left && time < $until);
	print "@left"' $children)
is "$left" "" "none of them is left"
run "$IORIG" build debian-6.1
is $rc 0 "the base is still there" "$errs"

# A full disk: the cache on a small one, which takes the tree but not all that is compiled.
if [ "$(id -u)" != 0 ]; then
	skip "a full disk while building" "mounting needs root"
else
	mkdir "$T/small"
	mount -t tmpfs -o size=$(($(du -sm "$source" | cut -f1) + 525))m none "$T/small" &&
	trap 'umount -l "$T/small"; rm -rf "$T"' EXIT
	run env IORIG_CACHE="$T/small" timeout 1200 "$IORIG" build "$source"
	is $rc 128 "a full disk while building: exit 128" "$errs"
	like "$(tail -1 "$T/errs")" "[Dd]isk.* full" "and the message"
	is "$(ls "$T/small/kernels/trees" 2>/dev/null)" "" "nothing was published"
fi
no_child_left "no process is left"
finish
