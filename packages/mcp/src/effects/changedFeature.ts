import type { CreateFeature, Target, UpdateFeature, Variable, Variation } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { ToolError } from '../answers/toolError.ts'
import { quoted } from '../quoted.ts'
import type { ConfigurationFacts, FeatureFacts, VariableFacts } from './facts.ts'

/** What a feature becomes when the API does what a body says: lists replace lists, the rest of what is not given stays. */
export function changedFeature(before: FeatureFacts, body: UpdateFeature): FeatureFacts {
  const { name, description, type, tags, settings, sdkVisibility, summary } = body
  const variables = body.variables ? changedVariables(before, body.variables) : before.variables
  const variations = changedVariations(before, body, variables)
  const after = {
    ...before,
    ...given({ name, description, type, tags }),
    ...merged('settings', before, settings),
    ...merged('sdkVisibility', before, sdkVisibility),
    ...merged('summary', before, summary),
    variables,
    variations,
    ...control(before, variations, body)
  }
  return { ...after, configurations: changedConfigurations(after, body.configurations ?? {}) }
}

type VariableInput = NonNullable<CreateFeature['variables']>[number]

/** Variables are known again by their keys. */
function changedVariables({ variables }: FeatureFacts, inputs: readonly VariableInput[]): readonly VariableFacts[] {
  return inputs.map(({ _feature: _, defaultValue: __, ...input }) => {
    return { ...variables.find(({ key }) => key === input.key), ...given(input), key: input.key, type: input.type }
  })
}

/** Every variation has a value for every variable: the one it is given, else the one it had, else a first one. */
function changedVariations(
  before: FeatureFacts,
  { variations, variables: inputs = [] }: UpdateFeature,
  variables: readonly VariableFacts[]
): readonly Variation[] {
  const asked = variations?.map((input) => {
    const { _id, key, name } = input
    const known = before.variations.find((one) => (_id === undefined ? one.key === key : one._id === _id))
    return { _id: known?._id ?? `new ${key}`, key, name, variables: { ...known?.variables, ...input.variables } }
  })
  return (asked ?? before.variations).map((variation) => {
    const values = variables.map((variable) => {
      const first = inputs.find(({ key }) => key === variable.key)?.defaultValue
      return [variable.key, variation.variables?.[variable.key] ?? firstValue(variable, first)]
    })
    return { ...variation, variables: Object.fromEntries(values) }
  })
}

/** What a variable is worth in a variation that says nothing about it. */
function firstValue({ type, validationSchema }: Pick<Variable, 'type' | 'validationSchema'>, wanted: unknown): unknown {
  return wanted ?? validationSchema?.exampleValue ?? { String: '', Boolean: false, Number: 0, JSON: {} }[type]
}

/** The control variation keeps being it under another key; when it goes, the first one takes its place. */
function control(
  before: FeatureFacts,
  variations: readonly Variation[],
  { controlVariation: wanted, variations: replaced }: UpdateFeature
): Pick<FeatureFacts, 'controlVariation'> {
  if (wanted !== undefined)
    return { controlVariation: variationOf({ ...before, variations }, wanted, 'controlVariation').key }
  if (!replaced) return {}
  const known = before.variations.find(({ key }) => key === before.controlVariation)
  const present = variations.find(({ _id }) => _id === known?._id) ?? variations[0]
  return { controlVariation: present?.key ?? '' }
}

function changedConfigurations(
  after: FeatureFacts,
  asked: NonNullable<UpdateFeature['configurations']>
): readonly ConfigurationFacts[] {
  const environments = after.configurations.map(({ environment }) => environment)
  const stranger = Object.keys(asked).find((reference) => !named(environments, reference))
  if (stranger !== undefined) {
    const wanted = `environments of the project by key or id (${environments.map(({ key }) => key).join(', ')})`
    throw new ToolError('VALIDATION_ERROR', `configurations should name ${wanted}, got ${formatValue(stranger)}`)
  }
  return after.configurations.map((configuration) => {
    const { _id, key } = configuration.environment
    const { status = configuration.status, targets: inputs } = asked[key] ?? asked[_id] ?? {}
    const targets = inputs?.map((input, index) => changedTarget(input, index, after)) ?? configuration.targets
    const isEmpty = status === 'active' && targets.length === 0
    return { ...configuration, status, targets: isEmpty ? staticTargets(after) : targets }
  })
}

type TargetInput = NonNullable<NonNullable<UpdateFeature['configurations']>[string]['targets']>[number]

/** A target without an id is a new one, which shuffles its users anew. @throws {ToolError} for a variation that is not there. */
function changedTarget(
  { _id, distribution, rollout, ...input }: TargetInput,
  index: number,
  feature: FeatureFacts
): Target {
  return {
    ...input,
    _id: _id ?? `new ${index}`,
    distribution: distribution.map(({ _variation, percentage }) => {
      return { _variation: variationOf(feature, _variation, '_variation')._id, percentage }
    }),
    ...(rollout ? { rollout: inUtc(rollout) } : {})
  }
}

/** What a complete feature serves where it is switched on and has no targets yet. */
function staticTargets({ status, staticVariation = '', variations }: FeatureFacts): readonly Target[] {
  const variation = named(variations, staticVariation)
  return status === 'complete' && variation ? [toEverybody(variation)] : []
}

/** A target that serves one variation to all users. */
export function toEverybody({ _id: _variation }: Pick<Variation, '_id'>): Target {
  return {
    _id: 'new',
    name: 'All Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation, percentage: 1 }]
  }
}

type Rollout = NonNullable<Target['rollout']>

function inUtc({ startDate, stages, ...rollout }: Rollout): Rollout {
  const moment = (date: string) => new Date(date).toISOString()
  return {
    ...rollout,
    startDate: moment(startDate),
    ...(stages ? { stages: stages.map((stage) => ({ ...stage, date: moment(stage.date) })) } : {})
  }
}

/** The variation of this key or id. @throws {ToolError} that names the parameter which asks for another. */
export function variationOf(
  { key, variations }: Pick<FeatureFacts, 'key' | 'variations'>,
  reference: string | undefined,
  parameter: string
): Variation {
  const variation = reference === undefined ? undefined : named(variations, reference)
  if (variation) return variation
  const wanted = `the key or id of a variation of feature ${quoted(key ?? '')}`
  const known = variations.map((one) => one.key).join(', ')
  throw new ToolError('VALIDATION_ERROR', `${parameter} should be ${wanted} (${known}), got ${formatValue(reference)}`)
}

/** The one of this key or id. */
export function named<T extends { readonly _id: string; readonly key: string }>(
  list: readonly T[],
  reference: string
): T | undefined {
  return list.find(({ key }) => key === reference) ?? list.find(({ _id }) => _id === reference)
}

function merged<Name extends 'settings' | 'sdkVisibility' | 'summary'>(
  name: Name,
  before: FeatureFacts,
  asked: object | undefined
): Partial<Pick<FeatureFacts, Name>> {
  if (!asked) return {}
  // What is there has every member, and what is asked for has some of them.
  return { [name]: { ...before[name], ...given(asked) } } as Partial<Pick<FeatureFacts, Name>>
}

/** The members that have a value. */
function given<T extends object>(object: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const present = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [Name in keyof T]?: NonNullable<T[Name]> }
}
