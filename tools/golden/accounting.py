#!/usr/bin/env python3
"""Golden vectors for src/core/accounting: divergences and limits of Rényi accounts, computed with 60 digits of mpmath.

An implementation of its own of the formulas in the headers there. Divergences of randomised response are summed up
from its two probabilities, and those of a step from one level of a path to the next one from the joint law of the two
levels' losses, not by the closed forms that the library has.

Usage: tools/golden/accounting.py > test/unit/golden_accounting.inc
"""

from mpmath import ceil, exp, floor, log, mp, mpf

mp.dps = 60
ORDERS = [mpf(twice) / 2 for twice in (3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)]
UNIT = 10**12


def charge(curve, most):
    return [int(ceil(min(curve(a), most) * UNIT)) + 1 for a in ORDERS]


def divergence(p, q, a):
    return log(sum(x**a * y ** (1 - a) for x, y in zip(p, q))) / (a - 1)


def response(epsilon):
    p = 1 / (1 + exp(-epsilon))
    return lambda a: divergence((p, 1 - p), (1 - p, p), a)


def choice(epsilon):
    return lambda a: min(response(epsilon)(a), a * epsilon**2 / 8)


def step_given(first, second, a):
    """The law of the second loss, +-second, given that the first one was `first`: under Q its mean of e^loss is e^first."""
    up = (exp(first) - exp(-second)) / (exp(second) - exp(-second))
    q = (up, 1 - up)
    p = (up * exp(second - first), (1 - up) * exp(-second - first))
    assert abs(sum(p) - 1) < mpf(10) ** -50
    return divergence(p, q, a)


def step_of_counts(first, second):
    return lambda a: max(step_given(first, second, a), step_given(-first, second, a))


def step(first, second):
    """The worst first loss: by golden section, because there is one maximum."""

    def worst(a):
        low, high = -first, first
        ratio = (mpf(5) ** 0.5 - 1) / 2
        for _ in range(300):
            x, y = high - ratio * (high - low), low + ratio * (high - low)
            if step_given(x, second, a) < step_given(y, second, a):
                low = x
            else:
                high = y
        return max(step_given(t, second, a) for t in (low, high, first, -first))

    return worst


def gaussian_step(first, second):
    """From sigma 1/first to 1/second, at shift one: the finer noise given the coarser one is normal, and moves by 1 - k."""

    def curve(a):
        if first == 0:
            return a * second**2 / 2
        k = first**2 / second**2
        return a * (1 - k) ** 2 / (2 * (1 - k) / second**2)

    return curve


def limits(epsilon, delta):
    shift = lambda a: (log(delta / 16) - a * log(1 - 1 / a) + log(a - 1)) / (a - 1)
    return [int(floor((epsilon + shift(a)) * UNIT)) - 1 for a in ORDERS]


def nano(text):
    return int(mpf(text) * 10**9)


def row(head, numbers):
    print("    {%s, {{%s}}}," % (head, ", ".join(str(n) for n in numbers)))


def main():
    print("// Written by tools/golden/accounting.py.")
    print("constexpr GoldenLoss kGoldenLosses[] = {")
    for text in ("0.000000001", "0.001", "0.1", "0.5", "1", "5", "20", "100"):
        epsilon = mpf(text)
        row("{Loss::Kind::pure, %d}" % nano(text), charge(response(epsilon), epsilon))
    for text in ("0.001", "0.1", "1", "5", "20"):
        epsilon = mpf(text)
        row("{Loss::Kind::range, %d}" % nano(text), charge(choice(epsilon), epsilon))
    for first, second in (("0.1", "0.2"), ("0.5", "1"), ("0.05", "1"), ("1", "5")):
        one, two = mpf(first), mpf(second)
        row("{Loss::Kind::relax_count, %d, %d}" % (nano(second), nano(first)), charge(step_of_counts(one, two), one + two))
        row("{Loss::Kind::relax, %d, %d}" % (nano(second), nano(first)), charge(step(one, two), one + two))
    for first, second in (("0", "0.000000001"), ("0", "0.1"), ("0", "1"), ("0.1", "0.2"), ("0.5", "1"), ("1", "5")):
        one, two = mpf(first), mpf(second)
        row("{Loss::Kind::gaussian, %d, %d}" % (nano(second), nano(first)), charge(gaussian_step(one, two), mpf("inf")))
    print("};")
    print("constexpr GoldenLimits kGoldenLimits[] = {")
    for epsilon, delta in ((1, "1e-6"), (2, "1e-6"), (5, "1e-6"), (10, "1e-6"), (10, "5e-7"), (3, "1e-9")):
        row("%d, %d" % (epsilon * 10**9, int(mpf(delta) * 10**18)), limits(mpf(epsilon), mpf(delta)))
    print("};")


if __name__ == "__main__":
    main()
