import type { Permission } from '@burgee/contract'
import type { Actor, ChangeSource } from '@burgee/contract/schemas'
import type { Access } from './access.ts'

/** Somebody who acts in the management API: a person, a client, or the server itself. */
export interface Identity {
  /** As audit entries and `_createdBy` name them. */
  readonly id: string
  readonly name: string
  readonly email?: string
  /** The key of their organization. */
  readonly organization: string
  readonly actor: Actor
  /** The client that acts, or that a person acts with. */
  readonly clientId?: string
  /** Of a client that acts for itself: who made it. */
  readonly createdBy?: string
  readonly access: Access
}

/** Who calls an operation that takes a token. */
export interface TokenCaller extends Identity {
  /** The permission that the operation takes. It is demanded again in the project that the request turns out to be about. */
  readonly requiredPermission: Permission
  /** The kind of tool they use, as far as it says so. */
  readonly source: ChangeSource
  /** What the program calls itself that an assistant runs in. */
  readonly assistant?: string
}
