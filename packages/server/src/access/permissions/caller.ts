import type { Permission } from '@burgee/contract'
import type { Actor, ChangeSource, Workload } from '@burgee/contract/schemas'
import type { Access } from './access.ts'

/** An actor of the management API: a person, a client, a workload, or the server itself. */
export interface Identity {
  /** The subject that audit entries and `_createdBy` contain. */
  readonly id: string
  readonly name: string
  readonly email?: string
  /** The key of the organization. */
  readonly organization: string
  readonly actor: Actor
  /** The client that acts, for itself or for a person. */
  readonly clientId?: string
  /** The CI job that the token was issued to. */
  readonly workload?: Workload
  readonly access: Access
  /** The sign-in from which the token was issued, if the token contains it. */
  readonly signIn?: SignIn
  /** When the token expires, in epoch milliseconds; absent for the server itself. */
  readonly expiresAt?: number
  /** Whether the token or its client limits what the holder may do. */
  readonly isLimited?: boolean
}

/** A sign-in of a person. */
export interface SignIn {
  /** Epoch milliseconds. */
  readonly at: number
  /** The authentication methods (RFC 8176), for example `pwd`, `otp` and `mfa`. */
  readonly methods: readonly string[]
  /** The id of the token, or of the session in the browser. What the person starts in it is finished in it. */
  readonly origin: string
}

/** The caller of an operation that takes an access token. */
export interface TokenCaller extends Identity {
  /** The permission that the operation requires. It is checked again in the project that the request resolves to. */
  readonly requiredPermission: Permission
  /** The kind of tool that the caller uses, if declared. */
  readonly source: ChangeSource
  /** The name of the program in which an assistant runs, as declared by the program. */
  readonly assistant?: string
  /** The network address of the request; absent for changes of the server itself. */
  readonly address?: string
}
