import { readFileSync } from 'node:fs'
import type { Config, Filter, Json, Metadata, Operator, VariableType } from '@burgee/core'

/** A flag of the official suites in Burgee's terms. */
export interface Flag {
  readonly key: string
  readonly type: VariableType
  /** Variation key → value. */
  readonly variants: Readonly<Record<string, Value>>
  readonly metadata: Metadata | undefined
  /** The users of each variation. */
  readonly target: Targeting
  /** The variation for users without a match. */
  readonly otherwise: string | undefined
  /** A disabled flag is a variable that no feature serves. */
  readonly isDisabled: boolean
}

/** The users of each variation. */
interface Targeting {
  readonly filters: Operator
  readonly variation: string
}

type Value = string | number | boolean | { readonly [member: string]: Json }

interface Given {
  readonly variants: Readonly<Record<string, Value>>
  readonly defaultVariant?: string | null
  readonly disabled?: boolean
  readonly flagMetadata?: Metadata | null
  readonly contextEvaluator?: string
}

const everybody: Operator = { operator: 'and', filters: [{ type: 'all' }] }
const nobody: Operator = {
  operator: 'and',
  filters: [{ type: 'user', subType: 'email', comparator: '=', values: ['nobody'] }]
}
const email: Filter = { type: 'user', subType: 'email', comparator: '=', values: ['ballmer@macrosoft.com'] }

/** Converts the expressions of the suites to filters. */
const evaluators: Readonly<Record<string, Targeting>> = {
  "email == 'ballmer@macrosoft.com' ? 'zero' : ''": {
    filters: { operator: 'and', filters: [email] },
    variation: 'zero'
  },
  "!customer && email == 'ballmer@macrosoft.com' && age > 10 ? 'internal' : ''": {
    filters: {
      operator: 'and',
      filters: [custom('customer', 'Boolean', '!=', true), email, custom('age', 'Number', '>', 10)]
    },
    variation: 'internal'
  },
  "fn == 'Sulisław' && ln == 'Świętopełk' && age == 29 && customer == false ? 'internal' : ''": {
    filters: {
      operator: 'and',
      filters: [
        custom('fn', 'String', '=', 'Sulisław'),
        custom('ln', 'String', '=', 'Świętopełk'),
        custom('age', 'Number', '=', 29),
        custom('customer', 'Boolean', '=', false)
      ]
    },
    variation: 'internal'
  }
}

function custom(dataKey: string, dataKeyType: string, comparator: string, value: string | number | boolean): Filter {
  return { type: 'user', subType: 'customData', dataKey, dataKeyType, comparator, values: [value] }
}

const given: Readonly<Record<string, Given>> = {
  ...JSON.parse(readFileSync(new URL('../conformance/test-flags.json', import.meta.url), 'utf8')),
  // The deprecated suite uses this flag, which the file lacks.
  'context-aware': {
    variants: { internal: 'INTERNAL', external: 'EXTERNAL' },
    defaultVariant: 'external',
    contextEvaluator: "fn == 'Sulisław' && ln == 'Świętopełk' && age == 29 && customer == false ? 'internal' : ''"
  }
}

/** Every flag of the official suites. */
export const flags: readonly Flag[] = Object.entries(given).map(([key, flag]) => {
  const { variants, defaultVariant, disabled, flagMetadata, contextEvaluator } = flag
  const target = contextEvaluator === undefined ? undefined : evaluators[contextEvaluator]
  if (contextEvaluator !== undefined && !target) throw new Error(`no filters say "${contextEvaluator}"`)
  // A flag without a default serves no user.
  const [first = ''] = Object.keys(variants)
  const otherwise = defaultVariant
    ? { filters: everybody, variation: defaultVariant }
    : { filters: nobody, variation: first }
  return {
    key,
    type: typeOf(Object.values(variants)[0]),
    variants,
    metadata: flagMetadata ?? undefined,
    target: target ?? otherwise,
    otherwise: target ? (defaultVariant ?? undefined) : undefined,
    isDisabled: disabled === true
  }
})

function typeOf(value: unknown): VariableType {
  switch (typeof value) {
    case 'boolean':
      return 'Boolean'
    case 'string':
      return 'String'
    case 'number':
      return 'Number'
    default:
      return 'JSON'
  }
}

/** The flags as a config document. */
export const config: Config = {
  project: { _id: 'project', key: 'conformance' },
  environment: { _id: 'environment', key: 'production' },
  variables: flags.map(({ key, type, metadata }) => ({ _id: `v ${key}`, key, type, ...(metadata && { metadata }) })),
  features: flags
    .filter(({ isDisabled }) => !isDisabled)
    .map(({ key, variants, target }) => ({
      _id: `f ${key}`,
      key,
      type: 'release',
      variations: Object.entries(variants).map(([name, value]) => {
        return { _id: `${key} ${name}`, key: name, name, variables: [{ _var: `v ${key}`, value }] }
      }),
      configuration: {
        _id: `c ${key}`,
        targets: [
          {
            _id: `t ${key}`,
            _audience: { filters: target.filters },
            distribution: [{ _variation: `${key} ${target.variation}`, percentage: 1 }]
          }
        ]
      }
    })),
  offValues: Object.fromEntries(
    flags.flatMap(({ key, variants, otherwise }) => {
      return otherwise === undefined ? [] : [[key, { variant: otherwise, value: variants[otherwise] as Value }]]
    })
  )
}
