import type { OptInChoices, Override, UserProfile } from '@burgee/contract/schemas'
import type { CustomData } from '@burgee/core'
import type { Of, RecordFields } from './recordFields.ts'

/** The user id of a person in the applications of a project, which overrides apply to. */
export type StoredProfile = Readonly<UserProfile>

/** The variation that a person is served in one environment, regardless of targeting. */
export interface StoredOverride
  extends RecordFields,
    Of<Override, '_project' | '_feature' | '_environment' | '_variation' | 'svcUserId'> {
  readonly idp_user: string
}

/** The properties of a user that evaluations can use. */
export interface EdgeProperties {
  readonly email?: string
  readonly name?: string
  readonly language?: string
  readonly country?: string
  readonly customData?: CustomData
  readonly lastSeenDate?: number
}

/** The members of user data that expire. */
interface ExpiringFields extends RecordFields {
  /** When the user was last written or evaluated, ISO 8601, to the day. Absent in data of earlier versions. */
  readonly seenAt?: string
}

/**
 * A user of an application, as stored for EdgeDB evaluations of a project. Its own properties were written with client
 * or mobile keys, or by a version that did not distinguish keys (ADR 52). In `customData`, `null` hides an attribute
 * that a server wrote.
 */
export interface StoredEdgeUser extends ExpiringFields, EdgeProperties {
  readonly _project: string
  readonly user_id: string
  /** The properties that were written with server keys. */
  readonly fromServers?: EdgeProperties
}

/**
 * The opt-in choices of a user in one environment: feature id → opted in. `choices` were made with client or mobile
 * keys, or in a version that did not distinguish keys (ADR 52).
 */
export interface StoredOptIns extends ExpiringFields {
  readonly _environment: string
  readonly user_id: string
  readonly choices: Readonly<OptInChoices>
  /** The choices that were made with server keys. */
  readonly fromServers?: Readonly<OptInChoices>
}
