#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# No warning from gcc or clang in any file, every header compiles alone, cppcheck is content.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
flags="-std=gnu11 -D_GNU_SOURCE -Irig -Iimages -DIORIG_VERSION=\"0\" -Wall -Wextra
	-Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wvla -Werror -fsyntax-only"
sources="$(ls rig/*/*.c rig/tests/unit/*.c images/agent/*.c)"
headers="$(ls rig/*/*.h images/agent/*.h)"

for cc in gcc clang; do
	command -v $cc >/dev/null || { skip "$cc" "$cc is not installed"; continue; }
	printf 'int f(int a)\n{\n\tint b;\n\treturn a;\n}\n' >"$T/planted.c"
	! $cc $flags "$T/planted.c" 2>/dev/null
	ok $? "$cc refuses a planted fault"
	bad=$(echo "$sources" | xargs -P2 -n8 $cc $flags 2>&1)
	ok $? "$cc has nothing to say about any source" "$bad"
	bad=$(for h in $headers; do
		echo "#include \"${h#*/}\"" | $cc $flags -x c - 2>&1 || echo "$h"
	done)
	is "$bad" "" "$cc compiles every header alone"
done

if command -v cppcheck >/dev/null; then
	bad=$(cppcheck --quiet -j2 --std=c11 -Irig -Iimages --enable=warning,portability \
		--inline-suppr --suppress=varFuncNullUB --suppress=missingIncludeSystem --error-exitcode=1 \
		$(ls rig/*/*.c images/agent/*.c) 2>&1)
	ok $? "cppcheck finds nothing" "$bad"
else
	skip "cppcheck" "cppcheck is not installed"
fi
finish
