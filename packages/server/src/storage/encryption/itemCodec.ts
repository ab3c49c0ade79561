import { isRecord } from '@burgee/kit'
import { type Resources, secretMembers } from '../resources/collections.ts'
import { deepFreeze } from '../tables/deepFreeze.ts'
import { decrypt, encrypt } from './aesGcm.ts'
import type { DataKey } from './dataKey.ts'

/**
 * Encrypts and decrypts the secrets of items (`secretMembers`, without hashes). Every persistent implementation of
 * `Store` encodes items before it writes them, and decodes them after it has read them.
 */
export interface ItemCodec {
  /** Returns the item to write; the same object if it has no secrets. */
  encode<K extends keyof Resources>(collection: K, item: Resources[K]): Resources[K]
  /** Returns the item as it was before `encode`. @throws {EncryptedValueError} */
  decode<K extends keyof Resources>(collection: K, item: Resources[K]): Resources[K]
  /** Whether `encode` would write an item differently from how it was read: encrypted, decrypted, or by another key. */
  isOutdated<K extends keyof Resources>(collection: K, item: Resources[K]): boolean
}

/** Thrown for a secret that cannot be decrypted. The message names it. */
export class EncryptedValueError extends Error {
  override readonly name = 'EncryptedValueError'
}

/**
 * Creates a codec.
 * @param readable The data keys of values that it decrypts.
 * @param current The data key of values that it encrypts; `undefined` to write them in plain text.
 */
export function createItemCodec(readable: readonly DataKey[], current: DataKey | undefined): ItemCodec {
  const keys = new Map(readable.map((dataKey) => [dataKey.id, dataKey]))
  return {
    encode: (collection, item) =>
      current === undefined
        ? item
        : replaceSecrets(collection, item, (value, context) => {
            const text = encrypt(current.key, Buffer.from(JSON.stringify(value)), context)
            return { [MARK]: `${current.id}.${text}` }
          }),
    decode: (collection, item) =>
      replaceSecrets(collection, item, (value, context) => {
        const text = encryptedText(value)
        return text === undefined ? value : decryptValue(keys, text, context)
      }),
    isOutdated: (collection, item) =>
      secretsOf(collection, item).some(([, value]) => keyIdOf(encryptedText(value)) !== current?.id)
  }
}

/** Returns the item with replaced secrets; the same object if no secret changes. */
function replaceSecrets<K extends keyof Resources>(
  collection: K,
  item: Resources[K],
  replace: (value: unknown, context: string) => unknown
): Resources[K] {
  const changed = secretsOf(collection, item).flatMap(([member, value]) => {
    const replaced = replace(value, `${collection} ${item._id} ${member}`)
    return replaced === value ? [] : [[member, replaced] as const]
  })
  // The members keep their types: callers see decoded items only.
  return changed.length === 0 ? item : deepFreeze({ ...item, ...Object.fromEntries(changed) })
}

/** Returns the secrets of an item that are encrypted, by member. */
function secretsOf<K extends keyof Resources>(
  collection: K,
  item: Resources[K]
): readonly (readonly [string, unknown])[] {
  const members = encryptedMembers[collection]
  return members.flatMap((member) => {
    const value = item[member]
    return value === undefined ? [] : [[member, value] as const]
  })
}

/** The members of each collection that are encrypted. Hashes are not: they cannot be read back. */
export const encryptedMembers = Object.fromEntries(
  Object.entries(secretMembers).map(([collection, members]) => {
    const named = Object.entries(members).filter(([, treatment]) => treatment !== 'hash')
    return [collection, named.map(([member]) => member)]
  })
  // Has a list for each key of `Resources`.
) as unknown as { readonly [K in keyof Resources]: readonly (keyof Resources[K] & string)[] }

function decryptValue(keys: ReadonlyMap<string, DataKey>, text: string, context: string): unknown {
  const dataKey = keys.get(keyIdOf(text) ?? '')
  const [collection, id, member] = context.split(' ')
  const name = `${member} of ${collection} ${id}`
  if (!dataKey) {
    throw new EncryptedValueError(
      `${name} is encrypted with the data key ${keyIdOf(text)}, which the store does not have`
    )
  }
  try {
    return JSON.parse(decrypt(dataKey.key, text.slice(text.indexOf('.') + 1), context).toString())
  } catch (cause) {
    throw new EncryptedValueError(`${name} cannot be decrypted: it was changed, or moved from another record`, {
      cause
    })
  }
}

/** Returns the text of an encrypted value: the id of its data key, a dot, and the ciphertext. */
function encryptedText(value: unknown): string | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined
  const text = value[MARK]
  return typeof text === 'string' ? text : undefined
}

function keyIdOf(text: string | undefined): string | undefined {
  return text?.split('.', 1)[0]
}

/** The only member of an encrypted value. No secret is an object with this member. */
const MARK = '$encrypted'
