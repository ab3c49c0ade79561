import {
  AudienceOperator,
  CreateCustomProperty,
  CreateFeature,
  CreateMetric,
  CreateVariable,
  CreateWebhook,
  Key,
  Link,
  MAX_TARGETS,
  TargetInput,
  TargetOperator,
  UpdateProjectSettings,
  VariableStatus,
  VariationInput
} from '@burgee/contract/schemas'
import { z } from 'zod'
import { PERCENTAGE } from './percentage.ts'
import { sectionNames } from './projectDocument.ts'

const Percentage = z
  .string('should be a percentage such as 20%')
  .regex(PERCENTAGE, 'should be a percentage such as 20%')
  .meta({ id: 'Percentage', description: 'As in `20%`.' })

/** Returns the forms in which a file writes an operator: itself, or a list of filters that all must match. */
function operatorForms(operator: z.ZodType) {
  // A refined object is an object; its type is the one of core, since it is recursive.
  const { filters } = (operator as unknown as z.ZodObject<{ filters: z.ZodType }>).shape
  return z
    .union([z.literal('everybody'), filters, operator])
    .meta({ description: '`everybody`, a list of filters that all must match, or an operator. Audiences by key.' })
}

const { shape: targetShape } = TargetInput

const TargetFile = z
  .strictObject({
    name: targetShape.name.meta({ description: 'Identifies the target. Unique in its list.' }),
    id: targetShape._id.meta({ description: 'Identifies a target without a unique name.' }),
    for: operatorForms(TargetOperator),
    serve: z
      .union([Key, z.record(z.string(), Percentage)])
      .meta({ description: 'The key of a variation, or percentages of variations that add up to 100%.' }),
    rollout: z
      .strictObject({
        type: z.enum(['schedule', 'gradual', 'stepped']),
        startDate: z.string(),
        startPercentage: Percentage.exactOptional(),
        stages: z
          .array(z.strictObject({ type: z.enum(['linear', 'discrete']), percentage: Percentage, date: z.string() }))
          .exactOptional()
      })
      .exactOptional(),
    bucketingKey: targetShape.bucketingKey
  })
  .refine(({ name, id }) => name !== undefined || id !== undefined, {
    path: ['name'],
    message: 'is missing: a target should have a name'
  })

const ConfigurationFile = z.strictObject({
  status: z.enum(['on', 'off']).exactOptional(),
  targets: z.array(TargetFile).max(MAX_TARGETS).exactOptional().meta({ description: 'All targets, in order.' })
})

const VariableFile = CreateVariable.pick({
  type: true,
  name: true,
  description: true,
  persistent: true,
  tags: true,
  metadata: true
}).extend({ schema: CreateVariable.shape.validationSchema })

const feature = CreateFeature.shape

const FeatureFile = z
  .strictObject({
    name: feature.name,
    description: feature.description,
    type: feature.type,
    status: z
      .union([z.enum(['active', 'archived']), z.strictObject({ complete: Key })])
      .meta({ description: '`active`, `archived`, or `{ complete: key of a variation }`.' }),
    tags: feature.tags,
    maintainers: z.array(z.string()).max(100),
    links: z.array(Link).max(100),
    summary: z.string().meta({ description: 'Markdown.' }),
    visibility: z.strictObject({ client: z.boolean(), mobile: z.boolean(), server: z.boolean() }).partial(),
    optIn: z.strictObject({ enabled: z.boolean(), name: z.string(), description: z.string() }).partial(),
    control: Key.meta({ description: 'The key of the variation that metrics compare the others with.' }),
    variables: z.record(Key, VariableFile),
    variations: z.record(
      Key,
      VariationInput.pick({ name: true }).extend({ values: VariationInput.shape.variables }).partial()
    ),
    metrics: z.array(Key).meta({ description: 'Keys of metrics.' }),
    environments: z.record(z.string(), ConfigurationFile)
  })
  .partial()

const AudienceFile = z
  .strictObject({
    name: feature.name,
    description: feature.description,
    tags: feature.tags,
    for: operatorForms(AudienceOperator)
  })
  .partial()

const { name, type, propertyKey } = CreateCustomProperty.shape

const CustomPropertyFile = z
  .strictObject({
    name,
    type,
    propertyKey,
    allowed: z
      .array(
        z.union([
          z.string(),
          z.number(),
          z.strictObject({ label: z.string(), value: z.union([z.string(), z.number()]) })
        ])
      )
      .meta({ description: 'The allowed values.' }),
    allowOthers: z.boolean(),
    required: z.boolean()
  })
  .partial()

const MetricFile = CreateMetric.omit({ key: true }).partial()

const webhook = CreateWebhook.shape

const WebhookFile = z
  .strictObject({
    url: webhook.url.meta({ description: 'Leave it out if it contains a secret, and set it on the server.' }),
    description: webhook.description.unwrap(),
    events: webhook.events,
    environments: z.array(Key).max(100).meta({ description: 'Keys of environments. Empty: all.' }),
    feature: Key.nullable().meta({ description: 'The key of the only feature whose changes are sent. null: all.' }),
    format: z.enum(['json', 'chat']),
    enabled: z.boolean()
  })
  .partial()

/** The settings of a project, without those that refer to other systems of the server. */
const SettingsFile = UpdateProjectSettings.shape.settings.omit({ observability: true }).partial()

/** Names of members, keys, and `*`, separated by dots. Names of webhooks have other characters, too. */
const IGNORED_PATH = new RegExp(
  `^(?:(?:${[...sectionNames, '\\*'].join('|')})(?:\\.[^\\[\\]{}()?^$|\\\\.]+)*|webhooks\\..+)$`
)

/** How resources that are no longer in the files are treated. */
const Removal = z.enum(['keep', 'archive', 'delete'])

const Manage = z
  .strictObject({
    label: Key.meta({ description: 'Names these files on the server. Default: the key of the project.' }),
    ignore: z
      .array(z.string().regex(IGNORED_PATH, 'should be a path such as features.*.environments.production.status'))
      .meta({
        description: 'Members that files do not describe, such as `features.*.environments.production.status`.'
      }),
    onRemoved: Removal.meta({
      description:
        'What happens to resources that these files described and no longer describe. `delete` also needs `burgee apply --allow-delete`. Default: keep.'
    })
  })
  .partial()

/** A file that describes a project (docs/guides/projects-as-code.md). */
export const ProjectFile = z
  .strictObject({
    $schema: z.string().exactOptional().meta({ description: 'The address of this schema, for editors.' }),
    burgee: z.literal(1).meta({ description: 'The version of the format.' }),
    project: Key.exactOptional(),
    customProperties: z.record(Key, CustomPropertyFile).exactOptional(),
    audiences: z.record(Key, AudienceFile).exactOptional(),
    variables: z
      .record(z.string(), VariableFile.partial().extend({ status: VariableStatus.exactOptional() }))
      .exactOptional()
      .meta({ description: 'Variables without a feature.' }),
    features: z.record(Key, FeatureFile).exactOptional(),
    metrics: z.record(Key, MetricFile).exactOptional(),
    webhooks: z.record(webhook.name, WebhookFile).exactOptional().meta({ description: 'By name.' }),
    settings: SettingsFile.exactOptional().meta({ description: 'Settings of the project.' }),
    manage: Manage.exactOptional()
  })
  .meta({ title: 'A project of Burgee' })
export type ProjectFile = z.infer<typeof ProjectFile>
