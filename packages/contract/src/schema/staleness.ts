import { z } from 'zod'
import { feature } from './examples/checkout.ts'
import { ids } from './examples/shop.ts'
import { DateTime, Id, Name } from './fields.ts'
import { Json } from './json.ts'
import { Key } from './key.ts'

/** Why a feature is stale. */
export const StalenessReason = z.enum(['released', 'unused', 'unmodifiedShort', 'unmodifiedLong'])
export type StalenessReason = z.infer<typeof StalenessReason>

/** Whether a feature looks as if it had done its work, and why. */
export const FeatureStaleness = z
  .object({
    key: Key,
    name: Name,
    _feature: Id,
    stale: z.boolean().meta({ description: 'Whether it is, silenced or not.' }),
    updatedAt: DateTime.exactOptional().meta({ description: 'The moment that this tells of: that of the answer.' }),
    disabled: z.boolean().meta({ description: 'Whether nobody is told, ever.' }),
    snoozedUntil: DateTime.exactOptional().meta({ description: 'Nobody is told before.' }),
    reason: StalenessReason.exactOptional().meta({
      description: 'The first that holds of released, unused, unmodifiedShort and unmodifiedLong.'
    }),
    since: DateTime.exactOptional().meta({
      description:
        'Since when it has been so: the last modification, the release, or the end of the last hour in which it was evaluated.'
    }),
    metaData: z.record(z.string(), Json).exactOptional().meta({
      description:
        'What people said, and for the reason released `releaseVariation` with `_variation`, `variationKey`, `variationName`.'
    })
  })
  .meta({
    id: 'FeatureStaleness',
    example: {
      key: feature.key,
      name: feature.name,
      _feature: ids.feature,
      stale: true,
      updatedAt: '2026-05-01T00:00:00.000Z',
      disabled: false,
      reason: 'unmodifiedShort',
      since: '2026-03-01T12:00:00.000Z'
    }
  })
export type FeatureStaleness = z.infer<typeof FeatureStaleness>

/** The body that changes who is told that a feature is stale, and when. */
export const UpdateStaleness = FeatureStaleness.pick({ disabled: true, metaData: true })
  .extend({
    snoozedUntil: DateTime.nullable().meta({ description: 'null ends the snooze; what is past silences nothing.' })
  })
  .partial()
  .strict()
  .meta({ id: 'UpdateStaleness', example: { snoozedUntil: '2026-06-01T00:00:00.000Z' } })
export type UpdateStaleness = z.infer<typeof UpdateStaleness>
