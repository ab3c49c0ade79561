import { z } from 'zod'
import { AuditLogEntry } from './audit.ts'
import { ChangeRequest } from './changeRequest.ts'
import { feature } from './examples/checkout.ts'
import { FeatureConfiguration } from './featureConfiguration.ts'
import { FeatureSettings, FeatureStatus, FeatureType, SdkVisibility } from './featureFields.ts'
import { FeatureSummary } from './featureSummary.ts'
import { ChangeSource, DateTime, Description, Id, Name, recordFields, Tags, UserReference } from './fields.ts'
import { Key } from './key.ts'
import { FeatureStaleness } from './staleness.ts'
import { Variable } from './variable.ts'
import { Variation } from './variation.ts'

/** A bundle of variables that change together, and the rules that decide who gets which of its variations. */
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
      description: 'When it last changed who gets what in production.'
    }),
    variations: z.array(Variation),
    controlVariation: z.string().meta({
      description: 'Key of the variation that metrics compare the others with; empty while there is none.'
    }),
    staticVariation: z.string().exactOptional().meta({
      description: 'Key of the variation that everybody gets, when status is complete.'
    }),
    variables: z.array(Variable),
    tags: Tags,
    externalLink: z.string().exactOptional(),
    readonly: z.boolean().meta({ description: 'Whether the caller may not change it.' }),
    settings: FeatureSettings.exactOptional(),
    sdkVisibility: SdkVisibility.exactOptional(),
    configurations: z.array(FeatureConfiguration).meta({ description: 'One for each environment of the project.' }),
    latestUpdate: AuditLogEntry.exactOptional().meta({ description: 'Only where `includeLatestUpdate` asks for it.' }),
    changeRequests: z.array(ChangeRequest).exactOptional().meta({ description: 'Those that are pending.' }),
    staleness: FeatureStaleness.omit({ key: true, name: true, _feature: true })
      .exactOptional()
      .meta({ description: 'Only of a feature that is stale and not silenced, or that was asked for although it is.' }),
    summary: FeatureSummary
  })
  .meta({ id: 'Feature', example: feature })
export type Feature = z.infer<typeof Feature>
