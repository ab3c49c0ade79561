import type { BootstrapDocument, ConfigDocument } from '@burgee/contract/schemas'
import { notFound } from '../../lib/errors.ts'
import { memoizeByIdentity } from '../../lib/object.ts'
import type { SdkKey } from '../../storage/resources.ts'
import type { Configs, KeyConfig } from '../configs/configs.ts'
import { obfuscateConfig } from '../obfuscation/obfuscateConfig.ts'
import { createDownload, type Download } from './download.ts'
import { buildDownloadContent, type DownloadContent } from './downloadContent.ts'

interface Dependencies {
  readonly configs: Pick<Configs, 'current'>
  /** The address under which callers reach the server, where it is known. */
  readonly publicUrl: () => string | undefined
}

/** What SDKs of servers download. */
export interface Downloads {
  /** The config that an SDK key stands for. */
  readonly config: (caller: KeyConfig) => Download<DownloadContent<ConfigDocument>>
  /** The config that browsers see: the one of the environment's client key, which it names. @throws {ApiError} 404 when it has none. */
  readonly bootstrap: (caller: KeyConfig) => Download<DownloadContent<BootstrapDocument>>
  /** The same with obfuscated names, where the project has them. */
  readonly obfuscatedBootstrap: (caller: KeyConfig) => Download<DownloadContent<BootstrapDocument>>
}

/**
 * Keeps the downloads of those versions of configs that are in force. What keys stand for is another object with each
 * version, and a download is in memory as long as that is: so there are two for each key at most, and those of former
 * versions go with what their keys stood for.
 */
export function createDownloads({ configs, publicUrl }: Dependencies): Downloads {
  const config = memoizeByIdentity((current: KeyConfig) =>
    createDownload(current.version, () => buildDownloadContent(current, publicUrl()))
  )
  // The stream is that of the client key as well: what it names goes on to browsers.
  const toBootstrap = (client: KeyConfig) => ({
    ...buildDownloadContent(client, publicUrl()),
    clientSDKKey: client.sdkKey
  })
  const bootstrap = memoizeByIdentity((client: KeyConfig) => createDownload(client.version, () => toBootstrap(client)))
  const obfuscatedBootstrap = memoizeByIdentity((client: KeyConfig) => {
    return createDownload(client.version, () => obfuscateConfig(toBootstrap(client), client.config))
  })
  const clientOf = ({ environment }: KeyConfig): KeyConfig => {
    const clientKey = keyInUse(environment.sdkKeys.client)
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

/** The newest key, of those that are nobody else's as far as is known. */
function keyInUse(keys: readonly SdkKey[]): string | undefined {
  return (keys.findLast(({ compromised }) => !compromised) ?? keys.at(-1))?.key
}
