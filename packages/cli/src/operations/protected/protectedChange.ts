import type { OperationRequest } from '../../manifest/operationRequest.ts'
import type { Session } from '../../run/session.ts'

/** A change of what users of protected environments get, as a person confirms it. */
export interface ProtectedChange {
  /** What changes: a line for each. */
  readonly lines: readonly string[]
  readonly question: string
  /** The revision that was shown; the change requires it. */
  readonly revision?: string | undefined
}

/** Describes what a request changes for users of protected environments; `undefined` if it changes nothing for them. */
export type Describe = (request: OperationRequest, session: Session) => Promise<ProtectedChange | undefined>
