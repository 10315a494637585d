#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What every source file must have and must not have. Each rule is tried on a planted fault.
use strict;
use warnings;

my @rules = (
	[ 'an unsafe or shell-running libc call',
	  sub { $_[0] =~ /(?<![\w.>])(strcpy|strcat|sprintf|vsprintf|strtok|system|popen|gets|alloca)\s*\(/ },
	  "\tstrcpy(a, b);" ],
	[ 'exit or output to the user below cmd/',
	  sub { $_[1] =~ m{^rig/(?!cmd/|sim/|tests/)} && $_[0] =~ /(?<![\w_.>])(exit|printf|puts|perror)\s*\(/ },
	  "\tprintf(\"hello\");" ],
	[ 'something left for later',
	  sub { $_[0] =~ /\b(TODO|FIXME|XXX|HACK)\b/ }, "/* TODO: later */" ],
	[ 'white space at the end of the line', sub { $_[0] =~ /[ \t]$/ }, "int a; " ],
	[ 'indentation by spaces', sub { $_[0] =~ /^ {8}/ }, "        int a;" ],
	[ 'a line above 100 columns',
	  sub { my $l = $_[0]; 1 while $l =~ s/^([^\t]*)\t/$1 . " " x (8 - length($1) % 8)/e; length($l) > ($_[1] =~ m{/tests/} ? 110 : 100) }, "x" x 101 ],
	[ 'a sleep', sub { $_[1] !~ m{^rig/(tests|sim)/} && $_[0] =~ /\b(u?sleep|nanosleep)\s*\(/ },
	  "\tsleep(1);" ],
);

my (@tests, %seen);
sub ok { push @tests, ($_[0] ? 'ok ' : 'not ok ') . (@tests + 1) . " - $_[1]\n"; }

for my $rule (@rules) {
	my ($what, $check, $plant) = @$rule;
	ok($check->($plant, 'rig/base/x.c'), "a planted fault is seen: $what");
}
my (@faults, @long, @no_licence);
my @files = (glob('rig/*/*.[ch]'), glob('rig/tests/unit/*.c'), glob('images/agent/*.[ch]'));
for my $file (@files) {
	open my $f, '<', $file or die "$file: $!\n";
	my @lines = <$f>;
	push @no_licence, $file unless $lines[0] && $lines[0] =~ /SPDX-License-Identifier: GPL-2.0-only/;
	push @long, "$file: " . @lines if @lines > 400 && $file !~ m{/tests/};
	for my $i (0 .. $#lines) {
		chomp(my $l = $lines[$i]);
		for my $rule (@rules) {
			push @faults, "$file:" . ($i + 1) . ": $rule->[0]" if $rule->[1]->($l, $file);
		}
	}
}
print "# $_\n" for @faults, @no_licence, @long;
ok(!@faults, 'no fault in ' . @files . ' files');
ok(!@no_licence, 'every file names its licence in the first line');
ok(!@long, 'no file is longer than 400 lines');
ok(@files > 60, 'the sources were found');
print @tests, '1..' . @tests . "\n";
exit(grep(/^not/, @tests) ? 1 : 0);
