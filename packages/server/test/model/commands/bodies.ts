import { DAY, NOW } from '@burgee/testing/plan'
import { named, type Real } from '../real.ts'
import { find, keyIn, type Model, type ModelEnvironment, type ModelFeature, type ModelTarget } from '../state.ts'
import type { ConfigurationInput, FeatureInput, TargetInput, VariationInput, WhoInput } from './inputs.ts'

/** The request body of a feature. `present` is its state before the change. */
export function featureBody(input: FeatureInput, model: Model, real: Real, present?: ModelFeature): object {
  const { variations, configurations, ...members } = input
  const said = Object.entries(configurations ?? {}).map(([reference, configuration]) => {
    const environment = find(model.environments, reference)
    return [
      named(real, model.environments, reference),
      configurationBody(configuration, model, real, present, environment)
    ]
  })
  return {
    ...members,
    ...(variations ? { variations: variations.map((each) => variationBody(each, real, present)) } : {}),
    ...(configurations ? { configurations: Object.fromEntries(said) } : {})
  }
}

function variationBody({ was, key, name, values }: VariationInput, real: Real, present?: ModelFeature): object {
  const _id = was === undefined ? {} : { _id: named(real, present?.variations ?? [], `id:${was}`) }
  return { ..._id, key, name, variables: values }
}

/** The request body of a configuration. */
export function configurationBody(
  { status, targets }: ConfigurationInput,
  model: Model,
  real: Real,
  feature?: ModelFeature,
  environment?: ModelEnvironment
): object {
  const present = (environment && feature?.configurations[environment.handle]?.targets) ?? []
  return {
    ...(status ? { status } : {}),
    ...(targets ? { targets: targets.map((target) => targetBody(target, model, real, feature, present)) } : {})
  }
}

function targetBody(
  { who, starts, serves, keeps }: TargetInput,
  model: Model,
  real: Real,
  feature: ModelFeature | undefined,
  present: readonly ModelTarget[]
): object {
  const before = keeps === undefined ? undefined : present[keeps]
  const kept = before ? { _id: real.ids.get(before.handle) } : {}
  const startDate = new Date(starts === 'tomorrow' ? NOW + DAY : NOW - DAY).toISOString()
  return {
    ...kept,
    audience: { filters: filtersOf(who, model, real) },
    ...(starts ? { rollout: { type: 'schedule', startDate } } : {}),
    distribution: serves.map(([reference, percentage]) => {
      // Those of a new feature have no ids yet.
      return { _variation: feature ? named(real, feature.variations, reference) : keyIn(reference), percentage }
    })
  }
}

/** The filters of a target or an audience in a request. */
export function filtersOf(who: WhoInput, model: Model, real: Real): object {
  return { operator: 'and', filters: [filterOf(who, model, real)] }
}

function filterOf(who: WhoInput, model: Model, real: Real): object {
  if (who === 'everybody') return { type: 'all' }
  if ('users' in who) return { type: 'user', subType: 'user_id', comparator: '=', values: who.users }
  return { type: 'audienceMatch', comparator: '=', _audiences: [named(real, model.audiences, who.audience)] }
}
