import type { Environment, Feature, UpdateFeature } from '@burgee/contract/schemas'

type Configurations = NonNullable<UpdateFeature['configurations']>
type TargetInput = NonNullable<Configurations[string]['targets']>[number]
type Known = { readonly _id: string; readonly name?: string }

/**
 * Adds the ids of existing targets to an update. Assistants often omit them, and a target without an id is new: it
 * reassigns its users, some of whom would get another variation. A target without an id gets the id of the existing
 * target of the same name if the name is unique both in the environment and in the update.
 */
export function matchTargets(
  body: UpdateFeature,
  {
    feature,
    environments
  }: {
    readonly feature: Pick<Feature, 'configurations'>
    readonly environments: readonly Pick<Environment, '_id' | 'key'>[]
  }
): UpdateFeature {
  if (!hasTargetsWithoutId(body)) return body
  const configurations = Object.entries(body.configurations ?? {}).map(([reference, update]) => {
    const environment = environments.find(({ key, _id }) => key === reference || _id === reference)
    const known = feature.configurations.find(({ _environment }) => _environment === environment?._id)?.targets ?? []
    return [reference, update.targets ? { ...update, targets: withIds(update.targets, known) } : update]
  })
  return { ...body, configurations: Object.fromEntries(configurations) }
}

/** Whether `matchTargets` can change the update. */
export function hasTargetsWithoutId({ configurations = {} }: UpdateFeature): boolean {
  return Object.values(configurations).some(({ targets = [] }) => targets.some(({ _id }) => _id === undefined))
}

function withIds(inputs: readonly TargetInput[], known: readonly Known[]): readonly TargetInput[] {
  const taken = new Set(inputs.map(({ _id }) => _id))
  return inputs.map((input) => {
    const { _id, name } = input
    if (_id !== undefined || name === undefined) return input
    const [same, ...others] = known.filter((one) => one.name === name)
    const isUnique = inputs.filter((one) => one.name === name).length === 1
    return same && others.length === 0 && isUnique && !taken.has(same._id) ? { ...input, _id: same._id } : input
  })
}
