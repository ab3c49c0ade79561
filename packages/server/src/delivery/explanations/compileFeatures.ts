import { type Config, type Evaluator, recompile } from '@burgee/core'
import { createTimeSlices } from '../../lib/time.ts'
import type { ConfigView } from '../configs/affectedEnvironments.ts'
import { buildConfig } from '../configs/buildConfig.ts'
import type { ConfigInput } from '../configs/configSources.ts'

/**
 * Compiles some features of an environment, which evaluate as among all others. Includes features that are hidden from
 * every type of SDK key.
 * @param previous An evaluator that this function returned for the same environment; its prepared parts are reused.
 */
export async function compileFeatures(
  input: ConfigInput,
  features: readonly ConfigView<'features'>[],
  previous?: Evaluator
): Promise<CompiledFeatures> {
  const ids = new Set<string | undefined>(features.map(({ _id }) => _id))
  const part = {
    ...input,
    features,
    configurations: input.configurations.filter(({ _feature }) => ids.has(_feature)),
    variables: input.variables.filter(({ _feature }) => _feature !== undefined && ids.has(_feature)),
    views: undefined
  }
  const config = buildConfig(part, 'all')
  return { config, evaluator: recompile(config, previous ?? (await compileAudiences(input.audiences, config))) }
}

/**
 * Compiles the audiences of a project, once for each list of them. They can have millions of values, so it yields to
 * the event loop between them.
 */
function compileAudiences(list: ConfigInput['audiences'], config: Config): Promise<Evaluator | undefined> {
  const known = compiledAudiences.get(list)
  if (known !== undefined) return known
  const compiling = compileEach(config)
  compiledAudiences.set(list, compiling)
  return compiling
}

const compiledAudiences = new WeakMap<ConfigInput['audiences'], Promise<Evaluator | undefined>>()

async function compileEach(config: Config): Promise<Evaluator | undefined> {
  const slices = createTimeSlices()
  let evaluator: Evaluator | undefined
  for (const [id, audience] of Object.entries(config.audiences ?? {})) {
    await slices.yieldIfDue()
    // The next evaluator reuses what all previous ones have prepared.
    evaluator = recompile({ ...config, features: [], variables: [], audiences: { [id]: audience } }, evaluator)
  }
  return evaluator
}

/** A config with some of the features of an environment. */
export interface CompiledFeatures {
  readonly config: Config
  readonly evaluator: Evaluator
}

/** A feature in a state of its own: as an update would leave it, or as it was. */
export interface FeatureInState {
  readonly feature: ConfigView<'features'>
  readonly configurations: readonly (ConfigView<'configurations'> & { readonly _environment: string })[]
  readonly variables: readonly ConfigView<'variables'>[]
}

/** Returns the input of an environment in which a feature has another state. */
export function withFeatureState(
  input: ConfigInput,
  { feature, configurations, variables: drafted }: FeatureInState
): ConfigInput {
  const variables = new Map(drafted.map((variable) => [variable._id, variable]))
  const others = input.variables.flatMap((variable) => {
    if (variables.has(variable._id)) return []
    if (variable._feature !== feature._id) return [variable]
    const { _feature, ...detached } = variable
    return [detached]
  })
  // A copy, because results of stored configurations are memoized by their identity.
  const own = configurations.filter(({ _environment }) => _environment === input.environment._id)
  return {
    ...input,
    features: input.features.map((stored) => (stored._id === feature._id ? feature : stored)),
    configurations: [
      ...input.configurations.filter(({ _feature }) => _feature !== feature._id),
      ...own.map((configuration) => ({ ...configuration }))
    ],
    variables: [...others, ...drafted]
  }
}
