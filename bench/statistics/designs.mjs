// What is simulated: the distribution of a user's numbers in each arm. A sampler returns a numerator; with `ratio`, it
// returns [numerator, denominator].

/** A standard normal number, by the polar method. */
function normal(random) {
  for (;;) {
    const [u, v] = [2 * random() - 1, 2 * random() - 1]
    const square = u * u + v * v
    if (square < 1 && square > 0) return u * Math.sqrt((-2 * Math.log(square)) / square)
  }
}

const success = (rate) => (random) => (random() < rate ? 1 : 0)
const gaussian = (mean, deviation) => (random) => mean + deviation * normal(random)
/** With mean 1. */
const lognormal = (sigma) => (random) => Math.exp(sigma * normal(random) - sigma ** 2 / 2)
/** With mean 1. Its variance is finite, its skewness is not. */
const pareto = (shape) => (random) => ((shape - 1) / shape) * (1 - random()) ** (-1 / shape)
const scaled = (factor, sampler) => (random) => factor * sampler(random)
/** A share of users has a value. */
const some = (share, sampler) => (random) => (random() < share ? sampler(random) : 0)
/** Ten evaluations a user on average; whether they are followed by an event depends on the user. */
const clicks = (factor) => (random) => {
  const evaluations = 1 + Math.floor(19 * random())
  const rate = Math.min(1, 0.4 * factor * random() ** 2)
  let events = 0
  for (let n = 0; n < evaluations; n++) if (random() < rate) events++
  return [events, evaluations]
}

const wide = gaussian(1, 3)
const narrow = gaussian(1, 1)
const buyers = some(0.05, lognormal(1.5))

const design = (name, treatmentShare, control, treatment = control, more = {}) => {
  return { name, treatmentShare, control, treatment, users: 20_000, truth: 0, type: 'users', ...more }
}
const counts = { type: 'count' }
const ratio = { type: 'ratio' }

/** Without a difference: every decision is wrong. */
export const nullDesigns = [
  design('count 10%', 0.5, success(0.1), undefined, counts),
  design('count 0.5%', 0.5, success(0.005), undefined, counts),
  design('count 5%', 0.1, success(0.05), undefined, counts),
  design('count 0.5%', 0.1, success(0.005), undefined, counts),
  design('count 0.1%', 0.1, success(0.001), undefined, counts),
  design('count 0.1%', 0.01, success(0.001), undefined, counts),
  design('count 10%', 0.01, success(0.1), undefined, counts),
  design('normal', 0.5, narrow),
  design('normal', 0.01, narrow),
  design('lognormal σ 1', 0.5, lognormal(1)),
  design('lognormal σ 1', 0.1, lognormal(1)),
  design('lognormal σ 1', 0.01, lognormal(1)),
  design('lognormal σ 2', 0.5, lognormal(2)),
  design('lognormal σ 2', 0.1, lognormal(2)),
  design('lognormal σ 2', 0.01, lognormal(2)),
  design('Pareto 2.1', 0.5, pareto(2.1)),
  design('Pareto 2.1', 0.1, pareto(2.1)),
  design('Pareto 2.1', 0.01, pareto(2.1)),
  design('5% buy, lognormal σ 1.5', 0.5, buyers),
  design('5% buy, lognormal σ 1.5', 0.1, buyers),
  design('5% buy, lognormal σ 1.5', 0.02, buyers),
  design('5% buy, lognormal σ 2', 0.1, some(0.05, lognormal(2))),
  design('5% buy, they stay for 14 days', 0.1, buyers, undefined, { stay: true }),
  design('normal σ 1, 3', 0.5, narrow, wide),
  design('normal σ 1, 3', 0.1, narrow, wide),
  design('normal σ 1, 3', 0.01, narrow, wide),
  design('normal σ 3, 1', 0.1, wide, narrow),
  design('lognormal σ 0.5, 1', 0.5, lognormal(0.5), lognormal(1)),
  design('lognormal σ 0.5, 1', 0.1, lognormal(0.5), lognormal(1)),
  design('lognormal σ 0.5, 1', 0.01, lognormal(0.5), lognormal(1)),
  design('10%, 5% buy', 0.1, some(0.1, lognormal(1)), some(0.05, scaled(2, lognormal(1)))),
  design('events per evaluation', 0.5, clicks(1), undefined, ratio),
  design('events per evaluation', 0.1, clicks(1), undefined, ratio)
]

/**
 * Equal means of different shapes, of which one shows its largest values too rarely: until it does, no method that
 * knows only the sample can tell them from a real difference. They are reported without a guarantee.
 */
export const limitDesigns = [
  design('lognormal σ 1, 2', 0.5, lognormal(1), lognormal(2)),
  design('lognormal σ 1, 2', 0.1, lognormal(1), lognormal(2)),
  design('lognormal σ 1, 2', 0.01, lognormal(1), lognormal(2))
]

/** The variance of a lognormal value with mean 1, and of one that only a share of users has. */
const lognormalVariance = (sigma) => Math.exp(sigma ** 2) - 1
const buyersVariance = (share, sigma) => share * Math.exp(sigma ** 2) - share ** 2

const lift = (name, treatmentShare, users, sampler, mean, variance, factor, more) => {
  return design(
    `${name}, ${factor > 1 ? '+' : '−'}${Math.abs(Math.round(100 * (factor - 1)))}%`,
    treatmentShare,
    sampler,
    scaled(factor, sampler),
    {
      users,
      truth: mean * (factor - 1),
      mean,
      variances: [variance, variance * factor ** 2],
      ...more
    }
  )
}
const countLift = (rate, factor, treatmentShare, users) => {
  const [p, q] = [rate, rate * factor]
  return design(`count ${100 * p}%, +${Math.round(100 * (factor - 1))}%`, treatmentShare, success(p), success(q), {
    ...counts,
    users,
    truth: q - p,
    mean: p,
    variances: [p * (1 - p), q * (1 - q)]
  })
}

/** With a difference, for power and coverage. */
export const liftDesigns = [
  countLift(0.1, 1.1, 0.5, 29_500),
  countLift(0.1, 1.1, 0.5, 64_144),
  countLift(0.05, 1.2, 0.1, 20_000),
  lift('normal', 0.5, 6000, narrow, 1, 1, 1.08),
  lift('normal', 0.1, 20_000, narrow, 1, 1, 1.08),
  lift('lognormal σ 1', 0.5, 20_000, lognormal(1), 1, lognormalVariance(1), 1.05),
  lift('lognormal σ 1', 0.1, 20_000, lognormal(1), 1, lognormalVariance(1), 1.1),
  lift('lognormal σ 1', 0.1, 20_000, lognormal(1), 1, lognormalVariance(1), 0.9),
  lift('lognormal σ 1', 0.01, 20_000, lognormal(1), 1, lognormalVariance(1), 1.4),
  lift('lognormal σ 1.5', 0.5, 20_000, lognormal(1.5), 1, lognormalVariance(1.5), 1.15),
  lift('5% buy, lognormal σ 1', 0.5, 40_000, some(0.05, lognormal(1)), 0.05, buyersVariance(0.05, 1), 1.25),
  lift('5% buy, lognormal σ 1', 0.1, 40_000, some(0.05, lognormal(1)), 0.05, buyersVariance(0.05, 1), 1.5),
  lift('5% buy, lognormal σ 1.5', 0.5, 40_000, buyers, 0.05, buyersVariance(0.05, 1.5), 1.5),
  lift('5% buy, lognormal σ 1.5', 0.1, 40_000, buyers, 0.05, buyersVariance(0.05, 1.5), 1.9)
]
