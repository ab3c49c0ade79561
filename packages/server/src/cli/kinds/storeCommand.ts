import { type Operations, operations } from '@burgee/contract'
import type { Command } from '@burgee/kit/commandLine'
import { pickSettings, type Settings, UsageError } from '@burgee/kit/settings'
import { createEditRunner, type EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { ensureOrganization } from '../../identity/organizations/ensureOrganization.ts'
import { createSecretHasher, HASH_COST, type SecretHasher } from '../../identity/secrets/secretHash.ts'
import { type IdGenerator, randomIdGenerator } from '../../lib/idGenerator.ts'
import type { EncryptionOptions } from '../../storage/encryption/openEncryption.ts'
import { hasStore } from '../../storage/lowdb/storeDirectory.ts'
import { openStore } from '../../storage/open/openStore.ts'
import { openReadOnly } from '../../storage/postgres/openPostgresStore.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import { type Store, StoreLockedError } from '../../storage/store.ts'
import { isDatabaseUrl, parseStoreDirectory } from '../../storage/storeUrl.ts'
import { settings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { type DeclaredCommand, declareCommand } from './declareCommand.ts'

/** The context of commands that read or change the store. */
export interface StoreCommandContext {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly hasher: SecretHasher
  readonly now: () => number
  readonly organization: StoredOrganization
  /** The server itself, which the audit log names as the author of changes. */
  readonly caller: TokenCaller
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

interface StoreCommand {
  /** Whether the command creates a missing store. Other commands fail without one. */
  readonly createsStore?: boolean
  /** The equivalent operation of the API on a running server. */
  readonly operation?: keyof Operations
}

/** Declares a command that opens the store; a store in a directory requires that the server is stopped. */
export function storeCommand<const S extends Settings>({
  createsStore = false,
  operation,
  ...declared
}: StoreCommand & DeclaredCommand<S, StoreCommandContext>): Command<Terminal> {
  return declareCommand({
    ...declared,
    shared: pickSettings(settings, 'store', 'encryptionKey'),
    run: async (given, { store: url, encryptionKey: keys }, { print, notice }) => {
      const opening = { name: declared.name, createsStore, operation, encryption: { keys } }
      const store = await openCommandStore(url, opening, notice)
      try {
        const [now, ids] = [Date.now, randomIdGenerator]
        const organization = await ensureOrganization(store, { now, ids })
        const caller = serverCaller(organization.key)
        const edit = createEditRunner({ store, ids, now })
        const hasher = createSecretHasher(HASH_COST, ids)
        return await declared.run(given, { store, edit, ids, hasher, now, organization, caller, print })
      } finally {
        await store.close()
      }
    }
  })
}

/**
 * Opens the store of a command.
 * @throws {UsageError} if it is missing, in memory, or open in a running server.
 */
export async function openCommandStore(
  url: string,
  {
    name,
    operation,
    createsStore,
    encryption
  }: Omit<StoreCommand, 'operation'> & {
    readonly name: string
    readonly operation?: keyof Operations | undefined
    readonly encryption: EncryptionOptions
  },
  onNotice: Terminal['notice']
): Promise<Store> {
  if (url === 'memory:') throw new UsageError(`${name} needs a persistent store, such as file:./burgee-data`)
  const directory = parseStoreDirectory(url)
  if (directory !== undefined && !createsStore && !hasStore(directory)) {
    throw new UsageError(`${directory} contains no store; set --store or BURGEE_STORE to the store of the server`)
  }
  // Fails without a store.
  if (isDatabaseUrl(url) && !createsStore) await (await openReadOnly(url)).close()
  try {
    // Commands that only read need no room, and the others fail with the reason.
    return await openStore(url, { onNotice, onWriteFailure: () => {}, encryption })
  } catch (cause) {
    if (!(cause instanceof StoreLockedError)) throw cause
    const { method = '', path = '' } = operation ? operations[operation] : {}
    const alternative = operation ? `, or use its API: ${method} ${path}` : ''
    throw new UsageError(`${cause.holder} holds the store in ${directory}; stop it first${alternative}`, { cause })
  }
}
