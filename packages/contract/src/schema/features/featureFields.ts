import { z } from 'zod'
import { Description, TitleInput } from '../common/fields.ts'
import { feature } from '../examples/checkout.ts'

/** The type of a feature. */
export const FeatureType = z
  .enum(['release', 'experiment', 'permission', 'ops'])
  .meta({ description: 'The type of the feature.' })
export type FeatureType = z.infer<typeof FeatureType>

/** The status of a feature. */
export const FeatureStatus = z
  .enum(['active', 'complete', 'archived'])
  .meta({ description: '`complete` serves one variation to all users.' })
export type FeatureStatus = z.infer<typeof FeatureStatus>

/** How a feature is presented to users who can opt in. */
export const FeatureSettings = z
  .object({
    publicName: z.string().max(100),
    publicDescription: Description,
    optInEnabled: z.boolean().meta({ description: 'Whether users can opt in, if the project allows it.' })
  })
  .meta({ id: 'FeatureSettings', example: feature.settings })
export type FeatureSettings = z.infer<typeof FeatureSettings>

/** The SDK types that see a feature. */
export const SdkVisibility = z.object({ mobile: z.boolean(), client: z.boolean(), server: z.boolean() }).meta({
  id: 'SdkVisibility',
  description:
    'The types of SDK keys that see the feature. Always enforced; the project setting `sdkTypeVisibility` only determines the visibility of new features.',
  example: feature.sdkVisibility
})
export type SdkVisibility = z.infer<typeof SdkVisibility>

const remaining = { description: 'Omitted members keep their values.' }

/** `FeatureSettings` within a body. */
export const FeatureSettingsInput = FeatureSettings.extend({ publicName: TitleInput })
  .partial()
  .strict()
  .meta(remaining)

/** `SdkVisibility` within a body. */
export const SdkVisibilityInput = SdkVisibility.partial().strict().meta(remaining)
