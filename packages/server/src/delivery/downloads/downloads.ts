import { usableKeys } from '@burgee/contract/access'
import type { BootstrapDocument, ConfigDocument } from '@burgee/contract/schemas'
import { isExpired } from '../../access/restrictions/expiry.ts'
import { notFound } from '../../lib/errors.ts'
import { memoizeByIdentity } from '../../lib/object.ts'
import type { SdkKey } from '../../storage/resources/project.ts'
import type { KeyConfigs } from '../configs/configs.ts'
import type { KeyConfig } from '../configs/keyConfig.ts'
import { obfuscateConfig } from '../obfuscation/obfuscateConfig.ts'
import { createDownload, type Download } from './download.ts'
import { buildDownloadContent, type DownloadContent } from './downloadContent.ts'

interface Dependencies {
  readonly configs: Pick<KeyConfigs, 'current'>
  readonly now: () => number
  /** The public URL of the server, if known. */
  readonly publicUrl: () => string | undefined
}

/** The downloads for server-side SDKs. */
export interface Downloads {
  /** The config of an SDK key. */
  readonly config: (caller: KeyConfig) => Download<DownloadContent<ConfigDocument>>
  /**
   * The config for browsers: the config of the environment's client key, with that key.
   * @throws {HttpError} 404 if there is no client key.
   */
  readonly bootstrap: (caller: KeyConfig) => Download<DownloadContent<BootstrapDocument>>
  /** Same as `bootstrap`, with obfuscated names if the project enables obfuscation. */
  readonly obfuscatedBootstrap: (caller: KeyConfig) => Download<DownloadContent<BootstrapDocument>>
}

/**
 * Keeps the downloads of the current config versions. Key configs are replaced with each version and own their
 * downloads, so at most two downloads per key are in memory, and those of previous versions are released with them.
 */
export function createDownloads({ configs, now, publicUrl }: Dependencies): Downloads {
  const config = memoizeByIdentity((current: KeyConfig) =>
    createDownload(current.version, () => buildDownloadContent(current, publicUrl()))
  )
  // The stream is that of the client key, too, because the document is passed on to browsers.
  const toBootstrap = (client: KeyConfig) => ({
    ...buildDownloadContent(client, publicUrl()),
    clientSDKKey: client.sdkKey
  })
  const bootstrap = memoizeByIdentity((client: KeyConfig) => createDownload(client.version, () => toBootstrap(client)))
  const obfuscatedBootstrap = memoizeByIdentity((client: KeyConfig) => {
    return createDownload(client.version, () => obfuscateConfig(toBootstrap(client), client.config))
  })
  const clientOf = ({ environment }: KeyConfig): KeyConfig => {
    const clientKey = newestUsableKey(environment.sdkKeys.client, now())
    const client = clientKey && configs.current(clientKey)
    if (!client) throw notFound(`environment "${environment.key}" has no client key`)
    return client
  }
  return {
    config,
    bootstrap: (caller) => bootstrap(clientOf(caller)),
    obfuscatedBootstrap: (caller) => {
      const isObfuscated = caller.project.settings.obfuscation.enabled
      return (isObfuscated ? obfuscatedBootstrap : bootstrap)(clientOf(caller))
    }
  }
}

/** Returns the newest key that has not expired and is not compromised, or the newest one if all are. */
function newestUsableKey(keys: readonly SdkKey[], now: number): string | undefined {
  const newest = usableKeys(keys, now).at(-1) ?? keys.findLast((key) => !isExpired(key, now)) ?? keys.at(-1)
  return newest?.key
}
