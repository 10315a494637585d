#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The manual pages are well formed and name every command and option that there is.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
for page in rig/docs/*.[1-9]; do
	if command -v mandoc >/dev/null; then
		bad=$(mandoc -T lint -W warning "$page" 2>&1)
		is "$bad" "" "$page is well formed"
	else
		skip "$page" "mandoc is not installed"
	fi
done
page=$(sed 's/\\-/-/g; s/\\&//g' rig/docs/iorig.1)
commands=$("$IORIG" --help | sed -n 's/^  \([a-z-]*\)  *.*/\1/p')
[ -n "$commands" ]
ok $? "the commands are known"
for c in $commands; do
	like "$page" "(Ic|Cm|Nm iorig) $c" "the manual knows the command $c"
	# A first word of two dashes at the start of a --help line is an option.
	for o in $("$IORIG" "$c" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE '\-\-[a-z-]+'); do
		case $o in --help|--usage|--version) continue ;; esac
		like "$page" "(Fl Fl |-)-?${o#--}" "the manual knows $c $o"
	done
done
missing=$(grep -oE 'Fl Fl [a-z-]+' rig/docs/iorig.1 | sort -u | while read -r _ _ o; do
	for c in $commands; do "$IORIG" "$c" --help; done | grep -q -- "--$o" || echo "$o"; done)
is "$missing" "" "the manual names no option that there is not"
finish
