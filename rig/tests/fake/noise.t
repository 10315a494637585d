#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A host's noise floor: measured from a kernel against itself, kept, found again, and used; files that
# are damaged, and limits that ask for less than it.
. "$(dirname "$0")/../lib.sh"
perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"
make_data
a_case good
IORIG_CACHE=$T/cache
export IORIG_CACHE
# A QEMU whose victim takes so many milliseconds as the image says, and up to 4 % more, in turns.
cat >"$T/qemu" <<END
#!/bin/sh
fake=$TOP/rig/tests/fake/fake-qemu
case " \$* " in *" --version "*) exec "\$fake" "\$@" ;; esac
prev=
for arg; do [ "\$prev" = -kernel ] && image=\$arg; prev=\$arg; done
ms=\$(grep -a -o 'MS=[0-9]*' "\$image" | head -1)
n=\$(wc -l <$T/booted)
echo "\$ms" >>$T/booted
wall=\$((\${ms#MS=} * (1000 + n * 7 % 5 * 10) * 1000))
FAKE_QEMU_SCENARIO=$T/scenario.\$\$
export FAKE_QEMU_SCENARIO
cat >"\$FAKE_QEMU_SCENARIO" <<S
frame {"t":"hello","ns":1000,"proto":1,"release":"6.1.99","machine":"x86_64","mem_kb":1000,"cpus":1}
frame {"t":"ready","ns":2000}
frame {"t":"start","ns":3000,"job":"hdd"}
frame {"t":"end","ns":19000003000,"job":"hdd","start_ns":3000,"wall_ns":\$wall,"user_ns":1,"sys_ns":1,"exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":500000000,"sync_error":0,"output":"64+0 records in\\\\n64+0 records out\\\\n"}
frame {"t":"done","ns":20000000000}
qmp-event SHUTDOWN {"guest": true, "reason": "guest-shutdown"}
S
exec "\$fake" "\$@"
END
chmod +x "$T/qemu"
IORIG_QEMU=$T/qemu
export IORIG_QEMU
make_kernel() {
	make_vmlinux "$T/$1"
	echo "MS=$2" >>"$T/$1"
}
make_kernel one 1000
make_kernel near 1030
make_kernel far 1400
: >"$T/booted"
compare() {
	run "$IORIG" compare --out "$T/results" -c t/good --timing=throttle --accel=tcg "$@"
}
# of PERL: the value of an expression over the JSON on standard output, $j, and its row of time, $t.
of() {
	printf '%s\n' "$out" | perl -MJSON::PP -e '
		local $/;
		my $j = decode_json(<STDIN>);
		my ($t) = grep { $_->{metric} eq "time" } @{$j->{rows}};
		my $v = eval $ARGV[0];
		die $@ if $@;
		print defined $v ? $v : "null";
	' "$1"
}

compare "$T/one" "$T/near" --clock=real --seeds 8
like "$out" "^note: this host's noise floor is not known for 3 of 3 rows; 'iorig compare --measure-floor'" \
	"a floor that is not known is told"

: >"$T/booted"
compare "$T/one" --measure-floor --seeds 5
is "$rc" 0 "the floor is measured" "$errs$out"
is "$(wc -l <"$T/booted")" 10 "with five boots of the kernel on each side"
like "$out" '^t/good +hdd +time +[0-9.]+%$' "and shown for each figure"
like "$out" '^t/good +hdd +sync +0%$' "also where there is none"
file=$(ls "$T"/cache/noise/*.json)
like "$out" "of 3 figures, is kept in $file" "and where it is kept"
cp "$file" "$T/good.json"

compare "$T/one" "$T/near" --clock=real --seeds 8 --json
is "$rc" 0 "what is within it is no regression" "$out$errs"
is "$(of '$t->{verdict}')" same "but the same"
is "$(of '$t->{noise_floor} > 0.01 && $t->{noise_floor} < 0.06 ? 1 : $t->{noise_floor}')" 1 "with the floor"
is "$(of '$t->{visible} > $t->{noise_floor} ? 1 : 0')" 1 "less than that could not have been seen"
is "$(of 'scalar grep { /not known/ } @{$j->{notes}}')" 0 "it is known now"
compare "$T/one" "$T/far" --clock=real --seeds 8
is "$rc" 1 "what is far beyond it is one"
set -- "$T"/results/*-far
is "$(perl -MJSON::PP -e 'local $/; open my $f, "<", $ARGV[0]; print scalar @{decode_json(<$f>)->{floors}}' "$1/run.json")" 3 \
	"a run keeps what it is judged by"

# another case is another figure
sed -i 's/count=64/count=65/; s/64+0/65+0/' "$T/data/cases/t/good.case"
compare "$T/one" "$T/near" --clock=real --seeds 1 --json
is "$(of '$t->{noise_floor} // "null"')" null "a case that was changed has no floor yet"
sed -i 's/count=65/count=64/' "$T/data/cases/t/good.case"

# what is expected of the case
printf '[hdd.time]\nwas = 1s\nwithin = 1%%\nwhy = a test\n' >"$T/data/expect/t/good.expect"
run "$IORIG" run "$T/one" -c t/good --clock=real --timing=throttle --accel=tcg --out "$T/results" -q
is "$rc" 125 "a tolerance below the floor"
like "$out" "within 1% is below this host's noise floor of [0-9.]+% on the real clock: refused" "is refused"
compare "$T/one" "$T/far" --clock=real
is "$rc" 1 "in a comparison, too, which still has its other figures"
like "$out" "time: not compared: the case's 'within' of 1% is below this host's noise floor" "and why"
rm "$T/data/expect/t/good.expect"

# files that are none
echo '{"iorig-noise": 1, "floors": 3}' >"$file"
compare "$T/one" "$T/near" --clock=real
is "$rc" 128 "a damaged file"
like "$errs" "noise floors, which 'iorig compare --measure-floor' makes anew: $file: cpu: is missing" "is told"
compare "$T/one" --measure-floor --seeds 5 -q
is "$rc" 0 "and made anew" "$errs"
sed 's/"floor": [0-9.e-]*/"floor": -1/' "$T/good.json" >"$file"
compare "$T/one" "$T/near" --clock=real
like "$rc$errs" "^128.*floors\[0\]\.floor: not from 0 to 100" "figures of nonsense"
cp "$T/good.json" "$file"

# usage
compare "$T/one" "$T/near" --measure-floor
is "$rc" 129 "--measure-floor of two kernels"
compare --measure-floor
is "$rc" 129 "of none"
compare "$T/one" --measure-floor --clock=sim
is "$rc" 129 "on the simulated clock"
like "$errs" 'the simulated one has no noise' "which has none"
compare "$T/one" --measure-floor --seeds 4
is "$rc" 129 "with too few seeds"
compare "$T/one" --measure-floor --until-sure
is "$rc" 129 "with --until-sure"
compare "$1" --measure-floor
is "$rc" 129 "of a run"
like "$errs" 'needs a kernel, not a run' "which is told"
compare "$T/one" "$T/near" --json --markdown
is "$rc" 129 "two forms at once"
finish
