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
    stale: z.boolean(),
    updatedAt: DateTime.exactOptional(),
    disabled: z.boolean().meta({ description: 'Whether nobody is told, ever.' }),
    snoozedUntil: DateTime.exactOptional().meta({ description: 'Nobody is told before.' }),
    reason: StalenessReason.exactOptional(),
    metaData: z.record(z.string(), Json).exactOptional().meta({
      description: 'For the reason released: `releaseVariation` with `_variation`, `variationKey`, `variationName`.'
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
      reason: 'unmodifiedLong'
    }
  })
export type FeatureStaleness = z.infer<typeof FeatureStaleness>

/** The body that changes who is told that a feature is stale, and when. */
export const UpdateStaleness = FeatureStaleness.pick({ disabled: true, metaData: true })
  .extend({ snoozedUntil: DateTime.nullable().meta({ description: 'null ends the snooze.' }) })
  .partial()
  .strict()
  .meta({ id: 'UpdateStaleness', example: { snoozedUntil: '2026-06-01T00:00:00.000Z' } })
export type UpdateStaleness = z.infer<typeof UpdateStaleness>
