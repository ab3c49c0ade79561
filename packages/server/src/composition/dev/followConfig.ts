import { setTimeout as sleep } from 'node:timers/promises'
import { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import { isSameVersion } from '../../delivery/configs/configVersions.ts'
import { createMessageLogger } from '../../lib/logger.ts'
import { createUpstreamClient } from '../../lib/outbound/upstreamClient.ts'
import { SECOND } from '../../lib/time.ts'
import { openConfigCache } from '../../storage/replicas/configCache.ts'
import { type FollowedCopy, followCopy } from '../replicas/followCopy.ts'
import type { LocalConfig } from './localConfig.ts'

/** How the config of a server is followed. */
export interface FollowOptions {
  /** The address of the server. */
  readonly server: string
  /** The directory with the last configs. */
  readonly directory: string
  /** Names the config in the directory. Letters, digits, `_` and `-`. */
  readonly name: string
  /**
   * Returns a server key of the environment. Undefined if the server is not available and there is a saved config; then
   * it is called again. Omitted if only the saved config is used.
   */
  readonly findKey?: (hasConfig: boolean) => Promise<string | undefined>
  /** There is another config. */
  readonly onChange: () => void
  /** Receives warnings, such as that the config cannot be updated. */
  readonly onNotice: (message: string) => void
}

/** A config that is followed. */
export interface FollowedConfig {
  /** Returns the latest config. Undefined without `findKey` and a saved config. */
  readonly config: () => LocalConfig | undefined
  /** Resolves when no save is in progress. */
  readonly whenSaved: () => Promise<void>
  readonly close: () => void
}

/**
 * Follows the config of an environment of a server, and saves it, so that a start without the server works.
 * @throws {UpstreamError} if there is no saved config and the server does not send one.
 */
export async function followConfig({
  server,
  directory,
  name,
  findKey,
  onChange,
  onNotice
}: FollowOptions): Promise<FollowedConfig> {
  const cache = await openConfigCache(directory, onNotice)
  const cached = (await cache.read()).find((document) => document.name === name)
  let { data: config } = ReceivedEdgeConfig.safeParse(cached?.document)
  const isSaved = config !== undefined
  const use = (received: LocalConfig) => {
    // The saved one is received too.
    if (isSameVersion(config, received)) return
    config = received
    onChange()
  }
  const closing = new AbortController()
  const { signal } = closing
  const log = createMessageLogger(onNotice)
  let followed: FollowedCopy | undefined
  const follow = async () => {
    let key = await findKey?.(isSaved)
    while (findKey && key === undefined && !signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      key = await findKey(isSaved)
    }
    if (key === undefined || signal.aborted) return
    followed = followCopy({
      name,
      key,
      client: createUpstreamClient(server, Date.now),
      cache,
      cached,
      use,
      drop: () => {
        if (config) onNotice('the server refuses the SDK key: the config is not updated until the next start')
      },
      log,
      now: Date.now
    })
    signal.addEventListener('abort', followed.close)
    if (!isSaved) await followed.refresh()
  }
  const following = follow()
  // With a config of an earlier run, a failure is no reason to stop.
  if (isSaved) following.catch((error) => onNotice(`the config cannot be updated: ${error.message}`))
  else await following
  return { config: () => config, whenSaved: async () => followed?.whenWritten(), close: () => closing.abort() }
}

/** How often a server that is not available is asked again, in milliseconds. */
const RETRY_MS = 5 * SECOND
