import type { EnvironmentPreview, SampleUser } from '@burgee/contract/schemas'
import type { EvaluateOptions, User } from '@burgee/core'
import type { ConfigInput } from '../../delivery/configs/configSources.ts'
import { type CompiledFeatures, compileFeatures } from '../../delivery/explanations/compileFeatures.ts'
import { createTimeSlices, takeTurn } from '../../lib/time.ts'
import { type SampleOptions, selectUsers } from './selectUsers.ts'

/** Adds stored data to sampled users. */
export type CompleteUsers = (users: readonly SampleUser[]) => Promise<(user: SampleUser) => User>

interface PreviewInput {
  readonly featureId: string
  readonly before: ConfigInput
  readonly after: ConfigInput
  readonly recent: readonly SampleUser[]
  readonly sample: SampleOptions
  readonly completeUsers: CompleteUsers
  readonly optionsOf: (user: SampleUser) => EvaluateOptions
}

/**
 * Evaluates a sample of users before and after a change of a feature in one environment. Yields to the event loop
 * between slices of a few milliseconds.
 */
export async function previewVariations({
  featureId,
  before,
  after,
  recent,
  sample,
  completeUsers,
  optionsOf
}: PreviewInput): Promise<EnvironmentPreview> {
  const one = await compileState(before, featureId)
  await takeTurn()
  const other = await compileState(after, featureId)
  await takeTurn()
  const { source, users } = await selectUsers(recent, { ...sample, configs: [one.config, other.config] })
  const complete = await completeUsers(users)
  const slices = createTimeSlices()
  const matrix = new Map<string, EnvironmentPreview['matrix'][number]>()
  const examples: EnvironmentPreview['examples'] = []
  let count = 0
  for (const sampled of users) {
    await slices.yieldIfDue()
    const [user, options] = [complete(sampled), optionsOf(sampled)]
    const from = one.evaluator.bucket(user, options).featureVariationMap[featureId]
    const to = other.evaluator.bucket(user, options).featureVariationMap[featureId]
    const keys = { from: one.keyOf(from), to: other.keyOf(to) }
    const cell = JSON.stringify([from ?? null, to ?? null])
    matrix.set(cell, { ...keys, count: (matrix.get(cell)?.count ?? 0) + 1 })
    if (from === to) continue
    count++
    if (examples.length < MAX_EXAMPLES) examples.push({ user: sampled, ...keys })
  }
  return {
    sampleSize: users.length,
    source,
    moved: { count, share: count / users.length },
    matrix: [...matrix.values()].sort((a, b) => b.count - a.count),
    examples
  }
}

/** How many users a preview names. */
export const MAX_EXAMPLES = 20

interface ComparedState extends CompiledFeatures {
  /** Returns the key of a variation by its id. */
  readonly keyOf: (variation: string | undefined) => string | null
}

async function compileState(input: ConfigInput, featureId: string): Promise<ComparedState> {
  const features = input.features.filter(({ _id }) => _id === featureId)
  const keys = new Map(features.flatMap(({ variations }) => variations.map(({ _id, key }) => [_id, key])))
  return {
    ...(await compileFeatures(input, features)),
    keyOf: (variation) => (variation === undefined ? null : (keys.get(variation) ?? variation))
  }
}
