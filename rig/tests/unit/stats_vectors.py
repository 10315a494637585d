#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make stats_vectors.h: what stats/ has to agree with, from programs that share nothing with it.

Distributions, the noncentral t and the rank test without ties are SciPy's (1.10); with ties, and
for families of comparisons, every relabelling is enumerated here in whole numbers or fractions.
Run by hand:  python3 rig/tests/unit/stats_vectors.py >rig/tests/unit/stats_vectors.h
"""
import itertools
import math
import random
from fractions import Fraction

from scipy import stats

random.seed(20)


def floats(v):
    return "{ " + ", ".join("%.17g" % x for x in v) + " }"


def doubled_u(a, b):
    return sum(2 * (y > x) + (y == x) for x in a for y in b)


def tails(a, b):
    pool, n, u = a + b, len(b), doubled_u(a, b)
    less = greater = count = 0
    for at in itertools.combinations(range(len(pool)), n):
        other = [pool[i] for i in range(len(pool)) if i not in at]
        w = doubled_u(other, [pool[i] for i in at])
        less += w <= u
        greater += w >= u
        count += 1
    return Fraction(less, count), Fraction(greater, count)


def rank_rows():
    for m, n, top in ((3, 3, 9), (4, 4, 3), (5, 5, 4), (5, 7, 9), (2, 8, 5), (6, 6, 2),
                      (7, 6, 6), (1, 9, 99), (4, 3, 0)):
        a = [random.randint(0, top) for _ in range(m)]
        b = [random.randint(0, top) + random.randint(0, 2) * (top > 0) for _ in range(n)]
        less, greater = tails(a, b)
        yield a, b, doubled_u(a, b) / 2, float(less), float(greater)
    for m, n in ((8, 8), (10, 12), (25, 20), (40, 45)):
        a = [round(random.gauss(10, 1), 9) for _ in range(m)]
        b = [round(random.gauss(10.7, 1), 9) for _ in range(n)]
        r = [stats.mannwhitneyu(b, a, alternative=w, method="exact") for w in ("less", "greater")]
        yield a, b, r[0].statistic, r[0].pvalue, r[1].pvalue
    a = [random.randint(0, 30) for _ in range(60)]
    b = [random.randint(3, 33) for _ in range(70)]
    r = [stats.mannwhitneyu(b, a, alternative=w, method="asymptotic") for w in ("less", "greater")]
    yield a, b, r[0].statistic, r[0].pvalue, r[1].pvalue


def abs_t(values, at):
    b = [values[i] for i in at]
    a = [values[i] for i in range(len(values)) if i not in at]
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    ss = sum((x - ma) ** 2 for x in a) + sum((x - mb) ** 2 for x in b)
    if ma == mb:
        return Fraction(0)
    return (mb - ma) ** 2 / ss if ss else Fraction(10 ** 30)


def family():
    """Two blocks (3 + 4 and 4 + 3), five rows; every pair of relabellings, t squared as fractions."""
    shape = [(3, 4), (4, 3)]
    rows = [(0, [10, 12, 11, 15, 17, 14, 16]), (0, [5, 9, 2, 8, 4, 3, 7]),
            (0, [20, 25, 21, 41, 45, 30, 38]), (1, [7, 7, 7, 7, 9, 9, 9]),
            (1, [100, 140, 90, 130, 180, 120, 105])]
    rows = [(k, [Fraction(x) for x in v]) for k, v in rows]
    factor = [Fraction((m + n - 2) * m * n, m + n) for m, n in shape]
    seen = [abs_t(v, range(shape[k][0], 7)) * factor[k] for k, v in rows]
    order = sorted(range(len(rows)), key=lambda i: seen[i])
    count = [0] * len(rows)
    total = 0
    for first in itertools.combinations(range(7), shape[0][1]):
        one = {i: abs_t(rows[i][1], first) * factor[0] for i in range(len(rows)) if not rows[i][0]}
        for second in itertools.combinations(range(7), shape[1][1]):
            total += 1
            most = Fraction(0)
            for i in order:
                k, v = rows[i]
                most = max(most, one[i] if not k else abs_t(v, second) * factor[1])
                count[i] += most >= seen[i]
    p = [0.0] * len(rows)
    least = 0.0
    for i in reversed(order):
        least = max(least, count[i] / total)
        p[i] = least
    return [(k, v, math.sqrt(t) if t < 10 ** 20 else -1, q)
            for (k, v), t, q in zip(rows, seen, p)]


def power(delta, n, alpha):
    return stats.nct.sf(stats.t.ppf(1 - alpha / 2, 2 * n - 2), 2 * n - 2, delta * math.sqrt(n / 2))


print("/* SPDX-License-Identifier: GPL-2.0-only */")
print("/* Made by stats_vectors.py, which says from what. Not to be edited. */")
print("#ifndef UNIT_STATS_VECTORS_H\n#define UNIT_STATS_VECTORS_H\n")
print("static const struct { double z, p; } normal_rows[] = {")
for z in (-38, -8, -3.5, -1.959963984540054, -0.1, 0, 0.5, 2.3263478740408408, 5):
    print("\t{ %.17g, %.17g }," % (z, stats.norm.cdf(z)))
print("};\n\nstatic const struct { double t, df, p; } t_rows[] = {")
for t, df in ((-12.706204736, 1), (-2.306, 8), (-0.01, 3), (0, 5), (0.7, 2.5), (2.9, 18),
              (6, 4), (-40, 7), (-4, 300), (1.5, 5000)):
    print("\t{ %.17g, %.17g, %.17g }," % (t, df, stats.t.cdf(t, df)))
print("};\n\nstatic const struct { int k, n; double p; } coin_rows[] = {")
for k, n in ((0, 5), (1, 10), (5, 20), (39, 100), (499, 999), (-1, 4), (7, 7)):
    print("\t{ %d, %d, %.17g }," % (k, n, stats.binom.cdf(k, n, 0.5)))
print("};\n\nstatic const struct {\n\tsize_t m, n;\n\tdouble a[60], b[70];\n"
      "\tdouble u, less, greater;\n} rank_rows[] = {")
for a, b, u, less, greater in rank_rows():
    def wrap(v):
        text = floats(v)
        out, line = [], ""
        for word in text.split(" "):
            if len(line) + len(word) > 80:
                out.append(line)
                line = ""
            line += (" " if line else "") + word
        return "\n\t  ".join(out + [line])
    print("\t{ %d, %d,\n\t  %s,\n\t  %s,\n\t  %.17g, %.17g, %.17g }," %
          (len(a), len(b), wrap(a), wrap(b), u, less, greater))
print("};\n\n/* blocks of 3 + 4 and of 4 + 3 values; t < 0: nothing varies within the groups */")
print("static const struct { size_t block; double v[7], t, p; } family_rows[] = {")
for k, v, t, p in family():
    print("\t{ %d, %s, %.17g, %.17g }," % (k, floats(v), t, p))
print("};\n\n/* power of the two-sided t test of n + n values, difference in units of sd */")
print("static const struct { double difference; size_t n; double alpha, power; } power_rows[] = {")
for delta, n, alpha in ((2.024, 5, 0.05), (1.5, 8, 0.05), (0.9, 20, 0.05), (3.4, 5, 0.01),
                        (0.5, 64, 0.05), (4, 8, 0.0005)):
    print("\t{ %.17g, %d, %.17g, %.17g }," % (delta, n, alpha, power(delta, n, alpha)))
print("};\n\n#endif")
