import { z } from 'zod'
import { DateTime, Id, Name, Tags, UserReference } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { feature, variationOn } from '../examples/checkout.ts'
import { ids } from '../examples/shop.ts'
import { FeatureStatus, FeatureType } from '../features/featureFields.ts'
import { StalenessReason } from '../features/staleness.ts'

/** What users of an environment get of a feature, at the time of the response. */
export const StatusInEnvironment = z
  .object({
    status: z.enum(['on', 'split', 'partly', 'scheduled', 'off', 'killed']).meta({
      description:
        '`on`: everyone gets one variation. `split`: everyone gets one of several. `partly`: some users get one. `scheduled`: nobody yet. `off`: nobody. `killed`: nobody since a kill.'
    }),
    variations: z.array(z.string()).exactOptional().meta({
      description: 'Keys of the variations that everyone gets, with `on` and `split`.'
    }),
    variationName: z.string().exactOptional().meta({ description: 'With `on`: the name of the variation.' }),
    share: z.number().min(0).max(1).exactOptional().meta({
      description:
        'With `partly`: the share of users, of those who match if `isFiltered`. Absent if several shares apply.'
    }),
    trend: z.enum(['rising', 'falling', 'steady']).exactOptional().meta({
      description: 'With `partly`: how a rollout changes the share.'
    }),
    changesAt: DateTime.exactOptional().meta({
      description: 'With `partly`: when the share changes at once instead of gradually.'
    }),
    isFiltered: z.boolean().exactOptional().meta({
      description: 'With `partly`: whether targets select users by conditions.'
    }),
    from: DateTime.exactOptional().meta({ description: 'With `scheduled`: when the first users get a variation.' }),
    since: DateTime.exactOptional().meta({ description: 'With `killed`: when the feature was killed.' })
  })
  .meta({ id: 'StatusInEnvironment', example: { status: 'on', variations: [variationOn.key] } })
export type StatusInEnvironment = z.infer<typeof StatusInEnvironment>

/** A feature in a list: its status in each environment, without targets, variables and values. */
export const FeatureListItem = z
  .object({
    _id: Id,
    key: Key,
    name: Name,
    type: FeatureType,
    status: FeatureStatus,
    tags: Tags,
    _createdBy: UserReference.exactOptional(),
    createdAt: DateTime,
    updatedAt: DateTime,
    _updatedBy: UserReference.exactOptional().meta({ description: 'Who made the last change.' }),
    revision: z.string().meta({ description: 'The `ETag` of the feature, for `If-Match`.' }),
    pendingChangeRequests: z.int().min(0),
    staleness: z
      .object({
        reason: StalenessReason,
        since: DateTime,
        variation: z.string().exactOptional().meta({
          description: 'With `released`: the key of the variation that everyone gets.'
        })
      })
      .exactOptional()
      .meta({ description: 'Present if the feature is stale and not silenced.' }),
    environments: z.record(z.string(), StatusInEnvironment).meta({ description: 'Status by key of the environment.' })
  })
  .meta({
    id: 'FeatureListItem',
    example: {
      _id: ids.feature,
      key: feature.key,
      name: feature.name,
      type: 'release',
      status: 'active',
      tags: ['checkout'],
      createdAt: feature.createdAt,
      updatedAt: feature.updatedAt,
      revision: '65f1b2c3d4e5f60718293a4b',
      pendingChangeRequests: 0,
      environments: {
        development: { status: 'on', variations: [variationOn.key] },
        production: { status: 'partly', share: 0.2, trend: 'rising', isFiltered: false }
      }
    }
  })
export type FeatureListItem = z.infer<typeof FeatureListItem>
