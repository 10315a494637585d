#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every bus: the guest finds each disk by its serial number whatever it is called there, writes
# to it, and its samples tell of it. The CD's content is what was put on it.
. "$(dirname "$0")/../lib.sh"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
cat >"$T/data/cases/t/buses.case" <<'EOF'
[case]
title  = Every bus at once
memory = 128M
[disk hda]
bus = ide
profile = flat-40M
size = 16M
fs = ext2
[disk hdb]
bus = ide
profile = flat-40M
size = 16M
fs = ext4
[disk cd]
bus = atapi
profile = cdrom-read
size = 4M
fs = iso9660
[disk dvd]
bus = scsi
profile = dvd-ram
size = 16M
fs = ext2
[disk mo]
bus = scsi
profile = mo-640
size = 16M
fs = ext2
[disk stick]
bus = usb
profile = usb1-stick
size = 16M
fs = ext2
[disk sata]
bus = ahci
profile = ssd
size = 16M
fs = ext2
[disk vd]
bus = virtio
profile = ssd
size = 16M
fs = ext2
[job copy]
role = victim
run  = "for d in hda hdb dvd mo stick sata vd; do dd if=/dev/zero of=/mnt/$d/zero bs=64K count=16 conv=fsync 2>/dev/null || exit 1; done; sha256sum /mnt/cd/content"
EOF
run "$IORIG" run debian -c t/buses --out "$T/results" --clock=real --stall=1000% --timing=throttle --accel=tcg
is $rc 0 "a guest with every bus" "$errs$out"
perl -MJSON::PP -e '
	local $/;
	my $b = decode_json(<>);
	my %d = map { $_->{name} => $_ } @{$b->{disks}};
	printf "%s %s %s\n", $_, $d{$_}{sector}, $d{$_}{rotational} for sort keys %d;
	my %w;
	for my $s (@{$b->{samples}}) {
		my $disks = $s->{disks};
		for my $x (ref $disks eq "ARRAY" ? @$disks : map { { name => $_, %{$disks->{$_}} } } keys %$disks) {
			$w{$x->{name}} = $x->{written} if ($x->{written} // -1) > ($w{$x->{name}} // -1);
		}
	}
	printf "written %s %s\n", $_, $w{$_} >= 1024 ? "yes" : "no: $w{$_}" for sort keys %w;
	print $b->{jobs}[0]{end}{output}, "\n";
' "$T"/results/*/t-buses.1/boot.json >"$T/facts" 2>&1
facts=$(cat "$T/facts")
for d in "cd 2048 1" "dvd 2048 1" "hda 512 1" "hdb 512 1" "mo 2048 1" "sata 512 0" "stick 512" "vd 512"; do
	like "$facts" "^$d" "found with sector size and kind: $d"
done
for d in hda hdb dvd mo stick sata vd; do
	like "$facts" "^written $d yes" "the samples count what was written to $d"
done
want=$("$IORIG" run debian -c t/buses --out "$T/dry" --dry-run --clock=real --timing=throttle --accel=tcg >"$T/script" 2>/dev/null
	xorriso -osirrox on -indev "$T"/dry/dry-run/t-buses.1/images/cd.img -extract /content "$T/content" >/dev/null 2>&1
	sha256sum <"$T/content" | cut -d' ' -f1)
like "$facts" "^$want  /mnt/cd/content" "the CD holds what was put on it"
sh -n "$T/script"
ok $? "the dry run prints a shell script"
finish
