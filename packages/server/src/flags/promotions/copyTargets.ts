import { isDeepStrictEqual } from 'node:util'
import type { CreatePromotion } from '@burgee/contract/schemas'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredFeature, StoredTarget } from '../../storage/resources/feature.ts'
import type { StoredAudience } from '../../storage/resources/project.ts'
import { audienceReferences, mapAudienceReferences } from '../audiences/audienceReferences.ts'
import { copyRollout } from './copyRollout.ts'
import { pairTargets } from './pairTargets.ts'

/** One side of a promotion: a feature, its targets in an environment, and the audiences of its project. */
export interface PromotionSide {
  readonly project: string
  readonly feature: StoredFeature
  readonly targets: readonly StoredTarget[]
  readonly audiences: readonly StoredAudience[]
}

interface CopyOptions extends Pick<CreatePromotion, 'mode' | 'rollouts' | 'seeds'> {
  /** Epoch milliseconds. */
  readonly now: number
  readonly id: () => string
}

/**
 * Returns the targets of the destination after a promotion. Paired targets keep the id of the destination.
 * @throws {HttpError} 412 with all variations and audiences that the destination lacks, or for an unfinished rollout.
 */
export function copyTargets(from: PromotionSide, to: PromotionSide, options: CopyOptions): readonly StoredTarget[] {
  const { mode = 'replace', seeds = 'match', id } = options
  const pairs = pairTargets(from.targets, to.targets)
  assertReferencesExist(
    mode === 'append' ? from.targets.filter((target) => !pairs.has(target)) : from.targets,
    from,
    to
  )
  const inUse = new Set(to.targets.map(({ _id }) => _id))
  const copies = new Map<StoredTarget, StoredTarget>()
  const added: StoredTarget[] = []
  const listed = from.targets.flatMap((target) => {
    const pair = pairs.get(target)
    if (pair && mode === 'append') return []
    const keepsSeed = seeds === 'source' && !inUse.has(target._id)
    const ids = pair
      ? { _id: pair._id, ...(pair.copiedFrom === undefined ? {} : { copiedFrom: pair.copiedFrom }) }
      : { _id: keepsSeed ? target._id : id(), copiedFrom: target._id }
    const copy = { ...copyTarget(target, pair, { from, to, options }), ...ids }
    if (pair) copies.set(pair, copy)
    else added.push(copy)
    return [copy]
  })
  if (mode === 'replace') return listed
  return [...to.targets.map((target) => copies.get(target) ?? target), ...added]
}

function copyTarget(
  { _id, copiedFrom, rollout, ...target }: StoredTarget,
  pair: StoredTarget | undefined,
  { from, to, options }: { readonly from: PromotionSide; readonly to: PromotionSide; readonly options: CopyOptions }
): Omit<StoredTarget, '_id'> {
  const { rollouts: mode = 'refuse', now } = options
  // An unchanged rollout needs no decision.
  const isSame = mode === 'refuse' && isDeepStrictEqual(rollout, pair?.rollout)
  const copied = rollout && (isSame ? rollout : copyRollout(rollout, { mode, now, target: target.name ?? _id }))
  const variations = variationIds(from.feature, to.feature)
  const audiences = audienceIds(from, to)
  return {
    ...target,
    audience: {
      ...target.audience,
      filters: mapAudienceReferences(target.audience.filters, '', (reference) => audiences.get(reference) ?? reference)
    },
    distribution: target.distribution.map(({ _variation, percentage }) => ({
      _variation: variations.get(_variation) ?? _variation,
      percentage
    })),
    ...(copied ? { rollout: copied } : {})
  }
}

function assertReferencesExist(targets: readonly StoredTarget[], from: PromotionSide, to: PromotionSide): void {
  const variations = variationIds(from.feature, to.feature)
  const audiences = audienceIds(from, to)
  const keys = new Map([...from.feature.variations, ...from.audiences].map(({ _id, key }) => [_id, key ?? _id]))
  const missing = (kind: string, references: readonly string[], known: ReadonlyMap<string, string>) => {
    return [...new Set(references)].flatMap((id) => (known.has(id) ? [] : [`${kind} "${keys.get(id) ?? id}"`]))
  }
  const absent = [
    ...missing(
      'variation',
      targets.flatMap(({ distribution }) => distribution.map(({ _variation }) => _variation)),
      variations
    ),
    ...missing(
      'audience',
      targets.flatMap(({ audience }) => audienceReferences(audience.filters)),
      audiences
    )
  ]
  if (absent.length === 0) return
  throw preconditionFailed(
    `feature "${to.feature.key}" of project "${to.project}" cannot take the targets: there is no ${absent.join(', no ')}`
  )
}

/** The id of the destination's variation by id of the source's, for variations with the same key. */
function variationIds(from: StoredFeature, to: StoredFeature): ReadonlyMap<string, string> {
  return pairByKey(from.variations, to.variations)
}

function audienceIds(from: PromotionSide, to: PromotionSide): ReadonlyMap<string, string> {
  return pairByKey(from.audiences, to.audiences)
}

interface Keyed {
  readonly _id: string
  readonly key?: string
}

function pairByKey(from: readonly Keyed[], to: readonly Keyed[]): ReadonlyMap<string, string> {
  const known = new Set(to.map(({ _id }) => _id))
  const byKey = new Map(to.map(({ _id, key }) => [key, _id]))
  return new Map(
    from.flatMap(({ _id, key }) => {
      const id = known.has(_id) ? _id : key === undefined ? undefined : byKey.get(key)
      return id === undefined ? [] : [[_id, id]]
    })
  )
}
