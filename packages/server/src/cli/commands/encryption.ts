import { parseBoolean, pickSettings, UsageError, type Values } from '@burgee/kit/settings'
import type { EncryptionChange } from '../../storage/encryption/openEncryption.ts'
import { readEncryption } from '../../storage/open/readEncryption.ts'
import { declareCommand } from '../kinds/declareCommand.ts'
import { openCommandStore } from '../kinds/storeCommand.ts'
import { settings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** `burgee-server encryption …` */
export const encryptionCommands = [
  declareCommand({
    name: 'encryption status',
    summary: 'Print which key encrypts the secrets of a store or of a backup. Works while the server is running.',
    settings: {},
    shared: pickSettings(settings, 'store'),
    run: async (_given, { store }, { print }) => {
      print(await describeEncryption(store))
      return 0
    }
  }),
  declareCommand({
    name: 'encryption rotate',
    summary:
      'Re-encrypt the data key of a store with the first key of --encryption-key, which must contain the previous key as well. Encrypts a store that is not encrypted.',
    settings: {
      dataKey: {
        kind: 'switch',
        variable: false,
        help: 'Also re-encrypt all secrets with a new data key.',
        parse: parseBoolean
      }
    },
    shared: pickSettings(settings, 'store', 'encryptionKey'),
    run: async ({ settings: { dataKey } }, shared, terminal) =>
      changeEncryption('encryption rotate', dataKey ? 'newDataKey' : undefined, shared, terminal)
  }),
  declareCommand({
    name: 'encryption remove',
    summary: 'Store secrets in plain text again. Remove the key from the settings of the server afterwards.',
    settings: {},
    shared: pickSettings(settings, 'store', 'encryptionKey'),
    run: async (_given, shared, terminal) => changeEncryption('encryption remove', 'remove', shared, terminal)
  })
]

/** Opens and closes a store, which applies the keys and the change. */
async function changeEncryption(
  name: string,
  change: EncryptionChange | undefined,
  { store: url, encryptionKey: keys }: Values<Pick<typeof settings, 'store' | 'encryptionKey'>>,
  { print, notice }: Terminal
): Promise<number> {
  if (keys.length === 0) throw new UsageError(`${name} needs --encryption-key or BURGEE_ENCRYPTION_KEY`)
  const store = await openCommandStore(url, { name, encryption: { keys, change } }, notice)
  await store.close()
  print(await describeEncryption(url))
  return 0
}

async function describeEncryption(url: string): Promise<string> {
  const encryption = await readEncryption(url)
  if (!encryption) return 'secrets are not encrypted'
  const { keyId, dataKeys } = encryption
  return `secrets are encrypted with key ${keyId} (data key ${dataKeys[0].id})`
}
