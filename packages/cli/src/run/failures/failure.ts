/** Why a command failed, as programs read it from standard error. */
export interface Failure {
  readonly code: string
  /** The exit code. */
  readonly exit: number
  readonly message: string
  /** The status of the response and the id of the operation. */
  readonly status?: number
  readonly operation?: string
  readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
  /** The action. */
  readonly hint?: string
}
