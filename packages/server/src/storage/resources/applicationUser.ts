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

/** A user of an application, as stored for EdgeDB evaluations of a project. */
export interface StoredEdgeUser extends RecordFields {
  readonly _project: string
  readonly user_id: string
  readonly email?: string
  readonly name?: string
  readonly language?: string
  readonly country?: string
  readonly customData?: CustomData
  readonly lastSeenDate?: number
}

/** The opt-in choices of a user in one environment: feature id → opted in. */
export interface StoredOptIns extends RecordFields {
  readonly _environment: string
  readonly user_id: string
  readonly choices: Readonly<OptInChoices>
}
