import type { Filter } from '../types/audience.ts'

/**
 * Returns a filter that matches users whose attribute has one of the values.
 *
 * @example
 * attributeFilter('country', 'CA', 'US')
 * attributeFilter('customData.plan', 'pro')
 */
export function attributeFilter(attribute: Attribute, ...values: readonly (string | number | boolean)[]): Filter {
  const isCustom = attribute.startsWith(CUSTOM)
  return {
    type: 'user',
    subType: isCustom ? 'customData' : attribute,
    ...(isCustom ? { dataKey: attribute.slice(CUSTOM.length), dataKeyType: dataKeyTypeOf(values[0]) } : {}),
    comparator: '=',
    values
  }
}

/** Returns a filter that matches the members of at least one of the audiences, given by key. */
export function audienceFilter(...audiences: readonly string[]): Filter {
  return { type: 'audienceMatch', comparator: '=', _audiences: audiences }
}

/** A filter that matches users who opted in to the feature. */
export const optInFilter: Filter = { type: 'optIn' }

/** A filter that matches all users. */
export const allUsers: Filter = { type: 'all' }

/** An attribute of a user. `customData.` is followed by the name of a custom attribute. */
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
