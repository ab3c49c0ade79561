import { createHash } from 'node:crypto'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { Options } from '../../cli/options.ts'
import type { ReplicatedConfigs } from '../../delivery/replicas/replicatedConfigs.ts'
import type { Logger } from '../../lib/logger.ts'
import type { UpstreamClient } from '../../lib/outbound/upstreamClient.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { ConfigCache } from '../../storage/replicas/configCache.ts'
import { type FollowedCopy, followCopy } from './followCopy.ts'

/** The copy that one of the keys gives access to. */
export interface CopySource {
  readonly key: string
  readonly config: FollowedCopy
}

interface Dependencies {
  readonly options: Options
  readonly configs: ReplicatedConfigs
  readonly cache: ConfigCache
  readonly client: UpstreamClient
  readonly log: Logger
  readonly now: () => number
}

/**
 * Follows the environment of each key, starting with the copies in the cache. Copies of another upstream or key are not
 * used; they are removed when the cache has a copy of each key that the upstream has confirmed.
 */
export async function followAll({
  options,
  configs,
  cache,
  client,
  log,
  now
}: Dependencies): Promise<readonly CopySource[]> {
  const cached = new Map((await cache.read()).map((document) => [document.name, document]))
  const names = new Map(options.edgeKeys.map((key) => [nameOf(options.upstream, key), key]))
  const others = [...cached.keys()].filter((name) => !names.has(name))
  if (others.length > 0) {
    log.warn(
      `configs in the cache are not used, because they are of another upstream or key (${others.length}); they are removed when all configs have been downloaded`
    )
  }
  const awaited = new Set(names.keys())
  const removeOthers = async () => {
    try {
      for (const name of others.splice(0)) await cache.remove(name)
    } catch (error) {
      log.warn(`a cached config of another upstream or key could not be removed: ${reasonOf(error)}`)
    }
  }
  return [...names].map(([name, key]) => {
    const config = followCopy({
      name,
      key,
      client,
      cache,
      cached: cached.get(name),
      use: (copy) => configs.set(name, copy),
      drop: () => configs.remove(name),
      onStored: () => {
        awaited.delete(name)
        return awaited.size === 0 ? removeOthers() : Promise.resolve()
      },
      log,
      now
    })
    return { key, config }
  })
}

/** Names the copy of a key without revealing the key. The same for all spellings of the address. */
function nameOf(upstream: string, key: string): string {
  // `URL` writes scheme and host in lower case, and omits a default port.
  const address = withoutTrailingSlashes(new URL(upstream).href)
  return createHash('sha256').update(`${address} ${key}`).digest('hex').slice(0, 32)
}
