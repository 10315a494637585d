#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Imports only point down, as rig/LAYERS says; sim/ stands alone; the guest's agent knows wire/
# only. The check is tried on planted faults first.
use strict;
use warnings;

my %level;
open my $fh, '<', 'rig/LAYERS' or die "rig/LAYERS: $!\n";
my $n = 0;
while (<$fh>) {
	next if /^#/ || !/\S/;
	$level{$_} = $n for split;
	$n++;
}
close $fh;

# The fault in one include of a file, or undef.
sub fault {
	my ($file, $include) = @_;
	my ($to) = $include =~ m{^([^/]+)/} or return;
	if ($file =~ m{^images/agent/}) {
		return if $to eq 'agent' || $to eq 'wire';
		return "the guest's agent includes $include";
	}
	my ($from) = $file =~ m{^rig/([^/]+)/} or return;
	return if $from eq $to || ($from eq 'tests');
	return "$from/ includes $include, but sim/ stands alone" if $from eq 'sim' || $to eq 'sim';
	return "$from/ is not in rig/LAYERS" unless defined $level{$from};
	return "$to/ is not in rig/LAYERS" unless defined $level{$to};
	return "$from/ includes $include from a layer that is not below it"
		if $level{$to} >= $level{$from};
	return;
}

my @tests;
sub ok { push @tests, ($_[0] ? 'ok ' : 'not ok ') . (@tests + 1) . " - $_[1]\n"; }

for my $plant (['rig/base/err.c', 'vm/vm.h'], ['rig/vm/vm.c', 'guest/msg.h'],
	       ['rig/sim/aio.c', 'base/err.h'], ['rig/run/boot.c', 'sim/aio.h'],
	       ['images/agent/main.c', 'base/err.h'], ['rig/newdir/x.c', 'base/err.h']) {
	ok(defined fault(@$plant), "a planted fault is seen: $plant->[0] including $plant->[1]");
}
ok(!defined fault('rig/run/boot.c', 'vm/vm.h'), 'an include that points down is fine');

my ($files, @faults) = (0);
for my $file (glob('rig/*/*.[ch]'), glob('images/agent/*.[ch]')) {
	open my $f, '<', $file or die "$file: $!\n";
	$files++;
	while (<$f>) {
		next unless /^\s*#\s*include\s+"([^"]+)"/;
		my $fault = fault($file, $1);
		push @faults, "$file:$.: $fault" if $fault;
	}
}
print "# $_\n" for @faults;
ok(!@faults, "no include points up in $files files");
ok($files > 50, "the sources were found");
print @tests, '1..' . @tests . "\n";
exit(grep(/^not/, @tests) ? 1 : 0);
