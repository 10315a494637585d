#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What 'make deps' does where nothing is missing, where apt is, and where it is not. A folder of
# links stands for a system that has only those programs.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
run sh rig/deps.sh check
is "$rc $out$errs" "0 " "nothing is missing: nothing is said or done"

mkdir "$T/bin"
for p in sh cat ls grep ldd id head dirname bash gcc musl-gcc busybox qemu-system-x86_64 xorriso mke2fs depmod mkudffs faketime git patch flex bison bc gnuplot gdb tcc fio; do
	path=$(PATH=$PATH:/usr/sbin:/sbin command -v $p) && ln -s "$path" "$T/bin/$p"
done
IORIG_CACHE=$T/cache
export IORIG_CACHE
run env PATH="$T/bin" sh rig/deps.sh run
is "$rc $out$errs" "0 " "no apt, nothing missing: nothing is said"
rm "$T/bin/xorriso"
run env PATH="$T/bin" sh rig/deps.sh run
is $rc 0 "no apt, a tool is missing: make goes on"
like "$out" "missing: xorriso" "it is named"
like "$out" "no apt-get; install what these Debian packages hold: xorriso" "and its package"
rm "$T/bin/gcc"
run env PATH="$T/bin" sh rig/deps.sh run
is $rc 1 "no apt and no compiler: it cannot go on"
like "$errs" "cannot go on without gcc" "and says so"

# An apt that only notes what it is asked for.
cat >"$T/bin/apt-get" <<EOF
#!/bin/sh
echo "\$*" >>"$T/asked"
EOF
printf '#!/bin/sh\necho Package: x\n' >"$T/bin/apt-cache"
chmod +x "$T/bin/apt-get" "$T/bin/apt-cache"
ln -s "$(command -v env)" "$T/bin/env"
if [ "$(id -u)" = 0 ]; then
	run env PATH="$T/bin" sh rig/deps.sh run
	like "$(cat "$T/asked")" "install -y --no-install-recommends gcc xorriso" "with apt, as root: the packages are installed"
	like "$out" "deps: running: apt-get install .* gcc xorriso" "what is done is said before"
	is $rc 1 "an installation that brought nothing is noticed"
	like "$errs" "still missing" "and told"
else
	run env PATH="$T/bin" sh rig/deps.sh run
	is $rc 1 "neither root nor sudo: it cannot install"
	like "$errs" "as root run: apt-get install -y gcc xorriso" "and says what to run"
fi
finish
