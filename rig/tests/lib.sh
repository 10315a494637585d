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

# add_debug_info FILE: give make_vmlinux's a section .debug_info.
add_debug_info() {
	perl -e '
		open my $fh, "+<:raw", $ARGV[0] or die "$ARGV[0]: $!\n";
		seek $fh, 0, 2;
		my $at = tell $fh;
		my $names = "\0.debug_info\0.shstrtab\0";
		my $section = sub { pack "L<L<Q<Q<Q<Q<L<L<Q<Q<", @_[0, 1], 0, 0, @_[2, 3], 0, 0, 1, 0 };
		print $fh $names, $section->(0, 0, 0, 0), $section->(1, 1, $at, 8),
			$section->(13, 3, $at, length $names);
		seek $fh, 40, 0;
		print $fh pack "Q<", $at + length $names;
		seek $fh, 58, 0;
		print $fh pack "S<S<S<", 64, 3, 2;
	' "$1"
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

# make_speed_tree: a kernel tree in $T/tree in which every option can be set, and whose image is a
# small PVH kernel with the file 'speed': SECONDS=1.
make_speed_tree() {
	mkdir "$T/tree"
	make_vmlinux "$T/tree/base.img"
	echo 'SECONDS=1' >"$T/tree/speed"
	echo 'nobody reads this' >"$T/tree/README"
	echo '# nothing' >"$T/tree/Kconfig"
	cat >"$T/tree/Makefile" <<'END'
VERSION = 6
PATCHLEVEL = 1
SUBLEVEL = 99
EXTRAVERSION =
.PHONY: allnoconfig vmlinux
allnoconfig:
	cp $(KCONFIG_ALLCONFIG) $(KCONFIG_CONFIG)
vmlinux:
	@! grep BREAK speed || { echo 'speed.c:1:1: error: broken'; false; }
	mkdir -p include/config && echo 6.1.99 >include/config/kernel.release
	cat base.img speed >vmlinux
END
}

# make_speed_qemu: a fake QEMU $T/qemu whose victim takes as many seconds as the image that it is to
# boot says; 'panic' and 'hang' are understood, too. $T/booted gets a line for each boot.
make_speed_qemu() {
	cat >"$T/qemu" <<END
#!/bin/sh
fake=$TOP/rig/tests/fake/fake-qemu
case " \$* " in *" --version "*) exec "\$fake" "\$@" ;; esac
prev=
for arg; do [ "\$prev" = -kernel ] && image=\$arg; prev=\$arg; done
s=\$(grep -a -o 'SECONDS=[0-9a-z]*' "\$image" | head -1)
s=\${s#SECONDS=}
FAKE_QEMU_SCENARIO=$T/scenario.\$\$
export FAKE_QEMU_SCENARIO
echo "\$s" >>$T/booted
hello='{"t":"hello","ns":1000,"proto":1,"release":"6.1.99","machine":"x86_64","mem_kb":1000,"cpus":1}'
case \$s in
panic) cat >"\$FAKE_QEMU_SCENARIO" <<S
console Kernel panic - not syncing: planted
qmp-event SHUTDOWN {"guest": true, "reason": "guest-reset"}
S
;;
hang) [ -e $T/go ] && s=1 || printf 'frame %s\nhang\n' "\$hello" >"\$FAKE_QEMU_SCENARIO" ;;
esac
[ -e "\$FAKE_QEMU_SCENARIO" ] || cat >"\$FAKE_QEMU_SCENARIO" <<S
frame \$hello
frame {"t":"ready","ns":2000}
frame {"t":"start","ns":3000,"job":"hdd"}
frame {"t":"end","ns":\${s}000003000,"job":"hdd","start_ns":3000,"wall_ns":\${s}000000000,"user_ns":1,"sys_ns":1,"exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":500000000,"sync_error":0,"output":"64+0 records in\\\\n64+0 records out\\\\n"}
frame {"t":"done","ns":20000000000}
qmp-event SHUTDOWN {"guest": true, "reason": "guest-shutdown"}
S
exec "\$fake" "\$@"
END
	chmod +x "$T/qemu"
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
