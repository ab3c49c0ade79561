import type { SampleRatio } from '@burgee/contract/schemas'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'
import { isSampleRatioMismatch, sampleRatioPValue } from './statistics/goodnessOfFit.ts'

/** Compares the number of users of each variation with the distribution of the targets, if there is a single one. */
export function toSampleRatio(
  variations: StoredFeature['variations'],
  users: readonly number[],
  configurations: readonly Pick<StoredConfiguration, 'status' | 'targets'>[]
): SampleRatio {
  const observed = Object.fromEntries(variations.map(({ key }, index) => [key, users[index] ?? 0]))
  const shares = expectedShares(configurations)
  const unknown = { observed, pValue: null, isMismatch: null }
  if (typeof shares === 'string') return { expected: null, ...unknown, reason: shares }
  const split = variations.flatMap(({ _id, key }, index) => {
    const share = shares.get(_id)
    return share === undefined ? [] : [{ key, share, count: users[index] ?? 0 }]
  })
  const expected = Object.fromEntries(split.map(({ key, share }) => [key, share]))
  const total = split.reduce((sum, { count }) => sum + count, 0)
  const pValue = sampleRatioPValue(
    split.map(({ count }) => count),
    split.map(({ share }) => share)
  )
  if (pValue === undefined || split.some(({ share }) => share * total < MIN_EXPECTED_COUNT)) {
    return { expected, ...unknown, reason: 'too few users got a variation' }
  }
  return { expected, observed, pValue, isMismatch: isSampleRatioMismatch(pValue) }
}

/** The smallest expected count for which Pearson's test is accurate enough (Cochran 1952). */
const MIN_EXPECTED_COUNT = 5

/** Returns the expected share of each variation by id, or the reason why it is unknown. */
function expectedShares(
  configurations: readonly Pick<StoredConfiguration, 'status' | 'targets'>[]
): ReadonlyMap<string, number> | string {
  const distributions = configurations
    .filter(({ status }) => status === 'active')
    .flatMap(({ targets }) => targets)
    .map(({ distribution }) => distribution.filter(({ percentage }) => percentage > 0))
  const [first, ...others] = distributions
    .filter((distribution) => distribution.length > 1)
    .map((distribution) => new Map(distribution.map(({ _variation, percentage }) => [_variation, percentage])))
  if (!first) return 'no active target distributes users between several variations'
  if (others.some((other) => !isSame(first, other))) return 'targets have different distributions'
  const isBiased = distributions.some(([only, another]) => only && !another && first.has(only._variation))
  if (isBiased) return 'a target serves one of the variations to a group of users'
  return first
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  // Tolerates rounding errors of clients that compute shares, such as 0.1 + 0.2.
  return one.size === other.size && [...one].every(([id, share]) => Math.abs(share - (other.get(id) ?? 0)) < 1e-9)
}
