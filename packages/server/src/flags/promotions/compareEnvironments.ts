import { isDeepStrictEqual } from 'node:util'
import type { Comparison, TargetComparison } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { admittedNow } from '../../insights/rollouts/admittedNow.ts'
import type { StoredConfiguration, StoredFeature, StoredTarget } from '../../storage/resources/feature.ts'
import type { StoredAudience } from '../../storage/resources/project.ts'
import { mapAudienceReferences } from '../audiences/audienceReferences.ts'
import { pairTargets } from './pairTargets.ts'

/** A feature on one side of a comparison. */
export interface ComparedFeature {
  /** Undefined if the project lacks the feature. */
  readonly feature: StoredFeature | undefined
  readonly configuration: StoredConfiguration | undefined
  readonly audiences: readonly StoredAudience[]
}

/** Compares a feature between two environments. */
export function compareFeature(
  key: string,
  a: ComparedFeature,
  b: ComparedFeature,
  now: number
): Comparison['features'][number] {
  const status = [statusOf(a), statusOf(b)]
  const targets = compareTargets(a, b)
  return {
    feature: key,
    isDifferent: status[0] !== status[1] || targets.some(({ change }) => change !== 'same'),
    status,
    admittedNow: [admittedNow(a.configuration, now), admittedNow(b.configuration, now)],
    targets
  }
}

function statusOf({ feature, configuration }: ComparedFeature): StoredConfiguration['status'] | null {
  return feature ? (configuration?.status ?? 'inactive') : null
}

/** The targets of `b` in their order, then those that only `a` has. */
function compareTargets(a: ComparedFeature, b: ComparedFeature): TargetComparison[] {
  const [left, right] = [a.configuration?.targets ?? [], b.configuration?.targets ?? []]
  const pairs = pairTargets(right, left)
  const paired = new Set(pairs.values())
  const moved = findMoved(
    right.flatMap((target) => pairs.get(target) ?? []),
    left
  )
  const both = right.map((target): TargetComparison => {
    const other = pairs.get(target)
    const added = toMembers(target, b)
    if (!other) return { name: target.name ?? null, change: 'added', fields: compareMembers({}, added) }
    const fields = compareMembers(toMembers(other, a), added)
    const change = fields.length > 0 ? 'modified' : moved.has(other) ? 'moved' : 'same'
    return { name: target.name ?? null, change, fields }
  })
  const removed = left
    .filter((target) => !paired.has(target))
    .map((target): TargetComparison => {
      return { name: target.name ?? null, change: 'removed', fields: compareMembers(toMembers(target, a), {}) }
    })
  return [...both, ...removed]
}

/** The targets whose position among the common ones differs. */
function findMoved(common: readonly StoredTarget[], left: readonly StoredTarget[]): ReadonlySet<StoredTarget> {
  const before = left.filter((target) => common.includes(target))
  return new Set(common.filter((target, index) => before[index] !== target))
}

type Members = Readonly<Record<string, Json | undefined>>

/** The members of a target that decide who is served what, with references as keys. */
function toMembers(
  { name, audience, rollout, distribution, bucketingKey }: StoredTarget,
  { feature, audiences }: ComparedFeature
): Members {
  const keys = new Map([...audiences, ...(feature?.variations ?? [])].map(({ _id, key }) => [_id, key ?? _id]))
  const keyOf = (id: string) => keys.get(id) ?? id
  const shares = distribution.map(({ _variation, percentage }) => [keyOf(_variation), round(percentage)])
  return {
    name,
    'audience.name': audience.name,
    // Filters and rollouts are JSON.
    'audience.filters': mapAudienceReferences(audience.filters, '', keyOf) as unknown as Json,
    rollout: (rollout ?? undefined) as Json | undefined,
    distribution: shares,
    bucketingKey
  }
}

function compareMembers(a: Members, b: Members): TargetComparison['fields'] {
  return Object.keys({ ...a, ...b }).flatMap((path) => {
    const [one, other] = [a[path], b[path]]
    return isDeepStrictEqual(one, other) ? [] : [{ path, a: one ?? null, b: other ?? null }]
  })
}

/** Ignores differences that floating-point arithmetic leaves. */
function round(share: number): number {
  return Math.round(share * 1e9) / 1e9
}
