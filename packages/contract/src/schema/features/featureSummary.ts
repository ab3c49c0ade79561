import { z } from 'zod'
import { HttpUrl, Name, UserReference } from '../common/fields.ts'
import { featureLink, featureSummary } from '../examples/checkout.ts'

/** A link to documentation of a feature. */
export const Link = z
  .strictObject({
    url: HttpUrl,
    title: Name
  })
  .meta({ id: 'Link', example: featureLink })
export type Link = z.infer<typeof Link>

/** Maintainers and documentation of a feature. */
export const FeatureSummary = z
  .object({
    maintainers: z.array(UserReference).max(100).meta({ description: 'At most 100 users.' }),
    links: z
      .array(Link)
      .max(100)
      .meta({ description: 'Links to documentation: a list of `{url, title}`, at most 100.' }),
    markdown: z.string().meta({ description: 'In Markdown.' })
  })
  .meta({ id: 'FeatureSummary', example: featureSummary })
export type FeatureSummary = z.infer<typeof FeatureSummary>

/** The body that updates the summary of a feature. */
export const UpdateSummary = FeatureSummary.partial()
  .strict()
  .meta({ id: 'UpdateSummary', example: { markdown: featureSummary.markdown } })
export type UpdateSummary = z.infer<typeof UpdateSummary>
