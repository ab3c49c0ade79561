import { z } from 'zod'
import { admin, ids, sdkKeys, timestamps } from './examples/shop.ts'
import { Color, DateTime, Description, Id, Name, recordFields, UserReference } from './fields.ts'
import { Key } from './key.ts'

/** What an SDK shows to be let in. */
export const SdkKey = z
  .object({
    key: z.string(),
    createdAt: DateTime,
    compromised: z.boolean().meta({ description: 'Whether it was found where others can read it.' }),
    compromised_url: z.string().meta({ description: 'Where it was found; empty when it was not.' })
  })
  .meta({
    id: 'SdkKey',
    example: sdkKeys.server[0]
  })
export type SdkKey = z.infer<typeof SdkKey>

/** The SDK keys of an environment by type, the newest last. */
export const SdkKeys = z
  .object({ mobile: z.array(SdkKey), client: z.array(SdkKey), server: z.array(SdkKey) })
  .meta({ id: 'SdkKeys', example: sdkKeys })
export type SdkKeys = z.infer<typeof SdkKeys>

const Settings = z.object({
  appIconURI: z.string().max(2048).exactOptional(),
  ofrepOffValues: z.boolean().exactOptional().meta({
    description:
      'Beyond the specification: whether OFREP answers a flag that is not served with the value of its off variation. Default: false.'
  })
})

/** Where features of a project are served: a stage with configurations and SDK keys of its own. */
export const Environment = z
  .object({
    ...recordFields,
    _project: Id,
    _createdBy: UserReference,
    key: Key,
    name: Name,
    description: Description.exactOptional(),
    color: Color.exactOptional(),
    type: z.enum(['development', 'staging', 'production', 'disaster_recovery']),
    settings: Settings.exactOptional(),
    sdkKeys: SdkKeys.exactOptional().meta({ description: 'Absent when the caller may not see them.' }),
    readonly: z.boolean().meta({ description: 'Whether the caller may not change it.' })
  })
  .meta({
    id: 'Environment',
    example: {
      _id: ids.production,
      ...timestamps,
      _project: ids.project,
      _createdBy: admin,
      key: 'production',
      name: 'Production',
      color: '#1d4ed8',
      type: 'production',
      settings: {},
      sdkKeys,
      readonly: false
    }
  })
export type Environment = z.infer<typeof Environment>

/** Whether an environment serves real users, so that fewer people may change it (`management.md` §3). */
export function isProtected({ type }: Pick<Environment, 'type'>): boolean {
  return type === 'production' || type === 'disaster_recovery'
}

const EnvironmentBody = Environment.pick({ name: true, key: true, description: true, color: true, type: true })
  .extend({ settings: Settings.strict().meta({ description: 'Members that are not given stay as they are.' }) })
  .strict()

/** The body that creates an environment. */
export const CreateEnvironment = EnvironmentBody.partial({ description: true, color: true, settings: true }).meta({
  id: 'CreateEnvironment',
  example: { name: 'Quality assurance', key: 'qa', type: 'staging' }
})
export type CreateEnvironment = z.infer<typeof CreateEnvironment>

/** The body that changes an environment. */
export const UpdateEnvironment = EnvironmentBody.partial().meta({
  id: 'UpdateEnvironment',
  example: { color: '#1d4ed8' }
})
export type UpdateEnvironment = z.infer<typeof UpdateEnvironment>

/** The body that asks for new SDK keys: of which types. */
export const GenerateSdkKeys = z
  .strictObject({ client: z.boolean(), server: z.boolean(), mobile: z.boolean() })
  .partial()
  .refine((types) => Object.values(types).includes(true), 'should ask for a key of at least one type')
  .meta({ id: 'GenerateSdkKeys', example: { server: true } })
export type GenerateSdkKeys = z.infer<typeof GenerateSdkKeys>
