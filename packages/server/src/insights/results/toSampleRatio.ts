import type { SampleRatio } from '@burgee/contract/schemas'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources.ts'
import { isSampleRatioMismatch, sampleRatioPValue } from './statistics/goodnessOfFit.ts'

/** Whether users were split between the variations as the targets say, as far as that can be known. */
export function toSampleRatio(
  variations: StoredFeature['variations'],
  users: readonly number[],
  configurations: readonly Pick<StoredConfiguration, 'status' | 'targets'>[]
): SampleRatio {
  const observed = Object.fromEntries(variations.map(({ key }, place) => [key, users[place] ?? 0]))
  const shares = expectedShares(configurations)
  const unknown = { observed, pValue: null, isMismatch: null }
  if (typeof shares === 'string') return { expected: null, ...unknown, reason: shares }
  const split = variations.flatMap(({ _id, key }, place) => {
    const share = shares.get(_id)
    return share === undefined ? [] : [{ key, share, count: users[place] ?? 0 }]
  })
  const expected = Object.fromEntries(split.map(({ key, share }) => [key, share]))
  const total = split.reduce((sum, { count }) => sum + count, 0)
  const pValue = sampleRatioPValue(
    split.map(({ count }) => count),
    split.map(({ share }) => share)
  )
  if (pValue === undefined || split.some(({ share }) => share * total < MIN_EXPECTED_COUNT)) {
    return { expected, ...unknown, reason: 'too few users got a variation so far' }
  }
  return { expected, observed, pValue, isMismatch: isSampleRatioMismatch(pValue) }
}

/** What Pearson's test expects of each at least, to be close enough (Cochran 1952). */
const MIN_EXPECTED_COUNT = 5

/** Id of each variation → its share, or why there is no saying. */
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
  if (!first) return 'no target that is switched on splits users between variations'
  if (others.some((other) => !isSame(first, other))) return 'targets split users differently'
  const isTilted = distributions.some(([only, another]) => only && !another && first.has(only._variation))
  if (isTilted) return 'a target gives a group of users one of the variations, before or after the split'
  return first
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  // Shares are written as people write them; what sums make of 0.1 and 0.2 is no difference.
  return one.size === other.size && [...one].every(([id, share]) => Math.abs(share - (other.get(id) ?? 0)) < 1e-9)
}
