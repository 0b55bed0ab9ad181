#!/usr/bin/env python3
"""Golden values for src/core/accumulate/prefix_sums: entries and lengths of square roots, and the errors of prefix sums.

An implementation of its own: the series of (1 - z)^(-1/2) by binomial coefficients in exact fractions, variances of trees
by the normal equations (a Cholesky factorisation of W'W for the matrix W that is written out), of roots by inverting
their columns with 50 digits and without rounding them to integers.

Usage: tools/golden/prefix_sums.py > test/unit/golden_prefix_sums.inc
"""

from fractions import Fraction
from math import comb, exp, isqrt, sqrt

from mpmath import mp, mpf
from mpmath import sqrt as root

mp.dps = 50


def series(size):
    return [Fraction(comb(2 * k, k), 4**k) for k in range(size)]


def rounded(fraction):
    return (2 * fraction.numerator + fraction.denominator) // (2 * fraction.denominator)


def above(square):
    least = isqrt(square)
    return least if least * least == square else least + 1


def integer_root(size):
    """T and D as integers, and the longest column of their product."""
    entries = [rounded(f * 2**16) for f in series(size)]
    factors = [2**30 // above(sum(t * t for t in entries[: size - j])) for j in range(size)]
    return entries, factors, max(d * d * sum(t * t for t in entries[: size - j]) for j, d in enumerate(factors))


def root_errors(size):
    coefficients = [mpf(f.numerator) / f.denominator for f in series(size)]
    norms = [root(sum(f * f for f in coefficients[: size - j])) for j in range(size)]
    inverse = [mpf(1)]
    for i in range(1, size):
        inverse.append(-sum(coefficients[k] * inverse[i - k] for k in range(1, i + 1)))
    variances = [mpf(0)] * size
    for k in range(size):
        shown = mpf(0)
        for j in range(k, size):
            shown += inverse[j - k] * norms[j]
            variances[j] += shown * shown
    return float(root(sum(variances) / size)), float(root(max(variances)))


def nodes(size, branching):
    """The leaves of each node, level by level."""
    level = [[i] for i in range(size)]
    found = list(level)
    while branching > 1 and len(level) > branching:
        level = [sum(level[i : i + branching], []) for i in range(0, len(level), branching)]
        found += level
    return found


def tree_errors(size, branching):
    gram = [[0.0] * size for _ in range(size)]
    for leaves in nodes(size, branching):
        for i in leaves:
            for j in leaves:
                gram[i][j] += 1
    factor = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = gram[i][j] - sum(factor[i][k] * factor[j][k] for k in range(j))
            factor[i][j] = sqrt(rest) if i == j else rest / factor[j][j]
    variances = []
    for last in range(1, size + 1):
        half = []
        for i in range(size):
            half.append(((1.0 if i < last else 0.0) - sum(factor[i][k] * half[k] for k in range(i))) / factor[i][i])
        variances.append(sum(x * x for x in half))
    return sqrt(sum(variances) / size), sqrt(max(variances))


def levels(size, branching):
    count, level = 1, size
    while branching > 1 and level > branching:
        level = -(-level // branching)
        count += 1
    return count


def main():
    print("// Written by tools/golden/prefix_sums.py. Do not edit: run it again.")
    print("#include <cstdint>")
    print("struct GoldenErrors {\n  int buckets;\n  int branching;\n  double mean;\n  double largest;\n};")
    print("constexpr GoldenErrors kGoldenErrors[] = {")
    trees = {}
    for size in (1, 8, 16, 20, 32, 33, 64, 100, 128, 200):
        for branching in (1, 8, 16):
            trees[size, branching] = tree_errors(size, branching)
            print("    {%d, %d, %.12g, %.12g}," % (size, branching, *trees[size, branching]))
    for size in (1, 2, 32, 128, 512):
        print("    {%d, 0, %.12g, %.12g}," % (size, *root_errors(size)))
    print("};")
    print("struct GoldenRoot {\n  int buckets;\n  int row;\n  int column;\n  std::int64_t entry;\n  std::uint64_t l2_squared;\n};")
    print("constexpr GoldenRoot kGoldenRoots[] = {")
    for size in (1, 2, 32, 512):
        entries, factors, square = integer_root(size)
        for row, column in ((0, 0), (size - 1, 0), (size - 1, size - 1), (size - 1, size // 2), (size // 2, size // 3)):
            print("    {%d, %d, %d, %d, %d}," % (size, row, column, entries[row - column] * factors[column], square))
    print("};")
    print("struct GoldenBest {\n  int buckets;\n  int branching;\n};")
    print("constexpr GoldenBest kGoldenBest[] = {")
    for size in (1, 8, 16, 20, 32, 64, 100, 128, 200):
        best = min((1, 8, 16), key=lambda b: levels(size, b) * trees[size, b][0])
        print("    {%d, %d}," % (size, best))
    print("};")


if __name__ == "__main__":
    main()
