import { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import { isRecord, serialize } from '@burgee/kit'
import { toJsonPieces } from '../../delivery/downloads/toJsonBuffer.ts'
import { followUpstreamConfig, type UpstreamConfig } from '../../delivery/replicas/upstreamConfig.ts'
import type { Logger } from '../../lib/logger.ts'
import { MINUTE } from '../../lib/time.ts'
import type { CachedDocument, ConfigCache } from '../../storage/replicas/configCache.ts'

interface Dependencies extends Pick<Parameters<typeof followUpstreamConfig>[0], 'client' | 'key' | 'now'> {
  /** The name of the copy in the cache. */
  readonly name: string
  readonly cache: ConfigCache
  /** What the cache has. */
  readonly cached: CachedDocument | undefined
  /** Uses a copy from now on: at once the one of the cache, if there is one. */
  readonly use: (copy: ReceivedEdgeConfig) => void
  /** The upstream refuses the key, so the copy, if there is one, is no longer used. */
  readonly drop: () => void
  /** The cache has a copy that the upstream has sent or confirmed. Must not reject. */
  readonly onStored?: () => Promise<void>
  readonly log: Logger
}

/** A followed config with a copy in the cache. */
export interface FollowedCopy extends UpstreamConfig {
  /** Resolves when no write of the cache is in progress. */
  readonly whenWritten: () => Promise<void>
}

/** Follows the config of one key, and keeps the last copy in the cache. */
export function followCopy({
  name,
  key,
  client,
  cache,
  cached,
  use,
  drop,
  onStored,
  log,
  now
}: Dependencies): FollowedCopy {
  const { data: copy } = ReceivedEdgeConfig.safeParse(cached?.document)
  const wasRefused = isRecord(cached?.document) && cached.document.isRefused === true
  if (copy) use(copy)
  let touchedAt = 0
  const writeInOrder = serialize()
  const write = (task: () => Promise<void>) => {
    writeInOrder(task).catch((error) => log.warn({ err: error }, 'the config cache could not be written'))
  }
  const config = followUpstreamConfig({
    client,
    key,
    now,
    random: Math.random,
    cached: cached && copy && { copy, checkedAt: cached.checkedAt },
    wasRefused,
    listener: {
      onCopy: (received) => {
        use(received)
        write(async () => {
          await cache.write(name, toJsonPieces(received))
          await onStored?.()
        })
        touchedAt = now()
      },
      onChecked: () => {
        if (now() - touchedAt < MINUTE) return
        touchedAt = now()
        write(async () => {
          // Fails if there is no copy.
          await cache.touch(name, touchedAt)
          await onStored?.()
        })
      },
      onRefused: () => {
        drop()
        write(() => cache.write(name, toJsonPieces(REFUSED)))
      },
      onState: (failure) => {
        const environment = config.environment()
        if (failure) log.warn({ environment }, `the config cannot be updated: ${failure.message}`)
        else log.info({ environment }, 'the config follows the upstream')
      }
    }
  })
  return { ...config, whenWritten: writeInOrder.idle }
}

/** Cached instead of a copy, so that a start without the upstream does not wait for the config of a refused key. */
const REFUSED = { isRefused: true }
