import type { KeyConfigs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { createDownloads } from '../../../delivery/downloads/downloads.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly configs: KeyConfigs
  readonly now: () => number
  readonly publicUrl: () => string | undefined
}

type Operations =
  | 'getServerConfig'
  | 'getServerConfigV1'
  | 'getBootstrapConfig'
  | 'getBootstrapConfigV1'
  | 'getObfuscatedBootstrapConfig'
  | 'getObfuscatedBootstrapConfigV1'

/** Handlers of the config documents that server SDKs evaluate (docs/reference/config-document.md). */
export function configDocuments({ configs, now, publicUrl }: Dependencies): Pick<Handlers, Operations> {
  const downloads = createDownloads({ configs, now, publicUrl })
  const config = (_input: unknown, caller: KeyConfig) => downloads.config(caller)
  const bootstrap = (_input: unknown, caller: KeyConfig) => downloads.bootstrap(caller)
  const obfuscated = (_input: unknown, caller: KeyConfig) => downloads.obfuscatedBootstrap(caller)
  return {
    getServerConfig: config,
    getBootstrapConfig: bootstrap,
    getObfuscatedBootstrapConfig: obfuscated,
    // Older SDKs ignore unknown members, so both versions are the same document.
    getServerConfigV1: config,
    getBootstrapConfigV1: bootstrap,
    getObfuscatedBootstrapConfigV1: obfuscated
  }
}
