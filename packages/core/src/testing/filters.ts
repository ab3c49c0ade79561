import type { Filter } from '../types/audience.ts'

/**
 * The filter that lets a user pass whose attribute has one of the values.
 *
 * @example
 * whose('country', 'CA', 'US')
 * whose('customData.plan', 'pro')
 */
export function whose(attribute: Attribute, ...values: readonly (string | number | boolean)[]): Filter {
  const isCustom = attribute.startsWith(CUSTOM)
  return {
    type: 'user',
    subType: isCustom ? 'customData' : attribute,
    ...(isCustom ? { dataKey: attribute.slice(CUSTOM.length), dataKeyType: dataKeyTypeOf(values[0]) } : {}),
    comparator: '=',
    values
  }
}

/** The filter that lets the members of audiences pass, by their keys. */
export function inAudience(...audiences: readonly string[]): Filter {
  return { type: 'audienceMatch', comparator: '=', _audiences: audiences }
}

/** The filter that lets users pass who opted in to the feature. */
export const optedIn: Filter = { type: 'optIn' }

/** The filter that lets everybody pass. */
export const everybody: Filter = { type: 'all' }

/** What a user can be told by; what follows `customData.` is the name of a custom attribute. */
export type Attribute =
  | 'user_id'
  | 'email'
  | 'country'
  | 'platform'
  | 'platformVersion'
  | 'deviceModel'
  | 'appVersion'
  | `customData.${string}`

const CUSTOM = 'customData.'

function dataKeyTypeOf(value: unknown): string {
  return typeof value === 'number' ? 'Number' : typeof value === 'boolean' ? 'Boolean' : 'String'
}
