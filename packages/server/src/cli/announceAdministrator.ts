import { join } from 'node:path'
import { writeFileAtomic } from '@burgee/kit/files'
import {
  type AdministratorCredentials,
  formatAdministratorCredentials
} from '../identity/clients/ensureAdministrator.ts'
import { OptionError } from '../lib/errors.ts'
import { isDatabaseUrl, parseStoreDirectory } from '../storage/storeUrl.ts'

/** Where the credentials of the first administrator client go. */
interface Destination {
  /** The address of the server. */
  readonly url: string
  /** The setting `store`. */
  readonly store: string
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
}

/** The name of the file, in the directory of the store. Its lines are variables that `burgee-server` commands read. */
const ADMINISTRATOR_FILE = 'administrator.env'

/**
 * Returns the text that announces the first administrator client. Only a terminal gets its secret: standard output of a
 * service ends up in logs, so the secret goes to a file that only the owner can read. A database has no directory; a
 * command replaces the secret there. A store in memory has none either, and its secret ends with the process.
 * @throws {OptionError} if the file cannot be written.
 */
export async function announceAdministrator(
  credentials: AdministratorCredentials,
  { url, store, isTerminal }: Destination
): Promise<string> {
  const directory = parseStoreDirectory(store)
  if (!isTerminal && isDatabaseUrl(store)) {
    return `Created the API client ${credentials.clientId} with full access to the management API. Its secret is printed only to a terminal: run "burgee-server clients rotate ${credentials.clientId}" in one to get a new secret.`
  }
  if (isTerminal || directory === undefined) return formatAdministratorCredentials(credentials, url)
  const path = join(directory, ADMINISTRATOR_FILE)
  const { clientId, clientSecret } = credentials
  await writeFileAtomic(path, `BURGEE_CLIENT_ID=${clientId}\nBURGEE_CLIENT_SECRET=${clientSecret}\n`).catch((cause) => {
    throw new OptionError(
      `the secret of the first administrator client cannot be written to ${path}: ${cause.message}. Start with BURGEE_ADMIN_CLIENT_ID and BURGEE_ADMIN_CLIENT_SECRET to set another one`,
      { cause }
    )
  })
  return `Created the API client ${clientId} with full access to the management API. Its secret is in ${path}, which only its owner can read. In production, move the secret to a secret manager and delete the file.`
}
