import type * as core from '@burgee/core'
import { z } from 'zod'
import { discriminatedUnion } from '../common/discriminatedUnion.ts'
import { AllFilter, AudienceMatchFilter, OptInFilter, UserFilter } from './filters.ts'

/** The deepest nesting of operators. */
export const MAX_OPERATOR_DEPTH = 8

// `operator` distinguishes operators from filters.
const Absent = z.undefined({ error: 'should not be given together with operator' }).optional().meta({ not: {} })

const Operator = z
  .enum(['and', 'or'], {
    error: 'should be one of and, or; a filter should have a type instead'
  })
  .meta({ description: 'Whether all filters must match, or one of them.' })

/** The maximum number of filters and operators in one operator. */
export const MAX_OPERATOR_FILTERS = 1000
const filtersMeta = { description: 'At most 1,000.' }
const atLeastOne = 'should have at least one filter; { "type": "all" } matches all users'

const NestedAudienceOperator = z
  .strictObject({
    type: Absent,
    operator: Operator,
    get filters() {
      return z
        .array(discriminatedUnion('type', [AllFilter, UserFilter, AudienceMatchFilter, NestedAudienceOperator]))
        .min(1, atLeastOne)
        .max(MAX_OPERATOR_FILTERS)
        .meta(filtersMeta)
    }
  })
  .meta({
    id: 'AudienceOperator',
    description: 'The users: an object with `operator` and a list `filters`.',
    example: {
      operator: 'or',
      filters: [
        { type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] },
        {
          operator: 'and',
          filters: [
            { type: 'user', subType: 'country', comparator: '=', values: ['CA'] },
            {
              type: 'user',
              subType: 'customData',
              dataKey: 'seats',
              dataKeyType: 'Number',
              comparator: '>=',
              values: [10]
            }
          ]
        }
      ]
    }
  })

const NestedTargetOperator = z
  .strictObject({
    type: Absent,
    operator: Operator,
    get filters() {
      return z
        .array(
          discriminatedUnion('type', [AllFilter, UserFilter, AudienceMatchFilter, OptInFilter, NestedTargetOperator])
        )
        .min(1, atLeastOne)
        .max(MAX_OPERATOR_FILTERS)
        .meta(filtersMeta)
    }
  })
  .meta({
    id: 'TargetOperator',
    description: 'The users: an object with `operator` and a list `filters`.',
    example: { operator: 'and', filters: [{ type: 'all' }] }
  })

/** The type of core: TypeScript cannot declare the inferred type of a recursive schema. */
type Operators = z.ZodType<core.Operator, core.Operator>

const depthError = { error: `should nest operators at most ${MAX_OPERATOR_DEPTH} deep` }

/** The filters of an audience. */
export const AudienceOperator: Operators = NestedAudienceOperator.refine(isShallow, depthError)
export type AudienceOperator = z.infer<typeof AudienceOperator>

/** The filters of a target: those of an audience, and opt-in. */
export const TargetOperator: Operators = NestedTargetOperator.refine(isShallow, depthError)
export type TargetOperator = z.infer<typeof TargetOperator>

function isShallow(operator: core.Operator): boolean {
  return depth(operator) <= MAX_OPERATOR_DEPTH
}

function depth({ filters = [] }: core.Operator): number {
  return filters.reduce((deepest, item) => ('operator' in item ? Math.max(deepest, 1 + depth(item)) : deepest), 1)
}
