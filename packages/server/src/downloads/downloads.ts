import type { BootstrapDocument, ConfigDocument } from '@burgee/contract'
import type { Configs, Current } from '../configs/configs.ts'
import { notFound } from '../errors.ts'
import { obfuscateConfig } from '../obfuscation/obfuscateConfig.ts'
import { remembering } from '../remembering.ts'
import type { SdkKey } from '../store/resources.ts'
import { contentFor, type Sent } from './content.ts'
import { type Download, makeDownload } from './download.ts'

interface Dependencies {
  readonly configs: Pick<Configs, 'current'>
  /** The address under which callers reach the server, where it is known. */
  readonly publicUrl: () => string | undefined
}

/** What SDKs of servers download. */
export interface Downloads {
  /** The config that an SDK key stands for. */
  readonly config: (caller: Current) => Download<Sent<ConfigDocument>>
  /** The config that browsers see: the one of the environment's client key, which it names. @throws {ApiError} 404 when it has none. */
  readonly bootstrap: (caller: Current) => Download<Sent<BootstrapDocument>>
  /** The same with obfuscated names, where the project has them. */
  readonly obfuscatedBootstrap: (caller: Current) => Download<Sent<BootstrapDocument>>
}

/**
 * Keeps the downloads of those versions of configs that are in force. What keys stand for is another object with each
 * version, and a download is in memory as long as that is: so there are two for each key at most, and those of former
 * versions go with what their keys stood for.
 */
export function createDownloads({ configs, publicUrl }: Dependencies): Downloads {
  const config = remembering((current: Current) =>
    makeDownload(current.version, () => contentFor(current, publicUrl()))
  )
  // The stream is that of the client key as well: what it names goes on to browsers.
  const toBootstrap = (client: Current) => ({ ...contentFor(client, publicUrl()), clientSDKKey: client.sdkKey })
  const bootstrap = remembering((client: Current) => makeDownload(client.version, () => toBootstrap(client)))
  const obfuscatedBootstrap = remembering((client: Current) => {
    return makeDownload(client.version, () => obfuscateConfig(toBootstrap(client), client.config))
  })
  const clientOf = ({ environment }: Current): Current => {
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
