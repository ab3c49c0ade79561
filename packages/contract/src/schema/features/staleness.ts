import { z } from 'zod'
import { DateTime, Id, Json, Name } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { feature } from '../examples/checkout.ts'
import { ids } from '../examples/shop.ts'

/** Why a feature is stale (docs/reference/management.md#staleness). */
export const StalenessReason = z.enum(['released', 'unused', 'unmodifiedShort', 'unmodifiedLong'])
export type StalenessReason = z.infer<typeof StalenessReason>

/** Whether a feature can probably be removed, and why. */
export const FeatureStaleness = z
  .object({
    key: Key,
    name: Name,
    _feature: Id,
    stale: z.boolean().meta({ description: 'Whether the feature is stale, even if that is silenced.' }),
    updatedAt: DateTime.exactOptional().meta({ description: 'The time of the check, which is that of the response.' }),
    disabled: z.boolean().meta({ description: 'Whether staleness is silenced permanently.' }),
    snoozedUntil: DateTime.exactOptional().meta({ description: 'The time until which staleness is silenced.' }),
    reason: StalenessReason.exactOptional().meta({
      description:
        'The first reason that applies, in the order `released`, `unused`, `unmodifiedShort`, `unmodifiedLong`.'
    }),
    since: DateTime.exactOptional().meta({
      description:
        'The time since which the reason applies: the last modification, the release, or the end of the last hour with an evaluation.'
    }),
    metaData: z.record(z.string(), Json).exactOptional().meta({
      description:
        'Data from requests; for `released`, also `releaseVariation` with `_variation`, `variationKey` and `variationName`.'
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

/** The body that silences the staleness of a feature. */
export const UpdateStaleness = FeatureStaleness.pick({ disabled: true, metaData: true })
  .extend({
    snoozedUntil: DateTime.nullable().meta({
      description: 'The end of the snooze; `null` ends it now. A time in the past has no effect.'
    })
  })
  .partial()
  .strict()
  .meta({ id: 'UpdateStaleness', example: { snoozedUntil: '2026-06-01T00:00:00.000Z' } })
export type UpdateStaleness = z.infer<typeof UpdateStaleness>
