import { z } from 'zod'
import { admin, ids, timestamps } from './examples/shop.ts'
import { Name, recordFields, UserReference } from './fields.ts'
import { HttpUrl } from './httpUrl.ts'
import { PermissionName, RoleGrants } from './roleGrant.ts'

const ClientId = z
  .string()
  .regex(/^[\w.@-]{1,100}$/, 'should be 1 to 100 letters, digits, "_", ".", "@" and "-"')
  .meta({ id: 'ClientId', description: 'What it calls itself when it asks for tokens.', example: 'deploy-bot' })

const RedirectUris = z.array(z.string().max(2048)).max(20).meta({
  description:
    'Where people who sign in for it are sent back to: https, http on a loopback address, or a scheme of its own as in com.example.app:/callback.'
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

/** A program that gets access tokens: for itself by a secret, or for the people who sign in to it. */
export const ApiClient = z
  .object({
    ...recordFields,
    clientId: z.union([ClientId, HttpUrl]).meta({
      description: 'What it calls itself when it asks for tokens, which can be the address of what it says of itself.'
    }),
    name: Name,
    isPublic: z.boolean().meta({ description: 'Whether it has no secret, and acts only for people who sign in.' }),
    isAssistant: z.boolean().meta({ description: 'Whether what it does for people is told as done by an assistant.' }),
    isDynamic: z
      .boolean()
      .meta({ description: 'Whether it registered itself, or is described where its `clientId` says.' }),
    redirectUris: RedirectUris,
    roles: RoleGrants.exactOptional().meta({
      description: 'What it may do for itself. Absent when it may do everything; for people it does what they may.'
    }),
    permissions: z
      .array(PermissionName)
      .exactOptional()
      .meta({ description: 'The most it may do, whoever it acts for. Absent when nothing is held back.' }),
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
  permissions: true
})

/** The body that adds a client. */
export const CreateApiClient = Body.partial({ isAssistant: true, redirectUris: true })
  .extend({
    clientId: ClientId.exactOptional().meta({ description: 'Made up if it is left out.' }),
    isPublic: z.boolean().exactOptional().meta({ description: 'Default: false.' })
  })
  .strict()
  .refine(({ isPublic, redirectUris }) => !isPublic || (redirectUris ?? []).length > 0, {
    path: ['redirectUris'],
    error: 'should have at least one address, since a public client acts only for people who sign in'
  })
  .meta({
    id: 'CreateApiClient',
    example: { name: 'Deploy bot', clientId: 'deploy-bot', roles: [{ role: 'member', project: 'shop' }] }
  })
export type CreateApiClient = z.infer<typeof CreateApiClient>

/** A client that was added, with its secret. */
export const CreatedApiClient = ApiClient.extend({
  clientSecret: z.string().exactOptional().meta({ description: 'Not shown again. A public client has none.' })
}).meta({ id: 'CreatedApiClient', example: { ...deployBot, clientSecret: 'made-up-and-shown-once' } })

/** The body that changes a client. */
export const UpdateApiClient = Body.partial()
  .extend({ roles: RoleGrants.nullable(), permissions: z.array(PermissionName).nullable() })
  .partial()
  .strict()
  .meta({ id: 'UpdateApiClient', example: { roles: [{ role: 'viewer' }] } })
export type UpdateApiClient = z.infer<typeof UpdateApiClient>

/** A client's new secret. */
export const ApiClientSecret = z
  .object({ clientId: ClientId, clientSecret: z.string() })
  .meta({ id: 'ApiClientSecret', example: { clientId: 'deploy-bot', clientSecret: 'made-up-and-shown-once' } })
