/** State that the calls of a session share. */
export interface Session {
  /** The key of the selected project. */
  selected: string | undefined
  /** False for stateless requests, such as those of revision 2026-07-28 over HTTP. */
  readonly isStateful: boolean
}

/** Creates the state of a session, or of a stateless request. */
export function createSession(isStateful: boolean): Session {
  return { selected: undefined, isStateful }
}
