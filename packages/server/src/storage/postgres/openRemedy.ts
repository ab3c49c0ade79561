import { isOutage, isRefused } from './connection/databaseErrors.ts'

/** Returns what an operator can do about a database that cannot be opened. */
export function findRemedy(cause: unknown): string {
  const error = cause instanceof Error && cause.name === 'ConnectError' ? cause.cause : cause
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = remedies.find(
    ([pattern]) => pattern.test(code) || pattern.test(error instanceof Error ? error.message : '')
  )
  if (known) return known[1]
  if (isRefused(cause)) return TOO_MANY
  return isOutage(cause) ? UNREACHABLE : USABLE
}

const TOO_MANY =
  'raise the connection limits of the database and its user, or lower BURGEE_STORE_CONNECTIONS of all servers'

const UNREACHABLE = 'check its address, and that it runs'

const USABLE = 'check its address, that it runs, and that its user may create tables'

/** By error code or message. */
const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/^28...$/, 'check the user and the password, and that pg_hba.conf lets this user connect from here'],
  [/^3D000$/, 'create the database, or correct its name in the address'],
  // For example, it is starting up, or recovering from a crash.
  [/^57P03$/, 'wait until it accepts connections, and try again'],
  [/^42501$/, 'let its user create tables, and own those of Burgee, for example as the owner of the database'],
  [/does not support SSL/, 'remove sslmode from the address, or configure TLS in the database'],
  [
    /^ERR_INVALID_URL$/,
    'use "postgres://<user>:<password>@<host>:<port>/<database>", with special characters in the user and the password percent-encoded, such as %23 for #'
  ],
  [/^(ENOENT|EACCES): .* open /, 'correct the file that a parameter of the address names']
]
