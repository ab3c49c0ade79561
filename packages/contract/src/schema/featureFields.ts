import { z } from 'zod'
import { feature } from './examples/checkout.ts'
import { Description } from './fields.ts'

/** What a feature is for. */
export const FeatureType = z.enum(['release', 'experiment', 'permission', 'ops'])
export type FeatureType = z.infer<typeof FeatureType>

/** How far a feature has come. */
export const FeatureStatus = z.enum(['active', 'complete', 'archived'])
export type FeatureStatus = z.infer<typeof FeatureStatus>

/** What a feature says about itself to users who can opt in to it. */
export const FeatureSettings = z
  .object({
    publicName: z.string().max(100),
    publicDescription: Description,
    optInEnabled: z.boolean().meta({ description: 'Whether users can opt in, where the project allows it.' })
  })
  .meta({ id: 'FeatureSettings', example: feature.settings })
export type FeatureSettings = z.infer<typeof FeatureSettings>

/** Which SDKs see a feature. */
export const SdkVisibility = z
  .object({ mobile: z.boolean(), client: z.boolean(), server: z.boolean() })
  .meta({ id: 'SdkVisibility', example: feature.sdkVisibility })
export type SdkVisibility = z.infer<typeof SdkVisibility>

const remaining = { description: 'Members that are left out stay as they are.' }

/** `FeatureSettings` within a body. */
export const FeatureSettingsInput = FeatureSettings.partial().strict().meta(remaining)

/** `SdkVisibility` within a body. */
export const SdkVisibilityInput = SdkVisibility.partial().strict().meta(remaining)
