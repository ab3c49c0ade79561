import type { TokenCaller } from '../../access/permissions/caller.ts'
import { rateLimited, unauthorized, unavailable } from '../../lib/errors.ts'
import { SECOND } from '../../lib/time.ts'
import type { Resources } from '../../storage/resources/collections.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { Change, Store, StoreWrite } from '../../storage/store.ts'
import { openExpiringConnections } from '../streams/expiringConnections.ts'
import { createFanOut } from '../streams/fanOut.ts'
import { openKeepAlive } from '../streams/keepAlive.ts'
import type { StartStream, StreamSink } from '../streams/streamSink.ts'
import type { StreamTimings } from '../streams/streamTimings.ts'
import { ChangeConnection } from './changeConnection.ts'
import { formatChangeMessage, formatPreamble, formatResetMessage } from './changeMessage.ts'
import { findLatestEntryId, findMissedEntries, MAX_REPLAYED } from './replay.ts'

/** A caller who follows the changes of a project. */
export interface ChangeSubscriber {
  /** The id of the project. */
  readonly project: string
  readonly caller: TokenCaller
  /** Verifies the token of the request again. @throws {HttpError} if it is no longer accepted. */
  readonly reauthenticate: () => Promise<TokenCaller>
}

/** The open streams of changes of projects. */
export interface ChangeStreams {
  /** Opens a stream. @throws {HttpError} 429 at the limit of the caller, 503 when no capacity is left. */
  readonly open: (subscriber: ChangeSubscriber) => StartStream
  /** Closes all streams. Further calls have no effect. */
  readonly close: () => void
}

interface Dependencies {
  readonly maxStreams: number
  readonly now: () => number
  readonly pace: StreamTimings
  /** At least 0, less than 1. */
  readonly random: () => number
  /** A slow reader was dropped. */
  readonly onDrop: () => void
}

/**
 * Sends the audit entries of a project to its subscribers once they are durable, and ends streams whose caller may no
 * longer read the project.
 */
export function openChangeStreams(
  store: Store,
  { maxStreams, now, pace, random, onDrop }: Dependencies
): ChangeStreams {
  const connections = new Map<ChangeConnection, ChangeSubscriber>()
  /** The last entry of a project, from its first stream or its first change on. */
  const latest = new Map<string, string | undefined>()
  let isClosed = false

  const remove = (connection: ChangeConnection) => {
    connections.delete(connection)
    keepAlives.remove(connection)
    expiring.remove(connection)
    rechecks.remove(connection)
  }
  const end = (connection: ChangeConnection) => {
    if (!connections.has(connection)) return
    remove(connection)
    connection.close()
  }
  /** Ends a stream whose caller is refused. */
  const recheck = (connection: ChangeConnection) => {
    const subscriber = connections.get(connection)
    if (subscriber) assertAccess(store, subscriber).catch(() => end(connection))
  }
  const visit = (connection: ChangeConnection) => {
    connection.keepAlive()
    recheck(connection)
  }
  const rechecks = createFanOut(recheck, pace)
  const keepAlives = openKeepAlive(visit, pace.keepAliveMs, random)
  const expiring = openExpiringConnections(end, { now, checkMs: pace.expiryCheckMs })

  const ofCaller = ({ caller }: ChangeSubscriber) => {
    return [...connections.values()].filter((one) => one.caller.id === caller.id).length
  }
  const assertCapacity = (subscriber: ChangeSubscriber) => {
    if (isClosed) throw unavailable('the server is stopping', RETRY_AFTER_STOP)
    const own = ofCaller(subscriber)
    if (own >= MAX_STREAMS_PER_CALLER) {
      throw rateLimited(`you have ${own} open streams of changes, which is the limit per caller`, RETRY_AFTER_FULL_MS)
    }
    if (connections.size < maxStreams) return
    const reason = `the server has ${connections.size} open streams of changes, which is its limit`
    throw unavailable(reason, RETRY_AFTER_FULL_MS / SECOND)
  }

  const findLatest = async (project: string): Promise<string | undefined> => {
    if (latest.has(project)) return latest.get(project)
    const found = await findLatestEntryId(store, project)
    // A change during the query is later than its result.
    if (!latest.has(project)) latest.set(project, found)
    return latest.get(project)
  }
  const startConnection = async (connection: ChangeConnection, project: string, lastEventId: string | undefined) => {
    const retryMs = Math.round(pace.retryMs * (1 + 4 * random()))
    if (lastEventId === undefined) return connection.start(formatPreamble(retryMs, await findLatest(project)), [])
    const missed = await findMissedEntries(store, { project, lastEventId, now: now() })
    if (missed) return connection.start(formatPreamble(retryMs, undefined), missed)
    connection.start(formatPreamble(retryMs, undefined) + formatResetMessage(await findLatest(project)), [])
  }
  const startStream = (subscriber: ChangeSubscriber, reader: StreamSink) => {
    const { project, caller } = subscriber
    const isFull = connections.size >= maxStreams || ofCaller(subscriber) >= MAX_STREAMS_PER_CALLER
    if (isClosed || isFull) {
      reader.end()
      return () => {}
    }
    const connection: ChangeConnection = new ChangeConnection(reader, {
      format: async (entries) => {
        const { access } = await assertAccess(store, subscriber)
        const messages: string[] = []
        for (const entry of entries) {
          const message = await formatChangeMessage(store, entry, project, access)
          if (message !== undefined) messages.push(message)
        }
        return messages
      },
      maxQueued: MAX_QUEUED,
      maxStalledRounds: Math.ceil(pace.stallTimeoutMs / pace.keepAliveMs),
      onEnd: (reason) => {
        if (reason === 'slow') onDrop()
        end(connection)
      }
    })
    connections.set(connection, subscriber)
    keepAlives.add(connection)
    expiring.closeAt(connection, caller.expiresAt ?? Number.POSITIVE_INFINITY)
    startConnection(connection, project, reader.lastEventId).catch(() => end(connection))
    return () => remove(connection)
  }

  const unsubscribe = store.subscribe((change) => {
    const added = groupByProject(change)
    for (const [project, entries] of added) latest.set(project, entries.at(-1)?._id)
    if (connections.size === 0) return
    for (const [connection, { project }] of connections) {
      const entries = added.get(project)
      if (entries) connection.add(entries)
    }
    if (change.writes.some(canChangeAccess)) rechecks.add(connections.keys())
  })

  return {
    open: (subscriber) => {
      assertCapacity(subscriber)
      return (reader) => startStream(subscriber, reader)
    },
    close: () => {
      isClosed = true
      unsubscribe()
      rechecks.close()
      keepAlives.close()
      expiring.stop()
      for (const connection of connections.keys()) end(connection)
    }
  }
}

/** The number of entries that wait for a slow reader: those of a replay, and as many that were added meanwhile. */
const MAX_QUEUED = 2 * MAX_REPLAYED

/** The number of streams that a caller can have open, over all of its tokens. */
const MAX_STREAMS_PER_CALLER = 20

/** The reconnection delay in seconds when the server stops. By then, its replacement may be running. */
const RETRY_AFTER_STOP = 1

/** The reconnection delay in milliseconds when there is no capacity. */
const RETRY_AFTER_FULL_MS = 30 * SECOND

/** Asserts that the caller still has access to the project. @throws {HttpError} */
async function assertAccess(store: Store, { project, reauthenticate }: ChangeSubscriber): Promise<TokenCaller> {
  const caller = await reauthenticate()
  const found = await store.collection('projects').get({ _id: project, _organization: caller.organization })
  const { access } = caller
  if (found && access.canSeeProject(project) && access.allows('project:read', project)) return caller
  throw unauthorized('the project is no longer visible')
}

/** The added entries, by the id of their project. */
function groupByProject({ writes }: Change): ReadonlyMap<string, readonly StoredAuditEntry[]> {
  const groups = new Map<string, StoredAuditEntry[]>()
  for (const write of writes) {
    if (write.collection !== 'auditEntries' || write.before || !write.after) continue
    const { _project } = write.after
    if (_project === undefined) continue
    groups.set(_project, [...(groups.get(_project) ?? []), write.after])
  }
  return groups
}

/** Whether a write can end the access of a caller. */
function canChangeAccess(write: StoreWrite): boolean {
  // Each audit entry changes the head of its organization.
  if (write.collection === 'organizations') {
    return JSON.stringify(write.before?.settings) !== JSON.stringify(write.after?.settings)
  }
  return accessCollections.has(write.collection)
}

const accessCollections: ReadonlySet<keyof Resources> = new Set([
  'users',
  'clients',
  'revocations',
  'workloadTrusts',
  'projects'
])
