import { z } from 'zod'
import {
  Color,
  DateTime,
  Description,
  Id,
  ImageUrl,
  ImageUrlInput,
  Name,
  NameInput,
  recordFields,
  UserReference
} from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { AllowedNetworks, AllowedOrigins, ExpiresAt } from '../common/restrictions.ts'
import { admin, ids, sdkKeys, timestamps } from '../examples/shop.ts'

/** A key with which SDKs identify an environment. */
export const SdkKey = z
  .object({
    key: z.string(),
    createdAt: DateTime,
    compromised: z.boolean().meta({ description: 'Whether the key was found in a public place.' }),
    compromised_url: z.string().meta({ description: 'The URL at which the key was found, or empty.' }),
    lastUsedAt: DateTime.exactOptional().meta({
      description: 'The start of the day (UTC) on which the key was last used. Absent if it never was.'
    }),
    expiresAt: ExpiresAt.exactOptional(),
    allowedNetworks: AllowedNetworks.exactOptional(),
    allowedOrigins: AllowedOrigins.exactOptional()
  })
  .meta({
    id: 'SdkKey',
    example: sdkKeys.server[0]
  })
export type SdkKey = z.infer<typeof SdkKey>

/** The SDK keys of an environment by type, newest last. */
export const SdkKeys = z
  .object({ mobile: z.array(SdkKey), client: z.array(SdkKey), server: z.array(SdkKey) })
  .meta({ id: 'SdkKeys', example: sdkKeys })
export type SdkKeys = z.infer<typeof SdkKeys>

const Settings = z.object({
  appIconURI: ImageUrl.exactOptional(),
  ofrepOffValues: z.boolean().exactOptional().meta({
    description: 'Whether OFREP returns the value of the off variation for flags that are not served. Default: false.'
  }),
  signedUsers: z.enum(['off', 'accepted', 'required']).exactOptional().meta({
    description:
      'Whether the users in requests with client and mobile keys are signed. `accepted`: wrong signatures are refused. `required`: missing ones too. Enabling it creates a signing secret if there is none. Default: `off`.'
  }),
  unsignedAnonymousUsers: z.boolean().exactOptional().meta({
    description:
      'Whether anonymous users with a random UUID as id are accepted without a signature if `signedUsers` is `required`. Their evaluations ignore stored data. Default: false.'
  })
})

/** A stage of a project, such as production, with its own feature configurations and SDK keys. */
export const Environment = z
  .object({
    ...recordFields,
    _project: Id,
    _createdBy: UserReference,
    key: Key,
    name: Name,
    description: Description.exactOptional(),
    color: Color.exactOptional(),
    type: z
      .enum(['development', 'staging', 'production', 'disaster_recovery'])
      .meta({ description: 'The stage. Changes of `production` and `disaster_recovery` need more permission.' }),
    settings: Settings.exactOptional(),
    sdkKeys: SdkKeys.exactOptional().meta({
      description: 'Absent if the caller cannot read them, or if the query leaves them out.'
    }),
    firstEvaluationAt: DateTime.exactOptional().meta({
      description: 'When a variable was first evaluated. Absent if none was.'
    }),
    readonly: z.boolean().meta({ description: 'Whether the caller cannot change it.' })
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

const SettingsInput = Settings.extend({ appIconURI: ImageUrlInput.exactOptional() })
  .strict()
  .meta({ description: 'Omitted members keep their values.' })

const EnvironmentBody = Environment.pick({ name: true, key: true, description: true, color: true, type: true })
  .extend({ name: NameInput, settings: SettingsInput })
  .strict()

/** The body that creates an environment. */
export const CreateEnvironment = EnvironmentBody.partial({ description: true, color: true, settings: true }).meta({
  id: 'CreateEnvironment',
  example: { name: 'Quality assurance', key: 'qa', type: 'staging' }
})
export type CreateEnvironment = z.infer<typeof CreateEnvironment>

/** The body that updates an environment. */
export const UpdateEnvironment = EnvironmentBody.partial().meta({
  id: 'UpdateEnvironment',
  example: { color: '#1d4ed8' }
})
export type UpdateEnvironment = z.infer<typeof UpdateEnvironment>

/** The body that generates SDK keys. */
export const GenerateSdkKeys = z
  .strictObject({
    client: z.boolean().meta({ description: 'Whether to generate a client key.' }),
    server: z.boolean().meta({ description: 'Whether to generate a server key.' }),
    mobile: z.boolean().meta({ description: 'Whether to generate a mobile key.' }),
    expiresAt: ExpiresAt,
    allowedNetworks: AllowedNetworks.meta({
      description: 'The addresses and networks (CIDR) from which requests are accepted, for server keys only.'
    }),
    allowedOrigins: AllowedOrigins.meta({
      description: 'The web origins from which requests are accepted, for client keys only.'
    })
  })
  .partial()
  .refine(({ client, server, mobile }) => client || server || mobile, 'should ask for a key of at least one type')
  .meta({ id: 'GenerateSdkKeys', example: { server: true } })
export type GenerateSdkKeys = z.infer<typeof GenerateSdkKeys>

/** The body that changes the restrictions of an SDK key. */
export const UpdateSdkKey = z
  .strictObject({
    expiresAt: ExpiresAt.nullable(),
    allowedNetworks: AllowedNetworks.nullable().meta({
      description:
        'The addresses and networks from which requests are accepted, for server keys only; `null` accepts all.'
    }),
    allowedOrigins: AllowedOrigins.nullable().meta({
      description: 'The web origins from which requests are accepted, for client keys only; `null` accepts all.'
    })
  })
  .partial()
  .meta({ id: 'UpdateSdkKey', example: { expiresAt: '2027-03-01T00:00:00.000Z', allowedNetworks: ['192.0.2.0/24'] } })
export type UpdateSdkKey = z.infer<typeof UpdateSdkKey>
