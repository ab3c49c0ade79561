import { z } from 'zod'
import { discriminatedUnion } from '../common/discriminatedUnion.ts'
import {
  ChangeSource,
  Description,
  Id,
  Name,
  NameInput,
  recordFields,
  Tags,
  TagsInput,
  UserReference
} from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { featureReference } from '../examples/checkout.ts'
import { admin, employeesAudience, ids, timestamps } from '../examples/shop.ts'
import { MAX_FILTER_VALUES } from './filters.ts'
import { AudienceOperator } from './operator.ts'

/** A named group of users, for targets and other audiences. */
export const Audience = z
  .object({
    ...recordFields,
    _project: Id,
    key: Key,
    name: Name,
    description: Description.exactOptional(),
    filters: AudienceOperator,
    source: ChangeSource.exactOptional(),
    _createdBy: UserReference.exactOptional(),
    tags: Tags.exactOptional(),
    readonly: z.boolean().meta({ description: 'Whether the caller cannot change it.' }),
    hasUsage: z.boolean().exactOptional().meta({ description: 'Whether a target or another audience refers to it.' })
  })
  .meta({
    id: 'Audience',
    example: {
      _id: ids.audience,
      ...timestamps,
      _project: ids.project,
      key: 'beta-testers',
      name: 'Beta testers',
      description: 'All employees.',
      filters: employeesAudience,
      source: 'api',
      _createdBy: admin,
      tags: ['internal'],
      readonly: false,
      hasUsage: true
    }
  })
export type Audience = z.infer<typeof Audience>

/** The body that creates an audience. */
export const CreateAudience = Audience.pick({ key: true, name: true, description: true, filters: true, tags: true })
  .extend({ name: NameInput, tags: TagsInput.exactOptional() })
  .strict()
  .meta({
    id: 'CreateAudience',
    example: { key: 'beta-testers', name: 'Beta testers', filters: employeesAudience }
  })
export type CreateAudience = z.infer<typeof CreateAudience>

/** The body that updates an audience. */
export const UpdateAudience = CreateAudience.partial().meta({
  id: 'UpdateAudience',
  example: { description: 'All employees.' }
})
export type UpdateAudience = z.infer<typeof UpdateAudience>

const Referrer = z.object({ key: Key, name: Name, id: Id })

/** The features and audiences that refer to an audience directly. */
export const AudienceUsage = z
  .object({
    features: z.array(
      Referrer.extend({
        environments: z
          .record(z.string(), z.object({ id: Id, name: Name, targets: z.array(Id) }))
          .meta({ description: 'By environment key; `targets` are ids.' })
      })
    ),
    audiences: z.array(Referrer)
  })
  .meta({
    id: 'AudienceUsage',
    example: {
      features: [
        {
          ...featureReference,
          environments: { production: { id: ids.production, name: 'Production', targets: [ids.target] } }
        }
      ],
      audiences: []
    }
  })
export type AudienceUsage = z.infer<typeof AudienceUsage>

const FilterValues = z.strictObject({
  values: z
    .array(z.union([z.string().min(1), z.number(), z.boolean()], { error: valueWanted }))
    .min(1)
    .max(MAX_FILTER_VALUES)
    .meta({ description: 'At most 10,000.' }),
  filterIndex: z
    .string()
    .max(100)
    .regex(/^\d+(\.\d+)*$/, 'should be the index of a filter such as 0, or 1.0 for one inside an operator')
    .meta({ description: 'Index of the filter, from 0. `1.0` is the first filter of the operator at 1.', example: '0' })
})

/**
 * The body that adds and removes values of an audience's filters
 * (docs/reference/management.md#semantic-patch-of-audiences).
 */
export const AudienceInstructions = z
  .strictObject({
    instructions: z
      .array(
        discriminatedUnion('op', [
          z.strictObject({ op: z.literal('addFilterValues'), action: FilterValues }),
          z.strictObject({ op: z.literal('removeFilterValues'), action: FilterValues })
        ])
      )
      .min(1, 'should have at least one instruction')
      .max(100)
      .meta({ description: 'Applied in order, all or none. At most 100.' })
  })
  .meta({
    id: 'AudienceInstructions',
    example: {
      instructions: [{ op: 'addFilterValues', action: { filterIndex: '0', values: ['@example.org'] } }]
    }
  })
export type AudienceInstructions = z.infer<typeof AudienceInstructions>

function valueWanted(): string {
  return 'should be a non-empty string, a number or a boolean'
}
