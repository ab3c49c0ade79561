/** State that lasts from one call of a session to the next. */
export interface Session {
  /** The key of the selected project. */
  selected: string | undefined
  /** False for requests that stand alone, as those of revision 2026-07-28 over HTTP do. */
  readonly isKept: boolean
}

/** Creates the state of a session, or of a request that stands alone. */
export function createSession(isKept: boolean): Session {
  return { selected: undefined, isKept }
}
