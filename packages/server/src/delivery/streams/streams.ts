import type { SdkKeyType } from '@burgee/contract'
import { ApiError } from '../../lib/errors.ts'
import { shuffle } from '../../lib/shuffle.ts'
import type { Configs } from '../configs/configs.ts'
import { createFanOut } from './fanOut.ts'
import { openKeepAlive } from './keepAlive.ts'
import { StreamConnection, type StreamLimits, type Subscriber } from './streamConnection.ts'
import { StreamConnections } from './streamConnections.ts'
import type { StartStream, StreamSink } from './streamSink.ts'
import type { StreamTimings } from './streamTimings.ts'

/** Everybody who is told of changes as they happen. */
export interface Streams {
  /** A stream for a subscriber. @throws {ApiError} 503 when there is room for no more. */
  readonly open: (subscriber: Subscriber) => StartStream
  /** Whether there is room for another with a key of this type. */
  readonly hasCapacity: (keyType: SdkKeyType) => boolean
  readonly size: () => number
  /** Hangs up on everybody; calling it again does nothing more. */
  readonly close: () => void
}

/** Tells of what happened to streams. */
export interface StreamsListener {
  /** Somebody was told of a version. */
  readonly onMessage: () => void
  /** Somebody was dropped who did not take what they were sent. */
  readonly onDrop: () => void
}

interface Dependencies {
  readonly maxStreams: number
  readonly pace: StreamTimings
  /** At least 0, less than 1. */
  readonly random: () => number
}

/** Tells subscribers of each version that the config of their environment comes to, and hangs up on those whose key is gone. */
export function openStreams(
  configs: Configs,
  listener: StreamsListener,
  { maxStreams, pace, random }: Dependencies
): Streams {
  const connections = new StreamConnections()
  const maxPublicStreams = Math.ceil(maxStreams * MAX_PUBLIC_SHARE)
  let isClosed = false

  const currentOf = ({ keyDigest }: Subscriber) => configs.currentByDigest(keyDigest)
  const sendVersion = (connection: StreamConnection) => {
    const version = currentOf(connection.subscriber)?.version
    if (version && connection.send(version)) listener.onMessage()
  }
  const checkConnection = (connection: StreamConnection) => {
    const fate = connection.keepAlive()
    if (fate === 'drops') listener.onDrop()
    if (fate !== 'stays') closeConnection(connection)
  }
  const fanOut = createFanOut(sendVersion, pace)
  const rounds = openKeepAlive(checkConnection, pace.keepAliveMs, random)

  const remove = (connection: StreamConnection) => {
    if (!connections.remove(connection)) return
    fanOut.remove(connection)
    rounds.remove(connection)
  }
  const closeConnection = (connection: StreamConnection) => {
    remove(connection)
    connection.close()
  }
  const startStream = (subscriber: Subscriber, reader: StreamSink) => {
    const current = currentOf(subscriber)
    if (!current || isClosed) {
      reader.end()
      return () => {}
    }
    const connection = new StreamConnection(subscriber, reader, streamLimits(pace, random), (ready) =>
      fanOut.add([ready])
    )
    connections.add(connection)
    rounds.add(connection)
    if (connection.start(current.version, Math.round(pace.retryMs * (1 + 4 * random())))) listener.onMessage()
    return () => remove(connection)
  }

  const unsubscribe = configs.subscribe((environment) => {
    const neighbours = connections.inEnvironment(environment)
    const isKnown = ({ subscriber }: StreamConnection) => currentOf(subscriber) !== undefined
    for (const connection of neighbours) if (!isKnown(connection)) closeConnection(connection)
    fanOut.add(shuffle(neighbours.filter(isKnown), random))
  })

  /** Why there is room for no more with a key of this type. */
  const full = (keyType: SdkKeyType): string | undefined => {
    const { size, publicSize } = connections
    if (size >= maxStreams) return `there are ${size} streams here already, and room for no more`
    if (keyType === 'server' || publicSize < maxPublicStreams) return undefined
    return `there are ${publicSize} streams of client and mobile keys here already, and what room is left is for server keys`
  }

  return {
    open: (subscriber) => {
      if (isClosed) throw unavailable('the server is stopping', SOON)
      const reason = full(subscriber.keyType)
      if (reason !== undefined) throw unavailable(reason, LATER)
      return (reader) => startStream(subscriber, reader)
    },
    hasCapacity: (keyType) => full(keyType) === undefined,
    size: () => connections.size,
    close: () => {
      isClosed = true
      unsubscribe()
      fanOut.close()
      rounds.close()
      for (const connection of connections.all()) closeConnection(connection)
    }
  }
}

/** The part of all streams that keys can have which anybody can read: no page keeps servers from hearing of changes. */
const MAX_PUBLIC_SHARE = 0.8

/** Each connection lasts for another time, so that those who came together do not come back together. */
function streamLimits({ lifetimeMs, keepAliveMs, stallTimeoutMs }: StreamTimings, random: () => number): StreamLimits {
  return {
    maxRounds: Math.ceil((lifetimeMs * (1 + random())) / keepAliveMs),
    maxStalledRounds: Math.ceil(stallTimeoutMs / keepAliveMs)
  }
}

/** When to come back, in seconds: the next server may be up by then. */
const SOON = '1'

/** The same, where there is no room: others leave in the meantime. */
const LATER = '30'

function unavailable(message: string, retryAfter: string): ApiError {
  return new ApiError(503, 'unavailable', message, { headers: { 'retry-after': retryAfter } })
}
