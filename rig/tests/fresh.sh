#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Try a checkout of this tree as a stranger would, in a fresh Debian root made by debootstrap with
# only make, gcc and git added: run make with the given goals there, then, with --offline, once
# more without a network. Needs root and debootstrap; packages come from where apt gets them here.
# Usage: fresh.sh [--suite bookworm] [--root DIR] [--offline] [--user] -- GOAL...
set -eu
suite=bookworm root= offline= user=
while [ $# -gt 0 ]; do
	case $1 in
	--suite)   suite=$2; shift ;;
	--root)    root=$2; shift ;;
	--offline) offline=yes ;;
	--user)    user=yes ;;
	--)        shift; break ;;
	*)         echo "fresh.sh: unknown option $1" >&2; exit 129 ;;
	esac
	shift
done
[ "$(id -u)" = 0 ] || { echo "fresh.sh: needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "fresh.sh: install debootstrap first" >&2; exit 1; }
top=$(cd "$(dirname "$0")/../.." && pwd)
root=${root:-${TMPDIR:-/tmp}/iorig-fresh-$suite}
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/\{0,1\}$')

unmount() {
	for m in dev/pts dev proc sys; do
		mountpoint -q "$root/$m" && umount -l "$root/$m"
	done
	true
}
trap unmount EXIT
trap 'exit 1' INT TERM HUP

if [ ! -e "$root/etc/fresh-done" ]; then
	rm -rf "$root"
	debootstrap --variant=minbase --include=make,gcc,git,ca-certificates "$suite" "$root" "$mirror" \
		>"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
	cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
	rm -f "$root"/etc/apt/apt.conf.d/*postgresql "$root"/etc/apt/apt.conf.d/docker-*
	: >"$root/etc/fresh-done"
fi
for m in proc sys dev; do
	mountpoint -q "$root/$m" || mount --rbind "/$m" "$root/$m"
done
rm -rf "$root/src"
git clone -q "$top" "$root/src"

echo "fresh.sh: $suite, make $*"
start=$(date +%s)
status=0
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
	chroot "$root" make -C /src "$@" || status=$?
echo "fresh.sh: make $* ended with status $status after $(($(date +%s) - start)) s"
[ $status = 0 ] || exit $status
if [ -n "$offline" ]; then
	start=$(date +%s)
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
		unshare -n chroot "$root" make -C /src "$@" || status=$?
	echo "fresh.sh: offline: make $* ended with status $status after $(($(date +%s) - start)) s"
fi
if [ -n "$user" ] && [ $status = 0 ]; then
	chroot "$root" sh -c 'id stranger >/dev/null 2>&1 || useradd -M -d /stranger stranger
		rm -rf /stranger && mkdir /stranger && cp -r ~root/.cache /src /stranger/
		rm -rf /stranger/src/build /stranger/src/results && chown -R stranger: /stranger'
	start=$(date +%s)
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/stranger TERM=dumb unshare -n chroot \
		--userspec=stranger "$root" make -C /stranger/src "$@" || status=$?
	echo "fresh.sh: as a user, offline: make $* ended with status $status after $(($(date +%s) - start)) s"
fi
exit $status
