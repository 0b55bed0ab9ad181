#!/usr/bin/env python3
"""Golden vectors for the exact samplers of src/noise.

An implementation of its own, on Python's integers and fractions, of the contracts in the headers of src/noise. It
shares no code with them and takes other routes where there are any: a Bernoulli draw encloses a uniform number in a
shrinking interval instead of dividing, laws are given by fractions instead of cross products. What must agree is the
outcome of every draw and the number of bits it takes.

Usage: tools/golden/samplers.py > test/unit/golden_samplers.inc
"""

from fractions import Fraction
from math import ceil, isqrt

WORD = (1 << 64) - 1


class Tape:
    """The bits of splitmix64's 64-bit words, least significant first; test/support/bits.h has the same stream."""

    def __init__(self, seed):
        self.state = seed
        self.word = 0
        self.left = 0
        self.used = 0

    def bit(self):
        if self.left == 0:
            self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
            z = self.state
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
            z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
            self.word = z ^ z >> 31
            self.left = 64
        drawn = self.word & 1
        self.word >>= 1
        self.left -= 1
        self.used += 1
        return drawn

    def bits(self, count):
        return sum(self.bit() << i for i in range(count))


def below(tape, m):
    while True:
        drawn = tape.bits((m - 1).bit_length())
        if drawn < m:
            return drawn


def bernoulli(tape, p):
    """U < p for a uniform U, of which only as many binary digits are drawn as decide it."""
    low, width = Fraction(0), Fraction(1)
    while low < p < low + width:
        width /= 2
        low += width * tape.bit()
    return low + width <= p


def bernoulli_exp(tape, x):
    """True with probability e^-x."""
    while x > 1:
        if not bernoulli_exp(tape, Fraction(1)):
            return False
        x -= 1
    k = 1
    while bernoulli(tape, x) and bernoulli(tape, Fraction(1, k)):
        k += 1
    return k % 2 == 1


def geometric(tape, rate):
    while True:
        rest = below(tape, rate.denominator)
        if bernoulli_exp(tape, Fraction(rest, rate.denominator)):
            break
    units = Fraction(rest, rate.denominator)
    while bernoulli_exp(tape, Fraction(1)):
        units += 1
    return units // rate


def discrete_laplace(tape, rate):
    while True:
        sign = -1 if tape.bit() else 1
        magnitude = geometric(tape, rate)
        if sign > 0 or magnitude > 0:
            return sign * magnitude


def two_over_e(tape):
    k = 2
    while bernoulli(tape, Fraction(1, k + 1)):
        k += 1
    return k % 2 == 0


def beyond_step(tape, epsilon, width, step):
    """Beyond the step, a part of a stair of weight (width - step) e^-epsilon, or within it, of weight step."""
    ratio = Fraction(width - step, step)
    doublings = (ceil(ratio) - 1).bit_length() if ratio > 1 else 0
    while True:
        if doublings > epsilon:
            if below(tape, width) < step:
                return False
            if bernoulli_exp(tape, epsilon):
                return True
        else:
            if tape.bit():
                return False
            if (
                bernoulli(tape, ratio / 2**doublings)
                and all(two_over_e(tape) for _ in range(doublings))
                and bernoulli_exp(tape, epsilon - doublings)
            ):
                return True


def staircase(tape, epsilon, width, step):
    while True:
        sign = -1 if tape.bit() else 1
        stair = geometric(tape, epsilon)
        if beyond_step(tape, epsilon, width, step):
            position = step + below(tape, width - step)
        else:
            position = below(tape, step)
        magnitude = stair * width + position
        if sign > 0 or magnitude > 0:
            return sign * magnitude


def discrete_gaussian(tape, variance):
    t = isqrt(variance.numerator // variance.denominator) + 1
    while True:
        y = discrete_laplace(tape, Fraction(1, t))
        if bernoulli_exp(tape, (abs(y) - variance / t) ** 2 / (2 * variance)):
            return y


def relax(tape, coarse, fine, den, noise):
    """The noise of the finer level, rate fine/den, given that of the coarser one."""
    low, high = Fraction(coarse, den), Fraction(fine, den)
    point = Fraction(geometric(tape, Fraction(1, den)), den) % (2 * high)
    sign = -1 if noise < 0 else 1
    if point >= low + high:
        return -sign * (1 + geometric(tape, low + high))
    step = geometric(tape, high - low)
    if step > abs(noise):
        step = abs(noise)
        if point >= 2 * low:
            step += 1 + geometric(tape, low + high)
    return sign * step


def tighten(tape, coarse, fine, den, noise):
    """The noise of the coarser level given that of the finer one."""
    low, high = Fraction(coarse, den), Fraction(fine, den)
    for sign in (1, -1):
        if Fraction(geometric(tape, Fraction(1, den)), den) % high >= low:
            noise += sign * (1 + geometric(tape, low))
    return noise


def nano_rate(nano, sensitivity):
    """The rate epsilon/D, epsilon in billionths."""
    return Fraction(nano, 10**9 * sensitivity)


PRIME_61 = 2**61 - 1
PRIME_89 = 2**89 - 1
PRIME_107 = 2**107 - 1

BELOW = [
    1, 2, 3, 10**9 + 7, 2**32, 2**61 + 1, PRIME_61, 2**63 + 1, 2**64 - 1, 2**64, 2**64 + 1, 3 * 2**64, PRIME_89,
    2**127 + 1, 2**128 - 1,
]

EXPONENTS = [
    Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(7, 1), Fraction(22, 7),
    Fraction(1, 2**61), Fraction(2**61 - 1, 2**61), Fraction(3 * 2**61 + 1, 2**61), Fraction(PRIME_61, PRIME_89),
    Fraction(PRIME_89, PRIME_61), Fraction(PRIME_107 - 1, PRIME_107), Fraction(2**126 - 1, 2**125 + 1),
]

RATES = [
    Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(7), Fraction(1000), Fraction(355, 113),
    Fraction(1, 10**9 + 7), Fraction(1, 2**61), Fraction(PRIME_61, 2**61), Fraction(PRIME_61, PRIME_89),
    Fraction(PRIME_89, PRIME_61), Fraction(1, PRIME_107), nano_rate(1, 1), nano_rate(1, 2**32),
    nano_rate(10**15, 2**32), nano_rate(123456789, 2**32), nano_rate(1, 2**64), nano_rate(10**9, 2**64),
    nano_rate(10**15, 2**64), nano_rate(10**15, 1), nano_rate(999999937, 2**64 - 59),
]

STAIRCASES = [
    (Fraction(1), 1, 1), (Fraction(1), 2, 1), (Fraction(1, 2), 5, 2), (Fraction(7, 3), 10, 10), (Fraction(10), 1000, 7),
    (Fraction(2), 3, 1), (Fraction(40), 2**32, 9), (Fraction(10**6), 2**64, 1), (Fraction(64), 2**64, 1),
    (Fraction(1, 2**61), 2**32, 2**31 + 1), (Fraction(123456789, 10**9), 2**53, 2**51 + 12345),
    (Fraction(1, 10**9), 2**64, 2**63 - 25), (Fraction(10**6), 2**64, 2**63 + 1),
    (Fraction(PRIME_61, 2**61), PRIME_89, PRIME_61),
]

# Variances mantissa * 2^exponent.
GAUSSIANS = [
    (1, 0), (2, 0), (3, 0), (4, 0), (1, -2), (1, -10), (1, -140), (2**64 - 1, -140), (2**64 - 1, -64), (2**64 - 1, -63),
    (PRIME_61, -52), (6755399441055744, -40), (5, 30), (2**64 - 1, 0), (2**53 + 1, 64), (1, 140), (2**64 - 1, 140),
    (1, -200), (1, 200),
]

# Two rates over one denominator, and the noise at hand.
RELAXATIONS = [
    (1, 2, 2, 0), (1, 2, 2, 3), (1, 2, 2, -3), (2, 3, 1, -1), (7, 9, 4, 5), (355, 1000, 113, -2), (1, 1000, 1000, 400),
    (1, 2, 2**61, 2**60), (PRIME_61 - 1, PRIME_61, 2**61, -7), (PRIME_61, 2**62, PRIME_89, -10**8),
    (PRIME_61, PRIME_89, PRIME_107, 3 * 10**13), (10**8, 10**9, 10**9 * 2**32, -(2**33)),
    (123456789, 987654321, 10**9 * 2**32, 2**35), (999999937, 10**9, 10**9 * (2**64 - 59), 10**20),
    (999999937, 10**9, 10**9 * (2**64 - 59), -(2**126)), (1, 3, 2**122 - 3, -(2**120)), (1, 3, 2**122 - 3, 2**122),
    (PRIME_107 - 2, PRIME_107 - 1, PRIME_107, 1),
]

DRAWS = 12


def draw(seed, sample, draws=DRAWS):
    """The outcomes as one string, and the number of bits they took."""
    tape = Tape(seed)
    outcomes = [sample(tape) for _ in range(draws)]
    return f'{tape.used}, "{" ".join(str(int(outcome)) for outcome in outcomes)}")'


def text(*numbers):
    return ", ".join(f'"{number}"' for number in numbers)


def main():
    print("// Written by tools/golden/samplers.py. Do not edit: run it again.")
    print("//")
    print("// GOLDEN_<sampler>(parameters, seed of the tape, bits used, outcomes).")
    seeds = iter(range(1, 1 << 30))
    for m in BELOW:
        seed = next(seeds)
        print(f"GOLDEN_BELOW({text(m)}, {seed}, {draw(seed, lambda tape: below(tape, m))}")
    for p in EXPONENTS:
        if p <= 1:
            seed = next(seeds)
            outcome = draw(seed, lambda tape: bernoulli(tape, p), 64)
            print(f"GOLDEN_BERNOULLI({text(p.numerator, p.denominator)}, {seed}, {outcome}")
    for x in EXPONENTS:
        seed = next(seeds)
        outcome = draw(seed, lambda tape: bernoulli_exp(tape, x), 64)
        print(f"GOLDEN_BERNOULLI_EXP({text(x.numerator, x.denominator)}, {seed}, {outcome}")
    for name, sample in (("GEOMETRIC", geometric), ("LAPLACE", discrete_laplace)):
        for rate in RATES:
            seed = next(seeds)
            outcome = draw(seed, lambda tape: sample(tape, rate))
            print(f"GOLDEN_{name}({text(rate.numerator, rate.denominator)}, {seed}, {outcome}")
    for epsilon, width, step in STAIRCASES:
        seed = next(seeds)
        outcome = draw(seed, lambda tape: staircase(tape, epsilon, width, step))
        print(f"GOLDEN_STAIRCASE({text(epsilon.numerator, epsilon.denominator, width, step)}, {seed}, {outcome}")
    for mantissa, exponent in GAUSSIANS:
        seed = next(seeds)
        variance = mantissa * Fraction(2) ** exponent
        outcome = draw(seed, lambda tape: discrete_gaussian(tape, variance))
        print(f'GOLDEN_GAUSSIAN({text(mantissa)}, {exponent}, {seed}, {outcome}')
    for name, sample in (("RELAX", relax), ("TIGHTEN", tighten)):
        for coarse, fine, den, noise in RELAXATIONS:
            seed = next(seeds)
            outcome = draw(seed, lambda tape: sample(tape, coarse, fine, den, noise))
            print(f"GOLDEN_{name}({text(coarse, fine, den, noise)}, {seed}, {outcome}")


if __name__ == "__main__":
    main()
