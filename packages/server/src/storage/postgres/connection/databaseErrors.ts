import { reasonOf } from '../../../lib/reasonOf.ts'

/** A statement was not run, or is not waited for any longer: the database does not answer. */
export class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError'

  constructor() {
    super('it does not answer')
  }
}

/** No connection was free within the time limit, or none could be opened. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError'

  /** @param isConnected Whether others are open, and all of them in use. */
  constructor(isConnected: boolean) {
    super(isConnected ? 'no connection was free in time' : 'no connection could be opened in time')
  }
}

/** A connection could not be opened. Has the SQLSTATE of the cause if the database refused it. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly code: string | undefined
  /** Whether the time limit for waiting has passed. */
  readonly isExhausted: boolean

  constructor(cause: unknown, { isExhausted }: { readonly isExhausted: boolean }) {
    super(reasonOf(cause instanceof AggregateError ? cause.errors[0] : cause), { cause })
    this.code = codeOf(cause)
    this.isExhausted = isExhausted
  }
}

/** A transaction waited too long for earlier ones of the same server. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError'

  constructor() {
    super('earlier transactions did not finish in time')
  }
}

/** Whether a statement failed because its connection could not be opened or was lost, or the server cannot write. */
export function isConnectionError(error: unknown): boolean {
  if (connectionErrors.some((kind) => error instanceof kind)) return true
  const code = codeOf(error)
  if (code !== undefined) return UNAVAILABLE.test(code)
  // Errors that the driver creates itself have no code. Those of Burgee have classes of their own, and any text.
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype && LOST.test(error.message)
}

/** Errors of Burgee, which have no code. */
const connectionErrors = [SilentDatabaseError, ConnectError, NoConnectionError]

/** Whether a connection failed for a reason that can end by itself: not for a wrong password or a missing database. */
export function isOutage(error: unknown): boolean {
  const opening = error instanceof ConnectError ? error.cause : error
  const cause = opening instanceof AggregateError ? opening.errors[0] : opening
  const code = codeOf(cause) ?? ''
  return (isConnectionError(cause) || code === INTERNAL_ERROR) && !/^(28...|3D000)$/.test(code)
}

/**
 * Whether a transaction that failed before its commit can be repeated: its connection was lost, or it conflicted with
 * another one. One that took too long would do so again, and one that waited for a connection has waited long enough.
 */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof ConnectError && error.isExhausted) return false
  return isConflict(error) || (isConnectionError(error) && !isTimeout(error))
}

/** Whether a transaction failed because of concurrent ones. */
export function isConflict(error: unknown): boolean {
  return hasSqlState(error, '40001', '40P01')
}

/** Whether a transaction waited too long for a lock that others hold. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof LockTimeoutError || hasSqlState(error, '55P03')
}

/** Whether a connection was refused because the server or the role has too many. */
export function isRefused(error: unknown): boolean {
  return hasSqlState(error, '53300')
}

/** Whether a statement took too long, and would again. */
export function isTimeout(error: unknown): boolean {
  return hasSqlState(error, '57014') || (error instanceof Error && error.message === 'Query read timeout')
}

/** Whether a table or its schema is missing: the database was replaced, or is being restored. */
export function isWithoutTables(error: unknown): boolean {
  return hasSqlState(error, '42P01', '3F000')
}

/** Whether an error has this SQLSTATE. */
export function hasSqlState(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? '')
}

/** The SQLSTATE of an error of the database, or the code of an error of the network. */
function codeOf(error: unknown): string | undefined {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isCoded ? String(error.code) : undefined
}

/** The messages of `pg` and `pg-pool` for connections that cannot be opened or were lost. */
const LOST =
  /^(Connection terminated( unexpectedly| due to connection timeout)?|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client .* is not queryable|.* SSL connections?)$/

/** For example, files that a new connection needs could not be written. */
const INTERNAL_ERROR = 'XX000'

/**
 * Connections (08), refused ones (28, 3D000, 55000), shutdown and start of the server (57P), too many connections and
 * full disks (53), errors of the disk (58), a read-only server after a failover (25006), statements and idle
 * transactions that took too long (57014, 25P03), and errors of the network.
 */
const UNAVAILABLE = /^(08...|28...|3D000|53...|55000|57P..|57014|58...|25006|25P03|E[A-Z]+)$/
