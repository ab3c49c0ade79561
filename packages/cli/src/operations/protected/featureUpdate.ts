import type { Environment, Feature } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'

/** What a request changes in a feature, grouped by the effect on the values that users get. */
export interface FeatureUpdate {
  /** The status and the variation that a complete feature serves. */
  readonly status?: unknown
  readonly staticVariation?: unknown
  /** Updates of configurations, by key or id of the environment. */
  readonly configurations?: unknown
  /** New values of variations, by key or id of the variation. */
  readonly values?: Readonly<Record<string, unknown>>
  /** The feature is turned off in all environments. */
  readonly isOff?: true
  /** The feature is deleted: nobody gets a value of it. */
  readonly isDeleted?: true
  /** The update restores a state: users of an environment are described as a whole, before and after. */
  readonly isReversion?: true
  /** Other members, by name. */
  readonly members?: Readonly<Record<string, unknown>>
}

type Configuration = Feature['configurations'][number]

/** Returns a feature after an update of its status. */
export function withStatus(feature: Feature, { status, staticVariation }: FeatureUpdate): Feature {
  // The record of the operation accepted both.
  return {
    ...feature,
    ...(status !== undefined && { status: status as Feature['status'] }),
    ...(staticVariation !== undefined && { staticVariation: String(staticVariation) })
  }
}

/** Returns the configuration of a feature in an environment. */
export function configurationIn({ configurations }: Feature, { _id }: Environment): Configuration | undefined {
  return configurations.find(({ _environment }) => _environment === _id)
}

/** Returns the update of the configuration in an environment; `undefined` if it stays. */
export function updateIn({ configurations }: FeatureUpdate, { key, _id }: Environment): object | undefined {
  const found: unknown = Object(configurations)[key] ?? Object(configurations)[_id]
  const update = typeof found === 'string' ? { status: found } : found
  return isRecord(update) ? update : undefined
}

/** The new value of a variable in a variation. */
export interface ValueChange {
  readonly variation: Feature['variations'][number]
  readonly variable: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns the values that change, of all variations. */
export function changedValues({ variations }: Feature, { values = {} }: FeatureUpdate): readonly ValueChange[] {
  return variations.flatMap((variation) => {
    const { _id, key, variables = {} } = variation
    return Object.entries(Object(values[key] ?? values[_id])).flatMap(([variable, after]) => {
      const before = variables[variable]
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ variation, variable, before, after }]
    })
  })
}

/** Divides the members of an update of a feature: its targeting, the values of its variations, and the others. */
export function toFeatureUpdate(body: unknown): FeatureUpdate {
  const { configurations, variations, ...members } = isRecord(body) ? body : {}
  const lists = Array.isArray(variations) ? variations.filter(isRecord) : []
  const values = Object.fromEntries(lists.map(({ _id, key, variables }) => [String(_id ?? key), variables]))
  return { configurations, values, members }
}
