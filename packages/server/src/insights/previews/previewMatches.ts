import type { AudiencePreview, SampleUser } from '@burgee/contract/schemas'
import type { Operator } from '@burgee/core'
import type { ConfigInput } from '../../delivery/configs/configSources.ts'
import { compileFeatures } from '../../delivery/explanations/compileFeatures.ts'
import { createTimeSlices } from '../../lib/time.ts'
import { type CompleteUsers, MAX_EXAMPLES } from './previewVariations.ts'
import { selectUsers } from './selectUsers.ts'

interface MatchInput {
  readonly input: ConfigInput
  readonly filters: Operator
  readonly recent: readonly SampleUser[]
  readonly completeUsers: CompleteUsers
  readonly now: number
}

/**
 * Evaluates which users of a sample match filters: they are served by a target with these filters. Yields to the event
 * loop between slices of a few milliseconds.
 */
export async function previewMatches({
  input,
  filters,
  recent,
  completeUsers,
  now
}: MatchInput): Promise<Omit<AudiencePreview, 'usedBy'>> {
  const feature = probeOf(filters)
  const probe = { ...input, configurations: [{ ...feature.configuration }] }
  const { config, evaluator } = await compileFeatures(probe, [feature.definition])
  const size = Math.max(recent.length, SYNTHETIC_USERS)
  const { source, users } = await selectUsers(recent, { size, seed: 0, configs: [config] })
  const complete = await completeUsers(users)
  const slices = createTimeSlices()
  const matching: SampleUser[] = []
  for (const user of users) {
    await slices.yieldIfDue()
    if (evaluator.bucket(complete(user), { now }).featureVariationMap[PROBE] !== undefined) matching.push(user)
  }
  return {
    sampleSize: users.length,
    source,
    matched: { count: matching.length, share: matching.length / users.length },
    examples: matching.slice(0, MAX_EXAMPLES)
  }
}

const SYNTHETIC_USERS = 1000

/** The id of the feature that only a preview has. */
const PROBE = 'preview'

/** A feature with one variation that users who match get. */
function probeOf(filters: Operator) {
  return {
    definition: {
      _id: PROBE,
      key: PROBE,
      type: 'release',
      status: 'active',
      settings: { publicName: '', publicDescription: '', optInEnabled: false },
      sdkVisibility: { server: true, client: true, mobile: true },
      variations: [{ _id: PROBE, key: PROBE, name: PROBE, variables: [] }]
    },
    configuration: {
      _id: PROBE,
      _feature: PROBE,
      status: 'active',
      targets: [{ _id: PROBE, audience: { filters }, distribution: [{ _variation: PROBE, percentage: 1 }] }]
    }
  } as const
}
