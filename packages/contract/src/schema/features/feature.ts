import { z } from 'zod'
import { ChangeSource, DateTime, Description, Id, Name, recordFields, Tags, UserReference } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { feature } from '../examples/checkout.ts'
import { AuditLogEntry } from '../organizations/audit.ts'
import { ChangeRequest } from '../projects/changeRequest.ts'
import { FeatureConfiguration } from './featureConfiguration.ts'
import { FeatureSettings, FeatureStatus, FeatureType, SdkVisibility } from './featureFields.ts'
import { FeatureSummary } from './featureSummary.ts'
import { FeatureStaleness } from './staleness.ts'
import { Variable } from './variable.ts'
import { Variation } from './variation.ts'

/** Variables that change together, with variations of their values and the targets that decide who gets which. */
export const Feature = z
  .object({
    ...recordFields,
    _project: Id,
    source: ChangeSource,
    status: FeatureStatus,
    type: FeatureType.exactOptional(),
    name: Name,
    key: Key,
    description: Description.exactOptional(),
    _createdBy: UserReference.exactOptional(),
    prodTargetingUpdatedAt: DateTime.exactOptional().meta({
      description: 'The last change that affected a production environment.'
    }),
    variations: z.array(Variation),
    controlVariation: z.string().meta({
      description: 'Key of the variation that metrics compare the others with, or empty.'
    }),
    staticVariation: z.string().exactOptional().meta({
      description: 'Key of the variation that all users get, if the status is `complete`.'
    }),
    variables: z.array(Variable),
    tags: Tags,
    externalLink: z.string().exactOptional(),
    readonly: z.boolean().meta({ description: 'Whether the caller cannot change it.' }),
    settings: FeatureSettings.exactOptional(),
    sdkVisibility: SdkVisibility.exactOptional(),
    configurations: z.array(FeatureConfiguration).meta({ description: 'One per environment of the project.' }),
    latestUpdate: AuditLogEntry.exactOptional().meta({ description: 'Present with `includeLatestUpdate` only.' }),
    changeRequests: z.array(ChangeRequest).exactOptional().meta({ description: 'The pending change requests.' }),
    staleness: FeatureStaleness.omit({ key: true, name: true, _feature: true })
      .exactOptional()
      .meta({ description: 'Present if the feature is stale and not silenced, or with `includeSilenced`.' }),
    summary: FeatureSummary
  })
  .meta({ id: 'Feature', example: feature })
export type Feature = z.infer<typeof Feature>
