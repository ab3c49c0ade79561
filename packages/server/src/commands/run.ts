import { operations } from '@burgee/contract'
import { serverCaller } from '../access/serverCaller.ts'
import { editsOf } from '../audit/edit.ts'
import { setUpOrganization } from '../auth/organization.ts'
import { randomIds } from '../id.ts'
import { readSettings } from '../options.ts'
import { openAuditLog } from '../store/openAuditLog.ts'
import { hasStore } from '../store/openDirectory.ts'
import { directoryOf, openStore } from '../store/openStore.ts'
import { type Store, StoreHeldError } from '../store/store.ts'
import { askServer } from './askServer.ts'
import { CommandError, type StoreCommand } from './command.ts'
import { readCommandLine } from './commandLine.ts'

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
  const { command, given } = readCommandLine(args)
  if (command.opens === 'server')
    return askServer(given, environment, (server) => command.run({ ...server, print }, given))
  const { store: url } = readSettings(given.flags, environment)
  if (command.opens === 'auditLog') return command.run({ log: await openAuditLog(url), print }, given)
  const store = await open(url, command, notice)
  try {
    const now = Date.now
    const ids = randomIds
    const organization = await setUpOrganization(store, { now, ids })
    const caller = serverCaller(organization.key)
    return await command.run(
      { store, edit: editsOf({ store, ids, now }), ids, now, organization, caller, print },
      given
    )
  } finally {
    await store.close()
  }
}

async function open(
  url: string,
  { name, operation, makesStore }: StoreCommand,
  onNotice: Terminal['notice']
): Promise<Store> {
  // The names of other stores are refused as they are at a start.
  if (url === 'memory:')
    throw new CommandError(`${name} takes a store that keeps something, as in "file:./burgee-data"`)
  const directory = directoryOf(url)
  if (directory !== undefined && !makesStore && !hasStore(directory)) {
    throw new CommandError(`there is no store in ${directory}: name that of the server with --store or BURGEE_STORE`)
  }
  try {
    return await openStore(url, { onNotice })
  } catch (cause) {
    if (!(cause instanceof StoreHeldError)) throw cause
    const { method = '', path = '' } = operation ? operations[operation] : {}
    const instead = operation ? `, or let it do this by the API: ${method} ${path}` : ''
    throw new CommandError(
      `a running server, process ${cause.pid}, holds the store in ${directory}: stop it first${instead}`,
      { cause }
    )
  }
}
