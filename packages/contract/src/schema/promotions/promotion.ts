import { z } from 'zod'
import { DateTime, Json, Reference } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { FeatureConfigurationStatus } from '../features/featureConfiguration.ts'
import { Fraction } from '../features/rollout.ts'
import { ChangeItem } from './changeItem.ts'

/** The maximum number of features of a promotion. */
const MAX_FEATURES = 200

/** The maximum number of destinations of a promotion. */
const MAX_DESTINATIONS = 20

/** The maximum number of features times destinations: a preview compares each feature with each destination. */
const MAX_ITEMS = 500

const Destination = z.strictObject({
  project: Reference.exactOptional().meta({ description: 'Key or id. Default: the project of the path.' }),
  environment: Reference
})

/** Identifies the state that a preview shows: 16 characters for the arguments and for each item. */
const PromotionDigest = z.string().regex(/^([\w-]{16})+$/, 'should be the digest of a preview')

/** The body that promotes features from one environment to others (docs/reference/management.md#promotion). */
export const CreatePromotion = z
  .strictObject({
    from: z.strictObject({ environment: Reference }).meta({ description: 'The environment to promote from.' }),
    to: z.array(Destination).min(1).max(MAX_DESTINATIONS).meta({
      description:
        'The destinations: a list of `{environment, project}`, at most 20. Default project: that of the path.'
    }),
    features: z
      .array(Reference)
      .min(1)
      .max(MAX_FEATURES)
      .meta({ description: 'Keys or ids, at most 200; features × destinations, at most 500.' }),
    include: z
      .array(z.enum(['targets', 'status']))
      .min(1)
      .optional()
      .meta({ description: 'Default: the targets. A promotion turns nothing on unless it includes the status.' }),
    mode: z.enum(['replace', 'append', 'merge']).optional().meta({
      description:
        '`replace` (default): the destination gets the targets of the source. `append`: adds those that it lacks at the end. `merge`: also updates those that both have.'
    }),
    rollouts: z.enum(['refuse', 'keep', 'shift', 'drop']).optional().meta({
      description:
        'Unfinished rollouts: `refuse` (default), `keep` their dates, `shift` them to start now, or `drop` them, so that they include everyone.'
    }),
    seeds: z.enum(['match', 'source']).optional().meta({
      description:
        'The ids of new targets, which seed bucketing: new ones (`match`, default), or those of the `source` unless in use.'
    }),
    atomic: z.boolean().optional().meta({ description: 'Whether all items are applied or none. Default: false.' }),
    preview: z.boolean().optional().meta({ description: 'Whether nothing is changed. Default: true.' }),
    digest: PromotionDigest.nullable().optional().meta({
      description: 'The digest of the preview with the same arguments. Required if `preview` is false.'
    })
  })
  .refine(({ preview = true, digest }) => preview || typeof digest === 'string', {
    path: ['digest'],
    error: 'should be the digest of a preview when preview is false'
  })
  .refine(({ features, to }) => features.length * to.length <= MAX_ITEMS, {
    path: ['features'],
    error: ({ input }) => {
      const { features, to } = input as { readonly features: readonly string[]; readonly to: readonly object[] }
      const count = features.length * to.length
      return `should make at most ${MAX_ITEMS} items, one per feature and destination, not ${count}`
    }
  })
  .meta({
    id: 'CreatePromotion',
    example: { from: { environment: 'staging' }, to: [{ environment: 'production' }], features: ['new-checkout'] }
  })
export type CreatePromotion = z.infer<typeof CreatePromotion>

const PromotionTarget = z.object({ project: Reference, environment: Reference })
export type PromotionTarget = z.infer<typeof PromotionTarget>

const PromotionItem = ChangeItem.extend({
  to: PromotionTarget,
  admittedNow: z.object({ before: Fraction, after: Fraction }).exactOptional().meta({
    description:
      'The largest share of its audience that a target of the destination includes now; 0 if the feature is off. Absent from refused items.'
  }),
  warnings: z.array(z.string())
}).meta({ id: 'PromotionItem' })
export type PromotionItem = z.infer<typeof PromotionItem>

const promotion = {
  digest: 'AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB',
  items: [
    {
      feature: 'new-checkout',
      to: { project: 'shop', environment: 'production' },
      outcome: 'unchanged' as const,
      changes: [],
      admittedNow: { before: 1, after: 1 },
      warnings: [],
      revision: '65f0c0ffee0123456789abcd'
    }
  ]
}

/** The report of a promotion: one item per feature and destination. */
export const Promotion = z
  .object({ digest: PromotionDigest, items: z.array(PromotionItem) })
  .meta({ id: 'Promotion', example: promotion })
export type Promotion = z.infer<typeof Promotion>

const Side = z.object({ project: Key, environment: Key, at: DateTime })

const TargetComparison = z.object({
  name: z.string().nullable().meta({ description: 'Its name in `b`, or in `a` if `b` lacks it.' }),
  change: z
    .enum(['same', 'added', 'removed', 'moved', 'modified'])
    .meta({ description: '`added` is in `b` only, `removed` in `a` only.' }),
  fields: z
    .array(z.object({ path: z.string(), a: Json, b: Json }))
    .meta({ description: 'The members that differ: all of a target that one side lacks. Null for absent ones.' })
})
export type TargetComparison = z.infer<typeof TargetComparison>

/** The differences of features between two environments. */
export const Comparison = z
  .object({
    a: Side,
    b: Side,
    features: z.array(
      z.object({
        feature: Key,
        isDifferent: z.boolean(),
        status: z
          .array(FeatureConfigurationStatus.nullable())
          .length(2)
          .meta({ description: 'In `a` and in `b`; null if the project lacks the feature.' }),
        admittedNow: z.array(Fraction).length(2).meta({
          description: 'The largest share of its audience that a target includes now, in `a` and in `b`.'
        }),
        targets: z.array(TargetComparison)
      })
    )
  })
  .meta({
    id: 'Comparison',
    example: {
      a: { project: 'shop', environment: 'staging', at: '2026-03-01T12:00:00.000Z' },
      b: { project: 'shop', environment: 'production', at: '2026-03-01T12:00:00.000Z' },
      features: [
        {
          feature: 'new-checkout',
          isDifferent: true,
          status: ['active', 'inactive'],
          admittedNow: [1, 0],
          targets: [{ name: 'Canada', change: 'same', fields: [] }]
        }
      ]
    }
  })
export type Comparison = z.infer<typeof Comparison>
