import type { EditRunner } from '../../../access/audit/edit.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { Store } from '../../../storage/store.ts'
import type { ScimObject } from '../protocol/attribute.ts'
import type { ScimQuery } from '../protocol/query.ts'
import type { ResourceSchema } from '../protocol/schemas.ts'

/** The dependencies of SCIM resources. */
export interface ScimDependencies {
  readonly store: Store
  readonly edit: EditRunner
  /** Returns the base URL, for example `https://flags.example.com/scim/v2`. */
  readonly baseUrl: () => string
  /** Whether people can sign in through an identity provider. */
  readonly hasIdentityProvider: boolean
}

/** One page of a list, and the number of resources on all pages. */
export interface ScimPage {
  readonly resources: readonly ScimObject[]
  readonly total: number
}

/**
 * Throws unless the current state of a resource is the one that the client expects (`If-Match`).
 * @throws {HttpError} 412
 */
export type Precondition = (current: ScimObject) => void

/** The resources of one type. All methods throw `HttpError`s; an unknown id is a 404. */
export interface ScimResources {
  readonly schema: ResourceSchema
  readonly list: (query: ScimQuery, caller: TokenCaller) => Promise<ScimPage>
  readonly get: (id: string, caller: TokenCaller) => Promise<ScimObject>
  readonly create: (body: unknown, caller: TokenCaller) => Promise<ScimObject>
  /** Replaces the attributes that clients can write. */
  readonly replace: (id: string, body: unknown, precondition: Precondition, caller: TokenCaller) => Promise<ScimObject>
  readonly patch: (id: string, body: unknown, precondition: Precondition, caller: TokenCaller) => Promise<ScimObject>
  readonly remove: (id: string, precondition: Precondition, caller: TokenCaller) => Promise<void>
}
