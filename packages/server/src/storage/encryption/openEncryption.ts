import { storeOpenError } from '../storeOpenError.ts'
import { createDataKey, type StoredEncryption, unwrapDataKeys, wrapDataKeys } from './dataKey.ts'
import type { EncryptionKey } from './encryptionKey.ts'
import { createItemCodec, type ItemCodec } from './itemCodec.ts'

/** The key encryption keys, and the change to make to an encrypted store. */
export interface EncryptionOptions {
  /** The current key, then previous keys, which can only decrypt. Empty: no encryption. */
  readonly keys: readonly EncryptionKey[]
  /** Re-encrypts all secrets with a new data key, or decrypts them. */
  readonly change?: EncryptionChange | undefined
}

export type EncryptionChange = 'newDataKey' | 'remove'

/** The encryption of a store that is being opened. */
export interface OpenedEncryption {
  readonly codec: ItemCodec
  /** The encryption to store until `codec` has written all files; `undefined` without encryption. */
  readonly interim: StoredEncryption | undefined
  /** The encryption to store afterwards. */
  readonly final: StoredEncryption | undefined
  /** Messages about changes, for the operator. */
  readonly notices: readonly string[]
}

/**
 * Opens the encryption of a store. Writes nothing: the store writes `interim`, then all values, then `final`. The
 * next start continues an interrupted one.
 * @param path The file that identifies the store in messages.
 * @throws {StoreOpenError} when the store is encrypted and the keys do not open it.
 */
export function openEncryption(
  path: string,
  stored: StoredEncryption | undefined,
  { keys, change }: EncryptionOptions
): OpenedEncryption {
  const [key] = keys
  if (!stored) {
    if (change) throw storeOpenError(path, 'is not encrypted', `start a server with ${VARIABLE} to encrypt it`)
    if (!key) return { codec: createItemCodec([], undefined), interim: undefined, final: undefined, notices: [] }
    const dataKey = createDataKey()
    const encryption = wrapDataKeys([dataKey], key)
    const notices = [`${path}: secrets are encrypted from now on, with key ${key.id}`]
    return { codec: createItemCodec([dataKey], dataKey), interim: encryption, final: encryption, notices }
  }
  if (!key) throw storeOpenError(path, `is encrypted with key ${stored.keyId}`, `set ${VARIABLE} to that key`)
  const dataKeys = readDataKeys(path, stored, keys)
  if (change === 'remove') {
    const notices = [`${path}: secrets are no longer encrypted`]
    return { codec: createItemCodec(dataKeys, undefined), interim: stored, final: undefined, notices }
  }
  const all: typeof dataKeys = change === 'newDataKey' ? [createDataKey(), ...dataKeys] : dataKeys
  const [current] = all
  const isWrapped = all === dataKeys && stored.keyId === key.id
  return {
    codec: createItemCodec(all, current),
    interim: isWrapped ? stored : wrapDataKeys(all, key),
    final: isWrapped && all.length === 1 ? stored : wrapDataKeys([current], key),
    notices: [
      ...(stored.keyId === key.id
        ? []
        : [`${path}: the data key is now encrypted with key ${key.id}; only earlier backups need key ${stored.keyId}`]),
      ...(change ? [`${path}: secrets are now encrypted with the new data key ${current.id}`] : [])
    ]
  }
}

function readDataKeys(
  path: string,
  stored: StoredEncryption,
  keys: readonly EncryptionKey[]
): ReturnType<typeof unwrapDataKeys> {
  const { keyId } = stored
  const key = keys.find(({ id }) => id === keyId)
  if (!key) {
    const given = `${VARIABLE} has ${keys.map(({ id }) => id).join(' and ')}`
    throw storeOpenError(path, `is encrypted with key ${keyId}, and ${given}`, 'set it to that key, or add that key')
  }
  try {
    return unwrapDataKeys(stored, key)
  } catch (cause) {
    throw storeOpenError(path, 'has a damaged data key', 'restore a backup', cause)
  }
}

const VARIABLE = 'BURGEE_ENCRYPTION_KEY'
