import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { z } from 'zod'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { networkOf } from '../../lib/network.ts'
import type { Store } from '../../storage/store.ts'
import { formatClientId } from '../clients/clientId.ts'
import { DEVICE_CODE_GRANT } from '../oauth/deviceCodeGrant.ts'
import { toClientMetadata } from '../provider/toClientMetadata.ts'
import {
  DynamicClientMetadata,
  invalidClientMetadata,
  parseClientMetadata,
  toClientFields
} from '../registration/dynamicClientMetadata.ts'
import { registerDynamicClient } from '../registration/registerDynamicClient.ts'

/** The limits of dynamic registration. */
export interface RegistrationLimits {
  /** @throws {HttpError} 429 for an address that registered too many clients. */
  readonly limitRegistrations: (address: string) => Promise<void>
  /** Parses JSON. @throws {HttpError} 400, 413 or 415 */
  readonly readBody: (request: IncomingMessage) => Promise<unknown>
}

interface Dependencies extends RegistrationLimits {
  readonly store: Store
  readonly edit: EditRunner
}

/** The maximum size of client metadata, in bytes: anyone can have it stored. */
const MAX_BYTES = 4096

/** Handles dynamic client registration (RFC 7591). */
export function createRegistrationEndpoint({
  store,
  edit,
  limitRegistrations,
  readBody
}: Dependencies): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    await limitRegistrations(ctx.ip)
    const metadata = read(await readBody(ctx.req))
    const organization = await store.collection('organizations').get({})
    if (!organization) throw new Error('there is no organization to register a client in')
    const client = await edit(serverCaller(organization.key), (change) =>
      registerDynamicClient(change, {
        clientId: formatClientId(change.id()),
        ...toClientFields(metadata, metadata.redirect_uris[0] ?? ''),
        network: networkOf(ctx.ip)
      })
    )
    ctx.status = 201
    ctx.body = { ...toClientMetadata(client), client_id_issued_at: Math.floor(Date.parse(client.createdAt) / 1000) }
  }
}

const Registration = DynamicClientMetadata.extend({
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token', DEVICE_CODE_GRANT])).optional(),
  response_types: z.array(z.literal('code')).optional()
})

function read(body: unknown): z.infer<typeof Registration> {
  const bytes = Buffer.byteLength(JSON.stringify(body))
  if (bytes > MAX_BYTES)
    throw invalidClientMetadata('registration', `it should have at most ${MAX_BYTES} bytes, got ${bytes}`)
  return parseClientMetadata(Registration, body, 'registration')
}
