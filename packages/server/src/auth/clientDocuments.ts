import { show } from '@burgee/contract'
import { z } from 'zod'
import { serverCaller } from '../access/serverCaller.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import { MINUTE } from '../duration.ts'
import type { Logger } from '../log.ts'
import type { Reach } from '../outbound/reach.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { isDocumentAddress } from './documentAddress.ts'
import { addDynamicClient, refused } from './dynamicClients.ts'
import { DynamicMetadata, describedBy, readMetadata, unfit } from './dynamicMetadata.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly now: () => number
  readonly log: Logger
  /** Reads what is at an address. */
  readonly reach: Reach
  /** @throws {ApiError} 429 for an address that too many new clients came from. */
  readonly limitRegistrations: (address: string) => Promise<void>
}

/** Sees to it that a client is known which somebody from this address comes with, if it describes itself. @throws {ApiError} */
export type MeetClient = (clientId: string, address: string) => Promise<void>

/** How long a document counts once it was read. */
const FRESH_MS = 5 * MINUTE

/** The largest document, in bytes. */
const MAX_BYTES = 5 * 1024

/** How many moments are remembered in which documents were read. */
const MOST_REMEMBERED = 2_000

/**
 * Knows clients by documents of theirs, whose address is their id (OAuth Client ID Metadata Document). They are kept as those are that
 * register themselves, and are what the document says each time somebody begins to sign in.
 */
export function clientDocuments({ store, edit, now, log, reach, limitRegistrations }: Dependencies): MeetClient {
  const readAt = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()

  const meet = async (clientId: string): Promise<void> => {
    const came = await reach({ url: clientId, headers: { accept: 'application/json' } })
    const problem = typeof came === 'string' ? came : statusProblem(came.head.statusCode)
    if (typeof came === 'string' || problem !== undefined) {
      // Why is not told: it would tell of the network to whoever has addresses tried.
      log.debug({ clientId, problem }, 'the document of a client could not be read')
      throw refused('invalid_client', `the document at ${show(clientId)} could not be read`)
    }
    await keep(readDocument(came.text, clientId))
    if (readAt.size >= MOST_REMEMBERED) readAt.clear()
    readAt.set(clientId, now())
  }

  const keep = async (told: Told): Promise<void> => {
    const organization = await store.collection('organizations').get({})
    if (!organization) throw new Error('there is no organization to know a client in')
    await edit(serverCaller(organization.key), async (change) => {
      const before = await change.store.collection('clients').get({ clientId: told.clientId })
      if (!before) return addDynamicClient(change, told)
      const place = { collection: 'clients', resource: 'ApiClient', subject: {} } as const
      return replaceItem(change, place, before, { ...before, ...told })
    })
  }

  return async (clientId, address) => {
    if (!isDocumentAddress(clientId)) return
    const known = await store.collection('clients').get({ clientId })
    if (known && (readAt.get(clientId) ?? 0) + FRESH_MS > now()) return
    await limitRegistrations(address)
    const met = underWay.get(clientId) ?? meet(clientId).finally(() => underWay.delete(clientId))
    underWay.set(clientId, met)
    await met
  }
}

type Told = Pick<StoredClient, 'clientId' | 'name' | 'redirectUris'>

function statusProblem(status: number | undefined): string | undefined {
  return status === 200 ? undefined : `it was answered with status ${status}`
}

const Document = DynamicMetadata.extend({
  client_id: z.string(),
  client_secret: z.never('should be left out').optional(),
  grant_types: listWith('authorization_code').optional(),
  response_types: listWith('code').optional()
})

/** A list in which there can be more: it is for other servers as well. */
function listWith(needed: string) {
  return z.array(z.string()).refine((items) => items.includes(needed), `should have ${needed} among them`)
}

/** @throws {ApiError} 400 */
function readDocument(text: string, clientId: string): Told {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) throw unfit('document', `it should have at most ${MAX_BYTES} bytes`)
  const told = readMetadata(Document, parsed(text), 'document')
  if (told.client_id === clientId) return { clientId, ...describedBy(told, clientId) }
  throw unfit('document', `client_id should be the address of the document, ${show(clientId)}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unfit('document', 'it is not JSON')
  }
}
