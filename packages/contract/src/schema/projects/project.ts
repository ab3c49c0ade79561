import { z } from 'zod'
import {
  Color,
  Description,
  ImageUrl,
  ImageUrlInput,
  Name,
  NameInput,
  recordFields,
  TitleInput,
  UserReference
} from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { recordOf } from '../common/recordOf.ts'
import { project, sdkProject } from '../examples/shop.ts'
import { StalenessSettings, StalenessSettingsInput } from './stalenessSettings.ts'

const Switch = z.object({ enabled: z.boolean() })
const Colors = z.object({ primary: Color, secondary: Color })

/** The opt-in page of a project. */
export const OptInSettings = z
  .object({
    enabled: z.boolean(),
    title: z.string().min(1).max(100).exactOptional(),
    description: Description.exactOptional(),
    imageURL: ImageUrl.exactOptional(),
    colors: Colors.exactOptional(),
    poweredByAlignment: z.enum(['center', 'left', 'right', 'hidden']).exactOptional()
  })
  .meta({ id: 'OptInSettings', example: project.settings.optIn })

/** The maximum number of approvals that a project can require. */
export const MAX_REQUIRED_APPROVALS = 5

/** Whether changes of what protected environments serve need approval by other users. */
export const FeatureApprovalWorkflow = z
  .object({
    enabled: z.boolean(),
    allowPublisherBypass: z.boolean(),
    defaultReviewers: z.array(z.string()).max(100),
    requiredApprovals: z.int().min(1).max(MAX_REQUIRED_APPROVALS).exactOptional().meta({
      description: 'The number of people who must approve a change request. Default: 1.'
    }),
    allowEmergency: z.boolean().exactOptional().meta({
      description: 'Whether change requests can be applied in an emergency, without approvals. Default: true.'
    })
  })
  .meta({ id: 'FeatureApprovalWorkflow', example: project.settings.featureApprovalWorkflow })

/** Who may make overrides in protected environments. */
export const OverrideSettings = z
  .object({
    protectedPermission: z.enum(['publish', 'read']).meta({
      description:
        'What overrides in protected environments require: `publish` (the permission `feature:publish`) or `read` (`project:read`, as in other environments).'
    })
  })
  .meta({ id: 'OverrideSettings', example: project.settings.overrides })

/** The settings of a project (docs/reference/management.md#project-settings). */
export const ProjectSettings = z
  .object({
    edgeDB: Switch.meta({
      description: 'Whether properties of users can be stored for evaluations with `enableEdgeDB`.'
    }),
    optIn: OptInSettings,
    sdkTypeVisibility: z.object({
      enabledInFeatureSettings: z
        .boolean()
        .meta({ description: 'Whether new features are visible to server keys only. `sdkVisibility` always applies.' })
    }),
    lifeCycle: z.object({
      disableCodeRefChecks: z
        .boolean()
        .meta({ description: 'Whether features are completed although code still reads their variables.' })
    }),
    obfuscation: z.object({ enabled: z.boolean(), required: z.boolean() }),
    trustClientWrites: z.boolean().exactOptional().meta({
      description:
        'Whether evaluations with server keys use data that client and mobile keys stored: properties of users and opt-in choices. These keys are public, so anyone can write with them. Default: false.'
    }),
    disablePassthroughRollouts: z.boolean().meta({
      description:
        'Whether evaluation stops at a target whose rollout does not include the user, instead of trying the next target.'
    }),
    observability: z.object({
      enabled: z.boolean(),
      environmentMap: recordOf(z.string()).meta({
        description:
          'The `observabilityEnvironmentId` to which each environment reports, by key or id of the environment.'
      })
    }),
    featureApprovalWorkflow: FeatureApprovalWorkflow,
    overrides: OverrideSettings.exactOptional().meta({
      description: 'Absent from projects that are older than the setting; `protectedPermission` is then `publish`.'
    }),
    staleness: StalenessSettings
  })
  .meta({ id: 'ProjectSettings', example: project.settings })
export type ProjectSettings = z.infer<typeof ProjectSettings>

/** The part of a project that SDKs receive. It omits settings that contain names of users. */
export const SdkProject = z
  .object({
    _id: z.string(),
    key: z.string(),
    a0_organization: z.string().meta({ description: 'Id of the organization.' }),
    settings: ProjectSettings.pick({ edgeDB: true, optIn: true, obfuscation: true, disablePassthroughRollouts: true })
  })
  .meta({ id: 'SdkProject', example: sdkProject })
export type SdkProject = z.infer<typeof SdkProject>

/** A project: the container of features, environments and all other resources. */
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
    issueTrackerBaseUrl: z.string().meta({ description: 'Empty if there is none.' }),
    hasReceivedCodeUsages: z.boolean(),
    hasUserConfigFetch: z.boolean().meta({ description: 'Whether an SDK has fetched a config.' }),
    edgeConfigConnections: z
      .array(z.object({ edgeConfigName: z.string(), configurationId: z.string() }))
      .exactOptional(),
    readonly: z.boolean().meta({ description: 'Whether the caller cannot change it.' })
  })
  .meta({ id: 'Project', example: project })
export type Project = z.infer<typeof Project>

const { shape } = ProjectSettings

const OpenSettings = z.strictObject({
  edgeDB: partialStrict(Switch),
  optIn: partialStrict(
    OptInSettings.extend({ title: TitleInput.min(1), imageURL: ImageUrlInput, colors: partialStrict(Colors) })
  ),
  sdkTypeVisibility: partialStrict(shape.sdkTypeVisibility),
  lifeCycle: partialStrict(shape.lifeCycle),
  obfuscation: partialStrict(shape.obfuscation),
  trustClientWrites: shape.trustClientWrites.unwrap(),
  disablePassthroughRollouts: shape.disablePassthroughRollouts,
  observability: partialStrict(shape.observability)
})

const ProtectedSettings = z.strictObject({
  featureApprovalWorkflow: partialStrict(FeatureApprovalWorkflow),
  overrides: partialStrict(OverrideSettings),
  staleness: StalenessSettingsInput
})

const ProjectBody = Project.pick({ name: true, key: true, description: true, color: true })
  .extend({
    name: NameInput,
    settings: OpenSettings.partial().meta({ description: 'Omitted members keep their values.' })
  })
  .strict()

/** The body that creates a project. */
export const CreateProject = ProjectBody.partial({ description: true, color: true, settings: true }).meta({
  id: 'CreateProject',
  example: { name: project.name, key: project.key, color: project.color, settings: { edgeDB: { enabled: true } } }
})
export type CreateProject = z.infer<typeof CreateProject>

/** The body that updates a project. */
export const UpdateProject = ProjectBody.partial().meta({ id: 'UpdateProject', example: { name: 'Shop' } })
export type UpdateProject = z.infer<typeof UpdateProject>

/** The body that updates the settings of a project. */
export const UpdateProjectSettings = z
  .strictObject({
    settings: OpenSettings.extend(ProtectedSettings.shape)
      .partial()
      .extend({ disablePassthroughRollouts: shape.disablePassthroughRollouts })
      .meta({ description: 'Omitted members keep their values.' })
  })
  .meta({
    id: 'UpdateProjectSettings',
    example: { settings: { disablePassthroughRollouts: false, optIn: { enabled: true, title: 'Early access' } } }
  })
export type UpdateProjectSettings = z.infer<typeof UpdateProjectSettings>

/** The body that updates the settings of a project that need more permissions. */
export const UpdateProtectedSettings = z
  .strictObject({
    settings: ProtectedSettings.partial().meta({ description: 'Omitted members keep their values.' })
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

/** Makes all members optional and rejects unknown ones, for bodies that are merged with the stored object. */
function partialStrict<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return schema.partial().strict()
}
