import type { Configs, Current } from '../configs/configs.ts'
import { notFound } from '../errors.ts'
import { obfuscateConfig } from '../obfuscation/obfuscateConfig.ts'
import type { SdkKey } from '../store/resources.ts'
import { contentFor } from './content.ts'
import { type Document, makeDocument } from './document.ts'

interface Dependencies {
  readonly configs: Pick<Configs, 'current'>
  /** Known once the server listens. */
  readonly publicUrl: () => string
}

/** The documents that SDKs of servers download. */
export interface Documents {
  /** The config that an SDK key stands for. */
  readonly config: (caller: Current, sdkKey: string) => Document
  /** The config that browsers see: the one of the environment's client key, which it names. @throws {ApiError} 404 when it has none. */
  readonly bootstrap: (caller: Current) => Document
  /** The same with obfuscated names, where the project has them. */
  readonly obfuscatedBootstrap: (caller: Current) => Document
}

/**
 * Keeps the documents of those versions of configs that are in force. What keys stand for is another object with each
 * version, and a document is in memory as long as that is: so there are two for each key at most, and those of former
 * versions go with what their keys stood for.
 */
export function createDocuments({ configs, publicUrl }: Dependencies): Documents {
  const documents = new WeakMap<Current, Map<string, Document>>()
  const documentOf = (current: Current, name: string, content: () => object): Document => {
    const known = documents.get(current) ?? new Map<string, Document>()
    documents.set(current, known)
    const document = known.get(name) ?? makeDocument(current.version, content)
    known.set(name, document)
    return document
  }
  const bootstrapOf = ({ environment }: Current, isObfuscated: boolean): Document => {
    const clientSDKKey = keyInUse(environment.sdkKeys.client)
    const client = clientSDKKey && configs.current(clientSDKKey)
    if (!client) throw notFound(`environment "${environment.key}" has no client key`)
    const content = () => {
      // The stream is that of the client key as well: what it names goes on to browsers.
      const plain = { ...contentFor(client, clientSDKKey, publicUrl()), clientSDKKey }
      return isObfuscated ? obfuscateConfig(plain, client.config) : plain
    }
    return documentOf(client, `${isObfuscated ? 'obfuscated ' : ''}bootstrap ${clientSDKKey}`, content)
  }
  return {
    config: (caller, key) => documentOf(caller, `config ${key}`, () => contentFor(caller, key, publicUrl())),
    bootstrap: (caller) => bootstrapOf(caller, false),
    obfuscatedBootstrap: (caller) => bootstrapOf(caller, caller.project.settings.obfuscation.enabled)
  }
}

/** The newest key, of those that are nobody else's as far as is known. */
function keyInUse(keys: readonly SdkKey[]): string | undefined {
  return (keys.findLast(({ compromised }) => !compromised) ?? keys.at(-1))?.key
}
