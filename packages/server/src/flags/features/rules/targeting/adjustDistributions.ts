import { isDeepStrictEqual } from 'node:util'
import type { Share, Variation } from '@burgee/core'
import { preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredConfiguration, StoredTarget } from '../../../../storage/resources/feature.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import type { FeatureState } from '../model/featureState.ts'

/**
 * Adjusts targets to added and removed variations, except in environments whose targets the request sets. Where the
 * feature is active, users keep their variations: a new variation gets a share of 0.
 * @throws {HttpError} 412 when a removed variation is served in an active environment.
 */
export function adjustDistributions(
  before: FeatureState,
  after: FeatureState,
  explicitEnvironments: ReadonlySet<string>,
  context: FeatureContext
): FeatureState {
  const removed = excluding(before.feature.variations, after.feature.variations)
  const added = excluding(after.feature.variations, before.feature.variations)
  if (removed.length === 0 && added.length === 0) return after
  const configurations = after.configurations.map((configuration) => {
    if (explicitEnvironments.has(configuration._environment)) return configuration
    assertNotServed(removed, configuration, after, context)
    const adjust = configuration.status === 'active' ? keepPercentages : splitEvenly
    const control = after.feature.variations.find(({ key }) => key === after.feature.controlVariation)
    const targets = configuration.targets.map((target) => adjust(target, { removed, added, control }))
    return { ...configuration, targets }
  })
  return { ...after, configurations }
}

interface VariationChanges {
  readonly removed: readonly Variation[]
  readonly added: readonly Variation[]
  readonly control: Variation | undefined
}

/** Removes and adds shares without changing the others. */
function keepPercentages(target: StoredTarget, { removed, added }: VariationChanges): StoredTarget {
  const kept = remaining(target, removed)
  return { ...target, distribution: isRandom(target) ? [...kept, ...sharesOf(added, 0)] : kept }
}

/** Evens out the shares of a random distribution. The control variation replaces a distribution that becomes empty. */
function splitEvenly(target: StoredTarget, { removed, added, control }: VariationChanges): StoredTarget {
  const kept = remaining(target, removed)
  const variations = isRandom(target) ? [...kept, ...sharesOf(added, 0)] : kept
  if (variations.length === 0) return { ...target, distribution: control ? sharesOf([control], 1) : [] }
  if (isDeepStrictEqual(variations, target.distribution)) return target
  const percentage = 1 / variations.length
  return { ...target, distribution: variations.map(({ _variation }) => ({ _variation, percentage })) }
}

function isRandom({ distribution }: StoredTarget): boolean {
  return distribution.length > 1
}

function remaining({ distribution }: StoredTarget, removed: readonly Variation[]): readonly Share[] {
  return distribution.filter(({ _variation }) => removed.every(({ _id }) => _id !== _variation))
}

function sharesOf(variations: readonly Variation[], percentage: number): Share[] {
  return variations.map(({ _id }) => ({ _variation: _id, percentage }))
}

function excluding(variations: readonly Variation[], others: readonly Variation[]): readonly Variation[] {
  return variations.filter(({ _id }) => others.every((other) => other._id !== _id))
}

function assertNotServed(
  removed: readonly Variation[],
  { status, targets, _environment }: StoredConfiguration,
  { feature }: FeatureState,
  { environments }: FeatureContext
): void {
  if (status !== 'active') return
  const shares = targets.flatMap(({ distribution }) => distribution.filter(({ percentage }) => percentage > 0))
  const served = removed.find(({ _id }) => shares.some(({ _variation }) => _variation === _id))
  if (!served) return
  const environment = environments.find(({ _id }) => _id === _environment)
  throw preconditionFailed(
    `variation "${served.key}" of feature "${feature.key}" is served in environment "${environment?.key ?? _environment}"; remove it from the targets there first`
  )
}
