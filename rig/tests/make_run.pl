#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Make the result folder of a run that never was, for tests of reports:
#	make_run.pl FOLDER [KEY=VALUE...]
#	cases=N seeds=N samples=N requests=N	how much of everything
#	kind=pass|regressed|broken		the first case's verdict; the others pass
#	evil=1					names, texts and figures of somebody who means harm
#	slow=1.5				all times are so many times as long
#	kernel=NAME waits=0
#	patch=NAME				the kernel is "KERNEL+NAME", built here from a source that
#						all runs with source=LETTER share
#	scale=NAME stall=1			the victim gets nothing done for some seconds
use strict;
use warnings;
use JSON::PP;

my ($dir, @args) = @ARGV;
my %o = (cases => 2, seeds => 3, samples => 40, requests => 200, kind => 'regressed', evil => 0,
	slow => 1, kernel => 'debian', waits => 1, patch => '', source => '', scale => 'quick', stall => 0, map { split /=/, $_, 2 } @args);
my $evil = qq(</pre></svg><script src="//e.test/x.js">alert(1)</script><img src=//e.test onerror=x()>)
	. qq("'`touch \$PWD/owned`\@m \x1b]0;owned\x07\x{202e}|*_[x](http://e.test)\n=1+2);
my $huge = 9223372036854775807;

sub evil { $o{evil} ? "$_[0]$evil" : $_[0] }
# Disks' names have room for 47 bytes.
sub short { $o{evil} ? substr("$_[0]$_[1]", 0, 46) : $_[0] }
my @disks = (short('hda', q(</text><script>x()</script>`touch owned`)),
	short('dvd', qq('; system("touch owned"); #\x1b[31m)));
my @jobs = (evil('hdd'), evil('dvd'));

sub ns { int($_[0] * 1e9) }
sub sample {
	my ($i, $seed) = @_;
	my $dirty = $i % 7 * 300 + 200 * $seed;
	my $big = $o{evil} && $i == 3;
	return { ns => $big ? $huge : ns(3 + $i), dirty => 2000 + $i, writeback => 500,
		limit => 2050, background => $big ? $huge : 1023,
		vmstat => [1, 2, 0, 4000, 70, 20000, 0, 0, 57, 1, 250, 418, 1, 9, 10, 80],
		disks => [ map { { name => $disks[$_], dirty => $big ? $huge : $dirty + 4000 * $_,
			writeback => 900 * $_, thresh => 8000,
			dirtied => ($o{stall} && !$_ && $i > 5 && $i < 12 ? 5 : $i) * 900, written => $i * 800,
			bandwidth => 1000, io => [ $_ ? 5 : 4 * $i, 1, 300, 25, $_ && $i > 10 && $i < 15 ? 11 : $i + 1,
			0, $i * ($_ ? 2000 : 9000), 9, 0, $i * ($_ ? 990 : 60), 0 ] } } 0, 1 ] };
}

sub job {
	my ($which, $time) = @_;
	return { name => $jobs[$which], role => $which ? 'load' : 'victim', wait_rounds => 100,
		wait_source => 'stack', waits => $o{waits} ? [
			{ state => 'D', count => 61, stack => evil('io_schedule_timeout balance_dirty_pages '
				. 'balance_dirty_pages_ratelimited generic_perform_write') },
			{ state => 'S', count => 39, stack => 'pipe_read vfs_read' } ] : [],
		end => { job => 'x', start_ns => ns(3.5), wall_ns => ns($time), user_ns => 85025000,
			sys_ns => 952287000, exit => 0, signal => 0, timeout => 0, stopped => 0,
			sync_ns => ns(1.2), sync_error => 0, output => evil("records out\n") } };
}

sub case_name { evil(sprintf 'writeback/case-%d', $_[0]) }
sub median { my @v = sort { $a <=> $b } @_; $v[@v / 2] }

my (@boots, @verdicts);
for my $c (0 .. $o{cases} - 1) {
	my $kind = $c ? 'pass' : $o{kind};
	my @times;
	for my $seed (1 .. $o{seeds}) {
		my $time = $o{slow} * (20 + 3 * $seed + $c);
		my $folder = "writeback-case-$c.$seed";
		my $broken = $kind eq 'broken' && $seed == $o{seeds};
		push @times, $time;
		mkdir $dir;
		mkdir "$dir/$folder";
		open my $log, '>:utf8', "$dir/$folder/requests.log" or die "$dir/$folder: $!\n";
		for my $i (1 .. $o{requests}) {
			my $at = ns(3 + $o{samples} * $i / $o{requests});
			my $disk = $disks[$i % 3 == 0];
			$disk =~ s/ .*//s;
			printf $log "%s %s %d 4096 %d %d %d 4096\n", $disk, $i % 5 ? 'write' : 'read',
				$i * 4096 * 50, $at, $at, $at + ($i % 3 ? 200000 : 500000000);
		}
		print $log $evil if $o{evil};
		push @boots, {
			case_name => case_name($c), scale => $o{scale}, case_sha256 => 'c' x 64,
			case_text => "[case]\ntitle = " . ($o{evil} ? '</title><script>x()</script>' : 'A case of the tests')
				. "\nabout = What a failure means.\nmemory = 128M\n[disk hda]\nbus = ide\nprofile = hdd-2004\nfs = ext2\n"
				. "[job hdd]\nrole = victim\nrun = dd if=/dev/zero of=/mnt/hda/zero bs=64K count=1K\nsync = hda\n"
				. "[job dvd]\nrole = load\nrun = dd if=/dev/zero of=/mnt/dvd/zero bs=64K count=1K\n",
			expect_text => evil("[hdd.slowdown]\nlimit = 5\n"), seed => $seed, dir => $folder,
			outcome => $broken ? 'broken' : 'done', stage => $broken ? 'jobs' : 'end',
			reason => $broken ? evil('kernel panic') : '',
			evidence => $broken ? [ 'Kernel panic - not syncing', evil('line') ] : [],
			wall_ns => 5e10, hello_ns => 7e9, guest_ns => ns($o{samples} + 3),
			argv => [ 'qemu-system-x86_64' ], cmdline => evil('console=ttyS0'), digest => 'd' x 64,
			release => '6.1.0-57-amd64', mem_kb => 78772, frames_bad => 0, frames_lost => 0,
			console_seen => { map({ $_ => 0 } qw(oom io_error hung_task soft_lockup bug oops)),
				warning => 1, panic => $broken ? 1 : 0 },
			disks => [ map { { name => $_, dev => 'sda', scheduler => 'mq-deadline', major => 8,
				minor => 0, bytes => $o{evil} ? $huge : 1 << 29, sector => 512, rotational => 1,
				nr_requests => 2, queue_depth => 1 } } @disks ],
			profiles => [ map { { disk => $_, profile => 'hdd-2004', title => evil('ATA hard disk of 2004, 27 MB/s') } }
				@disks ],
			jobs => [ job(0, $time), job(1, 35) ],
			samples => [ map { sample($_, $seed) } 0 .. $o{samples} - 1 ],
		};
	}
	for my $j (0, 1) {
		my $time = $j ? 35e9 : median(@times) * 1e9;
		push @verdicts, {
			case_name => case_name($c), job => $jobs[$j], role => $j ? 'load' : 'victim',
			kind => $j ? 'none' : $kind, seeds => $o{seeds} + 0, time_ns => $time, sync_ns => 1.2e9,
			reason => $j || $kind eq 'pass' ? '' : evil('slowdown 13.0 above limit 5'),
			total_ns => $time + 1.2e9, alone_ns => 2e9, slowdown => $time / 2e9,
			time_min_ns => 1e9 * ($j ? 35 : $times[0]), time_max_ns => 1e9 * ($j ? 35 : $times[-1]),
			limit => $j ? -1 : 5, goal => $j ? -1 : 1.5, was => $j ? -1 : 4.1, report_ns => -1,
			report_slowdown => -1,
			values => [ { metric => evil('p99'), unit => 'ns', higher => JSON::PP::false, kind => $j ? 'none' : $kind,
				seeds => 3, value => 312e6, min => 3e8, max => $o{evil} ? 1e300 : 33e7, alone => 9e6, limit => 25e7,
				floor => -1, goal => -1, was => -1, within => -1 },
				$j ? () : { metric => 'sync', unit => 'ns', higher => JSON::PP::false, kind => 'pass', seeds => 3,
				value => 1.2e9, min => 1.2e9, max => 1.2e9, alone => -1, limit => 4e9, floor => -1, goal => 1e9,
				was => 1.1e9, within => 0.2 } ],
		};
	}
}
my $run = {
	iorig => 1, id => '20261130T170405Z-debian', rig_version => '0.1', started => '2026-11-30T17:04:05Z',
	ended => '2026-11-30T17:14:05Z', interrupted => JSON::PP::false, clock => 'sim', timing => 'model',
	accel => 'tcg', accel_why => evil('the simulated clock needs it'), scale => $o{scale},
	seeds => $o{seeds} + 0, jobs => 2, qemu => { path => '/usr/bin/qemu', version => '7.2.22' },
	host => { cpu => evil('A processor'), kernel => '6.1', os => 'Debian', cpus => 2, memory => 1 << 33, load => 0.5 },
	kernel => { name => evil($o{kernel} . ($o{patch} ? "+$o{patch}" : '')), title => undef, image => '/cache/vmlinux', release => '6.1.0-57-amd64',
		package => $o{evil} ? evil('p') : 'linux-image-amd64 6.1.192-3', cmdline => undef,
		image_sha256 => $o{patch} ? 'e' x 64 : 'a' x 64, config_sha256 => 'b' x 64,
		source_id => $o{source} x 64, source => $o{source} ? 'a source' : undef,
		patches => $o{patch} ? [ { name => evil("$o{patch}.patch"), subject => evil('mm: change it'), sha256 => 'f' x 64 } ] : [] },
	boots => \@boots, verdicts => \@verdicts,
};
open my $out, '>', "$dir/run.json" or die "$dir/run.json: $!\n";
print $out JSON::PP->new->canonical->ascii->encode($run);
close $out or die "$dir/run.json: $!\n";
