import { z } from 'zod'
import { discriminatedUnion } from '../common/discriminatedUnion.ts'
import { Reference, Tags } from '../common/fields.ts'
import { KillFeature } from '../features/featureInput.ts'
import { ChangeItem } from './changeItem.ts'

/** The maximum number of features of one request. */
const MAX_FEATURES = 100

const members = {
  features: z.array(Reference).min(1).max(MAX_FEATURES).meta({ description: 'Keys or ids of features, at most 100.' }),
  dryRun: z.boolean().exactOptional().meta({ description: 'Whether nothing is changed. Default: false.' })
}

const change = { description: 'The change to make in each feature.' }

/** The body that makes the same change in several features. */
export const UpdateFeatures = discriminatedUnion('action', [
  z.strictObject({ ...members, action: z.enum(['addTags', 'removeTags']).meta(change), tags: Tags.min(1) }),
  z.strictObject({
    ...members,
    action: z.enum(['enable', 'disable']).meta(change),
    environment: Reference.meta({ description: 'Key or id of an environment.' })
  }),
  z.strictObject({ ...members, action: z.literal('archive').meta(change) }),
  z.strictObject({ ...members, action: z.literal('kill').meta(change), ...KillFeature.shape })
]).meta({
  id: 'UpdateFeatures',
  example: { features: ['new-checkout', 'gift-wrapping'], action: 'addTags', tags: ['checkout'] }
})
export type UpdateFeatures = z.infer<typeof UpdateFeatures>

/** The report of a change of several features: one item per feature, in the order of the request. */
export const UpdatedFeatures = z.object({ items: z.array(ChangeItem) }).meta({
  id: 'UpdatedFeatures',
  example: {
    items: [
      { feature: 'new-checkout', outcome: 'unchanged' as const, changes: [], revision: '65f0c0ffee0123456789abcd' }
    ]
  }
})
export type UpdatedFeatures = z.infer<typeof UpdatedFeatures>
