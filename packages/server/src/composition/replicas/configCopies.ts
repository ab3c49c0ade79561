import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import { every } from '@burgee/kit'
import type { Options } from '../../cli/options.ts'
import type { Configs } from '../../delivery/configs/configs.ts'
import { toJsonPieces } from '../../delivery/downloads/toJsonBuffer.ts'
import { toEdgeConfig } from '../../delivery/replicas/toEdgeConfig.ts'
import type { Disposer } from '../../lib/disposer.ts'
import type { Logger } from '../../lib/logger.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { identifyDatabase } from '../../storage/open/identifyDatabase.ts'
import { type ConfigCache, openConfigCache } from '../../storage/replicas/configCache.ts'
import type { Store } from '../../storage/store.ts'
import { isDatabaseUrl } from '../../storage/storeUrl.ts'

interface Dependencies {
  readonly options: Options
  readonly store: Store
  readonly configs: Configs
  readonly now: () => number
  readonly log: Logger
  readonly disposer: Pick<Disposer, 'defer'>
}

/**
 * Keeps copies of the configs on disk while a database is available, so that a start without it can evaluate. A failure
 * to write is logged, and tried again.
 */
export async function keepConfigCopies({ options, store, configs, now, log, disposer }: Dependencies): Promise<void> {
  if (!isDatabaseUrl(options.store)) return
  const onNotice = (message: string) => log.warn(message)
  let hasFailed = false
  const onError = (error: unknown) => {
    if (!hasFailed) log.warn({ err: error }, 'copies of the configs cannot be written to BURGEE_CACHE_DIRECTORY')
    hasFailed = true
  }
  let cache: ConfigCache | undefined
  const { items } = await store.collection('configVersions').list()
  const changed = new Set(items.map(({ _id }) => _id))
  const copied = new Set<string>()
  disposer.defer(configs.subscribe((environment) => changed.add(environment)))
  const write = async () => {
    cache ??= await openConfigCache(directoryOf(options), onNotice)
    // Configs that change meanwhile are written after the others.
    for (const environment of [...changed]) {
      changed.delete(environment)
      const found = configs.environment(environment)
      try {
        if (found) await cache.write(environment, toJsonPieces(toEdgeConfig(found)))
        else await cache.remove(environment)
      } catch (error) {
        changed.add(environment)
        throw error
      }
      if (found) copied.add(environment)
      else copied.delete(environment)
    }
    hasFailed = false
  }
  const touch = async () => {
    if (!store.isWritable()) return
    for (const environment of copied) await cache?.touch(environment, now())
  }
  let pausedUntil = 0
  const writeUnlessPaused = async () => {
    const startedAt = performance.now()
    if (startedAt < pausedUntil) return
    try {
      await write()
    } finally {
      pausedUntil = performance.now() + PAUSE_FACTOR * (performance.now() - startedAt)
    }
  }
  const writing = every(SECOND, writeUnlessPaused, { onError, immediately: true })
  const touching = every(MINUTE, touch, { onError })
  disposer.defer(async () => {
    await touching.stop()
    await writing.stop()
    await write().catch(onError)
  })
}

/** The pause after a write, as a multiple of its duration: copies of configs that change constantly take a tenth of the time. */
const PAUSE_FACTOR = 9

/** A copy, and when it was last known to be current, in epoch milliseconds. */
export interface ConfigCopy {
  readonly copy: ReceivedEdgeConfig
  readonly checkedAt: number
}

/** Reads the copies of the configs of the store in the settings. */
export async function readConfigCopies(options: Options, log: Logger): Promise<readonly ConfigCopy[]> {
  const cache = await openConfigCache(directoryOf(options), (message) => log.warn(message))
  return (await cache.read()).flatMap(({ document, checkedAt }) => {
    const { data: copy } = ReceivedEdgeConfig.safeParse(document)
    return copy ? [{ copy, checkedAt }] : []
  })
}

/** Returns the directory for the copies of one database, so that those of another one are never used. */
function directoryOf({ cacheDirectory, store }: Options): string {
  const name = createHash('sha256').update(identifyDatabase(store)).digest('hex').slice(0, 16)
  return join(cacheDirectory, `store-${name}`)
}
