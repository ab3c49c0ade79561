import { z } from 'zod'
import { IdReference, Reference, Sha256 } from '../common/fields.ts'
import { auditLogChange } from '../examples/checkout.ts'
import { employeesAudience, ids } from '../examples/shop.ts'
import { AudienceUsage } from '../features/audience.ts'
import { UpdateFeature } from '../features/featureInput.ts'
import { AudienceOperator } from '../features/operator.ts'
import { AuditLogChange } from '../organizations/audit.ts'
import { CustomData } from './user.ts'

/** The maximum number of users that a preview evaluates in each environment. */
export const MAX_PREVIEW_USERS = 5000

/** The number of users that a preview evaluates in each environment if the request names none. */
export const DEFAULT_PREVIEW_USERS = 1000

/** The attributes of a recent or synthetic user, without `privateCustomData`. */
export const SampleUser = z
  .object({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    language: z.string(),
    country: z.string(),
    appVersion: z.string(),
    appBuild: z.number(),
    platform: z.string(),
    platformVersion: z.string(),
    deviceModel: z.string(),
    customData: CustomData
  })
  .partial()
  .required({ user_id: true })
  .meta({ id: 'SampleUser', example: { user_id: 'ada', country: 'CA', customData: { plan: 'pro' } } })
export type SampleUser = z.infer<typeof SampleUser>

/** The body that previews an update of a feature, or the change that a change request would make. */
export const PreviewRequest = z
  .strictObject({
    update: UpdateFeature.exactOptional().meta({
      description: 'The body of the update. It is validated, and not stored. Either this or `changeRequest` is given.'
    }),
    changeRequest: z
      .strictObject({
        id: IdReference,
        contentHash: Sha256.exactOptional().meta({
          description: 'The content that was read. The preview is refused if the content has changed since.'
        })
      })
      .exactOptional()
      .meta({ description: 'The change request of the feature whose change is previewed.' }),
    environments: z.array(Reference).min(1, 'should name at least one environment').max(100).exactOptional().meta({
      description: 'Keys or ids of the environments to evaluate. Default: all of the project. At most 100.'
    }),
    sample: z
      .strictObject({
        size: z
          .int()
          .min(1)
          .max(MAX_PREVIEW_USERS)
          .exactOptional()
          .meta({
            description: `The number of users per environment. Default: ${DEFAULT_PREVIEW_USERS}.`
          }),
        seed: z
          .int()
          .min(0)
          .max(2 ** 32 - 1)
          .exactOptional()
          .meta({
            description: 'Selects the users: the same seed selects the same ones. Default: 0.'
          })
      })
      .exactOptional()
      .meta({ description: 'The recent users that are evaluated: how many, and which ones.' })
  })
  .refine(({ update, changeRequest }) => (update === undefined) !== (changeRequest === undefined), {
    path: ['update'],
    error: 'should be given if changeRequest is not, and omitted if it is'
  })
  .meta({ id: 'PreviewRequest', example: { update: { tags: ['checkout'] }, sample: { size: 500, seed: 1 } } })
export type PreviewRequest = z.infer<typeof PreviewRequest>

const VariationKey = z.string().nullable()

/** Where evaluated users come from. */
const SampleSource = z.enum(['recent', 'synthetic']).meta({
  description:
    '`recent`: users that the server evaluated lately. `synthetic`: generated from the values of the filters, because too few are known; their shares are not those of your users.'
})

const SampleSize = z.int().meta({ description: 'The number of users that were evaluated.' })

/** Who would get another variation in one environment. */
export const EnvironmentPreview = z
  .object({
    sampleSize: SampleSize,
    source: SampleSource,
    moved: z
      .object({ count: z.int(), share: z.number() })
      .meta({ description: 'The users who would get another variation, and their share of the sample.' }),
    matrix: z
      .array(z.object({ from: VariationKey, to: VariationKey, count: z.int() }))
      .meta({ description: 'Users by variation key before and after the update; null without a variation.' }),
    examples: z
      .array(z.object({ user: SampleUser, from: VariationKey, to: VariationKey }))
      .meta({ description: 'Up to 20 users who would get another variation.' })
  })
  .meta({ id: 'EnvironmentPreview' })
export type EnvironmentPreview = z.infer<typeof EnvironmentPreview>

/** What an update of a feature would change, and for whom. */
export const FeaturePreview = z
  .object({
    changes: z.array(AuditLogChange).meta({ description: 'The changes as the audit log would have them.' }),
    environments: z.record(z.string(), EnvironmentPreview).meta({ description: 'By environment key.' })
  })
  .meta({
    id: 'FeaturePreview',
    example: {
      changes: [auditLogChange],
      environments: {
        production: {
          sampleSize: 500,
          source: 'recent',
          moved: { count: 1, share: 0.002 },
          matrix: [
            { from: 'variation-off', to: 'variation-off', count: 499 },
            { from: 'variation-off', to: 'variation-on', count: 1 }
          ],
          examples: [{ user: { user_id: 'ada', country: 'CA' }, from: 'variation-off', to: 'variation-on' }]
        }
      }
    }
  })
export type FeaturePreview = z.infer<typeof FeaturePreview>

/** The body that previews the filters of an audience. */
export const AudiencePreviewRequest = z
  .strictObject({
    filters: AudienceOperator,
    environment: Reference.meta({ description: 'Key or id of the environment whose recent users are matched.' }),
    audience: Reference.exactOptional().meta({
      description: 'Key or id of the existing audience that would get these filters.'
    })
  })
  .meta({ id: 'AudiencePreviewRequest', example: { filters: employeesAudience, environment: 'production' } })
export type AudiencePreviewRequest = z.infer<typeof AudiencePreviewRequest>

/** How many users the filters of an audience match. */
export const AudiencePreview = z
  .object({
    sampleSize: SampleSize,
    source: SampleSource,
    matched: z.object({ count: z.int(), share: z.number() }).meta({ description: 'The users who match.' }),
    examples: z.array(SampleUser).meta({ description: 'Up to 20 users who match.' }),
    usedBy: AudienceUsage.meta({ description: 'What refers to `audience`; empty for a new audience.' })
  })
  .meta({
    id: 'AudiencePreview',
    example: {
      sampleSize: 1000,
      source: 'recent',
      matched: { count: 12, share: 0.012 },
      examples: [{ user_id: 'ada', email: 'ada@example.com' }],
      usedBy: { features: [], audiences: [{ key: 'insiders', name: 'Insiders', id: ids.audience }] }
    }
  })
export type AudiencePreview = z.infer<typeof AudiencePreview>
