# SPDX-License-Identifier: GPL-2.0-only
# Shell tests that speak TAP: source this, then call the functions below and, last, finish.
# A test has its own folder $T, removed at the end with everything in it, a private results
# folder, and the binary in $IORIG.

TOP=${tests_top:-$(cd "$(dirname "$0")/../../.." && pwd)}
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$TOP/$BUILD ;; esac
IORIG=$BUILD/iorig
IORIG_DATA=${IORIG_DATA:-$TOP}
IORIG_LIB=$BUILD
export IORIG_DATA IORIG_LIB
T=$(mktemp -d "${TMPDIR:-/tmp}/iorig-test.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 1' INT TERM HUP
tap_n=0
tap_failed=0
tap_skipped=0

# ok STATUS NAME: one test point.
ok() {
	tap_n=$((tap_n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_n - $2"
	else
		echo "not ok $tap_n - $2"
		tap_failed=$((tap_failed + 1))
		[ -n "${3:-}" ] && printf '%s\n' "$3" | head -40 | sed 's/^/#   /'
	fi
}

# skip NAME REASON
skip() {
	tap_n=$((tap_n + 1))
	tap_skipped=$((tap_skipped + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# is GOT WANTED NAME
is() {
	[ "$1" = "$2" ]
	ok $? "$3" "got '$1', wanted '$2'"
}

# like TEXT PATTERN NAME: an extended regular expression somewhere in the text.
like() {
	printf '%s\n' "$1" | grep -Eq -- "$2"
	ok $? "$3" "no match for '$2' in: $1"
}

unlike() {
	! printf '%s\n' "$1" | grep -Eq -- "$2"
	ok $? "$3" "a match for '$2' in: $1"
}

# run COMMAND...: leaves its output in $out, its errors in $errs, its status in $rc.
run() {
	"$@" >"$T/out" 2>"$T/errs" </dev/null
	rc=$?
	out=$(cat "$T/out")
	errs=$(cat "$T/errs")
}

finish() {
	echo "1..$tap_n"
	[ $tap_failed -eq 0 ]
	exit
}

# make_vmlinux FILE [MACHINE]: the smallest file that is a PVH kernel image, to the rig and to
# QEMU; all that it does is loop. MACHINE: the ELF machine number, 62 = x86-64.
make_vmlinux() {
	perl -e '
		my ($file, $machine) = @ARGV;
		my $off = 64 + 2 * 56;
		my $entry = 0x1000000 + $off + 24;
		my $note = pack("L<L<L<a4Q<", 4, 8, 18, "Xen\0", $entry);
		my $banner = "\xeb\xfe\0\0Linux version 6.1.0-fake (rig\@test) (gcc) #1 SMP\n\0";
		my $ehdr = "\x7fELF\x02\x01\x01" . "\0" x 9 . pack("S<S<L<Q<Q<Q<L<S<S<S<S<S<S<",
			2, $machine, 1, $entry, 64, 0, 0, 64, 56, 2, 0, 0, 0);
		my $len = $off + length($note . $banner) + 4096;
		my $phdr = pack("L<L<Q<Q<Q<Q<Q<Q<", 4, 4, $off, 0, 0, length $note, length $note, 4) .
			pack("L<L<Q<Q<Q<Q<Q<Q<", 1, 5, 0, 0x1000000, 0x1000000, $len, $len, 4096);
		open my $fh, ">", $file or die "$file: $!\n";
		print $fh $ehdr, $phdr, $note, $banner, "\0" x 4096;
	' "$1" "${2:-62}"
}

# make_data: a data folder of this test's own in $T/data, with the real disks and the case files
# that the test writes below $T/data/cases.
make_data() {
	mkdir -p "$T/data/cases/t" "$T/data/expect/t" "$T/data/images" "$T/data/kernels" &&
	cp -r "$TOP/images/disks" "$T/data/images/" &&
	IORIG_DATA=$T/data
}

# a_case NAME: a small valid case, from which tests leave out or change lines with sed.
a_case() {
	cat >"$T/data/cases/t/$1.case" <<'EOF'
[case]
title  = A case of the tests
memory = 64M
[disk hda]
bus     = ide
profile = flat-40M
size    = 8M
fs      = ext2
[job hdd]
role = victim
run  = dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64
sync = hda
EOF
}

# processes TEXT: "PID COMMAND LINE" of every process whose command line holds the text. From
# /proc, since a minimal system has no ps, and a check that finds nothing must not pass for that.
processes() {
	TEXT=$1 perl -e '
		for my $pid (grep { $_ != $$ } map { m{/(\d+)$} } glob "/proc/[0-9]*") {
			open my $f, "<", "/proc/$pid/cmdline" or next;
			my $line = join " ", split /\0/, do { local $/; <$f> } // "";
			print "$pid $line\n" if index($line, $ENV{TEXT}) >= 0;
		}'
}

# no_child_left NAME: nothing of this test still runs: every process it starts has $T in its
# command line. This shell is found by its own test's name, or the search is of no use.
no_child_left() {
	left=$(processes "$T")
	[ -n "$(processes "${0##*/}")" ] || left="this test itself was not found"
	is "$left" "" "$1"
}
