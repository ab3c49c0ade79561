import type { TargetInput } from '@burgee/contract/schemas'
import type { Rollout, Share } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../../../lib/errors.ts'
import { toIsoString } from '../../../../lib/time.ts'
import type { StoredFeature, StoredTarget } from '../../../../storage/resources/feature.ts'
import { mapAudienceReferences } from '../../../audiences/audienceReferences.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import { findVariation } from '../variations/variations.ts'

interface TargetScope {
  readonly feature: StoredFeature
  readonly context: FeatureContext
  /** The path of the targets in the request. */
  readonly path: string
  /** The targets that the result replaces. */
  readonly before: readonly StoredTarget[]
}

/**
 * Resolves variations and audiences to ids. A target keeps a given `_id`, which seeds the hashes: its users keep their
 * variations, even when the target was removed in between. It keeps `copiedFrom` too, unless a body has another.
 * @throws {HttpError} 400 with every unknown variation and audience.
 */
export function toStoredTargets(inputs: readonly TargetInput[], scope: TargetScope): readonly StoredTarget[] {
  const issues: string[] = []
  const origins = new Map(scope.before.map(({ _id, copiedFrom }) => [_id, copiedFrom]))
  const targets = inputs.map((input, index): StoredTarget => {
    const path = `${scope.path}.${index}`
    const { _id, audience, rollout, distribution, ...members } = input
    const copiedFrom = members.copiedFrom ?? (_id && origins.get(_id))
    return {
      ...members,
      ...(copiedFrom ? { copiedFrom } : {}),
      _id: _id ?? scope.context.id(),
      audience: { ...audience, filters: toFilters(audience.filters, `${path}.audience.filters`, scope, issues) },
      distribution: toShares(distribution, `${path}.distribution`, scope, issues),
      ...(rollout ? { rollout: toRollout(rollout) } : {})
    }
  })
  if (issues.length > 0) throw badRequest(issues)
  return targets
}

function toFilters(
  filters: TargetInput['audience']['filters'],
  path: string,
  { context }: TargetScope,
  issues: string[]
): StoredTarget['audience']['filters'] {
  return mapAudienceReferences(filters, path, (reference, at) => {
    const id = context.audiences.get(reference)
    if (id !== undefined) return id
    issues.push(
      `${at} should be the key or id of an audience of project "${context.project.key}", got ${formatValue(reference)}`
    )
    return reference
  })
}

function toShares(
  distribution: TargetInput['distribution'],
  path: string,
  { feature }: TargetScope,
  issues: string[]
): Share[] {
  const ids = distribution.map(({ _variation }) => findVariation(feature, _variation)?._id)
  return distribution.map(({ _variation, percentage }, index) => {
    const at = `${path}.${index}._variation`
    const id = ids[index]
    if (id === undefined) {
      issues.push(
        `${at} should be the key or id of a variation of feature "${feature.key}", got ${formatValue(_variation)}`
      )
    } else if (ids.indexOf(id) < index) {
      issues.push(`${at} should name a variation once, got ${formatValue(_variation)} again`)
    }
    return { _variation: id ?? _variation, percentage }
  })
}

function toRollout({ startDate, stages, ...rollout }: NonNullable<TargetInput['rollout']>): Rollout {
  return {
    ...rollout,
    startDate: toIsoString(startDate),
    ...(stages ? { stages: stages.map((stage) => ({ ...stage, date: toIsoString(stage.date) })) } : {})
  }
}
