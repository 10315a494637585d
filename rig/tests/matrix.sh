#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The promise of the simulated clock at length: the same kernel, cases and seeds give the same
# digests whatever else is different. Whole runs beside each other, three of them with all SEEDS
# (5), the others with the first; what differs is told, and where. It takes a while; with MATRIX=
# a list of the names below only those.
#
#	again	the same once more		busy	beside three loops and a writer to the host's disk
#	serial	one guest at a time		crowd	more guests than CPUs
#	folder	programs, data and results in other folders, with longer names
#	user	another user, without the first one's files	host	another host name
#	day	another day, hour and time since boot	place	other language, zone and environment
#	layout	addresses that are not random		long	rig/tests/vm/long.t with LONG=1
# KERNEL= and CASES= as for 'make test'. user, host and day need root; day needs faketime.
tests_top=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${O:-build}
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/same.sh"
KERNEL=${KERNEL:-debian}
CASES=${CASES:-writeback/*hdd*}
SEEDS=${SEEDS:-5}
MATRIX=${MATRIX:-again,busy,serial,crowd,folder,user,host,day,place,layout,long}
cd "$TOP" || exit 1

wants() { case ",$MATRIX," in *",$1,"*) return 0 ;; *) return 1 ;; esac; }
is_root() { [ "$(id -u)" = 0 ]; }

boots=0
# go NAME OPTIONS COMMAND...: a run whose result is $T/NAME; the command ends with the program's
# path. A regressed victim (1) is a result, too.
go() {
	name=$1 options=$2
	shift 2
	run timeout 7200 "$@" run -q "$KERNEL" -c "$CASES" $options --out "$T/$name"
	[ "$rc" -le 1 ]
	ok $? "a run: $name" "$errs$out"
	boots=$((boots + $(boots_of "$T/$name")))
}
# compare NAME WORDS...: with the first run.
compare() {
	same_runs "$T/first" "$T/$1" "$2"
}

"$IORIG" build "$KERNEL" >"$T/out" 2>"$T/errs" || skip_all "the kernel cannot be had: $(tail -1 "$T/errs")"
go first "--seeds $SEEDS" "$IORIG"
digests "$T/first" | sed 's/^/# /'
if wants again; then
	go again "--seeds $SEEDS" "$IORIG"
	compare again "the same again"
fi
if wants busy; then
	pids=
	for i in 1 2 3; do
		sh -c 'while :; do :; done' & pids="$pids $!"
	done
	sh -c "while :; do dd if=/dev/zero of=$T/noise bs=1M count=256 conv=fsync 2>/dev/null; done" &
	pids="$pids $!"
	trap 'kill $pids 2>/dev/null; rm -rf "$T"' EXIT
	go busy "--seeds $SEEDS" "$IORIG"
	kill $pids 2>/dev/null
	wait $pids 2>/dev/null
	trap 'rm -rf "$T"' EXIT
	rm -f "$T/noise"
	compare busy "beside three busy loops and a writer"
fi
if wants serial; then
	go serial "--jobs 1" "$IORIG"
	compare serial "one guest at a time"
fi
if wants crowd; then
	go crowd "--jobs $(($(nproc) + 1))" "$IORIG"
	compare crowd "more guests than CPUs"
fi

# A copy of programs, data and the kernel, which another user can read.
away=$T/another/folder/whose/name/is/longer
copy() {
	[ -d "$away" ] && return
	mkdir -p "$away/lib" "$away/cache/kernels/trees" "$away/home"
	cp "$BUILD/iorig" "$BUILD/agent" "$BUILD/iorig-sim.so" "$away/lib/"
	cp -r "$TOP/cases" "$TOP/expect" "$TOP/images" "$TOP/kernels" "$away/"
	# a kernel that was given by its path stays where it is
	image=$(perl -MJSON::PP -e 'local $/; print join "\n", @{decode_json(<>)->{boots}[0]{argv}}' \
		"$T"/first/*/run.json | grep -m1 '/kernels/trees/')
	if [ -n "$image" ]; then
		cp -r "$(dirname "$image")" "$away/cache/kernels/trees/"
		cp -r "$(dirname "$image")/../../resolved" "$away/cache/kernels/"
	fi
	chmod -R a+rX "$T"
}
there="env IORIG_DATA=$away IORIG_LIB=$away/lib IORIG_CACHE=$away/cache"
if wants folder; then
	copy
	go folder "" $there "$away/lib/iorig"
	compare folder "from other folders"
fi
if wants user; then
	if is_root && command -v setpriv >/dev/null; then
		copy
		mkdir "$T/user" && chown -R 65534:65534 "$T/user" "$away/cache" "$away/home"
		go user "" setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$away/home" USER=nobody \
			$there "$away/lib/iorig"
		compare user "as another user"
	else
		skip "another user" "needs root and setpriv"
	fi
fi
if wants host; then
	if is_root; then
		go host "" unshare --uts sh -c 'echo another-host-of-the-matrix >/proc/sys/kernel/hostname && exec "$@"' \
			sh "$IORIG"
		compare host "on another host"
	else
		skip "another host name" "needs root"
	fi
fi
if wants day; then
	lib=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -1)
	if is_root && [ -n "$lib" ]; then
		# The rig gives QEMU an LD_PRELOAD of its own, so QEMU gets the other day from this.
		qemu=$(command -v qemu-system-x86_64)
		printf '#!/bin/sh\nLD_PRELOAD="$LD_PRELOAD %s" exec %s "$@"\n' "$lib" "$qemu" >"$T/qemu-system-later"
		chmod +x "$T/qemu-system-later"
		[ "$(LD_PRELOAD=$lib FAKETIME=+400d date +%Y)" -gt "$(date +%Y)" ]
		ok $? "another day is in another year"
		go day "" unshare --time --boottime 86400000 --monotonic 86400000 --fork env LD_PRELOAD="$lib" FAKETIME="+400d" \
			FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1 IORIG_QEMU="$T/qemu-system-later" "$IORIG"
		compare day "on another day"
	else
		skip "another day" "needs root and faketime"
	fi
fi
if wants place; then
	go place "" env -i PATH="$PATH" HOME="$HOME" IORIG_LIB="$BUILD" IORIG_DATA="$TOP" LC_ALL=tr_TR.UTF-8 LANG=C.UTF-8 \
		TZ=Asia/Kolkata TERM=vt52 MALLOC_PERTURB_=85 JUNK="$(printf '%07777d' 0)" "$IORIG"
	compare place "in another language, zone and environment"
fi
if wants layout; then
	go layout "" setarch -R "$IORIG"
	compare layout "with fixed addresses"
fi
echo "# $boots boots"
[ "$boots" -ge 60 ] || echo "# fewer than 60: SEEDS=$SEEDS MATRIX=$MATRIX"
if wants long; then
	LONG=1 IORIG_LIB=$BUILD BUILD=$BUILD sh rig/tests/vm/long.t >"$T/long.tap" 2>&1
	ok $? "a long run" "$(grep -v '^ok' "$T/long.tap")"
	grep '^# ' "$T/long.tap"
fi
sum_up
