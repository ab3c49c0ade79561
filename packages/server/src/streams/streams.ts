import type { Configs } from '../configs/configs.ts'
import { ApiError } from '../errors.ts'
import { Connection, type Limits, type Subscriber } from './connection.ts'
import { createFanOut } from './fanOut.ts'
import type { Pace } from './pace.ts'
import type { Stream } from './reader.ts'
import { openRounds } from './rounds.ts'
import { shuffled } from './shuffled.ts'

/** Everybody who is told of changes as they happen. */
export interface Streams {
  /** A stream for a subscriber. @throws {ApiError} 503 when there is room for no more. */
  readonly open: (subscriber: Subscriber) => Stream
  readonly hasRoom: () => boolean
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
  readonly pace: Pace
  /** At least 0, less than 1. */
  readonly random: () => number
}

/** Tells subscribers of each version that the config of their environment comes to, and hangs up on those whose key is gone. */
export function openStreams(configs: Configs, listener: StreamsListener, { maxStreams, pace, random }: World): Streams {
  const byEnvironment = new Map<string, Set<Connection>>()
  let size = 0
  let isClosed = false

  const fanOut = createFanOut<Connection>((connection) => {
    const version = configs.byDigest(connection.subscriber.keyDigest)?.version
    if (version && connection.tell(version)) listener.onMessage()
  }, pace)
  const rounds = openRounds<Connection>(
    (connection) => {
      const fate = connection.visit()
      if (fate === 'drops') listener.onDrop()
      if (fate !== 'stays') hangUp(connection)
    },
    pace.keepAliveMs,
    random
  )
  const limits = (): Limits => ({
    lifetime: Math.ceil((pace.lifetimeMs * (1 + random())) / pace.keepAliveMs),
    patience: Math.ceil(pace.patienceMs / pace.keepAliveMs)
  })

  const remove = (connection: Connection) => {
    const { environment } = connection.subscriber
    const neighbours = byEnvironment.get(environment)
    if (!neighbours?.delete(connection)) return
    if (neighbours.size === 0) byEnvironment.delete(environment)
    fanOut.remove(connection)
    rounds.remove(connection)
    size--
  }
  const hangUp = (connection: Connection) => {
    remove(connection)
    connection.hangUp()
  }

  const unsubscribe = configs.subscribe((environment) => {
    const connections = [...(byEnvironment.get(environment) ?? [])]
    const isKnown = ({ subscriber }: Connection) => configs.byDigest(subscriber.keyDigest) !== undefined
    for (const connection of connections) if (!isKnown(connection)) hangUp(connection)
    fanOut.add(shuffled(connections.filter(isKnown), random))
  })

  return {
    open: (subscriber) => {
      if (isClosed) throw unavailable('the server is stopping')
      if (size >= maxStreams) throw unavailable(`there are ${size} streams here already, and room for no more`)
      return (reader) => {
        const current = configs.byDigest(subscriber.keyDigest)
        if (!current || isClosed) {
          reader.end()
          return () => {}
        }
        const connection = new Connection(subscriber, reader, limits(), (ready) => fanOut.add([ready]))
        const neighbours = byEnvironment.get(subscriber.environment) ?? new Set()
        byEnvironment.set(subscriber.environment, neighbours.add(connection))
        rounds.add(connection)
        size++
        if (connection.begin(current.version, Math.round(pace.retryMs * (1 + 4 * random())))) listener.onMessage()
        return () => remove(connection)
      }
    },
    hasRoom: () => size < maxStreams,
    size: () => size,
    close: () => {
      isClosed = true
      unsubscribe()
      fanOut.close()
      rounds.close()
      for (const connection of [...byEnvironment.values()].flatMap((some) => [...some])) hangUp(connection)
    }
  }
}

/** In seconds, for those who are refused; others leave in the meantime. */
const RETRY_AFTER = '30'

function unavailable(message: string): ApiError {
  return new ApiError(503, 'unavailable', message, { headers: { 'retry-after': RETRY_AFTER } })
}
