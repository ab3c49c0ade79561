import { z } from 'zod'
import { discriminatedUnion } from '../common/discriminatedUnion.ts'
import { Reference } from '../common/fields.ts'
import { isCountry } from '../common/isoCodes.ts'

/** The maximum number of values of a filter. */
export const MAX_FILTER_VALUES = 10_000
/** The maximum number of audiences of a filter. */
export const MAX_FILTER_AUDIENCES = 1000

const existenceComparators = ['exist', '!exist'] as const
const substringComparators = ['contain', '!contain', 'startWith', '!startWith', 'endWith', '!endWith'] as const
const textComparators = ['=', '!=', ...existenceComparators, ...substringComparators] as const
const orderComparators = ['=', '!=', '>', '>=', '<', '<=', ...existenceComparators] as const

// Every string contains the empty string: it would match all users or, in some engines, none.
const Text = z.string().min(1, 'should not be empty')

const CountryCode = z
  .string()
  .refine((code) => isCountry(code) && code === code.toUpperCase(), {
    error: 'should be an ISO 3166-1 alpha-2 country code in upper case'
  })
  .meta({ example: 'CA' })

// Engines agree on digits, a leading v and a suffix after a hyphen, and differ on everything else.
const Version = z
  .string()
  .max(100)
  .regex(/^v?\d+(\.\d+)*(-[0-9A-Za-z.-]+)?$/, 'should be a version such as 1.2.3')
  .meta({ example: '1.2.3' })

/** Comparator and values of a filter. */
function comparing<const Comparators extends readonly string[], Value extends z.ZodType>(
  comparators: Comparators,
  value: Value
) {
  return {
    comparator: z.enum(comparators),
    values: z.array(value).max(MAX_FILTER_VALUES).exactOptional().meta({
      description:
        'Matches if one of the values does; comparators with `!`, if none does. Required except for `exist` and `!exist`. At most 10,000.'
    })
  }
}

function hasValues({ comparator, values }: { comparator: string; values?: readonly unknown[] }): boolean {
  return comparator.endsWith('exist') || (values !== undefined && values.length > 0)
}

const valuesRequired = {
  path: ['values'],
  error: 'should have at least one value, unless comparator is exist or !exist'
}

function hasNoUnusedValues({ comparator, values = [] }: { comparator: string; values?: readonly unknown[] }): boolean {
  return !comparator.endsWith('exist') || values.length === 0
}

const valuesForbidden = { path: ['values'], error: 'should not be given when comparator is exist or !exist' }

/** Matches all users. */
export const AllFilter = z.strictObject({ type: z.literal('all') }).meta({ id: 'AllFilter' })

const TextFilter = z
  .strictObject({
    type: z.literal('user'),
    subType: z.enum(['user_id', 'email', 'platform', 'deviceModel']),
    ...comparing(textComparators, Text)
  })
  .refine(hasValues, valuesRequired)
  .refine(hasNoUnusedValues, valuesForbidden)
  .meta({
    id: 'TextFilter',
    example: { type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] }
  })

const CountryFilter = z
  .strictObject({
    type: z.literal('user'),
    subType: z.literal('country'),
    ...comparing(textComparators, CountryCode)
  })
  .refine(hasValues, valuesRequired)
  .refine(hasNoUnusedValues, valuesForbidden)
  .meta({
    id: 'CountryFilter',
    example: { type: 'user', subType: 'country', comparator: '=', values: ['CA', 'US'] }
  })

const VersionFilter = z
  .strictObject({
    type: z.literal('user'),
    subType: z.enum(['appVersion', 'platformVersion']),
    ...comparing(orderComparators, Version)
  })
  .refine(hasValues, valuesRequired)
  .refine(hasNoUnusedValues, valuesForbidden)
  .refine(({ comparator }) => !comparator.endsWith('exist'), {
    path: ['comparator'],
    error: 'should be one of =, !=, >, >=, <, <=: versions cannot be tested for existence'
  })
  .meta({
    id: 'VersionFilter',
    description: 'exist and !exist are not allowed in requests: they would never match.',
    example: { type: 'user', subType: 'appVersion', comparator: '>=', values: ['2.1.0'] }
  })

const customData = {
  type: z.literal('user'),
  subType: z.literal('customData'),
  dataKey: Text.max(100).meta({ description: 'The attribute of `customData`.' })
} as const

const CustomTextFilter = z
  .strictObject({ ...customData, dataKeyType: z.literal('String'), ...comparing(textComparators, Text) })
  .refine(hasValues, valuesRequired)
  .refine(hasNoUnusedValues, valuesForbidden)
  .meta({ id: 'CustomTextFilter' })

const CustomNumberFilter = z
  .strictObject({ ...customData, dataKeyType: z.literal('Number'), ...comparing(orderComparators, z.number()) })
  .refine(hasValues, valuesRequired)
  .refine(hasNoUnusedValues, valuesForbidden)
  .meta({
    id: 'CustomNumberFilter',
    example: {
      type: 'user',
      subType: 'customData',
      dataKey: 'seats',
      dataKeyType: 'Number',
      comparator: '>=',
      values: [10]
    }
  })

const CustomBooleanFilter = z
  .strictObject({
    ...customData,
    dataKeyType: z.literal('Boolean'),
    ...comparing(['=', '!=', ...existenceComparators], z.boolean())
  })
  .refine(hasValues, valuesRequired)
  .refine(hasNoUnusedValues, valuesForbidden)
  .meta({ id: 'CustomBooleanFilter' })

/** Matches users by an attribute (docs/reference/evaluation.md#filters). */
export const UserFilter = discriminatedUnion('subType', [
  TextFilter,
  CountryFilter,
  VersionFilter,
  discriminatedUnion('dataKeyType', [CustomTextFilter, CustomNumberFilter, CustomBooleanFilter])
])

/** Matches users in any of these audiences or, with `!=`, in none of them. */
export const AudienceMatchFilter = z
  .strictObject({
    type: z.literal('audienceMatch'),
    comparator: z.enum(['=', '!=']).exactOptional().meta({ description: 'Default: =.' }),
    _audiences: z
      .array(Reference)
      .min(1, 'should name at least one audience')
      .max(MAX_FILTER_AUDIENCES)
      .meta({ description: 'At most 1,000.' })
  })
  .meta({ id: 'AudienceMatchFilter', example: { type: 'audienceMatch', _audiences: ['beta-testers'] } })

const unusedInOptIn = 'should be empty in a filter of type optIn, which matches all users who opted in'

/** Matches users who opted in to the feature. */
export const OptInFilter = z
  .strictObject({
    type: z.literal('optIn'),
    _audiences: z.array(z.string()).max(MAX_FILTER_AUDIENCES).exactOptional(),
    values: z.array(z.unknown()).max(MAX_FILTER_VALUES).exactOptional()
  })
  .refine(({ _audiences = [] }) => _audiences.length === 0, { path: ['_audiences'], error: unusedInOptIn })
  .refine(({ values = [] }) => values.length === 0, { path: ['values'], error: unusedInOptIn })
  .meta({ id: 'OptInFilter', description: '`_audiences` and `values` have no effect: requests leave them empty.' })
