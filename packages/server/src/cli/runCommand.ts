import { operations } from '@burgee/contract'
import { createEditRunner } from '../access/audit/edit.ts'
import { serverCaller } from '../access/permissions/serverCaller.ts'
import { ensureOrganization } from '../identity/organizations/ensureOrganization.ts'
import { randomIdGenerator } from '../lib/idGenerator.ts'
import { hasStore } from '../storage/lowdb/openFileStore.ts'
import { openAuditLog } from '../storage/open/openAuditLog.ts'
import { openStore, parseStoreDirectory } from '../storage/open/openStore.ts'
import { type Store, StoreLockedError } from '../storage/store.ts'
import { parseCommandLine } from './commandLine.ts'
import { CommandError, type StoreCommand } from './kit/command.ts'
import { parseSettings } from './kit/options.ts'
import { runOnServer } from './runOnServer.ts'

/** What commands write to. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error, for what an operator should know besides. */
  readonly notice: (line: string) => void
}

/**
 * Runs the command that the arguments name, on the store or with the server that they or the environment do. Answers
 * its exit code.
 * @throws {CommandError} when the arguments cannot be used, a running server holds the store, or one does not answer.
 */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { print, notice }: Terminal
): Promise<number> {
  const { command, input: given } = parseCommandLine(args)
  if (command.opens === 'server')
    return runOnServer(given, environment, (server) => command.run({ ...server, print }, given))
  const { store: url } = parseSettings(given.flags, environment)
  if (command.opens === 'auditLog') return command.run({ log: await openAuditLog(url), print }, given)
  const store = await openCommandStore(url, command, notice)
  try {
    const now = Date.now
    const ids = randomIdGenerator
    const organization = await ensureOrganization(store, { now, ids })
    const caller = serverCaller(organization.key)
    return await command.run(
      { store, edit: createEditRunner({ store, ids, now }), ids, now, organization, caller, print },
      given
    )
  } finally {
    await store.close()
  }
}

async function openCommandStore(
  url: string,
  { name, operation, createsStore }: StoreCommand,
  onNotice: Terminal['notice']
): Promise<Store> {
  // The names of other stores are refused as they are at a start.
  if (url === 'memory:')
    throw new CommandError(`${name} takes a store that keeps something, as in "file:./burgee-data"`)
  const directory = parseStoreDirectory(url)
  if (directory !== undefined && !createsStore && !hasStore(directory)) {
    throw new CommandError(`there is no store in ${directory}: name that of the server with --store or BURGEE_STORE`)
  }
  try {
    return await openStore(url, { onNotice })
  } catch (cause) {
    if (!(cause instanceof StoreLockedError)) throw cause
    const { method = '', path = '' } = operation ? operations[operation] : {}
    const instead = operation ? `, or let it do this by the API: ${method} ${path}` : ''
    throw new CommandError(
      `a running server, process ${cause.pid}, holds the store in ${directory}: stop it first${instead}`,
      { cause }
    )
  }
}
