import { type Environment, Feature, Variable } from '@burgee/contract/schemas'
import { z } from 'zod'

/** A feature in a list: the members that help to choose one, without empty ones. `get_feature` returns the rest. */
export const FeatureSummary = Feature.pick({
  key: true,
  name: true,
  description: true,
  type: true,
  status: true,
  staticVariation: true,
  updatedAt: true
}).extend({
  tags: Feature.shape.tags.exactOptional(),
  variables: z.array(Variable.pick({ key: true, type: true })).exactOptional(),
  /** Keys. */
  variations: z.array(z.string()).exactOptional(),
  /** Keys of the environments in which it is on. */
  activeIn: z.array(z.string()).exactOptional(),
  /** Why it is stale. */
  staleness: z.string().exactOptional()
})
export type FeatureSummary = z.infer<typeof FeatureSummary>

/** Summarizes a feature. */
export function summarizeFeature(
  feature: Feature,
  environments: readonly Pick<Environment, '_id' | 'key'>[]
): FeatureSummary {
  const { key, name, description, type, status, tags, staticVariation, staleness, updatedAt } = feature
  const active = new Set(
    feature.configurations.filter(({ status }) => status === 'active').map(({ _environment }) => _environment)
  )
  return withoutEmpty({
    key,
    name,
    description,
    type,
    status,
    tags,
    variables: feature.variables.map(({ key, type }) => ({ key, type })),
    variations: feature.variations.map(({ key }) => key),
    activeIn: environments.filter(({ _id }) => active.has(_id)).map(({ key }) => key),
    staticVariation,
    staleness: staleness?.reason,
    updatedAt
  })
}

/** A variable in a list: the members that tools can change, without empty ones, and its feature. */
export const VariableSummary = Variable.pick({
  key: true,
  description: true,
  type: true,
  status: true,
  validationSchema: true,
  metadata: true,
  persistent: true,
  _feature: true
}).extend({ name: z.string().exactOptional(), tags: Variable.shape.tags.exactOptional() })
export type VariableSummary = z.infer<typeof VariableSummary>

/** Summarizes a variable. */
export function summarizeVariable(variable: Variable): VariableSummary {
  const { key, name, description, type, status, validationSchema, persistent, metadata, tags, _feature } = variable
  return withoutEmpty({
    key,
    ...(name === key ? {} : { name }),
    description,
    type,
    status,
    validationSchema,
    persistent,
    metadata,
    tags,
    _feature
  })
}

/** Drops members that are `undefined`, `false`, or empty. */
function withoutEmpty<T extends object, Result>(object: T): Result {
  const present = Object.entries(object).filter(([, value]) => {
    if (value === undefined || value === null || value === false || value === '') return false
    return typeof value !== 'object' || Object.keys(value).length > 0
  })
  // The schemas above declare every member that can be empty as optional.
  return Object.fromEntries(present) as Result
}
