#!/usr/bin/env python3
"""Golden vectors for src/core/accumulate/pairs.h: what some tables of pairs say, computed from their rows with fractions.

An implementation of its own: sums over rows of what each value is off from its average, as the textbook has them, and the
numbers of the vector from polynomials that are multiplied out. Only the root of a correlation is rounded, to 40 digits.

Usage: tools/golden/pairs.py > test/unit/golden_pairs.inc
"""

from fractions import Fraction
from math import isqrt

WORD = (1 << 64) - 1


def words(seed):
    """splitmix64"""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & WORD
        z = seed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        yield z ^ z >> 31


def root(x):
    digits = 10**40
    return Fraction(isqrt(x.numerator * digits**2 // x.denominator), digits)


def table(seed, count, y_range, x_range, slope):
    """Pairs of steps; of about every seventh one is missing."""
    rows, draw = [], words(seed)
    for _ in range(count):
        x = next(draw) % (x_range + 1)
        noise = next(draw) % (y_range + 1)
        y = (slope * x * y_range // x_range + (4 - slope) * noise) // 4
        rows.append((None, x) if next(draw) % 7 == 0 else (min(max(y, 0), y_range), x))
    return rows


def numbers(rows, y_range, x_range, degree):
    choose = {1: (1, 1), 2: (1, 2, 1)}[degree]
    found = []
    for i, m in enumerate(choose):
        for j, n in enumerate(choose):
            found.append(sum(m * y ** (degree - i) * (y_range - y) ** i * n * x ** (degree - j) * (x_range - x) ** j
                             for y, x in rows if y is not None))
    return found + [(y_range * x_range) ** degree * sum(y is None for y, _ in rows)]


def says(rows, y_lower, y_step, x_lower, x_step):
    pairs = [(y_lower + y_step * y, x_lower + x_step * x) for y, x in rows if y is not None]
    n = len(pairs)
    avgy, avgx = sum(y for y, _ in pairs) / n, sum(x for _, x in pairs) / n
    sxy = sum((y - avgy) * (x - avgx) for y, x in pairs)
    sxx, syy = sum((x - avgx) ** 2 for _, x in pairs), sum((y - avgy) ** 2 for y, _ in pairs)
    r2 = sxy**2 / (sxx * syy) if sxx * syy else Fraction(0)
    corr = root(r2) * (-1 if sxy < 0 else 1)
    slope = sxy / sxx if sxx else Fraction(0)
    return [len(rows), n, avgx, avgy, sxy, sxy / n, sxy / (n - 1) if n > 1 else sxy / n, sxx, syy, corr, r2, slope,
            avgy - slope * avgx]


def main():
    print("// Made by tools/golden/pairs.py.")
    cases = [(1, 12, 3, 2, 4), (2, 40, 100, 7, 3), (3, 30, 65536, 65536, 1), (4, 25, 50, 1000, -2), (5, 2, 9, 9, 2), (6, 30, 1, 1, 3)]
    for seed, count, y_range, x_range, slope in cases:
        rows = table(seed, count, y_range, x_range, slope)
        y_lower, x_lower, y_exponent, x_exponent = Fraction(seed - 3), Fraction(10 * seed), -seed, 2 - seed
        print("{")
        print(f"    {y_range}, {x_range}, {float(y_lower)}, {float(x_lower)}, {y_exponent}, {x_exponent},")
        print("    {" + ", ".join(f"{{{-1 if y is None else y}, {x}}}" for y, x in rows) + "},")
        for degree in (1, 2):
            print("    {" + ", ".join(f'"{n}"' for n in numbers(rows, y_range, x_range, degree)) + "},")
        found = says(rows, y_lower, Fraction(2)**y_exponent, x_lower, Fraction(2)**x_exponent)
        print("    {" + ", ".join(repr(float(value)) for value in found) + "},")
        print("},")


main()
