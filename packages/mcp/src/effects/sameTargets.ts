import type { Environment, Feature, UpdateFeature } from '@burgee/contract/schemas'

type Configurations = NonNullable<UpdateFeature['configurations']>
type TargetInput = NonNullable<Configurations[string]['targets']>[number]
type Known = { readonly _id: string; readonly name?: string }

/**
 * The same body, whose targets have the ids of those that they mean. An assistant that moves a share from 20 to 40 % easily
 * leaves the id out, and a target without one is another: it would divide its users anew, and take the feature away from
 * some. One that has the name of exactly one target of the environment, and of no other in the list, is that one.
 */
export function withSameTargets(
  body: UpdateFeature,
  {
    feature,
    environments
  }: {
    readonly feature: Pick<Feature, 'configurations'>
    readonly environments: readonly Pick<Environment, '_id' | 'key'>[]
  }
): UpdateFeature {
  if (!hasNewTargets(body)) return body
  const configurations = Object.entries(body.configurations ?? {}).map(([reference, said]) => {
    const environment = environments.find(({ key, _id }) => key === reference || _id === reference)
    const known = feature.configurations.find(({ _environment }) => _environment === environment?._id)?.targets ?? []
    return [reference, said.targets ? { ...said, targets: withIds(said.targets, known) } : said]
  })
  return { ...body, configurations: Object.fromEntries(configurations) }
}

/** Whether a target could mean one that is there, and does not say so. */
export function hasNewTargets({ configurations = {} }: UpdateFeature): boolean {
  return Object.values(configurations).some(({ targets = [] }) => targets.some(({ _id }) => _id === undefined))
}

function withIds(inputs: readonly TargetInput[], known: readonly Known[]): readonly TargetInput[] {
  const taken = new Set(inputs.map(({ _id }) => _id))
  return inputs.map((input) => {
    const { _id, name } = input
    if (_id !== undefined || name === undefined) return input
    const [same, ...others] = known.filter((one) => one.name === name)
    const isOnly = inputs.filter((one) => one.name === name).length === 1
    return same && others.length === 0 && isOnly && !taken.has(same._id) ? { ...input, _id: same._id } : input
  })
}
