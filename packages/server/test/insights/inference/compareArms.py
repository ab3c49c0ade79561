"""Recomputes the comparison of two arms with Python's standard library, by other algorithms than the server's.

    python3 compareArms.py > compareArms.json

p-values of Student's t and posterior probabilities are integrated numerically, exact tests use exact fractions, and
intervals are found by searching for the differences at which the test statistic reaches its critical value.
"""
import json
import math
import random
from fractions import Fraction
from statistics import NormalDist

NORMAL = NormalDist()
RHO_SQUARED = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1) / 5000
CAUTION, LINEAR_FROM = 4, 6


def simpson(function, low, high, steps=4000):
    width = (high - low) / steps
    inner = sum((4 if n % 2 else 2) * function(low + n * width) for n in range(1, steps))
    return (function(low) + inner + function(high)) * width / 3


def root(function, inside, outside):
    """The point between both at which the sign of the function changes."""
    sign = function(inside) > 0
    for _ in range(110):
        middle = (inside + outside) / 2
        if (function(middle) > 0) == sign:
            inside = middle
        else:
            outside = middle
    return inside


def t_p_value(t, degrees):
    """P(|T| > |t|): t = √df · tan(u) turns the density into a power of the cosine."""
    constant = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    edge = math.atan(abs(t) / math.sqrt(degrees))
    return 2 * constant * simpson(lambda u: max(0.0, math.cos(u)) ** (degrees - 1), edge, math.pi / 2)


def t_critical(degrees):
    return root(lambda t: t_p_value(t, degrees) - 0.05, 1.9, 15)


def sequential_p(z, size):
    scale = size * RHO_SQUARED
    return min(1, math.sqrt(1 + scale) * math.exp(-z * z * scale / (2 * (1 + scale))))


def sequential_critical(size):
    return root(lambda z: sequential_p(z, size) - 0.05, 0, 100)


def probability_of_higher(x, n, y, m):
    """With Jeffreys' prior; x = sin²(u) removes the poles of the density."""

    def density(a, b):
        constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)

        def at(u):
            sine, cosine = math.sin(u), math.cos(u)
            return 2 * math.exp(constant) * sine ** (2 * a - 1) * cosine ** (2 * b - 1)

        return at

    of_control, of_treatment = density(x + 0.5, n - x + 0.5), density(y + 0.5, m - y + 0.5)
    steps = 20000
    width = math.pi / 2 / steps
    below, total = 0.0, 0.0
    previous = of_control(0.0)
    for step in range(steps):
        low = step * width
        middle, high = of_control(low + width / 2), of_control(low + width)
        cell = (previous + 4 * middle + high) * width / 6
        half = (5 * previous + 8 * middle - high) * width / 24
        ends = [of_treatment(low), of_treatment(low + width / 2), of_treatment(low + width)]
        total += (ends[0] * below + 4 * ends[1] * (below + half) + ends[2] * (below + cell)) * width / 6
        below += cell
        previous = high
    return total


def fisher(x, n, y, m):
    successes = x + y
    tables = {
        k: Fraction(math.comb(m, k) * math.comb(n, successes - k), math.comb(n + m, successes))
        for k in range(max(0, successes - n), min(m, successes) + 1)
    }
    return float(sum(p for p in tables.values() if p <= tables[y]))


def log_likelihood(x, n, y, m, p, q):
    total = 0.0
    for count, share in ((x, p), (n - x, 1 - p), (y, q), (m - y, 1 - q)):
        if count > 0:
            total += count * math.log(share) if share > 0 else -math.inf
    return total


def maximum(function, low, high):
    """By golden-section search; the likelihood is concave."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = function(a), function(b)
    for _ in range(90):
        if fa > fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = function(a)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = function(b)
    return (low + high) / 2


def score_difference(x, n, y, m, critical):
    def excess(delta):
        p = maximum(lambda p: log_likelihood(x, n, y, m, p, p + delta), max(0, -delta), min(1, 1 - delta))
        q = p + delta
        variance = max(0, p * (1 - p)) / n + max(0, q * (1 - q)) / m
        return (y / m - x / n - delta) ** 2 - critical**2 * variance

    found = y / m - x / n
    return [found + (root(lambda s: excess(found + s), 0, edge - found)) for edge in (-1 + 1e-12, 1 - 1e-12)]


def score_ratio(x, n, y, m, critical):
    if x == 0:
        return None

    def excess(logarithm):
        ratio = math.exp(logarithm)
        p = maximum(lambda p: log_likelihood(x, n, y, m, p, min(1, ratio * p)), 0, min(1, 1 / ratio))
        q = ratio * p
        variance = ratio**2 * max(0, p * (1 - p)) / n + max(0, q * (1 - q)) / m
        return (y / m - ratio * x / n) ** 2 - critical**2 * variance

    if y == 0:
        return [-1.0, math.exp(root(excess, -20, 10)) - 1]
    found = math.log(y / m / (x / n))
    return [math.exp(root(excess, found, edge)) - 1 for edge in (found - 12, found + 12)]


def compare_counts(x, n, y, m):
    pooled = (x + y) / (n + m)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    z = (y / m - x / n) / error if error > 0 else 0
    expected = min(n, m) * min(pooled, 1 - pooled)
    is_normal, is_sequential = expected >= 5, expected >= 5 and min(n, m) >= 30
    p = 2 * NORMAL.cdf(-abs(z)) if is_normal else fisher(x, n, y, m)
    critical = NORMAL.inv_cdf(0.975)
    interval, relative = score_difference(x, n, y, m, critical), score_ratio(x, n, y, m, critical)
    if not is_normal and p >= 0.05:
        interval = [min(0, interval[0]), max(0, interval[1])]
        relative = relative and [min(0, relative[0]), max(0, relative[1])]
    wide = sequential_critical(n + m)
    return {
        "test": "zTest" if is_normal else "fisherExactTest",
        "difference": y / m - x / n,
        "pValue": p,
        "confidenceInterval": interval,
        "relativeConfidenceInterval": relative,
        "chanceToBeatControl": NORMAL.cdf(z) if is_normal else probability_of_higher(x, n, y, m),
        "sequentialPValue": sequential_p(z, n + m) if is_sequential else None,
        "sequentialConfidenceInterval": score_difference(x, n, y, m, wide) if is_sequential else None,
        "relativeSequentialConfidenceInterval": score_ratio(x, n, y, m, wide) if is_sequential else None,
    }


def corrected(t, skewness):
    if t * skewness >= 0:
        return t
    return t / (1 + CAUTION * abs(skewness) / 3 * min(abs(t), LINEAR_FROM))


def wallace(t, degrees):
    return math.copysign((8 * degrees + 1) / (8 * degrees + 3) * math.sqrt(degrees * math.log(1 + t * t / degrees)), t)


def compare_users(control, treatment):
    """Of lists of [numerator, denominator]."""
    arms = []
    for users in (control, treatment):
        y, x = math.fsum(u[0] for u in users), math.fsum(u[1] for u in users)
        residuals = [u[0] - y / x * u[1] for u in users]
        arms.append((len(users), y / x, x / len(users), residuals))
    (n, c, a, rc), (m, t, b, rt) = arms
    squares = [math.fsum(r * r for r in rs) for rs in (rc, rt)]
    cubes = [math.fsum(r**3 for r in rs) for rs in (rc, rt)]
    size, difference = n + m, t - c
    pooled = sum(squares) / (n + m - 2)
    own = (squares[0] / (n - 1) / n / a**2, squares[1] / (m - 1) / m / b**2)
    common = (pooled / n / a**2, pooled / m / b**2)
    skewness = (cubes[1] / (m * b) ** 3 - cubes[0] / (n * a) ** 3) / sum(own) ** 1.5
    estimates = []
    for (vc, vt), skew in ((own, skewness), (common, 0)):
        degrees = (vc + vt) ** 2 / (vc**2 / (n - 1) + vt**2 / (m - 1))
        estimates.append((vc, vt, skew, degrees))

    def statistics(shift=0.0):
        return [(corrected((difference - shift) / math.sqrt(vc + vt), skew), df) for vc, vt, skew, df in estimates]

    p = max(t_p_value(z, df) for z, df in statistics())
    criticals = [t_critical(df) for *_, df in estimates]
    wide = sequential_critical(size)
    wides = [root(lambda t: wide - wallace(t, df), 0, 1e6) for *_, df in estimates]
    far = 1e4 * math.sqrt(sum(own) + sum(common))

    def interval(limits):
        """The differences that one of both does not reject."""
        bounds = []
        for sign in (-1, 1):
            ends = [
                root(lambda s: abs(statistics(difference + sign * s)[k][0]) - limits[k], 0, far) for k in range(2)
            ]
            bounds.append(difference + sign * max(ends))
        return bounds

    def relative(limits):
        bounds = []
        for sign in (-1, 1):
            ends = []
            for (vc, vt, skew, _), limit in zip(estimates, limits):
                # The critical value in uncorrected standard errors, on this side.
                edge = root(lambda s: abs(corrected(-sign * s, skew)) - limit, 0, 1e6)
                if c * c <= edge * edge * vc:
                    return None

                def excess(ratio):
                    away = abs(t - ratio * c) / math.sqrt(vt + ratio**2 * vc)
                    return away - edge

                # A larger difference is a larger ratio of a positive control, and a smaller one of a negative one.
                side = math.copysign(1, c)
                ratio = t / c + sign * side * root(lambda s: excess(t / c + sign * side * s), 0, 1e7)
                ends.append(sign * side * (ratio - 1))
            bounds.append(sign * max(ends))
        return bounds

    return {
        "test": "welchTest",
        "difference": difference,
        "pValue": p,
        "confidenceInterval": interval(criticals),
        "relativeConfidenceInterval": relative(criticals),
        "chanceToBeatControl": 1 - p / 2 if difference >= 0 else p / 2,
        "sequentialPValue": max(sequential_p(wallace(z, df), size) for z, df in statistics()),
        "sequentialConfidenceInterval": interval(wides),
        "relativeSequentialConfidenceInterval": relative(wides),
    }


def users(seed, size, sampler):
    generator = random.Random(seed)
    return [[round(value, 3), weight] for value, weight in (sampler(generator) for _ in range(size))]


def mean(sampler):
    return lambda generator: (sampler(generator), 1)


def clicks(rate):
    def sampler(generator):
        evaluations = 1 + int(9 * generator.random())
        share = rate * generator.random()
        return sum(generator.random() < share for _ in range(evaluations)), evaluations

    return sampler


def buys(share, sigma, factor=1):
    return mean(lambda g: factor * g.lognormvariate(0, sigma) if g.random() < share else 0)


def normal(center, deviation):
    return mean(lambda g: g.gauss(center, deviation))


COUNTS = {
    "a difference of counts": (120, 1000, 165, 1010),
    "counts without a difference": (50, 200, 60, 200),
    "an uneven split": (410, 8200, 70, 900),
    "all but a few": (990, 1000, 970, 1000),
    "a smaller treatment": (39, 128, 94, 214),
    "few users": (12, 25, 16, 28),
    "three of three against two of three": (3, 3, 2, 3),
    "a control without successes": (0, 40, 4, 30),
    "a treatment without successes": (6, 60, 0, 45),
    "a rare event of an uneven split": (9, 900, 3, 40),
}

USERS = {
    "normal values": (users(1, 80, normal(10, 3)), users(2, 90, normal(11.5, 3))),
    "normal values without a difference": (users(3, 60, normal(10, 3)), users(4, 60, normal(10, 3))),
    "unequal variances, the smaller arm is wide": (users(5, 200, normal(10, 1)), users(6, 35, normal(10.5, 4))),
    "unequal variances, the smaller arm is narrow": (users(7, 200, normal(10, 4)), users(8, 35, normal(11, 1))),
    "a small arm without large values": (users(9, 300, buys(0.5, 1.5)), users(10, 60, buys(0.7, 0.4, 0.5))),
    "a lower treatment of skewed values": (users(11, 150, normal(3, 0.5)), users(12, 150, buys(0.9, 1.0, 0.9))),
    "a far lower treatment of skewed values": (users(13, 150, normal(9, 0.5)), users(14, 150, buys(0.9, 1.0, 0.9))),
    "a treatment of zeros": (users(15, 120, buys(0.6, 1.0)), [[0, 1]] * 110),
    "a control near zero": (users(16, 90, normal(0.2, 3)), users(17, 90, normal(1, 3))),
    "a negative control": (users(18, 90, normal(-10, 3)), users(19, 100, normal(-8, 3))),
    "events per evaluation": (users(20, 150, clicks(0.6)), users(21, 160, clicks(0.9))),
    "events per evaluation of an uneven split": (users(22, 260, clicks(0.6)), users(23, 60, clicks(0.5))),
}

cases = [
    {
        "name": name,
        "control": {"successes": counts[0], "trials": counts[1]},
        "treatment": {"successes": counts[2], "trials": counts[3]},
        "expected": compare_counts(*counts),
    }
    for name, counts in COUNTS.items()
] + [
    {"name": name, "control": arms[0], "treatment": arms[1], "expected": compare_users(*arms)}
    for name, arms in USERS.items()
]
print("[")
print(",\n".join(json.dumps(case) for case in cases))
print("]")
