import { z } from 'zod'
import { discriminatedUnion } from './discriminatedUnion.ts'
import { featureReference } from './examples/checkout.ts'
import { admin, employeesAudience, ids, timestamps } from './examples/shop.ts'
import { ChangeSource, Description, Id, Name, recordFields, Tags, UserReference } from './fields.ts'
import { MAX_FILTER_VALUES } from './filters.ts'
import { Key } from './key.ts'
import { AudienceOperator } from './operator.ts'

/** A named group of users that targets and other audiences refer to. */
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
    readonly: z.boolean().meta({ description: 'Whether the caller may not change it.' }),
    hasUsage: z.boolean().exactOptional().meta({ description: 'Whether a target or an audience refers to it.' })
  })
  .meta({
    id: 'Audience',
    example: {
      _id: ids.audience,
      ...timestamps,
      _project: ids.project,
      key: 'beta-testers',
      name: 'Beta testers',
      description: 'Everybody who works here.',
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
  .strict()
  .meta({
    id: 'CreateAudience',
    example: { key: 'beta-testers', name: 'Beta testers', filters: employeesAudience }
  })
export type CreateAudience = z.infer<typeof CreateAudience>

/** The body that changes an audience. */
export const UpdateAudience = CreateAudience.partial().meta({
  id: 'UpdateAudience',
  example: { description: 'Everybody who works here.' }
})
export type UpdateAudience = z.infer<typeof UpdateAudience>

const Mention = z.object({ key: Key, name: Name, id: Id })

/** What refers to an audience, not counting what refers to it through another one. */
export const AudienceUsage = z
  .object({
    features: z.array(
      Mention.extend({
        environments: z
          .record(z.string(), z.object({ id: Id, name: Name, targets: z.array(Id) }))
          .meta({ description: 'Key of an environment → the targets in it, by id.' })
      })
    ),
    audiences: z.array(Mention)
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
    .regex(/^\d+(\.\d+)*$/, 'should be the index of a filter as in 0, or 1.0 for one inside an operator')
    .meta({ description: 'Where the filter is, from 0; `1.0` is the first one in the operator at 1.', example: '0' })
})

/** The body that changes values of an audience's filters and leaves everything else as it is. */
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
      .meta({ description: 'In order; all of them are done, or none. At most 100.' })
  })
  .meta({
    id: 'AudienceInstructions',
    example: {
      instructions: [{ op: 'addFilterValues', action: { filterIndex: '0', values: ['@example.org'] } }]
    }
  })
export type AudienceInstructions = z.infer<typeof AudienceInstructions>

function valueWanted(): string {
  return 'should be a text that is not empty, a number or a boolean'
}
