import type { UpdateFeatureStatus } from '@burgee/contract/schemas'
import { approvalNote } from '../approvals/approval.ts'
import type { Effect } from '../confirmation/effect.ts'
import { quoted } from '../quoted.ts'
import type { Around } from './around.ts'
import { basisOf } from './basis.ts'
import { toEverybody, variationOf } from './changedFeature.ts'
import { differences } from './differences.ts'
import { type FeatureFacts, factsOf } from './facts.ts'
import { featureParts } from './featureParts.ts'
import { live } from './reach.ts'
import { switchedOn } from './switchedOn.ts'

/** What a change of how far a feature has come would do. */
export function updateFeatureStatusEffect(asked: UpdateFeatureStatus, around: Around): Effect {
  const { feature, environments, project } = around
  const before = factsOf(feature, environments)
  const after = withStatus(before, asked)
  const changes = [...switchedOn(before, after), ...differences(featureParts(before), featureParts(after, before))]
  const name = `feature ${quoted(feature.key)}, named ${quoted(feature.name)}`
  return {
    summary: `${sentences(name, asked)}${approvalNote(project)}`,
    changes,
    environments: changes.length === 0 ? [] : live(before),
    basis: basisOf(feature)
  }
}

function sentences(name: string, { status, staticVariation = '' }: UpdateFeatureStatus): string {
  if (status === 'complete') {
    const who = `everybody gets its variation ${quoted(staticVariation)} wherever it is on`
    return `Completes ${name}: ${who}, and the targets that it has are gone for good.`
  }
  if (status === 'archived') return `Archives ${name}: nobody gets it any more, and its variables are archived with it.`
  return `Makes ${name} active again, with the targets that it has.`
}

/** Only on the way to `complete` does it change who gets what. */
function withStatus(before: FeatureFacts, { status, staticVariation: reference }: UpdateFeatureStatus): FeatureFacts {
  const { staticVariation: _, ...rest } = before
  if (status !== 'complete') return { ...rest, status }
  const variation = variationOf(before, reference, 'staticVariation')
  const isDone = before.status === 'complete' && before.staticVariation === variation.key
  const configurations = before.configurations.map((configuration) => {
    return isDone && configuration.targets.length > 0
      ? configuration
      : { ...configuration, targets: [toEverybody(variation)] }
  })
  return { ...rest, status, staticVariation: variation.key, configurations }
}
