#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The page in a browser: nothing on its console, nothing asked for from anywhere, every picture
# drawn, nothing wider than a phone or a screen, no option of a command broken in two, a PDF; of a
# plain run, of two, of a patched one beside its base, and of a hostile one.
. "$(dirname "$0")/../lib.sh"
browser=$(command -v chromium || command -v chromium-browser) ||
	skip_all "chromium is not installed"
perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"
cd "$T" || exit 1

# chrome ARGUMENT...: one that reaches nobody, whatever it would like to tell its makers.
chrome() {
	HOME=$T timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-extensions \
		--disable-background-networking --disable-component-update --disable-sync \
		--disable-default-apps --no-first-run --user-data-dir="$T/profile" \
		--disable-dev-shm-usage --hide-scrollbars --host-resolver-rules='MAP * ~NOTFOUND' \
		--allow-file-access-from-files --enable-logging=stderr "$@" </dev/null
}

# What a page looks like from inside at a width: as "KEY VALUE;" in the dumped document.
measure() {
	cat >frame.html <<EOF
<!DOCTYPE html><body><iframe id="f" style="width:$2px;height:900px;border:0"></iframe><p id="o"></p>
<script>
f.onload = () => {
	const d = f.contentDocument, root = d.documentElement;
	d.querySelectorAll('details').forEach(e => e.open = true);
	const drawn = [...d.querySelectorAll('svg')].filter(s => {
		const b = s.getBoundingClientRect();
		return b.width > 100 && b.height > 30 && s.querySelector('path[d]') && b.right <= $2;
	});
	const wide = [...d.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > $2 + 1);
	// where an option and what it is set to stand in two lines although there is room for one
	const broken = [...d.querySelectorAll('pre.cmd .w')].filter(w => {
		const o = w.querySelector('.o'), line = parseFloat(getComputedStyle(w).lineHeight);
		const height = w.getBoundingClientRect().height;
		return (o && o.getClientRects().length > 1) ||
			(height > 1.5 * line && w.textContent.length * 9 < $2 - 80);
	});
	const blank = [...d.querySelectorAll('svg path')].filter(p => /NaN|Inf|undefined/.test(p.getAttribute('d')));
	o.textContent = 'GOT svg ' + d.querySelectorAll('svg').length + '; drawn ' + drawn.length + '; scroll ' +
		root.scrollWidth + '; wide ' + wide.length + (wide[0] ? ' ' + wide[0].tagName : '') + '; bad ' +
		blank.length + '; asked ' + f.contentWindow.performance.getEntriesByType('resource').length +
		'; broken ' + broken.length + (broken[0] ? ' ' + broken[0].textContent : '') +
		'; words ' + d.querySelectorAll('pre.cmd .w').length + '; scripts ' + d.querySelectorAll('script').length + '; END';
};
f.src = 'file://$1';
</script></body>
EOF
	chrome --virtual-time-budget=20000 --dump-dom "file://$T/frame.html" >dom 2>log
	got=$(grep -o 'GOT svg [0-9].*END' dom)
}

field() {
	printf '%s' "$got" | sed -n "s/.*[ ;]$1 \([^;]*\);.*/\1/p"
}

check_page() {
	for width in 360 400 1400; do
		measure "$T/$1" $width
		n=$(field svg)
		[ "${n:-0}" -gt 4 ]
		ok $? "$1 at $width: has pictures" "$got"
		is "$(field drawn)" "$n" "$1 at $width: every picture is drawn"
		is "$(field scroll)" $width "$1 at $width: does not scroll sideways"
		is "$(field wide)" 0 "$1 at $width: nothing is wider"
		is "$(field bad) $(field scripts)" "0 0" "$1 at $width: no bad path, no script"
		is "$(grep -c 'CONSOLE' log)" 0 "$1 at $width: nothing on the console"
		is "$(field asked)" 0 "$1 at $width: nothing asked for"
		is "$(field broken)" 0 "$1 at $width: no option is broken"
		[ "$(field words)" -gt 5 ]
		ok $? "$1 at $width: there are commands" "$got"
	done
	chrome --print-to-pdf="$T/page.pdf" --no-pdf-header-footer "file://$T/$1" >/dev/null 2>&1
	is "$(head -c 5 page.pdf)" "%PDF-" "$1: prints"
	rm -f page.pdf
}

perl "$TOP/rig/tests/make_run.pl" a && perl "$TOP/rig/tests/make_run.pl" b kernel=patched slow=0.7 &&
perl "$TOP/rig/tests/make_run.pl" c evil=1 kind=broken &&
perl "$TOP/rig/tests/make_run.pl" 20261130T170405Z-debian source=a stall=1 &&
perl "$TOP/rig/tests/make_run.pl" 20261130T170505Z-debian_global-dirty-limit source=a slow=2 patch=global-dirty-limit &&
"$IORIG" report --html=patched.html 20261130T170505Z-debian_global-dirty-limit 2>/dev/null &&
"$IORIG" report --html=one.html a 2>/dev/null && "$IORIG" report --html=two.html a b 2>/dev/null &&
"$IORIG" report --html=evil.html c 2>/dev/null
ok $? "pages were made"
check_page one.html
check_page two.html
check_page patched.html
check_page evil.html

# The measurement sees what it should: a wide picture, a request, a script's complaint.
sed 's|</main>|<svg style="width:3000px;height:50px"><path d="M0 0h9"/></svg></main>|' one.html >wide.html
measure "$T/wide.html" 360
[ "$(field drawn)" != "$(field svg)" ] && [ "$(field scroll)" -gt 360 ] && [ "$(field wide)" != 0 ]
ok $? "a planted fault is seen: too wide" "$got"
sed 's|\.o{white-space:nowrap}||; s|pre.cmd .w{|pre.cmd .w{width:4em;|' one.html >torn.html
measure "$T/torn.html" 360
[ "$(field broken)" != 0 ]
ok $? "a planted fault is seen: a broken option"
sed -e 's|<meta http-equiv[^>]*>||' -e 's|</main>|<script>console.error(1)</script><img src="http://e.test/x"></main>|' \
	one.html >loud.html
measure "$T/loud.html" 360
[ "$(grep -c CONSOLE log)" -gt 0 ]
ok $? "a planted fault is seen: the console"
[ "$(field asked)" -gt 0 ]
ok $? "a planted fault is seen: a request"
finish
