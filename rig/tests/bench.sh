#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Figures, as ratios within one run; nothing here passes or fails but the cost of looking at a guest,
# which must stay below 1 %, and the page of a large run, at most 10 s and 300 MB of memory.
# BENCH=boot,repeat,sim,sampling,report chooses;
# N= repetitions (10), KERNEL= another kernel; CASES= and SCALE=full for the simulated part. Run it
# on a machine that does nothing else.
set -eu
O=${O:-build}
N=${N:-10}
BENCH=${BENCH:-boot,repeat,sim,sampling,report}
KERNEL=${KERNEL:-debian}
CASES=${CASES:-writeback/*hdd*}
out=$(mktemp -d "${TMPDIR:-/tmp}/iorig-bench.XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
export IORIG_LIB=$O
IORIG_DATA=${IORIG_DATA:-$(pwd)}
export IORIG_DATA

wants() { case ",$BENCH," in *",$1,"*) return 0 ;; *) return 1 ;; esac; }

# rig NAME ARGUMENTS...: a run whose document is $out/NAME.json
rig() {
	name=$1
	shift
	status=0
	"$O/iorig" run -q --out "$out/$name" "$@" >"$out/$name.txt" 2>&1 || status=$?
	case $status in 0|1|125) ;; *) tail -3 "$out/$name.txt" >&2; exit 1 ;; esac
	cp "$out/$name"/*/run.json "$out/$name.json"
}

# Perl with the documents' boots at hand: boots(NAME), med(@), spread(@).
calc() {
	perl -MJSON::PP -e '
		my ($dir, $code) = @ARGV;
		sub boots { local (@ARGV, $/) = "$dir/$_[0].json"; @{decode_json(<>)->{boots}} }
		sub med { my @v = sort { $a <=> $b } @_; @v % 2 ? $v[@v / 2] : ($v[@v / 2] + $v[@v / 2 - 1]) / 2 }
		sub spread { my @v = sort { $a <=> $b } @_; 100 * ($v[-1] - $v[0]) / med(@v) }
		sub job { my ($b, $f) = @_; map { $_->{jobs}[0]{end}{$f} / 1e9 } @$b }
		eval $code; die $@ if $@;
	' "$out" "$1"
}

echo "host: $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg); $($O/iorig doctor 2>/dev/null | sed -n 's/^qemu *//p')"

if wants boot; then
	echo "== process start to the agent's first frame, real clock, $N boots each"
	rig vmlinux "$KERNEL" -c writeback/hdd-alone --clock=real --timing=throttle --accel=tcg --seeds "$N"
	rig bzimage "$KERNEL" -c writeback/hdd-alone --clock=real --timing=throttle --accel=tcg --seeds "$N" --bzimage
	calc '
		my @v = map { $_->{hello_ns} / 1e9 } boots("vmlinux");
		my @b = map { $_->{hello_ns} / 1e9 } boots("bzimage");
		my ($s) = sort { $b <=> $a } @v;
		printf "vmlinux through PVH  median %.2f s, longest %.2f s\n", med(@v), $s;
		printf "bzImage              median %.2f s, %.2f times as long\n", med(@b), med(@b) / med(@v);
	'
	if command -v vng >/dev/null; then
		image=$("$O/iorig" build "$KERNEL" 2>/dev/null | sed -n 's/^  bzImage  //p')
		s=$(date +%s%N)
		vng -r "$image" --disable-kvm -- true >/dev/null 2>&1 || true
		e=$(date +%s%N)
		echo "virtme-ng, same bzImage, 'true' and back: $(perl -e 'printf "%.2f s", ($ARGV[1] - $ARGV[0]) / 1e9' "$s" "$e")"
	else
		echo "virtme-ng is not installed: no comparison"
	fi
fi

if wants repeat; then
	echo "== repeatability, real clock, throttle, $N runs"
	rig fast "$KERNEL" -c writeback/hdd-alone --clock=real --timing=throttle --accel=tcg --seeds "$N"
	rig slow "$KERNEL" -c writeback/dvd-alone --clock=real --timing=throttle --accel=tcg --seeds 2
	calc '
		my @b = boots("fast");
		my @dd = job(\@b, "wall_ns"), my @sync = job(\@b, "sync_ns");
		my @all = map { $dd[$_] + $sync[$_] } 0 .. $#dd;
		printf "fast disk alone: dd median %.3f s, spread (max - min) / median %.1f %%; with its sync %.3f s, %.1f %%\n",
			med(@dd), spread(@dd), med(@all), spread(@all);
		for my $b (boots("slow")) {
			my $e = $b->{jobs}[0]{end};
			my $t = ($e->{wall_ns} + $e->{sync_ns}) / 1e9;
			printf "slow dd and sync: %.2f s, bytes / rate is %.2f s: %+.2f %%\n", $t, 67.108864, 100 * ($t / 67.108864 - 1);
		}
	'
fi

# Where QEMU's CPU time goes, by samples of perf: $out/perf/BOOT has "SAMPLES OBJECT" lines.
RATE=199
profiled() {
	command -v perf >/dev/null && perf record -q -o "$out/perf.try" -e cpu-clock true >/dev/null 2>&1 || return 1
	mkdir "$out/perf"
	qemu=$(command -v qemu-system-x86_64)
	cat >"$out/qemu-system-profiled" <<EOF
#!/bin/sh
boot=\$(printf '%s\\n' "\$*" | sed -n 's|.*/\\([^/]*\\)/console.log.*|\\1|p')
[ -n "\$boot" ] || exec $qemu "\$@"
exec perf record -q -F $RATE -e cpu-clock -o "$out/perf/\$boot.data" -- $qemu "\$@"
EOF
	chmod +x "$out/qemu-system-profiled"
}
count_samples() {
	for data in "$out"/perf/*.data; do
		perf report -i "$data" --no-children --sort dso -F sample,dso 2>/dev/null |
			sed -n 's/^ *\([0-9][0-9]*\) *\(.*[^ ]\) *$/\1 \2/p' >"${data%.data}"
	done
}

if wants sim; then
	echo "== simulated clock: guest seconds per second, one guest at a time"
	if profiled; then
		export IORIG_QEMU="$out/qemu-system-profiled"
	else
		echo "perf is not usable: no shares of the CPU time"
	fi
	rig sim "$KERNEL" -c "$CASES" --jobs 1 ${SCALE:+--scale="$SCALE"}
	unset IORIG_QEMU
	[ ! -d "$out/perf" ] || count_samples
	[ -n "${SCALE:-}" ] || rig real "$KERNEL" -c "$CASES" --clock=real --timing=throttle --accel=tcg
	calc '
		my %real = -e "$dir/real.json" ? map { $_->{case_name} => $_ } boots("real") : ();
		my %names = (code => "guest code and QEMU", kernel => "host kernel", library => "the simulator",
			     rest => "other libraries");
		my ($wall, $cpu) = (0, 0);
		for my $b (boots("sim")) {
			my $r = $real{$b->{case_name}};
			$wall += $b->{wall_ns} / 1e9;
			printf "%-20s guest %7.1f s  wall %6.1f s  %5.1fx", $b->{case_name}, $b->{guest_ns} / 1e9,
				$b->{wall_ns} / 1e9, $b->{guest_ns} / $b->{wall_ns};
			printf "   on the real clock: wall %6.1f s, %.1f times as long", $r->{wall_ns} / 1e9,
				$r->{wall_ns} / $b->{wall_ns} if $r;
			print "\n";
			open my $f, "<", "$dir/perf/$b->{dir}" or next;
			my ($all, %share) = (0);
			while (<$f>) {
				my ($n, $object) = /^(\d+) (.*)/ or next;
				$all += $n;
				$share{$object =~ /JIT|qemu-system|tcg/ ? "code" : $object =~ /kernel/ ? "kernel" :
				       $object =~ /iorig-sim/ ? "library" : "rest"} += $n;
			}
			next unless $all;
			$cpu += $all / '$RATE';
			printf "%-20s CPU   %7.1f s  %.1f guest s each; %s\n", "", $all / '$RATE',
				$b->{guest_ns} / 1e9 / $all * '$RATE',
				join ", ", map { sprintf "%s %.1f %%", $names{$_}, 100 * ($share{$_} // 0) / $all } qw(code kernel library rest);
		}
		printf "together: wall %.1f s, CPU %.1f s\n", $wall, $cpu;
	'
fi

# The same victims with nobody looking, and with all there is: samples each second, stacks five times
# a second, the pauses of writers. They run alone: beside a load the least shift of time decides which
# request is first, and moves a victim by more than any look costs. A build has no limit: it needs all
# of the processor, of which each look at its processes takes some; its cases look once a second.
if wants sampling; then
	echo "== what looking costs: victims' times, simulated"
	mkdir "$out/data"
	cp -r "$IORIG_DATA/cases" "$IORIG_DATA/images" "$IORIG_DATA/kernels" "$out/data/"
	mkdir "$out/data/expect"
	looks=
	for c in sched/raw writeback/stream $(command -v tcc >/dev/null && echo contest/no_load); do
		looks="$looks -c $c@unseen -c $c@seen"
		stacks=200ms
		[ $c != contest/no_load ] || stacks=1s
		cat >>"$out/data/cases/$c.case" <<-EOF

		[variant unseen]
		sample = 0
		stacks = 0
		pauses = no
		[variant seen]
		sample = 1s
		stacks = $stacks
		pauses = yes
		EOF
	done
	IORIG_DATA=$out/data rig looks "$KERNEL" $looks
	calc '
		my (%time, $worst);
		for my $b (boots("looks")) {
			my ($case, $variant) = split /@/, $b->{case_name};
			for my $j (grep { $_->{role} eq "victim" } @{$b->{jobs}}) {
				my $e = $j->{end};
				$time{"$case $j->{name}"}{$variant} = ($e->{wall_ns} + ($e->{sync_ns} > 0 ? $e->{sync_ns} : 0)) / 1e9;
			}
		}
		for my $v (sort keys %time) {
			my ($off, $on) = @{$time{$v}}{qw(unseen seen)};
			my $percent = 100 * ($on / $off - 1);
			printf "%-28s off %8.3f s  on %8.3f s  %+.2f %%\n", $v, $off, $on, $percent;
			next if $v =~ /^contest/;
			$worst = abs $percent if !defined $worst || abs $percent > $worst;
		}
		printf "most, but for the build: %.2f %%\n", $worst;
		die "looking costs a victim more than 1 %\n" if $worst >= 1;
	'
fi

if wants report; then
	echo "== a page of 50 cases with 5 seeds each"
	perl "$(dirname "$0")/make_run.pl" "$out/large" cases=50 seeds=5 samples=120 requests=2000
	# wait4(2), whose number is that of x86-64: perl has no word for the memory of a child
	perl -MTime::HiRes=time -e '
		my ($page, @command) = @ARGV;
		my ($begin, $status, $usage) = (time, pack("i", 0), "\0" x 256);
		my $pid = fork // die;
		if (!$pid) { open STDERR, ">", "/dev/null"; exec @command or exit 1; }
		die if syscall(61, $pid, $status, 0, $usage) != $pid || unpack("i", $status);
		my ($seconds, $kb) = (time - $begin, (unpack "q5", $usage)[4]);
		printf "%.2f s, %d MB of memory, a page of %.1f MB\n", $seconds, $kb / 1000, (-s $page) / 1e6;
		die "more than 10 s or 300 MB\n" if $seconds > 10 || $kb > 300e3;
	' "$out/large.html" "$O/iorig" report --html="$out/large.html" "$out/large"
fi
