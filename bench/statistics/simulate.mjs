// One experiment after the other: users arrive one by one and are compared at looks. `compareArms` is the server's.

/** The number of looks that stand for looking all the time; every twentieth of them is one of the 20 analyses. */
export const LOOKS = 400

/**
 * Returns the counts of a design over a number of runs.
 * @param compareArms The server's function.
 * @param continuous Whether all analyses are taken, or 20 only.
 */
export function simulate(compareArms, design, { runs, seed, continuous = true }) {
  const random = generator(seed)
  const counts = {
    runs,
    silent: 0,
    sequentialSilent: 0,
    fixed: 0,
    fixedAnyOf20: 0,
    sequential20: 0,
    sequentialAll: 0,
    // Of the runs with an interval: those that miss the truth.
    intervals: 0,
    misses: 0,
    relativeIntervals: 0,
    relativeMisses: 0,
    sequentialIntervals: 0,
    sequentialMisses: 0,
    usersNeeded: []
  }
  for (let run = 0; run < runs; run++) addRun(compareArms, design, random, continuous, counts)
  return counts
}

function addRun(compareArms, design, random, continuous, counts) {
  const { treatmentShare, users, truth, mean, type, stay } = design
  const arms = [createArm(), createArm()]
  const samplers = [design.control, design.treatment]
  let [anyFixed, any20, anyAll, anyMiss] = [false, false, false, false]
  let last
  for (let look = 1; look <= LOOKS; look++) {
    const until = Math.round((users * look) / LOOKS)
    while (arms[0].size + arms[1].size < until || (stay && arms[0].steps + arms[1].steps < 4 * until)) {
      const index = random() < treatmentShare ? 1 : 0
      const isReturning = arms[0].size + arms[1].size >= until && arms[index].size > 0
      if (isReturning) arms[index].addTo(Math.floor(random() * arms[index].size), samplers[index](random))
      else arms[index].add(samplers[index](random), stay)
    }
    const is20 = look % (LOOKS / 20) === 0
    if (!is20 && !continuous) continue
    last = compareArms(arms[0].toArm(type), arms[1].toArm(type), 'increase')
    const { sequentialPValue } = last
    if (sequentialPValue !== null && sequentialPValue <= 0.05) {
      anyAll = true
      any20 ||= is20
    }
    if (!is20) continue
    if (last.pValue !== null && last.pValue < 0.05) anyFixed = true
    if (type === 'count') continue
    const interval = last.sequentialConfidenceInterval
    if (interval && isOutside(interval, truth)) anyMiss = true
  }
  if (last.pValue === null) {
    counts.silent++
    if (last.usersNeeded !== undefined) counts.usersNeeded.push(last.usersNeeded)
  }
  if (last.sequentialPValue === null) counts.sequentialSilent++
  else {
    counts.sequentialIntervals++
    if (type === 'count') anyMiss = isOutside(last.sequentialConfidenceInterval, truth)
    if (anyMiss) counts.sequentialMisses++
  }
  if (last.pValue !== null && last.pValue < 0.05) counts.fixed++
  if (anyFixed) counts.fixedAnyOf20++
  if (any20) counts.sequential20++
  if (anyAll) counts.sequentialAll++
  const { confidenceInterval, relativeConfidenceInterval } = last
  if (confidenceInterval) {
    counts.intervals++
    if (isOutside(confidenceInterval, truth)) counts.misses++
  }
  if (relativeConfidenceInterval) {
    counts.relativeIntervals++
    if (isOutside(relativeConfidenceInterval, truth === 0 ? 0 : truth / mean)) counts.relativeMisses++
  }
}

const isOutside = ({ low, high }, truth) => low > truth || high < truth

/** Sums of powers and products of the users of an arm, from which all moments follow. */
function createArm() {
  const values = []
  // Members of an object: numbers that closures change would be allocated anew by each change.
  const sums = { y: 0, yy: 0, yyy: 0, x: 0, xx: 0, xxx: 0, xy: 0, xyy: 0, xxy: 0 }
  const arm = {
    size: 0,
    nonZero: 0,
    /** The number of calls. */
    steps: 0,
    add(sample, stays) {
      arm.size++
      arm.steps++
      const isRatio = typeof sample !== 'number'
      const value = isRatio ? sample[0] : sample
      if (stays) values.push(value)
      if (value !== 0) arm.nonZero++
      sums.y += value
      sums.yy += value * value
      sums.yyy += value * value * value
      if (!isRatio) return
      const other = sample[1]
      sums.x += other
      sums.xx += other * other
      sums.xxx += other * other * other
      sums.xy += other * value
      sums.xyy += other * value * value
      sums.xxy += other * other * value
    },
    /** Adds a value to a user who was added before. */
    addTo(user, value) {
      arm.steps++
      const before = values[user]
      const after = before + value
      values[user] = after
      if (before === 0 && after !== 0) arm.nonZero++
      sums.y += value
      sums.yy += after ** 2 - before ** 2
      sums.yyy += after ** 3 - before ** 3
    },
    toArm(type) {
      const { y, yy, yyy, x, xx, xxx, xy, xyy, xxy } = sums
      const n = arm.size
      if (type === 'count') return { type, proportion: { successes: arm.nonZero, trials: n } }
      if (n === 0) return { type: 'users', moments: { size: 0, nonZero: 0, meanY: 0, meanX: 0, ...NO_SUMS } }
      const b = y / n
      const moments = { size: n, nonZero: arm.nonZero, meanY: b, meanX: 1, ...NO_SUMS }
      moments.yy = Math.max(0, yy - n * b * b)
      moments.yyy = yyy - 3 * b * yy + 2 * n * b ** 3
      if (type === 'users') return { type, moments }
      const a = x / n
      return {
        type: 'users',
        moments: {
          ...moments,
          meanX: a,
          xx: xx - n * a * a,
          xy: xy - n * a * b,
          xxx: xxx - 3 * a * xx + 2 * n * a ** 3,
          xyy: xyy - a * yy - 2 * b * xy + 2 * n * a * b * b,
          xxy: xxy - b * xx - 2 * a * xy + 2 * n * a * a * b
        }
      }
    }
  }
  return arm
}

const NO_SUMS = { yy: 0, xy: 0, xx: 0, yyy: 0, xyy: 0, xxy: 0, xxx: 0 }

/** Numbers in [0, 1): sfc32 by Chris Doty-Humphrey (public domain). */
export function generator(seed) {
  let [a, b, c, d] = [0x9e3779b9 | 0, 0x243f6a88 | 0, seed | 0, 1]
  const next = () => {
    const mixed = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + mixed
    return (mixed >>> 0) / 4294967296
  }
  for (let n = 0; n < 20; n++) next()
  return next
}
