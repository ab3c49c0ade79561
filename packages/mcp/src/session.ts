/** What is remembered from one call of a session to the next. */
export interface Session {
  /** The key of the project that was chosen. */
  selected: string | undefined
  /** Whether there is a next call that will remember: requests of revision 2026-07-28 over HTTP stand alone. */
  readonly isKept: boolean
}

/** A session that lasts, or one request that stands alone. */
export function createSession(isKept: boolean): Session {
  return { selected: undefined, isKept }
}
