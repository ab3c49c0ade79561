import type { Configs, KeyConfig } from '../../../delivery/configs/configs.ts'
import { createDownloads } from '../../../delivery/downloads/downloads.ts'
import type { Handlers } from '../kit/handler.ts'

interface Dependencies {
  readonly configs: Configs
  readonly publicUrl: () => string | undefined
}

type Operations =
  | 'getServerConfig'
  | 'getServerConfigV1'
  | 'getBootstrapConfig'
  | 'getBootstrapConfigV1'
  | 'getObfuscatedBootstrapConfig'
  | 'getObfuscatedBootstrapConfigV1'

/** Hands out what SDKs of servers evaluate by. */
export function configDocuments({ configs, publicUrl }: Dependencies): Pick<Handlers, Operations> {
  const downloads = createDownloads({ configs, publicUrl })
  const config = (_input: unknown, caller: KeyConfig) => downloads.config(caller)
  const bootstrap = (_input: unknown, caller: KeyConfig) => downloads.bootstrap(caller)
  const obfuscated = (_input: unknown, caller: KeyConfig) => downloads.obfuscatedBootstrap(caller)
  return {
    getServerConfig: config,
    getBootstrapConfig: bootstrap,
    getObfuscatedBootstrapConfig: obfuscated,
    // Older engines pass over what they do not know.
    getServerConfigV1: config,
    getBootstrapConfigV1: bootstrap,
    getObfuscatedBootstrapConfigV1: obfuscated
  }
}
