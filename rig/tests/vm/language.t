#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a case may say beyond disks and commands, in a real guest: variants, jobs that prepare,
# planted faults, a memory cgroup, UDF, files and programs of the host; and the metrics of it.
. "$(dirname "$0")/../lib.sh"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"
command -v mkudffs >/dev/null || skip_all "mkudffs is not installed"

cat >"$T/data/cases/t/all.case" <<'EOT'
[case]
title  = All of it
memory = 192M
stacks = 500ms
sample = 200ms
bring  = /usr/bin/perl
[file /etc/words]
text   = "one two\nthree\n"
[file /etc/other]
file   = other.txt
[disk ram]
bus     = scsi
profile = flat-10M
size    = 64M
fs      = udf
max-request = 32K
[disk hda]
bus     = ahci
profile = flat-40M
size    = 64M
fs      = ext2
[job before]
role = prepare
run  = iorig-write file=/mnt/hda/there size=1M
[job light]
role  = victim
start = 1s
run   = iorig-light-write file=/mnt/hda/light time=2s
[job words]
role = victim
run  = "/usr/bin/perl -ne 'END { exit($. != 3) }' /etc/words /etc/other && test -s /mnt/hda/there"
[job small]
role  = victim
cgroup-memory = 16M
run   = "cat /sys/fs/cgroup/*/memory.max | grep -x 16777216"
[job stream]
role = load
run  = iorig-write file=/mnt/ram/zero span=16M time=1min
stop = victims
[variant slow]
disk.ram.fault = slow at 1s for 1min to 100K/s
EOT
echo "three and four" >"$T/data/cases/t/other.txt"
cat >"$T/data/expect/t/all.expect" <<'EOT'
[light.p99]
limit = 1s
[light.ops]
floor = 95
[stream.rate]
floor = 1GB/s
[disk.ram.written]
floor = 1M
[disk.ram.write-size]
limit = 32K
[disk.hda.dirty-max]
limit = 100M
[disk.ram.written @slow]
limit = 2M
EOT

run "$IORIG" list cases
like "$out" '^t/all@slow .* ahci:flat-40M  *udf ext2 cgroup /usr/bin/perl ' "a variant and its needs are listed"
run "$IORIG" run debian -c 't/all*' --out "$T/results" -q
is $rc 1 "a load below its floor is a regression"
like "$out" '^all  .*light ' "the case has its rows"
like "$out" '^all@slow ' "its variant is a case of its own"
like "$out" '^    p99  .* limit 1 s  *pass' "a latency is judged"
like "$out" '^    rate .* floor 1 GB/s  *regressed' "a rate is judged below its load"
like "$out" 't/all stream: regressed: rate .* below floor 1 GB/s' "and its reason is given"
like "$out" 'disk.hda ' "a disk has a row"
like "$out" '^    dirty-max .* limit 100 MiB  *pass' "and its metric"
like "$out" '^    write-size .* limit 32 KiB  *pass' "no request is larger than max-request"
unlike "$out" 'broken|skipped|before' "all of it works in the guest, and what prepares has no row"
like "$out" '^verdicts: 4 pass, 1 regressed' "as many verdicts as expected"
[ "$(grep -c '^fault ram slow 1000000000 60000000000 102400$' "$T"/results/*/t-all@slow.1/sim.conf)" = 1 ]
ok $? "the variant's fault reaches the simulator"
for v in '' @slow; do
	written=$(CASE=t/all$v perl -MJSON::PP -e '
		my $run = decode_json(do { local $/; <> });
		for my $v (@{$run->{verdicts}}) {
			next unless $v->{case_name} eq $ENV{CASE} && $v->{job} eq "disk.ram";
			print $_->{value} for grep { $_->{metric} eq "written" } @{$v->{values}};
		}' "$T"/results/*/run.json)
	if [ -z "$v" ]; then fast=$written; else slow=$written; fi
done
[ "$fast" -gt 10000000 ] && [ "$slow" -lt 2097152 ]
ok $? "the faulty disk writes less" "fast $fast, slow $slow"

sed -i 's,^bring .*,bring = /usr/bin/no-such-program,' "$T/data/cases/t/all.case"
sed -i 's,/usr/bin/perl -ne.*,true",;s/^run  = "true"/run = true/' "$T/data/cases/t/all.case"
run "$IORIG" run debian -c t/all --out "$T/results2" -q
is $rc 125 "a program that the host lacks: cannot be judged"
like "$out" "skipped: this host has no program '/usr/bin/no-such-program'" "and named"
finish
