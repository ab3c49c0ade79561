import { z } from 'zod'
import { project, sdkProject } from './examples/shop.ts'
import { Color, Description, Name, recordFields, UserReference } from './fields.ts'
import { Key } from './key.ts'
import { StalenessSettings, StalenessSettingsInput } from './stalenessSettings.ts'

const Switch = z.object({ enabled: z.boolean() })
const Colors = z.object({ primary: Color, secondary: Color })

/** The page on which users opt in to features. */
export const OptInSettings = z
  .object({
    enabled: z.boolean(),
    title: z.string().min(1).max(100).exactOptional(),
    description: Description.exactOptional(),
    imageURL: z.string().max(2048).exactOptional(),
    colors: Colors.exactOptional(),
    poweredByAlignment: z.enum(['center', 'left', 'right', 'hidden']).exactOptional()
  })
  .meta({ id: 'OptInSettings', example: project.settings.optIn })

/** Whether changes of features need the approval of somebody else. */
export const FeatureApprovalWorkflow = z
  .object({
    enabled: z.boolean(),
    allowPublisherBypass: z.boolean(),
    defaultReviewers: z.array(z.string()).max(100)
  })
  .meta({ id: 'FeatureApprovalWorkflow', example: project.settings.featureApprovalWorkflow })

/** What a project switches on. */
export const ProjectSettings = z
  .object({
    edgeDB: Switch.meta({ description: 'Whether properties of users are kept for evaluations that ask for them.' }),
    optIn: OptInSettings,
    sdkTypeVisibility: z.object({
      enabledInFeatureSettings: z.boolean().meta({ description: 'Whether features choose which SDK types see them.' })
    }),
    lifeCycle: z.object({ disableCodeRefChecks: z.boolean() }),
    obfuscation: z.object({ enabled: z.boolean(), required: z.boolean() }),
    disablePassthroughRollouts: z.boolean().meta({
      description: 'Whether a user whom a rollout turns away stops there, instead of going on to the next target.'
    }),
    observability: z.object({
      enabled: z.boolean(),
      environmentMap: z.record(z.string(), z.string()).meta({
        description:
          'From environments of the project, by key or id, to the observabilityEnvironmentId that each reports to.'
      })
    }),
    featureApprovalWorkflow: FeatureApprovalWorkflow,
    staleness: StalenessSettings
  })
  .meta({ id: 'ProjectSettings', example: project.settings })
export type ProjectSettings = z.infer<typeof ProjectSettings>

/** What SDKs are told of a project. Of its settings, that is what they read; the others name people. */
export const SdkProject = z
  .object({
    _id: z.string(),
    key: z.string(),
    a0_organization: z.string().meta({ description: 'Id of the organization.' }),
    settings: ProjectSettings.pick({ edgeDB: true, optIn: true, obfuscation: true, disablePassthroughRollouts: true })
  })
  .meta({ id: 'SdkProject', example: sdkProject })
export type SdkProject = z.infer<typeof SdkProject>

/** What features, environments and everything else belong to. */
export const Project = z
  .object({
    ...recordFields,
    _organization: z.string(),
    _createdBy: UserReference,
    name: Name,
    key: Key,
    description: Description.exactOptional(),
    color: Color.exactOptional(),
    settings: ProjectSettings,
    hasIssueTrackerIntegration: z.boolean(),
    issueTrackerBaseUrl: z.string().meta({ description: 'Empty when there is none.' }),
    hasReceivedCodeUsages: z.boolean(),
    hasUserConfigFetch: z.boolean().meta({ description: 'Whether an SDK has asked for a configuration.' }),
    edgeConfigConnections: z
      .array(z.object({ edgeConfigName: z.string(), configurationId: z.string() }))
      .exactOptional(),
    readonly: z.boolean().meta({ description: 'Whether the caller may not change it.' })
  })
  .meta({ id: 'Project', example: project })
export type Project = z.infer<typeof Project>

const { shape } = ProjectSettings

const OpenSettings = z.strictObject({
  edgeDB: some(Switch),
  optIn: some(OptInSettings.extend({ colors: some(Colors) })),
  sdkTypeVisibility: some(shape.sdkTypeVisibility),
  lifeCycle: some(shape.lifeCycle),
  obfuscation: some(shape.obfuscation),
  disablePassthroughRollouts: shape.disablePassthroughRollouts,
  observability: some(shape.observability)
})

const ProtectedSettings = z.strictObject({
  featureApprovalWorkflow: some(FeatureApprovalWorkflow),
  staleness: StalenessSettingsInput
})

const ProjectBody = Project.pick({ name: true, key: true, description: true, color: true })
  .extend({
    settings: OpenSettings.partial().meta({ description: 'Members that are not given stay as they are.' })
  })
  .strict()

/** The body that creates a project. */
export const CreateProject = ProjectBody.partial({ description: true, color: true, settings: true }).meta({
  id: 'CreateProject',
  example: { name: project.name, key: project.key, color: project.color, settings: { edgeDB: { enabled: true } } }
})
export type CreateProject = z.infer<typeof CreateProject>

/** The body that changes a project. */
export const UpdateProject = ProjectBody.partial().meta({ id: 'UpdateProject', example: { name: 'Shop' } })
export type UpdateProject = z.infer<typeof UpdateProject>

/** The body that changes the settings of a project. */
export const UpdateProjectSettings = z
  .strictObject({
    settings: OpenSettings.extend(ProtectedSettings.shape)
      .partial()
      .extend({ disablePassthroughRollouts: shape.disablePassthroughRollouts })
      .meta({ description: 'Members that are not given stay as they are.' })
  })
  .meta({
    id: 'UpdateProjectSettings',
    example: { settings: { disablePassthroughRollouts: false, optIn: { enabled: true, title: 'Early access' } } }
  })
export type UpdateProjectSettings = z.infer<typeof UpdateProjectSettings>

/** The body that changes the settings of a project which few may change. */
export const UpdateProtectedSettings = z
  .strictObject({
    settings: ProtectedSettings.partial().meta({ description: 'Members that are not given stay as they are.' })
  })
  .meta({
    id: 'UpdateProtectedSettings',
    example: {
      settings: {
        featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true },
        staleness: { enabled: true, email: { enabled: true, frequency: 'weekly', users: ['ada@example.com'] } }
      }
    }
  })
export type UpdateProtectedSettings = z.infer<typeof UpdateProtectedSettings>

/** Any of an object's members and no others: what is given joins what is there. */
function some<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return schema.partial().strict()
}
