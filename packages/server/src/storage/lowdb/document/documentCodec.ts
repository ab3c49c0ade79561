import { reasonOf } from '../../../lib/reasonOf.ts'
import { EncryptedValueError, type ItemCodec } from '../../encryption/itemCodec.ts'
import { RESTORE_BACKUP, storeOpenError } from '../../storeOpenError.ts'
import {
  buildState,
  type FlagDataCollection,
  flagDataCollections,
  type StoreState,
  type Tables
} from '../../tables/storeState.ts'
import { parseItems } from './parseItems.ts'

/** Converts between a state and the data of a document, whose secrets are encrypted. */
export class DocumentCodec {
  readonly #path: string
  /** The encoded items, so that a snapshot encrypts only those that were never written. */
  readonly #encoded = new WeakMap<object, object>()

  /** @param path The path of the document, for messages. */
  constructor(path: string) {
    this.#path = path
  }

  encode(state: StoreState, codec: ItemCodec | undefined): Readonly<Record<string, readonly object[]>> {
    return Object.fromEntries(flagDataCollections.map((name) => [name, this.#encodeAll(name, state, codec)]))
  }

  /**
   * `hasOutdatedSecrets`: secrets are encoded differently from `codec`, so the document must be rewritten.
   * @throws {StoreOpenError} when the data is not that of a store.
   */
  decode(data: unknown, codec: ItemCodec): { readonly state: StoreState; readonly hasOutdatedSecrets: boolean } {
    try {
      let hasOutdatedSecrets = false
      const items = parseItems(data)
      const decode = <K extends FlagDataCollection>(name: K) =>
        [...(items[name] ?? [])].map((item) => {
          const decoded = codec.decode(name, item)
          if (codec.isOutdated(name, item)) hasOutdatedSecrets = true
          else if (decoded !== item) this.#encoded.set(decoded, item)
          return decoded
        })
      const state = buildState(Object.fromEntries(flagDataCollections.map((name) => [name, decode(name)])))
      return { state, hasOutdatedSecrets }
    } catch (cause) {
      if (cause instanceof EncryptedValueError) {
        throw storeOpenError(this.#path, `was changed outside the server: ${cause.message}`, RESTORE_BACKUP, cause)
      }
      throw storeOpenError(this.#path, `does not have the shape of a store: ${reasonOf(cause)}`, RESTORE_BACKUP, cause)
    }
  }

  #encodeAll<K extends FlagDataCollection>(name: K, tables: Tables, codec: ItemCodec | undefined): readonly object[] {
    return [...tables[name].items.values()].map((item) => {
      const encoded = this.#encoded.get(item) ?? codec?.encode(name, item) ?? item
      if (encoded !== item) this.#encoded.set(item, encoded)
      return encoded
    })
  }
}
