import type { AccessLogEntry } from '@burgee/contract/schemas'
import { every, omitUndefined } from '@burgee/kit'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { MINUTE, toIsoString } from '../../lib/time.ts'
import type { AccessLog, StoredAccessEntry } from '../../storage/accessLog/accessLog.ts'
import type { Store } from '../../storage/store.ts'

/** A request to record. */
export interface AccessEvent extends Omit<AccessLogEntry, '_id' | 'date' | 'count'> {
  /** The organization of the caller. Default: the one of the client, or of the server if the client is unknown. */
  readonly _organization?: string
}

/** Writes the access log. */
export interface AccessRecorder {
  /**
   * Records a request. Resolves when the entry is durable; a failure is logged and not thrown.
   * @param network The network of the caller, which limits apply to.
   */
  readonly record: (event: AccessEvent, network: string) => Promise<void>
  /** Writes the pending counts. */
  readonly close: () => Promise<void>
}

interface Dependencies {
  readonly accessLog: AccessLog
  readonly ids: Pick<IdGenerator, 'id'>
  readonly now: () => number
  readonly log: Logger
  readonly store: Store
  /** The key of the server's organization. */
  readonly organization: string
  /** Receives each entry once it is durable. */
  readonly onEntry?: ((entry: StoredAccessEntry) => void) | undefined
}

/** Equal requests of one minute: the first entry, and the number of requests that have no entry of their own. */
interface Counter {
  readonly event: AccessEvent
  entries: number
  counted: number
}

/** The limits of one minute for a group of requests. */
interface Limits {
  /** Equal requests with an entry each. */
  readonly equal: number
  /** Entries for requests that were refused before the caller was known. */
  readonly refused: number
  /** The maximum number of counters, one for each set of equal requests. */
  readonly counters: number
}

/** The requests of the current minute that share limits. */
interface Group {
  readonly limits: Limits
  readonly counters: Map<string, Counter>
  refusedEntries: number
}

/**
 * Creates the recorder. The first ten equal requests of a minute get an entry each; further ones are counted and get
 * one entry together. Requests are equal if network, kind, outcome, reason, operation, user and client are. Refused
 * callers together get at most 300 entries a minute, so that unauthenticated callers cannot fill the disk. Refused SDK
 * keys have lower limits of their own: applications repeat them from many networks, and must not displace other entries
 * (docs/operations/access-log.md#floods).
 */
export function createAccessRecorder(dependencies: Dependencies): AccessRecorder {
  const { accessLog, store, ids, now, log, organization, onEntry } = dependencies
  let groups = newGroups()

  const findOrganization = async (clientId: string | undefined) => {
    if (clientId === undefined) return organization
    const client = await store
      .collection('clients')
      .get({ clientId })
      .catch((error) => {
        log.error({ err: error, clientId }, 'the organization of a client in the access log could not be read')
        return undefined
      })
    return client?._organization ?? organization
  }
  const write = async (events: readonly (AccessEvent & { readonly count?: number })[]) => {
    if (events.length === 0) return
    const date = toIsoString(now())
    const entries = events.map((event) => ({ _id: ids.id(), date, _organization: organization, ...event }))
    try {
      await accessLog.append(entries)
      if (onEntry) for (const entry of entries) onEntry(entry)
    } catch (error) {
      log.error({ err: error, entries: entries.slice(0, MAX_LOGGED) }, 'the access log could not be written')
    }
  }
  const findCounter = ({ counters, limits }: Group, event: AccessEvent, network: string): Counter => {
    const { kind, outcome, reason, operation, idp_user, clientId } = event
    const isCrowded = counters.size >= limits.counters
    const isRefusal = isUnauthenticated(event)
    // Networks, and the accounts that refused callers name, are unbounded; the other parts are not.
    const detail = isCrowded ? (isRefusal ? [] : ['', idp_user, clientId]) : [network, idp_user, clientId]
    const key = JSON.stringify([kind, outcome, reason, operation, ...detail])
    const exact = JSON.stringify([kind, outcome, reason, operation, network, idp_user, clientId])
    const known = counters.get(exact) ?? counters.get(key)
    if (known) return known
    const shared = omitUndefined({ _organization: event._organization, kind, outcome, reason, operation })
    const named = isCrowded && isRefusal ? {} : omitUndefined({ idp_user, clientId })
    const address = isCrowded ? {} : { address: network }
    const counter = { event: { ...shared, ...named, ...address }, entries: 0, counted: 0 }
    counters.set(key, counter)
    return counter
  }
  const flush = async () => {
    const finished = Object.values(groups).flatMap(({ counters }) => [...counters.values()])
    groups = newGroups()
    const events = finished.filter(({ counted }) => counted > 0)
    await write(events.map(({ event, counted }) => ({ ...event, count: counted })))
  }
  const job = every(MINUTE, flush, {
    onError: (error) => log.error({ err: error }, 'the access log could not be written')
  })
  return {
    record: async (given, network) => {
      const { clientId, _organization = await findOrganization(clientId) } = given
      const event = { ...given, _organization }
      const group = event.kind === 'sdkKey' ? groups.sdkKeys : groups.others
      const { limits } = group
      const counter = findCounter(group, event, network)
      const isRefusal = isUnauthenticated(event)
      if (counter.entries >= limits.equal || (isRefusal && group.refusedEntries >= limits.refused)) {
        counter.counted++
        return
      }
      counter.entries++
      if (isRefusal) group.refusedEntries++
      await write([event])
    },
    close: async () => {
      await job.stop()
      await flush()
    }
  }
}

function newGroups(): Readonly<Record<'sdkKeys' | 'others', Group>> {
  const newGroup = (limits: Limits): Group => ({ limits, counters: new Map(), refusedEntries: 0 })
  return {
    sdkKeys: newGroup({ equal: 1, refused: 20, counters: 50 }),
    others: newGroup({ equal: 10, refused: 300, counters: 1000 })
  }
}

/** Entries that the server log shows after a failure. */
const MAX_LOGGED = 20

function isUnauthenticated({ kind, outcome, idp_user }: AccessEvent): boolean {
  return outcome !== 'success' && (idp_user === undefined || kind === 'signIn' || kind === 'token')
}
