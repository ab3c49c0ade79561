import { z } from 'zod'
import { HttpUrl, Name, NameInput, recordFields, UserReference } from '../common/fields.ts'
import { AllowedNetworks, ExpiresAt } from '../common/restrictions.ts'
import { admin, ids, timestamps } from '../examples/shop.ts'
import { PermissionName, RoleGrants } from './roleGrant.ts'

const ClientId = z
  .string()
  .regex(/^[\w.@-]{1,100}$/, 'should be 1 to 100 letters, digits, "_", ".", "@" and "-"')
  .meta({ id: 'ClientId', description: 'The OAuth client id.', example: 'deploy-bot' })

const RedirectUris = z.array(z.string().max(2048)).max(20).meta({
  description:
    'OAuth redirect URIs: https, http on a loopback address, or a private scheme such as com.example.app:/callback.'
})

const deployBot = {
  _id: ids.client,
  ...timestamps,
  clientId: 'deploy-bot',
  name: 'Deploy bot',
  isPublic: false,
  isAssistant: false,
  isDynamic: false,
  redirectUris: [],
  roles: [{ role: 'member', project: ids.project }],
  _createdBy: admin
}

/** An OAuth client. It gets access tokens for itself by its secret, or for the users who sign in to it. */
export const ApiClient = z
  .object({
    ...recordFields,
    clientId: z.union([ClientId, HttpUrl]).meta({
      description: 'The OAuth client id, which may be the URL of a client metadata document.'
    }),
    name: Name,
    isPublic: z
      .boolean()
      .meta({ description: 'Whether the client has no secret and acts only for users who sign in.' }),
    isAssistant: z
      .boolean()
      .meta({ description: 'Whether the audit log records its actions for users as actions of an assistant.' }),
    isDynamic: z
      .boolean()
      .meta({ description: 'Whether the client registered itself or has a client metadata document.' }),
    redirectUris: RedirectUris,
    roles: RoleGrants.exactOptional().meta({
      description:
        'The roles of the client when it acts for itself. Absent: all permissions. For users, their own roles apply.'
    }),
    permissions: z.array(PermissionName).exactOptional().meta({
      description: 'The permissions to which the client is limited, for itself and for users. Absent: no limit.'
    }),
    expiresAt: ExpiresAt.exactOptional(),
    allowedNetworks: AllowedNetworks.exactOptional(),
    _createdBy: UserReference
  })
  .meta({
    id: 'ApiClient',
    example: deployBot
  })
export type ApiClient = z.infer<typeof ApiClient>

const Body = ApiClient.pick({
  name: true,
  isAssistant: true,
  redirectUris: true,
  roles: true,
  permissions: true,
  expiresAt: true,
  allowedNetworks: true
}).extend({ name: NameInput })

/** The body that creates an API client. */
export const CreateApiClient = Body.partial({ isAssistant: true, redirectUris: true })
  .extend({
    clientId: ClientId.exactOptional().meta({
      description: 'The id with which the client signs in. Generated if omitted.'
    }),
    isPublic: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Whether the client has no secret: people sign in to it. Default: false.' })
  })
  .strict()
  .refine(({ isPublic, redirectUris }) => !isPublic || (redirectUris ?? []).length > 0, {
    path: ['redirectUris'],
    error: 'should have at least one address, since a public client acts only for people who sign in'
  })
  .meta({
    id: 'CreateApiClient',
    example: { name: 'Deploy bot', clientId: 'deploy-bot', roles: [{ role: 'member', project: 'demo' }] }
  })
export type CreateApiClient = z.infer<typeof CreateApiClient>

/** A new API client with its secret. */
export const CreatedApiClient = ApiClient.extend({
  clientSecret: z.string().exactOptional().meta({ description: 'Cannot be read again. Public clients have none.' })
}).meta({ id: 'CreatedApiClient', example: { ...deployBot, clientSecret: 'made-up-and-shown-once' } })

/** The body that updates an API client. */
export const UpdateApiClient = Body.partial()
  .extend({
    roles: RoleGrants.nullable().meta({ description: 'Replaces all roles; `null` gives the client all permissions.' }),
    permissions: z
      .array(PermissionName)
      .nullable()
      .meta({ description: 'The permissions to which the client is limited; `null` removes the limit.' }),
    expiresAt: ExpiresAt.nullable(),
    allowedNetworks: AllowedNetworks.nullable()
  })
  .partial()
  .strict()
  .meta({ id: 'UpdateApiClient', example: { roles: [{ role: 'viewer' }] } })
export type UpdateApiClient = z.infer<typeof UpdateApiClient>

/** The new secret of an API client. */
export const ApiClientSecret = z
  .object({ clientId: ClientId, clientSecret: z.string() })
  .meta({ id: 'ApiClientSecret', example: { clientId: 'deploy-bot', clientSecret: 'made-up-and-shown-once' } })
