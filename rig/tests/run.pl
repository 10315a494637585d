#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Run suites of tests (lint unit cli fake vm), all of which speak TAP, and end with one line
# 'N passed, N failed, N skipped'. Unit tests, command line and faults run on a build with
# sanitizers, real boots on the plain one.
use strict;
use warnings;
use File::Temp ();
use TAP::Harness;

my $o = $ENV{O} || 'build';
my $make = 'make';
my @suites = @ARGV or die "usage: run.pl SUITE...\n";
my (%count, @skips, @failures);
my $said = File::Temp->newdir;	# what each program said on stderr
$ENV{CMOCKA_MESSAGE_OUTPUT} = 'TAP';
$ENV{ASAN_OPTIONS} ||= 'detect_leaks=1:abort_on_error=0';
$ENV{UBSAN_OPTIONS} ||= 'print_stacktrace=1';
$ENV{LC_ALL} = 'C.UTF-8';
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL O V SAN)};
$| = 1;
# A shell starts what is in its background with INT ignored, nohup with HUP, and tests inherit that.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);

sub build {
	my ($dir, @args) = @_;
	print "# building @args in $dir\n";
	system($make, '-j2', "O=$dir", "CC=$ENV{CC}", @args) == 0
		or do { print "not ok - building @args in $dir\n0 passed, 1 failed\n"; exit 1 };
}

sub tests_of {
	my $suite = shift;
	my @t;
	if ($suite eq 'unit') {
		for my $src (sort glob 'rig/tests/unit/test_*.c') {
			(my $name = $src) =~ s{.*/(.*)\.c$}{$1};
			push @t, "$o/san/tests/$name";
		}
	} else {
		@t = sort glob "rig/tests/$suite/*.t";
	}
	if (my $only = $ENV{TESTS}) {
		@t = grep { /$only/ } @t;
	}
	return @t;
}

sub stderr_of {
	(my $name = shift) =~ s{/}{%}g;
	return "$said/$name";
}

sub command {
	my (undef, $file) = @_;
	my @run = ($file);
	if ($file =~ /\.t$/) {
		open my $fh, '<', $file or die "$file: $!\n";
		unshift @run, <$fh> =~ /perl/ ? 'perl' : 'sh';
	}
	return ['sh', '-c', 'f=$1; shift; exec "$@" 2>"$f"', 'sh', stderr_of($file), @run];
}

# Who reads only the end of a long log must still learn what failed and why.
sub tail_of_stderr {
	my ($name, $most) = @_;
	open my $fh, '<', stderr_of($name) or return '';
	my @lines = <$fh>;
	splice @lines, 0, @lines - $most if @lines > $most;
	return join '', map { "#   $_" } @lines;
}

build("$o/san", 'SAN=1', 'all', 'unit') if grep { /^(unit|cli|fake)$/ } @suites;
for my $suite (@suites) {
	my @t = tests_of($suite);
	next unless @t;
	print "# suite $suite\n";
	$ENV{BUILD} = $suite =~ /^(vm|lint)$/ ? $o : "$o/san";
	my $h = TAP::Harness->new({
		exec => \&command, verbosity => 0, timer => 1, merge => 0,
		jobs => $suite eq 'vm' ? 1 : 2,
	});
	$h->callback(made_parser => sub {
		my ($parser, $job) = @_;
		my $explains = 0;	# how many more comments belong to the last failure
		$parser->callback(test => sub {
			my $test = shift;
			push @skips, "$job->[0]: " . $test->explanation if $test->has_skip;
			$explains = $test->is_ok ? 0 : 20;
			push @failures, "$job->[0]: " . $test->as_string unless $test->is_ok;
		});
		$parser->callback(comment => sub {
			push @failures, '#   ' . shift->comment if $explains-- > 0;
		});
		$parser->callback(plan => sub {
			my $plan = shift;
			push @skips, "$job->[0]: " . $plan->explanation if $plan->has_skip;
		});
	});
	$h->callback(after_test => sub {
		my $name = $_[0][0];
		print tail_of_stderr($name, 200) if -s stderr_of($name);
	});
	my $a = $h->runtests(@t);
	$count{skipped} += $a->skipped;
	$count{passed} += $a->passed - $a->skipped;
	$count{failed} += $a->failed;
	# A program that died, or stopped short of its plan, has failed although no line says so.
	for my $name ($a->descriptions) {
		my ($p) = $a->parsers($name);
		my $died = !$p->failed && ($p->parse_errors || $p->exit || $p->wait);
		if ($died) {
			$count{failed}++;
			push @failures, "$name: died or stopped short (exit " . ($p->exit // '?')
				. ', wait ' . ($p->wait // '?') . '): ' . join('; ', $p->parse_errors);
		}
		push @failures, split /\n/, tail_of_stderr($name, 20) if $p->failed || $died;
		$count{skipped}++ if defined $p->skip_all;
	}
}
print "# skipped: $_\n" for @skips;
print /^#/ ? "$_\n" : "# failed: $_\n" for @failures;
$count{$_} ||= 0 for qw(passed failed skipped);
if (!$count{passed} && !$count{failed}) {
	print "# no test ran\n";
	$count{failed} = 1;
}
print "$count{passed} passed, $count{failed} failed, $count{skipped} skipped\n";
exit($count{failed} ? 1 : 0);
