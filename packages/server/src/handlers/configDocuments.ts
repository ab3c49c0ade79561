import type { SdkCaller } from '../caller.ts'
import type { Configs } from '../configs/configs.ts'
import type { Document } from '../documents/document.ts'
import { createDocuments } from '../documents/documents.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly configs: Configs
  readonly publicUrl: () => string
}

type Operations =
  | 'getServerConfig'
  | 'getServerConfigV1'
  | 'getBootstrapConfig'
  | 'getBootstrapConfigV1'
  | 'getObfuscatedBootstrapConfig'
  | 'getObfuscatedBootstrapConfigV1'

interface ByKey {
  readonly params: { readonly key: string }
}

/** Hands out what SDKs of servers evaluate by. */
export function configDocuments({ configs, publicUrl }: Dependencies): Pick<Handlers, Operations> {
  const documents = createDocuments({ configs, publicUrl })
  const config = ({ params }: ByKey, caller: SdkCaller): Document => documents.config(caller, params.key)
  const bootstrap = (_input: ByKey, caller: SdkCaller): Document => documents.bootstrap(caller)
  const obfuscated = (_input: ByKey, caller: SdkCaller): Document => documents.obfuscatedBootstrap(caller)
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
