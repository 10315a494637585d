#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The reporter's instrument and the samples agree: a kernel with kernels/patches/dirty-per-device tells
# its console the pages of two slow disks, and iorig report sets them beside what debugfs said.
# DIRTY_KERNEL=debian-6.12 does the same on another kernel.
. "$(dirname "$0")/../lib.sh"
kernel=${DIRTY_KERNEL:-debian-6.1}
make_data
cp "$TOP"/kernels/*.kernel "$TOP"/kernels/*.config "$T/data/kernels/"
mkdir "$T/data/kernels/patches"
cp -r "$TOP/kernels/patches/dirty-per-device" "$T/data/kernels/patches/"
"$IORIG" build "$kernel" >"$T/out" 2>"$T/errs" || skip_all "the kernel cannot be had: $(tail -1 "$T/errs")"
# the same with another command line, so that the patch is compiled on what that left behind
sed 's/^cmdline.*//' "$TOP/kernels/$kernel.kernel" >"$T/data/kernels/told.kernel"
echo 'cmdline = iorig_dirty' >>"$T/data/kernels/told.kernel"

# Ten samples for each line: what is compared is a straight line between two samples, while pages
# come and go in chunks of up to 4 MiB.
cat >"$T/data/cases/t/dirty.case" <<'EOT'
[case]
title  = Two slow disks with dirty pages
memory = 128M
sample = 100ms
[disk hda]
bus     = ide
profile = flat-2M
size    = 96M
fs      = ext2
[disk dvd]
bus     = scsi
profile = dvd-ram
size    = 96M
fs      = ext2
[job hdd]
role = victim
run  = dd if=/dev/zero of=/mnt/hda/zero bs=64K count=1024
sync = hda
[job dvd]
role = load
run  = dd if=/dev/zero of=/mnt/dvd/zero bs=64K count=512
sync = dvd
EOT

run "$IORIG" run told --patch dirty-per-device --no-base -c t/dirty --out "$T/results"
is $rc 0 "a kernel with the instrument runs" "$errs"
run "$IORIG" report --dirty-lines "$T"/results/*
is $rc 0 "its lines are found"
printf '%s\n' "$out" | sed -n '1p; /^$/,$p' | sed 's/^/# /'
unlike "$out" "bad|than fit" "all of them whole"
like "$out" "^ +TIME +sd[ab]" "a series with its time"
# DEVICE DISK MOMENTS MEAN SAMPLED DIFF MAXIMUM SAMPLED DIFF, of whom has more than a few pages
beside=$(printf '%s\n' "$out" | sed '1,/^beside/d' | awk 'NR > 1 && $5 > 200 && $3 >= 20')
is "$(printf '%s\n' "$beside" | awk '{ print $2 }' | sort | xargs)" "dvd hda" "both disks hold pages for 20 s and more"
is "$(printf '%s\n' "$beside" | awk '$6 + 0 > 5 || $6 + 0 < -5')" "" "the means agree within 5 %"
is "$(printf '%s\n' "$beside" | awk '$9 + 0 > 5 || $9 + 0 < -5')" "" "so do the maxima"
# the same from the rows, by other arithmetic: no single moment is far off either
run "$IORIG" report --dirty-lines --csv "$T"/results/*
off=$(printf '%s\n' "$out" | awk -F, '$9 != "" && $9 > 200 { d = $8 - $9; sum += d < 0 ? -d : d; all += $9 }
	END { printf "%.4f", all ? sum / all : 1 }')
echo "# mean distance of a line from the samples at its time: $off of the pages"
is "$(awk "BEGIN { print $off < 0.05 }")" 1 "a line's own distance from the samples is below 5 % in the mean"
finish
