#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The agent's own jobs in a real guest: what they count is what they were asked to do, the disk's
# figures are in it, it is the same each time, looking at where they wait changes nothing, and
# jobs that prepare or have a memory group do so.
. "$(dirname "$0")/../lib.sh"
"$IORIG" build debian >"$T/out" 2>"$T/errs" || skip_all "the default kernel cannot be had: $(tail -1 "$T/errs")"
make_data
cp "$TOP"/kernels/*.kernel "$T/data/kernels/"

# disks STACKS: the head of a case.
disks() {
	printf '[case]\ntitle = The jobs of the agent\nmemory = 128M\nstacks = %s\n' "$1"
	printf '[disk hda]\nbus = ide\nprofile = hdd-2004\nsize = 192M\nfs = ext2\n'
	printf '[disk raw]\nbus = scsi\nprofile = hdd-2004\nsize = 64M\nfs = none\n'
}
# job NAME ROLE START COMMAND
job() {
	printf '[job %s]\nrole = %s\n' "$1" "$2"
	[ "$2" = prepare ] || printf 'start = %s\n' "$3"
	[ "$2" != load ] || echo 'stop = victims'
	printf 'run = %s\n' "$4"
}
all_jobs() {
	job small-files prepare - 'iorig-make-files dir=/mnt/hda/small files=40 size=16K spread=32M'
	job base prepare - 'iorig-write file=/mnt/hda/base size=8M fsync=end'
	job light victim 500ms 'iorig-light-write file=/mnt/hda/light count=100'
	job synced victim 3s 'iorig-fsync file=/mnt/hda/fsync count=3 period=500ms'
	job small victim 6s 'iorig-small-read dir=/mnt/hda/small files=40 mode=shuffle'
	job read victim 8s 'iorig-read file=/mnt/hda/base mode=shuffle block=4K size=1M'
	job stream victim 14s 'iorig-write file=/dev/iorig/raw size=16M direct'
	job random victim 16s 'iorig-read file=/dev/iorig/raw direct block=4K mode=random time=1s'
	job sync victim 18s 'dd if=/dev/zero of=/mnt/hda/s bs=64K count=64 2>/dev/null; iorig-sync; iorig-sync path=/mnt/hda'
	job memory victim 20s 'iorig-touch-memory size=4M'
	job create victim 20500ms 'iorig-create dir=/mnt/hda/cr count=50 size=4K'
	job cpu victim 21s 'iorig-cpu count=200'
	job ring victim 22s 'iorig-pipe-ring count=500'
	job again victim 22500ms 'iorig-repeat script=/etc/again count=3'
	printf '[file /etc/again]\ntext = "iorig-cpu count=10\\n"\n'
	job paced load 100ms 'iorig-write file=/mnt/hda/p rate=64K block=16K mode=random span=1M & iorig-write file=/mnt/hda/q rate=64K block=16K; wait'
}
{ disks 200ms; all_jobs; } >"$T/data/cases/t/jobs.case"
{ disks 0; all_jobs; } >"$T/data/cases/t/unseen.case"

run "$IORIG" run debian -c t/jobs -c t/unseen --out "$T/first"
is $rc 0 "a case with all jobs runs" "$out $errs"

# evaluate RUN CASE EXPRESSION: a perl expression over $b (the boot), %j (its jobs by name), %r (their
# results), span(job) in seconds, rate(job) in bytes/s, and waits(job, regex): the share of its looks.
evaluate() {
	perl -MJSON::PP -e '
		local $/;
		my ($file, $case, $expression) = @ARGV;
		open my $f, "<", $file or die "$file: $!\n";
		our ($b) = grep { $_->{case_name} eq $case } @{decode_json(<$f>)->{boots}};
		our %j = map { $_->{name} => $_ } @{$b->{jobs}};
		our %r = map { $_ => $j{$_}{result} } keys %j;
		sub span { ($r{$_[0]}{last_ns} - $r{$_[0]}{first_ns}) / 1e9 }
		sub rate { $r{$_[0]}{bytes} / span($_[0]) }
		sub waits {
			my ($job, $like) = @_;
			my ($hit, $all) = (0, 0);
			for (@{$j{$job}{waits}}) {
				$all += $_->{count};
				$hit += $_->{count} if "$_->{state} $_->{stack}" =~ $like;
			}
			return $all ? $hit / $all : 0;
		}
		my $v = eval $expression;
		print $@ || $v // "undef", "\n";
	' "$(echo "$1"/*/run.json)" "$2" "$3" 2>&1
}
# holds EXPRESSION NAME: it is true of the first run's case with all jobs.
holds() {
	is "$(evaluate "$T/first" t/jobs "($1) ? 'yes' : 'no'")" yes "$2"
}
holds '$b->{outcome} eq "done" && !$b->{frames_bad} && !$b->{frames_lost}' "the guest is done, all frames are good"
holds '!grep { !$_->{result} || $_->{result}{errors} || $_->{end}{exit} } @{$b->{jobs}}' "every job has a result without errors"
holds '!grep { my $n = -$_->{ops}; $n += $_->[1] for @{$_->{hist}}; $n } values %r' "every call is in a histogram"
holds '$j{"small-files"}{role} eq "prepare" && $r{"small-files"}{ops} == 40 && $r{base}{bytes} == 8 << 20' "files are prepared"
holds '$r{light}{ops} == 100 && $r{light}{bytes} == 409600' "light-write: so many"
holds 'abs(span("light") - 1.98) < 0.001 && $r{light}{max} < 1e7' "light-write: every 20 ms to the millisecond, each fast"
holds '$r{synced}{ops} == 3 && $r{synced}{min} > 1e9 / 27.5 && $r{synced}{max} < 5e8' "fsync: 1 MiB is not faster than the disk with its 27.5 MB/s"
holds '$r{small}{ops} == 40 && $r{small}{sum} / 40 > 2e6' "small-read: cold, from the disk"
holds '$r{read}{ops} == 256 && $r{read}{sum} / 256 > 2e6 && $r{read}{sum} / 256 < 2e7' "read: 4 KiB in a shuffled order cost a seek and half a turn"
holds '$r{stream}{ops} == 256 && rate("stream") < 27.5e6 * 16 / 14' "write: a direct stream is not faster than the disk and its cache of 2 MiB"
holds '$r{random}{ops} > 50 && $r{random}{ops} < 300 && $r{random}{bytes} == 4096 * $r{random}{ops}' "read: one second of random reads at depth 1"
holds 'abs($j{random}{end}{wall_ns} / 1e9 - 1) < 0.05' "read: ends after its time"
holds '$r{sync}{ops} == 2 && $r{sync}{max} > (4 << 20) / 27.5e6 * 1e9' "sync and syncfs, the first with 4 MiB of dirt"
holds '$r{memory}{ops} == 1024 && $r{memory}{bytes} == 4 << 20' "touch-memory: a call for each page"
holds '$r{create}{ops} == 50 && $r{create}{bytes} == 50 * 4096' "create"
holds '$r{cpu}{ops} == 200 && $r{cpu}{sum} / 200 < 1.2 * $r{cpu}{min}' "cpu: always the same work"
holds '$r{ring}{ops} == 500 && $r{ring}{bytes} == 32000' "pipe-ring: so many rounds of 64 bytes"
holds '$r{again}{ops} == 3 && $j{again}{end}{user_ns} + $j{again}{end}{sys_ns} > 30 * $r{cpu}{min}' "repeat: only runs are counted, and their processor time is the job's"
holds '$j{paced}{end}{stopped} == 1 && abs(rate("paced") / 131072 - 1) < 0.05' "two paced writers in one job, stopped with the victims, add up to their rates"
holds '$j{read}{wait_source} eq "stack" && $j{read}{wait_rounds} > 5' "the jobs were looked at"
holds 'waits("read", qr/^D .*(folio|page).* (filemap|generic_file)_/) > 0.7' "a cold reader waits for its page"
holds 'waits("cpu", qr/^R /) > 0.9' "a computing job runs"
holds '@{$j{paced}{waits}} > 0 && waits("paced", qr/do_wait/) == 0' "a shell that waits for its commands is not counted"

# Without a look at them the same jobs take the same time.
is "$(evaluate "$T/first" t/unseen 'scalar grep { @{$_->{waits}} || $_->{wait_rounds} } @{$b->{jobs}}')" 0 "not looked at, nothing is told"
for j in light synced stream create cpu; do
	a=$(evaluate "$T/first" t/jobs "\$r{'$j'}{sum}")
	b=$(evaluate "$T/first" t/unseen "\$r{'$j'}{sum}")
	perl -e 'exit !(abs($ARGV[0] / $ARGV[1] - 1) < 0.05)' "$a" "$b"
	ok $? "looking costs $j little" "$a ns of calls with stacks, $b without"
done

run "$IORIG" run debian -c t/jobs --out "$T/second"
is "$(evaluate "$T/second" t/jobs '$b->{digest}')" "$(evaluate "$T/first" t/jobs '$b->{digest}')" "the same again is the same to the nanosecond"

# Groups with memory of their own.
{
	disks 200ms
	job large victim 500ms 'iorig-write file=/mnt/hda/x size=32M; cat /proc/self/cgroup /sys/fs/cgroup/iorig-large/memory.max'
	echo 'cgroup-memory = 16M'
	job free victim 500ms 'cat /proc/self/cgroup'
} >"$T/data/cases/t/group.case"
run "$IORIG" run debian -c t/group --out "$T/group"
is "$(evaluate "$T/group" t/group '$j{large}{end}{output}')" "0::/iorig-large
16777216" "a job runs in its group with its limit"
is "$(evaluate "$T/group" t/group '$j{free}{end}{output}')" "0::/" "another one does not"
sed 's/^\[kernel\]/&\ncmdline = cgroup_disable=memory/' "$TOP/kernels/debian.kernel" >"$T/data/kernels/poor.kernel"
run "$IORIG" run poor -c t/group --out "$T/poor"
is $rc 125 "a kernel without memory groups"
like "$out$errs" "kernel lacks: this kernel has no cgroup controller 'memory'" "is named as the reason to skip"

# What cannot be prepared cannot be measured.
{
	disks 0
	job first prepare - 'iorig-write file=/mnt/hda/x size=1M'
	job second prepare - 'echo one; iorig-write file=/mnt/hda/x size=1G'
	job never victim 0 true
} >"$T/data/cases/t/unprepared.case"
run "$IORIG" run debian -c t/unprepared --out "$T/unprepared"
is $rc 125 "a prepare job that fails"
like "$out$errs" "prepare: job 'second' exited with 1: iorig-write: call [0-9]+: No space left" "is the reason, with its last words"
is "$(evaluate "$T/unprepared" t/unprepared '"$j{first}{result}{bytes} " . ($j{never}{end} // "none")')" "1048576 none" "what came before it is kept, what comes after never ran"

# Wrong arguments are seen before anything boots.
{ disks 0; job typo victim 0 'iorig-write file=/mnt/hda/x sice=1M'; } >"$T/data/cases/t/typo.case"
run "$IORIG" run debian -c t/typo --out "$T/typo"
is $rc 129 "a wrong argument"
like "$errs" "typo.case:[0-9]+: run: .*iorig-write has no parameter 'sice'" "is named with file and line"
finish
