#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# iorig expect --update: a run of a fake QEMU becomes what is accepted: the evidence, the diff, the
# file; waivers, before and after their day.
. "$(dirname "$0")/../lib.sh"
make_data
make_vmlinux "$T/vmlinux"
a_case good
IORIG_QEMU=$T/qemu
export IORIG_QEMU IORIG_DATA
expect=$T/data/expect/t/good.expect

# The victim takes 10.0, 10.1, 10.2 ... s, in the order of boots.
cat >"$T/qemu" <<END
#!/bin/sh
fake=$TOP/rig/tests/fake/fake-qemu
case " \$* " in *" --version "*) exec "\$fake" "\$@" ;; esac
echo >>$T/booted
n=\$((\$(wc -l <$T/booted) % 5))
FAKE_QEMU_SCENARIO=$T/scenario.\$\$
export FAKE_QEMU_SCENARIO
cat >"\$FAKE_QEMU_SCENARIO" <<S
console [    0.000000] Linux version 6.1.0-fake
frame {"t":"hello","ns":1000,"proto":1,"release":"6.1.0-fake","machine":"x86_64","mem_kb":1000,"cpus":1}
frame {"t":"ready","ns":2000}
frame {"t":"start","ns":3000,"job":"hdd"}
frame {"t":"end","ns":1000003000,"job":"hdd","start_ns":3000,"wall_ns":10\${n}00000000,"user_ns":1,"sys_ns":1,"exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":500000000,"sync_error":0,"output":"64+0 records in\\\\n64+0 records out\\\\n"}
frame {"t":"done","ns":2000000000}
qmp-event SHUTDOWN {"guest": true, "reason": "guest-shutdown"}
S
exec "\$fake" "\$@"
END
chmod +x "$T/qemu"
go() {
	run "$IORIG" run "$T/vmlinux" -c t/good --out "$T/results" --clock=real --timing=throttle \
		--accel=tcg -q "$@"
}
update() {
	run "$IORIG" expect --update -o "$T/results" "$@"
}

cat >"$expect" <<'END'
# What the report said.
[hdd.time]
limit  = 20s    ; twice
was    = 5s
within = 10%
why    = by hand

# Its sync.
[hdd.sync]
was = 500ms
within = 10%
[hdd.total]
limit = 30s
END
cp "$expect" "$T/before"
update
is "$rc" 129 "without a run there is nothing to accept"
go --seeds 5
update
is "$rc" 0 "the newest run"
like "$out" '^# t/good hdd\.time: vmlinux 6\.1\.0-fake, 5 seeds: 10\.2 s \(10 s to 10\.4 s\); accepted so far 5 s$' "the evidence"
printf '%s\n' "$out" | sed -n '/^---/,$p' >"$T/diff"
cat >"$T/wanted" <<'END'
--- a/expect/t/good.expect
+++ b/expect/t/good.expect
@@ -1,8 +1,10 @@
 # What the report said.
 [hdd.time]
 limit  = 20s    ; twice
-was    = 5s
+was    = 10.2s
 within = 10%
+kernel = vmlinux 6.1.0-fake
+seeds  = 5
 why    = by hand
 
 # Its sync.
END
is "$(cat "$T/diff")" "$(cat "$T/wanted")" "the diff"
cmp -s "$expect" "$T/before"
ok $? "nothing is written"
like "$errs" 'nothing was written; --apply does' "and that is said"
update --apply
is "$rc" 0 "--apply"
(cd "$T" && mkdir -p a/expect/t && cp before a/expect/t/good.expect && cd a && patch -p1 -s <../diff)
cmp -s "$expect" "$T/a/expect/t/good.expect"
ok $? "writes just that"
update --apply
is "$rc$out" "0" "once more: nothing is new"
go
go --seeds 5
is "$rc" 0 "what was accepted passes"

update --all
like "$out" '^\+within = 5%$' "--all: also what has none, with what its seeds differ by and more"
like "$out" '^# t/good hdd\.total: .*none accepted so far' "and says so"
update --all --limits=50%
like "$out" '^-limit  = 20s    ; twice$' "--limits"
like "$out" '^\+limit  = 15\.6s    ; twice$' "are the worst seed and so much more"
like "$out" 'hdd\.time: .*; limit 20s -> 15\.6s$' "the evidence has them"
like "$out" '^\+why    = vmlinux 6\.1\.0-fake, 5 seeds: 10s to 10\.4s; the worst and 50 %$' "and why"
update --limits=200%
like "$out" 'limit 20s -> 31\.2s, which allows MORE' "a limit that is raised is told"
update --family --all --apply
is "$rc" 0 "--family"
like "$(cat "$expect")" '^\[hdd\.time :6\.1\]$' "a section of its own"
is "$(sed -n '/^.hdd.time :6/,/^$/p' "$expect" | grep -c 'limit  = 20s')" 1 "which has the limit of the one for all"
update --all --apply
like "$(sed -n '/^.hdd.time :6/,/^$/p' "$expect")" 'was    = 10\.2s' "and is what changes from then on"

# Waivers.
today=$(date -u +%F)
printf '[hdd.time]\nlimit = 2s\nknown = bug 217000\nuntil = %s\n' "$today" >"$expect"
go
is "$rc" 0 "a regression that is known does not fail"
like "$out" "hdd .* known *$" "but is told"
like "$out" "time 10.* above limit 2 s; known until $today: bug 217000" "with its reason"
like "$out" '^verdicts: 1 known' "and counted"
for form in text markdown json html=-; do
	run "$IORIG" report -o "$T/results" --$form
	like "$out" 'bug 217000' "report --$form"
done
printf '[hdd.time]\nlimit = 2s\nknown = bug 217000\nuntil = 2026-01-31\n' >"$expect"
go
is "$rc" 1 "after its day it fails"
like "$out" 'regressed: .*known until 2026-01-31 \(bug 217000\), and this waiver has expired' "and says why"
printf '[hdd.time]\nlimit = 2s\nknown = bug\nuntil = tomorrow\n' >"$expect"
go
is "$rc" 129 "a day that is none"
like "$errs" "good.expect:1: \[hdd.time\]: 'until' is no day like 2027-01-31" "has its line"
printf '[hdd.time]\nlimit = 2s\n' >"$expect"

go --seeds 2
update
is "$rc" 125 "two seeds show no spread"
like "$errs" 'at least 3 seeds' "and that is told"
go --seeds 3
echo '# longer' >>"$T/data/cases/t/good.case"
update --all
is "$rc" 0 "a case that was changed since"
like "$out" '^# t/good: not the case that ran, left alone$' "is left alone"
is "$(printf '%s\n' "$out" | wc -l)" 1 "and nothing else is"
run "$IORIG" expect
is "$rc" 129 "without --update"
update nowhere
is "$rc" 128 "a run that is not there"
update --limits=many
is "$rc" 129 "a margin that is none"
update -c 'no/*'
is "$rc" 129 "cases that there are not"
finish
