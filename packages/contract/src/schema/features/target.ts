import type * as core from '@burgee/core'
import { z } from 'zod'
import { Id, Name, NameInput, Reference } from '../common/fields.ts'
import { target } from '../examples/checkout.ts'
import { TargetOperator } from './operator.ts'
import { Fraction, Rollout, RolloutInput } from './rollout.ts'
import { MAX_VARIATIONS } from './variation.ts'

/** The tolerance for the sum of shares, so that thirds are possible. */
const TOLERANCE = 0.0001

const Share = z.object({ percentage: Fraction, _variation: Id }).meta({ id: 'Share' }) satisfies z.ZodType<core.Share>

const TargetAudience = z.object({ name: Name.exactOptional(), filters: TargetOperator })

/**
 * A targeting rule of a feature in one environment: audience, rollout and distribution
 * (docs/reference/management.md#targets).
 */
export const Target = z
  .object({
    _id: Id,
    name: Name.exactOptional(),
    audience: TargetAudience,
    rollout: Rollout.nullable()
      .exactOptional()
      .meta({ description: 'Without one, all users of the audience are included.' }),
    distribution: z.array(Share).meta({ description: 'The share of users per variation; shares add up to 1.' }),
    /** The target that it was promoted from. */
    copiedFrom: Id.exactOptional(),
    bucketingKey: z.string().min(1).max(100).exactOptional().meta({
      description:
        'The custom property that is hashed instead of `user_id`. Users with the same value get the same variation.'
    })
  })
  .meta({ id: 'Target', example: target })
export type Target = z.infer<typeof Target>

const ShareInput = Share.extend({
  _variation: Reference.meta({ description: 'Key or id of the variation.' })
})
  .strict()
  .meta({ id: 'ShareInput' })

/** A target in the body of a feature or a configuration. */
export const TargetInput = Target.extend({
  _id: Id.exactOptional().meta({
    description: 'The seed of bucketing: send it in updates, or users are reassigned.'
  }),
  name: NameInput.exactOptional(),
  audience: TargetAudience.extend({ name: NameInput.exactOptional() }).strict(),
  rollout: RolloutInput.nullable()
    .exactOptional()
    .meta({ description: 'Without one, all users of the audience are included.' }),
  distribution: z
    .array(ShareInput)
    .min(1, { error: 'should have at least one share', abort: true })
    .max(MAX_VARIATIONS)
    .refine(addsUp, 'should have percentages that add up to 1')
    .refine(isUnique, 'should name each variation once')
    .meta({ description: 'The share of users per variation; shares add up to 1. At most 100.' })
})
  .strict()
  .meta({
    id: 'TargetInput',
    example: {
      name: 'Half of Canada',
      audience: {
        filters: {
          operator: 'and',
          filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }]
        }
      },
      distribution: [
        { _variation: 'variation-on', percentage: 0.5 },
        { _variation: 'variation-off', percentage: 0.5 }
      ]
    }
  })
export type TargetInput = z.infer<typeof TargetInput>

type Shares = readonly z.infer<typeof ShareInput>[]

function addsUp(shares: Shares): boolean {
  const sum = shares.reduce((total, { percentage }) => total + percentage, 0)
  return Math.abs(sum - 1) <= TOLERANCE
}

function isUnique(shares: Shares): boolean {
  return new Set(shares.map(({ _variation }) => _variation)).size === shares.length
}
