import { z } from 'zod'
import { Description, NameInput, Reference, TagsInput } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { MAX_DESCRIPTION_LENGTH } from '../common/maxDescriptionLength.ts'
import { recordOf } from '../common/recordOf.ts'
import { UpdateFeatureConfiguration } from './featureConfiguration.ts'
import { FeatureSettingsInput, FeatureStatus, FeatureType, SdkVisibilityInput } from './featureFields.ts'
import { UpdateSummary } from './featureSummary.ts'
import { UpdateStaleness } from './staleness.ts'
import { CreateVariable, MAX_VARIABLES } from './variable.ts'
import { MAX_VARIATIONS, VariationInput } from './variation.ts'

const FeatureBody = z
  .object({
    key: Key,
    name: NameInput,
    description: Description.exactOptional(),
    type: FeatureType.exactOptional(),
    tags: TagsInput,
    variables: z.array(CreateVariable).max(MAX_VARIABLES).superRefine(uniqueBy('key')).meta({
      description: 'New variables, and existing variables without a feature, by key. At most 1,000.'
    }),
    variations: z
      .array(VariationInput)
      .max(MAX_VARIATIONS)
      .superRefine(uniqueBy('key'))
      .superRefine(uniqueBy('_id'))
      .meta({ description: 'In order. At most 100.' }),
    controlVariation: Reference.meta({
      description: 'Key or id of the variation that metrics compare the others with. Default: the first.'
    }),
    configurations: recordOf(UpdateFeatureConfiguration).meta({
      description: 'By key or id of the environment. Default: inactive without targets.'
    }),
    settings: FeatureSettingsInput,
    sdkVisibility: SdkVisibilityInput
  })
  .partial()
  .strict()

/** The body that creates a feature. */
export const CreateFeature = FeatureBody.extend({ key: Key, name: NameInput }).meta({
  id: 'CreateFeature',
  description:
    'Without `variables` and `variations`, it gets one Boolean variable with its own key, and the variations `variation-on` and `variation-off`. Default of `type`: release.',
  example: {
    key: 'dark-mode',
    name: 'Dark mode',
    type: 'release',
    variables: [{ key: 'dark-mode', name: 'Dark mode', type: 'Boolean' }],
    variations: [
      { key: 'variation-on', name: 'Variation On', variables: { 'dark-mode': true } },
      { key: 'variation-off', name: 'Variation Off', variables: { 'dark-mode': false } }
    ],
    configurations: {
      development: {
        status: 'active',
        targets: [
          {
            name: 'All Users',
            audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
            distribution: [{ _variation: 'variation-on', percentage: 1 }]
          }
        ]
      }
    }
  }
})
export type CreateFeature = z.infer<typeof CreateFeature>

/** Adds a Boolean variable and its variations to the body of a new feature that has neither. */
export function withDefaultVariations(body: CreateFeature): CreateFeature {
  const { key, name, variables, variations } = body
  if (variables || variations) return body
  return {
    ...body,
    variables: [{ key, name, type: 'Boolean' }],
    variations: [
      { key: 'variation-on', name: 'Variation On', variables: { [key]: true } },
      { key: 'variation-off', name: 'Variation Off', variables: { [key]: false } }
    ]
  }
}

/** The body that updates a feature. */
export const UpdateFeature = FeatureBody.extend({
  staleness: UpdateStaleness.optional().meta({
    description: 'Whether and until when the feature is not reported as stale.'
  }),
  summary: UpdateSummary.optional().meta({ description: 'An object with `maintainers`, `links` and `markdown`.' })
}).meta({
  id: 'UpdateFeature',
  description:
    'Omitted members keep their values. `variables`, `variations` and `tags` replace the whole list; an omitted variable remains without a feature and loses its values. `configurations` changes only the listed environments.',
  example: { name: 'Checkout in three steps', tags: ['checkout'] }
})
export type UpdateFeature = z.infer<typeof UpdateFeature>

/** The body that updates the status of a feature. */
export const UpdateFeatureStatus = z
  .strictObject({
    status: FeatureStatus,
    staticVariation: Reference.exactOptional().meta({
      description: 'Key or id of the variation that all users get. Only for, and required by, `complete`.'
    }),
    ignoreCodeUsages: z.boolean().exactOptional().meta({
      description: 'Whether to complete the feature although code still reads its variables. Default: false.'
    })
  })
  .refine(({ status, staticVariation }) => status !== 'complete' || staticVariation !== undefined, {
    path: ['staticVariation'],
    error: 'should name the variation that all users get when status is complete'
  })
  .superRefine(({ status, staticVariation }, context) => {
    if (status === 'complete' || staticVariation === undefined) return
    const message = `should be omitted when status is ${status}: only complete features serve one variation to all users`
    context.addIssue({ code: 'custom', path: ['staticVariation'], message })
  })
  .meta({ id: 'UpdateFeatureStatus', example: { status: 'complete', staticVariation: 'on' } })
export type UpdateFeatureStatus = z.infer<typeof UpdateFeatureStatus>

/** The body that turns a feature off in all environments. */
export const KillFeature = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(MAX_DESCRIPTION_LENGTH)
      .exactOptional()
      .meta({ description: 'Recorded in the audit log and sent to webhooks.' })
  })
  .meta({ id: 'KillFeature', example: { reason: 'Payments fail since 12:03.' } })
export type KillFeature = z.infer<typeof KillFeature>

/** Creates a check that the items of a list differ in a member. Items without the member are ignored. */
function uniqueBy<Member extends string>(member: Member) {
  return (items: readonly { readonly [M in Member]?: unknown }[], { addIssue }: z.RefinementCtx): void => {
    const seen = new Set<unknown>()
    for (const [index, { [member]: value }] of items.entries()) {
      if (seen.has(value)) addIssue({ code: 'custom', path: [index, member], message: 'should be listed once' })
      if (value !== undefined) seen.add(value)
    }
  }
}
