import { type HttpError, rateLimited, unavailable } from '../../lib/errors.ts'
import { SECOND } from '../../lib/time.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'
import { openExpiringConnections } from '../streams/expiringConnections.ts'
import { createFanOut } from '../streams/fanOut.ts'
import { openKeepAlive } from '../streams/keepAlive.ts'
import { endStoppedStream, type StartStream, type StreamSink } from '../streams/streamSink.ts'
import { RETRY_AFTER_FULL, reconnectionDelay, type StreamTimings, stalledRounds } from '../streams/streamTimings.ts'
import { ChangeConnection } from './changeConnection.ts'
import { formatChangeMessage, formatPreamble, formatResetMessage } from './changeMessage.ts'
import { assertAccess, type ChangeSubscriber, canChangeAccess } from './changeSubscriber.ts'
import { LatestEntries } from './latestEntries.ts'
import { findMissedEntries, MAX_REPLAYED } from './replay.ts'

/** The open streams of changes of projects. */
export interface ChangeStreams {
  /** Opens a stream. @throws {HttpError} 429 at the limit of the caller, 503 when no capacity is left. */
  readonly open: (subscriber: ChangeSubscriber) => StartStream
  /** Closes all streams, and closes later ones as soon as they open. Further calls have no effect. */
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
  const latest = new LatestEntries(store)
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

  /** Returns the refusal of a further stream of the caller, if a limit is reached. */
  const findRefusal = ({ caller }: ChangeSubscriber): HttpError | undefined => {
    const own = [...connections.values()].filter((one) => one.caller.id === caller.id).length
    if (own >= MAX_STREAMS_PER_CALLER) {
      const reason = `you have ${own} open streams of changes, which is the limit per caller`
      return rateLimited(reason, RETRY_AFTER_FULL * SECOND)
    }
    if (connections.size < maxStreams) return undefined
    const reason = `the server has ${connections.size} open streams of changes, which is its limit`
    return unavailable(reason, RETRY_AFTER_FULL)
  }

  const startStream = (subscriber: ChangeSubscriber, reader: StreamSink) => {
    const { project, caller } = subscriber
    const retryMs = reconnectionDelay(pace, random)
    if (isClosed) {
      endStoppedStream(reader, retryMs)
      return () => {}
    }
    if (findRefusal(subscriber)) {
      reader.end()
      return () => {}
    }
    const connection: ChangeConnection = new ChangeConnection(reader, {
      format: (entries) => formatEntries(store, subscriber, entries),
      maxQueued: MAX_QUEUED,
      maxStalledRounds: stalledRounds(pace),
      onEnd: (reason) => {
        if (reason === 'slow') onDrop()
        end(connection)
      }
    })
    connections.set(connection, subscriber)
    keepAlives.add(connection)
    expiring.closeAt(connection, caller.expiresAt ?? Number.POSITIVE_INFINITY)
    startConnection(connection, { store, latest, project, lastEventId: reader.lastEventId, retryMs, now }).catch(() =>
      end(connection)
    )
    return () => remove(connection)
  }

  const unsubscribe = store.subscribe((change) => {
    const added = latest.record(change)
    if (connections.size === 0) return
    for (const [connection, { project }] of connections) {
      const entries = added.get(project)
      if (entries) connection.add(entries)
    }
    if (change.writes.some(canChangeAccess)) rechecks.add(connections.keys())
  })

  return {
    open: (subscriber) => {
      const refusal = findRefusal(subscriber)
      if (refusal) throw refusal
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

interface Start {
  readonly store: Store
  readonly latest: LatestEntries
  readonly project: string
  readonly lastEventId: string | undefined
  readonly retryMs: number
  readonly now: () => number
}

/** Starts a stream with the entries that its reader missed, or with a reset message if they cannot be determined. */
async function startConnection(
  connection: ChangeConnection,
  { store, latest, project, lastEventId, retryMs, now }: Start
): Promise<void> {
  if (lastEventId === undefined) return connection.start(formatPreamble(retryMs, await latest.find(project)), [])
  const missed = await findMissedEntries(store, { project, lastEventId, now: now() })
  if (missed) return connection.start(formatPreamble(retryMs, undefined), missed)
  connection.start(formatPreamble(retryMs, undefined) + formatResetMessage(await latest.find(project)), [])
}

/** Formats the entries that the subscriber may see now. @throws {HttpError} if the project is no longer visible. */
async function formatEntries(
  store: Store,
  subscriber: ChangeSubscriber,
  entries: readonly StoredAuditEntry[]
): Promise<readonly string[]> {
  const { access } = await assertAccess(store, subscriber)
  const messages: string[] = []
  for (const entry of entries) {
    const message = await formatChangeMessage(store, entry, subscriber.project, access)
    if (message !== undefined) messages.push(message)
  }
  return messages
}
