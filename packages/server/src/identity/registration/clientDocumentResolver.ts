import { formatValue } from '@burgee/kit/text'
import { z } from 'zod'
import type { EditRunner } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { Logger } from '../../lib/logger.ts'
import { networkOf } from '../../lib/network.ts'
import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import { MINUTE } from '../../lib/time.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import {
  DynamicClientMetadata,
  invalidClientMetadata,
  parseClientMetadata,
  toClientFields
} from './dynamicClientMetadata.ts'
import { isClientDocumentUrl } from './isClientDocumentUrl.ts'
import { registerDynamicClient, registrationError } from './registerDynamicClient.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly now: () => number
  readonly log: Logger
  /** Fetches the document at a URL. */
  readonly guardedRequest: GuardedRequest
  /** @throws {HttpError} 429 for an address that registered too many clients. */
  readonly limitRegistrations: (address: string) => Promise<void>
}

/**
 * Ensures that a client that no administrator creates is stored, such as one with a metadata document. `address` is the
 * network address of the request.
 * @throws {HttpError}
 */
export type ResolveClient = (clientId: string, address: string) => Promise<void>

/** How long a document is cached after it was fetched. */
const FRESH_MS = 5 * MINUTE

/** The largest document, in bytes. */
const MAX_BYTES = 5 * 1024

/** The maximum number of cached fetch times. */
const MAX_CACHED = 2_000

/**
 * Resolves clients whose id is the URL of their metadata document (OAuth Client ID Metadata Document). They are stored
 * like dynamically registered clients, and updated from the document when a login starts.
 */
export function createClientDocumentResolver({
  store,
  edit,
  now,
  log,
  guardedRequest,
  limitRegistrations
}: Dependencies): ResolveClient {
  const fetchedAt = new Map<string, number>()
  const inProgress = new Map<string, Promise<void>>()

  const resolve = async (clientId: string, network: string): Promise<void> => {
    const response = await guardedRequest({ url: clientId, headers: { accept: 'application/json' } })
    const problem = typeof response === 'string' ? response : statusProblem(response.head.statusCode)
    if (typeof response === 'string' || problem !== undefined) {
      // The response omits the reason, which would let callers probe the internal network.
      log.debug({ clientId, problem }, 'the document of a client could not be read')
      throw registrationError('invalid_client', `the document at ${formatValue(clientId)} could not be read`)
    }
    await storeClient(parseClientDocument(response.text, clientId), network)
    if (fetchedAt.size >= MAX_CACHED) fetchedAt.clear()
    fetchedAt.set(clientId, now())
  }

  const storeClient = async (fields: ClientFields, network: string): Promise<void> => {
    const organization = await store.collection('organizations').get({})
    if (!organization) throw new Error('there is no organization to add a client to')
    await edit(serverCaller(organization.key), async (change) => {
      const before = await change.store.collection('clients').get({ clientId: fields.clientId })
      if (!before) return registerDynamicClient(change, { ...fields, network })
      const place = { collection: 'clients', resource: 'ApiClient', subject: {} } as const
      return updateAudited(change, place, before, { ...before, ...fields })
    })
  }

  return async (clientId, address) => {
    if (!isClientDocumentUrl(clientId)) return
    const known = await store.collection('clients').get({ clientId })
    if (known && (fetchedAt.get(clientId) ?? 0) + FRESH_MS > now()) return
    await limitRegistrations(address)
    const pending =
      inProgress.get(clientId) ?? resolve(clientId, networkOf(address)).finally(() => inProgress.delete(clientId))
    inProgress.set(clientId, pending)
    await pending
  }
}

type ClientFields = Pick<StoredClient, 'clientId' | 'name' | 'redirectUris' | 'hasDeviceGrant'>

function statusProblem(status: number | undefined): string | undefined {
  return status === 200 ? undefined : `unexpected status ${status}`
}

const Document = DynamicClientMetadata.extend({
  client_id: z.string(),
  client_secret: z.never('should be omitted').optional(),
  grant_types: listWith('authorization_code').optional(),
  response_types: listWith('code').optional()
})

/** A list that may contain further values, meant for other servers. */
function listWith(required: string) {
  return z.array(z.string()).refine((items) => items.includes(required), `should include ${required}`)
}

/** @throws {HttpError} 400 */
function parseClientDocument(text: string, clientId: string): ClientFields {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) throw invalidClientMetadata('document', `it should have at most ${MAX_BYTES} bytes`)
  const metadata = parseClientMetadata(Document, parseJson(text), 'document')
  if (metadata.client_id === clientId) return { clientId, ...toClientFields(metadata, clientId) }
  throw invalidClientMetadata('document', `client_id should be the address of the document, ${formatValue(clientId)}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidClientMetadata('document', 'it is not JSON')
  }
}
