import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { z } from 'zod'
import { serverCaller } from '../access/serverCaller.ts'
import { created } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { demandRedirectUris } from '../clients/redirectUris.ts'
import { ApiError } from '../errors.ts'
import { show } from '../show.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { metadataOf } from './clientMetadata.ts'

/** How registrations are held in bounds. */
export interface RegistrationLimits {
  /** @throws {ApiError} 429 for an address that too many registrations came from. */
  readonly limitRegistrations: (address: string) => Promise<void>
  /** Reads JSON. @throws {ApiError} 400, 413 or 415 */
  readonly readBody: (request: IncomingMessage) => Promise<unknown>
}

interface Dependencies extends RegistrationLimits {
  readonly store: Store
  readonly edit: MakeEdit
}

/** The largest registration, in bytes: anybody can have one kept. */
const MAX_BYTES = 4096

/** How many clients may have registered themselves at a time. */
const MOST = 1_000

/**
 * Takes clients in that register themselves (RFC 7591): public ones, for programs that act for people who sign in. They
 * count as assistants, for nobody has said what they are.
 */
export function registration({
  store,
  edit,
  limitRegistrations,
  readBody
}: Dependencies): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    await limitRegistrations(ctx.ip)
    const { client_name, redirect_uris } = read(await readBody(ctx.req))
    demandWebUris(redirect_uris)
    const organization = await store.collection('organizations').get({})
    if (!organization) throw new Error('there is no organization to register a client in')
    const client = await edit(serverCaller(organization.key), async ({ store, stamps, id, note }) => {
      const { count } = await store.collection('clients').list({ where: { isDynamic: true }, perPage: 1 })
      if (count >= MOST) throw new ApiError(503, 'unavailable', `${MOST} clients have registered themselves already`)
      const client: StoredClient = {
        ...stamps(),
        clientId: `client_${id()}`,
        name: client_name ?? new URL(redirect_uris[0] ?? '').host,
        roles: [],
        redirectUris: redirect_uris,
        isAssistant: true,
        isDynamic: true,
        _organization: organization.key
      }
      note({}, [created('ApiClient', client)])
      return store.collection('clients').insert(client)
    })
    ctx.status = 201
    ctx.body = { ...metadataOf(client), client_id_issued_at: Math.floor(Date.parse(client.createdAt) / 1000) }
  }
}

const Registration = z.object({
  client_name: z.string().trim().min(1).max(100).optional(),
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  token_endpoint_auth_method: z.literal('none').optional(),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])).optional(),
  response_types: z.array(z.literal('code')).optional()
})

function read(body: unknown): z.infer<typeof Registration> {
  const bytes = Buffer.byteLength(JSON.stringify(body))
  if (bytes > MAX_BYTES) {
    throw refused('invalid_client_metadata', `a registration should have at most ${MAX_BYTES} bytes, got ${bytes}`)
  }
  const { success, data, error } = Registration.safeParse(body)
  if (success) return data
  const mistakes = error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`)
  throw refused('invalid_client_metadata', mistakes.join('; '))
}

/** Takes no scheme of its own: any program on a device can have that, and nobody has vouched for this one. */
function demandWebUris(uris: readonly string[]): void {
  try {
    demandRedirectUris(uris)
  } catch (error) {
    throw error instanceof ApiError ? refused('invalid_redirect_uri', error.message) : error
  }
  const other = uris.find((uri) => !/^https?:/.test(uri))
  if (other === undefined) return
  throw refused('invalid_redirect_uri', `redirect_uris should be https, or http on this computer, got ${show(other)}`)
}

function refused(errorType: string, message: string): ApiError {
  return new ApiError(400, 'invalid_request', message, { errorType })
}
