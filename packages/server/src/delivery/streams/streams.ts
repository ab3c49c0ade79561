import type { SdkKeyType } from '@burgee/contract'
import type { KeyConfigs } from '../configs/configs.ts'
import { findKeyRefusal } from '../configs/keyRestrictions.ts'
import { openExpiringConnections } from './expiringConnections.ts'
import { createFanOut } from './fanOut.ts'
import { openKeepAlive } from './keepAlive.ts'
import { createCapacityLimits, type StreamCapacity } from './streamCapacity.ts'
import { StreamConnection, type StreamLimits, type Subscriber } from './streamConnection.ts'
import { StreamConnections } from './streamConnections.ts'
import { endStoppedStream, type StartStream, type StreamSink } from './streamSink.ts'
import { reconnectionDelay, type StreamTimings, stalledRounds } from './streamTimings.ts'

/** All streams of the server. */
export interface Streams {
  /**
   * Opens a stream for a subscriber.
   * @throws {HttpError} 429 at the limit of its network, 503 when no capacity is left.
   */
  readonly open: (subscriber: Subscriber) => StartStream
  /** Whether there is capacity for another stream with this type of key from this network. */
  readonly hasCapacity: (keyType: SdkKeyType, network: string) => boolean
  readonly size: () => number
  /** Closes all streams, and closes later ones as soon as they open. Further calls have no effect. */
  readonly close: () => void
}

/** Receives stream events, for metrics. */
export interface StreamsListener {
  /** A version was sent. */
  readonly onMessage: () => void
  /** A slow reader was dropped. */
  readonly onDrop: () => void
}

interface Dependencies extends StreamCapacity {
  readonly now: () => number
  readonly pace: StreamTimings
  /** At least 0, less than 1. */
  readonly random: () => number
}

/**
 * Sends each new config version to the subscribers of its environment, and closes streams whose key was removed, has
 * expired, or no longer allows their address or origin.
 */
export function openStreams(
  configs: KeyConfigs,
  listener: StreamsListener,
  { maxStreams, maxStreamsPerNetwork, now, pace, random }: Dependencies
): Streams {
  const connections = new StreamConnections()
  const findRefusal = createCapacityLimits(connections, { maxStreams, maxStreamsPerNetwork })
  let isClosed = false

  const currentOf = ({ keyDigest }: Subscriber) => configs.currentByDigest(keyDigest)
  const sendVersion = (connection: StreamConnection) => {
    const version = currentOf(connection.subscriber)?.version
    if (version && connection.send(version)) listener.onMessage()
  }
  const checkConnection = (connection: StreamConnection) => {
    const action = connection.keepAlive()
    if (action === 'drop') listener.onDrop()
    if (action !== 'keep') closeConnection(connection)
  }
  const fanOut = createFanOut(sendVersion, pace)
  const keepAlives = openKeepAlive(checkConnection, pace.keepAliveMs, random)

  const remove = (connection: StreamConnection) => {
    if (!connections.remove(connection)) return
    fanOut.remove(connection)
    keepAlives.remove(connection)
    expiring.remove(connection)
  }
  const closeConnection = (connection: StreamConnection) => {
    remove(connection)
    connection.close()
  }
  const expiring = openExpiringConnections(closeConnection, { now, checkMs: pace.expiryCheckMs })
  /** Whether the key of a connection exists and still allows its address and origin. */
  const isAccepted = ({ subscriber }: StreamConnection) => {
    const current = currentOf(subscriber)
    return current !== undefined && findKeyRefusal(current, subscriber.from, now()) === undefined
  }
  const followExpiry = (connection: StreamConnection) => {
    const { restrictions } = currentOf(connection.subscriber) ?? {}
    expiring.closeAt(connection, restrictions?.expiresAt ?? Number.POSITIVE_INFINITY)
  }
  const startStream = (subscriber: Subscriber, reader: StreamSink) => {
    const retryMs = reconnectionDelay(pace, random)
    if (isClosed) {
      endStoppedStream(reader, retryMs)
      return () => {}
    }
    const current = currentOf(subscriber)
    if (!current) {
      reader.end()
      return () => {}
    }
    const connection = new StreamConnection(subscriber, reader, streamLimits(pace, random), (ready) =>
      fanOut.add([ready])
    )
    connections.add(connection)
    keepAlives.add(connection)
    followExpiry(connection)
    if (connection.start(current.version, retryMs)) listener.onMessage()
    return () => remove(connection)
  }

  const unsubscribe = configs.subscribe((environment) => {
    const affected = connections.inEnvironment(environment)
    const accepted = affected.filter(isAccepted)
    const kept = new Set(accepted)
    for (const connection of affected) if (!kept.has(connection)) closeConnection(connection)
    for (const connection of accepted) followExpiry(connection)
    fanOut.add(shuffle(accepted, random))
  })

  return {
    open: (subscriber) => {
      const refusal = findRefusal(subscriber.keyType, subscriber.network)
      if (refusal) throw refusal
      return (reader) => startStream(subscriber, reader)
    },
    hasCapacity: (keyType, network) => findRefusal(keyType, network) === undefined,
    size: () => connections.size,
    close: () => {
      isClosed = true
      unsubscribe()
      fanOut.close()
      keepAlives.close()
      expiring.stop()
      for (const connection of connections.all()) closeConnection(connection)
    }
  }
}

/** Connections have random lifetimes, so that those that opened together do not reconnect together. */
function streamLimits(timings: StreamTimings, random: () => number): StreamLimits {
  return {
    maxRounds: Math.ceil((timings.lifetimeMs * (1 + random())) / timings.keepAliveMs),
    maxStalledRounds: stalledRounds(timings)
  }
}

/** Returns the items in random order (Fisher–Yates). */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [one, two] = [result[last], result[other]]
    if (one === undefined || two === undefined) continue
    result[last] = two
    result[other] = one
  }
  return result
}
