import { type UserProperty, userProperties } from '@burgee/contract/rules'
import type { CustomProperty } from '@burgee/contract/schemas'
import { english } from '@burgee/contract/words'
import type { Filter } from '@burgee/core'

/** The subject of a condition. */
export type Property =
  | { readonly kind: 'all' }
  | { readonly kind: 'user'; readonly subType: UserProperty }
  | { readonly kind: 'custom'; readonly dataKey: string; readonly dataKeyType: 'String' | 'Number' | 'Boolean' }
  | { readonly kind: 'audience' }
  | { readonly kind: 'optIn' }

/** The type of the values of a property. */
export type ValueType = 'none' | 'text' | 'country' | 'version' | 'number' | 'boolean' | 'audience'

/** An entry of the property control. */
export interface PropertyChoice {
  readonly group: 'User' | 'Custom properties' | 'Other'
  readonly property: Property
  readonly label: string
  /** The name of the attribute, shown beside the label. */
  readonly detail?: string
}

/** Returns the entries of the property control. Audiences have no opt-in. */
export function propertyChoices(
  customProperties: readonly CustomProperty[],
  place: 'target' | 'audience'
): readonly PropertyChoice[] {
  return [
    ...userProperties.map(
      (subType): PropertyChoice => ({
        group: 'User',
        property: { kind: 'user', subType },
        label: english.property(subType),
        detail: subType
      })
    ),
    ...customProperties.map(
      ({ name, propertyKey, type }): PropertyChoice => ({
        group: 'Custom properties',
        property: { kind: 'custom', dataKey: propertyKey, dataKeyType: type },
        label: name,
        detail: propertyKey
      })
    ),
    { group: 'Other', property: { kind: 'all' }, label: 'everyone' },
    { group: 'Other', property: { kind: 'audience' }, label: 'audience' },
    ...(place === 'target' ? [{ group: 'Other', property: { kind: 'optIn' }, label: 'opted in' } as const] : [])
  ]
}

/** Returns the property of a filter, or undefined for a filter that the form does not support. */
export function propertyOf({ type, subType, dataKey, dataKeyType }: Filter): Property | undefined {
  if (type === 'all') return { kind: 'all' }
  if (type === 'audienceMatch') return { kind: 'audience' }
  if (type === 'optIn') return { kind: 'optIn' }
  if (type !== 'user') return undefined
  if (subType === 'customData') {
    if (dataKeyType !== 'String' && dataKeyType !== 'Number' && dataKeyType !== 'Boolean') return undefined
    return { kind: 'custom', dataKey: dataKey ?? '', dataKeyType }
  }
  const known = userProperties.find((name) => name === subType)
  return known === undefined ? undefined : { kind: 'user', subType: known }
}

/** Returns the type of the values of a property. */
export function valueTypeOf(property: Property): ValueType {
  switch (property.kind) {
    case 'all':
    case 'optIn':
      return 'none'
    case 'audience':
      return 'audience'
    case 'custom':
      return ({ String: 'text', Number: 'number', Boolean: 'boolean' } as const)[property.dataKeyType]
    case 'user':
      if (property.subType === 'country') return 'country'
      return property.subType === 'appVersion' || property.subType === 'platformVersion' ? 'version' : 'text'
  }
}

/** Returns whether two properties are the same. */
export function isSameProperty(one: Property, other: Property): boolean {
  if (one.kind === 'user' && other.kind === 'user') return one.subType === other.subType
  if (one.kind === 'custom' && other.kind === 'custom') {
    return one.dataKey === other.dataKey && one.dataKeyType === other.dataKeyType
  }
  return one.kind === other.kind
}
