import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { isRecord } from '@burgee/kit'
import { decrypt, encrypt } from './aesGcm.ts'
import { type EncryptionKey, KEY_BYTES } from './encryptionKey.ts'

/** A random key of one store, which encrypts its secrets. */
export interface DataKey {
  readonly id: string
  readonly key: KeyObject
}

/** The encryption as a store keeps it: its data keys, encrypted. */
export interface StoredEncryption {
  /** The id of the key encryption key that wraps the data keys. */
  readonly keyId: string
  /** The key for new values first; then those that an unfinished rotation left. */
  readonly dataKeys: NonEmpty<WrappedDataKey>
}

interface WrappedDataKey {
  readonly id: string
  readonly encrypted: string
}

type NonEmpty<T> = readonly [T, ...T[]]

/** Creates a random data key. */
export function createDataKey(): DataKey {
  return { id: randomBytes(ID_BYTES).toString('hex'), key: createSecretKey(randomBytes(KEY_BYTES)) }
}

/** Encrypts data keys with a key encryption key. */
export function wrapDataKeys(
  [first, ...others]: NonEmpty<DataKey>,
  { id: keyId, key }: EncryptionKey
): StoredEncryption {
  const wrap = ({ id, key: dataKey }: DataKey) => ({ id, encrypted: encrypt(key, dataKey.export(), contextOf(id)) })
  return { keyId, dataKeys: [wrap(first), ...others.map(wrap)] }
}

/** Decrypts the data keys. @throws {Error} if they were changed, or encrypted with another key. */
export function unwrapDataKeys(stored: StoredEncryption, { key }: EncryptionKey): NonEmpty<DataKey> {
  const [first, ...others] = stored.dataKeys
  const unwrap = ({ id, encrypted }: WrappedDataKey) => {
    return { id, key: createSecretKey(decrypt(key, encrypted, contextOf(id))) }
  }
  return [unwrap(first), ...others.map(unwrap)]
}

/** Whether a value of unknown origin has the shape of a `StoredEncryption`. */
export function isStoredEncryption(value: unknown): value is StoredEncryption {
  if (!isRecord(value) || typeof value.keyId !== 'string' || !Array.isArray(value.dataKeys)) return false
  const isDataKey = (one: unknown) => isRecord(one) && typeof one.id === 'string' && typeof one.encrypted === 'string'
  return value.dataKeys.length > 0 && value.dataKeys.every(isDataKey)
}

function contextOf(id: string): string {
  return `burgee data key ${id}`
}

const ID_BYTES = 4
