import type { Json, VariableType } from '@burgee/core'
import fc from 'fast-check'
import { users } from './agree.ts'
import type { ConfigurationInput, TargetInput, VariableInput, VariationInput, WhoInput } from './commands/inputs.ts'

// Few keys, so that they collide. Features and their first variables share theirs.
/** The keys of variables. */
export const variableKeys = ['alpha', 'beta', 'gamma', 'color', 'limit', 'layout'] as const
const variationKeys = ['variation-on', 'variation-off', 'variation-b'] as const

/** Some values of each type. */
export const values: Record<VariableType, readonly Json[]> = {
  Boolean: [true, false],
  String: ['red', ''],
  Number: [0, 7],
  JSON: [{}, { rows: 2 }]
}
/** The types of variables. */
export const types = ['Boolean', 'String', 'Number', 'JSON'] as const

/** The type that a variable of this key usually has. */
export function typeOf(key: string): VariableType {
  return key === 'color' ? 'String' : key === 'limit' ? 'Number' : key === 'layout' ? 'JSON' : 'Boolean'
}

export const name = fc.constantFrom('One', 'Two', 'Three')
export const featureKey = weighted({ alpha: 6, beta: 5, gamma: 2 })
export const variableKey = weighted({ alpha: 5, color: 4, limit: 3, beta: 2, gamma: 1, layout: 1 })
export const environmentKey = weighted({ development: 6, production: 6, staging: 2, quality: 2 })
export const audienceKey = weighted({ team: 6, guests: 3, nobody: 1 })
const variationKey = weighted({ 'variation-on': 12, 'variation-off': 12, 'variation-b': 1 })

function weighted<K extends string>(weights: Readonly<Record<K, number>>): fc.Arbitrary<K> {
  // Its own keys.
  const entries = Object.entries(weights) as [K, number][]
  return fc.oneof(...entries.map(([key, weight]) => ({ weight, arbitrary: fc.constant(key) })))
}

/** A key, or the id of the item with that key. */
export function reference<K extends string>(key: fc.Arbitrary<K>): fc.Arbitrary<string> {
  return fc.tuple(key, fc.nat(3)).map(([it, choice]) => (choice === 0 ? `id:${it}` : it))
}

/** A record in which every member is optional. */
export function partial<T>(members: { [M in keyof T]: fc.Arbitrary<T[M]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>
}

/** Usually the first, and sometimes the second. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other })
}

const variableInput: fc.Arbitrary<VariableInput> = variableKey.chain((key) => {
  return fc.record({ key: fc.constant(key), type: mostly(fc.constant(typeOf(key)), fc.constantFrom(...types)) })
})

/** A value for the variable of a key. */
export function valueFor(key: string): fc.Arbitrary<Json> {
  return mostly(fc.constantFrom(...values[typeOf(key)]), fc.constantFrom<Json>(...Object.values(values).flat()))
}

/** Variations with values for the variables of these keys. */
export function variationsWith(keys: readonly string[]): fc.Arbitrary<VariationInput[]> {
  const variation = fc.record(
    {
      key: fc.constantFrom(...variationKeys),
      name,
      values: partial<Record<string, Json>>(
        Object.fromEntries(keys.map((key) => [key, valueFor(key)]))
      ) as fc.Arbitrary<Record<string, Json>>,
      was: fc.constantFrom(...variationKeys)
    },
    { requiredKeys: ['key', 'name', 'values'] }
  )
  const list = fc.uniqueArray(
    variation.map(({ was, ...rest }) => ({ ...rest, ...(was && was < rest.key ? { was } : {}) })),
    { minLength: 1, maxLength: 3, selector: ({ key }) => key }
  )
  return mostly(list, fc.array(variation, { minLength: 1, maxLength: 3 }))
}

/** Variables and variations that usually match. */
export const contents = fc
  .uniqueArray(variableInput, { maxLength: 3, selector: ({ key }) => key })
  .chain((variables) => {
    const keys = variables.map(({ key }) => key)
    const variations = mostly(variationsWith(keys), variationsWith(['alpha', ...keys]))
    return fc.record({ variables: fc.constant(variables), variations })
  })

/** The users of a target or an audience. */
export const who: fc.Arbitrary<WhoInput> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('everybody' as const) },
  { weight: 3, arbitrary: fc.record({ users: fc.subarray([...users], { minLength: 1, maxLength: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ audience: reference(audienceKey) }) }
)

/** Usually a variation of the feature. */
export const variationReference = reference(variationKey)
const one: fc.Arbitrary<TargetInput['serves']> = variationReference.map((variation) => [[variation, 1]])
const two: fc.Arbitrary<TargetInput['serves']> = fc
  .tuple(fc.boolean(), fc.constantFrom(0, 0.25, 0.5), fc.nat(20))
  .map(([isFirst, share, mistake]) => [
    [isFirst ? 'variation-on' : 'id:variation-off', share],
    [isFirst === mistake > 0 ? 'variation-off' : 'variation-on', mistake === 1 ? 0.9 - share : 1 - share]
  ])

const target: fc.Arbitrary<TargetInput> = fc
  .record(
    { who, starts: fc.constantFrom('yesterday' as const, 'tomorrow' as const), serves: fc.oneof(one, two) },
    { requiredKeys: ['who', 'serves'] }
  )
  .map(({ starts, ...rest }) => ({ ...rest, ...(starts && rest.who !== 'everybody' ? { starts } : {}) }))

const targets = fc
  .tuple(fc.array(target, { maxLength: 3 }), fc.constantFrom(undefined, undefined, 0, 1))
  .map(([list, keeps]) => list.map((each, index) => (index === 0 && keeps !== undefined ? { ...each, keeps } : each)))

const status = fc.constantFrom('active' as const, 'active' as const, 'inactive' as const)
/** The configuration of one environment. */
export const configuration = partial<ConfigurationInput>({ status, targets })
/** The configurations of some environments. */
export const configurations = fc.dictionary(reference(environmentKey), configuration, { maxKeys: 3 })

export const feature = reference(featureKey)
export const variable = reference(
  fc.oneof({ weight: 8, arbitrary: variableKey }, { weight: 1, arbitrary: fc.constant('renamed') })
)
export const environment = reference(environmentKey)
export const audience = reference(audienceKey)
