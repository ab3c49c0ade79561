import type { SdkKeyType } from '@burgee/contract'
import type { Configs } from '../configs/configs.ts'
import { ApiError } from '../errors.ts'
import { Connection, type Limits, type Subscriber } from './connection.ts'
import { Connections } from './connections.ts'
import { createFanOut } from './fanOut.ts'
import type { BeginStream, Reader } from './reader.ts'
import { openRounds } from './rounds.ts'
import { shuffled } from './shuffled.ts'
import type { StreamPace } from './streamPace.ts'

/** Everybody who is told of changes as they happen. */
export interface Streams {
  /** A stream for a subscriber. @throws {ApiError} 503 when there is room for no more. */
  readonly open: (subscriber: Subscriber) => BeginStream
  /** Whether there is room for another with a key of this type. */
  readonly hasRoom: (keyType: SdkKeyType) => boolean
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

interface World {
  readonly maxStreams: number
  readonly pace: StreamPace
  /** At least 0, less than 1. */
  readonly random: () => number
}

/** Tells subscribers of each version that the config of their environment comes to, and hangs up on those whose key is gone. */
export function openStreams(configs: Configs, listener: StreamsListener, { maxStreams, pace, random }: World): Streams {
  const connections = new Connections()
  const maxPublicStreams = Math.ceil(maxStreams * PUBLIC_SHARE)
  let isClosed = false

  const currentOf = ({ keyDigest }: Subscriber) => configs.byDigest(keyDigest)
  const tell = (connection: Connection) => {
    const version = currentOf(connection.subscriber)?.version
    if (version && connection.tell(version)) listener.onMessage()
  }
  const visit = (connection: Connection) => {
    const fate = connection.visit()
    if (fate === 'drops') listener.onDrop()
    if (fate !== 'stays') hangUp(connection)
  }
  const fanOut = createFanOut(tell, pace)
  const rounds = openRounds(visit, pace.keepAliveMs, random)

  const remove = (connection: Connection) => {
    if (!connections.remove(connection)) return
    fanOut.remove(connection)
    rounds.remove(connection)
  }
  const hangUp = (connection: Connection) => {
    remove(connection)
    connection.hangUp()
  }
  const begin = (subscriber: Subscriber, reader: Reader) => {
    const current = currentOf(subscriber)
    if (!current || isClosed) {
      reader.end()
      return () => {}
    }
    const connection = new Connection(subscriber, reader, limitsOf(pace, random), (ready) => fanOut.add([ready]))
    connections.add(connection)
    rounds.add(connection)
    if (connection.begin(current.version, Math.round(pace.retryMs * (1 + 4 * random())))) listener.onMessage()
    return () => remove(connection)
  }

  const unsubscribe = configs.subscribe((environment) => {
    const neighbours = connections.in(environment)
    const isKnown = ({ subscriber }: Connection) => currentOf(subscriber) !== undefined
    for (const connection of neighbours) if (!isKnown(connection)) hangUp(connection)
    fanOut.add(shuffled(neighbours.filter(isKnown), random))
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
      return (reader) => begin(subscriber, reader)
    },
    hasRoom: (keyType) => full(keyType) === undefined,
    size: () => connections.size,
    close: () => {
      isClosed = true
      unsubscribe()
      fanOut.close()
      rounds.close()
      for (const connection of connections.all()) hangUp(connection)
    }
  }
}

/** The part of all streams that keys can have which anybody can read: no page keeps servers from hearing of changes. */
const PUBLIC_SHARE = 0.8

/** Each connection lasts for another time, so that those who came together do not come back together. */
function limitsOf({ lifetimeMs, keepAliveMs, patienceMs }: StreamPace, random: () => number): Limits {
  return {
    lifetime: Math.ceil((lifetimeMs * (1 + random())) / keepAliveMs),
    patience: Math.ceil(patienceMs / keepAliveMs)
  }
}

/** When to come back, in seconds: the next server may be up by then. */
const SOON = '1'

/** The same, where there is no room: others leave in the meantime. */
const LATER = '30'

function unavailable(message: string, retryAfter: string): ApiError {
  return new ApiError(503, 'unavailable', message, { headers: { 'retry-after': retryAfter } })
}
